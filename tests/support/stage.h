/*
 * A hall with two chats on a store, for tests of what people say there and are shown.
 *
 * Every line has an event id of its own that says which it is, so that two stages on which the same
 * is said deal the same cards. What fails here fails the test.
 */
#ifndef TESTS_SUPPORT_STAGE_H
#define TESTS_SUPPORT_STAGE_H

#include "bot/hall/hall.h"
#include "bot/tools/fake.h"
#include "bot/tools/soak.h"

#include "tests/support/folder.h"
#include "tests/support/memory_store.h"

enum { STAGE_LINE_SIZE = CHAT_LINE_SIZE };
/** STAGE_OTHER: one that the test makes. */
enum stage_engine { STAGE_MEMORY, STAGE_SQLITE, STAGE_OTHER };

struct stage {
    const struct catalog *catalog; /**< borrowed */
    enum stage_engine engine;
    char folder[FOLDER_PATH_SIZE]; /**< of STAGE_SQLITE */
    struct store *(*make)(void);   /**< of STAGE_OTHER: opens what is kept, not started */
    struct store *store; /**< but in memory: one with faults (tests/support/faulty_store.h) */
    struct hall *hall;
    struct chat_queue *queue, *other_queue;
    struct chat *chat, *other; /**< "fake", which can do all; "plain", which only whispers */
    struct typist *typist;
    unsigned long lines;                                                 /**< said so far */
    void (*forget)(void *user, const char *network, const char *person); /**< the next hall's */
    void *forget_user;
    unsigned unreadable; /**< how often the operator was told of a table that cannot be read */
    unsigned pieces;     /**< of work in one call of the next hall; 0: all there is */
    struct hall_policy policy; /**< of each hall; may change at any time */
    int64_t wall_s;            /**< seconds since 1970; 0: the next hall has no wall clock */
};

/** Chance is fixed before (tests/support/chance.h). */
void stage_open_on(struct stage *stage, const struct catalog *catalog, enum stage_engine engine);
/** On the store that `make` makes, whose store_take() waits. */
void stage_open_made(struct stage *stage, const struct catalog *catalog,
                     struct store *(*make)(void));
/** In memory. */
void stage_open(struct stage *stage, const struct catalog *catalog);
void stage_close(struct stage *stage);
/** The hall's process dies; another one goes on with the store. What was heard and is not settled
 * is lost. */
void stage_again(struct stage *stage);
/** The same, and the store goes with it: what it has kept is opened anew. */
void stage_restart(struct stage *stage);
/** Messages whose outcome the store does not know. Nothing may be under way. */
size_t stage_unsent(struct stage *stage);

void stage_pass(struct stage *stage, int64_t ms);
/** Somebody says something; with all that a platform tells. The event may be NULL. */
void stage_hear(struct stage *stage, struct chat *chat, const struct chat_in *in);
/** On the first chat, at leisure: nobody is rationed. */
void stage_say(struct stage *stage, const char *place, const char *person, const char *line);
void stage_whisper(struct stage *stage, const char *person, const char *line);
/** A control of a message that was shown, pressed by somebody somewhere: in any chat or place. */
void stage_press(struct stage *stage, struct chat *chat, const struct fake_message *message,
                 const struct chat_in *in);

const struct table *stage_table(const struct stage *stage, const char *place);
/** What happens there by itself happens. */
void stage_wait(struct stage *stage, const char *place);
/** Of a game begun by stage_start(): somebody waited for goes on as a rookie would, or time does.
 */
void stage_go_on(struct stage *stage, const char *place, struct mb_rng *rng);
/** Changes the game at a place behind the hall's back, in the store: the hall finds another
 * version. Nothing may be under way. */
void stage_arrange(struct stage *stage, const char *place,
                   void (*change)(struct game *game, const struct box *box, void *user),
                   void *user);
/** A table lies at a place of the second chat as well. */
void stage_bridge(struct stage *stage, const char *place, const char *other);
/** What a bot player would say on a seat's behalf; false: nothing. */
bool stage_think(struct stage *stage, const char *place, unsigned seat, const struct policy *policy,
                 struct mb_rng *rng, char line[STAGE_LINE_SIZE]);
/** A new game at a place: Ann, Bob and Cy (or only Ann), and bot players. */
void stage_start(struct stage *stage, const char *place, unsigned people, unsigned bots);

#endif
