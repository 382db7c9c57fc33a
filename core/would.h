/*
 * Would-moments: something would happen to a player, and cards in play may prevent it (design,
 * section 2). The player is asked about each card in turn, each acts once; the frame's result is 1
 * if it was prevented.
 */
#ifndef CORE_WOULD_H
#define CORE_WOULD_H

#include "core/frame.h"

/** Pushes the frame if the seat has a row for the moment; otherwise nothing happens. */
void would_begin(struct engine *engine, unsigned seat, unsigned when, uint16_t card, int amount);
enum step_result step_would(struct engine *engine, struct frame frame);

#endif
