/*
 * The gateway's sockets: one machine (gateway.h) a shard, on the loop.
 *
 * How many there are and where they are found is asked of Discord first, again and again until it
 * answers. Which are this process's and what their sessions are resumed by is in the store
 * (shards.c), as is who may identify (crew.h). No shard identifies when the day's budget is nearly
 * spent: that is Discord's own count, asked for within a minute before, so that no process forgets
 * it. Reference: Discord, sections 2.1, 2.4, 2.8.
 */
#ifndef ADAPTERS_DISCORD_GATEWAY_SHARDS_H
#define ADAPTERS_DISCORD_GATEWAY_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "bot/chat_impl.h"

#include "adapters/discord/gateway/guilds.h"
#include "adapters/discord/rest/rest.h"
#include "adapters/net/net_log.h"
#include "adapters/net/websocket.h"

enum { SHARDS_MAX = 256, SHARDS_IDENTIFY_FLOOR = 50 };

struct shards_setup {
    uv_loop_t *loop;
    struct websockets *websockets;
    struct rest *rest;
    const char *token;       /**< borrowed, as is the address */
    const char *gateway_url; /**< NULL: what Discord says */
    unsigned count;          /**< 0: what Discord recommends */
    struct chat *chat;       /**< whose host keeps leases and sessions: borrowed */
    net_log_fn *log;
    void *log_user;
    /** An event of any shard; `data` is JSON, borrowed. The number of the line that it became in
     * the host's queue, whose settling shards_settled() tells; 0: none. */
    uint64_t (*dispatch)(void *user, const char *event, const char *data, size_t size);
    /** A shard is connected, or lost. */
    void (*linked)(void *user, const struct shard_link *link);
    void (*fatal)(void *user, const struct mb_error *why); /**< its user is log_user */
    void *user;
};

struct shards;

struct shards *shards_create(const struct shards_setup *setup);
void shards_start(struct shards *shards);
/** All lines up to that number are settled. */
void shards_settled(struct shards *shards, uint64_t number);
/** Writes away, standby, links, live, connects and silent_ms. */
void shards_figures(const struct shards *shards, struct chat_figures *out);
/** All sockets are closed, their sessions kept for who comes after. Idempotent. */
void shards_stop(struct shards *shards);
/** Behind shards_stop(), when the loop has run empty. NULL is fine. */
void shards_destroy(struct shards *shards);

#endif
