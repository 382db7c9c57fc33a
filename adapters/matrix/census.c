#include "adapters/matrix/census.h"

#include <string.h>

struct census {
    const json_t *joined, *sync;
    json_t *gone;
};

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

static void look_at(void *user, struct room *room)
{
    const struct census *const census = user;
    if (!is_told(census->sync, room_id(room)) && !is_listed(census->joined, room_id(room))) {
        (void)json_array_append_new(census->gone, json_string(room_id(room)));
    }
}

void census_gone(const struct rooms *rooms, const json_t *joined, const json_t *sync,
                 void (*gone)(void *user, const char *room), void *user)
{
    struct census census = {.joined = joined, .sync = sync, .gone = json_array()};
    rooms_each(rooms, look_at, &census);
    for (size_t i = 0; i < json_array_size(census.gone); i++) {
        gone(user, json_string_value(json_array_get(census.gone, i)));
    }
    json_decref(census.gone);
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
