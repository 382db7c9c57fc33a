#include "adapters/matrix/listen/census.h"

#include <string.h>

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
