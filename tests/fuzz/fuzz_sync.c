/*
 * Fuzzes what a homeserver answers to syncs: any JSON, of a list one answer after the other.
 *
 * Of bytes that are JSON a sieve with small bounds leaves JSON, in pieces of any size the same.
 * Its length says whether there was a token, what fills gaps, and where a second telling ends.
 * Whatever comes: told again it is the same as far as it goes; without a token nobody has said
 * anything; a room once encrypted stays so; and where a hand may be shown nobody else is.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/sync.h"
#include "adapters/matrix/client/wire.h"
#include "adapters/matrix/listen/listen.h"

#include "tests/fuzz/fuzz.h"

enum { FIRST = 1, FILLS = 2, RESTS = 64 };

static const char BOT[] = "@bot:hs";
static const char PLAYER[] = "@ann:hs";

struct told {
    struct rooms *rooms;
    bool first, fills;
    unsigned rests, until; // until: it ends there, or 0
    uint64_t hash;         // of all that was told, in its order
    uint64_t at_rest;      // of what was told until the RESTS-th
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
    int64_t ms = 0;
    int64_t messages = 0;
    if (room_is_hand(room, BOT, PLAYER) &&
        (there != 2 || (room_is_encrypted(room) && !room_sealing(room, &ms, &messages)) ||
         room_permits(room, PLAYER, 100))) {
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
    if (fresh && news_of(told->rooms, room, event, BOT, !room_is_encrypted(room), &in)) {
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

static bool on_fill(void *user, const struct sync_gap *gap, json_t **out)
{
    const struct told *const told = user;
    mix(user, gap->from);
    *out = told->fills ? json_pack("[{s:s, s:s, s:s, s:{}}]", "event_id", "$1", "type", "m.room.x",
                                   "sender", "@a:b", "content")
                       : NULL;
    return true;
}

static bool on_open(void *user, const char *room, json_t *events, json_t **out)
{
    mix(user, room);
    *out = json_incref(events);
    return true;
}

static bool on_rest(void *user)
{
    struct told *const told = user;
    told->rests++;
    told->at_rest = told->rests <= RESTS ? told->hash : told->at_rest;
    return told->rests != told->until;
}

// All answers, or as far as that many rests: the hash of what was told until RESTS of them.
static uint64_t walk_all(const json_t *answers, unsigned how, unsigned until)
{
    struct told told = {.rooms = rooms_create(BOT),
                        .first = (how & FIRST) != 0,
                        .fills = (how & FILLS) != 0,
                        .until = until};
    const struct sync_told wanted = {.bot = BOT,
                                     .first = told.first,
                                     .room = on_room,
                                     .invited = on_invited,
                                     .too_large = on_too_large,
                                     .left = on_left,
                                     .changed = on_changed,
                                     .happened = on_happened,
                                     .user = &told};
    const struct sync_waits waits = {
        .fill = on_fill, .open = on_open, .rest = on_rest, .user = &told};
    size_t i = 0;
    json_t *answer = NULL;
    bool goes_on = true;
    json_array_foreach(answers, i, answer)
    {
        if (goes_on && sync_next(answer) != NULL) {
            goes_on = sync_tell(answer, &wanted, &waits);
        }
    }
    if (!goes_on && told.rests != until) {
        fuzz_fail("it has ended by itself");
    }
    rooms_destroy(told.rooms);
    return told.at_rest;
}

// What is kept of an answer that comes in such pieces; NULL: nothing, or there is too much of it.
static char *sieved(const uint8_t *data, size_t size, size_t piece, size_t *kept, unsigned *cut)
{
    static const struct sieve_bounds BOUNDS = {.part = 256, .whole = 2048, .read = 1 << 20};
    struct sieve *const sieve = sieve_create(&BOUNDS);
    bool all = true;
    for (size_t at = 0; at < size && all; at += piece) {
        all = sieve_take(sieve, (const char *)data + at, size - at < piece ? size - at : piece);
    }
    *cut = sieve_cut(sieve);
    char *const text = all ? sieve_give(sieve, kept) : NULL;
    sieve_destroy(sieve);
    return text;
}

static json_t *check_sieve(const uint8_t *data, size_t size, bool valid)
{
    size_t kept[2] = {0};
    unsigned cut[2];
    char *const whole = sieved(data, size, size, &kept[0], &cut[0]);
    char *const pieces = sieved(data, size, 1 + size % 7, &kept[1], &cut[1]);
    if ((whole == NULL) != (pieces == NULL) || cut[0] != cut[1] || kept[0] != kept[1] ||
        (whole != NULL && kept[0] > 0 && memcmp(whole, pieces, kept[0]) != 0)) {
        fuzz_fail("in pieces it is something else");
    }
    if (whole != NULL && cut[0] == 0 && (kept[0] != size || memcmp(whole, data, size) != 0)) {
        fuzz_fail("nothing was cut, and something is missing");
    }
    json_t *const left = whole != NULL ? json_loadb(whole, kept[0], 0, NULL) : NULL;
    if (valid && whole != NULL && left == NULL) {
        fuzz_fail("what is left is no JSON");
    }
    free(whole);
    free(pieces);
    return left;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *const json = json_loadb((const char *)data, size, 0, NULL);
    json_t *const answers = json_is_array(json) ? json_incref(json)
                            : json == NULL      ? NULL
                                                : json_pack("[O]", json);
    json_t *const left = size > 0 ? check_sieve(data, size, json != NULL) : NULL;
    if (json_is_object(left)) {
        json_t *const list = json_pack("[O]", left);
        (void)walk_all(list, (unsigned)size, 0);
        json_decref(list);
    }
    json_decref(left);
    if (json != NULL &&
        walk_all(answers, (unsigned)size, 0) != walk_all(answers, (unsigned)size, RESTS)) {
        fuzz_fail("told again it is something else");
    }
    json_decref(answers);
    json_decref(json);
    return 0;
}
