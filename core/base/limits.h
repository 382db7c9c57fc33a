/*
 * Every limit of the core in one place, with why it holds.
 *
 * Voluntary plays that would pass a limit are refused with `limit_reached`; forced steps cannot
 * reach one, for the reason given beside it. What hangs on the cards of a game is counted when the
 * sets are loaded and mixed (core/codec/box_limits.c): a set or a mix that could pass one of the
 * limits marked [counted] is refused with its name.
 *
 * Lists of cards on the way (what a player may lose, take, pay or choose, a body, the Treasures to
 * share, a pile shown) have room for MB_CARDS_MAX: a card lies in one place. Seats, monsters and
 * die faces fill lists of their own number. Beside these and the limits below, the core and bot/
 * cut off only what decides nothing: candidates that a move names in print (MOVE_CANDIDATES_MAX,
 * any other card can be named too), what a bot player turns over in its mind, and words. There a
 * limit stands beside its array, with what happens beyond it.
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
    /** [counted] Cards that draw as they are drawn: one may bring the next, two frames each. */
    MB_DRAWS_MAX = 4,
    /** [counted] Cards that all of those draw, those that a die brings as a text at `rolled` draws
     * included. Each may come back with a shuffle and draw again, so one command takes as many
     * steps as the product of what they draw: at most 81 draws (four that draw three), 1 ms. */
    MB_DRAWN_MAX = 12,
    MB_LASTING_MAX = 208, /**< Effects that last without a card, and counters of uses. */
    /** [counted] A play or an ability is refused when fewer of them are free. So many hold what one
     * play adds and everything that forced rows of the game can add: with all places taken, effects
     * that say the same of the same player become one, so a forced row adds one for each seat,
     * however often it acts. */
    MB_LASTING_SPARE = 128,
    /** [counted] Different texts by which Items or bonuses of some cards do not count in a fight.
     */
    MB_ITEM_FILTERS_MAX = 32,
    MB_DEALS_MAX = 12, /**< Open asks and offers; a new one beyond is refused, or another lapses of
                          a seat that has two more: every seat of six has room for two. */
    /** Texts that wait for the next settling, and a note for what is threatened before each of them
     * has acted. */
    MB_WAITING_MAX = 128,
    /** [counted] Cards with a text that waits, once for each trigger. */
    MB_WAITING_TEXTS = 60,
    MB_OWED_MAX = 24, /**< One for each monster that leaves (16 at most) and each fighter's kill. */
    /** Cards in one list of a command; longer lists are refused, and so is a row or a cost that
     * asks for more at once. A value that is owed is asked for as far as one list reaches. */
    MB_LIST_MAX = 24,
    MB_MORE_MAX = 12,  /**< Cards in a command's second list. */
    MB_DEAL_CARDS = 6, /**< Cards on one side of a deal. */
    /** Options of a decision that are no cards (seats, numbers), and answers to one: a list, or six
     * seats with five cards each (more are asked one after another). */
    MB_OPTIONS_MAX = 32,
    /** Events of one command: two shuffles of 1,024 cards are 86. A command with more is refused.
     */
    MB_EVENTS_MAX = 2048,
    MB_SUM_MAX = 64, /**< Lines of an explained sum; further ones are added into the last. */
    MB_MOVES_MAX =
        2048 /**< Moves listed for one seat; move_list.overflow says that it is not all. */
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
