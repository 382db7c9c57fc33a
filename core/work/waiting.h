/*
 * What waits to be carried out: triggers noted in the middle of a step, and cards in play that are
 * to be lost although something may keep them (marks on the cards themselves: there may be any
 * number). One frame asks about the cards and carries the notes out in order, above everything
 * that was going on; notes made meanwhile come behind. When all are done the book is cleared.
 */
#ifndef CORE_WORK_WAITING_H
#define CORE_WORK_WAITING_H

#include "core/change/frame.h"

/** Pushes the frame if something waits that is not being carried out; returns whether it did. */
bool waiting_settle(struct engine *engine);
/** Loses a card in play to harm; the owner may be asked first, and then it is lost later. */
void waiting_lose(struct engine *engine, uint16_t card, unsigned seat);
/** Whether the card is to be lost and its owner has not been asked yet. */
bool waiting_threatened(const struct game *game, uint16_t card);
/** WAITING_LOSES: the card is about to be lost; the result says whether it is kept. */
enum waiting_step { WAITING_NEXT_ONE, WAITING_LOSES };
enum step_result step_waiting(struct engine *engine, struct frame frame);

#endif
