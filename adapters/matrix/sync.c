#include "adapters/matrix/sync.h"

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

static void walk_invitation(const struct sync_told *told, const char *id, const json_t *room)
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

static void walk_left(const struct sync_told *told, const char *id, const json_t *room)
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

static bool apply(const struct sync_told *told, struct room *room, const struct wire_event *event,
                  bool fresh)
{
    if (!room_apply(room, event)) {
        return false;
    }
    told->changed(told->user, room, event, fresh);
    return true;
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

enum { OF_NONE, OF_STATE, OF_ASK_MEMBERS, OF_MEMBERS, OF_ASK_GAP, OF_FILLED, OF_TIMELINE };

static const json_t *events_of(const json_t *room, const char *part)
{
    return json_object_get(json_object_get(room, part), "events");
}

static enum sync_state enter(struct sync_walk *walk)
{
    const char *const id = json_object_iter_key(walk->at);
    walk->room = walk->told.room(walk->told.user, id);
    walk->of = OF_STATE;
    walk->event = 0;
    walk->created = false;
    walk->known = walk->room != NULL && room_membership(walk->room, walk->told.bot) == ROOM_JOINED;
    return walk->room != NULL ? SYNC_MORE : SYNC_BROKEN;
}

static bool is_limited(const struct sync_walk *walk, const json_t *json)
{
    return !walk->told.first &&
           json_is_true(json_object_get(json_object_get(json, "timeline"), "limited"));
}

// Behind the state: servers tell only of members who say something. That is enough where people
// come and go; of a room that the bot has made it decides what is shown there.
static bool wants_members(const struct sync_walk *walk, const json_t *json)
{
    const char *const bot = walk->told.bot;
    const char *const hand_of = room_hand_of(walk->room, bot);
    const char *const person = hand_of != NULL ? hand_of : room_of(walk->room, bot);
    return person != NULL && !room_knows(walk->room, person) &&
           (walk->created || (walk->known && is_limited(walk, json)));
}

// Behind the members: whether anything lies between it and the timeline.
static enum sync_state look_for_gap(struct sync_walk *walk, const json_t *json)
{
    const struct sync_told *const told = &walk->told;
    const json_t *const timeline = json_object_get(json, "timeline");
    const bool known = room_membership(walk->room, told->bot) == ROOM_JOINED;
    const bool limited = known && is_limited(walk, json);
    walk->of = OF_FILLED;
    walk->event = 0;
    walk->from = known ? 0 : joined_at(told, events_of(json, "timeline"));
    walk->gap =
        (struct sync_gap){.room = room_id(walk->room), .from = wire_word(timeline, "prev_batch")};
    if (limited && walk->gap.from != NULL) {
        walk->of = OF_ASK_GAP;
        return SYNC_GAP;
    }
    return SYNC_MORE;
}

// What a gap hid is said and done; what it has changed of the room is in the state by now, but for
// members of whom nothing was known.
static bool tell_filled(const struct sync_walk *walk, const json_t *json)
{
    const struct sync_told *const told = &walk->told;
    struct wire_event event;
    if (!wire_read(json, &event)) {
        return true;
    }
    if (event.state_key != NULL) {
        return strcmp(event.type, "m.room.member") != 0 ||
               room_knows(walk->room, event.state_key) || apply(told, walk->room, &event, false);
    }
    told->happened(told->user, walk->room, &event);
    return true;
}

static bool tell_timeline(const struct sync_walk *walk, const json_t *json)
{
    const struct sync_told *const told = &walk->told;
    struct wire_event event;
    if (!wire_read(json, &event)) {
        return true;
    }
    if (event.state_key != NULL) {
        return apply(told, walk->room, &event, !told->first);
    }
    if (walk->event >= walk->from && !told->first) {
        told->happened(told->user, walk->room, &event);
    }
    return true;
}

// Who came or went in a part of the timeline that was left out stands nowhere else.
static bool tell_state(struct sync_walk *walk, const json_t *room, const json_t *json)
{
    struct wire_event event;
    if (!wire_read(json, &event) || event.state_key == NULL) {
        return true;
    }
    walk->created = walk->created || strcmp(event.type, "m.room.create") == 0;
    return apply(&walk->told, walk->room, &event,
                 walk->known && is_limited(walk, room) && room_would_change(walk->room, &event));
}

// Whether the part waits to be opened: not where nothing but state is told.
static bool is_sealed(struct sync_walk *walk, const json_t *json)
{
    json_t *const events = walk->of == OF_FILLED
                               ? walk->filled
                               : json_object_get(json_object_get(json, "timeline"), "events");
    if (walk->opened != NULL || walk->told.first || json_array_size(events) == 0) {
        return false;
    }
    walk->sealed = (struct sync_sealed){.room = room_id(walk->room), .events = events};
    return true;
}

static const json_t *part_of_room(const struct sync_walk *walk, const json_t *json)
{
    if (walk->of == OF_STATE) {
        return events_of(json, "state");
    }
    if (walk->of == OF_MEMBERS) {
        return walk->filled;
    }
    if (walk->told.first) { // nothing was filled in, and nothing waits to be opened
        return walk->of == OF_TIMELINE ? events_of(json, "timeline") : NULL;
    }
    return walk->opened;
}

static enum sync_state step_in_room(struct sync_walk *walk, const json_t *json)
{
    const bool is_state = walk->of == OF_STATE || walk->of == OF_MEMBERS;
    if (!is_state && is_sealed(walk, json)) {
        return SYNC_SEALED;
    }
    const json_t *const next = json_array_get(part_of_room(walk, json), walk->event);
    if (next == NULL && walk->of == OF_STATE && wants_members(walk, json)) {
        walk->of = OF_ASK_MEMBERS;
        walk->event = 0;
        walk->gap = (struct sync_gap){.room = room_id(walk->room)};
        return SYNC_MEMBERS;
    }
    if (next == NULL && is_state) {
        json_decref(walk->filled);
        walk->filled = NULL;
        return look_for_gap(walk, json);
    }
    if (next == NULL) {
        walk->of = walk->of == OF_FILLED ? OF_TIMELINE : OF_NONE;
        walk->event = 0;
        json_decref(walk->opened);
        walk->opened = NULL;
        return SYNC_MORE;
    }
    bool good = true;
    if (walk->of == OF_FILLED) {
        good = tell_filled(walk, next);
    } else {
        good = is_state ? tell_state(walk, json, next) : tell_timeline(walk, next);
    }
    walk->event++;
    return good ? SYNC_MORE : SYNC_BROKEN;
}

/* The whole. */

enum { PART_INVITE, PART_LEAVE, PART_JOIN, PARTS };

static json_t *part_of(const struct sync_walk *walk)
{
    static const char *const NAMES[PARTS] = {"invite", "leave", "join"};
    return json_object_get(json_object_get(walk->answer, "rooms"), NAMES[walk->part]);
}

static enum sync_state step(struct sync_walk *walk)
{
    json_t *const part = part_of(walk);
    if (walk->at == NULL) {
        walk->part++;
        walk->at = walk->part < PARTS ? json_object_iter(part_of(walk)) : NULL;
        return SYNC_MORE;
    }
    const char *const id = json_object_iter_key(walk->at);
    json_t *const room = json_object_iter_value(walk->at);
    if (strlen(id) < CHAT_ID_SIZE && walk->part == PART_INVITE) {
        walk_invitation(&walk->told, id, room);
    } else if (strlen(id) < CHAT_ID_SIZE && walk->part == PART_LEAVE) {
        walk_left(&walk->told, id, room);
    } else if (json_is_null(room) && strlen(id) < CHAT_ID_SIZE) { // sieve.h
        walk->told.too_large(walk->told.user, id);
    } else if (json_is_object(room) && strlen(id) < CHAT_ID_SIZE) {
        const enum sync_state state = walk->of == OF_NONE ? enter(walk) : step_in_room(walk, room);
        if (state != SYNC_MORE || walk->of != OF_NONE) {
            return state;
        }
        json_decref(walk->filled);
        walk->filled = NULL;
    }
    walk->at = json_object_iter_next(part, walk->at);
    return SYNC_MORE;
}

const char *sync_begin(struct sync_walk *walk, json_t *answer, const struct sync_told *told)
{
    const char *const next = wire_word(answer, "next_batch");
    *walk = (struct sync_walk){.told = *told, .answer = next != NULL ? json_incref(answer) : NULL};
    walk->at = next != NULL ? json_object_iter(part_of(walk)) : NULL;
    return next;
}

enum sync_state sync_go(struct sync_walk *walk, unsigned steps)
{
    for (unsigned i = 0; i < steps && walk->part < PARTS; i++) {
        const enum sync_state state = walk->of == OF_ASK_GAP       ? SYNC_GAP
                                      : walk->of == OF_ASK_MEMBERS ? SYNC_MEMBERS
                                                                   : step(walk);
        if (state != SYNC_MORE) {
            return state;
        }
    }
    return walk->part < PARTS ? SYNC_MORE : SYNC_DONE;
}

void sync_fill(struct sync_walk *walk, json_t *events)
{
    walk->filled = events;
    walk->of = walk->of == OF_ASK_MEMBERS ? OF_MEMBERS : OF_FILLED;
}

void sync_open(struct sync_walk *walk, json_t *opened)
{
    walk->opened = json_incref(opened);
}

void sync_end(struct sync_walk *walk)
{
    json_decref(walk->answer);
    json_decref(walk->opened);
    json_decref(walk->filled);
    *walk = (struct sync_walk){.part = PARTS};
}
