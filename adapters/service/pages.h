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

struct page {
    unsigned status;
    size_t size;
    char *text; /**< plain, as Prometheus reads it; allocated */
};

/** Makes the page of a path, whose text is then the server's; false: there is none. */
typedef bool page_fn(void *user, const char *path, struct page *out);

struct pages;

/** Listens at "ADDRESS:PORT" (config_check_listen()); NULL with an error. */
struct pages *pages_create(uv_loop_t *loop, const char *listen, page_fn *page, void *user,
                           struct mb_error *err);
void pages_close(struct pages *pages);
/** NULL is fine. */
void pages_destroy(struct pages *pages);

#endif
