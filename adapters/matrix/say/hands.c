#include "adapters/matrix/say/hands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

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
    struct fibre *fibre; // until it has failed
    char person[CHAT_ID_SIZE];
    uint64_t number; // in the outlet
    bool queued;     // there
    bool turn;       // it is its turn there
    bool waits;      // what was made comes with a sync, whatever was answered ...
    bool known;      // ... and has come
    bool failed;
    unsigned syncs; // while it waits
};

struct hands {
    struct hands_setup setup;
    struct maker *makers;
};

struct hands *hands_create(const struct hands_setup *setup)
{
    struct hands *const hands = mb_new(1, sizeof *hands);
    hands->setup = *setup;
    return hands;
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

/* Asking. */

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
static bool ask_once(struct fibre *fibre, const struct hands *hands, const char *person,
                     struct api_answer *out)
{
    const struct room *const old = rooms_old_hand(hands->setup.rooms, person);
    if (old != NULL) {
        const struct api_room_call invite = {.method = "POST",
                                             .room = room_id(old),
                                             .what = "/invite",
                                             .body = json_pack("{s:s}", "user_id", person),
                                             .once = true};
        return api_room_await(fibre, hands->setup.api, &invite, out);
    }
    const struct api_call make = {.method = "POST",
                                  .path = "/_matrix/client/v3/createRoom",
                                  .once = true,
                                  .body = new_room(person)};
    return api_await(fibre, hands->setup.api, &make, out);
}

static void take_out_of_queue(struct maker *maker, enum outlet_result result, int64_t wait_ms)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    maker->queued = result != OUTLET_SENT;
    outlet_done(setup->outlet, maker->number, result, wait_ms, api_now_ms(setup->api));
    setup->pump(setup->user);
}

// Until somebody has looked at it. `*asked`: false if a sync has told of a room meanwhile.
static bool ask_for_room(struct fibre *fibre, struct maker *maker, unsigned tries,
                         struct api_answer *out, bool *asked)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    struct limits_turn turns[LIMITS_COUNT] = {{.taken = false}};
    while (maker->turn || fibre_wait(fibre)) {
        if (!maker->turn) {
            continue;
        }
        const bool invites = rooms_old_hand(setup->rooms, maker->person) != NULL;
        const enum limits_of of = invites ? LIMITS_INVITE : LIMITS_ROOM;
        maker->turn = false;
        *asked = rooms_hand(setup->rooms, maker->person) == NULL;
        const int64_t wait_ms =
            *asked ? limits_wait_ms(setup->limits, of, &turns[of], api_now_ms(setup->api)) : 0;
        if (wait_ms > 0) {
            take_out_of_queue(maker, OUTLET_AGAIN, wait_ms);
            continue;
        }
        if (*asked && !ask_once(fibre, maker->hands, maker->person, out)) {
            return false;
        }
        if (!*asked || !limits_again(setup->limits, of, &turns[of], out, api_now_ms(setup->api))) {
            take_out_of_queue(maker, OUTLET_SENT, 0);
            return true;
        }
        // Making rooms has a limit of its own, which takes longer and says nothing of messages.
        const int64_t again_ms = api_wait_ms(out, tries);
        const bool many = out->status == STATUS_TOO_MANY && again_ms <= WAIT_MS;
        take_out_of_queue(maker, many ? OUTLET_TOO_MANY : OUTLET_AGAIN, again_ms);
    }
    return false;
}

static void queue_room(struct maker *maker)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    uint64_t gone = 0;
    maker->number = ++*setup->numbers;
    maker->queued = true;
    const struct outlet_item item = {
        .number = maker->number, .room = maker->person, .urgency = OUTLET_AWAITED};
    outlet_add(setup->outlet, &item, api_now_ms(setup->api), &gone);
    setup->pump(setup->user);
}

// It is not asked for again.
static void making_fail(struct maker *maker, const char *why)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    setup->log(setup->log_user, NET_LOG_WARN, "hand-room", why);
    maker->failed = true;
}

static bool make_once(struct fibre *fibre, struct maker *maker, unsigned tries)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    struct api_answer answer = {.status = 0};
    enum api_sealed sealed = API_SEALED_NOT;
    char id[CHAT_ID_SIZE] = "";
    bool asked = false;
    queue_room(maker);
    if (!ask_for_room(fibre, maker, tries, &answer, &asked)) {
        return false;
    }
    const char *const made = wire_id(answer.body, "room_id");
    (void)snprintf(id, sizeof id, "%s", asked && api_good(&answer) && made != NULL ? made : "");
    if (asked && !api_good(&answer) && answer.status != 0 && answer.status < STATUS_ERROR) {
        making_fail(maker, answer.errcode);
    }
    // Some homeservers encrypt whatever they are asked to make.
    if (id[0] != '\0' && !api_sealed_await(fibre, setup->api, id, &sealed)) {
        return false;
    }
    if (sealed == API_SEALED) {
        room_seal(rooms_get(setup->rooms, id)); // whatever syncs tell
        making_fail(maker, "the homeserver encrypts every room, so nobody can be dealt a hand");
    } else if (sealed == API_SEALED_UNSAID) {
        making_fail(maker, "the homeserver did not say whether it encrypts the hand room");
    }
    return true;
}

// While the homeserver is away no sync comes, and nobody is given up.
static bool await_told(struct fibre *fibre, struct maker *maker)
{
    struct hands *const hands = maker->hands;
    const struct room *const room = rooms_hand(hands->setup.rooms, maker->person);
    maker->known = room != NULL;
    maker->waits = true;
    maker->syncs = 0;
    bool goes_on = maker->known || api_sleep_until(fibre, hands->setup.api, TOLD_MS, &maker->known);
    while (goes_on && !maker->known && maker->syncs < TOLD_SYNCS) {
        goes_on = fibre_wait(fibre);
    }
    maker->waits = false;
    return goes_on;
}

static void release_letters(struct maker *maker)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    char person[CHAT_ID_SIZE];
    (void)snprintf(person, sizeof person, "%s", maker->person);
    maker_free(maker);
    setup->release(setup->user, person, room_id(rooms_hand(setup->rooms, person)));
}

static void make_hand(struct fibre *fibre, void *user)
{
    struct maker *const maker = user;
    const struct hands_setup *const setup = &maker->hands->setup;
    maker->fibre = fibre;
    for (unsigned tries = 1; !maker->failed; tries++) {
        if (!make_once(fibre, maker, tries)) {
            return;
        }
        if (!maker->failed && !await_told(fibre, maker)) {
            return;
        }
        if (maker->known) {
            release_letters(maker);
            return;
        }
        if (!maker->failed &&
            (tries == TRIES || rooms_old_hand(setup->rooms, maker->person) != NULL)) {
            making_fail(maker, "the player never joined the hand room, or it is not private");
        } // else it was never made, or not whole
    }
    maker->fibre = NULL;
    setup->release(setup->user, maker->person, NULL);
}

/* What others want of it. */

void hands_ask(struct hands *hands, uint64_t number)
{
    struct maker *at = hands->makers;
    while (at != NULL && (at->number != number || !at->queued)) {
        at = at->next;
    }
    if (at != NULL) {
        at->turn = true;
        fibre_wake(at->fibre);
    } else {
        outlet_done(hands->setup.outlet, number, OUTLET_SENT, 0, api_now_ms(hands->setup.api));
    }
}

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
        return !under_way->failed;
    }
    if (fibres_are_many(hands->setup.fibres)) {
        return false;
    }
    struct maker *const maker = mb_new(1, sizeof *maker);
    maker->hands = hands;
    (void)snprintf(maker->person, sizeof maker->person, "%s", person);
    maker->next = hands->makers;
    hands->makers = maker;
    fibres_start(hands->setup.fibres, make_hand, maker);
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
    if (maker == NULL && fibres_are_many(hands->setup.fibres)) {
        return LONG_MS; // theirs is made later
    }
    if (maker == NULL || maker->failed) {
        return CHAT_REACH_NEVER;
    }
    const int64_t asks =
        outlet_wait_ms(hands->setup.outlet, maker->number, api_now_ms(hands->setup.api));
    return maker->queued && asks >= LONG_MS ? asks : CHAT_REACH_INVITED;
}

void hands_know(struct hands *hands, const struct room *room)
{
    const char *const person = room_hand_of(room, hands->setup.bot);
    struct maker *const maker = person != NULL ? maker_of(hands, person) : NULL;
    if (maker == NULL || !room_is_hand(room, hands->setup.bot, person)) {
        return;
    }
    if (maker->failed) {
        release_letters(maker);
    } else if (maker->waits) {
        maker->known = true;
        fibre_wake(maker->fibre);
    }
}

void hands_synced(struct hands *hands)
{
    for (struct maker *at = hands->makers, *next = NULL; at != NULL; at = next) {
        next = at->next;
        at->syncs++;
        if (at->waits) {
            fibre_wake(at->fibre);
        }
    }
}

void hands_retry(struct hands *hands, const char *person)
{
    struct maker *const maker = maker_of(hands, person);
    if (maker != NULL && maker->failed) {
        maker_free(maker);
    }
}
