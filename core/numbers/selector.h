/*
 * Selectors: which players a word of the card language means, as things stand. Pure.
 */
#ifndef CORE_NUMBERS_SELECTOR_H
#define CORE_NUMBERS_SELECTOR_H

#include "core/numbers/requirement.h"

/** What `others_with` and `everyone_with` ask of each player. */
struct asked_of {
    uint16_t first_req;
    uint8_t req_count;
};

/** Seats that `who` (enum selector) means, as bits. */
unsigned selector_of(const struct req_context *ctx, unsigned who, const struct asked_of *asked);

#endif
