#include "adapters/discord/rooms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/discord/interaction.h"
#include "adapters/discord/markup.h"

enum {
    THREAD_NAME_MAX = 100,
    THREAD_NAME_SIZE = 4 * THREAD_NAME_MAX + 1,
    ID_SIZE = 32,
    WEEK_MIN = 10080, // the longest that Discord leaves a silent thread open
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300,
    CODE_UNKNOWN_CHANNEL = 10003,
    CODE_UNKNOWN_MESSAGE = 10008,
    CODE_WRONG_CHANNEL = 50024,
    CODE_THREAD_EXISTS = 160004
};

/* A room that is asked for, or people who are led in. */
struct asking {
    const struct rooms *rooms;
    struct chat_key key;
    char place[ID_SIZE];   // where its card lies, or the room
    char message[ID_SIZE]; // "" : it is a room already
    char name[THREAD_NAME_SIZE];
    unsigned calls; // that are not answered yet
    size_t people_count;
    char people[][ID_SIZE];
};

static void finish(struct asking *asking, enum chat_fate fate, const char *id)
{
    const struct chat_outcome outcome = {
        .key = asking->key, .fate = fate, .id = fate == CHAT_DELIVERED ? id : NULL};
    asking->rooms->done(asking->rooms->user, &outcome);
}

static bool is_good(const struct rest_answer *answer)
{
    return answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE;
}

/* People. */

static void led(void *user, const struct rest_answer *answer)
{
    struct asking *const asking = user;
    (void)answer; // who cannot be led in finds the way by the card
    if (--asking->calls == 0) {
        if (asking->message[0] == '\0') {
            finish(asking, CHAT_DELIVERED, asking->place);
        }
        free(asking);
    }
}

static void lead(struct asking *asking, const char *room, const char *person)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/thread-members/%s", room, person);
    const struct rest_call call = {.method = "PUT",
                                   .route = "PUT /channels/thread-members",
                                   .major = room,
                                   .path = path,
                                   .repeats = true};
    asking->calls += rest_call(asking->rooms->rest, &call, led, asking) ? 1 : 0;
}

static void wake(struct asking *asking)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s", asking->place);
    const struct rest_call call = {.method = "PATCH",
                                   .route = "PATCH /channels",
                                   .major = asking->place,
                                   .path = path,
                                   .body = json_pack("{s:b}", "archived", 0),
                                   .repeats = true};
    asking->calls += rest_call(asking->rooms->rest, &call, led, asking) ? 1 : 0;
}

// One call is counted while they are made, so that the last answer finds all of them there.
static void lead_all(struct asking *asking, const char *room)
{
    static const struct rest_answer NONE = {.status = 0};
    asking->calls = 1;
    for (size_t i = 0; i < asking->people_count; i++) {
        lead(asking, room, asking->people[i]);
    }
    if (asking->people_count == 0 && asking->message[0] == '\0') {
        wake(asking);
    }
    led(asking, &NONE);
}

/* Rooms. */

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

static void made(void *user, const struct rest_answer *answer)
{
    struct asking *const asking = user;
    const char *const id = json_string_value(json_object_get(answer->body, "id"));
    const bool there = answer->code == CODE_THREAD_EXISTS;
    if (there || (is_good(answer) && id != NULL && discord_is_id(id))) {
        char room[ID_SIZE];
        (void)snprintf(room, sizeof room, "%s", there ? asking->message : id);
        finish(asking, CHAT_DELIVERED, room);
        lead_all(asking, room);
        return;
    }
    finish(asking, fate_of(answer->code), asking->place);
    free(asking);
}

static bool make(struct asking *asking)
{
    char path[REST_PATH_SIZE];
    (void)snprintf(path, sizeof path, "/channels/%s/messages/%s/threads", asking->place,
                   asking->message);
    const struct rest_call call = {
        .method = "POST",
        .route = "POST /channels/messages/threads",
        .major = asking->place,
        .path = path,
        .body = json_pack("{s:s, s:i}", "name", asking->name, "auto_archive_duration", WEEK_MIN),
        .repeats = true};
    return rest_call(asking->rooms->rest, &call, made, asking);
}

static struct asking *asking_new(const struct rooms *rooms, const struct chat_out *out)
{
    struct asking *const asking =
        mb_new(1, sizeof *asking + out->ping_count * sizeof asking->people[0]);
    asking->rooms = rooms;
    asking->key = out->key;
    (void)snprintf(asking->place, sizeof asking->place, "%s", out->place);
    markup_plain(out->text, THREAD_NAME_MAX, asking->name, sizeof asking->name);
    for (size_t i = 0; i < out->ping_count; i++) {
        if (discord_is_id(out->pings[i])) {
            (void)snprintf(asking->people[asking->people_count++], ID_SIZE, "%s", out->pings[i]);
        }
    }
    return asking;
}

bool rooms_send(const struct rooms *rooms, const struct chat_out *out)
{
    struct asking *const asking = asking_new(rooms, out);
    if (asking == NULL) {
        return false;
    }
    if (out->text[0] == '\0') {
        lead_all(asking, asking->place);
        return true;
    }
    const char *const slash = out->replaces != NULL ? strrchr(out->replaces, '/') : NULL;
    const int length = slash != NULL ? (int)strcspn(slash + 1, " ") : 0;
    (void)snprintf(asking->message, sizeof asking->message, "%.*s", length,
                   slash != NULL ? slash + 1 : "");
    const bool known = discord_is_id(asking->message) && discord_is_id(out->place);
    if (!known || !make(asking)) {
        finish(asking, CHAT_REFUSED, NULL);
        free(asking);
    }
    return true;
}
