#include "adapters/matrix/rooms/house.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "adapters/matrix/rooms/makes.h"
#include "adapters/matrix/rooms/stay.h"
#include "adapters/matrix/say/speech.h"

enum { ABOUT_SIZE = 2 * CHAT_ID_SIZE };

/* Joining. An invitation may be told before the server lets anybody in, so it is tried some times,
 * farther and farther apart; then it is declined. Servers count joins (api.h), and syncs tell of an
 * invitation once: joining is an errand. Reference: Matrix, sections 7 and 12. */

enum { TRIES = 6 };

/* An errand; its text is the member, or NULL where it only declines. */
struct joining {
    unsigned tries;
    bool declines;
};

static bool join_await(struct fibre *fibre, const struct house_setup *house,
                       const struct errand *errand, struct api_answer *out)
{
    char before[API_PATH_SIZE];
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST", .path = path};
    const char *const colon = strchr(errand->text, ':');
    return api_path(before, "/_matrix/client/v3/join/", errand->name, "?via=") &&
           api_path(path, before, colon != NULL ? colon + 1 : "", "") &&
           limits_await(fibre, house->limits, LIMITS_JOIN, house->api, &call, out);
}

static bool joins_run(struct fibre *fibre, struct errand *errand)
{
    const struct house_setup *const house = errand->errands->user;
    const struct api_room_call leave = {.method = "POST", .room = errand->name, .what = "/leave"};
    struct joining joining = {.declines = errand->text == NULL};
    struct api_answer answer;
    errand->own = &joining;
    for (;;) {
        const bool declines = joining.declines;
        if (!(declines ? api_room_await(fibre, house->api, &leave, &answer)
                       : join_await(fibre, house, errand, &answer))) {
            return false;
        }
        if (joining.declines != declines) {
            continue; // invited anew meanwhile
        }
        if (declines ? !api_is_unseen(&answer) : api_good(&answer)) {
            return true;
        }
        if (!declines && joining.tries + 1 == TRIES) {
            house->log(house->log_user, NET_LOG_WARN, "join-refused", answer.errcode);
            joining = (struct joining){.declines = true};
        } else if (!api_sleep(fibre, house->api, api_wait_ms(&answer, joining.tries++))) {
            return false;
        }
    }
}

// Joins it by the server of somebody who is in it, unless it is doing so.
static void joins_add(struct errands *joins, const char *room, const char *member)
{
    struct errand *const errand = errands_find(joins, room);
    struct joining *const joining = errand != NULL ? errand->own : NULL;
    if (errand == NULL) {
        (void)errands_begin(joins, room, member, NULL);
    } else if (joining != NULL && joining->declines) {
        errand_keep(errand, member);
        *joining = (struct joining){.declines = false};
    }
}

// Lets an invitation go.
static void joins_decline(struct errands *joins, const char *room)
{
    (void)errands_begin(joins, room, NULL, NULL); // of a flood the rest hangs: it is told again
}

/* The house. */

struct house {
    struct house_setup setup;
    struct guests *guests;
    struct errands joins, makes;
    struct remembered *sealed, *too_large;
    struct stay *stay;
};

static void log_line(const struct house *house, enum net_log_level level, const char *event,
                     const char *text)
{
    house->setup.log(house->setup.log_user, level, event, text);
}

/* What is said without being asked. */

static void say_aside(struct house *house, const struct aside *aside)
{
    aside_say(house->setup.speech, aside);
}

static void welcome_room(struct house *house, const struct room *room,
                         const struct wire_event *event)
{
    const bool follows = room_predecessor(room)[0] != '\0'; // it was told in the one before
    if (seal_has_keys(house->setup.seal) && room_of(room, house->setup.bot) != NULL) {
        char about[ABOUT_SIZE];
        (void)snprintf(about, sizeof about, "made %s", room_id(room));
        say_aside(house,
                  &(const struct aside){.about = about,
                                        .place = room_id(room),
                                        .text = room_is_encrypted(room) ? TEXT_MATRIX_ENCRYPTED
                                                                        : TEXT_MATRIX_CLEAR});
    }
    if (seal_reads(house->setup.seal, room) && !follows &&
        room_hand_of(room, house->setup.bot) == NULL) {
        say_aside(house, &(const struct aside){
                             .about = event->id,
                             .place = room_id(room),
                             .text = TEXT_MATRIX_WELCOME,
                             .args = TEXT_ARGS(text_str("prefix", house->setup.prefix))});
    }
}

// Once for ever: from then on it is known.
static void seal_room(struct house *house, const struct room *room)
{
    char about[ABOUT_SIZE];
    if (room_membership(room, house->setup.bot) != ROOM_JOINED ||
        remembered_has(house->sealed, room_id(room))) {
        return;
    }
    remembered_add(house->sealed, room_id(room));
    if (seal_reads(house->setup.seal, room)) {
        return;
    }
    (void)snprintf(about, sizeof about, "encrypted %s", room_id(room));
    say_aside(house, &(const struct aside){
                         .about = about, .place = room_id(room), .text = TEXT_MATRIX_SEALED});
}

/* Entering. */

// The room that takes the place of one where the bot is: no new one.
static bool is_replacement(const struct house *house, const struct sync_invitation *invitation)
{
    const struct room *const old = invitation->predecessor != NULL
                                       ? rooms_find(house->setup.rooms, invitation->predecessor)
                                       : NULL;
    return old != NULL && strcmp(room_replacement(old), invitation->room) == 0;
}

void house_invited(struct house *house, const struct sync_invitation *invitation)
{
    char about[ABOUT_SIZE];
    const int64_t now_ms = (int64_t)uv_now(house->setup.loop);
    if (remembered_has(house->too_large, invitation->room)) {
        log_line(house, NET_LOG_INFO, "invitation", "declined: that room is too large");
        joins_decline(&house->joins, invitation->room);
        return;
    }
    if (invitation->space ||
        (!is_replacement(house, invitation) &&
         !guests_take(house->guests, invitation->inviter, invitation->room, now_ms))) {
        log_line(house, NET_LOG_INFO, "invitation",
                 invitation->space ? "declined: an invitation to a space"
                                   : "declined: \"allow\", \"block\" or a limit of invitations");
        joins_decline(&house->joins, invitation->room);
        return;
    }
    joins_add(&house->joins, invitation->room, invitation->inviter);
    if (invitation->encrypted && !seal_is_ready(house->setup.seal)) {
        (void)snprintf(about, sizeof about, "invited %s", invitation->room);
        say_aside(house, &(const struct aside){.about = about,
                                               .person = invitation->inviter,
                                               .text = TEXT_MATRIX_SEALED_OFFER});
    }
}

static bool is_of_type(const struct wire_event *event, const char *type)
{
    return strcmp(event->type, type) == 0;
}

static void follow(struct house *house, const struct room *room, const struct wire_event *event)
{
    const char *const to = room_replacement(room);
    const struct room *const there = to[0] != '\0' ? rooms_find(house->setup.rooms, to) : NULL;
    if (to[0] != '\0' && room_hand_of(room, house->setup.bot) == NULL &&
        (there == NULL || room_membership(there, house->setup.bot) != ROOM_JOINED)) {
        joins_add(&house->joins, to, event->sender);
    }
}

void house_found(struct house *house, struct room *room)
{
    if (remembered_has(house->sealed, room_id(room))) {
        room_seal(room);
    }
    if (remembered_has(house->too_large, room_id(room))) { // it could not be left
        stay_look(house->stay, room_id(room));
    }
}

void house_too_large(struct house *house, const char *room)
{
    log_line(house, NET_LOG_WARN, "room-too-large",
             "leaving a room for good: its state is too large to be read");
    remembered_add(house->too_large, room);
    stay_look(house->stay, room);
}

static bool is_own_join(const struct house *house, const struct room *room,
                        const struct wire_event *event, bool fresh)
{
    const char *const was = wire_word(event->was, "membership");
    return fresh && is_of_type(event, "m.room.member") &&
           strcmp(event->state_key, house->setup.bot) == 0 &&
           room_membership(room, house->setup.bot) == ROOM_JOINED &&
           (was == NULL || strcmp(was, "join") != 0);
}

void house_changed(struct house *house, struct room *room, const struct wire_event *event,
                   bool fresh)
{
    if (is_of_type(event, "m.room.tombstone")) { // also one that an earlier process has missed
        follow(house, room, event);
    }
    if (room_says_sealing(room)) { // a room that is being made is encrypted before a sync says how
        seal_room(house, room);
    }
    makes_know(&house->makes, room);
    if (is_own_join(house, room, event, fresh)) {
        welcome_room(house, room, event);
        house_used(house, room);
    }
    // Who makes a room is alone in it until the others are invited: only a farewell tells anything.
    if (fresh && is_of_type(event, "m.room.member") &&
        room_membership(room, event->state_key) != ROOM_JOINED &&
        room_membership(room, event->state_key) != ROOM_INVITED) {
        stay_look(house->stay, room_id(room));
    }
}

// What a sync tells again must find under way what it is about.
void house_listens(struct house *house)
{
    errands_take_up(&house->joins);
    errands_take_up(&house->makes);
}

void house_synced(struct house *house)
{
    makes_synced(&house->makes);
}

void house_used(struct house *house, struct room *room)
{
    stay_used(house->stay, room);
}

bool house_asked(struct house *house, const struct room *room, const struct wire_event *event,
                 const char *line)
{
    const char *const hand_of = room_hand_of(room, house->setup.bot);
    const size_t length = strcspn(line, " ");
    if (strcasecmp(line, "dm") == 0) {
        say_aside(house, &(const struct aside){.about = event->id,
                                               .place = room_id(room),
                                               .person = event->sender,
                                               .text = TEXT_MATRIX_DM});
        return true;
    }
    if (hand_of != NULL && length == 4 && strncasecmp(line, "room", length) == 0) {
        makes_ask(&house->makes, event->sender, event->id,
                  line + length + strspn(line + length, " "));
        return true;
    }
    return false;
}

/* Whole. */

static void read_remembered(struct fibre *fibre, void *user)
{
    struct house *const house = user;
    const struct rooms *const rooms = house->setup.rooms;
    if (!remembered_await(fibre, house->sealed) || !remembered_await(fibre, house->too_large)) {
        return;
    }
    for (struct room *at = rooms_next(rooms, NULL); at != NULL; at = rooms_next(rooms, at)) {
        house_found(house, at);
    }
}

struct house *house_create(const struct house_setup *setup)
{
    struct house *const house = mb_new(1, sizeof *house);
    const struct errands errands = {
        .fibres = setup->fibres, .chat = setup->chat, .user = &house->setup};
    house->setup = *setup;
    house->joins = house->makes = errands;
    house->joins.begins = "joining/";
    house->joins.run = joins_run;
    house->makes.begins = "making/";
    house->makes.run = makes_run;
    house->makes.drop = free;
    house->guests = guests_create(setup->guests);
    house->sealed = remembered_create(setup->chat, "encrypted");
    house->too_large = remembered_create(setup->chat, "too-large");
    house->stay = stay_create(&house->setup, house->too_large);
    fibres_start(setup->fibres, read_remembered, house);
    return house;
}

void house_destroy(struct house *house)
{
    if (house != NULL) {
        guests_destroy(house->guests);
        remembered_destroy(house->sealed);
        remembered_destroy(house->too_large);
        stay_destroy(house->stay);
    }
    free(house);
}
