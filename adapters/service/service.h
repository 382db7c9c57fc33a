/*
 * The service: adapters, hall and store on one libuv loop, from the start to a clean end.
 *
 * It owns the loop, HTTP and WebSockets on it, the hall and the chats that adapters make; catalog,
 * store and log are borrowed. The store is started on another thread and, while it is away, again
 * and again; networks are connected when it is there. Once a turn of the loop, before it waits, the
 * hall hears what chats have heard and answers of the store, and one timer follows what falls due;
 * nothing is polled. Time that the process has not lived through (it was stopped, its machine
 * slept) makes no table older.
 *
 * SIGTERM and SIGINT, or service_stop(): nothing more is heard, what is under way is finished
 * within some seconds (a second signal: at once), then chats and store are stopped. What was
 * committed and not said is said by the next process. SIGHUP rereads what can be reread.
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
    SERVICE_AWAY_MS = 3000, /**< after which a store that does not answer is worth a line */
    SERVICE_LATE_MS = 2000, /**< by which what was to happen may come too late for want of a CPU */
    SERVICE_STORE_FIRST_MS = 500, /**< until a store that is away is tried again, twice as long */
    SERVICE_STORE_LAST_MS = 15000 /**< each time, up to this */
};

/** What adapters run on; borrowed for their chat's life. */
struct service_host {
    uv_loop_t *loop;
    struct http *http;
    struct websockets *websockets;
    net_log_fn *log;
    /** It will never connect again. Without any adapter left the service ends. */
    void (*fatal)(void *user, const struct mb_error *why);
    void *user; /**< of both */
};

struct service_adapter {
    const char *name;
    /** NULL with an error. The chat is started, stopped and, with the loop empty, destroyed by the
     * service. */
    struct chat *(*create)(const void *setup, const struct service_host *host,
                           struct chat_queue *queue, struct mb_error *err);
    const void *setup;
};

struct service_setup {
    const struct catalog *catalog;
    struct store *store; /**< not started; its store_take() does not wait */
    const char
        *store_url; /**< the same, to forget people in beside the loop; NULL: the operator's */
    const struct service_adapter *adapters;
    size_t adapter_count; /**< 1 to HALL_CHATS_MAX */
    struct service_log *log;
    const char *user_agent;
    const char *ca_file;        /**< certificates beside the system's, or NULL */
    const char *listen;         /**< where /health and /metrics are; NULL: nowhere */
    uint64_t drain_ms;          /**< 0: SERVICE_DRAIN_MS */
    unsigned commands_per_s;    /**< of one person; 0: as in bot/hall/hall_limits.h */
    void (*reread)(void *user); /**< SIGHUP; or NULL */
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
/** Serves until it is told to stop; false with an error: it could not, or cannot go on. Once. */
MB_MUST_CHECK
bool service_run(struct service *service, struct mb_error *err);
/** As SIGTERM does; from the loop's thread. */
void service_stop(struct service *service);
/** NULL is fine. */
void service_destroy(struct service *service);

enum service_state service_state(const struct service *service);
/** Who runs handles of its own on it closes them before the service ends. */
uv_loop_t *service_loop(struct service *service);
/** NULL unless it serves or drains. */
const struct hall *service_hall(const struct service *service);
/** How often the hall has had its turn. */
unsigned long service_turns(const struct service *service);

#endif
