/*
 * What a change of a room's state means for who plays there.
 *
 * Pure. A table room's members come and go, it is closed to the bot and open again, another takes
 * its place; a hand room's owner can be reached or not. Reference: Matrix, sections 7 to 9.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_NEWS_H
#define ADAPTERS_MATRIX_LISTEN_NEWS_H

#include "bot/chat.h"

#include "adapters/matrix/client/room.h"

/** Of an event that the room has taken in already; false: it means nothing. Words are borrowed from
 * all of them. */
bool news_of(const struct rooms *rooms, const struct room *room, const struct wire_event *event,
             const char *bot, struct chat_in *out);
/** The bot is out of a room, and not by itself. */
void news_left(const struct room *room, const char *bot, struct chat_in *out);

#endif
