/*
 * A state as bytes: what stores keep and restarts come back from.
 *
 * Compact, little-endian, numbered, closed by a check sum. Layout: "MBG", the form's number, card
 * count, then, packed (coder.h), the fields in the order of game_state.h and the piles as lists.
 * Decoding trusts nothing: what it accepts is a state whose lists, indices and counts hold together
 * (each card in exactly one pile), byte for byte the one that was encoded. It proves form, not
 * fairness: a store that must not be forged needs a key of its own.
 */
#ifndef CORE_CODEC_SNAPSHOT_H
#define CORE_CODEC_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/game.h"

/** The form that is written. A change raises it, as TABLE_FORM is. */
enum { SNAPSHOT_FORM = 1, SNAPSHOT_SIZE_MAX = 32768 };

/** Writes the state and returns its length; 0 when `size` is too small (SNAPSHOT_SIZE_MAX never
 * is). */
size_t snapshot_encode(const struct game *game, unsigned char *out, size_t size);

/** Reads a state of a table that plays with `box`. False, and `out` undefined, if the bytes are no
 * whole and consistent snapshot of a form that is known and of this box. */
MB_MUST_CHECK
bool snapshot_decode(const unsigned char *bytes, size_t size, const struct box *box,
                     struct game *out, struct mb_error *err);

#endif
