#include "adapters/matrix/say/hands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

#include "adapters/matrix/say/remembered.h"

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
    bool sealed;    // for what must be sealed
    bool reads;     // its owner has a device that reads
    bool made;      // by this: its owner is told what it is like
    unsigned syncs; // while it waits
};

struct hands {
    struct hands_setup setup;
    struct maker *makers;
    struct remembered *retired; // rooms and people: nothing is shown there, or to them, in clear
};

static void read_retired(struct fibre *fibre, void *user)
{
    const struct hands *const hands = user;
    if (remembered_await(fibre, hands->retired)) {
        hands->setup.pump(hands->setup.user);
    }
}

bool hands_are_read(const struct hands *hands)
{
    return remembered_is_read(hands->retired);
}

struct hands *hands_create(const struct hands_setup *setup)
{
    struct hands *const hands = mb_new(1, sizeof *hands);
    hands->setup = *setup;
    hands->retired = remembered_create(setup->chat, "retired");
    fibres_start(setup->fibres, read_retired, hands);
    return hands;
}

/* Which room may be theirs. */

static bool is_retired(const struct hands *hands, const struct room *room)
{
    return remembered_has(hands->retired, room_id(room));
}

// Whether a room is there that was made for them and is encrypted, or should have been; or an
// encrypted one where they are with the bot: a table may be there, whether it can be read or not.
static bool has_sealed_room(const struct hands *hands, const char *person)
{
    const struct hands_setup *const setup = &hands->setup;
    bool has = false;
    for (const struct room *at = rooms_next(setup->rooms, NULL); at != NULL && !has;
         at = rooms_next(setup->rooms, at)) {
        const char *const of = room_hand_of(at, setup->bot);
        has = of != NULL
                  ? strcmp(of, person) == 0 && (room_is_encrypted(at) || is_retired(hands, at))
                  : room_is_encrypted(at) && room_membership(at, person) == ROOM_JOINED;
    }
    return has;
}

void hands_retire(struct hands *hands, const char *person)
{
    remembered_add(hands->retired, person);
}

bool hands_leave_out(struct hands *hands, const char *person)
{
    char name[CHAT_ID_SIZE + 8];
    (void)snprintf(name, sizeof name, "told %s", person);
    const bool first = !remembered_has(hands->retired, name);
    remembered_add(hands->retired, name);
    return first;
}

bool hands_seals(const struct hands *hands, const char *person)
{
    const struct seal *const seal = hands->setup.seal;
    return seal_makes(seal) == SEAL_ALWAYS ||
           (seal_is_wanted(seal) &&
            (remembered_has(hands->retired, person) || has_sealed_room(hands, person)));
}

/* What is looked for. */
struct looking {
    const struct hands *hands;
    bool sealed;
};

static bool fits(const void *user, const struct room *room, const char *person)
{
    const struct looking *const looking = user;
    (void)person;
    return room_is_encrypted(room) ? seal_reads(looking->hands->setup.seal, room)
                                   : !looking->sealed && !is_retired(looking->hands, room);
}

static struct looking looking_for(const struct hands *hands, const char *person, bool sealed)
{
    return (struct looking){.hands = hands, .sealed = sealed || hands_seals(hands, person)};
}

bool hands_shows(const struct hands *hands, const struct room *room, const char *person)
{
    const struct looking looking = looking_for(hands, person, false);
    return room_is_hand(room, hands->setup.bot, person) && fits(&looking, room, person);
}

static const struct room *find_hand(const struct hands *hands, const char *person, bool sealed)
{
    const struct looking looking = looking_for(hands, person, sealed);
    const struct rooms_wanted wanted = {.fits = fits, .user = &looking};
    return rooms_hand(hands->setup.rooms, person, &wanted);
}

static const struct room *find_old(const struct hands *hands, const char *person, bool sealed)
{
    const struct looking looking = looking_for(hands, person, sealed);
    const struct rooms_wanted wanted = {.fits = fits, .user = &looking};
    return rooms_old_hand(hands->setup.rooms, person, &wanted);
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
    if (hands != NULL) {
        remembered_destroy(hands->retired);
    }
    free(hands);
}

/* Asking. */

static json_t *new_room(const char *person, bool sealed)
{
    json_t *const room = json_pack(
        "{s:s, s:s, s:s, s:b, s:[s], s:{s:s}, s:{s:i, s:i, s:i, s:i},"
        " s:[{s:s, s:s, s:{s:s}}, {s:s, s:s, s:{s:s}}]}",
        "preset", "private_chat", "name", text_sentence(TEXT_MATRIX_HAND_NAME), "topic",
        text_sentence(TEXT_MATRIX_HAND_TOPIC), "is_direct", 1, "invite", person, "creation_content",
        ROOM_HAND_OF, person, "power_level_content_override", "invite", 100, "kick", 100, "ban",
        100, "state_default", 100, "initial_state", "type", "m.room.history_visibility",
        "state_key", "", "content", "history_visibility", "invited", "type", "m.room.guest_access",
        "state_key", "", "content", "guest_access", "forbidden");
    if (sealed) {
        (void)json_array_append_new(json_object_get(room, "initial_state"), room_encryption());
    }
    return room;
}

// Into the room that they have left, if there is one; else a new one.
static bool ask_once(struct fibre *fibre, const struct maker *maker, struct api_answer *out)
{
    const struct hands *const hands = maker->hands;
    const char *const person = maker->person;
    const struct room *const old = find_old(hands, person, maker->sealed);
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
                                  .body = new_room(person, maker->reads)};
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
        const bool invites = find_old(maker->hands, maker->person, maker->sealed) != NULL;
        const enum limits_of of = invites ? LIMITS_INVITE : LIMITS_ROOM;
        maker->turn = false;
        *asked = find_hand(maker->hands, maker->person, maker->sealed) == NULL;
        const int64_t wait_ms =
            *asked ? limits_wait_ms(setup->limits, of, &turns[of], api_now_ms(setup->api)) : 0;
        if (wait_ms > 0) {
            take_out_of_queue(maker, OUTLET_AGAIN, wait_ms);
            continue;
        }
        if (*asked && !ask_once(fibre, maker, out)) {
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

// Whether it can be sealed for its owner; who must have it so, and cannot read it, gets none.
static bool ask_reads(struct fibre *fibre, struct maker *maker)
{
    struct hands *const hands = maker->hands;
    json_t *const people = json_pack("[s]", maker->person);
    const bool goes_on = seal_readers_await(fibre, hands->setup.seal, people, &maker->reads);
    json_decref(people);
    if (!goes_on || maker->reads || !(maker->sealed || hands_seals(hands, maker->person))) {
        return goes_on;
    }
    if (seal_is_ready(hands->setup.seal)) {
        making_fail(maker, "the player has no verified device that could read an encrypted hand");
        hands->setup.left_out(hands->setup.user, maker->person);
    } else {
        making_fail(maker, "the hand must be encrypted, and there are no keys for that now");
    }
    return true;
}

// Some homeservers encrypt whatever they are asked to make.
static void judge_sealed(struct maker *maker, const char *id, enum api_sealed sealed)
{
    if (sealed == API_SEALED) {
        room_seal(rooms_get(maker->hands->setup.rooms, id)); // whatever syncs tell
        remembered_add(maker->hands->retired, id);           // whatever later ones do not tell
    }
    if (sealed == API_SEALED && !maker->reads) {
        making_fail(maker, "the homeserver encrypts every room, so nobody can be dealt a hand who "
                           "has no verified device");
        maker->hands->setup.left_out(maker->hands->setup.user, maker->person);
    } else if (sealed == API_SEALED_UNSAID) {
        making_fail(maker, "the homeserver did not say whether it encrypts the hand room");
    }
}

static bool make_once(struct fibre *fibre, struct maker *maker, unsigned tries)
{
    const struct hands_setup *const setup = &maker->hands->setup;
    struct api_answer answer = {.status = 0};
    enum api_sealed sealed = API_SEALED_NOT;
    char id[CHAT_ID_SIZE] = "";
    bool asked = false;
    if (!ask_reads(fibre, maker)) {
        return false;
    }
    if (maker->failed) {
        return true;
    }
    queue_room(maker);
    if (!ask_for_room(fibre, maker, tries, &answer, &asked)) {
        return false;
    }
    const char *const made = wire_id(answer.body, "room_id");
    (void)snprintf(id, sizeof id, "%s", asked && api_good(&answer) && made != NULL ? made : "");
    if (asked && !api_good(&answer) && answer.status != 0 && answer.status < STATUS_ERROR) {
        making_fail(maker, answer.errcode);
    }
    maker->made = maker->made || id[0] != '\0';
    if (id[0] != '\0' && !api_sealed_await(fibre, setup->api, id, &sealed)) {
        return false;
    }
    judge_sealed(maker, id, sealed);
    return true;
}

// While the homeserver is away no sync comes, and nobody is given up.
static bool await_told(struct fibre *fibre, struct maker *maker)
{
    struct hands *const hands = maker->hands;
    const struct room *const room = find_hand(hands, maker->person, maker->sealed);
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
    const struct room *const room = find_hand(maker->hands, maker->person, maker->sealed);
    const bool made = maker->made;
    (void)snprintf(person, sizeof person, "%s", maker->person);
    maker_free(maker);
    setup->release(setup->user, person, room, made);
}

static void make_hand(struct fibre *fibre, void *user)
{
    struct maker *const maker = user;
    const struct hands_setup *const setup = &maker->hands->setup;
    maker->fibre = fibre;
    if (!hands_are_read(maker->hands) && !remembered_await(fibre, maker->hands->retired)) {
        return;
    }
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
            (tries == TRIES || find_old(maker->hands, maker->person, maker->sealed) != NULL)) {
            making_fail(maker, "the player never joined the hand room, or it is not private");
        } // else it was never made, or not whole
    }
    maker->fibre = NULL;
    setup->release(setup->user, maker->person, NULL, false);
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

// Whether their room is being made, or could not be: of what must be sealed that is no word on what
// need not be.
static bool is_making(const struct maker *maker)
{
    return maker != NULL && !(maker->failed && maker->sealed);
}

const char *hands_room(const struct hands *hands, const char *person, bool sealed)
{
    const struct room *const room =
        is_making(maker_of(hands, person)) ? NULL : find_hand(hands, person, sealed);
    return room != NULL ? room_id(room) : NULL;
}

bool hands_make(struct hands *hands, const char *person, bool sealed)
{
    struct maker *const under_way = maker_of(hands, person);
    if (under_way != NULL) {
        under_way->sealed = under_way->sealed || sealed;
        return !under_way->failed;
    }
    if (fibres_are_many(hands->setup.fibres)) {
        return false;
    }
    struct maker *const maker = mb_new(1, sizeof *maker);
    maker->hands = hands;
    maker->sealed = sealed;
    (void)snprintf(maker->person, sizeof maker->person, "%s", person);
    maker->next = hands->makers;
    hands->makers = maker;
    fibres_start(hands->setup.fibres, make_hand, maker);
    return true;
}

int64_t hands_wait_ms(struct hands *hands, const char *person)
{
    const struct maker *maker = maker_of(hands, person);
    const struct room *const room = find_hand(hands, person, false);
    if (!is_making(maker) && room != NULL) {
        return room_membership(room, person) == ROOM_JOINED ? 0 : CHAT_REACH_INVITED;
    }
    if (maker == NULL && find_old(hands, person, false) == NULL &&
        hands_make(hands, person, false)) {
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
    if (maker == NULL || find_hand(hands, person, maker->sealed) != room) {
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
