/*
 * Turns: set-up, kick, looting the room, charity, the end of a turn; death's aftermath.
 */
#ifndef CORE_TURN_TURN_H
#define CORE_TURN_TURN_H

#include "core/change/frame.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

enum turn_step {
    TURN_BEGINS,
    TURN_DEALT,
    TURN_LISTENED,
    TURN_START,
    TURN_TURNED_UP,
    TURN_OPENED,
    TURN_LOOTED,
    TURN_CHARITY,
    TURN_ENDS
};

enum setup_step { SETUP_DEAL, SETUP_LAY_OUT, SETUP_EVENTS, SETUP_FIRST };
enum body_step { BODY_NEXT, BODY_LOOT };

enum step_result step_turn(struct engine *engine, struct frame frame);
/** Pushes the frame of the set-up: dealing, laying out, who begins. */
void setup_begin(struct engine *engine);
enum step_result step_setup(struct engine *engine, struct frame frame);
enum step_result step_bodies(struct engine *engine, struct frame frame);

/** Phase 1 by the top of the discards; `paid` was the cost and does not count (A06). */
void turn_kick_from_discards(struct engine *engine, unsigned seat, uint16_t paid);
/** How many hand cards are too many for the seat (ZONE-4), 0 if none. */
int turn_excess(const struct game *game, const struct box *box, unsigned seat);
/** Whether it is for the excess of cards that the table waits: questions and answers come first. */
bool turn_charity_waits(const struct game *game);
/** Living seats entitled to a giver's Charity; 0: the excess is discarded (CHARITY-1 to -4). */
unsigned turn_charity_receivers(const struct game *game, unsigned seat);
/** Which lasting effect holds the Monster that is fought next (O27); -1: none. */
int turn_fights_next(const struct game *game);

void check_kick(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_take(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_fight(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why);
void check_loot(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_done(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_charity(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why);
void act_turn(struct engine *engine, const struct command *command);

#endif
