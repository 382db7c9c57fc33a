/*
 * Where a card can lie and what can be said of it there: the words that everybody uses who asks or
 * tells of cards. How piles are kept is core/state/pile_list.h, for core/ only.
 */
#ifndef CORE_STATE_PILE_H
#define CORE_STATE_PILE_H

#include <stdbool.h>

#include "core/base/limits.h"

/** Where a card is. HAND and TABLE come once a seat: see pile_hand(), pile_table(). */
enum pile {
    PILE_DOOR_DECK,
    PILE_TREASURE_DECK,
    PILE_DOOR_DISCARD,
    PILE_TREASURE_DISCARD,
    PILE_FACE_UP,   /**< turned up by a kick and neither taken nor gone yet */
    PILE_FIGHT,     /**< monsters and all cards played into the fight, in order */
    PILE_RESOLVING, /**< announced, not yet in effect */
    PILE_AWARD,     /**< Treasures lying face up to be shared */
    PILE_BODY,      /**< a dead player's cards laid out */
    PILE_ASIDE,     /**< out of the game */
    PILE_HAND,      /**< + seat */
    PILE_TABLE = PILE_HAND + MB_SEATS_MAX, /**< + seat: in play (ZONE-1) */
    PILE_TOTAL = PILE_TABLE + MB_SEATS_MAX
};

enum card_flag {
    CARD_EQUIPPED = 1,
    CARD_FROM_TABLE = 2,   /**< in the fight: came from its player's table */
    CARD_THREATENED = 2,   /**< in play: to be lost if its owner does not save it */
    CARD_FOR_MONSTERS = 4, /**< in the fight: counts for the monsters' side */
    CARD_ASKED_ABOUT = 4,  /**< in play: was threatened at this moment, and is not again */
    CARD_FRESH = 8,        /**< just received (ACT-2); a Curse in the discards: being suffered */
    CARD_DOUBLED = 16,     /**< counts twice in the next sale (Double Price) */
    CARD_TURNED = 32,      /**< a follower that fights for the monsters */
    CARD_LATE = 64,  /**< received on another's turn: not sold before the own turn (TRADE-2) */
    CARD_BLANK = 128 /**< only in redacted states: what it is is not known */
};

static inline unsigned pile_hand(unsigned seat)
{
    return PILE_HAND + seat;
}

static inline unsigned pile_table(unsigned seat)
{
    return PILE_TABLE + seat;
}

static inline bool pile_is_hand(unsigned pile)
{
    return pile >= PILE_HAND && pile < PILE_TABLE;
}

static inline bool pile_is_table(unsigned pile)
{
    return pile >= PILE_TABLE && pile < PILE_TOTAL;
}

static inline bool pile_is_discard(unsigned pile)
{
    return pile == PILE_DOOR_DISCARD || pile == PILE_TREASURE_DISCARD;
}

/** In front of another player than seat: public, so a refusal may tell it. */
static inline bool pile_is_of_another(unsigned pile, unsigned seat)
{
    return pile_is_table(pile) && pile != pile_table(seat);
}

#endif
