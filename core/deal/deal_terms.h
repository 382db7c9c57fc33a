/*
 * What a deal says: who proposes what to whom. One record for asking for help, volunteering, gifts,
 * trades and bribes; it waits for nobody and blocks nothing.
 */
#ifndef CORE_DEAL_DEAL_TERMS_H
#define CORE_DEAL_DEAL_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/ids.h"

enum deal_kind { DEAL_NONE, DEAL_ASK, DEAL_VOLUNTEER, DEAL_GIFT, DEAL_TRADE, DEAL_BRIBE };

struct deal {
    uint8_t kind;
    uint8_t id;       /**< the number shown, 1 up */
    uint8_t from, to; /**< to: seat or ALL_SEATS */
    uint8_t treasures;
    uint8_t picking;           /**< 1: the helper picks first */
    uint8_t accepted, refused; /**< bits of seats (ask all) */
    uint8_t about;             /**< bribe: whom not to help, or NO_SEAT: anybody */
    uint8_t gives_count, wants_count, promises_count;
    uint16_t gives[MB_DEAL_CARDS];
    uint16_t wants[MB_DEAL_CARDS];
    uint16_t promises[MB_DEAL_CARDS];
};

/** Whether a seat is asked by it and has not answered, as far as the record shows. */
static inline bool deal_awaits(const struct deal *deal, unsigned seat)
{
    const bool asked = deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
    return asked && ((deal->accepted | deal->refused) & seat_bit(seat)) == 0;
}

#endif
