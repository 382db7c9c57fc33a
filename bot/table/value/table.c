// The value of a table, and what it is asked: who sits there, where it lies, how it stands.
#include "bot/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/table/value/value.h"

_Static_assert(offsetof(struct table, game) % 8 == 0, "the state is aligned");

size_t table_size(void)
{
    return offsetof(struct table, game) + (game_size() + 7) / 8 * 8;
}

void table_init(struct table *table, const char *id)
{
    memset(table, 0, table_size());
    (void)snprintf(table->id, sizeof table->id, "%s", id);
    table->host = NO_SEAT;
    table->bots.left_ms = -1;
    table_options_init(&table->options);
    table_undo_forget(table);
}

void table_rename(struct table *table, const char *id)
{
    memset(table->id, 0, sizeof table->id);
    (void)snprintf(table->id, sizeof table->id, "%s", id);
}

void table_copy(struct table *to, const struct table *from)
{
    enum { SEATS = offsetof(struct table, seats), SITES = offsetof(struct table, sites) };
    const size_t used = from->seat_count * sizeof from->seats[0];
    memcpy(to, from, SEATS);
    memcpy(to->seats, from->seats, used);
    memset((unsigned char *)to->seats + used, 0, sizeof to->seats - used);
    memcpy(to->sites, from->sites, offsetof(struct table, game) - SITES);
    game_copy(table_own_game(to), table_game(from));
}

void table_add_site(struct table *table, const char *network, const char *place, const char *name)
{
    if (table->site_count < TABLE_SITES_MAX) {
        struct table_site *const site = &table->sites[table->site_count++];
        (void)snprintf(site->network, sizeof site->network, "%s", network);
        (void)snprintf(site->place, sizeof site->place, "%s", place);
        person_name_make(name, site->name);
    }
}

void table_undo_forget(struct table *table)
{
    table->undo = (struct table_undo){.asker = NO_SEAT};
}

unsigned table_undo_asked(const struct table *table)
{
    const unsigned asker = table->undo.asker;
    return asker == NO_SEAT
               ? 0
               : table_people_seats(table) & ~(unsigned)table->undo.agreed & ~seat_bit(asker);
}

enum table_state table_state(const struct table *table)
{
    return (enum table_state)table->state;
}

bool table_is_starting(const struct table *table)
{
    return table->starting != 0;
}

const char *table_id(const struct table *table)
{
    return table->id;
}

bool table_quiet_at(const struct table *table, int64_t utc_s, int64_t *change_ms)
{
    return quiet_at(&table->options.quiet, utc_s, change_ms);
}

bool table_is_quiet(const struct table *table)
{
    return table->quiet != 0;
}

uint32_t table_journal_count(const struct table *table)
{
    return table->journal_count;
}

unsigned table_seat_count(const struct table *table)
{
    return table->seat_count;
}

const char *table_seat_name(const struct table *table, unsigned seat)
{
    return seat < table->seat_count ? table->seats[seat].person.name : "";
}

bool table_seat_is_bot(const struct table *table, unsigned seat)
{
    return seat < table->seat_count && !table_seat_is_person(&table->seats[seat]);
}

unsigned table_people_seats(const struct table *table)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        seats |= table_seat_is_person(&table->seats[seat]) ? seat_bit(seat) : 0u;
    }
    return seats;
}

bool table_seat_person(const struct table *table, unsigned seat, bool waits, struct person *out)
{
    if (seat >= table->seat_count) {
        return false;
    }
    const struct table_seat *const who = &table->seats[seat];
    const struct table_person *const person = waits ? &who->next : &who->person;
    *out = (struct person){.network = person->network, .id = person->id, .name = person->name};
    return person->id[0] != '\0';
}

const uint8_t *table_digests(const struct table *table, size_t *count)
{
    *count = table->state != TABLE_EMPTY ? table->options.set_count : 0;
    return table->digests[0];
}

unsigned table_site_count(const struct table *table)
{
    return table->site_count;
}

const char *table_site_network(const struct table *table, unsigned site)
{
    return table->sites[site].network;
}

const char *table_site_place(const struct table *table, unsigned site)
{
    return table->sites[site].place;
}

const char *table_site_voice(const struct table *table, unsigned site)
{
    const struct table_site *const at = &table->sites[site];
    return table->shut == SHUT_NO ? at->place : at->from;
}

const char *table_site_from(const struct table *table, unsigned site)
{
    return table->sites[site].from;
}

const char *table_site_name(const struct table *table, unsigned site)
{
    return table->sites[site].name;
}

enum pace table_pace(const struct table *table)
{
    return (enum pace)table->options.pace;
}

unsigned table_story(const struct table *table)
{
    return table->story;
}

uint32_t table_card_version(const struct table *table, unsigned site)
{
    const struct table_site *const at = &table->sites[site];
    return board_version(at->card_version, at->card_hash);
}

const struct game *table_game(const struct table *table)
{
    return (const struct game *)(const void *)table->game;
}

enum table_shut table_shut(const struct table *table)
{
    return (enum table_shut)table->shut;
}

bool table_waits_on(const struct table *table, const char *network)
{
    const struct query_clock clock = table_running_clock(table);
    const unsigned seats = clock.seats;
    bool waits = seats == 0;
    for (unsigned seat = 0; seat < table->seat_count && !waits; seat++) {
        const struct table_seat *const who = &table->seats[seat];
        waits = (seats & seat_bit(seat)) != 0 && table_seat_is_person(who) && who->gone == 0 &&
                strcmp(who->person.network, network) == 0;
    }
    return waits;
}

unsigned table_seat_of(const struct table *table, const struct person *person)
{
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const struct table_seat *const who = &table->seats[seat];
        if (table_seat_is_person(who) && table_person_is(&who->person, person)) {
            return seat;
        }
    }
    return NO_SEAT;
}

unsigned table_waits_for(const struct table *table, const struct person *person)
{
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        if (table_person_is(&table->seats[seat].next, person)) {
            return seat;
        }
    }
    return NO_SEAT;
}

unsigned table_asked_again(const struct table *table)
{
    unsigned seats = 0;
    for (unsigned i = 0; table->state == TABLE_LOBBY && i < table->seat_count; i++) {
        seats |= table->seats[i].away != 0 ? seat_bit(i) : 0u;
    }
    return seats;
}

const struct policy *table_policy(const struct table_seat *seat)
{
    return seat->policy > 0 ? policy_by_number(seat->policy - 1u) : NULL;
}

enum table_notify table_wish_of(const struct table *table, unsigned seat)
{
    const unsigned wish = table->seats[seat].notify;
    const unsigned pace = table->options.pace;
    const bool fast = pace == PACE_LIVE || pace == PACE_TERMINAL;
    return wish != NOTIFY_USUAL ? (enum table_notify)wish : fast ? NOTIFY_TURN : NOTIFY_ALL;
}

unsigned table_wants(const struct table *table, enum table_notify what)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const enum table_notify wish = table_wish_of(table, seat);
        const bool wants = wish == NOTIFY_ALL || wish == what;
        seats |= wants && table_seat_is_person(&table->seats[seat]) ? seat_bit(seat) : 0u;
    }
    return seats;
}

bool table_seat_is_free(const struct table_seat *seat)
{
    return !table_seat_is_person(seat) && seat->person.id[0] == '\0' && seat->next.id[0] == '\0';
}

void table_forget_shown(struct table *table, unsigned site_bits, unsigned seat_bits)
{
    for (unsigned i = 0; i < table->site_count; i++) {
        table->sites[i].card_hash = (site_bits >> i & 1u) != 0 ? 0 : table->sites[i].card_hash;
    }
    for (unsigned i = 0; i < table->seat_count; i++) {
        table->seats[i].hand_hash = (seat_bits >> i & 1u) != 0 ? 0 : table->seats[i].hand_hash;
    }
}

bool table_knows(const struct table *table, const struct person *person)
{
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        if (table_person_is(&table->seats[seat].person, person) ||
            table_person_is(&table->seats[seat].next, person)) {
            return true;
        }
    }
    return false;
}
