#include "adapters/matrix/rooms/stay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/errand.h"

/* Staying. */

enum { LOOK_MS = 3600000, WORD_SIZE = 40, NUMBER_SIZE = 24, MS_PER_S = 1000, MEMBERS_SIZE = 65536 };

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;
static const int64_t WEEK_MS = INT64_C(7) * 24 * 60 * 60 * 1000;

struct stay {
    const struct house_setup *setup;
    const struct remembered *too_large;
    struct errands looks; // one a room; nothing is kept of them
};

bool stay_is_long_unused(int64_t used_ms, int64_t now_ms)
{
    return now_ms - used_ms >= WEEK_MS;
}

static int64_t wall_ms(void)
{
    uv_timeval64_t now = {0};
    (void)uv_gettimeofday(&now);
    return now.tv_sec * MS_PER_S + now.tv_usec / MS_PER_S;
}

static void word_of(const char *room, char out[WORD_SIZE])
{
    uint64_t hash[2] = {0};
    (void)crypto_generichash((unsigned char *)hash, sizeof hash, (const unsigned char *)room,
                             strlen(room), NULL, 0);
    (void)snprintf(out, WORD_SIZE, "used/%016" PRIx64, hash[0]);
}

static void keep_used(const struct stay *stay, struct room *room, int64_t now_ms)
{
    char word[WORD_SIZE];
    char number[NUMBER_SIZE];
    word_of(room_id(room), word);
    (void)snprintf(number, sizeof number, "%" PRId64, now_ms);
    const struct chat_kept item = {.word = word, .at = number, .size = strlen(number)};
    if (chat_keep(stay->setup->chat, &item, NULL, NULL)) {
        room_use(room, now_ms);
    }
}

void stay_used(struct stay *stay, struct room *room)
{
    const int64_t now_ms = wall_ms();
    if (now_ms - room_used_ms(room) >= DAY_MS) {
        keep_used(stay, room, now_ms);
    }
}

static bool leave_room(struct fibre *fibre, const struct stay *stay, const char *room)
{
    const struct house_setup *const setup = stay->setup;
    const struct api_room_call leaves = {.method = "POST", .room = room, .what = "/leave"};
    const struct api_room_call forgets = {.method = "POST", .room = room, .what = "/forget"};
    struct api_answer answer;
    if (!api_room_await(fibre, setup->api, &leaves, &answer)) {
        return false;
    }
    if (!api_good(&answer)) {
        return true; // it is tried again when it is looked at next
    }
    setup->log(setup->log_user, NET_LOG_INFO, "room-left",
               "left a room: empty, long unused, or too large");
    return api_room_await(fibre, setup->api, &forgets, &answer);
}

// The room, if it is to be looked at.
static struct room *room_to_look_at(const struct stay *stay, const char *id)
{
    const char *const bot = stay->setup->bot;
    struct room *const room = rooms_find(stay->setup->rooms, id);
    return room != NULL && room_hand_of(room, bot) == NULL &&
                   room_membership(room, bot) == ROOM_JOINED
               ? room
               : NULL;
}

static bool is_empty(const struct room *room)
{
    return room_count(room, ROOM_JOINED) + room_count(room, ROOM_INVITED) == 1;
}

// Of more people than the answer may hold somebody is there. `*empty`: nobody is.
static bool ask_members(struct fibre *fibre, const struct stay *stay, const char *id, bool *empty)
{
    const struct api_room_call call = {
        .method = "GET", .room = id, .what = API_MEMBERS, .body_max = MEMBERS_SIZE};
    struct api_answer answer;
    size_t i = 0;
    const json_t *json = NULL;
    *empty = false;
    if (!api_room_await(fibre, stay->setup->api, &call, &answer)) {
        return false;
    }
    struct room *const room = room_to_look_at(stay, id);
    if (room == NULL || !api_good(&answer)) {
        return room != NULL && answer.too_long;
    }
    json_array_foreach(json_object_get(answer.body, "chunk"), i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event)) {
            room_apply(room, &event);
        }
    }
    *empty = is_empty(room);
    return true;
}

// What no process has kept begins now.
static bool ask_used(struct fibre *fibre, const struct stay *stay, const char *id)
{
    char word[WORD_SIZE];
    struct kept_items kept;
    word_of(id, word);
    if (!chat_read_await(fibre, stay->setup->chat, word, &kept)) {
        return false;
    }
    struct room *const room = room_to_look_at(stay, id);
    char number[NUMBER_SIZE] = "";
    for (size_t i = 0; i < kept.count; i++) {
        if (strcmp(kept.items[i].word, word) == 0) {
            (void)snprintf(number, sizeof number, "%.*s", (int)kept.items[i].size,
                           (const char *)kept.items[i].at);
        }
    }
    if (room != NULL && number[0] != '\0') {
        room_use(room, strtoll(number, NULL, 10));
    } else if (room != NULL) {
        keep_used(stay, room, wall_ms());
    }
    return room != NULL;
}

static bool look_at_room(struct fibre *fibre, struct errand *errand)
{
    const struct stay *const stay = errand->errands->user;
    const char *const id = errand->name;
    const struct room *room = room_to_look_at(stay, id);
    // As far as syncs tell, who tell only of people who say something.
    bool empty = room != NULL && is_empty(room);
    if (remembered_has(stay->too_large, id)) {
        return leave_room(fibre, stay, id);
    }
    if (room == NULL || (empty && !ask_members(fibre, stay, id, &empty))) {
        return true;
    }
    room = room_to_look_at(stay, id);
    if (!empty && room_used_ms(room) == 0) {
        if (!ask_used(fibre, stay, id)) {
            return true;
        }
        room = room_to_look_at(stay, id);
    }
    return empty || stay_is_long_unused(room_used_ms(room), wall_ms()) ? leave_room(fibre, stay, id)
                                                                       : true;
}

void stay_look(struct stay *stay, const char *room)
{
    (void)errands_begin(&stay->looks, room, NULL, NULL); // of too many the rest in an hour
}

static void look_at_all(struct fibre *fibre, void *user)
{
    struct stay *const stay = user;
    while (api_sleep(fibre, stay->setup->api, LOOK_MS)) {
        const struct rooms *const rooms = stay->setup->rooms;
        for (struct room *at = rooms_next(rooms, NULL); at != NULL; at = rooms_next(rooms, at)) {
            stay_look(stay, room_id(at));
        }
    }
}

struct stay *stay_create(const struct house_setup *setup, const struct remembered *too_large)
{
    struct stay *const stay = mb_new(1, sizeof *stay);
    *stay = (struct stay){.setup = setup,
                          .too_large = too_large,
                          .looks = {.fibres = setup->fibres, .run = look_at_room, .user = stay}};
    fibres_start(setup->fibres, look_at_all, stay);
    return stay;
}

void stay_destroy(struct stay *stay)
{
    free(stay);
}

/* Farewell. */

enum { STATUS_FORBIDDEN = 403, STATUS_UNKNOWN = 404 };

struct leaving {
    const struct farewell *farewell;
    const char *person;
};

// Whether the bot is no longer there, by this or from before.
static bool is_out(const struct api_answer *answer)
{
    return api_good(answer) || answer->status == STATUS_FORBIDDEN ||
           answer->status == STATUS_UNKNOWN;
}

static const struct room *next_of(const struct rooms *rooms, const char *person)
{
    const struct room *const hand = rooms_hand(rooms, person, NULL);
    return hand != NULL ? hand : rooms_old_hand(rooms, person, NULL);
}

static void leave_all(struct fibre *fibre, void *user)
{
    const struct leaving *const leaving = user;
    const struct farewell farewell = *leaving->farewell;
    char person[CHAT_ID_SIZE];
    char id[CHAT_ID_SIZE];
    bool out = true;
    (void)snprintf(person, sizeof person, "%s", leaving->person);
    for (const struct room *room = next_of(farewell.rooms, person); out && room != NULL;
         room = next_of(farewell.rooms, person)) {
        const struct api_room_call leave = {.method = "POST", .room = id, .what = "/leave"};
        const struct api_room_call forget = {.method = "POST", .room = id, .what = "/forget"};
        struct api_answer answer;
        (void)snprintf(id, sizeof id, "%s", room_id(room));
        if (!api_room_await(fibre, farewell.api, &leave, &answer)) {
            return;
        }
        out = is_out(&answer);
        if (out) { // what the homeserver keeps of it is no longer this bot's affair
            rooms_forget(farewell.rooms, id);
            if (!api_room_await(fibre, farewell.api, &forget, &answer)) {
                return;
            }
        }
    }
    chat_tell(farewell.chat,
              &(const struct chat_outcome){.key = farewell.key,
                                           .fate = out ? CHAT_DELIVERED : CHAT_REFUSED,
                                           .id = out ? "" : NULL});
}

void farewell_say(struct fibres *fibres, const struct farewell *farewell, const char *person)
{
    struct leaving leaving = {.farewell = farewell, .person = person};
    fibres_start(fibres, leave_all, &leaving);
}
