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
    unsigned char room[LWS_PRE];
    struct page page;
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

static int begin_page(struct lws *wsi, struct reading *reading, const char *path)
{
    struct pages *const pages = pages_of(wsi);
    unsigned char headers[LWS_PRE + HEADERS_SIZE];
    unsigned char *const start = headers + LWS_PRE;
    unsigned char *at = start;
    unsigned char *const end = headers + sizeof headers - 1;
    note_read(pages, wsi);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        return refuse_page(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    }
    if (!pages->page(pages->user, path, &reading->page)) {
        return refuse_page(wsi, HTTP_STATUS_NOT_FOUND);
    }
    if (lws_add_http_common_headers(wsi, reading->page.status, "text/plain; version=0.0.4",
                                    reading->page.size, &at, end) != 0 ||
        lws_finalize_write_http_header(wsi, start, &at, end) != 0) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_page(struct lws *wsi, struct reading *reading)
{
    const int size = (int)reading->page.size;
    if (lws_write(wsi, (unsigned char *)reading->page.text, reading->page.size,
                  LWS_WRITE_HTTP_FINAL) < size) {
        return -1;
    }
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

enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

struct counter {
    const char *name, *help;
    size_t offset; // in struct hall_stats
};

static const struct counter COUNTERS[] = {
    {"lines_heard", "Lines of people that were handled.", offsetof(struct hall_stats, heard)},
    {"lines_repeated", "Lines received a second time and ignored.",
     offsetof(struct hall_stats, repeated)},
    {"lines_rationed", "Lines dropped because somebody typed too fast.",
     offsetof(struct hall_stats, rationed)},
    {"lines_crowded", "Lines dropped because a queue was full.",
     offsetof(struct hall_stats, crowded)},
    {"controls_stale", "Controls pressed too late or in the wrong place.",
     offsetof(struct hall_stats, stale)},
    {"steps_committed", "Steps committed at tables.", offsetof(struct hall_stats, steps)},
    {"steps_conflicted", "Commits repeated because another process was faster.",
     offsetof(struct hall_stats, conflicts)},
    {"tables_fetched", "Tables loaded from the store.", offsetof(struct hall_stats, fetched)},
    {"messages_sent", "Messages accepted by a network.", offsetof(struct hall_stats, sent)},
    {"messages_retried", "Messages sent again.", offsetof(struct hall_stats, retried)},
    {"messages_undeliverable", "Messages given up as undeliverable.",
     offsetof(struct hall_stats, undeliverable)},
};

static unsigned long count_of(const struct figures *figures, const struct counter *counter)
{
    unsigned long value = 0;
    memcpy(&value, (const char *)&figures->stats + counter->offset, sizeof value);
    return value;
}

static void put_metric(struct page *out, const char *name, const char *type, const char *help,
                       unsigned long value)
{
    const char *const end = strcmp(type, "counter") == 0 ? "_total" : "";
    const int size =
        snprintf(out->text + out->size, sizeof out->text - out->size,
                 "# HELP munchbot_%s%s %s\n# TYPE munchbot_%s%s %s\nmunchbot_%s%s %lu\n", name, end,
                 help, name, end, type, name, end, value);
    const size_t left = sizeof out->text - out->size;
    out->size += size > 0 && (size_t)size < left ? (size_t)size : 0;
}

static void write_metrics(const struct figures *figures, struct page *out)
{
    put_metric(out, "serving", "gauge", "1 while tables are served.", figures->serves ? 1 : 0);
    put_metric(out, "store_away", "gauge", "1 while the store does not answer.",
               figures->store_away ? 1 : 0);
    put_metric(out, "tables_live", "gauge", "Tables in memory.", figures->live);
    put_metric(out, "loop_turns", "counter", "Turns of the loop.", figures->turns);
    put_metric(out, "loop_held_ms", "gauge", "The longest that the loop was held at a time.",
               figures->held_ms);
    for (size_t i = 0; i < sizeof COUNTERS / sizeof COUNTERS[0]; i++) {
        put_metric(out, COUNTERS[i].name, "counter", COUNTERS[i].help,
                   count_of(figures, &COUNTERS[i]));
    }
}

bool figures_page(const struct figures *figures, const char *path, struct page *out)
{
    out->size = 0;
    out->status = STATUS_OK;
    if (strcmp(path, "/metrics") == 0) {
        write_metrics(figures, out);
        return true;
    }
    if (strcmp(path, "/health") != 0) {
        return false;
    }
    const char *said = "ok\n";
    if (figures->store_away) {
        said = "the store does not answer\n";
    } else if (!figures->serves) {
        said = "not serving\n";
    }
    out->status = figures->serves && !figures->store_away ? STATUS_OK : STATUS_UNAVAILABLE;
    out->size = (size_t)snprintf(out->text, sizeof out->text, "%s", said);
    return true;
}
