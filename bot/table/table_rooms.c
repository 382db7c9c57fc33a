// A room of the table's own: asked for when the game starts, entered before cards are dealt; who
// belongs in it; and the card that stays where it came from.
#include <string.h>

#include "bot/chat.h"
#include "bot/render/render.h"
#include "bot/table/table_impl.h"

enum {
    NAMES_SIZE = MB_SEATS_MAX * (PERSON_NAME_SIZE + 8),
    NAME_SIZE = NAMES_SIZE + 64,
    RESULT_SIZE = 4096
};

static bool has_rooms(const struct table_work *work, unsigned site)
{
    const char *const network = work->table->sites[site].network;
    return (table_workspace_caps(work->ws, network) & CHAT_CAP_ROOM) != 0;
}

// People and bot players, as they sit.
static void list_names(const struct table *table, char *out, size_t size)
{
    const char *names[MB_SEATS_MAX];
    struct text_out text;
    for (unsigned i = 0; i < table->seat_count; i++) {
        names[i] = table_seat_name(table, i);
    }
    text_begin(&text, out, size);
    text_list(&text, names, table->seat_count, TEXT_AND);
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
    char names[NAMES_SIZE];
    struct text_out text;
    list_names(table, names, sizeof names);
    text_begin(&text, out, size);
    text_put(&text, TEXT_ROOM_NAME, TEXT_ARGS(text_str("who", names)));
}

void table_rooms_ask(struct table_work *work)
{
    const struct table *const table = work->table;
    char name[NAME_SIZE];
    for (unsigned i = 0; i < table->site_count; i++) {
        if (has_rooms(work, i) && !table->options.stays && table->sites[i].from[0] == '\0') {
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
        if (plays && table->shut == SHUT_NO && at->from[0] != '\0' && has_rooms(work, i) &&
            (people & ~(unsigned)at->led) != 0) {
            add_room(work, i, people & ~(unsigned)at->led, "");
        }
    }
}

/* The card that shows the way. */

static void put_state(const struct table_work *work, struct text_out *out)
{
    const struct table *const table = work->table;
    char names[NAMES_SIZE];
    char result[RESULT_SIZE];
    if (table->state == TABLE_OVER) {
        const struct table_words words = table_words_of(work, NO_SEAT);
        size_t length = render_victory(&words, result, sizeof result);
        if (length > 0) {
            length += render_deciding_fight(&words, &table->highlights, result + length,
                                            sizeof result - length);
            (void)render_result(&words, &table->highlights, result + length,
                                sizeof result - length);
            text_raw(out, result);
        } else {
            text_line(out, TEXT_LINK_ENDED, NULL);
        }
        return;
    }
    list_names(table, names, sizeof names);
    text_line(out, TEXT_LINK_PLAYS,
              TEXT_ARGS(text_str("who", names), text_num("n", table->seat_count)));
    if (table->shut == SHUT_GONE) {
        text_line(out, TEXT_LINK_GONE, NULL);
    }
}

bool table_seat_is_free(const struct table_seat *seat)
{
    return !table_seat_is_person(seat) && seat->person.id[0] == '\0' && seat->next.id[0] == '\0';
}

static bool has_room_for_more(const struct table *table)
{
    bool more = false;
    for (unsigned i = 0; i < table->seat_count; i++) {
        more = more || table_seat_is_free(&table->seats[i]);
    }
    return more && table->shut != SHUT_GONE &&
           (table->state == TABLE_RUNNING || table->state == TABLE_PAUSED);
}

void table_over_controls(const struct table *table, struct control_list *out)
{
    char seal[DIGEST_HEX_SIZE];
    controls_add(out, text_sentence(TEXT_CONTROL_AGAIN), "new");
    controls_tone(out, CHAT_LIKELY);
    controls_add(out, text_sentence(TEXT_CONTROL_STORY), "log");
    if (table_fair_seal(table, seal)) {
        controls_add(out, text_sentence(TEXT_CONTROL_PROOF), "rules " TABLE_PROOF);
    }
}

bool table_link(const struct table_work *work, unsigned site, struct control_list *controls)
{
    const struct table *const table = work->table;
    struct text_out out;
    if (table->sites[site].from[0] == '\0' || table->state == TABLE_EMPTY ||
        table->state == TABLE_LOBBY || !has_rooms(work, site)) {
        return false;
    }
    text_begin(&out, work->ws->text, sizeof work->ws->text);
    put_state(work, &out);
    controls_begin(controls);
    if (has_room_for_more(table)) {
        text_line(&out, TEXT_LINK_SEAT, NULL);
        controls_add(controls, text_sentence(TEXT_CONTROL_JOIN), "join");
    } else if (table->state == TABLE_OVER) {
        table_over_controls(table, controls);
    }
    return true;
}
