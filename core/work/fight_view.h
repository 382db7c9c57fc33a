/*
 * What can be asked of a fight without changing it: room, who is left, what its monsters' texts
 * say, from whom somebody must still run, what winning would give.
 */
#ifndef CORE_WORK_FIGHT_VIEW_H
#define CORE_WORK_FIGHT_VIEW_H

#include <stdbool.h>

#include "core/card/box.h"
#include "core/state/game_state.h"

/** Whether one more monster can join. */
bool fight_has_room(const struct game *game);
/** Monsters that are still there and must be beaten. */
unsigned fight_monsters_left(const struct game *game);
/** A row of an op on the face of a monster that holds now, for a seat; NULL if none. */
const struct row *fight_face_row(const struct game *game, const struct box *box, unsigned index,
                                 unsigned op, unsigned seat);
/** Whether nobody may help in this fight: a monster's text, or what lies on the main fighter (M36).
 */
bool fight_help_barred(const struct game *game, const struct box *box);
/** Whether this seat may not help: what lies on it, or a monster's text about the helper (M38). */
bool fight_helper_barred(const struct game *game, const struct box *box, unsigned seat);
/** Bits of the seats that a card can make help: nobody in a fight that would win the game (RUL-28).
 */
unsigned fight_forcible(const struct game *game, const struct box *box);
/** Whether a monster keeps followers from being sacrificed (M55). */
bool fight_bars_sacrifice(const struct game *game, const struct box *box);
/** Levels that winning the present fight would give a fighter. */
int fight_levels(const struct game *game, const struct box *box, unsigned seat);
/** What a victory brings more (or less) by one-shots thrown into the fight, whoever threw them, and
 * by what lies before the main fighter: Treasures (`treasures`), or Levels of a victory with a kill
 * (`kill_levels`). */
int fight_more(const struct game *game, const struct box *box, unsigned op);
/** Treasures to be had by winning it: of the monsters there, and those owed. */
int fight_treasures(const struct game *game, const struct box *box);
/** Whether winning the present fight would give the seat the last Level. */
bool fight_would_win_game(const struct game *game, const struct box *box, unsigned seat);
/** Monsters against which this seat must still roll or be settled: bits by index. */
unsigned flee_pending(const struct game *game, unsigned seat);

/** Whether the seat may give its fight up by what acts before a roll: instead of parting with a Big
 * Item, too (BIG-3). */
bool fight_may_give_up(const struct game *game, const struct box *box, unsigned seat);

#endif
