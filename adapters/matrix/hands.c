#include "adapters/matrix/hands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

enum {
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    WAIT_MS = 5000,
    TOLD_MS = 30000, // by then a sync has told of a new room ...
    TOLD_SYNCS = 3,  // ... if as many have come
    LONG_MS = 5000,
    TRIES = 3
};

/* Somebody whose room is not there. */
struct maker {
    struct maker *next;
    struct hands *hands;
    char person[CHAT_ID_SIZE];
    uint64_t number; // in the outlet
    enum limits_of of;
    struct limits_turn turn;
    // Asked for, or waiting to be; then what was made comes with a sync, whatever was answered.
    enum { MAKER_ASKS, MAKER_LOOKS, MAKER_WAITS, MAKER_FAILED } state;
    unsigned tries, syncs; // syncs: since it was asked for
    unsigned looks;        // at whether it is encrypted
    bool looking;          // one is under way
    char room[CHAT_ID_SIZE];
    int64_t until_ms;
};

struct hands {
    struct hands_setup setup;
    struct maker *makers;
};

struct hands *hands_create(const struct hands_setup *setup)
{
    struct hands *const hands = calloc(1, sizeof *hands);
    if (hands != NULL) {
        hands->setup = *setup;
    }
    return hands;
}

static int64_t now_of(const struct hands *hands)
{
    return (int64_t)uv_now(hands->setup.loop);
}

static struct maker *maker_of(const struct hands *hands, const char *person)
{
    struct maker *at = hands->makers;
    while (at != NULL && strcmp(at->person, person) != 0) {
        at = at->next;
    }
    return at;
}

static void maker_free(struct maker *maker)
{
    struct maker **at = &maker->hands->makers;
    while (*at != maker) {
        at = &(*at)->next;
    }
    *at = maker->next;
    free(maker);
}

void hands_destroy(struct hands *hands)
{
    while (hands != NULL && hands->makers != NULL) {
        maker_free(hands->makers);
    }
    free(hands);
}

static void fail(struct maker *maker, const char *why)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    setup->log(setup->log_user, NET_LOG_WARN, "hand-room", why);
    maker->state = MAKER_FAILED;
    setup->release(setup->user, maker->person, NULL);
}

/* What the homeserver has made of it: some encrypt whatever they are asked to make. */

static void await_sync(struct maker *maker)
{
    struct hands *const hands = maker->hands;
    const struct room *const room = rooms_hand(hands->setup.rooms, maker->person);
    maker->state = MAKER_WAITS;
    maker->syncs = 0;
    maker->until_ms = now_of(hands) + TOLD_MS;
    if (room != NULL) {
        hands_know(hands, room);
    }
}

// Only "there is no such state" says that it is not encrypted.
static void told_encryption(void *user, const struct api_answer *answer)
{
    struct maker *const maker = user;
    struct hands *const hands = maker->hands;
    maker->looking = false;
    hands->setup.pump(hands->setup.user);
    if (api_is_none(answer)) {
        await_sync(maker);
    } else if (api_good(answer)) {
        struct room *const room = rooms_get(hands->setup.rooms, maker->room);
        if (room != NULL) {
            room_seal(room); // whatever syncs tell
        }
        fail(maker, "the homeserver encrypts every room, so nobody can be dealt a hand");
    } else if (!api_is_later(answer) && maker->looks >= TRIES) {
        fail(maker, "the homeserver did not say whether it encrypts the hand room");
    } else {
        maker->until_ms = now_of(hands) + api_wait_ms(answer, maker->looks);
    }
}

static void look_at_encryption(struct maker *maker)
{
    struct hands *const hands = maker->hands;
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    maker->state = MAKER_LOOKS;
    maker->looks++;
    maker->looking =
        api_path(path, "/_matrix/client/v3/rooms/", maker->room, "/state/m.room.encryption") &&
        api_call(hands->setup.api, &call, told_encryption, maker) != 0;
    maker->until_ms = now_of(hands) + WAIT_MS;
}

/* Asking. */

static void made(void *user, const struct api_answer *answer)
{
    struct maker *const maker = user;
    struct hands *const hands = maker->hands;
    struct outlet *const outlet = hands->setup.outlet;
    const int64_t now = now_of(hands);
    hands->setup.pump(hands->setup.user);
    if (limits_again(hands->setup.limits, maker->of, &maker->turn, answer, now)) {
        // Making rooms has a limit of its own, which takes longer and says nothing of messages.
        const int64_t wait = api_wait_ms(answer, maker->tries);
        const bool many = answer->status == STATUS_TOO_MANY && wait <= WAIT_MS;
        outlet_done(outlet, maker->number, many ? OUTLET_TOO_MANY : OUTLET_AGAIN, wait, now);
        return;
    }
    outlet_done(outlet, maker->number, OUTLET_SENT, 0, now);
    if (!api_good(answer) && answer->status != 0 && answer->status < STATUS_ERROR) {
        fail(maker, answer->errcode);
        return;
    }
    const char *const id = wire_id(answer->body, "room_id");
    if (api_good(answer) && id != NULL) {
        (void)snprintf(maker->room, sizeof maker->room, "%s", id);
        maker->looks = 0;
        look_at_encryption(maker);
    } else {
        await_sync(maker);
    }
}

static json_t *new_room(const char *person)
{
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:[s], s:{s:s}, s:{s:i, s:i, s:i, s:i},"
        " s:[{s:s, s:s, s:{s:s}}, {s:s, s:s, s:{s:s}}]}",
        "preset", "private_chat", "name", text_sentence(TEXT_MATRIX_HAND_NAME), "topic",
        text_sentence(TEXT_MATRIX_HAND_TOPIC), "is_direct", 1, "invite", person, "creation_content",
        ROOM_HAND_OF, person, "power_level_content_override", "invite", 100, "kick", 100, "ban",
        100, "state_default", 100, "initial_state", "type", "m.room.history_visibility",
        "state_key", "", "content", "history_visibility", "invited", "type", "m.room.guest_access",
        "state_key", "", "content", "guest_access", "forbidden");
}

// Into the room that they have left, if there is one; else a new one.
static bool ask_room(struct maker *maker)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    const struct room *const old = rooms_old_hand(setup->rooms, maker->person);
    char path[API_PATH_SIZE] = "/_matrix/client/v3/createRoom";
    if (old != NULL && !api_path(path, "/_matrix/client/v3/rooms/", room_id(old), "/invite")) {
        return false;
    }
    const struct api_call call = {.method = "POST",
                                  .path = path,
                                  .once = true,
                                  .body = old != NULL ? json_pack("{s:s}", "user_id", maker->person)
                                                      : new_room(maker->person)};
    return api_call(setup->api, &call, made, maker) != 0;
}

// In how many ms it may be asked for.
static int64_t turn_of(struct maker *maker)
{
    struct hands *const hands = maker->hands;
    const bool invites = rooms_old_hand(hands->setup.rooms, maker->person) != NULL;
    const enum limits_of of = invites ? LIMITS_INVITE : LIMITS_ROOM;
    maker->turn.taken = maker->turn.taken && maker->of == of;
    maker->of = of;
    return limits_wait_ms(hands->setup.limits, of, &maker->turn, now_of(hands));
}

void hands_ask(struct hands *hands, uint64_t number)
{
    struct maker *at = hands->makers;
    while (at != NULL && at->number != number) {
        at = at->next;
    }
    const struct room *const room = at != NULL ? rooms_hand(hands->setup.rooms, at->person) : NULL;
    if (at == NULL || room != NULL) { // it was told of meanwhile
        outlet_done(hands->setup.outlet, number, OUTLET_SENT, 0, now_of(hands));
        if (at != NULL) {
            await_sync(at);
        }
        return;
    }
    const int64_t turn = turn_of(at);
    if (turn > 0 || !ask_room(at)) {
        outlet_done(hands->setup.outlet, number, OUTLET_AGAIN, turn > 0 ? turn : WAIT_MS,
                    now_of(hands));
    }
}

static void queue_room(struct maker *maker)
{
    struct hands *const hands = maker->hands;
    uint64_t gone = 0;
    maker->number = ++*hands->setup.numbers;
    maker->state = MAKER_ASKS;
    maker->tries++;
    const struct outlet_item item = {
        .number = maker->number, .room = maker->person, .urgency = OUTLET_AWAITED};
    if (!outlet_add(hands->setup.outlet, &item, now_of(hands), &gone)) {
        fail(maker, "out of memory");
    }
    hands->setup.pump(hands->setup.user);
}

/* What others want of it. */

const char *hands_room(const struct hands *hands, const char *person)
{
    const struct room *const room =
        maker_of(hands, person) == NULL ? rooms_hand(hands->setup.rooms, person) : NULL;
    return room != NULL ? room_id(room) : NULL;
}

bool hands_make(struct hands *hands, const char *person)
{
    const struct maker *const under_way = maker_of(hands, person);
    if (under_way != NULL) {
        return under_way->state != MAKER_FAILED;
    }
    struct maker *const maker = calloc(1, sizeof *maker);
    if (maker == NULL) {
        return false;
    }
    maker->hands = hands;
    (void)snprintf(maker->person, sizeof maker->person, "%s", person);
    maker->next = hands->makers;
    hands->makers = maker;
    queue_room(maker);
    return true;
}

int64_t hands_wait_ms(struct hands *hands, const char *person)
{
    const struct maker *maker = maker_of(hands, person);
    const struct room *const room = rooms_hand(hands->setup.rooms, person);
    if (maker == NULL && room != NULL) {
        return room_membership(room, person) == ROOM_JOINED ? 0 : CHAT_REACH_INVITED;
    }
    if (maker == NULL && rooms_old_hand(hands->setup.rooms, person) == NULL &&
        hands_make(hands, person)) {
        maker = maker_of(hands, person);
    }
    if (maker == NULL || maker->state == MAKER_FAILED) {
        return CHAT_REACH_NEVER;
    }
    const int64_t asks = outlet_wait_ms(hands->setup.outlet, maker->number, now_of(hands));
    return maker->state == MAKER_ASKS && asks >= LONG_MS ? asks : CHAT_REACH_INVITED;
}

void hands_know(struct hands *hands, const struct room *room)
{
    const char *const person = room_hand_of(room, hands->setup.bot);
    struct maker *const maker = person != NULL ? maker_of(hands, person) : NULL;
    if (maker == NULL || maker->state == MAKER_ASKS || maker->state == MAKER_LOOKS ||
        !room_is_hand(room, hands->setup.bot, person)) {
        return;
    }
    char of[CHAT_ID_SIZE];
    (void)snprintf(of, sizeof of, "%s", person);
    maker_free(maker);
    hands->setup.release(hands->setup.user, of, room_id(room));
}

void hands_synced(struct hands *hands)
{
    for (struct maker *at = hands->makers; at != NULL; at = at->next) {
        at->syncs++;
    }
}

// While the homeserver is away no sync comes, and nobody is given up.
void hands_look(struct hands *hands)
{
    for (struct maker *at = hands->makers; at != NULL; at = at->next) {
        if (at->state == MAKER_LOOKS && !at->looking && now_of(hands) >= at->until_ms) {
            look_at_encryption(at);
        }
        if (at->state != MAKER_WAITS || now_of(hands) < at->until_ms || at->syncs < TOLD_SYNCS) {
            continue;
        }
        if (at->tries < TRIES && rooms_old_hand(hands->setup.rooms, at->person) == NULL) {
            queue_room(at); // it was never made, or not whole
        } else {
            fail(at, "the player never joined the hand room, or it is not private");
        }
    }
}

int64_t hands_due_ms(const struct hands *hands)
{
    int64_t due = -1;
    for (const struct maker *at = hands->makers; at != NULL; at = at->next) {
        if (at->state == MAKER_LOOKS && !at->looking && (due < 0 || at->until_ms < due)) {
            due = at->until_ms;
        }
    }
    return due;
}

void hands_retry(struct hands *hands, const char *person)
{
    struct maker *const maker = maker_of(hands, person);
    if (maker != NULL && maker->state == MAKER_FAILED) {
        maker_free(maker);
    }
}
