#include "adapters/service/pages.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>

#include "core/codec/memory.h"

enum {
    HOST_SIZE = 64,
    HEADERS_SIZE = 512,
    PATIENCE_S = 5,
    HEADER_POOL = 8, /* requests that are being read at once, ... */
    UNREAD_MAX = 7,  /* ... of which one is always for who comes next */
    DECIMAL = 10
};

struct pages {
    struct lws_context *context;
    page_fn *page;
    void *user;
    struct lws *unread[UNREAD_MAX]; // connections with no whole request, the oldest first
    unsigned unread_count;
};

/* Of a connection: what it is being sent. */
struct reading {
    unsigned char *bytes; // LWS_PRE, then the page; NULL: nothing
    size_t size;
};

static struct pages *pages_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static void note_read(struct pages *pages, const struct lws *wsi)
{
    unsigned at = 0;
    while (at < pages->unread_count && pages->unread[at] != wsi) {
        at++;
    }
    if (at < pages->unread_count) {
        pages->unread_count--;
        memmove(&pages->unread[at], &pages->unread[at + 1],
                (pages->unread_count - at) * sizeof pages->unread[0]);
    }
}

// The oldest of the slow connections makes room for the next one.
static void note_unread(struct pages *pages, struct lws *wsi)
{
    if (pages->unread_count == UNREAD_MAX) {
        struct lws *const oldest = pages->unread[0];
        note_read(pages, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
    }
    pages->unread[pages->unread_count++] = wsi;
}

static int complete_request(struct lws *wsi)
{
    if (lws_http_transaction_completed(wsi) != 0) {
        return -1;
    }
    note_unread(pages_of(wsi), wsi);
    return 0;
}

static int refuse_page(struct lws *wsi, unsigned status)
{
    return lws_return_http_status(wsi, status, NULL) != 0 ? -1 : complete_request(wsi);
}

// NULL: the connection has never asked for one.
static void drop_page(struct reading *reading)
{
    if (reading != NULL) {
        free(reading->bytes);
        reading->bytes = NULL;
    }
}

static int begin_page(struct lws *wsi, struct reading *reading, const char *path)
{
    struct pages *const pages = pages_of(wsi);
    unsigned char headers[LWS_PRE + HEADERS_SIZE];
    unsigned char *const start = headers + LWS_PRE;
    unsigned char *at = start;
    unsigned char *const end = headers + sizeof headers - 1;
    struct page page;
    note_read(pages, wsi);
    drop_page(reading);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        return refuse_page(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    }
    if (!pages->page(pages->user, path, &page)) {
        return refuse_page(wsi, HTTP_STATUS_NOT_FOUND);
    }
    reading->bytes = mb_new(LWS_PRE + page.size, 1);
    reading->size = page.size;
    memcpy(reading->bytes + LWS_PRE, page.text, page.size);
    free(page.text);
    if (lws_add_http_common_headers(wsi, page.status, "text/plain; version=0.0.4", page.size, &at,
                                    end) != 0 ||
        lws_finalize_write_http_header(wsi, start, &at, end) != 0) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_page(struct lws *wsi, struct reading *reading)
{
    const int size = (int)reading->size;
    if (reading->bytes == NULL ||
        lws_write(wsi, reading->bytes + LWS_PRE, reading->size, LWS_WRITE_HTTP_FINAL) < size) {
        return -1;
    }
    drop_page(reading);
    return complete_request(wsi);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *own, void *in,
                    size_t size)
{
    switch ((int)reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        note_unread(pages_of(wsi), wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        note_read(pages_of(wsi), wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        return begin_page(wsi, own, in);
    case LWS_CALLBACK_CLOSED_HTTP:
        drop_page(own);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_page(wsi, own);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // nobody speaks WebSocket here
    default:
        return lws_callback_http_dummy(wsi, reason, own, in, size);
    }
}

static const struct lws_protocols PROTOCOLS[] = {
    {"http", on_event, sizeof(struct reading), 0, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

struct pages *pages_create(uv_loop_t *loop, const char *listen, page_fn *page, void *user,
                           struct mb_error *err)
{
    struct pages *const pages = mb_new(1, sizeof *pages);
    const char *const colon = strrchr(listen, ':'); // the configuration was checked for it
    void *loops[1] = {loop};
    char host[HOST_SIZE];
    assert(colon != NULL);
    pages->page = page;
    pages->user = user;
    (void)snprintf(host, sizeof host, "%.*s", (int)(colon - listen), listen);
    const struct lws_context_creation_info info = {
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_DISABLE_IPV6,
        .foreign_loops = loops,
        .iface = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host,
        .port = (int)strtol(colon + 1, NULL, DECIMAL),
        .protocols = PROTOCOLS,
        .user = pages,
        .timeout_secs = PATIENCE_S,
        .keepalive_timeout = PATIENCE_S,
        .max_http_header_pool = HEADER_POOL,
    };
    lws_set_log_level(0, NULL);
    pages->context = lws_create_context(&info);
    if (pages->context == NULL || lws_create_vhost(pages->context, &info) == NULL) {
        (void)mb_fail(
            err, MB_ERR_IO,
            "cannot listen at %s: the port is taken, or the address is not this machine's", listen);
        pages_close(pages);
        (void)uv_run(loop, UV_RUN_NOWAIT);
        pages_destroy(pages);
        return NULL;
    }
    return pages;
}

void pages_close(struct pages *pages)
{
    if (pages != NULL && pages->context != NULL) {
        lws_context_destroy(pages->context);
    }
}

void pages_destroy(struct pages *pages)
{
    if (pages != NULL) {
        if (pages->context != NULL) {
            lws_context_destroy(pages->context); // a second time: this frees it
        }
        free(pages);
    }
}
