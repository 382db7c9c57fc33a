/*
 * WebSocket connections on the loop, from our side: whole messages out and in.
 *
 * libwebsockets, hosted by libuv. A connection that we close is gone at once: it tells nothing more
 * and does not wait for the peer's reply, because a dead peer never replies.
 * Fragments are put together up to a bound; a longer message ends the connection. TLS is verified.
 *
 * The loop outlives it: websockets_close(), run the loop until it is empty, websockets_destroy(),
 * run it once more.
 */
#ifndef ADAPTERS_NET_WEBSOCKET_H
#define ADAPTERS_NET_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include <uv.h>

#include "core/base/error.h"

enum {
    WEBSOCKET_MESSAGE_MAX = 64 * 1024 * 1024,
    WEBSOCKET_LOST = 1006 /**< gone without a code */
};

/** The connection's owner; all mandatory. None is called within websocket_open(). */
struct websocket_user {
    void *user;
    void (*opened)(void *user);
    /** A whole message, borrowed during the call. */
    void (*heard)(void *user, const char *bytes, size_t size);
    /** The connection ended or failed; it is freed after this call. */
    void (*closed)(void *user, int code);
};

struct websockets;
struct websocket;

/** `ca_file`: certificates added to the system's, or NULL; borrowed, read when first needed. NULL
 * with an error. */
struct websockets *websockets_create(uv_loop_t *loop, const char *ca_file, struct mb_error *err);
/** "ws://host[:port][/path]" or "wss://..."; NULL with an error: it cannot be tried. */
struct websocket *websocket_open(struct websockets *websockets, const char *url,
                                 const struct websocket_user *user, struct mb_error *err);
/** Queues a text message. */
void websocket_send(struct websocket *websocket, const char *text, size_t size);
/** Its user is told nothing more. NULL is fine. */
void websocket_close(struct websocket *websocket, int code);
/** Closes all. */
void websockets_close(struct websockets *websockets);
/** After the loop has run empty. NULL is fine. */
void websockets_destroy(struct websockets *websockets);

#endif
