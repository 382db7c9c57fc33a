#include "adapters/discord/say/post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/time.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"

#include "adapters/discord/say/below.h"
#include "adapters/discord/say/direct.h"
#include "adapters/discord/wire/commands.h"
#include "adapters/discord/wire/controls.h"
#include "adapters/discord/wire/payload.h"

enum {
    LOOK_BACK = 50,
    ORDER_SIZE = 32,
    MS_PER_S = 1000,
    STATUS_OK = 200,
    CODE_UNKNOWN_CHANNEL = 10003,
    CODE_UNKNOWN_MESSAGE = 10008,
    CODE_NO_ACCESS = 50001,
    CODE_BLOCKED = 50007,
    CODE_NO_PERMISSION = 50013,
    CODE_ARCHIVED = 50083,
    CODE_LOCKED = 160005,
    CODE_NO_COMMON_SERVER = 50278
};

/* A message from chat_out to its outcome. */
struct item {
    struct mb_pool words; // all its texts
    struct post *post;
    struct chat_key key;
    uint64_t mark;
    enum chat_kind kind;
    char *place, *person, *replaces, *text, *answer, *prompt, *moved, *story, *kept; // NULL: none
    char **pings;
    size_t ping_count;
    json_t *rows; // of controls
    bool anew;    // in the place of what was pressed
    uint32_t turn, chapter;
    uint8_t mood;               // enum chat_mood
    int64_t when_s;             // its clock runs out, since 1970; or 0
    bool edits;                 // a message that is there
    bool sought;                // it may be there already, and is looked for
    bool links;                 // private, about a table elsewhere: it says where
    char shown[ORDER_SIZE];     // the message that it replaces, or ""
    uint32_t shown_chapter;     // of that; 0: of none
    char old[ORDER_SIZE];       // the board that it is posted anew for, or ""
    char id[ORDER_SIZE];        // of the message that was sent
    char channel[CHAT_ID_SIZE]; // where it went
};

struct post {
    struct post_setup setup;
    struct directs *directs;
    struct below *below;
    char claimed[LOOK_BACK][ORDER_SIZE]; // messages found of those that an earlier process sent
    size_t claims;
};

/* Items. */

static void item_free(struct item *item)
{
    mb_pool_finish(&item->words);
    json_decref(item->rows);
    free(item);
}

static int64_t now_s(void)
{
    struct timeval now = {0};
    (void)gettimeofday(&now, NULL);
    return (int64_t)now.tv_sec;
}

// A text, its commands as they are typed here.
static char *copy_text(struct item *item, const char *text)
{
    char *const typed =
        text != NULL ? verb_quotes(text, commands_lead, item->post->setup.command) : NULL;
    char *const copy = mb_pool_text(&item->words, typed);
    free(typed);
    return copy;
}

// What a board is called: channel/message, and the chapter that it was posted in.
static void read_shown(struct item *item)
{
    const char *const slash = item->replaces != NULL ? strrchr(item->replaces, '/') : NULL;
    const size_t length = slash != NULL ? strcspn(slash + 1, " ") : 0;
    if (length > 0 && length < sizeof item->shown) {
        memcpy(item->shown, slash + 1, length);
        item->shown_chapter = (uint32_t)strtoul(slash + 1 + length, NULL, 10);
    }
    if (!discord_is_id(item->shown)) {
        item->shown[0] = '\0';
    }
}

static struct item *item_new(struct post *post, const struct chat_out *out)
{
    struct item *const item = mb_new(1, sizeof *item);
    item->post = post;
    item->key = out->key;
    item->mark = out->mark;
    item->kind = out->kind;
    item->anew = out->anew;
    item->sought = out->again;
    item->turn = out->turn;
    item->chapter = out->kind == CHAT_CARD ? out->chapter : 0;
    item->mood = out->kind == CHAT_CARD ? out->mood : (uint8_t)CHAT_MOOD_NONE;
    item->when_s =
        out->kind == CHAT_CARD && out->clock_ms > 0 ? now_s() + out->clock_ms / MS_PER_S : 0;
    item->links = out->kind == CHAT_HAND || out->kind == CHAT_WHISPER ||
                  (out->anew && (out->bond.on == CHAT_ON_HAND || out->bond.on == CHAT_ON_PANEL));
    item->rows = controls_rows(out);
    item->place = mb_pool_text(&item->words, out->place);
    item->person = mb_pool_text(&item->words, out->person);
    item->replaces = mb_pool_text(&item->words, out->replaces);
    item->answer = mb_pool_text(&item->words, out->answer);
    item->moved = mb_pool_text(&item->words, out->moved);
    item->text = copy_text(item, out->text);
    item->prompt = copy_text(item, out->prompt);
    item->story = copy_text(item, out->story);
    item->kept = copy_text(item, out->kept);
    read_shown(item);
    item->ping_count = out->ping_count;
    item->pings = mb_pool_new(&item->words, out->ping_count, sizeof *item->pings);
    for (size_t i = 0; i < out->ping_count; i++) {
        item->pings[i] = mb_pool_text(&item->words, out->pings[i]);
    }
    return item;
}

// Always true: it has its outcome. Where sending says false, the owner stops.
static bool finish(const struct item *item, enum chat_fate fate, const char *id)
{
    // An answer that finds no other way is asked for again; of its reader that says nothing.
    const bool answer = item->kind == CHAT_REPLY && fate == CHAT_UNREACHABLE;
    const struct chat_outcome outcome = {.key = item->key,
                                         .fate = answer ? CHAT_REFUSED : fate,
                                         .id = fate == CHAT_DELIVERED ? id : NULL};
    chat_tell(item->post->setup.chat, &outcome);
    return true;
}

void post_retry(struct post *post, const char *person)
{
    directs_retry(post->directs, person);
}

/* Into channels. */

static bool is_board(const struct item *item)
{
    return item->kind == CHAT_CARD || item->kind == CHAT_HAND;
}

static enum chat_fate fate_of(const struct item *item, const struct rest_answer *answer)
{
    switch (answer->code) {
    case CODE_UNKNOWN_MESSAGE:
        // Of a new message: it was shown, and then deleted.
        return item->edits ? CHAT_MESSAGE_GONE : CHAT_REFUSED;
    case CODE_BLOCKED:
    case CODE_NO_COMMON_SERVER:
        return CHAT_UNREACHABLE;
    case CODE_UNKNOWN_CHANNEL:
    case CODE_NO_ACCESS:
        return item->person != NULL ? CHAT_UNREACHABLE : CHAT_PLACE_GONE;
    case CODE_ARCHIVED:
        if (item->replaces != NULL) { // a new message opens an archived thread, an edit does not
            return CHAT_MESSAGE_GONE;
        }
        return item->person != NULL ? CHAT_UNREACHABLE : CHAT_PLACE_CLOSED;
    case CODE_NO_PERMISSION:
    case CODE_LOCKED:
        return item->person != NULL ? CHAT_UNREACHABLE : CHAT_PLACE_CLOSED;
    default:
        return CHAT_REFUSED;
    }
}

static bool deliver(const struct item *item)
{
    char whole[CHAT_ID_SIZE];
    const uint32_t chapter = item->edits ? item->shown_chapter : item->chapter;
    int length = is_board(item) ? snprintf(whole, sizeof whole, "%s/%s", item->channel, item->id)
                                : snprintf(whole, sizeof whole, "%s", item->id);
    if (is_board(item) && chapter != 0 && length > 0 && (size_t)length < sizeof whole) {
        length +=
            snprintf(whole + length, sizeof whole - (size_t)length, " %lu", (unsigned long)chapter);
    }
    if (item->answer != NULL) {
        answers_close(item->post->setup.answers, item->answer);
    }
    return finish(item, CHAT_DELIVERED, length > 0 && (size_t)length < sizeof whole ? whole : "");
}

// Whether a card has begun a chapter that is not that of the message it replaces.
static bool turns_page(const struct item *item)
{
    return item->chapter != 0 && item->chapter != item->shown_chapter;
}

// Before the outcome is told: whoever is killed meanwhile finds the new one again, and does this
// then. What has told something keeps that, and nothing to press; all else is deleted.
static bool leave_old(struct fibre *fibre, const struct item *item)
{
    struct rest_answer answer;
    const bool keeps = turns_page(item) && item->kept != NULL && item->kept[0] != '\0';
    const struct payload_board story = {
        .story = keeps ? text_phone_end(item->kept, TEXT_PHONE_LINES) : NULL};
    json_t *const body = keeps ? payload_board(&story, true, 0) : NULL;
    if (body != NULL && item->moved != NULL) {
        payload_place(body, item->moved);
    }
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/messages/%s", item->channel, item->old);
    const struct rest_call call = {.method = keeps ? "PATCH" : "DELETE",
                                   .route = keeps ? "PATCH /channels/messages"
                                                  : "DELETE /channels/messages",
                                   .major = item->channel,
                                   .path = path,
                                   .order = item->channel,
                                   .edits = keeps ? strtoull(item->old, NULL, 10) : 0,
                                   .body = body,
                                   .repeats = true};
    return rest_await(fibre, item->post->setup.rest, &call, &answer);
}

// A new message lies there.
static void note_posted(const struct item *item, const char *id)
{
    struct below *const below = item->post->below;
    if (is_board(item)) {
        below_posted(below, item->channel, id, item->old,
                     item->kind == CHAT_CARD && item->old[0] != '\0' ? item->turn : UINT32_MAX);
    }
    below_said(below, item->channel, id);
}

static bool was_sent(struct fibre *fibre, struct item *item, const char *id)
{
    (void)snprintf(item->id, sizeof item->id, "%s", id != NULL && discord_is_id(id) ? id : "");
    if (!item->edits && id != NULL) {
        note_posted(item, id);
    }
    return (item->old[0] == '\0' || leave_old(fibre, item)) && deliver(item);
}

static bool was_refused(const struct item *item, const struct rest_answer *answer)
{
    struct post *const post = item->post;
    const enum chat_fate fate = fate_of(item, answer);
    if (fate == CHAT_UNREACHABLE && item->person != NULL) {
        directs_refused(post->directs, item->person, answer->code);
    } else if (fate != CHAT_MESSAGE_GONE) {
        char text[64];
        (void)snprintf(text, sizeof text, "status %d, code %d", answer->status, answer->code);
        post->setup.log(post->setup.log_user, NET_LOG_WARN, "message-refused", text);
    }
    return finish(item, fate, NULL);
}

static const char *const *pings_of(const struct item *item)
{
    return (const char *const *)item->pings;
}

static unsigned flags_of(const struct item *item)
{
    if (item->kind == CHAT_REPLY && item->answer != NULL) {
        return item->anew ? 0 : PAYLOAD_EPHEMERAL;
    }
    return item->kind == CHAT_WHISPER && item->prompt != NULL ? 0 : PAYLOAD_SILENT;
}

// The first message of a hand is read on a lock screen, so it is classic; what takes its place is
// not.
static json_t *words_of(const struct item *item, bool edits)
{
    const bool hand = item->kind == CHAT_HAND && !edits && item->old[0] == '\0';
    if (hand || (item->kind == CHAT_WHISPER && item->prompt != NULL)) {
        return payload_first(item->prompt, item->place, item->text, flags_of(item));
    }
    if (is_board(item) || item->anew) {
        const struct payload_board board = {.asks = item->kind == CHAT_CARD ? item->prompt : NULL,
                                            .pings = pings_of(item),
                                            .ping_count = item->ping_count,
                                            .story = item->story,
                                            .text = item->text,
                                            .when_s = item->when_s,
                                            .mood = item->mood};
        const bool calls = item->kind == CHAT_CARD && item->ping_count > 0 && !edits;
        return calls ? payload_call(&board)
                     : payload_board(&board, edits, edits ? 0 : flags_of(item));
    }
    return payload_text(item->text, pings_of(item), item->ping_count, flags_of(item));
}

static json_t *body_of(const struct item *item, bool edits)
{
    json_t *const body = words_of(item, edits);
    const bool first = json_object_get(body, "embeds") != NULL && !edits;
    if (body != NULL && (is_board(item) || json_array_size(item->rows) > 0)) {
        payload_rows(body, json_incref(item->rows));
    }
    if (body != NULL && item->links && !first) {
        payload_place(body, item->place);
    }
    if (body != NULL && item->moved != NULL) {
        payload_place(body, item->moved);
    }
    return body;
}

// The message that it edits; NULL: none.
static const char *edited(const struct item *item)
{
    return item->shown[0] != '\0' ? item->shown : NULL;
}

/* Boards that scroll away. */

/* Somebody asks how many messages lie below one. */
struct counting {
    struct post *post;
    char channel[ORDER_SIZE], board[ORDER_SIZE];
};

static void count(struct fibre *fibre, void *user)
{
    const struct counting counting = *(const struct counting *)user;
    char path[REST_PATH_SIZE];
    struct rest_answer answer;
    (void)snprintf(path, sizeof path, "/channels/%s/messages?after=%s&limit=%d", counting.channel,
                   counting.board, BELOW_FAR);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = counting.channel,
                                   .path = path,
                                   .repeats = true};
    if (rest_await(fibre, counting.post->setup.rest, &call, &answer) &&
        answer.status == STATUS_OK) {
        const json_t *const newest = json_array_get(answer.body, 0);
        const char *const id = json_string_value(json_object_get(newest, "id"));
        below_counted(counting.post->below, counting.channel, counting.board,
                      json_array_size(answer.body), id != NULL ? id : "");
    }
}

static void count_below(struct post *post, const char *channel, const char *board)
{
    struct counting counting = {.post = post};
    (void)snprintf(counting.channel, sizeof counting.channel, "%s", channel);
    (void)snprintf(counting.board, sizeof counting.board, "%s", board);
    fibres_start(post->setup.fibres, count, &counting);
}

// Whether a board is posted anew instead of edited.
static bool is_far(const struct item *item, const char *channel)
{
    const char *const message = edited(item);
    const bool card = item->kind == CHAT_CARD;
    return message != NULL && (card || item->kind == CHAT_HAND) &&
           (turns_page(item) ||
            (item->moved == NULL &&
             below_is_far(item->post->below, channel, message, card ? item->turn : 0)));
}

void post_heard(struct post *post, const char *channel, const char *newest)
{
    below_heard(post->below, channel, newest);
}

/* What an earlier process may have sent: Discord knows a nonce for some minutes only. */

static const char *content_of(const json_t *message)
{
    const char *const content = json_string_value(json_object_get(message, "content"));
    return content != NULL ? content : "";
}

static bool is_claimed(const struct post *post, const char *id)
{
    for (size_t i = 0; i < LOOK_BACK; i++) {
        if (strcmp(post->claimed[i], id) == 0) {
            return true;
        }
    }
    return false;
}

// By its mark; text alone, which bears none, by what it says, each such message for one of ours.
static bool is_it(const struct post *post, const json_t *there, const json_t *wanted)
{
    const json_int_t mark = payload_mark(wanted);
    if (mark != 0) {
        return payload_mark(there) == mark;
    }
    const char *const id = json_string_value(json_object_get(there, "id"));
    return id != NULL && json_array_size(json_object_get(there, "components")) == 0 &&
           content_of(wanted)[0] != '\0' && strcmp(content_of(there), content_of(wanted)) == 0 &&
           !is_claimed(post, id);
}

static void claim(struct post *post, const json_t *message)
{
    const char *const id = json_string_value(json_object_get(message, "id"));
    char *const at = post->claimed[post->claims++ % LOOK_BACK];
    (void)snprintf(at, ORDER_SIZE, "%s", id != NULL ? id : "");
}

// `found`: the id of what is there already, or "". Then it is not sent again.
static bool look_for(struct fibre *fibre, struct item *item, char found[ORDER_SIZE])
{
    char path[REST_PATH_SIZE];
    struct rest_answer answer;
    const json_t *message = NULL;
    size_t i = 0;
    (void)snprintf(path, sizeof path, "/channels/%s/messages?limit=%d", item->channel, LOOK_BACK);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = item->channel,
                                   .path = path,
                                   .order = item->channel,
                                   .repeats = true};
    if (!rest_await(fibre, item->post->setup.rest, &call, &answer)) {
        return false;
    }
    json_t *const wanted = body_of(item, false);
    const json_t *there = NULL;
    payload_once(wanted, item->mark);
    json_array_foreach(answer.body, i, message)
    {
        there = there == NULL && is_it(item->post, message, wanted) ? message : there;
    }
    json_decref(wanted);
    const char *const id = json_string_value(json_object_get(there, "id"));
    const char *const board = edited(item);
    if (there != NULL && board != NULL && id != NULL && strcmp(id, board) != 0) {
        // It was posted anew, and what it was posted for may still be there.
        (void)snprintf(item->old, sizeof item->old, "%s", board);
        item->edits = false;
    }
    const bool is_there = there != NULL && (board == NULL || item->old[0] != '\0');
    if (is_there) {
        claim(item->post, there);
    }
    (void)snprintf(found, ORDER_SIZE, "%s", is_there && id != NULL ? id : "");
    return true;
}

static bool call_channel(struct fibre *fibre, const struct item *item, struct rest_answer *out)
{
    char path[REST_PATH_SIZE];
    char order[CHAT_ID_SIZE + 1];
    const char *const channel = item->channel;
    const char *const message = item->edits ? edited(item) : NULL;
    json_t *const body = body_of(item, item->edits);
    if (message != NULL) {
        (void)snprintf(path, sizeof path, "/channels/%s/messages/%s", channel, message);
    } else {
        payload_once(body, item->mark);
        (void)snprintf(path, sizeof path, "/channels/%s/messages", channel);
    }
    // What is edited goes past what is said: the newest form of a board is not late by that.
    (void)snprintf(order, sizeof order, "%s%s", item->edits ? "e" : "", channel);
    const struct rest_call call = {.method = message != NULL ? "PATCH" : "POST",
                                   .route = message != NULL ? "PATCH /channels/messages"
                                                            : "POST /channels/messages",
                                   .major = channel,
                                   .path = path,
                                   .order = order,
                                   .edits = message != NULL ? strtoull(message, NULL, 10) : 0,
                                   .body = body,
                                   .repeats = true,
                                   .names = !item->edits,
                                   .yields = item->edits};
    return rest_await(fibre, item->post->setup.rest, &call, out);
}

// As an edit, or as a message of its own.
static void settle(struct item *item, const char *channel)
{
    const char *const message = edited(item);
    const bool far = is_far(item, channel);
    (void)snprintf(item->channel, sizeof item->channel, "%s", channel);
    item->links = item->links && item->place != NULL && strcmp(item->place, channel) != 0;
    item->edits = message != NULL && !far;
    if (far) {
        (void)snprintf(item->old, sizeof item->old, "%s", message);
    } else if (message != NULL && item->kind == CHAT_CARD && item->moved == NULL &&
               below_asks(item->post->below, channel, message, item->turn)) {
        count_below(item->post, channel, message);
    }
}

static bool send_to(struct fibre *fibre, struct item *item, const char *channel)
{
    struct rest_answer answer;
    char found[ORDER_SIZE] = "";
    if (!discord_is_id(channel)) {
        return finish(item, CHAT_REFUSED, NULL);
    }
    settle(item, channel);
    if (item->sought && (!item->edits || is_board(item))) {
        if (!look_for(fibre, item, found)) {
            return false;
        }
        if (found[0] != '\0') {
            return was_sent(fibre, item, found);
        }
        settle(item, channel);
    }
    if (!call_channel(fibre, item, &answer)) {
        return false;
    }
    if (!rest_is_good(&answer)) {
        return was_refused(item, &answer);
    }
    return was_sent(fibre, item, json_string_value(json_object_get(answer.body, "id")));
}

/* Answers. */

static bool send_plain(struct fibre *fibre, struct item *item)
{
    char channel[DIRECT_ID_SIZE];
    if (item->person == NULL) {
        return send_to(fibre, item, item->place);
    }
    if (!directs_find(fibre, item->post->directs, item->person, channel)) {
        return false;
    }
    return channel[0] != '\0' ? send_to(fibre, item, channel)
                              : finish(item, CHAT_UNREACHABLE, NULL);
}

// What nobody else may read goes into the private channel instead.
static bool send_lost(struct fibre *fibre, struct item *item)
{
    item->answer = NULL;
    item->anew = false;
    item->links = true;
    return send_plain(fibre, item);
}

// A board that somebody has pressed is edited by its answer. What was pressed may be an older copy:
// that shows the same then, and the board is edited as ever.
static bool send_pressed(struct fibre *fibre, struct item *item)
{
    struct answers *const answers = item->post->setup.answers;
    const int64_t now_ms = (int64_t)uv_now(item->post->setup.loop);
    char channel[CHAT_ID_SIZE];
    struct answered answered = {.fate = ANSWER_TAKEN};
    (void)snprintf(channel, sizeof channel, "%.*s",
                   item->replaces != NULL ? (int)strcspn(item->replaces, "/") : 0,
                   item->replaces != NULL ? item->replaces : "");
    if (is_far(item, channel)) {
        answers_hush(answers, item->answer, now_ms);
    } else if (!answers_pressed(answers, item->answer, edited(item))) {
        answers_show(answers, item->answer, body_of(item, true), now_ms);
    } else if (!answers_edit(fibre, answers, item->answer, body_of(item, true), now_ms,
                             &answered)) {
        return false;
    }
    return answered.fate == ANSWER_SHOWN ? finish(item, CHAT_DELIVERED, item->replaces)
                                         : send_plain(fibre, item);
}

static bool send_answer(struct fibre *fibre, struct item *item)
{
    struct post *const post = item->post;
    const bool aloud = item->kind == CHAT_NARRATION;
    const int64_t now_ms = (int64_t)uv_now(post->setup.loop);
    struct answered answered = {.fate = ANSWER_TAKEN};
    if (aloud && !answers_open(post->setup.answers, item->answer)) {
        return send_to(fibre, item, item->place);
    }
    if (item->text[0] == '\0') { // it was heard: nothing more is to be said
        answers_hush(post->setup.answers, item->answer, now_ms);
        return finish(item, CHAT_DELIVERED, "");
    }
    if (item->anew && !answers_edit(fibre, post->setup.answers, item->answer, body_of(item, true),
                                    now_ms, &answered)) {
        return false;
    }
    if (answered.fate == ANSWER_TAKEN) {
        item->anew = false;
        if (!answers_send(fibre, post->setup.answers, item->answer, body_of(item, false), now_ms,
                          &answered)) {
            return false;
        }
    }
    if (item->person != NULL) {
        directs_answered(post->directs, item->person);
    }
    if (answered.fate == ANSWER_SHOWN) {
        if (aloud && discord_is_id(answered.id)) {
            below_said(post->below, item->place, answered.id);
        }
        return finish(item, CHAT_DELIVERED, answered.id);
    }
    if (aloud) {
        return send_to(fibre, item, item->place); // all are to read it all the same
    }
    return answered.fate == ANSWER_LOST && item->person != NULL
               ? send_lost(fibre, item)
               : finish(item, CHAT_REFUSED, NULL); // they ask again
}

static void send_item(struct fibre *fibre, void *user)
{
    struct item *const item = user;
    if (item->answer != NULL && is_board(item)) {
        (void)send_pressed(fibre, item);
    } else if (item->answer != NULL) {
        (void)send_answer(fibre, item);
    } else {
        (void)send_plain(fibre, item);
    }
    item_free(item);
}

void post_send(struct post *post, const struct chat_out *out)
{
    struct item *const item = item_new(post, out);
    if (out->retries && out->person != NULL) {
        post_retry(post, out->person);
    }
    fibres_start(post->setup.fibres, send_item, item);
}

/* Whole. */

struct post *post_create(const struct post_setup *setup)
{
    struct post *const post = mb_new(1, sizeof *post);
    post->setup = *setup;
    const struct directs_setup directs = {.loop = setup->loop,
                                          .fibres = setup->fibres,
                                          .rest = setup->rest,
                                          .answers = setup->answers,
                                          .log = setup->log,
                                          .log_user = setup->log_user};
    post->below = below_create();
    post->directs = directs_create(&directs);
    return post;
}

void post_destroy(struct post *post)
{
    if (post != NULL) {
        directs_destroy(post->directs);
        below_destroy(post->below);
    }
    free(post);
}
