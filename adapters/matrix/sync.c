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

static bool walk_state(const struct sync_told *told, struct room *room, const json_t *events)
{
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        if (wire_read(json, &event) && event.state_key != NULL &&
            !apply(told, room, &event, false)) {
            return false;
        }
    }
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

static bool walk_timeline(const struct sync_told *told, struct room *room, const json_t *events,
                          size_t from)
{
    size_t i = 0;
    const json_t *json = NULL;
    json_array_foreach(events, i, json)
    {
        struct wire_event event;
        if (!wire_read(json, &event)) {
            continue;
        }
        if (event.state_key != NULL) {
            if (!apply(told, room, &event, !told->first)) {
                return false;
            }
        } else if (i >= from && !told->first) {
            told->happened(told->user, room, &event);
        }
    }
    return true;
}

static bool walk_joined(const struct sync_told *told, const char *id, const json_t *json)
{
    struct room *const room = told->room(told->user, id);
    const json_t *const timeline = json_object_get(json, "timeline");
    if (room == NULL) {
        return false;
    }
    if (!walk_state(told, room, json_object_get(json_object_get(json, "state"), "events"))) {
        return false;
    }
    const bool known = room_membership(room, told->bot) == ROOM_JOINED;
    const struct sync_gap gap = {.room = id, .from = wire_word(timeline, "prev_batch")};
    if (known && !told->first && json_is_true(json_object_get(timeline, "limited")) &&
        gap.from != NULL) {
        told->gap(told->user, &gap);
    }
    const json_t *const events = json_object_get(timeline, "events");
    return walk_timeline(told, room, events, known ? 0 : joined_at(told, events));
}

const char *sync_walk(const json_t *answer, const struct sync_told *told)
{
    const char *const next = wire_word(answer, "next_batch");
    json_t *const rooms = json_object_get(answer, "rooms");
    const char *id = NULL;
    json_t *room = NULL;
    if (next == NULL) {
        return NULL;
    }
    json_object_foreach(json_object_get(rooms, "invite"), id, room)
    {
        if (strlen(id) < CHAT_ID_SIZE) {
            walk_invitation(told, id, room);
        }
    }
    json_object_foreach(json_object_get(rooms, "leave"), id, room)
    {
        if (strlen(id) < CHAT_ID_SIZE) {
            walk_left(told, id, room);
        }
    }
    json_object_foreach(json_object_get(rooms, "join"), id, room)
    {
        if (strlen(id) < CHAT_ID_SIZE && !walk_joined(told, id, room)) {
            return NULL;
        }
    }
    return next;
}
