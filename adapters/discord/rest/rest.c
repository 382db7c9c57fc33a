#include "adapters/discord/rest/rest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/codec/memory.h"

#include "adapters/discord/wire/buckets.h"
#include "adapters/discord/wire/interaction.h"

enum {
    TIMEOUT_MS = 15000,
    MS_PER_S = 1000,
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300,
    STATUS_UNAUTHORIZED = 401,
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    STATUS_UNKNOWN = 404,
    CODE_UNKNOWN_WEBHOOK = 10015,
    CODE_WEBHOOK_TOKEN = 50027,
    WAIT_DOUBLINGS = 5,
    EDIT_WAIT_MS = 1000, // an interaction's answer; it is late after three seconds
    HEADER_SIZE = 320
};

struct call {
    struct call *next; // of its line
    char *url, *route, *major, *body;
    char method[8];
    bool bare, repeats, yields, doubts, names, sent;
    unsigned tries;
    uint64_t edits; // a message, or 0
    int64_t asked_ms;
    int64_t waits_ms; // since when it waits, or is under way
    uint64_t number;  // http's, while it is on its way
    int64_t after_ms; // not before
    rest_done_fn *done;
    void *user;
    struct rest *rest;
};

/* Calls of one order: the first is on its way, or the next to go. */
struct line {
    struct line *next;
    char *order; // NULL: of a single call
    struct call *first, **end;
};

struct rest {
    struct rest_setup setup;
    struct buckets *buckets;
    struct line *lines, **end;
    uv_timer_t timer;
    uv_idle_t pump; // soon, but not within the call that asked
    bool pumping, closed, stopped, dated;
    int64_t ahead_ms;
    size_t count;
    uint64_t limited, waited_ms;
    char authorization[HEADER_SIZE];
};

static void pump_soon(struct rest *rest);

/* Lines. */

static void call_free(struct call *call)
{
    if (call != NULL) {
        free(call->url);
        free(call->route);
        free(call->major);
        free(call->body);
        free(call);
    }
}

static struct line *line_of(struct rest *rest, const char *order)
{
    for (struct line *at = rest->lines; order != NULL && at != NULL; at = at->next) {
        if (at->order != NULL && strcmp(at->order, order) == 0) {
            return at;
        }
    }
    struct line *const line = mb_new(1, sizeof *line);
    line->order = mb_text(order);
    line->end = &line->first;
    *rest->end = line;
    rest->end = &line->next;
    return line;
}

static void drop_empty(struct rest *rest)
{
    struct line **at = &rest->lines;
    while (*at != NULL) {
        struct line *const line = *at;
        if (line->first == NULL) {
            *at = line->next;
            free(line->order);
            free(line);
        } else {
            at = &line->next;
        }
    }
    rest->end = at;
}

// Takes a call out of its line, whose first it is.
static void take(struct rest *rest, const struct call *call)
{
    for (struct line *at = rest->lines; at != NULL; at = at->next) {
        if (at->first == call) {
            at->first = call->next;
            at->end = at->first == NULL ? &at->first : at->end;
            rest->count--;
            return;
        }
    }
}

/* Answers. */

static struct bucket_lane lane_of(const struct call *call)
{
    return (struct bucket_lane){
        .route = call->route, .major = call->major, .free = call->bare, .yields = call->yields};
}

static double number(const char *text)
{
    return text != NULL ? strtod(text, NULL) : 0;
}

static struct bucket_headers headers_of(const struct http_answer *answer)
{
    const char *const remaining = http_header(answer, "x-ratelimit-remaining");
    const char *const after = http_header(answer, "x-ratelimit-reset-after");
    return (struct bucket_headers){.hash = http_header(answer, "x-ratelimit-bucket"),
                                   .limited = remaining != NULL && after != NULL,
                                   .remaining = (uint32_t)number(remaining),
                                   .reset_after_ms = (int64_t)(number(after) * (double)MS_PER_S)};
}

static json_t *body_of(const struct http_answer *answer)
{
    const char *const type = http_header(answer, "content-type");
    json_error_t where;
    if (type == NULL || strstr(type, "json") == NULL || answer->body_size == 0) {
        return NULL;
    }
    return json_loadb(answer->body, answer->body_size, 0, &where);
}

static void note_date(struct rest *rest, const struct http_answer *answer)
{
    const int64_t date_ms = http_date_ms(answer);
    if (date_ms > 0) {
        rest->ahead_ms = date_ms - (int64_t)time(NULL) * MS_PER_S;
        rest->dated = true;
    }
}

static void finish(struct call *call, int status, const json_t *body)
{
    struct rest *const rest = call->rest;
    const struct rest_answer answer = {.status = status,
                                       .code =
                                           (int)json_integer_value(json_object_get(body, "code")),
                                       .body = body};
    take(rest, call);
    if (status == STATUS_UNAUTHORIZED && !call->bare && answer.code != CODE_WEBHOOK_TOKEN &&
        !rest->stopped) {
        struct mb_error err = {0};
        rest->stopped = true;
        (void)mb_fail(&err, MB_ERR_INPUT,
                      "Discord rejected the bot's token: create a new one in the developer portal "
                      "and configure it");
        rest->setup.fatal(rest->setup.user, &err);
    }
    if (call->done != NULL) {
        call->done(call->user, &answer);
    }
    call_free(call);
    pump_soon(rest);
}

// It is tried again: what may be sent twice for ever, or what was to be read would be lost with a
// long outage; the rest not too often.
static bool again(struct call *call, int64_t now_ms)
{
    const unsigned doubled = call->tries < WAIT_DOUBLINGS ? call->tries : WAIT_DOUBLINGS;
    call->tries++;
    call->sent = false;
    call->after_ms = now_ms + ((int64_t)MS_PER_S << doubled);
    return call->repeats || call->tries < REST_TRIES;
}

// It is said to be done and does not say what by: nobody could find that again.
static bool is_unnamed(const struct call *call, int status, const json_t *body)
{
    const char *const id = json_string_value(json_object_get(body, "id"));
    return call->names && status >= STATUS_OK && status < STATUS_MULTIPLE &&
           call->tries + 1 < REST_TRIES && (id == NULL || !discord_is_id(id));
}

// A young token that is not known is tried again, ten seconds in all: now and then that is not so.
static bool doubted(struct call *call, int status, const json_t *body, int64_t now_ms)
{
    static const int64_t PAUSES_MS[] = {1000, 3000, 6000};
    const json_int_t code = json_integer_value(json_object_get(body, "code"));
    if (!call->doubts || status != STATUS_UNKNOWN || code != CODE_UNKNOWN_WEBHOOK ||
        call->tries >= sizeof PAUSES_MS / sizeof PAUSES_MS[0]) {
        return false;
    }
    call->after_ms = now_ms + PAUSES_MS[call->tries++];
    call->sent = false;
    return true;
}

static void unanswered(struct call *call, const struct http_answer *answer, int64_t now_ms)
{
    struct rest *const rest = call->rest;
    const struct bucket_lane lane = lane_of(call);
    buckets_lost(rest->buckets, &lane);
    rest->setup.log(rest->setup.user, NET_LOG_WARN, "rest-unanswered", answer->why);
    if ((answer->fault == HTTP_UNSENT || call->repeats) && again(call, now_ms)) {
        pump_soon(rest);
        return;
    }
    finish(call, 0, NULL);
}

static void too_many(struct call *call, const struct http_answer *answer, const json_t *body,
                     int64_t now_ms)
{
    struct rest *const rest = call->rest;
    const struct bucket_lane lane = lane_of(call);
    const struct bucket_headers headers = headers_of(answer);
    const json_t *const after = json_object_get(body, "retry_after");
    const char *const scope = http_header(answer, "x-ratelimit-scope");
    const double seconds = json_is_number(after) ? json_number_value(after)
                                                 : number(http_header(answer, "retry-after"));
    enum bucket_scope of = BUCKET_USER;
    if (body == NULL) {
        of = BUCKET_BANNED;
    } else if (json_is_true(json_object_get(body, "global"))) {
        of = BUCKET_GLOBAL;
    } else if (scope != NULL && strcmp(scope, "shared") == 0) {
        of = BUCKET_SHARED;
    }
    buckets_refused(rest->buckets, &lane, of, (int64_t)(seconds * (double)MS_PER_S) + 1, &headers,
                    now_ms);
    rest->setup.log(rest->setup.user, of == BUCKET_BANNED ? NET_LOG_ERROR : NET_LOG_INFO,
                    "rest-limited", call->route);
    call->sent = false;
    rest->limited++;
    pump_soon(rest);
}

static void answered(void *user, const struct http_answer *answer)
{
    struct call *const call = user;
    struct rest *const rest = call->rest;
    const int64_t now_ms = (int64_t)uv_now(rest->setup.loop);
    const struct bucket_lane lane = lane_of(call);
    if (answer->fault != HTTP_NO_FAULT) {
        unanswered(call, answer, now_ms);
        return;
    }
    note_date(rest, answer);
    json_t *const body = body_of(answer);
    if (answer->status == STATUS_TOO_MANY) {
        too_many(call, answer, body, now_ms);
    } else {
        const struct bucket_headers headers = headers_of(answer);
        buckets_answered(rest->buckets, &lane, answer->status, &headers, now_ms);
        if (doubted(call, answer->status, body, now_ms) ||
            ((answer->status >= STATUS_ERROR || is_unnamed(call, answer->status, body)) &&
             again(call, now_ms))) {
            pump_soon(rest);
        } else {
            finish(call, answer->status, body);
        }
    }
    json_decref(body);
}

/* Sending. */

static bool send_call(struct call *call)
{
    struct rest *const rest = call->rest;
    const struct http_request request = {
        .method = call->method,
        .url = call->url,
        .headers = {call->body != NULL ? "Content-Type: application/json"
                                       : "Accept: application/json",
                    call->bare ? NULL : rest->authorization},
        .body = call->body != NULL ? call->body
                : strcmp(call->method, "GET") == 0 || strcmp(call->method, "DELETE") == 0 ? NULL
                                                                                          : "",
        .body_size = call->body != NULL ? strlen(call->body) : 0,
        .timeout_ms = TIMEOUT_MS};
    call->number = http_send(rest->setup.http, &request, answered, call);
    if (call->number == 0) {
        return false;
    }
    const struct bucket_lane lane = lane_of(call);
    const int64_t now_ms = (int64_t)uv_now(rest->setup.loop);
    buckets_sent(rest->buckets, &lane, now_ms);
    rest->waited_ms += (uint64_t)(now_ms - call->waits_ms);
    call->waits_ms = now_ms;
    call->sent = true;
    return true;
}

// Of two edits that are on their way at once nobody knows which will stand.
static bool is_edited(const struct rest *rest, uint64_t message)
{
    for (const struct line *at = rest->lines; message != 0 && at != NULL; at = at->next) {
        if (at->first != NULL && at->first->sent && at->first->edits == message) {
            return true;
        }
    }
    return false;
}

// When a line's first call may go; INT64_MAX: it waits for an answer.
static int64_t ready_ms(const struct rest *rest, const struct call *call, int64_t now_ms)
{
    const struct bucket_lane lane = lane_of(call);
    if (call->sent) {
        return INT64_MAX;
    }
    const int64_t ready = buckets_ready_ms(rest->buckets, &lane, now_ms);
    const int64_t after = ready > call->after_ms ? ready : call->after_ms;
    const int64_t patience = call->bare ? call->asked_ms + EDIT_WAIT_MS : INT64_MAX;
    return after <= now_ms && patience > now_ms && is_edited(rest, call->edits) ? patience : after;
}

static void on_timer(uv_timer_t *timer)
{
    pump_soon(timer->data);
}

static void pump(uv_idle_t *idle)
{
    struct rest *const rest = idle->data;
    int64_t next_ms = INT64_MAX;
    (void)uv_idle_stop(&rest->pump);
    rest->pumping = false;
    const int64_t now_ms = (int64_t)uv_now(rest->setup.loop);
    drop_empty(rest);
    for (struct line *at = rest->lines; at != NULL && !rest->stopped; at = at->next) {
        int64_t ready = ready_ms(rest, at->first, now_ms);
        if (ready <= now_ms && !send_call(at->first)) {
            ready = now_ms + MS_PER_S;
        }
        next_ms = !at->first->sent && ready < next_ms ? ready : next_ms;
    }
    if (next_ms != INT64_MAX) {
        const int64_t wait = next_ms > now_ms ? next_ms - now_ms : 1;
        (void)uv_timer_start(&rest->timer, on_timer, (uint64_t)wait, 0);
    }
}

static void pump_soon(struct rest *rest)
{
    if (!rest->pumping && !rest->closed) {
        rest->pumping = true;
        (void)uv_idle_start(&rest->pump, pump);
    }
}

/* Whole. */

struct rest *rest_create(const struct rest_setup *setup)
{
    struct rest *const rest = mb_new(1, sizeof *rest);
    rest->setup = *setup;
    rest->buckets = buckets_create();
    rest->end = &rest->lines;
    (void)snprintf(rest->authorization, sizeof rest->authorization, "Authorization: Bot %s",
                   setup->token);
    (void)uv_timer_init(setup->loop, &rest->timer);
    (void)uv_idle_init(setup->loop, &rest->pump);
    rest->timer.data = rest;
    rest->pump.data = rest;
    return rest;
}

static char *url_of(const struct rest *rest, const char *path)
{
    const size_t size = strlen(rest->setup.api_url) + strlen(path) + 1;
    char *const url = mb_new(1, size);
    (void)snprintf(url, size, "%s%s", rest->setup.api_url, path);
    return url;
}

bool rest_call(struct rest *rest, const struct rest_call *wanted, rest_done_fn *done, void *user)
{
    char *const body = wanted->body != NULL ? json_dumps(wanted->body, JSON_COMPACT) : NULL;
    json_decref(wanted->body);
    if (rest->closed || rest->stopped) {
        free(body);
        return false;
    }
    struct call *const call = mb_new(1, sizeof *call);
    *call = (struct call){.url = url_of(rest, wanted->path),
                          .route = mb_text(wanted->route),
                          .major = mb_text(wanted->major),
                          .body = body,
                          .edits = wanted->edits,
                          .asked_ms = (int64_t)uv_now(rest->setup.loop),
                          .waits_ms = (int64_t)uv_now(rest->setup.loop),
                          .bare = wanted->bare,
                          .repeats = wanted->repeats,
                          .yields = wanted->yields,
                          .doubts = wanted->doubts,
                          .names = wanted->names,
                          .done = done,
                          .user = user,
                          .rest = rest};
    (void)snprintf(call->method, sizeof call->method, "%s", wanted->method);
    struct line *const line = line_of(rest, wanted->order);
    *line->end = call;
    line->end = &call->next;
    rest->count++;
    pump_soon(rest);
    return true;
}

bool rest_clock(const struct rest *rest, int64_t *ahead_ms)
{
    *ahead_ms = rest->ahead_ms;
    return rest->dated;
}

void rest_share(struct rest *rest, unsigned of)
{
    buckets_share(rest->buckets, of);
}

void rest_figures(const struct rest *rest, struct chat_figures *out)
{
    const int64_t now_ms = (int64_t)uv_now(rest->setup.loop);
    out->limited = rest->limited;
    out->waited_ms = rest->waited_ms;
    for (const struct line *line = rest->lines; line != NULL; line = line->next) {
        for (const struct call *call = line->first; call != NULL; call = call->next) {
            const int64_t age_ms = now_ms - call->asked_ms;
            out->waiting++;
            out->oldest_ms = age_ms > out->oldest_ms ? age_ms : out->oldest_ms;
        }
    }
}

void rest_close(struct rest *rest)
{
    if (rest->closed) {
        return;
    }
    rest->closed = true;
    uv_close((uv_handle_t *)&rest->timer, NULL);
    uv_close((uv_handle_t *)&rest->pump, NULL);
    for (struct line *at = rest->lines; at != NULL; at = at->next) {
        while (at->first != NULL) {
            // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it is another each time
            if (at->first->sent) {
                http_cancel(rest->setup.http, at->first->number);
            }
            finish(at->first, 0, NULL);
        }
    }
}

void rest_destroy(struct rest *rest)
{
    if (rest != NULL) {
        drop_empty(rest);
        buckets_destroy(rest->buckets);
        free(rest);
    }
}
