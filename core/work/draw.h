/*
 * Drawing: one card after another, reshuffling at the moment of need (DECK-2, RUL-130), with cards
 * that act when drawn acting at once, same facing (RUL-40).
 */
#ifndef CORE_WORK_DRAW_H
#define CORE_WORK_DRAW_H

#include "core/change/frame.h"

enum draw_to { DRAW_TO_HAND, DRAW_TO_HAND_FACE_UP, DRAW_TO_AWARD, DRAW_DEALT, DRAW_LOOT };

enum draw_step {
    DRAW_ON,    /**< a card of the discards may be taken instead of the next, if it is face up */
    DRAW_ASKED, /**< whether one is, and what pays for it */
    DRAW_DECK   /**< the rest comes from the deck */
};

/** Pushes the frame that draws `count` cards for a seat. */
void draw_begin(struct engine *engine, unsigned seat, enum card_deck deck, int count,
                enum draw_to to);
/** The next card of a deck, reshuffled if need be, or NO_CARD (DECK-3). */
uint16_t draw_next(struct engine *engine, enum card_deck deck);
enum step_result step_draw(struct engine *engine, struct frame frame);

#endif
