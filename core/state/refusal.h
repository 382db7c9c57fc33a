/*
 * Why a command was refused. The order of the codes is their precedence: when several
 * apply the first in refusal.def is given. bot/ words it.
 */
#ifndef CORE_STATE_REFUSAL_H
#define CORE_STATE_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/ids.h"

#define REFUSAL(id, name) REFUSAL_##id,
enum refusal_code {
    REFUSAL_NONE,
#include "core/state/refusal.def"
    REFUSAL_TOTAL
};
#undef REFUSAL

struct refusal {
    uint8_t code;     /**< enum refusal_code */
    uint8_t seat;     /**< the seat in the way, or NO_SEAT */
    uint16_t card;    /**< the card in the way, or NO_CARD */
    int16_t amount;   /**< what is missing or allowed, by code */
    const char *rule; /**< id of the ledger or RUL-n; a string literal */
};

/** Notes a reason. The one that comes first in refusal.def stays. Always returns false. */
bool refuse(struct refusal *why, enum refusal_code code, const char *rule);
/** As refuse(), naming the card and the amount. */
bool refuse_card(struct refusal *why, enum refusal_code code, const char *rule, uint16_t card,
                 int amount);
/**
 * The card lies in pile, not in front of seat: `not_in_hand` if another player's, for all to see,
 * and named as one's own, otherwise `not_in_play`.
 */
bool refuse_not_ours(struct refusal *why, const char *rule, uint16_t card, unsigned pile,
                     unsigned seat);
/** The stable code word, for example "not_your_turn". */
const char *refusal_name(unsigned code);

#endif
