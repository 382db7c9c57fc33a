#include "adapters/matrix/listen/ration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"

enum {
    MIB = 1024 * 1024,
    USUAL = 16 * MIB,
    MOST = 64 * MIB,
    PART_ALL = MIB,      // of a room when all are told: its state, and members who say something
    PART_NEWS = 8 * MIB, // thousands may come in at once
    CUTS = 2,
    SEVERAL = 20,
    ONE = 1,
    REST_MS = 60000,
    ROOM_SIZE = 2048,
    FILTER_SIZE = 1024 + ROOM_SIZE
};

#define STATE_TYPES                                                                                \
    "\"m.room.create\",\"m.room.encryption\",\"m.room.guest_access\","                             \
    "\"m.room.history_visibility\",\"m.room.join_rules\",\"m.room.member\",\"m.room.name\","       \
    "\"m.room.power_levels\",\"m.room.tombstone\""

// What this folder reads (room.c, listen.c, lobbies.c), and nothing else. Members come again with
// each sync: the server cannot know that a process has forgotten them.
static const char FILTER[] =
    "{\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]},\"room\":{%s"
    "\"state\":{\"types\":[" STATE_TYPES
    "],\"lazy_load_members\":true,\"include_redundant_members\":true},"
    "\"timeline\":{\"limit\":%d,\"types\":[%s\"m.room.message\",\"m.reaction\",\"m.room."
    "redaction\"," STATE_TYPES "],\"lazy_load_members\":true},"
    "\"ephemeral\":{\"types\":[]},\"account_data\":{\"types\":[]}}}";

// A room's name may hold any character.
static void write_room(const char *room, char out[ROOM_SIZE])
{
    json_t *const rooms = json_pack("[s]", room);
    char *const list = json_dumps(rooms, JSON_COMPACT);
    (void)snprintf(out, ROOM_SIZE, "\"rooms\":%s,", list != NULL ? list : "[]");
    free(list);
    json_decref(rooms);
}

bool ration_call(const struct ration *ration, const struct ration_ask *ask,
                 char path[API_PATH_SIZE], struct api_call *out)
{
    char filter[FILTER_SIZE];
    char room[ROOM_SIZE] = "";
    char before[API_PATH_SIZE];
    char behind[64];
    const bool news = ask->since[0] != '\0' && ask->room == NULL;
    const int limit = ration->cuts > 0 || !news ? ONE : SEVERAL;
    if (ask->room != NULL) {
        write_room(ask->room, room);
    }
    (void)snprintf(filter, sizeof filter, FILTER, room, limit,
                   ask->sealed ? "\"m.room.encrypted\"," : "");
    (void)snprintf(behind, sizeof behind, "&timeout=%d%s%s", ask->all ? 0 : ask->wait_ms,
                   ask->all ? "&full_state=true" : "", ask->since[0] != '\0' ? "&since=" : "");
    *out = (struct api_call){.method = "GET",
                             .path = path,
                             .body_max = ration->cuts < CUTS ? USUAL : MOST,
                             .part_max = ask->all ? PART_ALL : PART_NEWS};
    return api_path(before, "/_matrix/client/v3/sync?filter=", filter, behind) &&
           api_path(path, before, ask->since, "");
}

bool ration_is_least(const struct ration *ration)
{
    return ration->cuts == CUTS;
}

int64_t ration_cut(struct ration *ration, net_log_fn *log, void *log_user)
{
    static const char EVENT[] = "sync-too-long";
    if (ration->cuts == 0) {
        log(log_user, NET_LOG_WARN, EVENT, "a sync answer is too long: asking for less at once");
    } else if (ration->cuts < CUTS) {
        log(log_user, NET_LOG_WARN, EVENT, "room state is too long: reading up to 64 MiB");
    } else {
        log(log_user, NET_LOG_ERROR, EVENT, "the homeserver's answers to a sync have no end");
        return REST_MS;
    }
    ration->cuts++;
    return 0;
}

static struct cut **end_of(struct cuts *cuts)
{
    struct cut **at = &cuts->first;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    return at;
}

static bool is_cut_already(const struct cuts *cuts, const char *room)
{
    const struct cut *at = cuts->first;
    while (at != NULL && strcmp(at->room, room) != 0) {
        at = at->next;
    }
    return at != NULL; // from an earlier token, and so for more
}

static void note_cut(struct cuts *cuts, const char *room, const char *since, bool all)
{
    const bool fits = strlen(room) < CHAT_ID_SIZE && strlen(since) < STREAM_TOKEN_SIZE;
    if (fits && cuts->count < CUTS_MAX && !is_cut_already(cuts, room)) {
        struct cut *const cut = mb_new(1, sizeof *cut);
        cut->all = all;
        (void)snprintf(cut->room, sizeof cut->room, "%s", room);
        (void)snprintf(cut->since, sizeof cut->since, "%s", since);
        *end_of(cuts) = cut;
        cuts->count++;
    }
}

void cuts_note(struct cuts *cuts, const json_t *answer, const char *since, bool all)
{
    static const char *const PARTS[] = {"join", "invite"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        json_t *const part = json_object_get(json_object_get(answer, "rooms"), PARTS[i]);
        for (void *at = json_object_iter(part); at != NULL; at = json_object_iter_next(part, at)) {
            if (json_is_false(json_object_iter_value(at))) {
                note_cut(cuts, json_object_iter_key(at), since, all);
            }
        }
    }
}

void cuts_told(struct cuts *cuts)
{
    struct cut *const cut = cuts->first;
    cuts->first = cut->next;
    cuts->count--;
    free(cut);
}

void cuts_again(struct cuts *cuts)
{
    struct cut *const cut = cuts->first;
    if (++cut->tries == CUTS_TRIES) {
        cuts_told(cuts);
        return;
    }
    cuts->first = cut->next;
    cut->next = NULL;
    *end_of(cuts) = cut;
}

void cuts_clear(struct cuts *cuts)
{
    while (cuts->first != NULL) {
        cuts_told(cuts);
    }
}

static bool is_told(const json_t *sync, const char *room)
{
    static const char *const PARTS[] = {"join", "leave", "invite"};
    const json_t *const rooms = json_object_get(sync, "rooms");
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (json_object_get(json_object_get(rooms, PARTS[i]), room) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const json_t *joined, const char *room)
{
    for (size_t i = 0; i < json_array_size(joined); i++) {
        const char *const id = json_string_value(json_array_get(joined, i));
        if (id != NULL && strcmp(id, room) == 0) {
            return true;
        }
    }
    return false;
}

json_t *census_gone(const struct rooms *rooms, const json_t *joined, const json_t *sync)
{
    json_t *const gone = json_array();
    for (const struct room *at = rooms_next(rooms, NULL); at != NULL; at = rooms_next(rooms, at)) {
        if (!is_told(sync, room_id(at)) && !is_listed(joined, room_id(at))) {
            (void)json_array_append_new(gone, json_string(room_id(at)));
        }
    }
    return gone;
}

size_t census_untold(const struct rooms *rooms, const json_t *joined, const json_t *sync)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(joined); i++) {
        const char *const id = json_string_value(json_array_get(joined, i));
        count += id != NULL && rooms_find(rooms, id) == NULL && !is_told(sync, id) ? 1 : 0;
    }
    return count;
}
