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

#endif
