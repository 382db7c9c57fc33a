/*
 * Rooms that the bot was invited to and is joining, or lets go.
 *
 * An invitation may be told before the server lets anybody in, so it is tried some times, farther
 * and farther apart; then it is declined. Servers count joins (limits.h), and syncs tell of an
 * invitation once: one that has not been dealt with is kept, and taken up by the next process.
 * Reference: Matrix, sections 7 and 12.
 */
#ifndef ADAPTERS_MATRIX_JOINS_H
#define ADAPTERS_MATRIX_JOINS_H

#include <uv.h>

#include "bot/chat.h"

#include "adapters/matrix/api.h"
#include "adapters/matrix/limits.h"
#include "adapters/net/net_log.h"

struct joins_setup {
    uv_loop_t *loop;
    struct api *api;
    struct chat *chat; /**< what is joined is kept by its host */
    struct limits *limits;
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
/** This process listens: what an earlier one was joining is taken up, once. */
void joins_take_up(struct joins *joins);
/** Lets go of the loop; behind api_close(). */
void joins_stop(struct joins *joins);
/** NULL is fine; with the loop empty. */
void joins_destroy(struct joins *joins);

#endif
