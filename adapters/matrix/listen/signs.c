#include "adapters/matrix/listen/signs.h"

enum { WRITES_MS = 5000 };

// In a room, with an id behind what is called.
static void call(struct api *api, const struct api_call *call, const char *room, const char *id)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    struct api_call whole = *call;
    whole.path = path;
    if (api_path(before, "/_matrix/client/v3/rooms/", room, call->path) &&
        api_path(path, before, id, "")) {
        (void)!api_call(api, &whole, NULL, NULL);
    } else {
        json_decref(call->body);
    }
}

void signs_heard(struct api *api, const char *bot, const char *room, const char *event)
{
    const struct api_call read = {.method = "POST", .path = "/receipt/m.read/"};
    const struct api_call writes = {
        .method = "PUT",
        .path = "/typing/",
        .body = json_pack("{s:b, s:i}", "typing", 1, "timeout", (int)WRITES_MS)};
    call(api, &read, room, event);
    call(api, &writes, room, bot);
}
