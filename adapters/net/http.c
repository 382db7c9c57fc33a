#include "adapters/net/http.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>

#include <curl/curl.h>

#include "core/codec/memory.h"

enum { MS_PER_S = 1000, CONNECT_MS = 5000, CONNECTIONS_MAX = 64, BODY_FIRST = 4096, BUCKETS = 256 };

struct exchange {
    struct exchange *next;
    struct http *http;
    uint64_t number;
    CURL *easy;
    CURLU *url;
    struct curl_slist *headers;
    http_done_fn *done;
    bool (*take)(void *user, const char *bytes, size_t size);
    void *user;
    char *body; /* of the answer */
    size_t size, capacity, most;
    bool too_long;
    char why[CURL_ERROR_SIZE];
};

struct http {
    struct http_setup setup;
    CURLM *multi;
    uv_timer_t timer;
    uint64_t numbers;
    size_t count;
    bool closed;
    struct exchange *exchanges[BUCKETS];
};

/* One socket of curl's, watched by the loop. */
struct watched {
    uv_poll_t poll;
    struct http *http;
    curl_socket_t fd;
    int events; /* that curl wants */
};

static struct exchange **find_exchange(struct http *http, uint64_t number)
{
    struct exchange **at = &http->exchanges[number % BUCKETS];
    while (*at != NULL && (*at)->number != number) {
        at = &(*at)->next;
    }
    return at;
}

static void end_exchange(struct exchange *exchange)
{
    struct http *const http = exchange->http;
    struct exchange **const at = find_exchange(http, exchange->number);
    *at = exchange->next;
    http->count--;
    (void)curl_multi_remove_handle(http->multi, exchange->easy);
    curl_easy_cleanup(exchange->easy);
    curl_url_cleanup(exchange->url);
    curl_slist_free_all(exchange->headers);
    free(exchange->body);
    free(exchange);
}

static enum http_fault fault_of(CURL *easy, CURLcode result)
{
    long sent = 0;
    if (result == CURLE_OK) {
        return HTTP_NO_FAULT;
    }
    (void)curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
    return sent == 0 ? HTTP_UNSENT : HTTP_UNKNOWN;
}

static void tell_answer(struct exchange *exchange, CURLcode result)
{
    long status = 0;
    (void)curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
    const enum http_fault fault = fault_of(exchange->easy, result);
    const bool answered = fault == HTTP_NO_FAULT;
    struct mb_error long_answer = {0};
    if (exchange->too_long) {
        (void)mb_fail(&long_answer, MB_ERR_LIMIT, "the answer exceeds the limit");
    }
    const char *const why = exchange->too_long         ? long_answer.text
                            : exchange->why[0] != '\0' ? exchange->why
                                                       : curl_easy_strerror(result);
    const struct http_answer answer = {.fault = fault,
                                       .why = answered ? "" : why,
                                       .too_long = exchange->too_long,
                                       .status = answered ? (int)status : 0,
                                       .body = exchange->body != NULL ? exchange->body : "",
                                       .body_size = exchange->size,
                                       .handle = exchange->easy};
    exchange->done(exchange->user, &answer);
    end_exchange(exchange);
}

// Whoever is told may send and cancel: each message is asked for anew.
static void take_done(struct http *http)
{
    int left = 0;
    for (CURLMsg *at = curl_multi_info_read(http->multi, &left); at != NULL;
         at = curl_multi_info_read(http->multi, &left)) {
        struct exchange *exchange = NULL;
        const CURLcode result = at->data.result;
        if (at->msg != CURLMSG_DONE) {
            continue;
        }
        (void)curl_easy_getinfo(at->easy_handle, CURLINFO_PRIVATE, &exchange);
        tell_answer(exchange, result);
    }
}

// A socket that has failed is read from: only so does curl see that a kept connection was closed
// under a request, and sends that again on another. The loop has ceased to watch it then.
static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct watched *const watched = poll->data;
    struct http *const http = watched->http;
    int flags = status < 0 ? CURL_CSELECT_IN : 0;
    int running = 0;
    flags |= (events & UV_READABLE) != 0 ? CURL_CSELECT_IN : 0;
    flags |= (events & UV_WRITABLE) != 0 ? CURL_CSELECT_OUT : 0;
    (void)curl_multi_socket_action(http->multi, watched->fd, flags, &running);
    if (status < 0 && uv_is_closing((uv_handle_t *)poll) == 0 && watched->events != 0) {
        (void)uv_poll_start(poll, watched->events, on_poll);
    }
    take_done(http);
}

static void on_watched_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static struct watched *watch_socket(struct http *http, curl_socket_t fd)
{
    struct watched *const watched = mb_new(1, sizeof *watched);
    watched->http = http;
    watched->fd = fd;
    watched->poll.data = watched;
    if (uv_poll_init_socket(http->setup.loop, &watched->poll, fd) != 0) {
        free(watched);
        return NULL;
    }
    (void)curl_multi_assign(http->multi, fd, watched);
    return watched;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *mine)
{
    struct http *const http = user;
    struct watched *watched = mine;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watched != NULL) {
            (void)uv_poll_stop(&watched->poll);
            (void)curl_multi_assign(http->multi, fd, NULL);
            uv_close((uv_handle_t *)&watched->poll, on_watched_closed);
        }
        return 0;
    }
    watched = watched != NULL ? watched : watch_socket(http, fd);
    if (watched == NULL) {
        return -1;
    }
    watched->events = ((what & CURL_POLL_IN) != 0 ? UV_READABLE : 0) |
                      ((what & CURL_POLL_OUT) != 0 ? UV_WRITABLE : 0);
    return uv_poll_start(&watched->poll, watched->events, on_poll);
}

static void on_time(uv_timer_t *timer)
{
    struct http *const http = timer->data;
    int running = 0;
    (void)curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    take_done(http);
}

static int on_timer(CURLM *multi, long ms, void *user)
{
    struct http *const http = user;
    (void)multi;
    if (ms < 0 || http->closed) {
        return uv_timer_stop(&http->timer);
    }
    return uv_timer_start(&http->timer, on_time, ms > 0 ? (uint64_t)ms : 1, 0);
}

/* Requests. */

static size_t on_body(char *bytes, size_t one, size_t size, void *user)
{
    struct exchange *const exchange = user;
    (void)one; // always 1
    if (exchange->take != NULL) {
        exchange->too_long = !exchange->take(exchange->user, bytes, size);
        return exchange->too_long ? 0 : size;
    }
    if (size > exchange->most - exchange->size) {
        exchange->too_long = true;
        return 0;
    }
    if (exchange->size + size + 1 > exchange->capacity) {
        size_t capacity = exchange->capacity > 0 ? exchange->capacity : BODY_FIRST;
        while (capacity < exchange->size + size + 1) {
            capacity *= 2;
        }
        exchange->body = mb_grow(exchange->body, capacity, 1);
        exchange->capacity = capacity;
    }
    memcpy(exchange->body + exchange->size, bytes, size);
    exchange->size += size;
    exchange->body[exchange->size] = '\0';
    return size;
}

static bool take_headers(struct exchange *exchange, const struct http_request *request)
{
    // No "Expect: 100-continue": it costs a round trip.
    exchange->headers = curl_slist_append(NULL, "Expect:");
    bool good = exchange->headers != NULL;
    for (size_t i = 0; good && i < HTTP_HEADERS_MAX && request->headers[i] != NULL; i++) {
        struct curl_slist *const more = curl_slist_append(exchange->headers, request->headers[i]);
        good = more != NULL;
        exchange->headers = good ? more : exchange->headers;
    }
    return good;
}

static bool is_ok(CURLcode code)
{
    return code == CURLE_OK;
}

static bool take_body(CURL *easy, const struct http_request *request)
{
    const bool none = request->body == NULL;
    if (none && (strcmp(request->method, "GET") == 0 || strcmp(request->method, "DELETE") == 0)) {
        return true;
    }
    return is_ok(curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE,
                                  none ? 0L : (long)request->body_size)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, none ? "" : request->body));
}

// Given both as text and read: else curl writes the one from the other at each attempt to connect,
// which costs more than all else that it does for a request.
static bool take_url(struct exchange *exchange, const struct http_request *request)
{
    exchange->url = curl_url();
    return exchange->url != NULL &&
           curl_url_set(exchange->url, CURLUPART_URL, request->url, 0) == CURLUE_OK &&
           is_ok(curl_easy_setopt(exchange->easy, CURLOPT_URL, request->url)) &&
           is_ok(curl_easy_setopt(exchange->easy, CURLOPT_CURLU, exchange->url));
}

// No child process gets it: the loop would be told for ever of one that is closed here and open
// there.
static int keep_from_children(void *user, curl_socket_t socket, curlsocktype purpose)
{
    (void)user;
    (void)purpose;
    return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

static bool prepare_exchange(struct exchange *exchange, const struct http_request *request)
{
    const struct http_setup *const setup = &exchange->http->setup;
    CURL *const easy = exchange->easy;
    // Only TLS tells at once whether a connection takes several requests. Without it they would
    // wait for the headers of the first answer: of a sync half a minute.
    const bool tells = strncmp(request->url, "https:", sizeof "https:" - 1) == 0;
    bool good = take_headers(exchange, request) && take_url(exchange, request) &&
                take_body(easy, request) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_USERAGENT, setup->user_agent)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange)) &&
                is_ok(curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->why));
    // Answers are short but for a sync: a quarter of what curl would read at a time, and take.
    good = good && is_ok(curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BODY_FIRST)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, keep_from_children)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https")) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)request->timeout_ms)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request->once ? 1L : 0L)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_PIPEWAIT, tells ? 1L : 0L)) &&
           is_ok(curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L));
    if (good && setup->ca_file != NULL) {
        good = is_ok(curl_easy_setopt(easy, CURLOPT_CAINFO, setup->ca_file));
    }
    if (good && setup->proxy != NULL) {
        good = is_ok(curl_easy_setopt(easy, CURLOPT_PROXY, setup->proxy));
    }
    return good;
}

uint64_t http_send(struct http *http, const struct http_request *request, http_done_fn *done,
                   void *user)
{
    if (http->closed) {
        return 0;
    }
    struct exchange *const exchange = mb_new(1, sizeof *exchange);
    *exchange =
        (struct exchange){.http = http,
                          .number = ++http->numbers,
                          .easy = curl_easy_init(),
                          .done = done,
                          .take = request->take,
                          .user = user,
                          .most = request->body_max > 0 ? request->body_max : HTTP_BODY_MAX};
    struct exchange **const bucket = &http->exchanges[exchange->number % BUCKETS];
    exchange->next = *bucket;
    *bucket = exchange;
    http->count++;
    if (exchange->easy == NULL || !prepare_exchange(exchange, request) ||
        curl_multi_add_handle(http->multi, exchange->easy) != CURLM_OK) {
        end_exchange(exchange);
        return 0;
    }
    return exchange->number;
}

void http_cancel(struct http *http, uint64_t number)
{
    struct exchange *const exchange = *find_exchange(http, number);
    if (exchange != NULL) {
        end_exchange(exchange);
    }
}

const char *http_header(const struct http_answer *answer, const char *name)
{
    struct curl_header *found = NULL;
    const CURLHcode code = curl_easy_header(answer->handle, name, 0, CURLH_HEADER, -1, &found);
    return code == CURLHE_OK ? found->value : NULL;
}

int64_t http_date_ms(const struct http_answer *answer)
{
    const char *const date = http_header(answer, "date");
    const time_t seconds = date != NULL ? curl_getdate(date, NULL) : -1;
    return seconds > 0 ? (int64_t)seconds * MS_PER_S : 0;
}

size_t http_count(const struct http *http)
{
    return http->count;
}

/* Life. */

struct http *http_create(const struct http_setup *setup, struct mb_error *err)
{
    struct http *const http = mb_new(1, sizeof *http);
    const bool global = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    CURLM *const multi = global ? curl_multi_init() : NULL;
    if (multi == NULL) {
        free(http);
        (void)mb_fail(err, MB_ERR_LIMIT, "libcurl cannot be used");
        return NULL;
    }
    http->setup = *setup;
    http->multi = multi;
    (void)uv_timer_init(setup->loop, &http->timer);
    http->timer.data = http;
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, http);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, http);
    (void)curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)CONNECTIONS_MAX);
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_MAX);
    return http;
}

void http_close(struct http *http)
{
    if (http == NULL || http->closed) {
        return;
    }
    http->closed = true;
    for (size_t i = 0; i < BUCKETS; i++) {
        struct exchange *next = NULL;
        for (struct exchange *at = http->exchanges[i]; at != NULL; at = next) {
            next = at->next;
            end_exchange(at);
        }
    }
    (void)curl_multi_cleanup(http->multi);
    http->multi = NULL;
    uv_close((uv_handle_t *)&http->timer, NULL);
}

void http_destroy(struct http *http)
{
    if (http != NULL) {
        assert(http->closed);
        free(http);
        curl_global_cleanup();
    }
}

struct waiting {
    uv_loop_t *loop;
    struct http_once *out;
    struct mb_error *err;
    bool done, good;
};

static void take_answer(void *user, const struct http_answer *answer)
{
    struct waiting *const waiting = user;
    waiting->done = true;
    uv_stop(waiting->loop); // it may be about to wait for something else
    if (answer->fault != HTTP_NO_FAULT) {
        (void)mb_fail(waiting->err, MB_ERR_RETRY, "%s", answer->why);
        return;
    }
    waiting->out->status = answer->status;
    waiting->out->body_size = answer->body_size;
    waiting->out->body = mb_new(1, answer->body_size + 1);
    memcpy(waiting->out->body, answer->body != NULL ? answer->body : "", answer->body_size);
    waiting->out->body[answer->body_size] = '\0';
    waiting->good = true;
}

static bool ask_once(uv_loop_t *loop, struct http *http, const struct http_request *request,
                     struct http_once *out, struct mb_error *err)
{
    struct waiting waiting = {.loop = loop, .out = out, .err = err};
    if (http_send(http, request, take_answer, &waiting) == 0) {
        return mb_fail(err, MB_ERR_LIMIT, "cannot send the request");
    }
    while (!waiting.done) {
        (void)uv_run(loop, UV_RUN_ONCE);
    }
    return waiting.good;
}

bool http_once(const struct http_request *request, const char *user_agent, const char *ca_file,
               struct http_once *out, struct mb_error *err)
{
    uv_loop_t loop;
    *out = (struct http_once){.status = 0};
    if (uv_loop_init(&loop) != 0) {
        return mb_fail(err, MB_ERR_LIMIT, "cannot create the event loop");
    }
    const struct http_setup setup = {.loop = &loop, .user_agent = user_agent, .ca_file = ca_file};
    struct http *const http = http_create(&setup, err);
    const bool good = http != NULL && ask_once(&loop, http, request, out, err);
    if (http != NULL) {
        http_close(http);
    }
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    http_destroy(http);
    (void)uv_loop_close(&loop);
    return good;
}
