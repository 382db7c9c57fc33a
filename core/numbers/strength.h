/*
 * Numbers in layers: combat strength, flight, limits. Never stored, always derived, and every
 * number comes with the list that explains it ("9 = Level 4 + hammer 4 + helper's ring 1").
 *
 * Layers of combat strength: replace (Power Switch), exclude (Level only), add per fighter,
 * multiply (a copy of a fighter), add per side, ties.
 */
#ifndef CORE_NUMBERS_STRENGTH_H
#define CORE_NUMBERS_STRENGTH_H

#include <stdbool.h>

#include "core/card/box.h"

struct frame;
struct game;

enum sum_reason {
    SUM_LEVEL,       /**< a fighter's Level; `seat` */
    SUM_LEVEL_IS,    /**< what replaces it; `card` */
    SUM_CARD,        /**< a card in play or in the fight; `card` */
    SUM_LASTING,     /**< a lasting effect; `card` its source */
    SUM_COPY,        /**< the fighter once more; `card` */
    SUM_MONSTER,     /**< a monster's Level; `card` the card, `seat` unused */
    SUM_MONSTER_ROW, /**< the monster's own conditional bonus */
    SUM_ENHANCER,    /**< an enhancer on it */
    SUM_TURNED       /**< a follower that fights for the monsters */
};

struct sum_line {
    uint8_t reason; /**< enum sum_reason */
    uint8_t seat;
    uint16_t card;
    int16_t amount;
    uint16_t row; /**< of a monster's own bonus: in the rows of the box, + 1; 0: none */
};

struct sum {
    int32_t total;
    uint8_t count;
    struct sum_line lines[MB_SUM_MAX];
};

/** Own strength of a player, as `strength` of the scenario files means it. `sum` may be NULL. */
int strength_own(const struct game *game, const struct box *box, unsigned seat, struct sum *sum);
/** A whole side in the fight. `sum` may be NULL. */
int strength_players(const struct game *game, const struct box *box, struct sum *sum);
int strength_monsters(const struct game *game, const struct box *box, struct sum *sum);
/** One monster with all that counts for it. */
int strength_monster(const struct game *game, const struct box *box, unsigned index,
                     struct sum *sum);
/** One card lying in the fight: its rows of `op` for the side it lies on. */
int strength_card_rows(const struct game *game, const struct box *box, uint16_t card, unsigned op);
/** Whether the players would win as things stand (COMBAT-2). */
bool strength_players_win(const struct game *game, const struct box *box);
/** Treasures and Levels that a monster is worth now (REW-1, REW-2). */
int strength_treasures(const struct game *game, const struct box *box, unsigned index);
int strength_kill_levels(const struct game *game, const struct box *box, unsigned index);

/** Flight: what is added to every roll of a seat, and what to the roll against one monster. */
int strength_run_bonus(const struct game *game, const struct box *box, unsigned seat);
int strength_run_against(const struct game *game, const struct box *box, unsigned index);
/** Added to every die of the seat. */
int strength_roll_bonus(const struct game *game, const struct box *box, unsigned seat);
/** What a rolled die shows with everything that is added to it; whether that reaches its need. */
int roll_total(const struct game *game, const struct box *box, const struct frame *roll);
bool roll_succeeds(const struct game *game, const struct box *box, const struct frame *roll);

/** What lies before a seat and on it adds to its victory: `treasures` or `kill_levels`. */
int strength_of_victory(const struct game *game, const struct box *box, unsigned seat, unsigned op);

int strength_hand_limit(const struct game *game, const struct box *box, unsigned seat);
int strength_big_limit(const struct game *game, const struct box *box, unsigned seat);
int strength_hands(const struct game *game, const struct box *box, unsigned seat);
int strength_rank_limit(const struct game *game, const struct box *box, unsigned seat);
/** Gold Pieces that each sale of the seat counts more. */
int strength_sale_bonus(const struct game *game, const struct box *box, unsigned seat);
int strength_rank_total(const struct game *game, const struct box *box, unsigned seat);
int strength_follower_limit(const struct game *game, const struct box *box, unsigned seat);
/** How many sources of a meta-ability the seat has: 0 Flight, 1 Theft, 2 Secret HQ, 3 Identity. */
int strength_meta(const struct game *game, const struct box *box, unsigned seat, unsigned meta);

#endif
