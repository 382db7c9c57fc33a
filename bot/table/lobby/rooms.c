// A room of the table's own: asked for when the game starts, entered before cards are dealt; and
// who belongs in it.
#include <string.h>

#include "bot/chat.h"
#include "bot/table/lobby/lobby.h"

enum { NAME_SIZE = TABLE_NAMES_SIZE + 64 };

bool table_has_rooms(const struct table_work *work, unsigned site)
{
    const char *const network = work->table->sites[site].network;
    return (table_workspace_caps(work->ws, network) & CHAT_CAP_ROOM) != 0;
}

static void add_room(struct table_work *work, unsigned site, unsigned seats, const char *name)
{
    message_add(work->said, MESSAGE_ROOM, NO_SEAT, name);
    struct message *const message = &work->said->items[work->said->count - 1];
    message->site = site;
    message->pings = seats;
    work->table->sites[site].led |= (uint8_t)seats;
    work->dirty = true;
}

static void name_of(const struct table *table, char *out, size_t size)
{
    char names[TABLE_NAMES_SIZE];
    struct text_out text;
    table_reach_names(table, (1u << table->seat_count) - 1u, names);
    text_begin(&text, out, size);
    text_put(&text, TEXT_ROOM_NAME, TEXT_ARGS(text_str("who", names)));
}

void table_rooms_ask(struct table_work *work)
{
    const struct table *const table = work->table;
    char name[NAME_SIZE];
    for (unsigned i = 0; i < table->site_count; i++) {
        if (table_has_rooms(work, i) && !table->options.stays && table->sites[i].from[0] == '\0') {
            name_of(table, name, sizeof name);
            add_room(work, i, table_people_seats(table), name);
        }
    }
}

// Where the table came from stays a card of it, whose versions go on from those of the card that
// was there.
static void enter(struct table_work *work, unsigned site, const char *room)
{
    char name[TABLE_NAME_SIZE];
    struct table_site *const at = &work->table->sites[site];
    const uint32_t version = at->card_version;
    memcpy(name, at->name, sizeof name); // as lists have called it until now
    table_move(work, site, room, name);
    at->link_version = version;
}

void table_rooms_enter(struct table_work *work)
{
    struct table *const table = work->table;
    for (unsigned i = 0; i < table->site_count; i++) {
        const char *const room = work->deed->rooms[i];
        if (room != NULL && room[0] == '\0') {
            table_tell(work, TEXT_ROOM_NONE, NULL);
        } else if (room != NULL && strcmp(room, table->sites[i].place) != 0) {
            enter(work, i, room);
        }
    }
}

void table_rooms_wake(struct table_work *work)
{
    for (unsigned i = 0; i < work->table->site_count; i++) {
        if (work->table->state == TABLE_RUNNING && work->table->sites[i].from[0] != '\0' &&
            work->table->shut == SHUT_NO) {
            add_room(work, i, 0, "");
        }
    }
}

// Seats that people hold, or wait for.
static unsigned concerned(const struct table *table)
{
    unsigned seats = table_people_seats(table);
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        seats |= table->seats[seat].next.id[0] != '\0' ? seat_bit(seat) : 0u;
    }
    return seats;
}

void table_rooms_call(struct table_work *work)
{
    struct table *const table = work->table;
    const unsigned people = concerned(table);
    for (unsigned i = 0; i < table->site_count; i++) {
        struct table_site *const at = &table->sites[i];
        at->led &= (uint8_t)people;
        const bool plays = table->state == TABLE_RUNNING || table->state == TABLE_PAUSED;
        if (plays && table->shut == SHUT_NO && at->from[0] != '\0' && table_has_rooms(work, i) &&
            (people & ~(unsigned)at->led) != 0) {
            add_room(work, i, people & ~(unsigned)at->led, "");
        }
    }
}
