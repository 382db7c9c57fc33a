/*
 * The rooms in which the bot was alone with one person, left and forgotten, one after the other.
 */
#ifndef ADAPTERS_MATRIX_FAREWELL_H
#define ADAPTERS_MATRIX_FAREWELL_H

#include "bot/chat.h"

#include "adapters/matrix/api.h"
#include "adapters/matrix/rooms.h"

struct farewell_setup {
    struct api *api;
    struct rooms *rooms;
    /** CHAT_DELIVERED, or CHAT_REFUSED: later it may be tried again. Within farewell_say() or
     * later. */
    void (*done)(void *user, const struct chat_outcome *outcome);
    void *user;
};

/** Of a CHAT_FORGET. False without memory, then there is no outcome. */
MB_MUST_CHECK
bool farewell_say(const struct farewell_setup *setup, const struct chat_out *out);

#endif
