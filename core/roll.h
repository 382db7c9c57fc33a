/*
 * Rolls are frames {who, for what, need}: thrown, answered, standing. Loaded dice, second tries and
 * forced re-rolls act on the frame while it is answered (RUL-34).
 */
#ifndef CORE_ROLL_H
#define CORE_ROLL_H

#include "core/frame.h"

enum roll_step { ROLL_THROW, ROLL_SHOWN, ROLL_ANSWERED };

/** Pushes a roll; result of the frame: 1 success, 0 failure; an escape by a card: 2. */
void roll_begin(struct engine *engine, unsigned seat, enum roll_for what, uint16_t card, int need);
enum step_result step_roll(struct engine *engine, struct frame frame);
/** Throws the roll that is being answered once more, or sets it; the moment starts anew. */
void roll_again(struct engine *engine, int face);

#endif
