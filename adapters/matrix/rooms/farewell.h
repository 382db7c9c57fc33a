/*
 * The rooms in which the bot was alone with one person, left and forgotten, one after the other.
 */
#ifndef ADAPTERS_MATRIX_ROOMS_FAREWELL_H
#define ADAPTERS_MATRIX_ROOMS_FAREWELL_H

#include "bot/chat.h"
#include "bot/fibre.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"

/* Of a CHAT_FORGET. */
struct farewell {
    struct api *api;
    struct rooms *rooms;
    struct chat *chat; /**< is told CHAT_DELIVERED, or CHAT_REFUSED: later it may be tried again */
    struct chat_key key;
};

void farewell_say(struct fibres *fibres, const struct farewell *farewell, const char *person);

#endif
