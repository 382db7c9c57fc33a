/*
 * Rooms that the bot was invited to and is joining.
 *
 * An invitation may be told before the server lets anybody in, so it is tried some times, farther
 * and farther apart; then it is declined. Reference: Matrix, section 7.
 */
#ifndef ADAPTERS_MATRIX_JOINS_H
#define ADAPTERS_MATRIX_JOINS_H

#include <uv.h>

#include "adapters/matrix/api.h"
#include "adapters/net/net_log.h"

struct joins_setup {
    uv_loop_t *loop;
    struct api *api;
    net_log_fn *log;
    void *user;
};

struct joins;

/** NULL only without memory. */
struct joins *joins_create(const struct joins_setup *setup);
/** Joins it by the server of somebody who is in it, unless it is doing so. */
void joins_add(struct joins *joins, const char *room, const char *member);
/** Lets an invitation go. */
void joins_decline(struct joins *joins, const char *room);
/** Lets go of the loop; behind api_close(). */
void joins_stop(struct joins *joins);
/** NULL is fine; with the loop empty. */
void joins_destroy(struct joins *joins);

#endif
