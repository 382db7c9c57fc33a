#include <stdio.h>
#include <string.h>

#include "adapters/matrix/makes_impl.h"

enum {
    TRIES = 3,
    TOLD_MS = 15000 // until a room that was made is told of, whatever was answered
};

static void on_timer(uv_timer_t *timer)
{
    makes_step(timer->data);
}

static void wait(struct making *making, int64_t ms)
{
    (void)uv_timer_start(&making->timer, on_timer, (uint64_t)ms, 0);
}

// Whether it is somebody else's turn; then it goes on when it is this one's.
static bool waits(struct making *making, enum limits_of of)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const int64_t now_ms = (int64_t)uv_now(setup->loop);
    const int64_t wait_ms = limits_wait_ms(setup->limits, of, &making->turn, now_ms);
    if (wait_ms > 0) {
        wait(making, wait_ms);
    }
    return wait_ms > 0;
}

// Whether nobody has looked at what was asked; then it is asked again.
static bool again(struct making *making, enum limits_of of, const struct api_answer *answer)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const bool unseen =
        limits_again(setup->limits, of, &making->turn, answer, (int64_t)uv_now(setup->loop));
    if (unseen) {
        makes_step(making);
    }
    return unseen;
}

static void finish(struct making *making)
{
    const bool all = making->missing[0] == '\0';
    const struct text_arg *const args =
        TEXT_ARGS(text_str("room", making->room), text_str("who", making->missing));
    makes_say(making->makes, making->person, making->event,
              all ? TEXT_MATRIX_ROOM_MADE : TEXT_MATRIX_ROOM_MISSING, args);
    makes_end(making);
}

// A homeserver may encrypt whatever it is asked to make: nothing can be played there.
static void told_seal(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    if (api_is_none(answer)) {
        finish(making);
    } else if (api_is_later(answer) || (!api_good(answer) && ++making->tries < TRIES)) {
        wait(making, api_wait_ms(answer, making->tries));
    } else { // it is, or nobody says that it is not
        makes_say(making->makes, making->person, making->event,
                  api_good(answer) ? TEXT_MATRIX_ROOM_FORCED : TEXT_MATRIX_ROOM_FAILED, NULL);
        makes_end(making);
    }
}

static void look_at_seal(struct making *making)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    making->state = MAKING_INVITES;
    if (!api_path(path, "/_matrix/client/v3/rooms/", making->room, "/state/m.room.encryption") ||
        api_call(making->makes->setup.api, &call, told_seal, making) == 0) {
        wait(making, MAKES_MS_PER_S);
    }
}

/* Inviting one by one. */

static void note_missing(struct making *making)
{
    const size_t length = strlen(making->missing);
    (void)snprintf(making->missing + length, sizeof making->missing - length, "%s%s",
                   length > 0 ? ", " : "", making->people[making->at]);
}

static void invited(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    if (again(making, LIMITS_INVITE, answer)) {
        return;
    }
    if (api_is_later(answer) && ++making->tries < TRIES) {
        wait(making, api_wait_ms(answer, making->tries));
        return;
    }
    if (!api_good(answer)) {
        note_missing(making);
    }
    making->tries = 0;
    making->at++;
    makes_step(making);
}

static void invite_next(struct making *making)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const struct room *const room = rooms_find(setup->rooms, making->room);
    while (making->at < making->count && room != NULL &&
           room_membership(room, making->people[making->at]) != ROOM_AWAY) {
        making->at++;
    }
    if (making->at == making->count) {
        look_at_seal(making);
        return;
    }
    if (waits(making, LIMITS_INVITE)) {
        return;
    }
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST",
                                  .path = path,
                                  .body =
                                      json_pack("{s:s}", "user_id", making->people[making->at])};
    if (!api_path(path, "/_matrix/client/v3/rooms/", making->room, "/invite") ||
        api_call(setup->api, &call, invited, making) == 0) {
        wait(making, MAKES_MS_PER_S);
    }
}

/* Making. */

static json_t *invitations(const struct making *making)
{
    json_t *const ids = json_array();
    for (size_t i = 0; i < making->count; i++) {
        (void)json_array_append_new(ids, json_string(making->people[i]));
    }
    return ids;
}

// The levels of others can be given only where it is known which room version it is.
static json_t *new_room(const struct making *making)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:{s:{s:i, s:i}}}", "preset",
                     "private_chat", "room_version", "11", "name", making->name, "invite",
                     invitations(making), "creation_content", ROOM_OF, making->person, ROOM_BY,
                     making->event, "power_level_content_override", "users",
                     making->makes->setup.bot, 100, making->person, 50);
}

static void know(void *user, struct room *room)
{
    makes_know(user, room);
}

static void made(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    const char *const id = wire_id(answer->body, "room_id");
    if (again(making, LIMITS_ROOM, answer)) {
        return;
    }
    making->tries++;
    if (api_good(answer) && id != NULL) { // and everybody is invited
        (void)snprintf(making->room, sizeof making->room, "%s", id);
        making->at = making->count;
        look_at_seal(making);
        return;
    }
    making->refused = !api_is_later(answer);
    making->state = MAKING_LOOKS;
    wait(making, TOLD_MS);
    rooms_each(making->makes->setup.rooms, know, making->makes); // a sync may have been faster
}

static void make(struct making *making)
{
    if (waits(making, LIMITS_ROOM)) {
        return;
    }
    const struct api_call call = {.method = "POST",
                                  .path = "/_matrix/client/v3/createRoom",
                                  .body = new_room(making),
                                  .once = true};
    if (api_call(making->makes->setup.api, &call, made, making) == 0) {
        wait(making, MAKES_MS_PER_S);
    }
}

// No sync has told of it: it was never made.
static void give_up_or_again(struct making *making)
{
    if (!making->refused && making->tries < TRIES) {
        making->state = MAKING_ASKS;
        make(making);
    } else {
        makes_say(making->makes, making->person, making->event, TEXT_MATRIX_ROOM_FAILED, NULL);
        makes_end(making);
    }
}

void makes_step(struct making *making)
{
    switch (making->state) {
    case MAKING_KEEPS:
    case MAKING_HEARD:
        break; // makes_synced()
    case MAKING_ASKS:
        make(making);
        break;
    case MAKING_LOOKS:
        give_up_or_again(making);
        break;
    case MAKING_INVITES:
        invite_next(making);
        break;
    }
}

void makes_know(struct makes *makes, const struct room *room)
{
    const char *const by = room_by(room, makes->setup.bot);
    struct making *making = by != NULL ? makes->first : NULL;
    while (making != NULL && strcmp(making->event, by) != 0) {
        making = making->next;
    }
    if (making != NULL && making->state == MAKING_LOOKS &&
        room_membership(room, makes->setup.bot) == ROOM_JOINED) {
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(room));
        making->state = MAKING_INVITES;
        making->tries = 0;
        wait(making, MAKES_MS_PER_S); // when all of what it is like is told
    }
}
