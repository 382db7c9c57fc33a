/*
 * What players make of each other's offers: which requests for help are taken, declined or answered
 * with another price, what help costs, who offers it unasked, which bribes are taken.
 *
 * A request counts when one seat was asked and answered; a call for everybody's help does not, nor
 * does an ask that answers an offer. A request is haggled over when the one asked answers with an
 * offer of its own, whatever comes of that.
 * This only counts and knows no rule.
 */
#ifndef BOT_TOOLS_BARGAINS_H
#define BOT_TOOLS_BARGAINS_H

#include "core/base/limits.h"
#include "core/state/event.h"

enum { BARGAINS_PRICES = 8 };

struct bargain {
    struct deal deal; /**< kind DEAL_NONE: nothing is open here */
    bool made, refused;
    bool countered; /**< answered with another price */
    bool counters;  /**< such an answer itself */
};

struct bargains {
    unsigned long asked, declined, haggled;
    unsigned long price[BARGAINS_PRICES]; /**< bargains for help by their Treasures */
    unsigned long volunteered, hired;     /**< offers to help that nobody asked for; taken */
    unsigned long bribes, bribed;         /**< offered, taken */
    struct bargain open[MB_DEALS_MAX];    /**< as the game has them */
};

/** A game begins. */
void bargains_begin(struct bargains *bargains);
void bargains_event(struct bargains *bargains, const struct event *event);

#endif
