/*
 * Triggers that act in the middle of another step: a Level gained, a kill, a card lost, the end of
 * a fight or a turn. A row that only discards its card does so at once; anything else is noted in
 * game.waiting and carried out at the next settling (core/work/waiting.c), once a moment for each
 * card.
 */
#ifndef CORE_WORK_TRIGGER_H
#define CORE_WORK_TRIGGER_H

#include "core/change/emit.h"

/** It happened to the seat; `about` is the card lost, for card_lost, else NO_CARD. */
void trigger_happens(struct engine *engine, unsigned seat, unsigned when, uint16_t about);
/** Notes something that waits for a card in play; false if there is no room left. A second time
 * within one settling it is not noted again. */
bool trigger_note(struct engine *engine, unsigned seat, unsigned what, uint16_t card);

#endif
