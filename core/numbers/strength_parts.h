/*
 * What both sides of a fight are summed with (strength.c, strength_monsters.c). A `sum` may be NULL
 * everywhere: then only the number is wanted.
 */
#ifndef CORE_NUMBERS_STRENGTH_PARTS_H
#define CORE_NUMBERS_STRENGTH_PARTS_H

#include "core/numbers/exclusion.h"
#include "core/numbers/strength.h"

/** Adds a line to the explanation; the last line takes what finds no room. */
void strength_add_line(struct sum *sum, unsigned reason, unsigned seat, uint16_t card, int amount);
/** One card lying in the fight: its rows of `op` for the side it lies on. */
int strength_card_rows(const struct game *game, const struct box *box, uint16_t card, unsigned op);
/** Cards played for a side, monsters and enhancers left out; `ex` is what does not count: of the
 * monsters' side only bonuses. */
int strength_side_cards(const struct game *game, const struct box *box, bool for_monsters,
                        const struct exclusions *ex, struct sum *sum);

#endif
