/*
 * What both sides of a fight are summed with (strength.c, strength_monsters.c), and what does not
 * count. A `sum` may be NULL
 * everywhere: then only the number is wanted.
 */
#ifndef CORE_NUMBERS_STRENGTH_PARTS_H
#define CORE_NUMBERS_STRENGTH_PARTS_H

#include <stdbool.h>

#include "core/card/box.h"
#include "core/numbers/strength.h"

/*
 * What does not count in a fight: texts of monsters, of enhancers, of what lasts and of cards on
 * the fighter that leave Items, one-shots, Powers, followers, bonuses or all but the Level out
 * (RUL-156). Only bonuses are left out on both sides.
 */

struct game;

/** Bits of enum exclusion, and filters for Items and bonuses. The bit of a word means all. */
struct exclusions {
    unsigned bits;
    unsigned filter_count;
    uint32_t for_bonuses; /**< bits: the filters that speak of bonuses, not of Items */
    uint16_t filters[MB_ITEM_FILTERS_MAX]; /**< filter + 1, each once for what it speaks of */
};

/** Finds what does not count for every fighter. */
void exclusions_of_fight(const struct game *game, const struct box *box, struct exclusions *out);
/** The same and what does not count for this fighter; nothing for a seat that does not fight. */
void exclusions_of(const struct game *game, const struct box *box, unsigned seat,
                   struct exclusions *out);
/** Whether an amount adds and does not count as a bonus of the card (NO_CARD: of none). */
bool exclusions_hit_bonus(const struct game *game, const struct box *box,
                          const struct exclusions *ex, uint16_t card, int amount);
/** Whether the amount of a card on the players' side does not count, for any reason. */
bool exclusions_hit(const struct game *game, const struct box *box, const struct exclusions *ex,
                    uint16_t card, int amount);

/** Adds a line to the explanation; the last line takes what finds no room. */
void strength_add_line(struct sum *sum, unsigned reason, unsigned seat, uint16_t card, int amount);
/** One card lying in the fight: its rows of `op` for the side it lies on. */
int strength_card_rows(const struct game *game, const struct box *box, uint16_t card, unsigned op);
/** Cards played for a side, monsters and enhancers left out; `ex` is what does not count: of the
 * monsters' side only bonuses. */
int strength_side_cards(const struct game *game, const struct box *box, bool for_monsters,
                        const struct exclusions *ex, struct sum *sum);

#endif
