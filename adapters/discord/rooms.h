/*
 * Rooms of tables: threads that are made of a table's card, and who belongs in them.
 *
 * A thread has the id of the message it was made of, so asking again finds the same one. Where none
 * can be made by Discord's own rules (in threads, in forums) the table stays, and that is no
 * failure; where the bot may not, or there are too many, it is. Reference: Discord, section 9.
 */
#ifndef ADAPTERS_DISCORD_ROOMS_H
#define ADAPTERS_DISCORD_ROOMS_H

#include <stdbool.h>

#include "bot/chat.h"

#include "adapters/discord/rest.h"

/** What has become of it. */
typedef void rooms_done_fn(void *user, const struct chat_outcome *outcome);

struct rooms {
    struct rest *rest;
    rooms_done_fn *done;
    void *user;
};

/** Of CHAT_ROOM: a copy is under way, or the outcome is told within. False when requests have
 * ended; then there is none. `rooms` is borrowed until the calls of its rest have ended. */
MB_MUST_CHECK
bool rooms_send(const struct rooms *rooms, const struct chat_out *out);

#endif
