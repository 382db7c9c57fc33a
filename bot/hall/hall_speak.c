// What tables say. Everything between two decisions of people is one message: while only bot
// players act it is gathered.
#include <string.h>

#include "bot/hall/hall_impl.h"

enum { SENTENCE_SIZE = 1024 };

void hall_answer_text(struct hall *hall, const struct hearing *hearing, const char *text,
                      const struct refusal *refusal)
{
    const struct chat_in *const in = hearing->in;
    const bool said_no = refusal != NULL && refusal->code != REFUSAL_NONE;
    struct chat_out out = {.kind = CHAT_REPLY,
                           .place = in->place,
                           .person = in->person,
                           .event = in->event[0] != '\0' ? in->event : NULL,
                           .text = text,
                           .refusal = said_no ? refusal : NULL};
    if (hearing->table != NULL) {
        (void)hall_post(hall, hearing->table, &out, 0);
    } else {
        hall_post_loose(hall, hearing->chat, &out);
    }
}

static const char *sentence(char text[SENTENCE_SIZE], enum text_id id, const struct text_arg *args)
{
    struct text_out out;
    text_begin(&out, text, SENTENCE_SIZE);
    text_line(&out, id, args);
    return text;
}

void hall_answer(struct hall *hall, const struct hearing *hearing, enum text_id id,
                 const struct text_arg *args)
{
    char text[SENTENCE_SIZE];
    hall_answer_text(hall, hearing, sentence(text, id, args), NULL);
}

void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args)
{
    (void)hall;
    char text[SENTENCE_SIZE];
    pile_add(&table->narration, sentence(text, id, args));
}

// Answers go to who asked, also if they were asked by another way; to others what they are told
// besides.
static void collect_reply(struct hall *hall, struct hall_table *table,
                          const struct message *message, const struct hearing *hearing)
{
    const unsigned seat = message->seat;
    const bool asked =
        hearing != NULL &&
        (seat == NO_SEAT ||
         (hearing->name != NULL && session_find_seat(table->session, hearing->name) == seat));
    if (asked) {
        hall_answer_text(hall, hearing, message->text, &message->refusal);
        return;
    }
    struct hall_guest *const guest = hall_guest_at(table, seat);
    if (guest != NULL) {
        pile_add(&guest->news, message->text);
        (void)pile_trim(&guest->news, HALL_NEWS_MAX);
    }
}

void hall_collect(struct hall *hall, struct hall_table *table, const struct hearing *hearing)
{
    struct message_list *const outbox = session_outbox(table->session);
    struct hall_guest *const actor = hearing != NULL ? hall_guest_of(table, hearing->person) : NULL;
    if (actor != NULL && session_stamp(table->session) != table->stamp) {
        pile_clear(&actor->news); // they have acted on it
    }
    for (size_t i = 0; i < outbox->count; i++) {
        const struct message *const message = &outbox->items[i];
        struct hall_guest *const guest = hall_guest_at(table, message->seat);
        switch (message->to) {
        case MESSAGE_TABLE:
            pile_add(&table->narration, message->text);
            table->pings |= message->pings;
            break;
        case MESSAGE_PRIVATE:
            if (guest != NULL) {
                pile_add(&guest->news, message->text);
                (void)pile_trim(&guest->news, HALL_NEWS_MAX);
            }
            break;
        case MESSAGE_CARD:
        case MESSAGE_HAND:
        case MESSAGE_WHISPER:
            break; // no session makes them
        case MESSAGE_REPLY:
            collect_reply(hall, table, message, hearing);
            break;
        }
    }
    message_list_clear(outbox);
    table->narration_cut = pile_trim(&table->narration, HALL_NARRATION_MAX) || table->narration_cut;
}

static void narrate(struct hall *hall, struct hall_table *table)
{
    if (table->narration.length == 0) {
        return;
    }
    struct text_out text;
    text_begin(&text, hall->text, sizeof hall->text);
    if (table->narration_cut) {
        text_line(&text, TEXT_HALL_EARLIER, NULL);
    }
    text_raw(&text, table->narration.at);
    struct chat_out out = {.kind = CHAT_NARRATION, .place = table->place, .text = hall->text};
    (void)hall_post(hall, table, &out, table->pings);
    pile_clear(&table->narration);
    table->narration_cut = false;
    table->pings = 0;
}

void hall_speak(struct hall *hall, struct hall_table *table)
{
    const struct session_due due = session_due(table->session);
    if (hall_people_seats(table) != 0 && hall_bots_alone(table, &due)) {
        return; // people are told when they may act on it
    }
    narrate(hall, table);
    if (table->stamp != session_stamp(table->session)) {
        table->stamp = session_stamp(table->session);
        hall_show_card(hall, table);
        hall_show_hands(hall, table);
        narrate(hall, table); // that somebody cannot be reached
    }
}
