/*
 * The loop: settle, then let the top frame do its next named step, until somebody has to be asked.
 */
#ifndef CORE_ENGINE_H
#define CORE_ENGINE_H

#include "core/command.h"
#include "core/frame.h"

/** Runs until a decision, a window, a command or the end of the game is waited for. */
void engine_run(struct engine *engine);
/** Settles the state (design section 2, Settling); true if something changed. */
bool settle(struct engine *engine);
typedef void settle_act(struct engine *engine, const struct command *command);
/**
 * Whether a command may be given although the seat is asked which Big Item goes: a play, a sale, a
 * discard for an ability that cures it (BIG-3). Without `act` only whether its verb could.
 */
bool settle_cures(const struct game *game, const struct box *box, const struct command *command,
                  settle_act *act);
enum step_result step_repair(struct engine *engine, struct frame frame);
/** A state with all cards face down in their decks, in card order, before any frame. */
void game_reset(struct game *game, const struct box *box, unsigned seat_count,
                const uint8_t seed[32]);

#endif
