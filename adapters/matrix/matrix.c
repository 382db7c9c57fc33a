#include "adapters/matrix/matrix.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"
#include "bot/parse/parse.h"
#include "bot/parse/verb.h"
#include "bot/text/text.h"

#include "adapters/matrix/aside.h"
#include "adapters/matrix/blurted.h"
#include "adapters/matrix/census.h"
#include "adapters/matrix/farewell.h"
#include "adapters/matrix/heard.h"
#include "adapters/matrix/house.h"
#include "adapters/matrix/listen.h"
#include "adapters/matrix/lobbies.h"
#include "adapters/matrix/news.h"
#include "adapters/matrix/poll.h"
#include "adapters/matrix/prose.h"
#include "adapters/matrix/seal.h"
#include "adapters/matrix/signs.h"
#include "adapters/matrix/speech.h"
#include "adapters/matrix/stream.h"

enum { NAME_SIZE = 256, POWER_MODERATOR = 50 };

struct matrix {
    struct chat chat;
    struct matrix_setup setup;
    struct api *api;
    struct limits limits;
    struct seal *seal;
    struct rooms *rooms;
    struct numbers *numbers;
    struct blurted *blurted;
    struct lobbies *lobbies;
    struct speech *speech; // as soon as it is known who the bot is
    struct heard *heard;
    struct house *house; // the same
    struct poll *poll;
    char user_id[CHAT_ID_SIZE], name[NAME_SIZE];
    bool started, stopped;
    bool near; // the host was told that the network can be heard
};

static struct matrix *matrix_of(struct chat *chat);

static void log_line(const struct matrix *matrix, enum net_log_level level, const char *event,
                     const char *text)
{
    matrix->setup.log(matrix->setup.user, level, event, text);
}

/* What happens in rooms. */

static bool is_own(void *user, const char *id)
{
    const struct matrix *const matrix = user;
    return speech_is_own(matrix->speech, id);
}

static struct room *room_for(void *user, const char *id)
{
    struct matrix *const matrix = user;
    const bool known = rooms_find(matrix->rooms, id) != NULL;
    struct room *const room = rooms_get(matrix->rooms, id);
    if (room != NULL && !known) {
        house_found(matrix->house, room);
    }
    return room;
}

// Who will need a hand room.
static bool begins_to_play(const char *line)
{
    const struct verb_entry *const verb = verb_of_line(line);
    return verb != NULL && (verb->kind == REQUEST_NEW || verb->kind == REQUEST_JOIN);
}

static void hear(struct matrix *matrix, const struct room *room, const struct wire_event *event,
                 const struct chat_in *said)
{
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    struct chat_in in = *said;
    const char *const hand_of = room_hand_of(room, matrix->user_id);
    const bool direct = hand_of != NULL && strcmp(hand_of, event->sender) == 0;
    room_name_of(room, event->sender, name, sizeof name);
    in.place = room_id(room);
    in.person = event->sender;
    in.event = event->id;
    in.name = name;
    in.place_name = room_title(room);
    in.age_ms = event->age_ms > 0 ? event->age_ms : 0;
    in.direct = direct;
    in.open = !direct;
    in.moderator = room_permits(room, event->sender, POWER_MODERATOR);
    signs_heard(matrix->api, matrix->user_id, room_id(room), event->id);
    if (!direct) {
        blurted_said(matrix->blurted, in.place, in.person, in.event, in.line);
    }
    if (begins_to_play(in.line)) {
        speech_reach(matrix->speech, event->sender);
    }
    if (!heard_add(matrix->heard, &in)) {
        log_line(matrix, NET_LOG_ERROR, "heard", "a line was lost: out of memory");
    }
}

// What the hall never hears of is answered here.
static void answer(struct matrix *matrix, const struct room *room, const struct wire_event *event,
                   enum text_id text, const struct text_arg *args)
{
    const struct aside aside = {.about = event->id,
                                .place = room_id(room),
                                .person = event->sender,
                                .text = text,
                                .args = args};
    if (!aside_say(matrix->speech, &aside)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

/* Numbers. */

// The number that a line is, or 0.
static unsigned number_of(const char *line)
{
    enum { DIGITS_MAX = 2 };
    const size_t digits = strspn(line, "0123456789");
    return digits > 0 && digits <= DIGITS_MAX && line[digits] == '\0'
               ? (unsigned)strtoul(line, NULL, 10)
               : 0;
}

// A line in a hand room: of a number what stood there when it was said, unless that is doubtful.
static void hear_line(struct matrix *matrix, const struct room *room,
                      const struct wire_event *event, const char *line)
{
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const replied = wire_id(json_object_get(relation, "m.in_reply_to"), "event_id");
    const unsigned number = number_of(line);
    struct numbers_meant meant;
    switch (number != 0 ? numbers_mean(matrix->numbers, room_id(room), number, event->sent_ms,
                                       replied, &meant)
                        : NUMBERS_UNKNOWN) {
    case NUMBERS_MEANT:
        hear(matrix, room, event,
             &(const struct chat_in){.kind = CHAT_IN_PRESS,
                                     .bond = meant.bond,
                                     .pressed = (uint16_t)number,
                                     .line = meant.line});
        break;
    case NUMBERS_DOUBTFUL:
        answer(matrix, room, event, TEXT_MATRIX_NUMBER,
               TEXT_ARGS(text_num("n", (long)number), text_str("other", meant.before),
                         text_str("what", meant.line)));
        break;
    case NUMBERS_UNKNOWN:
        hear(matrix, room, event, &(const struct chat_in){.line = line});
        break;
    }
}

// In a hand room nobody is heard but its owner.
static bool is_stranger(const struct matrix *matrix, const struct room *room,
                        const struct wire_event *event)
{
    const char *const hand_of = room_hand_of(room, matrix->user_id);
    return hand_of != NULL && strcmp(hand_of, event->sender) != 0;
}

// What moves all others up: edits do not.
static bool lies_below(const struct wire_event *event)
{
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const how = wire_word(relation, "rel_type");
    return strcmp(event->type, "m.room.message") == 0 &&
           (how == NULL || strcmp(how, "m.replace") != 0);
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
    if (strcmp(event->sender, matrix->user_id) == 0) {
        numbers_stands(matrix->numbers, event->id, event->sent_ms);
    }
    if (lies_below(event)) {
        speech_below(matrix->speech, room_id(room), event->id);
    }
    if (event->id[0] == '\0' || is_stranger(matrix, room, event) || room_is_encrypted(room)) {
        return;
    }
    if (strcmp(event->sender, matrix->user_id) == 0) {
        house_used(matrix->house, room);
    }
    const char *const reaction =
        lobbies_heard(matrix->lobbies, room_id(room), matrix->user_id, event);
    if (reaction != NULL) {
        house_used(matrix->house, room);
        hear(matrix, room, event, &(const struct chat_in){.line = reaction});
        return;
    }
    switch (listen_to(&listener, event, line)) {
    case LISTEN_HEARD:
        house_used(matrix->house, room);
        speech_retry(matrix->speech, event->sender);
        if (house_asked(matrix->house, room, event, line)) {
            break;
        }
        hear_line(matrix, room, event, line[0] != '\0' ? line : "help");
        break;
    case LISTEN_TOO_LONG:
        answer(matrix, room, event, TEXT_HALL_TOO_LONG, NULL);
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
    house_changed(matrix->house, room, event, fresh);
    if (fresh && news_of(matrix->rooms, room, event, matrix->user_id, &news)) {
        tell(matrix, &news);
    }
}

static void left(void *user, const char *id, bool thrown_out)
{
    struct matrix *const matrix = user;
    const struct room *const room = rooms_find(matrix->rooms, id);
    struct chat_in news;
    if (room != NULL && (thrown_out || room_hand_of(room, matrix->user_id) == NULL)) {
        log_line(matrix, NET_LOG_INFO, "room-left",
                 thrown_out ? "the bot was put out of a room" : "the bot has gone");
        news_left(room, matrix->user_id, &news);
        tell(matrix, &news);
    }
    rooms_forget(matrix->rooms, id);
}

static void gone(void *user, const char *id)
{
    left(user, id, false);
}

static void counted(void *user, const json_t *joined, const json_t *sync)
{
    struct matrix *const matrix = user;
    census_gone(matrix->rooms, joined, sync, gone, matrix);
    if (census_untold(matrix->rooms, joined, sync) > 0) {
        log_line(matrix, NET_LOG_WARN, "rooms",
                 "the homeserver does not tell of some room yet that the bot is in");
    }
}

// Once for each sync.
static void lost(void *user, const char *room, const char *token)
{
    struct matrix *const matrix = user;
    char about[CHAT_ID_SIZE + STREAM_TOKEN_SIZE];
    (void)snprintf(about, sizeof about, "%s %s", room, token);
    const struct aside aside = {.about = about, .place = room, .text = TEXT_MATRIX_LOST};
    if (!aside_say(matrix->speech, &aside)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

static void invited(void *user, const struct sync_invitation *invitation)
{
    struct matrix *const matrix = user;
    house_invited(matrix->house, invitation);
}

/* Listening. */

static void pump(struct matrix *matrix)
{
    if (matrix->stopped || !heard_push(matrix->heard, matrix->chat.sink.queue)) {
        return;
    }
    poll_go_on(matrix->poll);
    poll_settle(matrix->poll);
}

static void walked(void *user)
{
    struct matrix *const matrix = user;
    speech_synced(matrix->speech);
    house_synced(matrix->house);
    if (!matrix->near) {
        matrix->near = true;
        log_line(matrix, NET_LOG_INFO, "homeserver-there", matrix->setup.homeserver);
        tell(matrix, &(const struct chat_in){.kind = CHAT_IN_BACK});
    }
    pump(matrix);
}

static void silent(void *user)
{
    struct matrix *const matrix = user;
    if (matrix->near) {
        matrix->near = false;
        tell(matrix, &(const struct chat_in){.kind = CHAT_IN_AWAY});
        pump(matrix);
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

// The old room says nothing more, the new one why it is there.
static void opened(void *user, const char *person, const char *room)
{
    const struct matrix *const matrix = user;
    char about[CHAT_ID_SIZE + 16];
    (void)snprintf(about, sizeof about, "opened %s", room);
    const struct aside aside = {.about = about, .person = person, .text = TEXT_MATRIX_OPENED};
    if (!aside_say(matrix->speech, &aside)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

static void showed(void *user, const char *room, const char *event, uint32_t turn)
{
    struct matrix *const matrix = user;
    if (lobbies_shown(matrix->lobbies, room, event, turn != 0)) {
        speech_mark(matrix->speech, room, event);
    }
}

static bool is_lobby(void *user, const char *room, const char *event)
{
    const struct matrix *const matrix = user;
    return lobbies_has(matrix->lobbies, room, event);
}

static bool begin(void *user, const char *bot, const char *name)
{
    struct matrix *const matrix = user;
    (void)snprintf(matrix->user_id, sizeof matrix->user_id, "%s", bot);
    (void)snprintf(matrix->name, sizeof matrix->name, "%s", name);
    matrix->rooms = rooms_create(matrix->user_id);
    const struct speech_setup setup = {.loop = matrix->setup.loop,
                                       .api = matrix->api,
                                       .rooms = matrix->rooms,
                                       .seal = matrix->seal,
                                       .limits = &matrix->limits,
                                       .numbers = matrix->numbers,
                                       .bot = matrix->user_id,
                                       .log = matrix->setup.log,
                                       .log_user = matrix->setup.user,
                                       .done = on_outcome,
                                       .opened = opened,
                                       .showed = showed,
                                       .is_lobby = is_lobby,
                                       .user = matrix};
    matrix->speech = matrix->rooms != NULL ? speech_create(&setup) : NULL;
    const struct house_setup house = {.loop = matrix->setup.loop,
                                      .api = matrix->api,
                                      .chat = &matrix->chat,
                                      .rooms = matrix->rooms,
                                      .speech = matrix->speech,
                                      .limits = &matrix->limits,
                                      .bot = matrix->user_id,
                                      .prefix = matrix->setup.prefix,
                                      .guests = matrix->setup.guests,
                                      .log = matrix->setup.log,
                                      .log_user = matrix->setup.user};
    matrix->house = matrix->speech != NULL ? house_create(&house) : NULL;
    return matrix->house != NULL && lobbies_read(matrix->lobbies);
}

static bool matrix_start(struct chat *chat, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    (void)err;
    if (!matrix->started) {
        matrix->started = true;
        poll_start(matrix->poll);
    }
    return true;
}

// Where the card was named, with the room in which it would have been better named.
static void tell_blurted(struct matrix *matrix, const struct chat_out *refusal)
{
    char of[CHAT_ID_SIZE + sizeof "blurted "];
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    char link[CHAT_ID_SIZE + 32];
    const char *const hand = speech_hand_room(matrix->speech, refusal->person);
    const struct room *const room = rooms_find(matrix->rooms, refusal->place);
    if (hand == NULL || room == NULL) {
        return;
    }
    room_name_of(room, refusal->person, name, sizeof name);
    (void)snprintf(of, sizeof of, "blurted %s", refusal->event);
    (void)snprintf(link, sizeof link, "https://matrix.to/#/%s", hand);
    const struct aside aside = {.about = of,
                                .place = refusal->place,
                                .text = TEXT_MATRIX_BLURTED,
                                .args = TEXT_ARGS(text_str("who", name), text_str("link", link))};
    if (!aside_say(matrix->speech, &aside)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

// Once, where the table lies that was one too many: what helps is the operator's to do.
static void tell_crowded(struct matrix *matrix, const char *place)
{
    const struct aside aside = {.about = "crowded", .place = place, .text = TEXT_MATRIX_CROWDED};
    log_line(matrix, NET_LOG_WARN, "crowded",
             "several tables share the account's rate limit: exempt it (README, Play on Matrix)");
    if (!aside_say(matrix->speech, &aside)) {
        log_line(matrix, NET_LOG_ERROR, "answer", "out of memory");
    }
}

static bool matrix_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    if (!matrix->started || matrix->stopped) {
        return mb_fail(err, MB_ERR_STATE, "Matrix is not started");
    }
    if (!poll_is_told(matrix->poll)) { // whose room is whose is not known yet
        return mb_fail(err, MB_ERR_RETRY, "the homeserver has not told of the rooms yet");
    }
    if (out->kind == CHAT_FORGET) {
        const struct farewell_setup farewell = {
            .api = matrix->api, .rooms = matrix->rooms, .done = on_outcome, .user = matrix};
        return farewell_say(&farewell, out) || mb_fail(err, MB_ERR_RETRY, "out of memory");
    }
    if (out->kind == CHAT_REPLY && out->refusal != NULL && out->event != NULL &&
        blurted_refused(matrix->blurted, out->event, out->refusal->code)) {
        tell_blurted(matrix, out);
    }
    if (!speech_say(matrix->speech, out)) {
        return mb_fail(err, MB_ERR_RETRY, "out of memory");
    }
    if (out->kind == CHAT_CARD && speech_turns_crowded(matrix->speech)) {
        tell_crowded(matrix, out->place);
    }
    return true;
}

// Where another process listens it knows better, and is asked.
static int64_t matrix_reach(struct chat *chat, const char *person)
{
    struct matrix *const matrix = matrix_of(chat);
    const bool knows = matrix->started && !matrix->stopped && poll_is_told(matrix->poll);
    return knows ? speech_reach_ms(matrix->speech, person) : 0;
}

static void matrix_stop(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    if (matrix->stopped) {
        return;
    }
    matrix->stopped = true;
    api_close(matrix->api);
    if (matrix->house != NULL) {
        house_stop(matrix->house);
    }
    if (matrix->speech != NULL) {
        speech_stop(matrix->speech);
    }
    poll_stop(matrix->poll);
    seal_stop(matrix->seal);
}

static void free_parts(struct matrix *matrix)
{
    poll_destroy(matrix->poll);
    heard_destroy(matrix->heard);
    numbers_destroy(matrix->numbers);
    blurted_destroy(matrix->blurted);
    lobbies_destroy(matrix->lobbies);
    seal_destroy(matrix->seal);
    api_destroy(matrix->api);
    free(matrix);
}

static void matrix_destroy(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    house_destroy(matrix->house);
    speech_destroy(matrix->speech);
    rooms_destroy(matrix->rooms);
    free_parts(matrix);
}

static const struct chat_ops OPS = {.name = "matrix",
                                    .caps = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_ONE |
                                            CHAT_CAP_AFAR | CHAT_CAP_NUMBERS | CHAT_CAP_SCARCE,
                                    .text_max = PROSE_MAX / 2,
                                    .start = matrix_start,
                                    .send = matrix_send,
                                    .stop = matrix_stop,
                                    .destroy = matrix_destroy,
                                    .reach = matrix_reach};

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

static struct poll *make_poll(struct matrix *matrix)
{
    const struct poll_setup setup = {.loop = matrix->setup.loop,
                                     .api = matrix->api,
                                     .chat = &matrix->chat,
                                     .seal = matrix->seal,
                                     .user_id = matrix->setup.user_id,
                                     .device_id = matrix->setup.device_id,
                                     .told = {.room = room_for,
                                              .invited = invited,
                                              .left = left,
                                              .changed = changed,
                                              .happened = happened,
                                              .user = matrix},
                                     .begin = begin,
                                     .lost = lost,
                                     .counted = counted,
                                     .walked = walked,
                                     .silent = silent,
                                     .log = matrix->setup.log,
                                     .fatal = matrix->setup.fatal,
                                     .user = matrix,
                                     .log_user = matrix->setup.user};
    return poll_create(&setup);
}

static bool make_parts(struct matrix *matrix)
{
    const struct matrix_setup *const setup = &matrix->setup;
    const struct api_setup api = {.loop = setup->loop,
                                  .http = setup->http,
                                  .homeserver = setup->homeserver,
                                  .token = setup->token};
    matrix->api = api_create(&api);
    matrix->heard = heard_create();
    matrix->numbers = numbers_create();
    matrix->blurted = blurted_create();
    matrix->lobbies = lobbies_create(&matrix->chat);
    matrix->seal = seal_create(setup->loop);
    if (matrix->api == NULL || matrix->heard == NULL || matrix->numbers == NULL ||
        matrix->blurted == NULL || matrix->lobbies == NULL || matrix->seal == NULL) {
        return false;
    }
    matrix->poll = make_poll(matrix);
    return matrix->poll != NULL;
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
    return &matrix->chat;
}
