/*
 * Pairs of exact cards: a row that names another card does nothing until both are there. In how
 * many games do they meet?
 *
 * They meet when the card whose row it is takes part (it is in the fight, in play, or in a hand
 * from which it could be played) while its row's filter or requirement finds the other one for a
 * seat that it concerns. Looked for before and after each command, so that what meets and leaves at
 * once has met. Which cards are pairs is read from the rows. A card that looks in several places
 * has met in a game if one of them had the other card.
 */
#ifndef BOT_TOOLS_PAIRS_H
#define BOT_TOOLS_PAIRS_H

#include "core/base/error.h"
#include "core/card/box.h"

#include "bot/tools/step.h"

/** A definition and a card it names. */
struct pair {
    uint16_t def, named;  /**< definitions */
    uint16_t filter, req; /**< what looks for it, + 1; one of them is 0 */
    uint16_t first_card;  /**< of `def`; its copies follow */
    bool anybody;         /**< has the other one */
    bool main;            /**< the main fighter alone is asked for it */
    bool met;             /**< by this row, in the present game */
    unsigned long games;  /**< in which they met, by any row */
};

struct pairs {
    const struct box *box;
    struct pair *items;
    unsigned count;
};

/** The box is borrowed. */
void pairs_init(struct pairs *pairs, const struct box *box);
void pairs_finish(struct pairs *pairs);
/** What a command changed. */
void pairs_step(struct pairs *pairs, const struct simulate_step *step);
/** The game is over and counts. */
void pairs_end(struct pairs *pairs);
/** A game begins. */
void pairs_begin(struct pairs *pairs);

#endif
