/*
 * Discord as a chat: what people do there becomes lines, what is said becomes messages.
 *
 * Places are channels and threads, people users, communities servers; all by their ids. A slash
 * command is heard as the line that somebody would have typed, and is owed an answer
 * (chat_in.answer). What is private goes into the private channel with a person, or, as an answer,
 * into one that nobody else sees.
 *
 * What comes more than three seconds after it was done is not heard: its author has read that it
 * failed. Nobody's clock but Discord's counts for that.
 */
#ifndef ADAPTERS_DISCORD_DISCORD_H
#define ADAPTERS_DISCORD_DISCORD_H

#include <uv.h>

#include "bot/chat.h"
#include "bot/chat_queue.h"

#include "adapters/net/http.h"
#include "adapters/net/net_log.h"
#include "adapters/net/websocket.h"

#define DISCORD_API_URL "https://discord.com/api/v10"
/** View channels, send messages, embed links, attach files, read the history; public threads, and
 * writing in them. */
#define DISCORD_PERMISSIONS UINT64_C(309237763072)

/** Words are borrowed for its life. */
struct discord_setup {
    uv_loop_t *loop;
    struct http *http;
    struct websockets *websockets;
    const char *application_id, *token;
    const char *api_url;     /**< NULL: DISCORD_API_URL */
    const char *gateway_url; /**< NULL: what Discord says */
    unsigned shards;         /**< 0: what Discord recommends */
    const char *command;     /**< the slash command's name */
    net_log_fn *log;
    void (*fatal)(void *user, const struct mb_error *why); /**< it will never connect again */
    void *user;                                            /**< of both */
};

/** A chat named "discord"; NULL with an error. It is started at once and connects by itself;
 * chat_stop() lets go of the loop, which must run empty before chat_destroy(). */
struct chat *discord_create(struct chat_queue *queue, const struct discord_setup *setup,
                            struct mb_error *err);

#endif
