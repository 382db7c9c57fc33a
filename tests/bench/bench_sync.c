/* How long a first sync of Matrix holds the loop at a time: rooms with their members and powers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/sync.h"

enum { ROOMS = 1000, MEMBERS = 50, PIECE = 16, MOST_MS = 2 };

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static json_t *event(const char *type, const char *key, const char *sender, json_t *content)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "event_id", "$event", "type", type, "state_key",
                     key, "sender", sender, "content", content);
}

static json_t *new_room(unsigned number)
{
    json_t *const state = json_array();
    for (unsigned i = 0; i < MEMBERS; i++) {
        char id[64];
        (void)snprintf(id, sizeof id, i == 0 ? "@bot:hs" : "@person%u:hs", i * number);
        (void)json_array_append_new(
            state, event("m.room.member", id, id,
                         json_pack("{s:s, s:s}", "membership", "join", "displayname", id)));
    }
    (void)json_array_append_new(
        state, event("m.room.power_levels", "", "@bot:hs",
                     json_pack("{s:{s:i}, s:i}", "users", "@person1:hs", 100, "invite", 50)));
    return json_pack("{s:{s:o}, s:{s:[]}}", "state", "events", state, "timeline", "events");
}

static char *new_answer(void)
{
    json_t *const join = json_object();
    for (unsigned i = 0; i < ROOMS; i++) {
        char id[64];
        (void)snprintf(id, sizeof id, "!room%u:hs", i);
        (void)json_object_set_new(join, id, new_room(i));
    }
    json_t *const answer = json_pack("{s:s, s:{s:o}}", "next_batch", "s1", "rooms", "join", join);
    char *const text = json_dumps(answer, JSON_COMPACT);
    json_decref(answer);
    return text;
}

static struct room *on_room(void *user, const char *id)
{
    return rooms_get(user, id);
}

static void on_changed(void *user, struct room *room, const struct wire_event *what, bool fresh)
{
    (void)user;
    (void)room;
    (void)what;
    (void)fresh;
}

struct walk {
    double begin, longest, whole;
    unsigned events, pieces;
};

static void end_piece(struct walk *walk)
{
    const double took = now_ms() - walk->begin;
    walk->longest = took > walk->longest ? took : walk->longest;
    walk->whole += took;
    walk->pieces++;
    walk->begin = now_ms();
}

static bool on_rest(void *user)
{
    struct walk *const walk = user;
    if (++walk->events % PIECE == 0) {
        end_piece(walk);
    }
    return true;
}

// Milliseconds of the longest piece.
static double walk(json_t *answer, struct rooms *rooms)
{
    struct walk walk = {.begin = now_ms()};
    const struct sync_told told = {
        .bot = "@bot:hs", .first = true, .room = on_room, .changed = on_changed, .user = rooms};
    const struct sync_waits waits = {.rest = on_rest, .user = &walk};
    (void)sync_tell(answer, &told, &waits);
    end_piece(&walk);
    printf("%u rooms of %u members: %.1f ms in %u pieces, the longest %.2f ms\n", (unsigned)ROOMS,
           (unsigned)MEMBERS, walk.whole, walk.pieces, walk.longest);
    return walk.longest;
}

int main(void)
{
    char *const text = new_answer();
    const double begin = now_ms();
    json_t *const answer = json_loads(text, 0, NULL);
    printf("%zu bytes: read in %.1f ms, by another thread\n", strlen(text), now_ms() - begin);
    struct rooms *const rooms = rooms_create("@bot:hs");
    const double longest = walk(answer, rooms);
    rooms_destroy(rooms);
    json_decref(answer);
    free(text);
    return longest <= MOST_MS ? 0 : 1;
}
