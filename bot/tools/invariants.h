/*
 * What must hold at a table whatever happens: checked after commands by simulations and scenarios.
 *
 * Cheap checks are a walk over the state; the dear ones try commands on copies. Every violation is
 * counted and reported as one sentence. The checker has its own chance and scratch states; it never
 * touches what it looks at.
 */
#ifndef BOT_TOOLS_INVARIANTS_H
#define BOT_TOOLS_INVARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/box.h"
#include "core/game.h"
#include "core/seen/moves.h"

#include "bot/table/workspace.h"

/** Of a sample dear checks are made after one command in so many, the dearest after one in 64. */
enum { INVARIANTS_SAMPLE = 16 };

struct invariants;

struct invariants_sink {
    void (*report)(void *user, const char *what); /**< may be NULL */
    void *user;
};

/** The box is borrowed. */
struct invariants *invariants_create(const struct box *box, const struct invariants_sink *sink);
void invariants_destroy(struct invariants *invariants);
/** Violations found so far. */
unsigned long invariants_count(const struct invariants *invariants);

/** All that holds after an accepted command, the number `number` of its game: what is dear only
 * after some of them, all after number 0. */
void invariants_command(struct invariants *invariants, const struct table_step *step,
                        unsigned long number);
/** All that holds of a seat and its full list of moves, likewise. */
void invariants_seat(struct invariants *invariants, const struct game *game, unsigned seat,
                     const struct move_list *moves, unsigned long number);

/** One accepted command. Replaying the events gives the state after; nobody is told a card that
 * they do not know at that moment. */
void invariants_step(struct invariants *invariants, const struct game *before,
                     const struct game *after, const struct event_list *events);
/** Encoding and decoding gives the same state. */
void invariants_encoding(struct invariants *invariants, const struct game *game);
/** The state by itself: cards conserved, Levels and limits, somebody may act. */
void invariants_state(struct invariants *invariants, const struct game *game);
/** A seat sees the same moves, clocks and windows on its redacted state, which does not depend on
 * what it does not know. `moves` is the seat's full list. */
void invariants_view(struct invariants *invariants, const struct game *game, unsigned seat,
                     const struct move_list *moves);

/** Whether two commands say the same. */
bool invariants_same_command(const struct command *a, const struct command *b);
/** The first of the cards that lie where this one does, just alike: moves name that one only. */
uint16_t invariants_first_alike(const struct game *game, const struct box *box, uint16_t card);
/** Whether a command is a listed move, where what it leaves out or says too much is no difference,
 * and cards that lie alike in one place are one. */
bool invariants_listed(const struct game *game, const struct box *box,
                       const struct move_list *moves, const struct command *command);

#endif
