/*
 * Small numbers that everything in the core is made of.
 *
 * A *card* is one physical card of the game: an index into the game's card states and into
 * `box.card_def`. A *kind of card* (definition) is an index into `box.defs`. A *seat* is a place at
 * the table, counted clockwise: the player on the left of seat s is the next living seat after s.
 * The core never learns what any of them is called.
 */
#ifndef CORE_BASE_IDS_H
#define CORE_BASE_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/limits.h"

enum {
    NO_CARD = 0xFFFF,
    NO_SEAT = 0xFF,
    NO_DEF = 0xFFFF,
    NO_TRAIT = 0xFF,
    NO_TAG = 0xFF,
    ALL_SEATS = 0xFE /**< "to all", as the receiver of an ask */
};

/** One bit a seat. */
static inline uint8_t seat_bit(unsigned seat)
{
    return (uint8_t)(1u << (seat & 7u));
}

/** The first of some seats; MB_SEATS_MAX: none. */
static inline unsigned seat_first(unsigned seats)
{
    unsigned seat = 0;
    while (seat < MB_SEATS_MAX && (seats & seat_bit(seat)) == 0) {
        seat++;
    }
    return seat;
}

/** Whether a list of cards names the card. */
static inline bool cards_include(const uint16_t *cards, unsigned count, uint16_t card)
{
    unsigned i = 0;
    while (i < count && cards[i] != card) {
        i++;
    }
    return i < count;
}

#endif
