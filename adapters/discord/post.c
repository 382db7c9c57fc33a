#include "adapters/discord/post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/time.h>

#include "core/codec/memory.h"

#include "adapters/discord/below.h"
#include "adapters/discord/commands.h"
#include "adapters/discord/controls.h"
#include "adapters/discord/direct.h"
#include "adapters/discord/payload.h"

enum {
    LOOK_BACK = 50,
    ORDER_SIZE = 32,
    MS_PER_S = 1000,
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300,
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

static void send_to(struct item *item, const char *channel);

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

static void finish(struct item *item, enum chat_fate fate, const char *id)
{
    // An answer that finds no other way is asked for again; of its reader that says nothing.
    const bool answer = item->kind == CHAT_REPLY && fate == CHAT_UNREACHABLE;
    const struct chat_outcome outcome = {.key = item->key,
                                         .fate = answer ? CHAT_REFUSED : fate,
                                         .id = fate == CHAT_DELIVERED ? id : NULL};
    item->post->setup.done(item->post->setup.user, &outcome);
    item_free(item); // whose id the outcome may have told
}

static void reached(void *user, const char *channel)
{
    struct item *const item = user;
    if (channel != NULL) {
        send_to(item, channel);
    } else {
        finish(item, CHAT_UNREACHABLE, NULL);
    }
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

static void deliver(struct item *item)
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
    finish(item, CHAT_DELIVERED, length > 0 && (size_t)length < sizeof whole ? whole : "");
}

static void left(void *user, const struct rest_answer *answer)
{
    (void)answer;
    deliver(user);
}

// Whether a card has begun a chapter that is not that of the message it replaces.
static bool turns_page(const struct item *item)
{
    return item->chapter != 0 && item->chapter != item->shown_chapter;
}

// Before the outcome is told: whoever is killed meanwhile finds the new one again, and does this
// then. What has told something keeps that, and nothing to press; all else is deleted.
static bool leave_old(struct item *item)
{
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
    return rest_call(item->post->setup.rest, &call, left, item);
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

static void sent(void *user, const struct rest_answer *answer)
{
    struct item *const item = user;
    struct post *const post = item->post;
    const char *const id = json_string_value(json_object_get(answer->body, "id"));
    if (answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE) {
        (void)snprintf(item->id, sizeof item->id, "%s", id != NULL && discord_is_id(id) ? id : "");
        if (!item->edits && id != NULL) {
            note_posted(item, id);
        }
        if (item->old[0] == '\0' || !leave_old(item)) {
            deliver(item);
        }
        return;
    }
    const enum chat_fate fate = fate_of(item, answer);
    if (fate == CHAT_UNREACHABLE && item->person != NULL) {
        directs_refused(post->directs, item->person, answer->code);
    } else if (fate != CHAT_MESSAGE_GONE) {
        char text[64];
        (void)snprintf(text, sizeof text, "status %d, code %d", answer->status, answer->code);
        post->setup.log(post->setup.log_user, NET_LOG_WARN, "message-refused", text);
    }
    finish(item, fate, NULL);
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

static void counted(void *user, const struct rest_answer *answer)
{
    struct counting *const counting = user;
    const size_t count = json_array_size(answer->body);
    const json_t *const newest = json_array_get(answer->body, 0);
    const char *const id = json_string_value(json_object_get(newest, "id"));
    if (answer->status == STATUS_OK) {
        below_counted(counting->post->below, counting->channel, counting->board, count,
                      id != NULL ? id : "");
    }
    free(counting);
}

static void count_below(struct post *post, const char *channel, const char *board)
{
    char path[REST_PATH_SIZE];
    struct counting *const counting = mb_new(1, sizeof *counting);
    counting->post = post;
    (void)snprintf(counting->channel, sizeof counting->channel, "%s", channel);
    (void)snprintf(counting->board, sizeof counting->board, "%s", board);
    (void)snprintf(path, sizeof path, "/channels/%s/messages?after=%s&limit=%d", channel, board,
                   BELOW_FAR);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = channel,
                                   .path = path,
                                   .repeats = true};
    if (!rest_call(post->setup.rest, &call, counted, counting)) {
        free(counting);
    }
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

static void looked(void *user, const struct rest_answer *answer)
{
    struct item *const item = user;
    json_t *const wanted = body_of(item, false);
    const json_t *found = NULL;
    const json_t *message = NULL;
    size_t i = 0;
    payload_once(wanted, item->mark);
    json_array_foreach(answer->body, i, message)
    {
        found = found == NULL && is_it(item->post, message, wanted) ? message : found;
    }
    json_decref(wanted);
    item->sought = false;
    const char *const id = json_string_value(json_object_get(found, "id"));
    const char *const board = edited(item);
    if (found != NULL && board != NULL && id != NULL && strcmp(id, board) != 0) {
        // It was posted anew, and what it was posted for may still be there.
        (void)snprintf(item->old, sizeof item->old, "%s", board);
        item->edits = false;
    }
    if (found != NULL && (board == NULL || item->old[0] != '\0')) {
        const struct rest_answer there = {.status = STATUS_OK, .body = found};
        claim(item->post, found);
        sent(item, &there);
    } else {
        char channel[CHAT_ID_SIZE];
        (void)snprintf(channel, sizeof channel, "%s", item->channel);
        send_to(item, channel);
    }
}

static bool look_for(struct item *item, const char *channel)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(item->channel, sizeof item->channel, "%s", channel);
    (void)snprintf(path, sizeof path, "/channels/%s/messages?limit=%d", channel, LOOK_BACK);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = channel,
                                   .path = path,
                                   .order = channel,
                                   .repeats = true};
    return rest_call(item->post->setup.rest, &call, looked, item);
}

static void send_to(struct item *item, const char *channel)
{
    char path[REST_PATH_SIZE];
    const char *message = edited(item);
    item->links = item->links && item->place != NULL && strcmp(item->place, channel) != 0;
    if (is_far(item, channel)) {
        (void)snprintf(item->old, sizeof item->old, "%s", message);
        message = NULL;
    } else if (message != NULL && item->kind == CHAT_CARD && item->moved == NULL &&
               below_asks(item->post->below, channel, message, item->turn)) {
        count_below(item->post, channel, message);
    }
    item->edits = message != NULL;
    if (item->sought && (!item->edits || is_board(item)) && discord_is_id(channel) &&
        look_for(item, channel)) {
        return;
    }
    json_t *const body = body_of(item, message != NULL);
    if (body == NULL || !discord_is_id(channel)) {
        json_decref(body);
        finish(item, CHAT_REFUSED, NULL);
        return;
    }
    (void)snprintf(item->channel, sizeof item->channel, "%s", channel);
    if (message != NULL) {
        (void)snprintf(path, sizeof path, "/channels/%s/messages/%s", channel, message);
    } else {
        payload_once(body, item->mark);
        (void)snprintf(path, sizeof path, "/channels/%s/messages", channel);
    }
    // What is edited goes past what is said: the newest form of a board is not late by that.
    char order[ORDER_SIZE];
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
    if (!rest_call(item->post->setup.rest, &call, sent, item)) {
        finish(item, CHAT_REFUSED, NULL);
    }
}

/* Answers. */

static void send_plain(struct item *item)
{
    if (item->person != NULL) {
        directs_find(item->post->directs, item->person, reached, item);
    } else {
        send_to(item, item->place);
    }
}

// What nobody else may read goes into the private channel instead.
static void send_lost(struct item *item)
{
    item->answer = NULL;
    item->anew = false;
    item->links = true;
    send_plain(item);
}

static void answered(void *user, enum answer_fate fate, const char *id)
{
    struct item *const item = user;
    if (item->person != NULL) {
        directs_answered(item->post->directs, item->person);
    }
    if (fate == ANSWER_SHOWN) {
        if (item->kind == CHAT_NARRATION && discord_is_id(id)) {
            below_said(item->post->below, item->place, id);
        }
        finish(item, CHAT_DELIVERED, id);
    } else if (item->kind == CHAT_NARRATION) {
        send_to(item, item->place); // all are to read it all the same
    } else if (fate == ANSWER_LOST && item->person != NULL) {
        send_lost(item);
    } else {
        finish(item, CHAT_REFUSED, NULL); // they ask again
    }
}

static void nothing(void *user, enum answer_fate fate, const char *id)
{
    (void)user;
    (void)fate;
    (void)id;
}

static void edited_there(void *user, enum answer_fate fate, const char *id)
{
    struct item *const item = user;
    (void)id;
    if (fate == ANSWER_SHOWN) {
        finish(item, CHAT_DELIVERED, item->replaces);
    } else {
        send_plain(item);
    }
}

// A board that somebody has pressed is edited by its answer. What was pressed may be an older copy:
// that shows the same then, and the board is edited as ever.
static void send_pressed(struct item *item)
{
    struct post *const post = item->post;
    const int64_t now_ms = (int64_t)uv_now(post->setup.loop);
    char channel[CHAT_ID_SIZE];
    (void)snprintf(channel, sizeof channel, "%.*s",
                   item->replaces != NULL ? (int)strcspn(item->replaces, "/") : 0,
                   item->replaces != NULL ? item->replaces : "");
    if (is_far(item, channel)) {
        answers_hush(post->setup.answers, item->answer, now_ms);
        send_plain(item);
        return;
    }
    const bool itself = answers_pressed(post->setup.answers, item->answer, edited(item));
    json_t *const body = body_of(item, true);
    const bool sent =
        body != NULL && answers_edit(post->setup.answers, item->answer, body, now_ms,
                                     itself ? edited_there : nothing, itself ? item : NULL);
    if (!sent || !itself) {
        send_plain(item);
    }
}

static void send_answer(struct item *item)
{
    const bool aloud = item->kind == CHAT_NARRATION;
    struct post *const post = item->post;
    const int64_t now_ms = (int64_t)uv_now(post->setup.loop);
    if (aloud && !answers_open(post->setup.answers, item->answer)) {
        send_to(item, item->place);
        return;
    }
    if (item->text[0] == '\0') { // it was heard: nothing more is to be said
        answers_hush(post->setup.answers, item->answer, now_ms);
        finish(item, CHAT_DELIVERED, "");
        return;
    }
    json_t *body = item->anew ? body_of(item, true) : NULL;
    if (body != NULL &&
        answers_edit(post->setup.answers, item->answer, body, now_ms, answered, item)) {
        return;
    }
    item->anew = false;
    body = body_of(item, false);
    if (body == NULL ||
        !answers_send(post->setup.answers, item->answer, body, now_ms, answered, item)) {
        answered(item, ANSWER_LATE, "");
    }
}

void post_send(struct post *post, const struct chat_out *out)
{
    struct item *const item = item_new(post, out);
    if (out->retries && out->person != NULL) {
        post_retry(post, out->person);
    }
    if (item->answer != NULL && is_board(item)) {
        send_pressed(item);
    } else if (item->answer != NULL) {
        send_answer(item);
    } else {
        send_plain(item);
    }
}

/* Whole. */

struct post *post_create(const struct post_setup *setup)
{
    struct post *const post = mb_new(1, sizeof *post);
    post->setup = *setup;
    const struct directs_setup directs = {.loop = setup->loop,
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
