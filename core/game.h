/*
 * The core's face: a function from (state, command) to events.
 *
 * `struct game` is flat and holds no pointers: copy it with game_copy(), compare and store it by
 * value. A box (core/card/box.h) is borrowed by every call and must be the one the game was made
 * with. Nothing here allocates, knows the time or draws outside the game's own generator. The
 * struct is in core/state/game_state.h, for core/ only; ask core/loop/query.h for what a table
 * shows.
 */
#ifndef CORE_GAME_H
#define CORE_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/card/box.h"
#include "core/state/command.h"
#include "core/state/event.h"
#include "core/state/refusal.h"

struct game;

/** The number of the rules that this core plays by. Raised by every release in which the same state
 * and the same command may lead to another state than before: a running game's journal notes it. */
unsigned game_rules(void);

/** Bytes of a state; callers allocate. */
size_t game_size(void);
void game_copy(struct game *to, const struct game *from);
bool game_same(const struct game *a, const struct game *b);

/** What a table begins with. */
struct game_setup {
    uint8_t seed[32];
    uint8_t seat_count;
    uint8_t female[MB_SEATS_MAX];
};

/** Shuffles, deals and opens the set-up. Events may be NULL. */
void game_create(struct game *game, const struct box *box, const struct game_setup *setup,
                 struct event_list *out);

/** Decides a command on a copy of the state: true with the events and the state after them in
 * `after` (the caller's, another than `game`), or false with the reason; `after` is then of no use.
 */
bool game_decide(const struct game *game, const struct box *box, const struct command *command,
                 struct game *after, struct event_list *out, struct refusal *why);
/** As game_decide on the state itself: it changes if the command is accepted. False, too, on a
 * viewer's copy that hides the card which acts: nobody can say what it does. */
bool game_step(struct game *game, const struct box *box, const struct command *command,
               struct event_list *out, struct refusal *why);
/* A command is checked once. `why` is always written and may not be NULL. A list of MB_EVENTS_MAX
 * events never overflows; game_decide() refuses a command that overflows a shorter one, game_step()
 * must be given a full one (or NULL). */

/** Whether the command would be accepted, without carrying it out: as cheap as a look. */
bool game_check(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);

/** The same of a command that the program has made itself: somebody at the table, what its verb
 * takes, cards that there are. */
bool game_allows(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why);

/** The state as a viewer (NO_SEAT: an onlooker) knows it: unknown cards become blanks, the seed is
 * zero. Legal lists, windows and refusals to that seat are equal on both. */
void game_redact(const struct game *game, const struct box *box, unsigned viewer, struct game *out);

/** The seed that all chance of the game comes from: for journals, and for everybody when it is
 * over. */
void game_seed(const struct game *game, uint8_t seed[32]);
/** 64-bit digest of the state (FNV-1a over its bytes). */
uint64_t game_digest(const struct game *game);

#endif
