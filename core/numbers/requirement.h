/*
 * Requirements, filters, selectors and amounts: how rows look at the state. Pure; never draws
 * chance.
 *
 * One context holds everything a requirement may ask about; most of it is usually absent.
 */
#ifndef CORE_NUMBERS_REQUIREMENT_H
#define CORE_NUMBERS_REQUIREMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/box.h"

struct game;

struct req_context {
    const struct game *game;
    const struct box *box;
    uint8_t self;   /**< the player concerned */
    uint8_t target; /**< the other player named, or NO_SEAT */
    int8_t monster; /**< index of the monster concerned, or -1 */
    bool lend;      /**< followers' traits count too (a monster's row asks) */
    bool ended;     /**< the fight asked about has just ended */
    uint16_t card;  /**< the card whose row asks, or NO_CARD */
    int16_t paid;   /**< cards paid */
    int16_t paid_level, paid_treasures, paid_bonus; /**< of the paid card */
};

struct req_context req_context_for(const struct game *game, const struct box *box, unsigned seat);
/** For a monster's own text or an enhancer's: the main fighter's, followers' traits lent. */
struct req_context req_context_for_monster(const struct game *game, const struct box *box,
                                           unsigned index);
bool requirements_hold(const struct req_context *ctx, unsigned first, unsigned count);
bool requirement_holds(const struct req_context *ctx, const struct requirement *req);

/** As filter_fits, for `index` = filter + 1; 0 fits every card of one's own (hand or table). */
bool filter_fits_index(const struct game *game, const struct box *box, unsigned index,
                       uint16_t card);
/** Collects the cards of a seat that fit (PLACE_OWN etc.), hand first, in pile order; of places
 * that are nobody's (fight, discards) those that lie there. `out` may be NULL, to count. */
unsigned filter_collect(const struct game *game, const struct box *box, unsigned seat,
                        unsigned index, uint16_t *out, unsigned max);

/** What `others_with` and `everyone_with` ask of each player. */
struct asked_of {
    uint16_t first_req;
    uint8_t req_count;
};

/** Seats that `who` (enum selector) means, as bits. */
unsigned selector_of(const struct req_context *ctx, unsigned who, const struct asked_of *asked);

/** The bonus that stands on a card without any condition; what it depends on left out. */
int card_printed_bonus(const struct box *box, uint16_t card);
/** An amount that needs no die; SRC_DIE counts as its base. */
int16_t amount_value(const struct req_context *ctx, const struct amount *amount);
/** Tags of a monster of the fight with those its enhancers add. */
uint64_t monster_tags(const struct game *game, const struct box *box, unsigned index);
/** Index of the monster of the fight that lies there as `card`, or -1. Gone ones are not found. */
int monster_find(const struct game *game, uint16_t card);
/** Whether a text may be asked whose cards are blanks (redacted states). */
bool card_known(const struct game *game, uint16_t card);

#endif
