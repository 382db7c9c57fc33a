#include "adapters/matrix/listen/news.h"

#include <string.h>

static bool member_news(const struct room *room, const struct wire_event *event, const char *bot,
                        struct chat_in *out)
{
    const char *const hand_of = room_hand_of(room, bot);
    const char *const person = event->state_key;
    if (hand_of != NULL) {
        const bool reached = room_is_hand(room, bot, hand_of);
        *out = (struct chat_in){.kind = reached ? CHAT_IN_REACHABLE : CHAT_IN_UNREACHABLE,
                                .person = hand_of};
        return strcmp(person, hand_of) == 0 || !reached; // or somebody else came in
    }
    const bool here = room_membership(room, person) == ROOM_JOINED;
    *out = (struct chat_in){.kind = here ? CHAT_IN_PERSON_BACK : CHAT_IN_PERSON_GONE,
                            .place = room_id(room),
                            .person = person};
    return room_membership(room, person) != ROOM_INVITED && strcmp(person, bot) != 0;
}

// Another room has taken the place of this one's predecessor: whoever could say so of the old one
// has said that it is this.
static bool moved_here(const struct rooms *rooms, const struct room *room, const char *bot,
                       struct chat_in *out)
{
    const char *const predecessor = room_predecessor(room);
    const struct room *const old = predecessor[0] != '\0' ? rooms_find(rooms, predecessor) : NULL;
    if (old == NULL || strcmp(room_replacement(old), room_id(room)) != 0 ||
        room_membership(room, bot) != ROOM_JOINED || room_is_encrypted(room)) {
        return false;
    }
    *out = (struct chat_in){.kind = CHAT_IN_PLACE_MOVED,
                            .place = predecessor,
                            .moved = room_id(room),
                            .place_name = room_title(room)};
    return true;
}

bool news_of(const struct rooms *rooms, const struct room *room, const struct wire_event *event,
             const char *bot, struct chat_in *out)
{
    const char *const type = event->type;
    if (strcmp(type, "m.room.member") == 0 && strcmp(event->state_key, bot) == 0) {
        return moved_here(rooms, room, bot, out);
    }
    if (strcmp(type, "m.room.member") == 0) {
        return member_news(room, event, bot, out);
    }
    if (room_hand_of(room, bot) == NULL && strcmp(type, "m.room.power_levels") == 0) {
        *out = (struct chat_in){.kind = room_may_write(room, bot) ? CHAT_IN_PLACE_OPEN
                                                                  : CHAT_IN_PLACE_CLOSED,
                                .place = room_id(room)};
        return true;
    }
    if (room_hand_of(room, bot) == NULL && strcmp(type, "m.room.encryption") == 0) {
        *out = (struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = room_id(room)};
        return true;
    }
    return false;
}

void news_left(const struct room *room, const char *bot, struct chat_in *out)
{
    const char *const hand_of = room_hand_of(room, bot);
    *out = hand_of != NULL ? (struct chat_in){.kind = CHAT_IN_UNREACHABLE, .person = hand_of}
                           : (struct chat_in){.kind = CHAT_IN_PLACE_GONE, .place = room_id(room)};
}
