/*
 * A short game that is played again and again, each time disturbed in another way: at its store, at
 * its disk, by the death of its hall. What is left of it must be what is left of the undisturbed
 * one: the same journal, the same state, and the same said to everybody, once.
 *
 * One script a process. What fails here fails the test.
 */
#ifndef TESTS_SUPPORT_REPLAY_H
#define TESTS_SUPPORT_REPLAY_H

#include "tests/support/stage.h"

enum { REPLAY_LINES_MAX = 600 };

// What happened in the undisturbed game: somebody spoke, or (person NULL) something fell due.
struct replay_entry {
    const char *person;
    bool direct;
    char line[STAGE_LINE_SIZE];
};

struct replay_script {
    struct replay_entry entries[REPLAY_LINES_MAX];
    size_t count;
};

// What is left of a game: its journal, its last state, and all that was said, reader by reader.
struct story {
    char *told;
    size_t length;
    uint64_t digest, journal;
    unsigned long requests;
    size_t said;
};

/** The store cannot be written from just before a line on. */
struct outage {
    const char *name;
    void (*begin)(struct stage *stage);
    void (*end)(struct stage *stage);
    unsigned slices; /**< how long: of REPLAY_SLICE_MS each */
};

enum { REPLAY_SLICE_MS = 1500 };

struct disturbance {
    enum fault fault;
    unsigned long at;
    bool dies; /**< the hall does, too */
    enum stage_engine engine;
    struct store *(*make)(void); /**< of STAGE_OTHER */
    unsigned pieces;             /**< of work in one call of the hall; 0: all there is */
    bool restarts;               /**< hall and store end after every line, and others go on */
    const struct outage *outage; /**< or NULL */
    size_t line;                 /**< before which it begins */
};

/** Plays the undisturbed game, Ann and Bob as bot players would, and keeps what they said and what
 * is left of it. `none`: on which engine; another may deal other cards. */
void replay_begin(const struct disturbance *none);
void replay_end(void);
const struct replay_script *replay_script(void);
/** What is left of the undisturbed game, told with all forms of cards and hands. */
const struct story *replay_plain(void);
/** Plays it; what is left of it: `told` is the caller's to free. `boards`: with all forms of cards
 * and hands, not only their last. */
void replay_play(const struct disturbance *what, struct story *story, bool boards);
/** The same, and it must be that story. */
void replay_expect(const struct disturbance *what, bool boards, const struct story *wanted);

/* Its parts, for a test that plays by itself. */

/** Its stage; chance begins anew. */
void replay_open(struct stage *stage, const struct disturbance *what);
void replay_hear(struct stage *stage, const struct replay_entry *entry, size_t number);
void replay_fall_due(struct stage *stage);
/** Until all that was heard is dealt with, and all that was said has arrived. */
void replay_settle(struct stage *stage, const struct disturbance *what, size_t number, bool *dead);

#endif
