/*
 * Who has which Class, Race, Faction, Birthright; and which cards in play are in effect.
 *
 * A trait is held in full or *advantages only* (Super Munchkin with one Class, CHAR-7). What counts
 * as a disadvantage asks for `full`, everything else for `any`.
 */
#ifndef CORE_NUMBERS_TRAIT_H
#define CORE_NUMBERS_TRAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/box.h"

struct game;
struct lasting;

struct traits {
    uint64_t any;  /**< held, in full or advantages only */
    uint64_t full; /**< held in full */
};

struct traits trait_of(const struct game *game, const struct box *box, unsigned seat);
/** Traits that followers lend the side for monsters' bonuses and penalties (HIRE-3). */
uint64_t trait_lent(const struct game *game, const struct box *box, unsigned seat);
/** CHAR-16. */
bool trait_human(const struct game *game, const struct box *box, unsigned seat);
/** How many identity cards of a kind the seat has in play. */
unsigned trait_count(const struct game *game, const struct box *box, unsigned seat, unsigned kind);
/** How many a seat may have of a kind now (capacity and cards that allow a second one). */
unsigned trait_capacity(const struct game *game, const struct box *box, unsigned seat,
                        unsigned kind);

/** Whether a card on a table is in effect: its static rows count (ITEM-2, ITEM-4, POWER-2). */
bool card_in_effect(const struct game *game, const struct box *box, uint16_t card);
/** Whether a Cheat!-like card lies with it. */
bool card_cheated(const struct game *game, const struct box *box, uint16_t card);
/** What keeps the card from giving anything and its owner from parting with it (`seals`, C17), or
 * NO_CARD. */
uint16_t card_sealed_by(const struct game *game, const struct box *box, uint16_t card);
/** Whether the requirements of using it hold for a seat, Cheat! and followers left out (ITEM-4). */
bool card_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card);
/** The follower that carries it, or NO_CARD (HIRE-2). */
uint16_t card_carrier(const struct game *game, const struct box *box, uint16_t card);

/** Calls for each static row of `op` that is in effect for a seat: iterate with row_next(). */
struct row_iter {
    const struct game *game;
    const struct box *box;
    unsigned seat;
    unsigned op;
    uint16_t card;    /**< the card of the row found */
    uint8_t next_row; /**< internal */
};
void row_iter_begin(struct row_iter *it, const struct game *game, const struct box *box,
                    unsigned seat, unsigned op);
/** The next static row of the op whose requirements hold for the seat, or NULL. */
const struct row *row_next(struct row_iter *it);

/** Whether a lasting effect waits for a turn or a fight that has not come yet (CURSE-3), or for its
 * Item to be in use. */
bool lasting_waits(const struct game *game, const struct box *box, const struct lasting *lasting);
/** Whether it is of an Item that the seat does not have in use. */
bool lasting_lacks_item(const struct game *game, const struct box *box,
                        const struct lasting *lasting);
/** Whether a card or a lasting effect bars the seat from `bar`, enum bar. */
bool seat_barred(const struct game *game, const struct box *box, unsigned seat, int bar);

/** The seat on the left of `seat` that is alive, or `seat` itself. */
unsigned seat_left(const struct game *game, unsigned seat);
unsigned seat_right(const struct game *game, unsigned seat);
bool seat_fights(const struct game *game, unsigned seat);
/** bits of the living */
unsigned seats_alive(const struct game *game);
unsigned seat_highest_level(const struct game *game);
unsigned seat_lowest_level(const struct game *game);
/** Living seats of the highest or lowest Level, as bits. */
unsigned seats_at_level(const struct game *game, unsigned level);

#endif
