#include "bot/session/desk.h"

#include <string.h>

static const char *person_of(const struct desk *desk, const struct message *message,
                             const char *asker)
{
    if (message->seat < session_seat_count(desk->session)) {
        return session_seat_name(desk->session, message->seat);
    }
    return asker;
}

static enum chat_kind kind_of(const struct message *message)
{
    static const enum chat_kind KINDS[] = {[MESSAGE_TABLE] = CHAT_NARRATION,
                                           [MESSAGE_PRIVATE] = CHAT_WHISPER,
                                           [MESSAGE_REPLY] = CHAT_REPLY};
    return KINDS[message->to];
}

void desk_speak(struct desk *desk, const char *asker)
{
    struct message_list *const outbox = session_outbox(desk->session);
    (void)message_list_gather(outbox); // without memory there are just more of them
    for (size_t i = 0; i < outbox->count; i++) {
        const struct message *const message = &outbox->items[i];
        const bool open = message->to == MESSAGE_TABLE;
        const struct chat_out out = {.place = desk->place,
                                     .person = open ? NULL : person_of(desk, message, asker),
                                     .kind = kind_of(message),
                                     .text = message->text};
        struct mb_error err = {0};
        // Without a person a private message must not be said aloud.
        if ((!open && out.person == NULL) || !chat_send(desk->chat, &out, &err)) {
            desk->lost++;
        }
    }
    message_list_clear(outbox);
}

void desk_hear(struct desk *desk)
{
    for (struct chat_in *in = chat_queue_take(desk->queue); in != NULL;
         in = chat_queue_take(desk->queue)) {
        if (strcmp(in->place, desk->place) == 0) {
            (void)session_person_line(desk->session, in->person, in->line, NULL);
            desk_speak(desk, in->person);
        }
        chat_settle(desk->chat, in);
    }
}

void desk_advance(struct desk *desk, int64_t ms)
{
    session_advance(desk->session, ms);
    desk_speak(desk, NULL);
}
