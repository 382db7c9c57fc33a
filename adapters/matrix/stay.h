/*
 * In which rooms the bot stays: it leaves those where nobody else is, and those where nobody has
 * wanted anything of it for a week.
 *
 * When a room was last used is kept in the store, once a day. Hand rooms are none of its business.
 * Reference: Matrix, section 7.
 */
#ifndef ADAPTERS_MATRIX_STAY_H
#define ADAPTERS_MATRIX_STAY_H

#include <uv.h>

#include "bot/chat.h"

#include "adapters/matrix/api.h"
#include "adapters/matrix/rooms.h"
#include "adapters/net/net_log.h"

/** Words are borrowed for its life. */
struct stay_setup {
    uv_loop_t *loop;
    struct api *api;
    struct chat *chat;
    struct rooms *rooms;
    const char *bot;
    net_log_fn *log;
    void *user;
};

struct stay;

/** NULL only without memory. */
struct stay *stay_create(const struct stay_setup *setup);
/** Somebody wants something of the bot there, or is told something. */
void stay_used(struct stay *stay, struct room *room);
/** Leaves a room, known or not. */
void stay_leave(struct stay *stay, const char *room);
/** Somebody has left it, or nobody knows. */
void stay_look(struct stay *stay, struct room *room);
/** Lets go of the loop; behind api_close(). */
void stay_stop(struct stay *stay);
/** NULL is fine; with the loop empty. */
void stay_destroy(struct stay *stay);

/** Whether a room is left that was last used then. */
bool stay_is_long_unused(int64_t used_ms, int64_t now_ms);

#endif
