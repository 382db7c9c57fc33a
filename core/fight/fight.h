/*
 * The fight: monsters entering and leaving, fighters, the win window, winning.
 *
 * The FIGHT frame waits while it lasts; flight is FRAME_FLEE above it, rewards FRAME_REWARD. The
 * win window opens, restarts and closes in its idle step alone, by comparing what the fight is made
 * of with what it was.
 */
#ifndef CORE_FIGHT_FIGHT_H
#define CORE_FIGHT_FIGHT_H

#include "core/change/frame.h"

enum fight_step { FIGHT_IDLE, FIGHT_FLEEING, FIGHT_OVER };
enum enter_step { ENTER_BEGINS, ENTER_ASKED, ENTER_BEFORE, ENTER_ENTERS, ENTER_DONE };
enum flee_step { FLEE_SETTLE, FLEE_ROLLED, FLEE_CAUGHT, FLEE_AFTER, FLEE_DONE };
enum reward_step {
    REWARD_COUNT,
    REWARD_KILLED,
    REWARD_LEVELS,
    REWARD_DRAW,
    REWARD_SHARE,
    REWARD_PROMISES,
    REWARD_END
};
enum share_step { SHARE_PICKS };

/** The main fighter meets a monster that lies anywhere; the fight begins. */
void fight_begin(struct engine *engine, unsigned seat, uint16_t card);
/** A monster joins; returns its index. `face` is another card for a Mate. */
unsigned fight_add_monster(struct engine *engine, unsigned seat, uint16_t card, uint16_t face,
                           uint16_t group, unsigned flags);
/** A monster leaves without fighting on: enum removal; `by` owns the reward. */
void fight_remove(struct engine *engine, unsigned index, unsigned outcome, int treasures);
/** The helper leaves, with what was only theirs (RUL-150). */
void fight_helper_leaves(struct engine *engine);
void fight_helper_joins(struct engine *engine, unsigned seat, const struct deal *deal);

/** All that was played into the fight goes to the discards, in order (COMBAT-6, RUN-6). */
void fight_discard_all(struct engine *engine);
/** The fight is over for everybody: effects that lasted for it end. */
void fight_end(struct engine *engine);
/** Settles what the monsters themselves do; returns whether anything changed. */
bool fight_settle(struct engine *engine);

enum step_result step_fight(struct engine *engine, struct frame frame);
enum step_result step_enter(struct engine *engine, struct frame frame);
enum step_result step_reward(struct engine *engine, struct frame frame);
enum step_result step_share(struct engine *engine, struct frame frame);
enum step_result step_flee(struct engine *engine, struct frame frame);

/** Flight: gives up; the first roll is against `card` (NO_CARD: the only one). */
void flee_begin(struct engine *engine, uint16_t card);
/** Whether a roll is made against a monster by this seat (no automatic escape, no impossibility).
 */
bool flee_rolls(const struct game *game, const struct box *box, unsigned seat, unsigned index);
/** The same, said to the table; what the monster does to those who escape follows (RUN-5). */
void flee_escape_noted(struct engine *engine, unsigned seat, unsigned index, enum note note,
                       int total);

#endif
