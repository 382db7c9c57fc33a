/*
 * The loop: settle, then let the top frame do its next named step, until somebody has to be asked.
 * And replies to what is open.
 */
#ifndef CORE_LOOP_ENGINE_H
#define CORE_LOOP_ENGINE_H

#include "core/change/emit.h"
#include "core/change/frame.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** Runs until a decision, a window, a command or the end of the game is waited for. */
void engine_run(struct engine *engine);
/** Settles the state (settle.c); true if something changed. */
bool settle(struct engine *engine);
typedef void settle_act(struct engine *engine, const struct command *command);
/** Whether the seat is being asked which Big Item goes. */
bool settle_asks_big(const struct game *game, unsigned seat);
/**
 * Whether a command may be given although that is asked: a play that cures it, a sale, a discard
 * for an ability; where these did not cure it the question comes again (BIG-3). Without `act` only
 * whether the verb could.
 */
bool settle_cures(const struct game *game, const struct box *box, const struct command *command,
                  settle_act *act);
/** Of what a seat has too much. */
enum repair_kind {
    REPAIR_IDENTITY, /**< + enum card_kind */
    REPAIR_FOLLOWER = KIND_TOTAL,
    REPAIR_SLOT, /**< + enum slot: equipped */
    REPAIR_RANK = REPAIR_SLOT + SLOT_TOTAL,
    REPAIR_BIG,
    REPAIR_TOTAL
};
/** REPAIR_WHOM: one Big Item is chosen; the owner names who gets it. */
enum repair_step { REPAIR_WHICH, REPAIR_WHOM };
enum step_result step_repair(struct engine *engine, struct frame frame);
/** A state with all cards face down in their decks, in card order, before any frame. */
void game_reset(struct game *game, const struct box *box, unsigned seat_count,
                const uint8_t seed[32]);

/*
 * Replies to what is open: pass, hold, run, sacrifice, choose, show, and clocks that have run out.
 */

void check_pass(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_hold(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_run(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
void check_sacrifice(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why);
void check_choose(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void check_show(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_elapse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why);
void act_reply(struct engine *engine, const struct command *command);

#endif
