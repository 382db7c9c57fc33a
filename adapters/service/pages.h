/*
 * Pages for this machine: a small HTTP server on the loop, by libwebsockets.
 *
 * It answers GET for its user's pages, one at a time for each connection, and nothing else.
 * The loop outlives it: pages_close(), run the loop until it is empty, pages_destroy(), run it once
 * more.
 */
#ifndef ADAPTERS_SERVICE_PAGES_H
#define ADAPTERS_SERVICE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <uv.h>

#include "core/base/error.h"

#include "bot/hall/hall.h"

enum { PAGE_SIZE = 8192 };

struct page {
    unsigned status;
    size_t size;
    char text[PAGE_SIZE]; /**< plain, as Prometheus reads it */
};

/** Writes the page of a path; false: there is none. */
typedef bool page_fn(void *user, const char *path, struct page *out);

struct pages;

/** Listens at "ADDRESS:PORT" (config_check_listen()); NULL with an error. */
struct pages *pages_create(uv_loop_t *loop, const char *listen, page_fn *page, void *user,
                           struct mb_error *err);
void pages_close(struct pages *pages);
/** NULL is fine. */
void pages_destroy(struct pages *pages);

/* What the service says of itself: /health for people and supervisors, /metrics for Prometheus.
 * Only counts: no name, no id, no card. */

struct figures {
    bool serves;     /**< it neither opens nor drains */
    bool store_away; /**< the store does not answer */
    size_t live;     /**< tables in memory */
    unsigned long turns;
    unsigned long held_ms; /**< the longest time that the loop was held */
    struct hall_stats stats;
};

/** Writes the page of a path from these figures; false: there is none. */
bool figures_page(const struct figures *figures, const char *path, struct page *out);

#endif
