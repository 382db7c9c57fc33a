/*
 * Finals: fights that would win the game. How many are reached, how many are won, and how many of
 * those an opponent could have stopped by playing one card and nothing else: a one-shot that lay
 * openly before it or, of careful seats, a card held.
 *
 * What would have stopped it is found by playing each such card on a copy of the state in which the
 * win window closed; where chance decides, the card does not count.
 */
#ifndef BOT_TOOLS_FINALS_H
#define BOT_TOOLS_FINALS_H

#include "core/card/box.h"

#include "bot/tools/step.h"

struct finals {
    unsigned long reached, won;
    unsigned long open_left; /**< won although a one-shot in play would have stopped it */
    unsigned long held_left; /**< won although none in play would have, but a card of a hand */
    bool on;                 /**< the present fight is one */
};

void finals_step(struct finals *finals, const struct box *box, const struct simulate_step *step);

#endif
