#include "adapters/matrix/rooms/farewell.h"

#include <stdio.h>

#include "bot/chat_impl.h"

enum { STATUS_FORBIDDEN = 403, STATUS_UNKNOWN = 404 };

struct leaving {
    const struct farewell *farewell;
    const char *person;
};

// Whether the bot is no longer there, by this or from before.
static bool is_out(const struct api_answer *answer)
{
    return api_good(answer) || answer->status == STATUS_FORBIDDEN ||
           answer->status == STATUS_UNKNOWN;
}

static const struct room *next_of(const struct rooms *rooms, const char *person)
{
    const struct room *const hand = rooms_hand(rooms, person);
    return hand != NULL ? hand : rooms_old_hand(rooms, person);
}

static void leave_all(struct fibre *fibre, void *user)
{
    const struct leaving *const leaving = user;
    const struct farewell farewell = *leaving->farewell;
    char person[CHAT_ID_SIZE];
    char id[CHAT_ID_SIZE];
    bool out = true;
    (void)snprintf(person, sizeof person, "%s", leaving->person);
    for (const struct room *room = next_of(farewell.rooms, person); out && room != NULL;
         room = next_of(farewell.rooms, person)) {
        const struct api_room_call leave = {.method = "POST", .room = id, .what = "/leave"};
        const struct api_room_call forget = {.method = "POST", .room = id, .what = "/forget"};
        struct api_answer answer;
        (void)snprintf(id, sizeof id, "%s", room_id(room));
        if (!api_room_await(fibre, farewell.api, &leave, &answer)) {
            return;
        }
        out = is_out(&answer);
        if (out) { // what the homeserver keeps of it is no longer this bot's affair
            rooms_forget(farewell.rooms, id);
            if (!api_room_await(fibre, farewell.api, &forget, &answer)) {
                return;
            }
        }
    }
    chat_tell(farewell.chat,
              &(const struct chat_outcome){.key = farewell.key,
                                           .fate = out ? CHAT_DELIVERED : CHAT_REFUSED,
                                           .id = out ? "" : NULL});
}

void farewell_say(struct fibres *fibres, const struct farewell *farewell, const char *person)
{
    struct leaving leaving = {.farewell = farewell, .person = person};
    fibres_start(fibres, leave_all, &leaving);
}
