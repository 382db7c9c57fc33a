#include "adapters/matrix/client/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/matrix/client/wire.h"

enum {
    TIMEOUT_MS = 60000,
    TRIES = 3,
    MS_PER_S = 1000,
    HEADER_SIZE = 600,
    STATUS_UNAUTHORIZED = 401,
    STATUS_NOT_FOUND = 404,
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    WAIT_FIRST_MS = 1000,
    REST_S = 3600, // whatever a server says
    WAIT_LAST_MS = 60000,
    WAIT_DOUBLINGS = 6,
    LONG_SIZE = 256 * 1024, // of an answer: the loop would stand still
    READ_MAX = 1024 * 1024 * 1024
};

struct request {
    struct request *next;
    struct api *api;
    uint64_t number;
    api_done_fn *done;
    void *user;
    struct sieve *sieve; // or NULL
    // Of an answer while it is read:
    uv_work_t work;
    char *text;
    size_t size;
    int status;
    int64_t headed_ms; // as its header says
    json_t *body;
    bool closed; // nobody waits for it any more
};

struct api {
    struct api_setup setup;
    struct request *requests;
    char authorization[HEADER_SIZE];
};

struct api *api_create(const struct api_setup *setup)
{
    struct api *const api = mb_new(1, sizeof *api);
    api->setup = *setup;
    if (setup->token != NULL) {
        (void)snprintf(api->authorization, sizeof api->authorization, "Authorization: Bearer %s",
                       setup->token);
    }
    return api;
}

static void request_free(struct request *request)
{
    sieve_destroy(request->sieve);
    free(request->text);
    free(request);
}

void api_close(struct api *api)
{
    while (api->requests != NULL) {
        struct request *const request = api->requests;
        api->requests = request->next;
        http_cancel(api->setup.http, request->number);
        if (request->text != NULL) { // being read
            request->closed = true;
        } else {
            request_free(request);
        }
    }
}

void api_destroy(struct api *api)
{
    if (api != NULL) {
        api_close(api);
    }
    free(api);
}

static void take_request(struct request *request)
{
    struct request **at = &request->api->requests;
    while (*at != request) {
        at = &(*at)->next;
    }
    *at = request->next;
}

/* Answers. */

static int64_t at_most(int64_t number, int64_t most)
{
    return number < most ? number : most;
}

// What the server says of when to come again may stand in either, or in neither: the longer counts.
static void tell_answer(struct request *request, const struct http_answer *http)
{
    json_t *const body = request->body;
    const char *const errcode = wire_word(body, "errcode");
    const char *const error = wire_word(body, "error");
    const int64_t said_ms =
        at_most(wire_number(body, "retry_after_ms", 0), (int64_t)REST_S * MS_PER_S);
    const char *const why = http != NULL ? http->why : NULL;
    const struct api_answer answer = {.status = request->status,
                                      .unknown = http != NULL && http->fault == HTTP_UNKNOWN,
                                      .too_long = http != NULL && http->too_long,
                                      .cut = request->sieve != NULL ? sieve_cut(request->sieve) : 0,
                                      .errcode = errcode != NULL ? errcode : "",
                                      .why = why != NULL     ? why
                                             : error != NULL ? error
                                                             : "",
                                      .retry_ms = request->status != STATUS_TOO_MANY ? 0
                                                  : said_ms > request->headed_ms
                                                      ? said_ms
                                                      : request->headed_ms,
                                      .body = body};
    take_request(request);
    if (request->done != NULL) {
        request->done(request->user, &answer);
    }
    json_decref(body);
    request_free(request);
}

static void read_text(uv_work_t *work)
{
    struct request *const request = work->data;
    request->body = decode_answer(request->text, request->size);
}

static void was_read(uv_work_t *work, int status)
{
    struct request *const request = work->data;
    (void)status;
    free(request->text);
    request->text = NULL;
    if (request->closed) {
        json_decref(request->body);
        request_free(request);
    } else {
        tell_answer(request, NULL);
    }
}

static bool read_elsewhere(struct request *request)
{
    request->work.data = request;
    return uv_queue_work(request->api->setup.loop, &request->work, read_text, was_read) == 0;
}

// The answer's text becomes the request's.
static bool take_text(struct request *request, const struct http_answer *http)
{
    if (request->sieve != NULL) {
        request->text = sieve_give(request->sieve, &request->size);
        return request->text != NULL;
    }
    if (http->body_size > LONG_SIZE) {
        request->text = mb_text_of(http->body, http->body_size);
        request->size = http->body_size;
    }
    return request->text != NULL;
}

static bool sieve_bytes(void *user, const char *bytes, size_t size)
{
    const struct request *const request = user;
    return sieve_take(request->sieve, bytes, size);
}

static void was_answered(void *user, const struct http_answer *http)
{
    struct request *const request = user;
    const char *const header = http_header(http, "retry-after");
    request->status = http->status;
    request->headed_ms = header != NULL ? at_most(strtoll(header, NULL, 10), REST_S) * MS_PER_S : 0;
    const bool whole = http->fault == HTTP_NO_FAULT; // else what has come of it counts for nothing
    if (whole && take_text(request, http)) {
        if (request->size > LONG_SIZE && read_elsewhere(request)) {
            return;
        }
        request->body = decode_answer(request->text, request->size);
    } else {
        request->body = whole ? decode_answer(http->body, http->body_size) : NULL;
    }
    tell_answer(request, http);
}

static void free_body(uv_work_t *work)
{
    json_decref(work->data);
}

static void was_freed(uv_work_t *work, int status)
{
    (void)status;
    free(work);
}

void api_discard(struct api *api, json_t *body)
{
    uv_work_t *const work = mb_new(1, sizeof *work);
    work->data = body;
    if (uv_queue_work(api->setup.loop, work, free_body, was_freed) != 0) {
        free(work);
        json_decref(body);
    }
}

/* Requests. */

static uint64_t send_request(struct api *api, const struct api_call *call, const char *body,
                             struct request *request)
{
    char url[API_URL_SIZE + API_PATH_SIZE];
    const int length = snprintf(url, sizeof url, "%s%s", api->setup.homeserver, call->path);
    size_t headers = 0;
    struct http_request http = {.method = call->method,
                                .url = url,
                                .body = body,
                                .body_size = body != NULL ? strlen(body) : 0,
                                .timeout_ms = call->timeout_ms > 0 ? call->timeout_ms : TIMEOUT_MS,
                                .body_max = call->body_max,
                                .take = request->sieve != NULL ? sieve_bytes : NULL,
                                .once = call->once};
    if (body != NULL) {
        http.headers[headers++] = "Content-Type: application/json";
    }
    if (api->authorization[0] != '\0') {
        http.headers[headers] = api->authorization;
    }
    return length > 0 && (size_t)length < sizeof url
               ? http_send(api->setup.http, &http, was_answered, request)
               : 0;
}

uint64_t api_call(struct api *api, const struct api_call *call, api_done_fn *done, void *user)
{
    const bool empty = strcmp(call->method, "GET") == 0;
    char *const body = call->body != NULL ? json_dumps(call->body, JSON_COMPACT)
                       : empty            ? NULL
                                          : mb_text("{}");
    struct request *const request = mb_new(1, sizeof *request);
    json_decref(call->body);
    const struct sieve_bounds bounds = {
        .part = call->part_max, .whole = call->body_max, .read = READ_MAX};
    *request = (struct request){.api = api, .done = done, .user = user};
    request->sieve = call->part_max > 0 ? sieve_create(&bounds) : NULL;
    const uint64_t number = send_request(api, call, body, request);
    free(body);
    if (number == 0) {
        request_free(request);
        return 0;
    }
    request->number = number;
    request->next = api->requests;
    api->requests = request;
    return number;
}

bool api_is_later(const struct api_answer *answer)
{
    return (answer->status == 0 && !answer->too_long) || answer->status == STATUS_UNAUTHORIZED ||
           answer->status == STATUS_TOO_MANY || answer->status >= STATUS_ERROR;
}

bool api_is_unseen(const struct api_answer *answer)
{
    return (answer->status == 0 && !answer->unknown) || answer->status == STATUS_UNAUTHORIZED ||
           answer->status == STATUS_TOO_MANY;
}

// The server has looked, and there is no such thing: any other 404 says nothing of that.
static bool api_is_none(const struct api_answer *answer)
{
    return answer->status == STATUS_NOT_FOUND && strcmp(answer->errcode, "M_NOT_FOUND") == 0;
}

int64_t api_wait_ms(const struct api_answer *answer, unsigned tries)
{
    const int64_t wait = (int64_t)WAIT_FIRST_MS
                         << (tries < WAIT_DOUBLINGS ? tries : WAIT_DOUBLINGS);
    return answer->retry_ms > 0 ? answer->retry_ms
                                : (wait < WAIT_LAST_MS ? wait : (int64_t)WAIT_LAST_MS);
}

bool api_path(char out[API_PATH_SIZE], const char *before, const char *id, const char *behind)
{
    static const char HEX[] = "0123456789ABCDEF";
    const size_t room = strlen(behind) + 1;
    size_t length = strlen(before);
    memcpy(out, before, length + 1);
    for (const char *at = id; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || strchr("-._~", byte) != NULL;
        if (length + 3 + room > API_PATH_SIZE) {
            return false;
        }
        if (plain) {
            out[length++] = *at;
        } else {
            out[length++] = '%';
            out[length++] = HEX[byte >> 4];
            out[length++] = HEX[byte & 0xF];
        }
    }
    memcpy(out + length, behind, room);
    return true;
}

const char API_MEMBERS[] = "/members?not_membership=leave";
static const char ROOMS[] = "/_matrix/client/v3/rooms/";

/* In fibres. */

static const struct api_answer NOT_ASKED = {.errcode = "", .why = "unsent"};

static void wake_with_answer(void *user, const struct api_answer *answer)
{
    struct api_answer *const place = fibre_answered(user);
    *place = *answer; // who stops has closed the api before
    fibre_wake(user);
}

bool api_await(struct fibre *fibre, struct api *api, const struct api_call *call,
               struct api_answer *out)
{
    *out = NOT_ASKED;
    if (!fibre_asks(fibre, out)) {
        json_decref(call->body);
        return false;
    }
    if (api_call(api, call, wake_with_answer, fibre) == 0) {
        (void)fibre_answered(fibre);
    }
    return fibre_wait_answer(fibre);
}

bool api_room_await(struct fibre *fibre, struct api *api, const struct api_room_call *call,
                    struct api_answer *out)
{
    char path[API_PATH_SIZE];
    const struct api_call whole = {.method = call->method,
                                   .path = path,
                                   .body = call->body,
                                   .body_max = call->body_max,
                                   .once = call->once};
    if (api_path(path, ROOMS, call->room, call->what)) {
        return api_await(fibre, api, &whole, out);
    }
    json_decref(call->body);
    *out = NOT_ASKED;
    return true;
}

// Only "there is no such state" says that it is not.
bool api_sealed_await(struct fibre *fibre, struct api *api, const char *room, enum api_sealed *out)
{
    const struct api_room_call call = {
        .method = "GET", .room = room, .what = "/state/m.room.encryption"};
    struct api_answer answer;
    for (unsigned tries = 0; api_room_await(fibre, api, &call, &answer);) {
        const bool none = api_is_none(&answer);
        tries += api_is_later(&answer) ? 0 : 1;
        if (none || api_good(&answer) || tries == TRIES) {
            *out = none ? API_SEALED_NOT : api_good(&answer) ? API_SEALED : API_SEALED_UNSAID;
            return true;
        }
        if (!api_sleep(fibre, api, api_wait_ms(&answer, tries))) {
            return false;
        }
    }
    return false;
}

struct alarm {
    uv_timer_t timer;
    struct fibre *fibre;
    bool rang;
};

static void on_alarm(uv_timer_t *timer)
{
    struct alarm *const alarm = timer->data;
    alarm->rang = true;
    fibre_wake(alarm->fibre);
}

static void on_alarm_closed(uv_handle_t *handle)
{
    free(handle->data);
}

bool api_sleep(struct fibre *fibre, const struct api *api, int64_t ms)
{
    return api_sleep_until(fibre, api, ms, NULL);
}

bool api_sleep_until(struct fibre *fibre, const struct api *api, int64_t ms, const bool *enough)
{
    struct alarm *const alarm = mb_new(1, sizeof *alarm);
    bool goes_on = true;
    alarm->fibre = fibre;
    alarm->timer.data = alarm;
    (void)uv_timer_init(api->setup.loop, &alarm->timer);
    // At 0 it would ring before the loop has turned: libuv looks for timers once more.
    (void)uv_timer_start(&alarm->timer, on_alarm, ms > 0 ? (uint64_t)ms : 1, 0);
    while (goes_on && !alarm->rang && (enough == NULL || !*enough)) {
        goes_on = fibre_wait(fibre);
    }
    uv_close((uv_handle_t *)&alarm->timer, on_alarm_closed);
    return goes_on;
}

int64_t api_now_ms(const struct api *api)
{
    return (int64_t)uv_now(api->setup.loop);
}

enum { APART_MAX_MS = 60000, CALM_TURNS = 10 };

// A homeserver counts what enters a room as a message, too: who waits for a table goes first.
static const int64_t APART_MIN_MS[LIMITS_COUNT] = {[LIMITS_JOIN] = 30000};

int64_t limits_wait_ms(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                       int64_t now_ms)
{
    struct limits_kind *const kind = &limits->kinds[of];
    if (now_ms - kind->refused_ms >= CALM_TURNS * kind->apart_ms) {
        kind->apart_ms = 0;
    }
    if (!turn->taken || turn->round != kind->round) {
        turn->taken = true;
        turn->round = kind->round;
        turn->at_ms = now_ms > kind->next_ms ? now_ms : kind->next_ms;
        kind->next_ms = turn->at_ms + kind->apart_ms;
    }
    return turn->at_ms > now_ms ? turn->at_ms - now_ms : 0;
}

bool limits_again(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                  const struct api_answer *answer, int64_t now_ms)
{
    struct limits_kind *const kind = &limits->kinds[of];
    turn->taken = false;
    if (!api_is_unseen(answer)) {
        kind->tries = 0;
        return false;
    }
    int64_t wait = api_wait_ms(answer, kind->tries++);
    if (answer->status == STATUS_TOO_MANY) {
        wait = wait > APART_MIN_MS[of] ? wait : APART_MIN_MS[of];
        kind->apart_ms = wait < APART_MAX_MS ? wait : (int64_t)APART_MAX_MS;
        kind->refused_ms = now_ms;
    }
    kind->next_ms = now_ms + wait;
    kind->round++;
    return true;
}

bool limits_await(struct fibre *fibre, struct limits *limits, enum limits_of of, struct api *api,
                  const struct api_call *call, struct api_answer *out)
{
    struct limits_turn turn = {.taken = false};
    bool goes_on = true;
    do {
        int64_t wait_ms = limits_wait_ms(limits, of, &turn, api_now_ms(api));
        while (goes_on && wait_ms > 0) {
            goes_on = api_sleep(fibre, api, wait_ms);
            wait_ms = limits_wait_ms(limits, of, &turn, api_now_ms(api));
        }
        json_incref(call->body); // each call takes one
        goes_on = goes_on && api_await(fibre, api, call, out);
    } while (goes_on && limits_again(limits, of, &turn, out, api_now_ms(api)));
    json_decref(call->body);
    return goes_on;
}
