/*
 * Which rooms the bot is in by its homeserver's own list, held against those that it knows.
 *
 * Where syncs began anew, without a token or behind another process, no sync tells that the bot has
 * gone from a room meanwhile. The list is asked for before the sync that tells of all rooms: what
 * neither has is gone. A room that either has is never given up. Pure. Reference: Matrix,
 * section 7.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_CENSUS_H
#define ADAPTERS_MATRIX_LISTEN_CENSUS_H

#include <stddef.h>

#include <jansson.h>

#include "adapters/matrix/client/room.h"

/** The ids of all rooms that are known and that the bot is not in any more, an array. `joined`: the
 * list, an array; `sync`: the answer that tells of all rooms. */
json_t *census_gone(const struct rooms *rooms, const json_t *joined, const json_t *sync);
/** How many rooms of the list are not known, and that answer does not tell of. */
size_t census_untold(const struct rooms *rooms, const json_t *joined, const json_t *sync);

#endif
