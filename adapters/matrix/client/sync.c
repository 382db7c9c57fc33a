#include "adapters/matrix/client/sync.h"

#include <string.h>

static bool is_member_of(const struct wire_event *event, const char *person)
{
    return event->state_key != NULL && strcmp(event->type, "m.room.member") == 0 &&
           strcmp(event->state_key, person) == 0;
}

static bool is_membership(const struct wire_event *event, const char *word)
{
    const char *const membership = wire_word(event->content, "membership");
    return membership != NULL && strcmp(membership, word) == 0;
}

static void tell_invitation(const struct sync_told *told, const char *id, const json_t *room)
{
    struct sync_invitation invitation = {.room = id};
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(json_object_get(json_object_get(room, "invite_state"), "events"), i, json)
    {
        struct wire_event event;
        if (!wire_read(json, &event)) {
            continue;
        }
        const char *const type = wire_word(event.content, "type");
        if (is_member_of(&event, told->bot) && is_membership(&event, "invite")) {
            invitation.inviter = event.sender;
            invitation.direct = json_is_true(json_object_get(event.content, "is_direct"));
        }
        if (strcmp(event.type, "m.room.create") == 0) {
            invitation.predecessor =
                wire_id(json_object_get(event.content, "predecessor"), "room_id");
        }
        invitation.encrypted = invitation.encrypted || strcmp(event.type, "m.room.encryption") == 0;
        invitation.space = invitation.space || (strcmp(event.type, "m.room.create") == 0 &&
                                                type != NULL && strcmp(type, "m.space") == 0);
    }
    if (invitation.inviter != NULL) {
        told->invited(told->user, &invitation);
    }
}

static void tell_left(const struct sync_told *told, const char *id, const json_t *room)
{
    bool thrown_out = false;
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(json_object_get(json_object_get(room, "timeline"), "events"), i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && is_member_of(&event, told->bot)) {
            thrown_out = strcmp(event.sender, told->bot) != 0;
        }
    }
    told->left(told->user, id, thrown_out);
}

// Behind which event the bot was in the room for good: where it has just come in, its latest join;
// nothing counts that was said before that.
static size_t joined_at(const struct sync_told *told, const json_t *events)
{
    size_t behind = 0;
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && is_member_of(&event, told->bot) &&
            is_membership(&event, "join")) {
            behind = i + 1;
        }
    }
    return behind;
}

/* A room that the bot is in, event by event. */

struct walk {
    const struct sync_told *told;
    const struct sync_waits *waits;
    const char *id;
    const json_t *json; // what is told of it
    struct room *room;
    bool known;   // the bot was in it before
    bool created; // its creation is told in its state, and so all of that
};

// What has waited may have forgotten it.
static void find_room(struct walk *walk)
{
    walk->room = walk->told->room(walk->told->user, walk->id);
}

static bool rest_now(struct walk *walk)
{
    const bool goes_on = walk->waits->rest(walk->waits->user);
    if (goes_on) {
        find_room(walk);
    }
    return goes_on;
}

// The bot's invitation into a room where it is: what was to be said there meanwhile would be
// dropped.
static bool is_past(const struct walk *walk, const struct wire_event *event)
{
    const char *const bot = walk->told->bot;
    return is_member_of(event, bot) && is_membership(event, "invite") &&
           room_membership(walk->room, bot) == ROOM_JOINED;
}

static void apply_state(const struct walk *walk, const struct wire_event *event, bool fresh)
{
    if (is_past(walk, event)) {
        return;
    }
    room_apply(walk->room, event);
    walk->told->changed(walk->told->user, walk->room, event, fresh);
}

// Before the rest of them: others speak while they are told, and the bot's own join may stand
// before what encrypts the room.
static void apply_encryption(const struct walk *walk, const json_t *events)
{
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && event.state_key != NULL &&
            strcmp(event.type, "m.room.encryption") == 0) {
            room_apply(walk->room, &event);
        }
    }
}

static json_t *events_of(const struct walk *walk, const char *part)
{
    return json_object_get(json_object_get(walk->json, part), "events");
}

static bool is_limited(const struct walk *walk)
{
    return !walk->told->first &&
           json_is_true(json_object_get(json_object_get(walk->json, "timeline"), "limited"));
}

// Who came or went in a part of the timeline that was left out stands nowhere else.
static bool tell_state(struct walk *walk, const json_t *events)
{
    size_t i = 0;
    const json_t *json = NULL;
    apply_encryption(walk, events);
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && event.state_key != NULL) {
            walk->created = walk->created || strcmp(event.type, "m.room.create") == 0;
            apply_state(walk, &event,
                        walk->known && is_limited(walk) && room_would_change(walk->room, &event));
        }
        if (!rest_now(walk)) {
            return false;
        }
    }
    return true;
}

// Whether the timeline says that the room is encrypted from there on.
static bool turns_encrypted(const struct walk *walk)
{
    bool turns = false;
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events_of(walk, "timeline"), i, json)
    {
        struct wire_event event;
        turns = turns || (wire_read(json, &event) && event.state_key != NULL &&
                          strcmp(event.type, "m.room.encryption") == 0);
    }
    return turns && !room_is_encrypted(walk->room);
}

// Behind the state: servers tell only of members who say something. That is enough where people
// come and go; of a room that the bot has made it decides what is shown there, and who is in an
// encrypted one is shown nothing of theirs in clear anywhere.
static bool wants_members(const struct walk *walk)
{
    const char *const bot = walk->told->bot;
    const char *const hand_of = room_hand_of(walk->room, bot);
    const char *const person = hand_of != NULL ? hand_of : room_of(walk->room, bot);
    const bool whole = walk->created || (walk->known && is_limited(walk));
    return (whole && person != NULL && !room_knows(walk->room, person)) ||
           (whole && room_is_encrypted(walk->room)) || turns_encrypted(walk);
}

static bool fill_gap(struct walk *walk, const char *from, json_t **out)
{
    const struct sync_gap gap = {.room = walk->id, .from = from};
    const bool goes_on = walk->waits->fill(walk->waits->user, &gap, out);
    find_room(walk);
    return goes_on;
}

static bool tell_members(struct walk *walk)
{
    json_t *members = NULL;
    const bool told = fill_gap(walk, NULL, &members) && tell_state(walk, members);
    json_decref(members);
    return told;
}

// Where nothing but state is told, nothing is opened.
static bool open_events(struct walk *walk, json_t *events, json_t **out)
{
    if (walk->told->first || json_array_size(events) == 0) {
        *out = json_incref(events);
        return true;
    }
    const bool goes_on = walk->waits->open(walk->waits->user, walk->id, events, out);
    find_room(walk);
    return goes_on;
}

// What a gap hid is said and done; what it has changed of the room is in the state by now, but for
// members of whom nothing was known.
static bool tell_hidden(struct walk *walk, const json_t *events)
{
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        const bool good = wire_read(json, &event);
        if (good && event.state_key == NULL) {
            walk->told->happened(walk->told->user, walk->room, &event);
        } else if (good && strcmp(event.type, "m.room.member") == 0 &&
                   !room_knows(walk->room, event.state_key)) {
            apply_state(walk, &event, false);
        }
        if (!rest_now(walk)) {
            return false;
        }
    }
    return true;
}

static bool tell_gap(struct walk *walk)
{
    const char *const from = wire_word(json_object_get(walk->json, "timeline"), "prev_batch");
    json_t *hidden = NULL;
    json_t *opened = NULL;
    const bool told =
        from == NULL || (fill_gap(walk, from, &hidden) && open_events(walk, hidden, &opened) &&
                         tell_hidden(walk, opened));
    json_decref(hidden);
    json_decref(opened);
    return told;
}

// What is told of a timeline: state, and what was said from there on. What lies before is not even
// opened, for nobody has given the bot a key to it.
static json_t *events_from(const struct walk *walk, size_t from)
{
    const json_t *const all = events_of(walk, "timeline");
    json_t *const events = json_array();
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *const event = json_array_get(all, i);
        if (i >= from || json_object_get(event, "state_key") != NULL) {
            (void)json_array_append(events, event);
        }
    }
    return events;
}

static bool tell_timeline(struct walk *walk, size_t from)
{
    const struct sync_told *const told = walk->told;
    json_t *const events = events_from(walk, from);
    json_t *opened = NULL;
    bool goes_on = open_events(walk, events, &opened);
    apply_encryption(walk, opened);
    for (size_t i = 0; goes_on && i < json_array_size(opened); i++) {
        struct wire_event event;
        const bool good = wire_read(json_array_get(opened, i), &event);
        if (good && event.state_key != NULL) {
            apply_state(walk, &event, !told->first);
        } else if (good && !told->first) {
            told->happened(told->user, walk->room, &event);
        }
        goes_on = rest_now(walk);
    }
    json_decref(opened);
    json_decref(events);
    return goes_on;
}

static bool tell_room(struct walk *walk)
{
    const char *const bot = walk->told->bot;
    find_room(walk);
    walk->known = room_membership(walk->room, bot) == ROOM_JOINED;
    if (!tell_state(walk, events_of(walk, "state"))) {
        return false;
    }
    // Before the members, who are asked for as they are now.
    const size_t from = room_membership(walk->room, bot) == ROOM_JOINED
                            ? 0
                            : joined_at(walk->told, events_of(walk, "timeline"));
    if (wants_members(walk) && !tell_members(walk)) {
        return false;
    }
    // Behind them: whether anything lies between that and the timeline.
    const bool gap =
        from == 0 && room_membership(walk->room, bot) == ROOM_JOINED && is_limited(walk);
    return (!gap || tell_gap(walk)) && tell_timeline(walk, from);
}

/* The whole. */

static bool tell_joined(const struct sync_told *told, const struct sync_waits *waits,
                        const char *id, const json_t *json)
{
    struct walk walk = {.told = told, .waits = waits, .id = id, .json = json};
    if (json_is_null(json)) { // wire.h
        told->too_large(told->user, id);
    }
    return !json_is_object(json) || tell_room(&walk);
}

const char *sync_next(const json_t *answer)
{
    return wire_word(answer, "next_batch");
}

bool sync_tell(json_t *answer, const struct sync_told *told, const struct sync_waits *waits)
{
    static const char *const PARTS[] = {"invite", "leave", "join"};
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < sizeof PARTS / sizeof *PARTS; i++) {
        json_t *const part = json_object_get(json_object_get(answer, "rooms"), PARTS[i]);
        for (void *at = json_object_iter(part); goes_on && at != NULL;
             at = json_object_iter_next(part, at)) {
            const char *const id = json_object_iter_key(at);
            const json_t *const room = json_object_iter_value(at);
            if (strlen(id) >= CHAT_ID_SIZE) {
                continue;
            }
            if (i == 0) {
                tell_invitation(told, id, room);
            } else if (i == 1) {
                tell_left(told, id, room);
            } else {
                goes_on = tell_joined(told, waits, id, room);
            }
            goes_on = goes_on && waits->rest(waits->user);
        }
    }
    return goes_on;
}
