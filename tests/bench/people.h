/*
 * People who type at tables of a hall, for measurements: what the policy "random" would do, at
 * tables of four. Choosing and wording it is theirs to do and not the hall's.
 *
 * The store is told of before it is asked. What is not well ends the program with one sentence:
 * nothing can be measured then. Time is the hall's own, but for people_live().
 */
#ifndef TESTS_BENCH_PEOPLE_H
#define TESTS_BENCH_PEOPLE_H

#include <semaphore.h>

#include "core/base/rng.h"

#include "bot/chat_queue.h"
#include "bot/tools/soak.h"

enum { PEOPLE_IN_PLAY = 64, PEOPLE_OF_TABLE = 4 };

struct people {
    struct store *store; /* the one that is given, behind one that tells */
    struct hall *hall;
    struct chat *chat;
    struct chat_queue queue;
    struct typist *typist;
    struct mb_rng rng;
    sem_t answered; /* the store has something to say */
    unsigned long events;
    double lived_s; /* up to when people_live() has moved the hall's clock; 0: not yet */
    /** Called before the store is asked, or NULL. */
    void (*asks)(void *user, const struct store_request *request);
    void *user;
};

double people_clock_s(void);
_Noreturn void people_die(const char *why);

/** A hall on a store and a chat that are not started; both are the people's from now on. The chat
 * (made with NULL: one that only confirms) hears from their queue. */
void people_open(struct people *people, const struct catalog *catalog, struct store *store,
                 struct chat *(*chat)(struct chat_queue *queue, void *user), void *user);
void people_close(struct people *people);

/** At place 1%017u of a table in the community 9%017u of 64 tables; person n is (2 + n)%017u. */
void people_type(struct people *people, unsigned table, unsigned person, const char *line);
/** Until all that was typed is dealt with. */
void people_settle(struct people *people);
/** Opens tables and starts their games. */
void people_open_tables(struct people *people, unsigned first, unsigned end);
/** Somebody types at a table; where nobody has one time passes, or a new game begins. */
void people_play(struct people *people, unsigned table);
/** The hall lives by the clock for so long. */
void people_live(struct people *people, double seconds);

#endif
