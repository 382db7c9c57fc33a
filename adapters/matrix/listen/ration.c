#include "adapters/matrix/listen/ration.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

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
    "\"timeline\":{\"limit\":%d,\"types\":[\"m.room.message\",\"m.reaction\",\"m.room."
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
    (void)snprintf(filter, sizeof filter, FILTER, room, limit);
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
