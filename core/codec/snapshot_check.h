/*
 * Whether a state holds together: what may be assumed of one that came from outside, and what every
 * state of a running program must satisfy. Form only: lists, indices, counts; not whether the rules
 * could have led there.
 */
#ifndef CORE_CODEC_SNAPSHOT_CHECK_H
#define CORE_CODEC_SNAPSHOT_CHECK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/game.h"

/** False with one line that says what does not hold. */
MB_MUST_CHECK
bool snapshot_check(const struct game *game, const struct box *box, struct mb_error *err);

/** Every frame holds what its kind and step want and lies where it may. */
bool frames_hold(const struct game *game, const struct box *box);
/** The game waits: the top frame for just what is open, a command, an answer or a choice. */
bool game_rests(const struct game *game, const struct box *box);

#endif
