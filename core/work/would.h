/*
 * Would-moments: something would happen to a player, and cards in play may prevent it, for a price
 * or by something else that happens instead. The player is asked about each card in turn, each acts
 * once; a row `save` prevents, the card's other rows of the moment follow.
 * The frame's result is 1 if it was prevented.
 *
 * A Level lost (effects/level.c), a card in play lost (core/work/waiting.c), a Curse that strikes
 * (core/curse/curse.c), a monster that catches (core/fight/flee.c), death (effects/level.c).
 */
#ifndef CORE_WORK_WOULD_H
#define CORE_WORK_WOULD_H

#include "core/change/frame.h"

/** Whether a card of the seat could save; `card` is what is lost, strikes, catches or kills. */
bool would_possible(const struct game *game, const struct box *box, unsigned seat, unsigned when,
                    uint16_t card);
/** Pushes the frame if the seat has a row for the moment; otherwise nothing happens. */
void would_begin(struct engine *engine, unsigned seat, unsigned when, uint16_t card);
enum would_step { WOULD_ASKED, WOULD_PAID, WOULD_SAVED };
enum step_result step_would(struct engine *engine, struct frame frame);

#endif
