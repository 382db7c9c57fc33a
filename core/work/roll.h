/*
 * Rolls are frames {who, for what, need}: thrown, answered, standing. Loaded dice, second tries and
 * forced re-rolls act on the frame while it is answered (RUL-34).
 */
#ifndef CORE_WORK_ROLL_H
#define CORE_WORK_ROLL_H

#include "core/change/frame.h"

enum roll_step {
    ROLL_THROW,
    ROLL_SHOWN,
    ROLL_ANSWERED,
    ROLL_TOLD /**< it stands, and what waits for dice has acted */
};
/** What was ruled about a roll, whatever it shows. */
enum roll_fixed { ROLL_OPEN, ROLL_ESCAPES, ROLL_FAILS };
/** Results of the frame; ROLL_SAVED: a success by a card. */
enum roll_result { ROLL_FAILURE, ROLL_SUCCESS, ROLL_SAVED };

/** Pushes a roll. */
void roll_begin(struct engine *engine, unsigned seat, enum roll_for what, uint16_t card, int need);
enum step_result step_roll(struct engine *engine, struct frame frame);
/** Whether the top frame, a program, answers a roll. */
bool roll_answered(const struct game *game);
/** Throws the roll that is being answered once more, or sets it; the moment starts anew. */
void roll_again(struct engine *engine, int face);
/** Makes the roll that is being answered an escape. */
void roll_escapes(struct engine *engine);

#endif
