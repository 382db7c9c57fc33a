/*
 * Whether the cards of a box keep within the limits that hang on them (core/base/limits.h): what
 * could wait, last, nest or be left out at one moment is counted, at its worst. A game cannot reach
 * a limit then but by plays, which are refused aloud.
 */
#ifndef CORE_CODEC_BOX_LIMITS_H
#define CORE_CODEC_BOX_LIMITS_H

#include "core/codec/catalog.h"

/** What the cards of a box come to, by limit. */
struct box_demand {
    unsigned item_filters; /**< MB_ITEM_FILTERS_MAX */
    unsigned texts;        /**< MB_WAITING_TEXTS */
    unsigned draws;        /**< MB_DRAWS_MAX */
    unsigned drawn;        /**< MB_DRAWN_MAX */
    unsigned lasting;      /**< MB_LASTING_SPARE */
};

struct box_demand box_demand(const struct box *box);
/** False with the card, the row, the limit and its name when a row is one too many. */
MB_MUST_CHECK
bool box_limits_hold(const struct catalog *catalog, const struct box *box, struct mb_error *err);

#endif
