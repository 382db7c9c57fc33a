#include "adapters/matrix/listen/poll.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/errand.h"

#include "adapters/matrix/listen/ration.h"
#include "adapters/matrix/matrix_impl.h"
#include "adapters/matrix/say/seal.h"

enum {
    POLL_MS = 30000,
    POLL_MORE_MS = 30000, // an answer may be late by that
    FULL_MS = 600000,     // the first one, of all rooms
    WAIT_LAST_MS = 8000,  // people wait behind it
    HOLD_MS = 1000,       // until another's is asked for again
    RENEW_MS = 2000,
    SILENCE_MS = 45000,
    TRICKLE_MS = 1000,  // between two rooms that are asked for alone
    PIECE = 16,         // events between two looks at the clock
    PIECE_NS = 3000000, // for the loop at a time: at most 5 ms with what else it has to do
    GAP_TRIES = 8,
    GAP_PAGES = 10,
    GAP_PAGE = 100,
    STATUS_UNAUTHORIZED = 401,
    STATUS_BAD = 400
};

/*
 * Where the bot stands in what its homeserver has to tell: the token of the latest sync, and of the
 * latest whose lines are all dealt with.
 *
 * Only the second is kept. What comes behind it is told again after a restart, and lines are known
 * again by their events' ids: nothing is lost and nothing done twice. Where the device has keys, it
 * is kept whose place it is and how often they had been committed by then: behind another device's
 * token what was sent to this one is not told, and keys with fewer commits are an older copy.
 * Reference: Matrix, sections 0.4 and 15.10.
 */

/* A sync whose lines are in the queue. */
struct batch {
    struct batch *next;
    uint64_t number;  // of its last line
    uint64_t commits; // of keys
    char since[STREAM_TOKEN_SIZE];
};

struct stream {
    struct chat *chat;
    const struct seal *seal;
    uint64_t commits;          // that were kept
    char device[CHAT_ID_SIZE]; // whose keys, or "": nobody's
    char since[STREAM_TOKEN_SIZE];
    struct batch *first, **end;
};

static const char WORD[] = "since";

enum { PLACE_SIZE = STREAM_TOKEN_SIZE + CHAT_ID_SIZE + 32 };

static struct stream *stream_create(struct chat *chat, const struct seal *seal)
{
    struct stream *const stream = mb_new(1, sizeof *stream);
    stream->chat = chat;
    stream->seal = seal;
    stream->end = &stream->first;
    return stream;
}

static void drop_first(struct stream *stream)
{
    struct batch *const batch = stream->first;
    stream->first = batch->next;
    stream->end = stream->first == NULL ? &stream->first : stream->end;
    free(batch);
}

static void stream_destroy(struct stream *stream)
{
    while (stream != NULL && stream->first != NULL) {
        drop_first(stream);
    }
    free(stream);
}

// "TOKEN", or, where there are keys, "TOKEN\nCOMMITS DEVICE".
static void read_place(struct stream *stream, const char *text)
{
    const size_t length = strcspn(text, "\n");
    const char *const keys = text[length] == '\n' ? text + length + 1 : "";
    char *device = NULL;
    if (length < sizeof stream->since) {
        (void)snprintf(stream->since, sizeof stream->since, "%.*s", (int)length, text);
    }
    stream->commits = strtoull(keys, &device, 10);
    (void)snprintf(stream->device, sizeof stream->device, "%s", device + (*device == ' ' ? 1 : 0));
}

static bool stream_await(struct fibre *fibre, struct stream *stream, const char *device)
{
    struct kept_items kept;
    while (stream->first != NULL) { // of an earlier time, when the token was this process's
        drop_first(stream);
    }
    stream->since[0] = stream->device[0] = '\0';
    stream->commits = 0;
    if (!chat_read_await(fibre, stream->chat, WORD, &kept)) {
        return false;
    }
    if (kept.count > 0 && kept.items[0].size < PLACE_SIZE) {
        char *const text = mb_text_of(kept.items[0].at, kept.items[0].size);
        read_place(stream, text);
        free(text);
    }
    if (seal_has_keys(stream->seal) && strcmp(stream->device, device) != 0) {
        if (stream->device[0] != '\0') {
            stream->since[0] = '\0';
        }
        stream->commits = 0;
        (void)snprintf(stream->device, sizeof stream->device, "%s", device);
    }
    return true;
}

static const char *stream_since(const struct stream *stream)
{
    return stream->since;
}

// More may be dealt with than before.
static void stream_settle(struct stream *stream)
{
    const uint64_t settled = chat_queue_settled(stream->chat->sink.queue);
    while (stream->first != NULL && stream->first->number <= settled) {
        const struct batch *const batch = stream->first;
        char text[PLACE_SIZE];
        if (stream->device[0] == '\0') {
            (void)snprintf(text, sizeof text, "%s", batch->since);
        } else {
            (void)snprintf(text, sizeof text, "%s\n%" PRIu64 " %s", batch->since, batch->commits,
                           stream->device);
        }
        const struct chat_kept item = {.word = WORD, .at = text, .size = strlen(text)};
        if ((batch->next == NULL || batch->next->number > settled) &&
            !chat_keep(stream->chat, &item, NULL, NULL)) {
            return; // with the next
        }
        drop_first(stream);
    }
}

// A sync has come whose lines are all in the queue; "" : the token is good for nothing.
static void stream_advance(struct stream *stream, const char *since)
{
    struct batch *const batch = mb_new(1, sizeof *batch);
    (void)snprintf(stream->since, sizeof stream->since, "%s", since);
    batch->number = stream->chat->sink.queue->pushed;
    batch->commits = seal_has_keys(stream->seal) ? seal_commits(stream->seal) : stream->commits;
    (void)snprintf(batch->since, sizeof batch->since, "%s", since);
    *stream->end = batch;
    stream->end = &batch->next;
    stream_settle(stream);
}

/* One sync after the other. */

struct poll {
    struct matrix *matrix;
    struct fibre *fibre; // that listens, or NULL
    struct stream *stream;
    struct ration ration;
    struct cuts cuts;
    const struct cut *alone; // what is told is this room's, and no sync of all; or NULL
    json_t *joined;          // the list of rooms that the next sync is held against, or NULL
    char bot[CHAT_ID_SIZE], device[CHAT_ID_SIZE];
    char next[STREAM_TOKEN_SIZE]; // of the sync that is being told
    unsigned tries;
    uint64_t piece_ns;  // since when the loop is held
    unsigned events;    // told since
    int64_t heard_ms;   // when the latest sync was answered, or listening began
    uint64_t connects;  // how often listening has begun
    uv_timer_t silence; // until nothing has been heard for too long
    bool stopped;
    bool listens;  // it is this process's to
    bool walked;   // a sync is told, and not in the queue yet
    bool all_told; // of all rooms
    bool lost;     // another process listens: whatever comes is not ours
};

static void log_line(const struct poll *poll, enum net_log_level level, const char *event,
                     const char *text)
{
    matrix_log(poll->matrix, level, event, text);
}

/* Asking. What returns false has nothing more to do here: the end has come, or another process
 * listens. */

static bool end_for_good(const struct poll *poll, const char *why)
{
    struct mb_error err = {0};
    (void)mb_fail(&err, MB_ERR_INPUT, "%s", why);
    poll->matrix->setup.fatal(poll->matrix->setup.user, &err);
    return false;
}

// A session that is gone no one gets back by asking again: the operator is told.
static bool ask_homeserver(struct fibre *fibre, struct poll *poll, const struct api_call *call,
                           struct api_answer *out)
{
    if (!api_await(fibre, poll->matrix->api, call, out)) {
        return false;
    }
    if (out->status == STATUS_UNAUTHORIZED &&
        !json_is_true(json_object_get(out->body, "soft_logout"))) {
        return end_for_good(poll, "the homeserver rejected the bot's token: \"munchbot matrix "
                                  "login\" creates a new one");
    }
    return !poll->lost;
}

static bool pause_listening(struct fibre *fibre, struct poll *poll, int64_t ms)
{
    return api_sleep_until(fibre, poll->matrix->api, ms, &poll->lost) && !poll->lost;
}

static bool pause_after(struct fibre *fibre, struct poll *poll, const struct api_answer *answer)
{
    const int64_t wait = api_wait_ms(answer, poll->tries++);
    log_line(poll, NET_LOG_WARN, "homeserver-away", answer->why);
    return pause_listening(
        fibre, poll, answer->retry_ms > 0 || wait < WAIT_LAST_MS ? wait : (int64_t)WAIT_LAST_MS);
}

/* Who it is. */

static bool is_other(const char *wanted, const char *is)
{
    return wanted != NULL && (is == NULL || strcmp(wanted, is) != 0);
}

static bool find_out_who(struct fibre *fibre, struct poll *poll)
{
    const struct api_call call = {.method = "GET", .path = "/_matrix/client/v3/account/whoami"};
    struct api_answer answer;
    for (;;) {
        if (!ask_homeserver(fibre, poll, &call, &answer)) {
            return false;
        }
        const char *const id = wire_id(answer.body, "user_id");
        if (api_good(&answer) && id != NULL) {
            const char *const device = wire_id(answer.body, "device_id");
            (void)snprintf(poll->bot, sizeof poll->bot, "%s", id);
            (void)snprintf(poll->device, sizeof poll->device, "%s", device != NULL ? device : "");
            poll->tries = 0;
            return (!is_other(poll->matrix->setup.user_id, id) &&
                    !is_other(poll->matrix->setup.device_id,
                              wire_word(answer.body, "device_id"))) ||
                   end_for_good(poll, "the token belongs to another account or device than "
                                      "configured: correct user_id and device_id, or log in again");
        }
        if (!pause_after(fibre, poll, &answer)) {
            return false;
        }
    }
}

static bool find_out_name(struct fibre *fibre, struct poll *poll)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    struct api_answer answer;
    if (!api_path(path, "/_matrix/client/v3/profile/", poll->bot, "") ||
        !api_await(fibre, poll->matrix->api, &call, &answer)) {
        return false;
    }
    const char *const name = wire_word(answer.body, "displayname");
    matrix_begin(poll->matrix, poll->bot, name != NULL ? name : "");
    return true;
}

/* Whose it is to listen. */

static bool await_hold(struct fibre *fibre, const struct poll *poll)
{
    struct kept_items held;
    for (;;) {
        if (!chat_hold_await(fibre, &poll->matrix->chat, "speaks", &held)) {
            return false;
        }
        if (held.count > 0) {
            return true;
        }
        if (!api_sleep(fibre, poll->matrix->api, HOLD_MS)) {
            return false;
        }
    }
}

// Another fibre, while the first listens.
static void renew_hold(struct fibre *fibre, void *user)
{
    struct poll *const poll = user;
    struct kept_items held;
    while (api_sleep(fibre, poll->matrix->api, RENEW_MS)) {
        if (!poll->listens || !chat_shares(&poll->matrix->chat)) {
            continue;
        }
        if (!chat_hold_await(fibre, &poll->matrix->chat, "speaks", &held)) {
            return;
        }
        if (poll->listens && held.count == 0 && poll->fibre != NULL) {
            log_line(poll, NET_LOG_WARN, "listening", "another process syncs now");
            poll->lost = true;
            poll->listens = false;
            (void)uv_timer_stop(&poll->silence);
            matrix_silent(poll->matrix);
            seal_rest(poll->matrix->seal);
            fibre_wake(poll->fibre);
        }
    }
}

/* What a homeserver has left out of a sync: a part of a timeline, asked for page by page, from
 * behind; who is in a room, asked for at once. */

// One that is none is asked for again, some times, and while the account is signed out as often as
// it takes. `*chunk`, of the answer: NULL if it is not to be had.
static bool ask_page(struct fibre *fibre, struct poll *poll, const char *path,
                     struct api_answer *out, json_t **chunk)
{
    const struct api_call call = {.method = "GET", .path = path};
    for (unsigned tries = 0, failed = 0;; tries++) {
        if (!ask_homeserver(fibre, poll, &call, out)) {
            return false;
        }
        *chunk = api_good(out) ? json_object_get(out->body, "chunk") : NULL;
        failed += json_is_array(*chunk) || api_is_unseen(out) ? 0 : 1;
        if (json_is_array(*chunk)) {
            return true;
        }
        if ((!api_good(out) && !api_is_later(out)) || failed == GAP_TRIES) {
            *chunk = NULL;
            log_line(poll, NET_LOG_WARN, "gap", out->why);
            return true;
        }
        if (!pause_listening(fibre, poll, api_wait_ms(out, tries))) {
            return false;
        }
    }
}

// Whether the bot comes in with it: what was said before was not said to it.
static bool is_own_join(const struct poll *poll, const json_t *json)
{
    struct wire_event event;
    if (!wire_read(json, &event) || event.state_key == NULL ||
        strcmp(event.type, "m.room.member") != 0 || strcmp(event.state_key, poll->bot) != 0) {
        return false;
    }
    const char *const is = wire_word(event.content, "membership");
    const char *const was = wire_word(event.was, "membership");
    return is != NULL && strcmp(is, "join") == 0 && (was == NULL || strcmp(was, "join") != 0);
}

// Whether the page is the last. Members who say something in it lie before it.
static bool take_page(const struct poll *poll, json_t *events, const json_t *page,
                      char from[STREAM_TOKEN_SIZE])
{
    const json_t *const chunk = json_object_get(page, "chunk");
    const char *const end = wire_word(page, "end");
    bool came_in = false;
    for (size_t i = 0; i < json_array_size(chunk) && !came_in; i++) {
        came_in = is_own_join(poll, json_array_get(chunk, i));
        if (!came_in) {
            (void)json_array_append(events, json_array_get(chunk, i));
        }
    }
    (void)json_array_extend(events, json_object_get(page, "state"));
    if (came_in || end == NULL || json_array_size(chunk) == 0 || strlen(end) >= STREAM_TOKEN_SIZE) {
        return true;
    }
    (void)snprintf(from, STREAM_TOKEN_SIZE, "%s", end);
    return false;
}

static const char *since_of(const struct poll *poll)
{
    return poll->alone != NULL ? poll->alone->since : stream_since(poll->stream);
}

static bool page_path(const char *room, const char *from, const char *to, char out[API_PATH_SIZE])
{
    char before[API_PATH_SIZE];
    char behind[API_PATH_SIZE];
    // {"lazy_load_members":true}
    (void)snprintf(
        behind, sizeof behind,
        "/messages?filter=%%7B%%22lazy_load_members%%22%%3Atrue%%7D&dir=b&limit=%d&from=",
        (int)GAP_PAGE);
    return api_path(before, "/_matrix/client/v3/rooms/", room, behind) &&
           api_path(behind, before, from, "&to=") && api_path(out, behind, to, "");
}

// The newest first; `*whole`: all of it came, up to GAP_PAGES of it.
static bool fetch_gap(struct fibre *fibre, struct poll *poll, const struct sync_gap *gap,
                      json_t *events, bool *whole)
{
    char from[STREAM_TOKEN_SIZE] = "";
    char path[API_PATH_SIZE];
    const char *const to = since_of(poll);
    const bool fits = strlen(gap->from) < sizeof from;
    (void)snprintf(from, sizeof from, "%s", fits ? gap->from : "");
    *whole = false;
    for (unsigned i = 0; i < GAP_PAGES && fits && !*whole; i++) {
        struct api_answer answer;
        json_t *chunk = NULL;
        if (!page_path(gap->room, from, to, path)) {
            break;
        }
        if (!ask_page(fibre, poll, path, &answer, &chunk)) {
            return false;
        }
        if (chunk == NULL) {
            break;
        }
        *whole = take_page(poll, events, answer.body, from);
    }
    return true;
}

static bool fetch_members(struct fibre *fibre, struct poll *poll, const char *room, json_t *events)
{
    char path[API_PATH_SIZE];
    struct api_answer answer;
    json_t *chunk = NULL;
    if (api_path(path, "/_matrix/client/v3/rooms/", room, API_MEMBERS) &&
        !ask_page(fibre, poll, path, &answer, &chunk)) {
        return false;
    }
    (void)json_array_extend(events, chunk);
    return true;
}

static bool fill_gap(void *user, const struct sync_gap *gap, json_t **out)
{
    struct poll *const poll = user;
    json_t *const events = json_array();
    bool whole = true;
    const bool goes_on = gap->from != NULL ? fetch_gap(poll->fibre, poll, gap, events, &whole)
                                           : fetch_members(poll->fibre, poll, gap->room, events);
    if (goes_on && !whole) {
        log_line(poll, NET_LOG_WARN, "gap", "some messages of a room were not delivered");
        matrix_lost(poll->matrix, gap->room, poll->next);
    }
    *out = json_array();
    for (size_t i = json_array_size(events); i > 0; i--) {
        (void)json_array_append(*out, json_array_get(events, i - 1));
    }
    json_decref(events);
    return goes_on;
}

/* Telling one. */

static bool open_sealed(void *user, const char *room, json_t *events, json_t **out)
{
    const struct poll *const poll = user;
    const struct room *const known = rooms_find(poll->matrix->rooms, room);
    return seal_open_await(poll->fibre, poll->matrix->seal, room,
                           known != NULL && room_is_encrypted(known), events, out) &&
           !poll->lost;
}

static bool let_others(struct poll *poll)
{
    const bool goes_on = pause_listening(poll->fibre, poll, 0);
    poll->piece_ns = uv_hrtime();
    return goes_on;
}

static bool rest_now(void *user)
{
    struct poll *const poll = user;
    const bool held = ++poll->events % PIECE == 0 && uv_hrtime() - poll->piece_ns >= PIECE_NS;
    return !held || let_others(poll);
}

// What is heard goes into a queue, which may be full.
static bool await_queue(struct fibre *fibre, struct poll *poll)
{
    poll->walked = true;
    matrix_walked(poll->matrix);
    while (poll->walked && !poll->lost && fibre_wait(fibre)) {
    }
    const bool goes_on = !poll->walked && !poll->lost;
    poll->walked = false;
    return goes_on;
}

static void on_silence(uv_timer_t *timer)
{
    struct poll *const poll = timer->data;
    log_line(poll, NET_LOG_WARN, "homeserver-away", "the homeserver has sent nothing for too long");
    matrix_silent(poll->matrix);
}

static bool tell_sync(struct fibre *fibre, struct poll *poll, json_t *body)
{
    const struct sync_waits waits = {
        .fill = fill_gap, .open = open_sealed, .rest = rest_now, .user = poll};
    const struct sync_told told = {.bot = poll->bot,
                                   .first = since_of(poll)[0] == '\0',
                                   .room = matrix_room_for,
                                   .invited = matrix_invited,
                                   .too_large = matrix_too_large,
                                   .left = matrix_left,
                                   .changed = matrix_changed,
                                   .happened = matrix_happened,
                                   .user = poll->matrix};
    json_t *const answer = json_incref(body);
    // Keys first, for the next sync deletes them.
    if (!let_others(poll) || !seal_heard_await(fibre, poll->matrix->seal, answer) || poll->lost ||
        !sync_tell(answer, &told, &waits)) {
        json_decref(answer);
        return false;
    }
    api_discard(poll->matrix->api, answer);
    if (!poll->all_told) {
        poll->all_told = true;
        log_line(poll, NET_LOG_INFO, "connected", poll->bot);
    }
    poll->tries = 0;
    poll->ration = (struct ration){0};
    poll->heard_ms = (int64_t)uv_now(poll->matrix->setup.loop);
    (void)uv_timer_start(&poll->silence, on_silence, SILENCE_MS, 0);
    return await_queue(fibre, poll);
}

/* One sync after the other. */

// A room that was left out of one. It is told, and nothing is known of what comes behind that: the
// stream stands.
static bool sync_alone(struct fibre *fibre, struct poll *poll)
{
    char path[API_PATH_SIZE];
    struct api_call call;
    struct api_answer answer = {.status = 0};
    const struct cut *const cut = poll->cuts.first;
    const struct ration_ask wanted = {.since = cut->since,
                                      .all = cut->all,
                                      .room = cut->room,
                                      .sealed = seal_has_keys(poll->matrix->seal)};
    if (ration_call(&(const struct ration){0}, &wanted, path, &call) &&
        !ask_homeserver(fibre, poll, &call, &answer)) {
        return false;
    }
    if (!api_good(&answer) || sync_next(answer.body) == NULL) {
        log_line(poll, NET_LOG_WARN, "sync-cut", "a room cannot be asked for alone now");
        cuts_again(&poll->cuts);
        return true;
    }
    poll->alone = cut;
    const bool goes_on = tell_sync(fibre, poll, answer.body);
    poll->alone = NULL;
    if (goes_on) {
        cuts_told(&poll->cuts);
    }
    return goes_on;
}

// The homeserver's list of the rooms that the bot is in, before it is told of them all. A server
// that has no such list is as good: then nothing is held against it.
static bool ask_joined(struct fibre *fibre, struct poll *poll)
{
    const struct api_call call = {.method = "GET", .path = "/_matrix/client/v3/joined_rooms"};
    struct api_answer answer;
    for (;;) {
        if (!ask_homeserver(fibre, poll, &call, &answer)) {
            return false;
        }
        if (!api_is_later(&answer)) {
            json_t *const list = json_object_get(answer.body, "joined_rooms");
            json_decref(poll->joined);
            poll->joined = api_good(&answer) && json_is_array(list) ? json_incref(list) : NULL;
            return true;
        }
        if (!pause_after(fibre, poll, &answer)) {
            return false;
        }
    }
}

static bool begin_anew(struct fibre *fibre, struct poll *poll, const struct api_answer *answer)
{
    log_line(poll, NET_LOG_WARN, "sync-token",
             "the homeserver rejected the position: syncing from the beginning");
    stream_advance(poll->stream, "");
    poll->all_told = false;
    return pause_after(fibre, poll, answer) && ask_joined(fibre, poll);
}

static void note_cut(struct poll *poll, const struct api_answer *answer)
{
    char text[64];
    (void)snprintf(text, sizeof text, "left out of a sync, as too large: %u", answer->cut);
    log_line(poll, NET_LOG_WARN, "sync-cut", text);
    cuts_note(&poll->cuts, answer->body, stream_since(poll->stream), !poll->all_told);
}

static bool sync_once(struct fibre *fibre, struct poll *poll)
{
    char path[API_PATH_SIZE];
    struct api_call call;
    struct api_answer answer = {.errcode = "", .why = "unsent"};
    const struct ration_ask wanted = {.since = stream_since(poll->stream),
                                      .all = !poll->all_told,
                                      .wait_ms = poll->cuts.first == NULL ? POLL_MS : TRICKLE_MS,
                                      .sealed = seal_has_keys(poll->matrix->seal)};
    const bool fits = ration_call(&poll->ration, &wanted, path, &call);
    call.timeout_ms = poll->all_told ? POLL_MS + POLL_MORE_MS : FULL_MS;
    if (fits && !ask_homeserver(fibre, poll, &call, &answer)) {
        return false;
    }
    // A proxy's 400 says nothing of the token.
    if (answer.status == STATUS_BAD && answer.errcode[0] != '\0' && wanted.since[0] != '\0') {
        return begin_anew(fibre, poll, &answer);
    }
    if (answer.too_long || (answer.cut > 0 && !ration_is_least(&poll->ration))) {
        return pause_listening(
            fibre, poll,
            ration_cut(&poll->ration, poll->matrix->setup.log, poll->matrix->setup.user));
    }
    if (answer.cut > 0) {
        note_cut(poll, &answer);
    }
    const char *const next = api_good(&answer) ? sync_next(answer.body) : NULL;
    if (next == NULL || strlen(next) >= STREAM_TOKEN_SIZE) {
        return pause_after(fibre, poll, &answer);
    }
    (void)snprintf(poll->next, sizeof poll->next, "%s", next);
    if (poll->joined != NULL) {
        matrix_counted(poll->matrix, poll->joined, answer.body);
        json_decref(poll->joined);
        poll->joined = NULL;
    }
    if (!tell_sync(fibre, poll, answer.body)) {
        return false;
    }
    stream_advance(poll->stream, poll->next);
    return poll->cuts.first == NULL || sync_alone(fibre, poll);
}

static void listen_on(struct fibre *fibre, void *user)
{
    struct poll *const poll = user;
    poll->fibre = fibre;
    bool goes_on = find_out_who(fibre, poll) && find_out_name(fibre, poll);
    while (goes_on && await_hold(fibre, poll)) {
        poll->listens = true;
        poll->heard_ms = (int64_t)uv_now(poll->matrix->setup.loop);
        poll->connects++;
        house_listens(poll->matrix->house);
        goes_on = stream_await(fibre, poll->stream, poll->device) && !poll->lost;
        if (goes_on) {
            seal_begin(poll->matrix->seal, poll->bot, poll->device, poll->stream->commits);
        }
        goes_on = goes_on && ask_joined(fibre, poll);
        while (goes_on) {
            goes_on = sync_once(fibre, poll);
        }
        goes_on = poll->lost && api_sleep(fibre, poll->matrix->api, HOLD_MS);
        poll->lost = poll->all_told = poll->walked = false;
        cuts_clear(&poll->cuts);
        poll->tries = 0;
    }
    poll->fibre = NULL;
    poll->listens = false;
}

/* Whole. */

void poll_start(struct poll *poll)
{
    fibres_start(poll->matrix->fibres, renew_hold, poll);
    fibres_start(poll->matrix->fibres, listen_on, poll);
}

void poll_go_on(struct poll *poll)
{
    if (poll->walked) {
        poll->walked = false;
        fibre_wake(poll->fibre);
    }
}

void poll_settle(struct poll *poll)
{
    if (!poll->lost) {
        stream_settle(poll->stream);
    }
}

void poll_figures(const struct poll *poll, struct chat_figures *out)
{
    const char *why = NULL;
    const bool shares = chat_shares(&poll->matrix->chat);
    out->standby = !poll->listens && shares && poll->bot[0] != '\0';
    out->links = out->standby ? 0 : 1;
    out->live = poll->listens && poll->matrix->near ? 1 : 0;
    out->connects = poll->connects;
    if (out->standby) {
        why = "another process listens to the homeserver";
    } else if (poll->bot[0] == '\0') {
        why = "asking the homeserver who the bot is";
    } else if (!poll->all_told) {
        why = "waiting for the homeserver's list of rooms";
    } else if (!poll->matrix->near) {
        why = "the homeserver has sent nothing for too long";
    }
    out->away = why;
    if (poll->listens) {
        out->silent_ms = (int64_t)uv_now(poll->matrix->setup.loop) - poll->heard_ms;
    }
}

bool poll_is_told(const struct poll *poll)
{
    return poll->all_told && !poll->lost;
}

struct poll *poll_create(struct matrix *matrix)
{
    struct poll *const poll = mb_new(1, sizeof *poll);
    poll->matrix = matrix;
    poll->stream = stream_create(&matrix->chat, matrix->seal);
    (void)uv_timer_init(matrix->setup.loop, &poll->silence);
    poll->silence.data = poll;
    return poll;
}

void poll_stop(struct poll *poll)
{
    if (!poll->stopped) {
        poll->stopped = true;
        uv_close((uv_handle_t *)&poll->silence, NULL);
    }
}

void poll_destroy(struct poll *poll)
{
    if (poll != NULL) {
        json_decref(poll->joined);
        cuts_clear(&poll->cuts);
        stream_destroy(poll->stream);
    }
    free(poll);
}
