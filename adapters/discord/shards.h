/*
 * The gateway's sockets: one machine (gateway.h) a shard, on the loop.
 *
 * How many there are and where they are found is asked of Discord first, again and again until it
 * answers. Shards identify one behind the other, five seconds apart, and not at all when the day's
 * budget is nearly spent. Reference: Discord, sections 2.1, 2.4, 2.8.
 */
#ifndef ADAPTERS_DISCORD_SHARDS_H
#define ADAPTERS_DISCORD_SHARDS_H

#include <stdbool.h>
#include <stddef.h>

#include <uv.h>

#include "adapters/discord/rest.h"
#include "adapters/net/net_log.h"
#include "adapters/net/websocket.h"

enum { SHARDS_MAX = 256, SHARDS_IDENTIFY_MS = 5000, SHARDS_IDENTIFY_FLOOR = 50 };

struct shards_setup {
    uv_loop_t *loop;
    struct websockets *websockets;
    struct rest *rest;
    const char *token;       /**< borrowed, as is the address */
    const char *gateway_url; /**< NULL: what Discord says */
    unsigned count;          /**< 0: what Discord recommends */
    net_log_fn *log;
    void *log_user;
    /** An event of any shard; `data` is JSON, borrowed. */
    void (*dispatch)(void *user, const char *event, const char *data, size_t size);
    /** Whether every shard is connected has changed. */
    void (*connected)(void *user, bool all);
    void (*fatal)(void *user, const struct mb_error *why);
    void *user;
};

struct shards;

/** NULL without memory. */
struct shards *shards_create(const struct shards_setup *setup, struct mb_error *err);
void shards_start(struct shards *shards);
/** All sockets are closed, their sessions kept for who comes after. Idempotent. */
void shards_stop(struct shards *shards);
/** Behind shards_stop(), when the loop has run empty. NULL is fine. */
void shards_destroy(struct shards *shards);

#endif
