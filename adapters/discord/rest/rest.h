/*
 * Requests to Discord's REST: in order where order matters, when the limits let them, again when
 * that does no harm.
 *
 * Calls with the same `order` (a channel, an interaction) go one behind the other, and so do those
 * that edit one message, for as long as an interaction can wait for that;
 * adapters/discord/ buckets.h says when one may go. A 429 is waited out. What never left, and a
 * 5xx, is tried four times in all; what left and was never answered only where sending it twice
 * does no harm. A 401 with the bot's token ends everything: no call is made any more. Reference:
 * Discord, section 8.
 *
 * On the loop thread. Answers never come within rest_call().
 */
#ifndef ADAPTERS_DISCORD_REST_REST_H
#define ADAPTERS_DISCORD_REST_REST_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <uv.h>

#include "core/base/error.h"

#include "bot/chat.h"
#include "bot/fibre.h"

#include "adapters/net/http.h"
#include "adapters/net/net_log.h"

enum { REST_TRIES = 4, REST_PATH_SIZE = 1024 };

struct rest_setup {
    uv_loop_t *loop;
    struct http *http;
    const char *api_url; /**< "https://discord.com/api/v10": borrowed, as is the token */
    const char *token;
    net_log_fn *log;
    void (*fatal)(void *user, const struct mb_error *why); /**< the token is no good */
    void *user;                                            /**< of both */
};

/** Borrowed by rest_call(), but for the body, which it takes. */
struct rest_call {
    const char *method;
    const char *route; /**< the path with its ids left out: whose limits hold */
    const char *major; /**< the id that tells lanes of the route apart, or "" */
    const char *path;  /**< behind the api's URL */
    const char *order; /**< or NULL: it waits for no other */
    uint64_t edits; /**< the message that becomes something else, or 0: one call at a time does */
    json_t *body;   /**< or NULL */
    bool bare;      /**< an interaction's: without the token, and free of the global limit */
    bool repeats;   /**< sending it twice does no harm */
    bool doubts;    /**< that its token is not known (10015) is not believed for ten seconds */
    bool names;     /**< a good answer has an id: one that has none is asked for again */
    bool yields;    /**< it can wait longer than others of its bucket: a newer one will come */
};

struct rest_answer {
    int status;         /**< 0: it was never answered; whether it was heard nobody knows */
    int code;           /**< Discord's own of a refusal; 0: none */
    const json_t *body; /**< or NULL. Borrowed */
};

typedef void rest_done_fn(void *user, const struct rest_answer *answer);

struct rest;

struct rest *rest_create(const struct rest_setup *setup);
/** False after the end; then `done` is never called. Otherwise it is, once; NULL: nobody
 * wants to know. */
MB_MUST_CHECK
bool rest_call(struct rest *rest, const struct rest_call *call, rest_done_fn *done, void *user);
/** The same in a fibre (rest_await.c); false: its owner stops. The answer is there until the next
 * wait. */
MB_MUST_CHECK
bool rest_await(struct fibre *fibre, struct rest *rest, const struct rest_call *call,
                struct rest_answer *out);
bool rest_is_good(const struct rest_answer *answer);
/** How far Discord's clock is ahead of ours, in ms, as its latest answer has it; false: none has
 * told. Good to a second. */
bool rest_clock(const struct rest *rest, int64_t *ahead_ms);
/** Writes limited, waited_ms, waiting and oldest_ms. */
void rest_figures(const struct rest *rest, struct chat_figures *out);
/** So many processes share what Discord grants the bot; 0: that is not known yet. */
void rest_share(struct rest *rest, unsigned of);
/** What is under way is never answered: each `done` is called within. Then run the loop until it is
 * empty. */
void rest_close(struct rest *rest);
/** NULL is fine. */
void rest_destroy(struct rest *rest);

#endif
