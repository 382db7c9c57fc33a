/*
 * Matrix as a chat: rooms are places, a hand room is where a person is told what is theirs alone.
 *
 * It asks who it is before anything else, for a bot that does not know its own id answers itself.
 * Then one request after the other waits for what is new; what was said is heard in its order, and
 * when the hall's queue is full the rest waits here. Into which rooms it goes is house.h's.
 * Reference: Matrix.
 */
#ifndef ADAPTERS_MATRIX_MATRIX_H
#define ADAPTERS_MATRIX_MATRIX_H

#include <uv.h>

#include "bot/chat.h"
#include "bot/chat_queue.h"

#include "adapters/matrix/rooms/guests.h"
#include "adapters/net/http.h"
#include "adapters/net/net_log.h"

/** Words are borrowed for its life. */
struct matrix_setup {
    uv_loop_t *loop;
    struct http *http;
    const char *homeserver; /**< "https://example.org" */
    const char *token;
    const char *user_id;     /**< whose token it should be, or NULL */
    const char *device_id;   /**< the same */
    const char *crypto_path; /**< where the keys of devices are, or NULL: there are none */
    const char *keys;        /**< whose devices read: "signed", as also for NULL, or "all" */
    const char *encryption;  /**< "off", "auto", as also for NULL, or "always" */
    const char *prefix;      /**< "munch": "!munch new" */
    /** Whose invitations are taken; borrowed, and may change between two calls. */
    const struct guests_rules *guests;
    net_log_fn *log;
    void (*fatal)(void *user, const struct mb_error *why); /**< it will never connect again */
    void *user;                                            /**< of both */
};

/** A chat named "matrix". It is started at once and connects by itself;
 * chat_stop() lets go of the loop, which must run empty before chat_destroy(). */
struct chat *matrix_create(struct chat_queue *queue, const struct matrix_setup *setup);

#endif
