#include "adapters/matrix/say/seal.h"

bool seal_content_await(struct fibre *fibre, const char *room, json_t *content, const char **type,
                        json_t **out)
{
    (void)fibre;
    (void)room;
    *type = "m.room.message";
    *out = content;
    return true;
}

bool seal_open_await(struct fibre *fibre, const char *room, json_t *events, json_t **out)
{
    (void)fibre;
    (void)room;
    *out = json_incref(events);
    return true;
}
