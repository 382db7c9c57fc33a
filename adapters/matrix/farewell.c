#include "adapters/matrix/farewell.h"

#include <stdio.h>
#include <stdlib.h>

enum { STATUS_FORBIDDEN = 403, STATUS_UNKNOWN = 404 };

struct farewell {
    struct farewell_setup setup;
    struct chat_key key;
    char person[CHAT_ID_SIZE], room[CHAT_ID_SIZE];
};

static void finish(struct farewell *farewell, enum chat_fate fate)
{
    const struct farewell_setup setup = farewell->setup;
    const struct chat_outcome outcome = {
        .key = farewell->key, .fate = fate, .id = fate == CHAT_DELIVERED ? "" : NULL};
    free(farewell);
    setup.done(setup.user, &outcome);
}

// Whether the bot is no longer there, by this or from before.
static bool is_out(const struct api_answer *answer)
{
    return api_good(answer) || answer->status == STATUS_FORBIDDEN ||
           answer->status == STATUS_UNKNOWN;
}

static bool ask(struct farewell *farewell, const char *what, api_done_fn *done)
{
    char path[API_PATH_SIZE];
    if (!api_path(path, "/_matrix/client/v3/rooms/", farewell->room, what)) {
        return false;
    }
    const struct api_call call = {.method = "POST", .path = path};
    return api_call(farewell->setup.api, &call, done, farewell) != 0;
}

static void leave_next(struct farewell *farewell);

// What the homeserver keeps of a room that was left is no longer this bot's affair.
static void forgotten(void *user, const struct api_answer *answer)
{
    struct farewell *const farewell = user;
    (void)answer;
    leave_next(farewell);
}

static void left(void *user, const struct api_answer *answer)
{
    struct farewell *const farewell = user;
    if (!is_out(answer)) {
        finish(farewell, CHAT_REFUSED);
        return;
    }
    rooms_forget(farewell->setup.rooms, farewell->room);
    if (!ask(farewell, "/forget", forgotten)) {
        leave_next(farewell);
    }
}

static void leave_next(struct farewell *farewell)
{
    const struct room *room = rooms_hand(farewell->setup.rooms, farewell->person);
    room = room != NULL ? room : rooms_old_hand(farewell->setup.rooms, farewell->person);
    if (room == NULL) {
        finish(farewell, CHAT_DELIVERED);
        return;
    }
    (void)snprintf(farewell->room, sizeof farewell->room, "%s", room_id(room));
    if (!ask(farewell, "/leave", left)) {
        finish(farewell, CHAT_REFUSED);
    }
}

bool farewell_say(const struct farewell_setup *setup, const struct chat_out *out)
{
    struct farewell *const farewell = calloc(1, sizeof *farewell);
    if (farewell == NULL) {
        return false;
    }
    farewell->setup = *setup;
    farewell->key = out->key;
    (void)snprintf(farewell->person, sizeof farewell->person, "%s", out->person);
    leave_next(farewell);
    return true;
}
