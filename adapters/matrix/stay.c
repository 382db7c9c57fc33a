#include "adapters/matrix/stay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"

enum { LOOK_MS = 3600000, WORD_SIZE = 40, NUMBER_SIZE = 24, MS_PER_S = 1000, MEMBERS_SIZE = 65536 };

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;
static const int64_t WEEK_MS = INT64_C(7) * 24 * 60 * 60 * 1000;

/* A room that is being left, or asked about. */
struct errand {
    struct errand *next;
    struct stay *stay;
    char room[CHAT_ID_SIZE], word[WORD_SIZE];
};

struct stay {
    struct stay_setup setup;
    struct errand *errands;
    uv_timer_t timer;
    bool stopped;
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

static void keep(struct stay *stay, struct room *room, int64_t now_ms)
{
    char word[WORD_SIZE];
    char number[NUMBER_SIZE];
    word_of(room_id(room), word);
    (void)snprintf(number, sizeof number, "%" PRId64, now_ms);
    const struct chat_kept item = {.word = word, .at = number, .size = strlen(number)};
    if (chat_keep(stay->setup.chat, &item, NULL, NULL)) {
        room_use(room, now_ms);
    }
}

void stay_used(struct stay *stay, struct room *room)
{
    const int64_t now_ms = wall_ms();
    if (now_ms - room_used_ms(room) >= DAY_MS) {
        keep(stay, room, now_ms);
    }
}

/* Leaving. */

static void forgotten(void *user, const struct api_answer *answer)
{
    (void)user;
    (void)answer;
}

// NULL: without memory, or one is under way there.
static struct errand *errand_new(struct stay *stay, const char *room)
{
    struct errand *errand = stay->errands;
    while (errand != NULL && strcmp(errand->room, room) != 0) {
        errand = errand->next;
    }
    errand = errand == NULL ? calloc(1, sizeof *errand) : NULL;
    if (errand != NULL) {
        errand->stay = stay;
        (void)snprintf(errand->room, sizeof errand->room, "%s", room);
        word_of(room, errand->word);
        errand->next = stay->errands;
        stay->errands = errand;
    }
    return errand;
}

static void errand_free(struct errand *errand)
{
    struct errand **at = &errand->stay->errands;
    while (*at != errand) {
        at = &(*at)->next;
    }
    *at = errand->next;
    free(errand);
}

static bool post(struct stay *stay, const char *room, const char *what, api_done_fn *done,
                 void *user)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    return api_path(path, "/_matrix/client/v3/rooms/", room, what) &&
           api_call(stay->setup.api, &call, done, user) != 0;
}

static void has_left(void *user, const struct api_answer *answer)
{
    struct errand *const errand = user;
    struct stay *const stay = errand->stay;
    if (api_good(answer) && !stay->stopped) {
        stay->setup.log(stay->setup.user, NET_LOG_INFO, "room-left",
                        "left a room: empty, long unused, or too large");
        (void)!post(stay, errand->room, "/forget", forgotten, stay);
    }
    errand_free(errand); // else it is tried again when it is looked at next
}

void stay_leave(struct stay *stay, const char *room)
{
    struct errand *const errand = stay->stopped ? NULL : errand_new(stay, room);
    if (errand != NULL && !post(stay, errand->room, "/leave", has_left, errand)) {
        errand_free(errand);
    }
}

/* Looking. */

// What no process has kept begins now.
static void told_used(void *user, const struct chat_kept *items, size_t count)
{
    struct errand *const errand = user;
    struct stay *const stay = errand->stay;
    struct room *const room = stay->stopped ? NULL : rooms_find(stay->setup.rooms, errand->room);
    char number[NUMBER_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].word, errand->word) == 0 && items[i].size < sizeof number) {
            memcpy(number, items[i].at, items[i].size);
            number[items[i].size] = '\0';
        }
    }
    errand_free(errand);
    if (room != NULL && number[0] != '\0') {
        room_use(room, strtoll(number, NULL, 10));
        stay_look(stay, room);
    } else if (room != NULL) {
        keep(stay, room, wall_ms());
    }
}

static void ask_used(struct stay *stay, const struct room *room)
{
    struct errand *const errand = errand_new(stay, room_id(room));
    if (errand != NULL && !chat_read(stay->setup.chat, errand->word, told_used, errand)) {
        errand_free(errand);
    }
}

static void look_at_use(struct stay *stay, struct room *room)
{
    if (room_used_ms(room) == 0) {
        ask_used(stay, room);
    } else if (stay_is_long_unused(room_used_ms(room), wall_ms())) {
        stay_leave(stay, room_id(room));
    }
}

static size_t others_in(const struct room *room)
{
    return room_count(room, ROOM_JOINED) + room_count(room, ROOM_INVITED) - 1;
}

// Of more people than the answer may hold somebody is there.
static void told_members(void *user, const struct api_answer *answer)
{
    struct errand *const errand = user;
    struct stay *const stay = errand->stay;
    struct room *const room = stay->stopped ? NULL : rooms_find(stay->setup.rooms, errand->room);
    size_t i = 0;
    const json_t *json = NULL;
    errand_free(errand);
    if (room == NULL || (!api_good(answer) && !answer->too_long)) {
        return;
    }
    json_array_foreach(json_object_get(answer->body, "chunk"), i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && !room_apply(room, &event)) {
            return;
        }
    }
    if (answer->too_long || others_in(room) > 0) {
        look_at_use(stay, room);
    } else {
        stay_leave(stay, room_id(room));
    }
}

static void ask_members(struct stay *stay, const struct room *room)
{
    struct errand *const errand = errand_new(stay, room_id(room));
    if (errand != NULL &&
        api_members(stay->setup.api, errand->room, MEMBERS_SIZE, told_members, errand) == 0) {
        errand_free(errand);
    }
}

void stay_look(struct stay *stay, struct room *room)
{
    if (stay->stopped || room_hand_of(room, stay->setup.bot) != NULL ||
        room_membership(room, stay->setup.bot) != ROOM_JOINED) {
        return;
    }
    if (others_in(room) == 0) { // as far as syncs tell, who tell only of people who say something
        ask_members(stay, room);
    } else {
        look_at_use(stay, room);
    }
}

static void look_at(void *user, struct room *room)
{
    stay_look(user, room);
}

static void on_timer(uv_timer_t *timer)
{
    struct stay *const stay = timer->data;
    rooms_each(stay->setup.rooms, look_at, stay);
}

struct stay *stay_create(const struct stay_setup *setup)
{
    struct stay *const stay = calloc(1, sizeof *stay);
    if (stay != NULL) {
        stay->setup = *setup;
        (void)uv_timer_init(setup->loop, &stay->timer);
        stay->timer.data = stay;
        (void)uv_timer_start(&stay->timer, on_timer, LOOK_MS, LOOK_MS);
    }
    return stay;
}

void stay_stop(struct stay *stay)
{
    if (!stay->stopped) {
        stay->stopped = true;
        uv_close((uv_handle_t *)&stay->timer, NULL);
    }
}

void stay_destroy(struct stay *stay)
{
    while (stay != NULL && stay->errands != NULL) {
        struct errand *const first = stay->errands;
        stay->errands = first->next;
        free(first);
    }
    free(stay);
}
