/*
 * A table for tests of words: three players, cards of the test's own beside the classic set,
 * commands typed as players type them, and what was said.
 *
 * Everything that fails here fails the test.
 */
#ifndef TESTS_SUPPORT_FIXTURE_H
#define TESTS_SUPPORT_FIXTURE_H

#include "core/base/rng.h"
#include "core/loop/arrange.h"

#include "bot/render/render.h"

enum { FIXTURE_SEATS = 3, FIXTURE_ANN = 0, FIXTURE_BOB = 1, FIXTURE_CY = 2 };

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct game *game, *after;
    struct game *views[MB_SEATS_MAX + 1];
    struct event_list events;
    struct message_list said;
    struct table_told *told;  /**< NULL: each command is told by itself, and everything anew */
    struct narration telling; /**< with `told` */
    unsigned bots;            /**< bits of the seats that bot players hold */
};

/** An empty table: Ann's turn is to come, nobody holds a card. `cards` is card JSON or NULL. */
void fixture_open(struct fixture *fixture, const char *cards);
void fixture_close(struct fixture *fixture);
/** Puts a card of that name into a pile (enum pile + seat). */
uint16_t fixture_card(struct fixture *fixture, const char *name, unsigned pile, unsigned flags);
/** The next card of the Door or the Treasure deck. */
void fixture_next(struct fixture *fixture, unsigned pile, const char *name);
/** Ann begins, before her kick. */
void fixture_begin(struct fixture *fixture);
/** Deals a whole game instead. */
void fixture_deal(struct fixture *fixture, uint64_t seed);
struct table_words fixture_words(struct fixture *fixture, unsigned seat);
/** Carries a typed command out; what was said before is gone. False if refused. */
bool fixture_do(struct fixture *fixture, unsigned seat, const char *line, struct refusal *why);
bool fixture_submit(struct fixture *fixture, const struct command *command, struct refusal *why);
/** A random legal command of somebody who can say one; `moves` is lent. False: nobody can. */
bool fixture_random(struct fixture *fixture, struct move_list *moves, struct mb_rng *rng,
                    struct command *out);
/** What was said to the table (NO_SEAT) or to a player privately; "" if nothing. */
const char *fixture_said(const struct fixture *fixture, unsigned seat);

#endif
