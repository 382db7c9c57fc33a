// A person who is forgotten: what a table still says of them names nobody.
#include <string.h>

#include "bot/table/lobby/lobby.h"

// A name that nobody else has here.
static void rename_seat(struct table *table, unsigned seat)
{
    const char *taken[2 * MB_SEATS_MAX] = {NULL};
    char name[PERSON_NAME_SIZE];
    struct text_out out;
    for (unsigned i = 0; i < table->seat_count; i++) {
        taken[i] = i != seat ? table->seats[i].person.name : NULL;
        taken[MB_SEATS_MAX + i] =
            table->seats[i].next.id[0] != '\0' ? table->seats[i].next.name : NULL;
    }
    text_begin(&out, name, sizeof name);
    text_put(&out, TEXT_FORMER_PLAYER, NULL);
    person_name_unique(name, taken, sizeof taken / sizeof taken[0], name);
    struct table_person *const who = &table->seats[seat].person;
    memset(who, 0, sizeof *who);
    memcpy(who->name, name, strlen(name) + 1);
}

// What others have learnt may name them.
static void forget_news(struct table *table)
{
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        memset(table->seats[seat].news, 0, sizeof table->seats[seat].news);
    }
}

static void forget_hash(struct table_work *work)
{
    struct table *const table = work->table;
    const uint64_t hash = table_hash_of(work, &work->deed->person);
    table->end_asked = table->end_asked == hash ? 0 : table->end_asked;
    for (unsigned i = 0; i < table->removed_count; i++) {
        if (table->removed[i] == hash) {
            memmove(&table->removed[i], &table->removed[i + 1],
                    (table->removed_count - i - 1u) * sizeof table->removed[0]);
            table->removed[--table->removed_count] = 0;
            i--;
        }
    }
}

void table_forget(struct table_work *work)
{
    struct table *const table = work->table;
    const struct person *const person = &work->deed->person;
    (void)table_stop_waiting(work);
    table_undo_forget(table);
    forget_hash(work);
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        struct table_seat *const who = &table->seats[seat];
        if (!table_person_is(&who->person, person)) {
            continue;
        }
        const bool held = table_seat_is_person(who);
        rename_seat(table, seat);
        forget_news(table);
        if (held && table->state == TABLE_OVER) {
            who->policy = (uint8_t)(policy_number(policy_default()) + 1);
        } else if (held) {
            table_vacate(work, seat, TEXT_SESSION_FORGOTTEN);
            seat -= table->state == TABLE_LOBBY ? 1u : 0u;
        }
    }
    work->dirty = true;
}
