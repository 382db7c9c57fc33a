/*
 * The rooms the bot knows, by id; and which of them is whose hand room.
 *
 * Reference: Matrix, sections 7 and 8.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_ROOMS_H
#define ADAPTERS_MATRIX_CLIENT_ROOMS_H

#include "adapters/matrix/client/room.h"

struct rooms;

/** The bot's id is borrowed. */
struct rooms *rooms_create(const char *bot);
/** NULL is fine. */
void rooms_destroy(struct rooms *rooms);
/** Makes it if need be. */
struct room *rooms_get(struct rooms *rooms, const char *id);
/** NULL: not known. */
struct room *rooms_find(const struct rooms *rooms, const char *id);
void rooms_forget(struct rooms *rooms, const char *id);
/** One after the other, from NULL on to NULL; none may be forgotten meanwhile. */
struct room *rooms_next(const struct rooms *rooms, const struct room *before);
/** The room in which somebody's hand may be shown; NULL: there is none. */
struct room *rooms_hand(const struct rooms *rooms, const char *person);
/** One in which it might if they came back; NULL: there is none. */
struct room *rooms_old_hand(const struct rooms *rooms, const char *person);

#endif
