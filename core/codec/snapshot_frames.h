/*
 * Whether the frames of a state fit together, the fight and what is being asked: the part of
 * snapshot_check() that looks at more than one record. Fields are taken as checked already.
 */
#ifndef CORE_CODEC_SNAPSHOT_FRAMES_H
#define CORE_CODEC_SNAPSHOT_FRAMES_H

#include <stdbool.h>

#include "core/card/box.h"
#include "core/game.h"

/** Every frame holds what its kind and step want and lies where it may. */
bool frames_hold(const struct game *game, const struct box *box);
/** The game waits: the top frame for just what is open, a command, an answer or a choice. */
bool game_rests(const struct game *game, const struct box *box);

#endif
