/*
 * What does not count in a fight: texts of monsters and of cards on the fighter that leave Items,
 * one-shots, Powers, followers or all but the Level out (RUL-156).
 */
#ifndef CORE_NUMBERS_EXCLUSION_H
#define CORE_NUMBERS_EXCLUSION_H

#include <stdbool.h>

#include "core/card/box.h"

struct game;

/** Bits of enum exclusion, and filters for Items. EX_ITEMS without a filter means all Items. */
struct exclusions {
    unsigned bits;
    unsigned filter_count;
    uint16_t filters[MB_ITEM_FILTERS_MAX]; /**< filter + 1, each once */
};

/** What is left out for a fighter; nothing for anybody else. */
struct exclusions exclusions_of(const struct game *game, const struct box *box, unsigned seat);
/** Whether a card's amount is left out. */
bool exclusions_hit(const struct game *game, const struct box *box, const struct exclusions *ex,
                    uint16_t card, int amount);

#endif
