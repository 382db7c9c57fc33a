// Who sits where: a table's people by the name of their seat. A guest who has left a running game
// stays known, for only who has held a seat may take it again.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_impl.h"
#include "bot/parse/parse.h"

struct hall_guest *hall_guest_of(struct hall_table *table, uint32_t person)
{
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (table->guests[i].used && table->guests[i].person == person) {
            return &table->guests[i];
        }
    }
    return NULL;
}

const char *hall_identify(void *user, const char *name)
{
    const struct hall_table *const table = user;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (table->guests[i].used && strcmp(table->guests[i].name, name) == 0) {
            return hall_person(table->hall, table->guests[i].person)->id;
        }
    }
    return strcmp(table->speaker_name, name) == 0 ? hall_person(table->hall, table->speaker)->id
                                                  : NULL;
}

unsigned hall_guest_seat(const struct hall_table *table, const struct hall_guest *guest)
{
    const unsigned seat = session_find_seat(table->session, guest->name);
    return seat != NO_SEAT && !session_seat_is_bot(table->session, seat) ? seat : NO_SEAT;
}

struct hall_guest *hall_guest_at(struct hall_table *table, unsigned seat)
{
    const char *const name = session_seat_name(table->session, seat);
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (table->guests[i].used && table->guests[i].sits &&
            strcmp(table->guests[i].name, name) == 0) {
            return &table->guests[i];
        }
    }
    return NULL;
}

unsigned hall_people_seats(const struct hall_table *table)
{
    const unsigned count = session_seat_count(table->session);
    unsigned seats = 0;
    for (unsigned seat = 0; seat < count; seat++) {
        seats |= session_seat_is_bot(table->session, seat) ? 0u : seat_bit(seat);
    }
    return seats;
}

void hall_name_at(struct hall *hall, struct hall_table *table, uint32_t person,
                  char out[PERSON_NAME_SIZE])
{
    const struct hall_guest *const guest = hall_guest_of(table, person);
    if (guest != NULL) {
        memcpy(out, guest->name, PERSON_NAME_SIZE);
        return;
    }
    // Who waits for a seat has a name that no seat shows yet: with the same one somebody else would
    // hold that seat too, and see its hand.
    const char *taken[2 * MB_SEATS_MAX] = {0};
    const unsigned count = session_seat_count(table->session);
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        taken[i] = i < count ? session_seat_name(table->session, i) : NULL;
        taken[MB_SEATS_MAX + i] = table->guests[i].used ? table->guests[i].name : NULL;
    }
    person_name_unique(hall_person(hall, person)->name, taken, sizeof taken / sizeof taken[0], out);
}

static void sit(struct hall *hall, struct hall_table *table, struct hall_guest *guest, bool sits)
{
    struct hall_person *const person = hall_person(hall, guest->person);
    if (guest->sits == sits) {
        return;
    }
    guest->sits = sits;
    guest->hand_hash = 0;
    guest->hand_key = 0;
    guest->hand_moves = 0;
    pile_finish(&guest->news);
    if (sits) {
        if (person->table_count < HALL_TABLES_OF_PERSON) {
            person->tables[person->table_count++] = table->index;
        }
        return;
    }
    if (person->chosen == table->index) {
        person->chosen = KEYED_NONE;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < person->table_count; i++) {
        if (person->tables[i] != table->index) {
            person->tables[kept++] = person->tables[i];
        }
    }
    person->table_count = (uint8_t)kept;
}

static void forget(struct hall *hall, struct hall_table *table, struct hall_guest *guest)
{
    sit(hall, table, guest, false);
    hall_person_release(hall, guest->person);
    *guest = (struct hall_guest){.used = false};
}

void hall_guests_finish(struct hall *hall, struct hall_table *table)
{
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (table->guests[i].used) {
            forget(hall, table, &table->guests[i]);
        }
    }
}

static struct hall_guest *free_guest(struct hall *hall, struct hall_table *table)
{
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (!table->guests[i].used) {
            return &table->guests[i];
        }
    }
    // Every seat has one guest at the most, so one of six has none.
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        if (session_find_seat(table->session, table->guests[i].name) == NO_SEAT &&
            !session_waits(table->session, table->guests[i].name)) {
            forget(hall, table, &table->guests[i]);
            return &table->guests[i];
        }
    }
    return NULL;
}

// Says how to address somebody whose name cannot be typed.
static void say_if_hard(struct hall *hall, struct hall_table *table, const char *name)
{
    const unsigned seat = session_find_seat(table->session, name);
    struct table_words words;
    session_words(table->session, NO_SEAT, &words);
    char typed[PERSON_NAME_SIZE + 8];
    parse_format_player(&words, seat, typed, sizeof typed);
    if (strcmp(typed, name) != 0) {
        hall_say(hall, table, TEXT_HALL_HARD_NAME,
                 TEXT_ARGS(text_str("who", name), text_str("what", typed)));
    }
}

void hall_guests_update(struct hall *hall, struct hall_table *table, uint32_t person,
                        const char *name)
{
    const bool over = session_state(table->session) == SESSION_OVER;
    const unsigned seat = session_find_seat(table->session, name);
    const bool sits = seat != NO_SEAT && !session_seat_is_bot(table->session, seat);
    // Who waits for a seat is a guest already: it will be theirs while they say nothing.
    if (person != KEYED_NONE && hall_guest_of(table, person) == NULL &&
        (sits || session_waits(table->session, name))) {
        struct hall_guest *const guest = free_guest(hall, table);
        if (guest != NULL) {
            *guest = (struct hall_guest){.used = true, .person = person};
            (void)snprintf(guest->name, sizeof guest->name, "%s", name);
            hall_person_keep(hall, person);
            if (sits) {
                say_if_hard(hall, table, name);
            }
        }
    }
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        struct hall_guest *const guest = &table->guests[i];
        if (!guest->used) {
            continue;
        }
        if (session_find_seat(table->session, guest->name) == NO_SEAT &&
            !session_waits(table->session, guest->name)) {
            forget(hall, table, guest);
        } else {
            sit(hall, table, guest, !over && hall_guest_seat(table, guest) != NO_SEAT);
        }
    }
}
