/*
 * The service: adapters, hall and store on one libuv loop, from the start to a clean end.
 *
 * It owns the loop, HTTP and WebSockets, the hall and the adapters' chats; it borrows catalog,
 * store and log. Another thread starts the store, again and again while the store is away. Networks
 * connect when the store is there. Once a turn of the loop, before it waits, the hall takes what
 * the chats have heard and the store's answers. One timer follows what falls due; nothing is
 * polled. Time in which the process was stopped or its machine slept makes no table older.
 *
 * SIGTERM, SIGINT or service_stop(): the service hears nothing more, finishes its work within some
 * seconds (a second signal: at once), then stops chats and store. The next process says what was
 * committed and not said. SIGHUP rereads what can be reread.
 */
#ifndef ADAPTERS_SERVICE_SERVICE_H
#define ADAPTERS_SERVICE_SERVICE_H

#include <uv.h>

#include "bot/hall/hall.h"

#include "adapters/net/http.h"
#include "adapters/net/net_log.h"
#include "adapters/net/websocket.h"
#include "adapters/service/service_log.h"

enum {
    SERVICE_DRAIN_MS = 5000,
    SERVICE_AWAY_MS = 3000, /**< after this long without an answer of the store: a log line */
    SERVICE_LATE_MS = 2000, /**< lateness still blamed on a busy CPU, not on a suspend */
    SERVICE_PIECES =
        12, /**< of the hall's work in one turn, so that the loop is not held for 5 ms */
    SERVICE_LAST_TURNS = 256,     /**< at the end: what is not heard by then is turned away */
    SERVICE_STORE_FIRST_MS = 500, /**< before the store is tried again; doubled ... */
    SERVICE_STORE_LAST_MS = 15000 /**< ... each time up to this */
};

/** What adapters run on; borrowed for their chat's life. */
struct service_host {
    uv_loop_t *loop;
    struct http *http;
    struct websockets *websockets;
    net_log_fn *log;
    /** Says that the adapter will never connect again. The last one ends the service. */
    void (*fatal)(void *user, const struct mb_error *why);
    void *user; /**< of both */
};

struct service_adapter {
    const char *name;
    /** NULL with an error. The service starts and stops the chat, and destroys it when the loop is
     * empty. */
    struct chat *(*create)(const void *setup, const struct service_host *host,
                           struct chat_queue *queue, struct mb_error *err);
    const void *setup;
};

struct service_setup {
    const struct catalog *catalog;
    struct store *store; /**< not started; its store_take() does not wait */
    const char
        *store_url; /**< the same, for forgetting people in a thread; NULL: only operators can */
    const struct service_adapter *adapters;
    size_t adapter_count; /**< 1 to HALL_CHATS_MAX */
    struct service_log *log;
    const char *user_agent;
    const char *ca_file;              /**< certificates added to the system's, or NULL */
    const char *listen;               /**< the address of its pages; NULL: none */
    uint64_t drain_ms;                /**< 0: SERVICE_DRAIN_MS */
    const struct hall_policy *policy; /**< whom it serves; its owner may change it; or NULL */
    void (*reread)(void *user);       /**< SIGHUP; or NULL */
    void *user;
};

enum service_state {
    SERVICE_OPENING, /**< the store is not there yet */
    SERVICE_SERVING,
    SERVICE_DRAINING,
    SERVICE_CLOSED
};

struct service;

/** NULL with an error. */
struct service *service_create(const struct service_setup *setup, struct mb_error *err);
/** Serves until told to stop; false with an error: it cannot begin or go on. Call once. */
MB_MUST_CHECK
bool service_run(struct service *service, struct mb_error *err);
/** Stops like SIGTERM; on the loop's thread. */
void service_stop(struct service *service);
/** NULL is fine. */
void service_destroy(struct service *service);

enum service_state service_state(const struct service *service);
/** Close your own handles on it before the service ends. */
uv_loop_t *service_loop(struct service *service);
/** NULL unless the service serves or drains. */
const struct hall *service_hall(const struct service *service);
/** Returns the number of the hall's turns. */
unsigned long service_turns(const struct service *service);

#endif
