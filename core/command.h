/*
 * What a seat can ask the core to do: one flat record for every verb.
 *
 * bot/parse makes commands out of words; moves are commands too. A command names cards by number;
 * the core checks all of it and trusts nothing. Meaning of the fields by verb: see each verb.
 */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include <stdint.h>

#include "core/ids.h"

#define COMMAND(id, name) VERB_##id,
enum verb {
    VERB_NONE,
#include "core/command.def"
    VERB_TOTAL
};
#undef COMMAND

enum side { SIDE_NONE, SIDE_PLAYERS, SIDE_MONSTERS };

enum target_kind {
    TARGET_NONE,
    TARGET_SEAT,
    TARGET_CARD,   /**< a card in play (an Item, a Class, a lasting Curse) or in the discards */
    TARGET_MONSTER /**< a monster of the fight, by its card */
};

enum { ORDER_PASS_BELOW = 1, ORDER_PASS_TURN, ORDER_ASK, ORDER_CLEAR };

struct command {
    uint8_t verb;        /**< enum verb */
    uint8_t seat;        /**< who commands */
    uint8_t side;        /**< enum side: `for players|monsters` */
    uint8_t target_kind; /**< enum target_kind: `on ...` */
    uint16_t card;       /**< the card the verb is about, or NO_CARD */
    uint16_t target;     /**< seat or card, by target_kind */
    uint8_t ability;     /**< VERB_USE: ability id */
    uint8_t to;          /**< `to <player>`, `ask <player>`: seat, ALL_SEATS or NO_SEAT */
    uint8_t about;       /**< `for not helping <player>`: seat or NO_SEAT; 1 bit bribe in `bribe` */
    uint8_t bribe;
    uint8_t picking; /**< 0 not said, 1 first, 2 second: the helper's place */
    uint8_t list_count, more_count;
    int16_t n; /**< Treasures offered, number of a deal (0 not said), order's Level */
    uint16_t list[MB_LIST_MAX]; /**< with / sell / discard / choose / give / offering / charity */
    uint16_t more[MB_MORE_MAX]; /**< replacing / wants / promising */
};

/** A command that says no more than its verb. */
static inline struct command command_plain(unsigned seat, unsigned verb)
{
    return (struct command){.verb = (uint8_t)verb,
                            .seat = (uint8_t)seat,
                            .card = NO_CARD,
                            .target = NO_CARD,
                            .to = NO_SEAT,
                            .about = NO_SEAT};
}

#endif
