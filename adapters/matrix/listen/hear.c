#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/parse/parse.h"
#include "bot/parse/verb.h"
#include "bot/text/text.h"

#include "adapters/matrix/listen/listen.h"
#include "adapters/matrix/listen/poll.h"
#include "adapters/matrix/listen/ration.h"
#include "adapters/matrix/matrix_impl.h"
#include "adapters/matrix/say/speech.h"

/* Signs that the bot has heard. */

enum { WRITES_MS = 5000 };

// In a room, with an id behind what is called.
static void send_sign(struct api *api, const struct api_call *call, const char *room,
                      const char *id)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    struct api_call whole = *call;
    whole.path = path;
    if (api_path(before, "/_matrix/client/v3/rooms/", room, call->path) &&
        api_path(path, before, id, "")) {
        (void)!api_call(api, &whole, NULL, NULL);
    } else {
        json_decref(call->body);
    }
}

// What was said is marked as read, and the bot is shown to be writing. No server counts these.
static void signs_heard(struct api *api, const char *bot, const char *room, const char *event)
{
    const struct api_call read = {.method = "POST", .path = "/receipt/m.read/"};
    const struct api_call writes = {
        .method = "PUT",
        .path = "/typing/",
        .body = json_pack("{s:b, s:i}", "typing", 1, "timeout", (int)WRITES_MS)};
    send_sign(api, &read, room, event);
    send_sign(api, &writes, room, bot);
}

void matrix_log(const struct matrix *matrix, enum net_log_level level, const char *event,
                const char *text)
{
    matrix->setup.log(matrix->setup.user, level, event, text);
}

/* On and off. */

void matrix_begin(struct matrix *matrix, const char *bot, const char *name)
{
    (void)snprintf(matrix->user_id, sizeof matrix->user_id, "%s", bot);
    (void)snprintf(matrix->name, sizeof matrix->name, "%s", name);
    matrix->rooms = rooms_create(matrix->user_id);
    const struct speech_setup setup = {.loop = matrix->setup.loop,
                                       .api = matrix->api,
                                       .fibres = matrix->fibres,
                                       .seal = matrix->seal,
                                       .chat = &matrix->chat,
                                       .lobbies = matrix->lobbies,
                                       .rooms = matrix->rooms,
                                       .limits = &matrix->limits,
                                       .numbers = matrix->numbers,
                                       .bot = matrix->user_id,
                                       .prefix = matrix->setup.prefix,
                                       .log = matrix->setup.log,
                                       .log_user = matrix->setup.user};
    matrix->speech = speech_create(&setup);
    const struct house_setup house = {.loop = matrix->setup.loop,
                                      .api = matrix->api,
                                      .fibres = matrix->fibres,
                                      .seal = matrix->seal,
                                      .chat = &matrix->chat,
                                      .rooms = matrix->rooms,
                                      .speech = matrix->speech,
                                      .limits = &matrix->limits,
                                      .bot = matrix->user_id,
                                      .prefix = matrix->setup.prefix,
                                      .guests = matrix->setup.guests,
                                      .log = matrix->setup.log,
                                      .log_user = matrix->setup.user};
    matrix->house = house_create(&house);
    fibres_start(matrix->fibres, lobbies_read, matrix->lobbies);
}

void matrix_pump(struct matrix *matrix)
{
    if (matrix->stopped || !heard_push(matrix->heard, matrix->chat.sink.queue)) {
        return;
    }
    poll_go_on(matrix->poll);
    poll_settle(matrix->poll);
}

void matrix_walked(struct matrix *matrix)
{
    speech_synced(matrix->speech);
    house_synced(matrix->house);
    if (!matrix->near) {
        matrix->near = true;
        matrix_log(matrix, NET_LOG_INFO, "homeserver-there", matrix->setup.homeserver);
        matrix_tell(matrix, &(const struct chat_in){.kind = CHAT_IN_BACK});
    }
    matrix_pump(matrix);
}

void matrix_silent(struct matrix *matrix)
{
    if (matrix->near) {
        matrix->near = false;
        matrix_tell(matrix, &(const struct chat_in){.kind = CHAT_IN_AWAY});
        matrix_pump(matrix);
    }
}

/* What a sync tells. */

enum { POWER_MODERATOR = 50 };

static bool is_own(void *user, const char *id)
{
    const struct matrix *const matrix = user;
    return speech_is_own(matrix->speech, id);
}

struct room *matrix_room_for(void *user, const char *id)
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

static void hear_input(struct matrix *matrix, const struct room *room,
                       const struct wire_event *event, const struct chat_in *said)
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
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const how = wire_word(relation, "rel_type");
    const char *const root = wire_id(relation, "event_id");
    if (how != NULL && strcmp(how, "m.thread") == 0 && root != NULL) {
        speech_threaded(matrix->speech, event->id, root);
    }
    signs_heard(matrix->api, matrix->user_id, room_id(room), event->id);
    if (!direct) {
        blurted_said(matrix->blurted, in.place, in.person, in.event, in.line);
    }
    if (begins_to_play(in.line)) {
        speech_reach(matrix->speech, event->sender);
    }
    heard_add(matrix->heard, &in);
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
    aside_say(matrix->speech, &aside);
}

/* Numbers. */

static void doubt_number(struct matrix *matrix, const struct room *room,
                         const struct wire_event *event, unsigned number,
                         const struct numbers_meant *meant)
{
    answer(matrix, room, event,
           meant->now != 0       ? TEXT_MATRIX_NUMBER_MOVED
           : meant->line != NULL ? TEXT_MATRIX_NUMBER
                                 : TEXT_MATRIX_NUMBER_GONE,
           TEXT_ARGS(text_num("n", (long)number), text_num("m", (long)meant->now),
                     text_str("other", meant->before),
                     text_str("what", meant->line != NULL ? meant->line : "")));
}

// A line in a hand room: of numbers what stood there when it was said, unless that is doubtful.
// Several, and words behind them, make one line, of the same table and question.
static void hear_line(struct matrix *matrix, const struct room *room,
                      const struct wire_event *event, const char *line)
{
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const replied = wire_id(json_object_get(relation, "m.in_reply_to"), "event_id");
    const struct chat_numbers said = chat_numbers(line);
    struct numbers_meant meant = {.line = NULL};
    char words[CHAT_LINE_SIZE] = "";
    bool known = said.count > 0;
    bool some = false;
    for (size_t i = 0; known && i < said.count; i++) {
        const enum numbers_meaning meaning = numbers_mean(
            matrix->numbers, room_id(room), said.numbers[i], event->sent_ms, replied, &meant);
        if (meaning == NUMBERS_DOUBTFUL) {
            doubt_number(matrix, room, event, said.numbers[i], &meant);
            return;
        }
        known =
            meaning == NUMBERS_MEANT && (i == 0 ? strlen(meant.line) < sizeof words
                                                : verb_line_join(words, sizeof words, meant.line));
        some = some || meaning == NUMBERS_MEANT;
        if (known && i == 0) {
            (void)snprintf(words, sizeof words, "%s", meant.line);
        }
    }
    const size_t used = strlen(words);
    known = known && used + strlen(said.rest) + sizeof " " <= sizeof words;
    if (!known && some && said.count > 1) { // the table must not read them by a newer hand
        answer(matrix, room, event, TEXT_PARSE_NUMBERS, NULL);
        return;
    }
    if (!known) {
        hear_input(matrix, room, event, &(const struct chat_in){.line = line});
        return;
    }
    const bool more = said.rest[0] != '\0';
    (void)snprintf(words + used, sizeof words - used, "%s%s", more ? " " : "", said.rest);
    hear_input(matrix, room, event,
               &(const struct chat_in){.kind = CHAT_IN_PRESS,
                                       .bond = meant.bond,
                                       .pressed = said.count == 1 && !more ? said.numbers[0] : 0,
                                       .line = words});
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

// Whether somebody would compare keys with the bot's device.
static bool is_verification(const struct matrix *matrix, const struct wire_event *event)
{
    const char *const kind = wire_word(event->content, "msgtype");
    const char *const to = wire_word(event->content, "to");
    return strcmp(event->type, "m.room.message") == 0 && kind != NULL &&
           strcmp(kind, "m.key.verification.request") == 0 && to != NULL &&
           strcmp(to, matrix->user_id) == 0;
}

void matrix_happened(void *user, struct room *room, const struct wire_event *event)
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
    if (strcmp(event->type, "m.room.redaction") == 0 && event->redacts != NULL) {
        speech_deleted(matrix->speech, event->redacts);
    }
    if (event->id[0] == '\0' || is_stranger(matrix, room, event) ||
        !seal_reads(matrix->seal, room)) {
        return;
    }
    if (strcmp(event->sender, matrix->user_id) == 0) {
        house_used(matrix->house, room);
    }
    if (is_verification(matrix, event)) {
        speech_verify_in(matrix->speech, room_id(room), event->sender, event->id);
        return;
    }
    const char *const reaction =
        lobbies_heard(matrix->lobbies, room_id(room), matrix->user_id, event);
    if (reaction != NULL) {
        house_used(matrix->house, room);
        hear_input(matrix, room, event, &(const struct chat_in){.line = reaction});
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

void matrix_late(void *user, const char *id, json_t *json)
{
    struct matrix *const matrix = user;
    struct room *const room = matrix->rooms != NULL ? rooms_find(matrix->rooms, id) : NULL;
    struct wire_event event;
    if (room != NULL && wire_read(json, &event) && event.state_key == NULL) {
        matrix_happened(matrix, room, &event);
        matrix_pump(matrix);
    }
}

void matrix_tell(struct matrix *matrix, const struct chat_in *in)
{
    heard_add(matrix->heard, in);
}

void matrix_changed(void *user, struct room *room, const struct wire_event *event, bool fresh)
{
    struct matrix *const matrix = user;
    struct chat_in news;
    speech_room(matrix->speech, room);
    house_changed(matrix->house, room, event, fresh);
    const char *const hand_of = room_hand_of(room, matrix->user_id);
    const bool opens = hand_of != NULL ? speech_shows(matrix->speech, room, hand_of)
                                       : seal_reads(matrix->seal, room);
    if (fresh && news_of(matrix->rooms, room, event, matrix->user_id, opens, &news)) {
        matrix_tell(matrix, &news);
    }
}

void matrix_left(void *user, const char *id, bool thrown_out)
{
    struct matrix *const matrix = user;
    const struct room *const room = rooms_find(matrix->rooms, id);
    struct chat_in news;
    if (room != NULL && (thrown_out || room_hand_of(room, matrix->user_id) == NULL)) {
        matrix_log(matrix, NET_LOG_INFO, "room-left",
                   thrown_out ? "the bot was removed from a room" : "the bot left a room");
        news_left(room, matrix->user_id, &news);
        matrix_tell(matrix, &news);
    }
    rooms_forget(matrix->rooms, id);
}

void matrix_too_large(void *user, const char *id)
{
    struct matrix *const matrix = user;
    house_too_large(matrix->house, id);
    matrix_left(matrix, id, false);
}

void matrix_counted(struct matrix *matrix, const json_t *joined, const json_t *sync)
{
    json_t *const gone = census_gone(matrix->rooms, joined, sync);
    for (size_t i = 0; i < json_array_size(gone); i++) {
        matrix_left(matrix, json_string_value(json_array_get(gone, i)), false);
    }
    json_decref(gone);
    if (census_untold(matrix->rooms, joined, sync) > 0) {
        matrix_log(matrix, NET_LOG_WARN, "rooms",
                   "waiting for the state of a room that the bot is in");
    }
}

// Once for each sync.
void matrix_lost(struct matrix *matrix, const char *room, const char *token)
{
    char about[CHAT_ID_SIZE + STREAM_TOKEN_SIZE];
    (void)snprintf(about, sizeof about, "%s %s", room, token);
    const struct aside aside = {.about = about, .place = room, .text = TEXT_MATRIX_LOST};
    aside_say(matrix->speech, &aside);
}

void matrix_invited(void *user, const struct sync_invitation *invitation)
{
    struct matrix *const matrix = user;
    house_invited(matrix->house, invitation);
}

/* What waits for the queue. */

/* A queue of its own keeps the copies, and takes as many as there are. */
struct line {
    struct line *next;
    struct chat_queue kept; // this line alone
    const struct chat_in *in;
};

struct heard {
    struct line *first, **end;
};

struct heard *heard_create(void)
{
    struct heard *const heard = mb_new(1, sizeof *heard);
    heard->end = &heard->first;
    return heard;
}

void heard_add(struct heard *heard, const struct chat_in *in)
{
    struct line *const line = mb_new(1, sizeof *line);
    chat_queue_init(&line->kept);
    if (chat_queue_push(&line->kept, in) != CHAT_PUSHED) {
        free(line); // too long: it would never be heard, so nothing is lost
        return;
    }
    line->in = chat_queue_take(&line->kept);
    *heard->end = line;
    heard->end = &line->next;
}

static void drop_first(struct heard *heard)
{
    struct line *const line = heard->first;
    heard->first = line->next;
    heard->end = heard->first == NULL ? &heard->first : heard->end;
    chat_queue_finish(&line->kept);
    free(line);
}

bool heard_push(struct heard *heard, struct chat_queue *queue)
{
    while (heard->first != NULL) {
        if (chat_queue_push(queue, heard->first->in) == CHAT_FULL) {
            return false;
        }
        drop_first(heard);
    }
    return true;
}

void heard_destroy(struct heard *heard)
{
    while (heard != NULL && heard->first != NULL) {
        drop_first(heard);
    }
    free(heard);
}
