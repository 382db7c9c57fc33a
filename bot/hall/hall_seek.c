// People of whom nobody tells that they have left: their chat is asked when they miss a reminder,
// and now and then when they speak in private.
#include <string.h>

#include "bot/hall/hall_impl.h"

// Where somebody must be to be heard at a table; NULL: that is told, or not known.
static struct chat *who_knows(const struct hall *hall, const struct hall_table *table,
                              const char *network)
{
    struct chat *const chat = hall_chat(hall, network);
    const bool there = table->community != NULL && table_site_count(table->table) > 0 &&
                       strcmp(table_site_network(table->table, 0), network) == 0;
    return there && chat != NULL && (chat_caps(chat) & CHAT_CAP_SEEK) != 0 ? chat : NULL;
}

static void seek(struct hall *hall, const struct hall_table *table, struct chat *chat,
                 const char *person)
{
    const struct chat_out out = {
        .kind = CHAT_SEEK, .place = table->community, .person = person, .text = ""};
    hall_post_loose(hall, chat, &out);
}

void hall_seek_missed(struct hall *hall, const struct hall_table *table)
{
    const struct table_outcome *const outcome = &table->step->outcome;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if ((outcome->missed >> seat & 1u) != 0 &&
            table_seat_person(outcome->after, seat, false, &person)) {
            struct chat *const chat = who_knows(hall, table, person.network);
            if (chat != NULL) {
                seek(hall, table, chat, person.id);
            }
        }
    }
}

void hall_seek_heard(struct hall *hall, const struct hall_table *table,
                     const struct hall_line *line)
{
    const char *const network = chat_name(hall->chats[line->chat]);
    struct chat *const chat = line->in->direct ? who_knows(hall, table, network) : NULL;
    const struct person speaker = hall_speaker(hall, line);
    if (chat == NULL || table_seat_of(table->table, &speaker) == NO_SEAT) {
        return;
    }
    const uint32_t index = hall_person_of(hall, network, line->in);
    struct hall_person *const person = index != KEYED_NONE ? hall->people[index] : NULL;
    if (person != NULL && person->seek_ms <= hall->now_ms) {
        person->seek_ms = hall->now_ms + HALL_SEEK_MS;
        seek(hall, table, chat, line->in->person);
    }
}
