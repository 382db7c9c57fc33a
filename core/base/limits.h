/*
 * Every limit of the core in one place, with why it holds.
 *
 * Voluntary plays that would pass a limit are refused with `limit_reached`; forced steps cannot
 * reach one, for the reason given beside it.
 */
#ifndef CORE_BASE_LIMITS_H
#define CORE_BASE_LIMITS_H

#include <stdint.h>

enum {
    MB_SEATS_MIN = 3,
    MB_SEATS_MAX = 6,
    /** Five sets of 168 are 840; the rest is room for a scenario's or a community's own cards. The
     * loader refuses more. */
    MB_CARDS_MAX = 1024,
    MB_TRAITS_MAX = 64, /**< Classes, Races, ... with different names; the loader refuses more. */
    MB_TAGS_MAX = 64,   /**< Undead, Goblin, fire, ...; the loader refuses more. */
    /** Joining a fight is voluntary and refused beyond this. */
    MB_MONSTERS_MAX = 16,
    MB_FRAMES_MAX = 32, /**< Rules nest a few frames deep. */
    /** A voluntary play is refused when fewer frames are free: no chain of forced steps from one
     * play pushes more. */
    MB_FRAMES_SPARE = 12,
    MB_LASTING_MAX = 96, /**< Effects that last without a card, and counters of uses. */
    /** A play or an ability is refused when fewer of them are free: forced effects add at most one
     * for each seat and row, and cards have few rows that last. */
    MB_LASTING_SPARE = 16,
    MB_DEALS_MAX = 12, /**< Open asks and offers; a new one beyond is refused, or another lapses of
                          a seat that has two more: every seat of six has room for two. */
    /** Triggers and threatened cards that wait for the next settling, each card once. One moment
     * concerns what lies before the players and has such a text; were it more, what finds no room
     * does not act, and a threatened card is lost unasked. */
    MB_WAITING_MAX = 96,
    MB_OWED_MAX = 24, /**< One for each monster that leaves (16 at most) and each fighter's kill. */
    MB_LIST_MAX = 24, /**< Cards in one list of a command; longer lists are refused. */
    MB_MORE_MAX = 12, /**< Cards in a command's second list. */
    MB_DEAL_CARDS = 6,   /**< Cards on one side of a deal. */
    MB_OPTIONS_MAX = 32, /**< Options of a decision that are no cards (seats, monsters, numbers). */
    MB_EVENTS_MAX = 2048, /**< Events of one command: two shuffles of 1,024 cards are 86. */
    MB_SUM_MAX = 64,      /**< Lines of an explained sum; further ones are added into the last. */
    MB_MOVES_MAX = 2048   /**< Moves listed for one seat. */
};

/** A sum of what cards say, as a state keeps it: sets that exaggerate end at the edge. */
static inline int16_t number_fit(int sum)
{
    return (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
}

/** The same of a sum that is a number of things. */
static inline uint8_t count_fit(int sum)
{
    return (uint8_t)(sum > UINT8_MAX ? UINT8_MAX : sum < 0 ? 0 : sum);
}

#endif
