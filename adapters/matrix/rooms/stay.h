/*
 * In which rooms the bot stays: it leaves those where nobody else is, those where nobody has wanted
 * anything of it for a week, and those that are too large to be read.
 *
 * When a room was last used is kept in the store, once a day. Hand rooms are none of its business.
 * Reference: Matrix, section 7.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_STAY_H
#define ADAPTERS_MATRIX_ROOMS_STAY_H

#include "adapters/matrix/rooms/house.h"
#include "adapters/matrix/say/remembered.h"

/* Staying. */

struct stay;

/** The setup is borrowed for its life, and so are the rooms that are left for good. */
struct stay *stay_create(const struct house_setup *setup, const struct remembered *too_large);
/** Somebody wants something of the bot there, or is told something. */
void stay_used(struct stay *stay, struct room *room);
/** Somebody has left it, or nobody knows, or it is too large; it need not be known. */
void stay_look(struct stay *stay, const char *room);
/** NULL is fine; when its fibres have ended. */
void stay_destroy(struct stay *stay);

/** Whether a room is left that was last used then. */
bool stay_is_long_unused(int64_t used_ms, int64_t now_ms);

/*
 * The rooms in which the bot was alone with one person, left and forgotten, one after the other.
 */

/* Of a CHAT_FORGET. */
struct farewell {
    struct api *api;
    struct rooms *rooms;
    struct chat *chat; /**< is told CHAT_DELIVERED, or CHAT_REFUSED: later it may be tried again */
    struct chat_key key;
};

void farewell_say(struct fibres *fibres, const struct farewell *farewell, const char *person);

#endif
