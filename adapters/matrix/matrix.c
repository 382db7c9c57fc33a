#include "adapters/matrix/matrix.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"
#include "bot/text/text.h"

#include "adapters/matrix/heard.h"
#include "adapters/matrix/joins.h"
#include "adapters/matrix/listen.h"
#include "adapters/matrix/news.h"
#include "adapters/matrix/prose.h"
#include "adapters/matrix/speech.h"
#include "adapters/matrix/stream.h"
#include "adapters/matrix/sync.h"

enum {
    POLL_MS = 30000,
    POLL_MORE_MS = 30000, // an answer may be late by that
    FULL_MS = 600000,     // the first one, of all rooms
    NAME_SIZE = 256,
    POWER_MODERATOR = 50,
    AWAY_MS = 45000, // without an answer to a sync
    STATUS_UNAUTHORIZED = 401,
    STATUS_BAD = 400
};

enum step { STEP_WHOAMI, STEP_PROFILE, STEP_SINCE, STEP_SYNC };

struct matrix {
    struct chat chat;
    struct matrix_setup setup;
    struct api *api;
    struct rooms *rooms;
    struct speech *speech; // from STEP_SYNC on
    struct heard *heard;
    struct joins *joins;
    struct stream *stream;
    char user_id[CHAT_ID_SIZE], name[NAME_SIZE];
    char next[STREAM_TOKEN_SIZE]; // of the sync whose lines are on their way into the queue
    enum step step;
    unsigned tries;
    uv_timer_t timer;   // until the next try
    uv_timer_t silence; // until the network counts as away
    bool started, stopped, walking, all_told;
    bool near; // the host was told that the network can be heard
};

static void step(struct matrix *matrix);

static struct matrix *matrix_of(struct chat *chat);

static void log_line(const struct matrix *matrix, enum net_log_level level, const char *event,
                     const char *text)
{
    matrix->setup.log(matrix->setup.user, level, event, text);
}

/* Trying again. */

static void on_timer(uv_timer_t *timer)
{
    step(timer->data);
}

static void step_again(struct matrix *matrix, const struct api_answer *answer)
{
    const int64_t wait = api_wait_ms(answer, matrix->tries);
    if (matrix->stopped) {
        return;
    }
    matrix->tries++;
    log_line(matrix, NET_LOG_WARN, "homeserver-away", answer->why);
    (void)uv_timer_start(&matrix->timer, on_timer, (uint64_t)wait, 0);
}

// The question itself could not be put.
static void not_asked(struct matrix *matrix)
{
    struct mb_error err = {0};
    (void)mb_fail(&err, MB_ERR_RETRY, "nothing could be asked: out of memory, or too early");
    step_again(matrix, &(const struct api_answer){.why = err.text, .errcode = ""});
}

// Whether the session is gone; no one gets it back by asking again.
static bool is_over(struct matrix *matrix, const struct api_answer *answer)
{
    struct mb_error err = {0};
    if (answer->status != STATUS_UNAUTHORIZED ||
        json_is_true(json_object_get(answer->body, "soft_logout"))) {
        return false;
    }
    (void)mb_fail(&err, MB_ERR_INPUT,
                  "the homeserver does not know the bot's token: \"munchbot matrix login\" "
                  "makes a new one");
    matrix->setup.fatal(matrix->setup.user, &err);
    return true;
}

/* What happens in rooms. */

static bool is_own(void *user, const char *id)
{
    const struct matrix *const matrix = user;
    return speech_is_own(matrix->speech, id);
}

static struct room *room_for(void *user, const char *id)
{
    const struct matrix *const matrix = user;
    return rooms_get(matrix->rooms, id);
}

static void hear(struct matrix *matrix, const struct room *room, const struct wire_event *event,
                 const char *line)
{
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    const char *const hand_of = room_hand_of(room, matrix->user_id);
    const bool direct = hand_of != NULL && strcmp(hand_of, event->sender) == 0;
    room_name_of(room, event->sender, name, sizeof name);
    const struct chat_in in = {.place = room_id(room),
                               .person = event->sender,
                               .event = event->id,
                               .line = line,
                               .name = name,
                               .place_name = room_title(room),
                               .age_ms = event->age_ms > 0 ? event->age_ms : 0,
                               .direct = direct,
                               .open = !direct,
                               .moderator = room_permits(room, event->sender, POWER_MODERATOR)};
    speech_retry(matrix->speech, event->sender);
    if (!heard_add(matrix->heard, &in)) {
        log_line(matrix, NET_LOG_ERROR, "heard", "a line was lost: out of memory");
    }
}

// What the hall never hears of is answered here, once for each event: its id names the answer.
static void answer(struct matrix *matrix, const struct room *room, const struct wire_event *event,
                   enum text_id text)
{
    uint64_t numbers[2] = {0};
    (void)crypto_generichash((unsigned char *)numbers, sizeof numbers,
                             (const unsigned char *)event->id, strlen(event->id), NULL, 0);
    const struct chat_out out = {.kind = CHAT_REPLY,
                                 .key = {.epoch = numbers[0], .number = numbers[1]},
                                 .place = room_id(room),
                                 .person = event->sender,
                                 .text = text_sentence(text)};
    if (!speech_say(matrix->speech, &out)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

// In a hand room nobody is heard but its owner.
static bool is_stranger(const struct matrix *matrix, const struct room *room,
                        const struct wire_event *event)
{
    const char *const hand_of = room_hand_of(room, matrix->user_id);
    return hand_of != NULL && strcmp(hand_of, event->sender) != 0;
}

static void happened(void *user, struct room *room, const struct wire_event *event)
{
    struct matrix *const matrix = user;
    char line[CHAT_LINE_SIZE];
    const struct listener listener = {.bot = matrix->user_id,
                                      .name = matrix->name,
                                      .prefix = matrix->setup.prefix,
                                      .hand = room_hand_of(room, matrix->user_id) != NULL,
                                      .is_own = is_own,
                                      .user = matrix};
    if (event->id[0] == '\0' || is_stranger(matrix, room, event)) {
        return;
    }
    switch (listen_to(&listener, event, line)) {
    case LISTEN_HEARD:
        hear(matrix, room, event, line[0] != '\0' ? line : "help");
        break;
    case LISTEN_TOO_LONG:
        answer(matrix, room, event, TEXT_HALL_TOO_LONG);
        break;
    case LISTEN_SILENT:
        break;
    }
}

static void tell(struct matrix *matrix, const struct chat_in *in)
{
    if (!heard_add(matrix->heard, in)) {
        log_line(matrix, NET_LOG_ERROR, "heard", "news was lost: out of memory");
    }
}

static void changed(void *user, struct room *room, const struct wire_event *event, bool fresh)
{
    struct matrix *const matrix = user;
    struct chat_in news;
    speech_room(matrix->speech, room);
    if (fresh && strcmp(event->type, "m.room.tombstone") == 0 &&
        room_replacement(room)[0] != '\0') {
        joins_add(matrix->joins, room_replacement(room));
    }
    if (fresh && news_of(matrix->rooms, room, event, matrix->user_id, &news)) {
        tell(matrix, &news);
    }
}

static void left(void *user, const char *id, bool thrown_out)
{
    struct matrix *const matrix = user;
    const struct room *const room = rooms_find(matrix->rooms, id);
    struct chat_in news;
    if (room != NULL && thrown_out) {
        log_line(matrix, NET_LOG_INFO, "room-left", "the bot was put out of a room");
        news_left(room, matrix->user_id, &news);
        tell(matrix, &news);
    }
    rooms_forget(matrix->rooms, id);
}

static void gap(void *user, const struct sync_gap *told)
{
    const struct matrix *const matrix = user;
    (void)told;
    log_line(matrix, NET_LOG_WARN, "gap", "a part of what was said in a room did not come");
}

/* Invitations. */

static void invited(void *user, const struct sync_invitation *invitation)
{
    struct matrix *const matrix = user;
    if (invitation->space || invitation->encrypted) {
        log_line(matrix, NET_LOG_INFO, "invitation",
                 invitation->space ? "to a space: not accepted"
                                   : "to an encrypted room: not accepted");
        return;
    }
    joins_add(matrix->joins, invitation->room);
}

/* One sync after the other. */

static void pump(struct matrix *matrix)
{
    if (matrix->stopped || !heard_push(matrix->heard, matrix->chat.sink.queue)) {
        return;
    }
    if (matrix->walking) {
        matrix->walking = false;
        (void)!stream_advance(matrix->stream, matrix->next);
        step(matrix);
    }
    stream_settle(matrix->stream);
}

static void on_silence(uv_timer_t *timer)
{
    struct matrix *const matrix = timer->data;
    matrix->near = false;
    log_line(matrix, NET_LOG_WARN, "homeserver-away", "nothing has come for too long");
    tell(matrix, &(const struct chat_in){.kind = CHAT_IN_AWAY});
    pump(matrix);
}

static void synced(void *user, const struct api_answer *answer)
{
    struct matrix *const matrix = user;
    if (matrix->stopped || is_over(matrix, answer)) {
        return;
    }
    const bool first = stream_since(matrix->stream)[0] == '\0';
    if (answer->status == STATUS_BAD && !first) {
        log_line(matrix, NET_LOG_WARN, "sync-token", "the homeserver does not know it: anew");
        (void)!stream_advance(matrix->stream, "");
        matrix->all_told = false;
    }
    const struct sync_told told = {.bot = matrix->user_id,
                                   .first = first,
                                   .room = room_for,
                                   .invited = invited,
                                   .left = left,
                                   .gap = gap,
                                   .changed = changed,
                                   .happened = happened,
                                   .user = matrix};
    const char *const next = api_good(answer) ? sync_walk(answer->body, &told) : NULL;
    if (next == NULL || strlen(next) >= STREAM_TOKEN_SIZE) {
        step_again(matrix, answer);
        return;
    }
    speech_synced(matrix->speech);
    if (!matrix->near) {
        matrix->near = true;
        log_line(matrix, NET_LOG_INFO, "homeserver-there", matrix->setup.homeserver);
        tell(matrix, &(const struct chat_in){.kind = CHAT_IN_BACK});
    }
    (void)uv_timer_start(&matrix->silence, on_silence, AWAY_MS, 0);
    if (!matrix->all_told) {
        matrix->all_told = true;
        log_line(matrix, NET_LOG_INFO, "connected", matrix->user_id);
    }
    matrix->tries = 0;
    (void)snprintf(matrix->next, sizeof matrix->next, "%s", next);
    matrix->walking = true;
    pump(matrix);
}

static const char FILTER[] =
    "%7B%22presence%22%3A%7B%22types%22%3A%5B%5D%7D%2C%22account_data%22%3A%7B%22types%22%3A%5B%5D"
    "%7D%2C%22room%22%3A%7B%22timeline%22%3A%7B%22limit%22%3A50%7D%2C%22ephemeral%22%3A%7B%22types"
    "%22%3A%5B%5D%7D%2C%22account_data%22%3A%7B%22types%22%3A%5B%5D%7D%7D%7D";

static void ask_sync(struct matrix *matrix)
{
    const char *const since = stream_since(matrix->stream);
    char before[512];
    char path[API_PATH_SIZE];
    (void)snprintf(before, sizeof before, "/_matrix/client/v3/sync?filter=%s&timeout=%d%s%s",
                   FILTER, matrix->all_told ? POLL_MS : 0,
                   matrix->all_told ? "" : "&full_state=true", since[0] != '\0' ? "&since=" : "");
    const struct api_call call = {.method = "GET",
                                  .path = path,
                                  .timeout_ms =
                                      matrix->all_told ? POLL_MS + POLL_MORE_MS : FULL_MS};
    if (!api_path(path, before, since, "") || api_call(matrix->api, &call, synced, matrix) == 0) {
        not_asked(matrix);
    }
}

/* Who it is. */

static bool begin(struct matrix *matrix);

static void told_name(void *user, const struct api_answer *answer)
{
    struct matrix *const matrix = user;
    const char *const name = wire_word(answer->body, "displayname");
    (void)snprintf(matrix->name, sizeof matrix->name, "%s", name != NULL ? name : "");
    matrix->step = STEP_SINCE;
    if (!matrix->stopped) {
        step(matrix);
    }
}

static void told_since(void *user)
{
    struct matrix *const matrix = user;
    matrix->step = STEP_SYNC;
    if (!matrix->stopped) {
        step(matrix);
    }
}

static void ask_since(struct matrix *matrix)
{
    if (!stream_read(matrix->stream, told_since, matrix)) {
        not_asked(matrix);
    }
}

static void ask_name(struct matrix *matrix)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    if (!api_path(path, "/_matrix/client/v3/profile/", matrix->user_id, "") ||
        api_call(matrix->api, &call, told_name, matrix) == 0) {
        not_asked(matrix);
    }
}

static bool is_other(const char *wanted, const char *is)
{
    return wanted != NULL && (is == NULL || strcmp(wanted, is) != 0);
}

static void told_who(void *user, const struct api_answer *answer)
{
    struct matrix *const matrix = user;
    const char *const id = wire_id(answer->body, "user_id");
    struct mb_error err = {0};
    if (matrix->stopped || is_over(matrix, answer)) {
        return;
    }
    if (!api_good(answer) || id == NULL) {
        step_again(matrix, answer);
        return;
    }
    if (is_other(matrix->setup.user_id, id) ||
        is_other(matrix->setup.device_id, wire_word(answer->body, "device_id"))) {
        (void)mb_fail(&err, MB_ERR_INPUT,
                      "the token is of another account or device than the configuration "
                      "says: correct user_id and device_id, or log in anew");
        matrix->setup.fatal(matrix->setup.user, &err);
        return;
    }
    (void)snprintf(matrix->user_id, sizeof matrix->user_id, "%s", id);
    if (!begin(matrix)) {
        (void)mb_fail(&err, MB_ERR_INPUT, "out of memory");
        matrix->setup.fatal(matrix->setup.user, &err);
        return;
    }
    matrix->tries = 0;
    matrix->step = STEP_PROFILE;
    step(matrix);
}

static void ask_who(struct matrix *matrix)
{
    const struct api_call call = {.method = "GET", .path = "/_matrix/client/v3/account/whoami"};
    if (api_call(matrix->api, &call, told_who, matrix) == 0) {
        not_asked(matrix);
    }
}

static void step(struct matrix *matrix)
{
    switch (matrix->step) {
    case STEP_WHOAMI:
        ask_who(matrix);
        break;
    case STEP_PROFILE:
        ask_name(matrix);
        break;
    case STEP_SINCE:
        ask_since(matrix);
        break;
    case STEP_SYNC:
        ask_sync(matrix);
        break;
    }
}

/* A chat. */

static void on_outcome(void *user, const struct chat_outcome *outcome)
{
    struct matrix *const matrix = user;
    if (!matrix->stopped) {
        chat_tell(&matrix->chat, outcome);
    }
}

static bool begin(struct matrix *matrix)
{
    if (matrix->speech != NULL) {
        return true;
    }
    matrix->rooms = rooms_create(matrix->user_id);
    const struct speech_setup setup = {.loop = matrix->setup.loop,
                                       .api = matrix->api,
                                       .rooms = matrix->rooms,
                                       .bot = matrix->user_id,
                                       .log = matrix->setup.log,
                                       .log_user = matrix->setup.user,
                                       .done = on_outcome,
                                       .user = matrix};
    matrix->speech = matrix->rooms != NULL ? speech_create(&setup) : NULL;
    return matrix->speech != NULL;
}

static bool matrix_start(struct chat *chat, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    (void)err;
    if (!matrix->started) {
        matrix->started = true;
        step(matrix);
    }
    return true;
}

static bool matrix_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    if (!matrix->started || matrix->stopped) {
        return mb_fail(err, MB_ERR_STATE, "Matrix is not started");
    }
    if (!matrix->all_told) { // whose room is whose is not known yet
        return mb_fail(err, MB_ERR_RETRY, "the homeserver has not told of the rooms yet");
    }
    return speech_say(matrix->speech, out) || mb_fail(err, MB_ERR_RETRY, "out of memory");
}

static void matrix_stop(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    if (matrix->stopped) {
        return;
    }
    matrix->stopped = true;
    api_close(matrix->api);
    joins_stop(matrix->joins);
    if (matrix->speech != NULL) {
        speech_stop(matrix->speech);
    }
    uv_close((uv_handle_t *)&matrix->timer, NULL);
    uv_close((uv_handle_t *)&matrix->silence, NULL);
}

static void free_parts(struct matrix *matrix)
{
    stream_destroy(matrix->stream);
    joins_destroy(matrix->joins);
    heard_destroy(matrix->heard);
    api_destroy(matrix->api);
    free(matrix);
}

static void matrix_destroy(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    speech_destroy(matrix->speech);
    rooms_destroy(matrix->rooms);
    free_parts(matrix);
}

static const struct chat_ops OPS = {.name = "matrix",
                                    .caps = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_ONE |
                                            CHAT_CAP_AFAR,
                                    .text_max = PROSE_MAX / 2,
                                    .start = matrix_start,
                                    .send = matrix_send,
                                    .stop = matrix_stop,
                                    .destroy = matrix_destroy};

static struct matrix *matrix_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct matrix *)chat;
}

static void settled(struct chat *chat, uint64_t number)
{
    (void)number;
    pump(matrix_of(chat));
}

static bool make_parts(struct matrix *matrix)
{
    const struct matrix_setup *const setup = &matrix->setup;
    const struct api_setup api = {
        .http = setup->http, .homeserver = setup->homeserver, .token = setup->token};
    matrix->api = api_create(&api);
    const struct joins_setup joins = {
        .loop = setup->loop, .api = matrix->api, .log = setup->log, .user = setup->user};
    matrix->joins = joins_create(&joins);
    matrix->heard = heard_create();
    matrix->stream = stream_create(&matrix->chat);
    return matrix->api != NULL && matrix->joins != NULL && matrix->heard != NULL &&
           matrix->stream != NULL;
}

struct chat *matrix_create(struct chat_queue *queue, const struct matrix_setup *setup,
                           struct mb_error *err)
{
    struct matrix *const matrix = calloc(1, sizeof *matrix);
    if (matrix == NULL) {
        (void)mb_fail(err, MB_ERR_LIMIT, "out of memory");
        return NULL;
    }
    matrix->chat = (struct chat){.ops = &OPS, .sink = {.queue = queue, .settled = settled}};
    matrix->setup = *setup;
    if (!make_parts(matrix)) {
        (void)mb_fail(err, MB_ERR_LIMIT, "out of memory");
        free_parts(matrix);
        return NULL;
    }
    (void)uv_timer_init(setup->loop, &matrix->timer);
    (void)uv_timer_init(setup->loop, &matrix->silence);
    matrix->timer.data = matrix->silence.data = matrix;
    return &matrix->chat;
}
