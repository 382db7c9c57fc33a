#include "adapters/discord/say/chores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/discord/say/direct.h"
#include "adapters/discord/wire/interaction.h"
#include "adapters/discord/wire/markup.h"

enum {
    THREAD_NAME_MAX = 100,
    THREAD_NAME_SIZE = 4 * THREAD_NAME_MAX + 1,
    ID_SIZE = DIRECT_ID_SIZE,
    PAGE = 100,
    WEEK_MIN = 10080, // the longest that Discord leaves a silent thread open
    STATUS_GONE = 404,
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    CODE_UNKNOWN_CHANNEL = 10003,
    CODE_UNKNOWN_MEMBER = 10007,
    CODE_UNKNOWN_MESSAGE = 10008,
    CODE_WRONG_CHANNEL = 50024,
    CODE_THREAD_EXISTS = 160004
};

/* One of them, copied. */
struct chore {
    const struct chores *chores;
    enum chat_kind kind;
    struct chat_key key;
    char place[ID_SIZE], person[ID_SIZE];
    char message[ID_SIZE]; // of a card; or ""
    bool makes;            // a room of that name
    char name[THREAD_NAME_SIZE];
    size_t people_count;
    char people[][ID_SIZE];
};

static void tell(const struct chore *chore, enum chat_fate fate, const char *id)
{
    const struct chat_outcome outcome = {
        .key = chore->key, .fate = fate, .id = fate == CHAT_DELIVERED ? id : NULL};
    chat_tell(chore->chores->chat, &outcome);
}

// The id in an answer; NULL: there is none.
static const char *id_of(const json_t *object)
{
    const char *const id = json_string_value(json_object_get(object, "id"));
    return id != NULL && discord_is_id(id) ? id : NULL;
}

/* Rooms. In what follows false says that the owner stops. */

static bool lead(struct fibre *fibre, const struct chore *chore, const char *room,
                 const char *person)
{
    char path[REST_PATH_SIZE];
    struct rest_answer answer; // who cannot be led in finds the way by the card
    (void)snprintf(path, sizeof path, "/channels/%s/thread-members/%s", room, person);
    const struct rest_call call = {.method = "PUT",
                                   .route = "PUT /channels/thread-members",
                                   .major = room,
                                   .path = path,
                                   .repeats = true};
    return rest_await(fibre, chore->chores->rest, &call, &answer);
}

static bool lead_all(struct fibre *fibre, const struct chore *chore, const char *room)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < chore->people_count; i++) {
        goes_on = lead(fibre, chore, room, chore->people[i]);
    }
    return goes_on;
}

static bool wake(struct fibre *fibre, const struct chore *chore)
{
    char path[REST_PATH_SIZE];
    struct rest_answer answer;
    (void)snprintf(path, sizeof path, "/channels/%s", chore->place);
    const struct rest_call call = {.method = "PATCH",
                                   .route = "PATCH /channels",
                                   .major = chore->place,
                                   .path = path,
                                   .body = json_pack("{s:b}", "archived", 0),
                                   .repeats = true};
    return rest_await(fibre, chore->chores->rest, &call, &answer);
}

// Of a thread that was not made; delivered: none can be, and the table stays.
static enum chat_fate fate_of(int code)
{
    switch (code) {
    case CODE_WRONG_CHANNEL:
        return CHAT_DELIVERED;
    case CODE_UNKNOWN_MESSAGE:
        return CHAT_MESSAGE_GONE;
    case CODE_UNKNOWN_CHANNEL:
        return CHAT_PLACE_GONE;
    default:
        return CHAT_REFUSED;
    }
}

static bool make(struct fibre *fibre, const struct chore *chore, struct rest_answer *out)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/messages/%s/threads", chore->place,
                   chore->message);
    const struct rest_call call = {
        .method = "POST",
        .route = "POST /channels/messages/threads",
        .major = chore->place,
        .path = path,
        .body = json_pack("{s:s, s:i}", "name", chore->name, "auto_archive_duration", WEEK_MIN),
        .repeats = true};
    return rest_await(fibre, chore->chores->rest, &call, out);
}

static void open_room(struct fibre *fibre, const struct chore *chore)
{
    struct rest_answer answer;
    char room[ID_SIZE] = "";
    if (!chore->makes) { // it is one already
        if (chore->people_count > 0 ? lead_all(fibre, chore, chore->place) : wake(fibre, chore)) {
            tell(chore, CHAT_DELIVERED, chore->place);
        }
        return;
    }
    if (!discord_is_id(chore->message) || !discord_is_id(chore->place)) {
        tell(chore, CHAT_REFUSED, NULL);
        return;
    }
    if (!make(fibre, chore, &answer)) {
        return;
    }
    const bool there = answer.code == CODE_THREAD_EXISTS;
    const char *const id = rest_is_good(&answer) ? id_of(answer.body) : NULL;
    if (there || id != NULL) {
        (void)snprintf(room, sizeof room, "%s", there ? chore->message : id);
        tell(chore, CHAT_DELIVERED, room);
        (void)lead_all(fibre, chore, room);
    } else {
        tell(chore, fate_of(answer.code), chore->place);
    }
}

/* Who is there. */

static void seek(struct fibre *fibre, const struct chore *chore)
{
    char path[REST_PATH_SIZE];
    struct rest_answer answer;
    if (!discord_is_id(chore->place) || !discord_is_id(chore->person)) {
        tell(chore, CHAT_REFUSED, NULL);
        return;
    }
    (void)snprintf(path, sizeof path, "/guilds/%s/members/%s", chore->place, chore->person);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /guilds/members",
                                   .major = chore->place,
                                   .path = path,
                                   .repeats = true};
    if (!rest_await(fibre, chore->chores->rest, &call, &answer)) {
        return;
    }
    const bool there = rest_is_good(&answer);
    const bool told = there || answer.code == CODE_UNKNOWN_MEMBER;
    if (told) {
        const struct chat_in in = {.kind = there ? CHAT_IN_PERSON_BACK : CHAT_IN_PERSON_GONE,
                                   .person = chore->person,
                                   .community = chore->place};
        (void)chat_queue_push(chore->chores->chat->sink.queue, &in);
    }
    tell(chore, told ? CHAT_DELIVERED : CHAT_REFUSED, "");
}

/* What was written in private. */

static bool find_channel(struct fibre *fibre, const struct chore *chore, char channel[ID_SIZE],
                         enum chat_fate *fate)
{
    struct rest_answer answer;
    if (!directs_ask(fibre, chore->chores->rest, chore->person, channel, &answer)) {
        return false;
    }
    const bool later =
        answer.status == 0 || answer.status >= STATUS_ERROR || answer.status == STATUS_TOO_MANY;
    *fate = channel[0] != '\0' ? CHAT_DELIVERED : later ? CHAT_REFUSED : CHAT_UNREACHABLE;
    return true;
}

static bool delete_one(struct fibre *fibre, const struct chore *chore, const char *channel,
                       const char *message, enum chat_fate *fate)
{
    char path[REST_PATH_SIZE];
    struct rest_answer answer;
    (void)snprintf(path, sizeof path, "/channels/%s/messages/%s", channel, message);
    const struct rest_call call = {.method = "DELETE",
                                   .route = "DELETE /channels/messages",
                                   .major = channel,
                                   .path = path,
                                   .order = channel,
                                   .repeats = true};
    if (!rest_await(fibre, chore->chores->rest, &call, &answer)) {
        return false;
    }
    if (!rest_is_good(&answer) && answer.status != STATUS_GONE) {
        *fate = CHAT_REFUSED;
    }
    return true;
}

// `before`: the oldest message that was looked at, or "". `*last`: no page follows.
static bool delete_page(struct fibre *fibre, const struct chore *chore, const char *channel,
                        char before[ID_SIZE], bool *last, enum chat_fate *fate)
{
    char path[REST_PATH_SIZE];
    char ours[PAGE][ID_SIZE];
    size_t count = 0;
    struct rest_answer answer;
    (void)snprintf(path, sizeof path, "/channels/%s/messages?limit=%d%s%s", channel, PAGE,
                   before[0] != '\0' ? "&before=" : "", before);
    const struct rest_call call = {.method = "GET",
                                   .route = "GET /channels/messages",
                                   .major = channel,
                                   .path = path,
                                   .order = channel,
                                   .repeats = true};
    if (!rest_await(fibre, chore->chores->rest, &call, &answer)) {
        return false;
    }
    if (!rest_is_good(&answer) || !json_is_array(answer.body)) {
        *fate = answer.status == STATUS_GONE ? CHAT_UNREACHABLE : CHAT_REFUSED;
        return true;
    }
    const size_t size = json_array_size(answer.body);
    *last = size < PAGE;
    for (size_t i = 0; i < size && i < PAGE; i++) {
        const json_t *const message = json_array_get(answer.body, i);
        const char *const id = id_of(message);
        const char *const author = id_of(json_object_get(message, "author"));
        if (id != NULL) {
            (void)snprintf(before, ID_SIZE, "%s", id);
        }
        if (id != NULL && author != NULL && strcmp(author, chore->person) != 0) {
            (void)snprintf(ours[count++], ID_SIZE, "%s", id);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!delete_one(fibre, chore, channel, ours[i], fate)) {
            return false;
        }
    }
    return true;
}

static void forget(struct fibre *fibre, const struct chore *chore)
{
    char channel[ID_SIZE];
    char before[ID_SIZE] = "";
    enum chat_fate fate = CHAT_DELIVERED;
    bool last = false;
    if (!find_channel(fibre, chore, channel, &fate)) {
        return;
    }
    while (fate == CHAT_DELIVERED && !last) {
        if (!delete_page(fibre, chore, channel, before, &last, &fate)) {
            return;
        }
    }
    tell(chore, fate, "");
}

static void run(struct fibre *fibre, void *user)
{
    struct chore *const chore = user;
    if (chore->kind == CHAT_ROOM) {
        open_room(fibre, chore);
    } else if (chore->kind == CHAT_SEEK) {
        seek(fibre, chore);
    } else {
        forget(fibre, chore);
    }
    free(chore);
}

void chores_do(const struct chores *chores, const struct chat_out *out)
{
    struct chore *const chore =
        mb_new(1, sizeof *chore + out->ping_count * sizeof chore->people[0]);
    const char *const slash = out->replaces != NULL ? strrchr(out->replaces, '/') : NULL;
    chore->chores = chores;
    chore->kind = out->kind;
    chore->key = out->key;
    (void)snprintf(chore->place, sizeof chore->place, "%s", out->place);
    (void)snprintf(chore->person, sizeof chore->person, "%s",
                   out->person != NULL ? out->person : "");
    (void)snprintf(chore->message, sizeof chore->message, "%.*s",
                   slash != NULL ? (int)strcspn(slash + 1, " ") : 0,
                   slash != NULL ? slash + 1 : "");
    chore->makes = out->text[0] != '\0';
    markup_plain(out->text, THREAD_NAME_MAX, chore->name, sizeof chore->name);
    for (size_t i = 0; i < out->ping_count; i++) {
        if (discord_is_id(out->pings[i])) {
            (void)snprintf(chore->people[chore->people_count++], ID_SIZE, "%s", out->pings[i]);
        }
    }
    fibres_start(chores->fibres, run, chore);
}
