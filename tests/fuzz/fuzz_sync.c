/*
 * Fuzzes what a homeserver answers to syncs: any JSON, of a list one answer after the other.
 *
 * Its length says whether there was a token, and what fills gaps. Whatever comes: told in pieces of
 * any size it is the same; without a token nobody has said anything; a room once encrypted stays
 * so; and where a hand may be shown nobody else is.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/news.h"
#include "adapters/matrix/rooms.h"
#include "adapters/matrix/sync.h"

#include "tests/fuzz/fuzz.h"

enum { FIRST = 1, FILLS = 2, STEPS_MAX = 100000 };

static const char BOT[] = "@bot:hs";
static const char PLAYER[] = "@ann:hs";

struct told {
    struct rooms *rooms;
    bool first;
    uint64_t hash; // of all that was told, in its order
};

static void mix(struct told *told, const char *word)
{
    for (const char *at = word != NULL ? word : "-"; *at != '\0'; at++) {
        told->hash = (told->hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    }
}

static struct room *on_room(void *user, const char *id)
{
    struct told *const told = user;
    mix(told, id);
    return rooms_get(told->rooms, id);
}

static void on_invited(void *user, const struct sync_invitation *invitation)
{
    mix(user, invitation->room);
    mix(user, invitation->inviter);
    mix(user, invitation->predecessor);
}

static void on_too_large(void *user, const char *room)
{
    struct told *const told = user;
    mix(told, room);
    rooms_forget(told->rooms, room);
}

static void on_left(void *user, const char *room, bool thrown_out)
{
    struct told *const told = user;
    mix(told, room);
    mix(told, thrown_out ? "out" : "left");
    rooms_forget(told->rooms, room);
}

static void check_hand(const struct room *room)
{
    const size_t there = room_count(room, ROOM_JOINED) + room_count(room, ROOM_INVITED);
    if (room_is_hand(room, BOT, PLAYER) &&
        (there != 2 || room_is_encrypted(room) || room_permits(room, PLAYER, 100))) {
        fuzz_fail("a hand would be shown to %zu in a room that is open", there);
    }
}

static void on_changed(void *user, struct room *room, const struct wire_event *event, bool fresh)
{
    struct told *const told = user;
    struct chat_in in;
    char name[CHAT_NAME_SIZE];
    mix(told, event->type);
    if (strcmp(event->type, "m.room.encryption") == 0 && event->state_key[0] == '\0' &&
        !room_is_encrypted(room)) {
        fuzz_fail("a room is not encrypted any more");
    }
    check_hand(room);
    room_name_of(room, event->sender, name, sizeof name);
    mix(told, name);
    if (fresh && news_of(told->rooms, room, event, BOT, &in)) {
        mix(told, in.place);
        mix(told, in.person);
    }
}

static void on_happened(void *user, struct room *room, const struct wire_event *event)
{
    struct told *const told = user;
    if (told->first) {
        fuzz_fail("a message of a sync without token");
    }
    mix(told, room_id(room));
    mix(told, event->id);
}

static void walk_one(const struct sync_told *wanted, json_t *answer, unsigned how, unsigned steps)
{
    struct sync_walk walk;
    enum sync_state state = sync_begin(&walk, answer, wanted) != NULL ? SYNC_MORE : SYNC_DONE;
    for (unsigned i = 0; state != SYNC_DONE; i++) {
        state = sync_go(&walk, steps);
        if (state == SYNC_GAP || state == SYNC_MEMBERS) {
            mix(wanted->user, walk.gap.from);
            sync_fill(&walk, (how & FILLS) != 0 ? json_pack("[O]", answer) : NULL);
        } else if (state == SYNC_SEALED) {
            sync_open(&walk, walk.sealed.events);
        } else if (state == SYNC_BROKEN || i > STEPS_MAX) {
            fuzz_fail("a walk without end");
        }
    }
    sync_end(&walk);
}

// All answers, so many events at a time: the hash of what was told.
static uint64_t walk_all(const json_t *answers, unsigned how, unsigned steps)
{
    struct told told = {.rooms = rooms_create(BOT), .first = (how & FIRST) != 0};
    const struct sync_told wanted = {.bot = BOT,
                                     .first = told.first,
                                     .room = on_room,
                                     .invited = on_invited,
                                     .too_large = on_too_large,
                                     .left = on_left,
                                     .changed = on_changed,
                                     .happened = on_happened,
                                     .user = &told};
    size_t i = 0;
    json_t *answer = NULL;
    if (told.rooms == NULL) {
        fuzz_fail("not enough memory");
    }
    json_array_foreach(answers, i, answer)
    {
        walk_one(&wanted, answer, how, steps);
    }
    rooms_destroy(told.rooms);
    return told.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *const json = json_loadb((const char *)data, size, 0, NULL);
    json_t *const answers = json_is_array(json) ? json_incref(json)
                            : json == NULL      ? NULL
                                                : json_pack("[O]", json);
    if (json != NULL &&
        walk_all(answers, (unsigned)size, 1) != walk_all(answers, (unsigned)size, 64)) {
        fuzz_fail("told in pieces it is something else");
    }
    json_decref(answers);
    json_decref(json);
    return 0;
}
