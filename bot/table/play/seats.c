/*
 * Who sits where: sitting down, leaving, coming back, the host.
 *
 * People are known by network and id; a seat keeps the id of who holds or held it, and of who waits
 * for it. In the lobby a seat that is left is gone. In a running game a bot player takes it; only
 * who held it comes back to it. Seats that bot players have held from the start are free for
 * others, who sit down between turns: nobody takes over in the middle of somebody's fight. Whom the
 * host removed stays away from that game.
 */
#include <stdio.h>
#include <string.h>

#include <sodium.h>
#include <strings.h>

#include "bot/table/play/play.h"

_Static_assert(TABLE_SECRET_SIZE == crypto_shorthash_KEYBYTES, "the secret is the hash's key");

static void put_person(struct table_person *out, const struct person *person, const char *name)
{
    *out = (struct table_person){.id = ""};
    (void)snprintf(out->network, sizeof out->network, "%s", person->network);
    (void)snprintf(out->id, sizeof out->id, "%s", person->id);
    (void)snprintf(out->name, sizeof out->name, "%s", name);
}

uint64_t table_hash_of(const struct table_work *work, const struct person *person)
{
    char words[PERSON_NETWORK_SIZE + PERSON_ID_SIZE + 1];
    uint8_t bytes[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    const int length = snprintf(words, sizeof words, "%s %s", person->network, person->id);
    (void)crypto_shorthash(bytes, (const unsigned char *)words, (unsigned long long)length,
                           work->ws->secret);
    memcpy(&hash, bytes, sizeof hash);
    return hash | 1u;
}

// The seat that a person has left, and may come back to.
static unsigned left_seat(const struct table *table, const struct person *person)
{
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        if (table_person_is(&table->seats[seat].person, person)) {
            return seat;
        }
    }
    return NO_SEAT;
}

void table_name_of(const struct table_work *work, char out[PERSON_NAME_SIZE])
{
    const struct table *const table = work->table;
    const struct person *const person = &work->deed->person;
    const char *taken[2 * MB_SEATS_MAX] = {0};
    const unsigned seat = left_seat(table, person);
    const unsigned waits = table_waits_for(table, person);
    if (seat != NO_SEAT || waits != NO_SEAT) {
        (void)snprintf(out, PERSON_NAME_SIZE, "%s",
                       seat != NO_SEAT ? table->seats[seat].person.name
                                       : table->seats[waits].next.name);
        return;
    }
    for (unsigned i = 0; i < table->seat_count; i++) {
        const struct table_seat *const who = &table->seats[i];
        taken[i] = who->person.name;
        taken[MB_SEATS_MAX + i] = who->next.id[0] != '\0' ? who->next.name : NULL;
    }
    char name[PERSON_NAME_SIZE];
    person_name_make(person->name[0] != '\0' ? person->name : person->id, name);
    person_name_unique(name, taken, sizeof taken / sizeof taken[0], out);
}

static unsigned add_seat(struct table_work *work, const char *name, bool female)
{
    struct table *const table = work->table;
    const unsigned room = table->options.seats > 0 ? table->options.seats : MB_SEATS_MAX;
    if (table->state != TABLE_LOBBY || table->seat_count >= room) {
        return NO_SEAT;
    }
    for (unsigned i = 0; i < table->seat_count; i++) {
        if (person_name_alike(table->seats[i].person.name, name)) {
            return NO_SEAT;
        }
    }
    const unsigned seat = table->seat_count++;
    table->seats[seat] = (struct table_seat){.female = female ? 1 : 0};
    (void)snprintf(table->seats[seat].person.name, PERSON_NAME_SIZE, "%s", name);
    return seat;
}

// Says how to address somebody whose name cannot be typed.
static void say_if_hard(struct table_work *work, unsigned seat)
{
    char typed[PERSON_NAME_SIZE + 8];
    const struct table_words words = table_words_of(work, NO_SEAT);
    const char *const name = table_seat_name(work->table, seat);
    parse_format_player(&words, seat, typed, sizeof typed);
    if (strcmp(typed, name) != 0) {
        table_tell(work, TEXT_HALL_HARD_NAME,
                   TEXT_ARGS(text_str("who", name), text_str("what", typed)));
    }
}

unsigned table_sit(struct table_work *work, bool female)
{
    char name[PERSON_NAME_SIZE];
    table_name_of(work, name);
    const unsigned seat = add_seat(work, name, female);
    if (seat != NO_SEAT) {
        put_person(&work->table->seats[seat].person, &work->deed->person, name);
        work->table->host = work->table->host == NO_SEAT ? (uint8_t)seat : work->table->host;
        table_tell(work, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", name)));
        say_if_hard(work, seat);
    }
    return seat;
}

unsigned table_sit_bot(struct table_work *work, const char *name, bool female,
                       const struct policy *policy)
{
    const unsigned seat = add_seat(work, name, female);
    if (seat != NO_SEAT) {
        work->table->seats[seat].policy = (uint8_t)(policy_number(policy) + 1);
        table_tell(work, TEXT_SESSION_SITS, TEXT_ARGS(text_str("who", name)));
    }
    return seat;
}

// Whether who sat there last can come again: they have not left, and can read this table.
static bool may_come(const struct table *table, const struct table_seat *was)
{
    const bool person = table_seat_is_person(was);
    bool reads = person ? table->site_count == 0 : was->person.id[0] == '\0';
    for (unsigned i = 0; person && i < table->site_count; i++) {
        reads = reads || strcmp(table->sites[i].network, was->person.network) == 0;
    }
    return reads && was->gone == 0;
}

void table_sit_again(struct table_work *work, const struct table *last)
{
    struct table *const table = work->table;
    char names[TABLE_NAMES_SIZE];
    unsigned bots = 0;
    unsigned asked = 0;
    bool hushed = false; // somebody would be asked
    for (unsigned i = 0; i < last->seat_count; i++) {
        const struct table_seat *const was = &last->seats[i];
        const bool person = table_seat_is_person(was);
        const bool comes =
            may_come(table, was) && !table_person_is(&was->person, &work->deed->person);
        const bool hush = comes && person && work->deed->hushed;
        const unsigned seat =
            comes && !hush ? add_seat(work, was->person.name, was->female != 0) : (unsigned)NO_SEAT;
        hushed = hushed || hush;
        if (seat != NO_SEAT) {
            struct table_seat *const who = &table->seats[seat];
            who->person = was->person;
            who->policy = was->policy;
            who->notify = was->notify;
            who->away = person ? 1 : 0;
            *(person ? &asked : &bots) |= seat_bit(seat);
        }
    }
    if (bots != 0) {
        table_reach_names(table, bots, names);
        table_tell(
            work, TEXT_SESSION_COMES_ALONG,
            TEXT_ARGS(text_str("who", names), text_num("n", (bots & (bots - 1)) == 0 ? 1 : 2)));
    }
    if (asked != 0) {
        table_reach_names(table, asked, names);
        table_tell(work, TEXT_SESSION_ASKS_AGAIN, TEXT_ARGS(text_str("players", names)));
        message_ping(work->said, asked);
    } else if (hushed) {
        table_tell(work, TEXT_SESSION_ASKED_BEFORE, NULL);
    }
}

static void make_host(struct table_work *work, unsigned seat)
{
    work->table->host = (uint8_t)seat;
    table_tell(work, TEXT_SESSION_HOST,
               TEXT_ARGS(text_str("who", table_seat_name(work->table, seat))));
}

bool table_pass_host_on(struct table_work *work)
{
    struct table *const table = work->table;
    unsigned heir = NO_SEAT;
    for (unsigned i = 0; i < table->seat_count; i++) {
        const struct table_seat *const who = &table->seats[i];
        const bool better = heir == NO_SEAT || (table->seats[heir].away != 0 && who->away == 0);
        const bool asked = (table_asked_again(table) & seat_bit(i)) != 0;
        heir = table_seat_is_person(who) && better && !asked ? i : heir;
    }
    const bool seated = table->host != NO_SEAT;
    if (seated && (heir == NO_SEAT || heir == table->host || table->seats[heir].away != 0)) {
        return true; // nobody else is there
    }
    table->host = NO_SEAT;
    table->pause_asked = 0; // what the former host wanted
    if (heir != NO_SEAT) {
        make_host(work, heir);
    }
    return heir != NO_SEAT;
}

// Nobody is left: the lobby closes, a game waits for somebody to come back.
static void desert(struct table_work *work)
{
    struct table *const table = work->table;
    if (table->state == TABLE_LOBBY) {
        table->state = TABLE_EMPTY;
        table->seat_count = 0;
        table_tell(work, TEXT_SESSION_CLOSES, NULL);
    } else if (table->state == TABLE_RUNNING || table->state == TABLE_PAUSED) {
        table->state = TABLE_PAUSED;
        table->deserted = 1;
        table_seat_waiting(work); // whoever waits for a seat goes on with the game
        if (table->deserted != 0) {
            table_tell(work, TEXT_SESSION_DESERTED, NULL);
        }
    }
    table_clock_wind(work);
}

void table_vacate(struct table_work *work, unsigned seat, enum text_id how)
{
    struct table *const table = work->table;
    char name[PERSON_NAME_SIZE];
    memcpy(name, table->seats[seat].person.name, sizeof name);
    const bool was_host = table->host == seat;
    table->host = was_host ? (uint8_t)NO_SEAT : table->host;
    if (table->state == TABLE_LOBBY) {
        table_tell(work, how, TEXT_ARGS(text_str("who", name)));
        memmove(&table->seats[seat], &table->seats[seat + 1],
                (table->seat_count - seat - 1) * sizeof table->seats[0]);
        table->seat_count--;
        for (unsigned i = seat; i < table->seat_count; i++) {
            table->seats[i].hand_hash = 0; // it is shown under another number from now on
        }
        if (table->host != NO_SEAT && table->host > seat) {
            table->host--;
        }
    } else {
        struct table_seat *const who = &table->seats[seat];
        table_tell(work, how, TEXT_ARGS(text_str("who", name)));
        who->policy = (uint8_t)(policy_number(policy_default()) + 1);
        who->away = 0;
        who->gone = 0;
        who->order = 0;
        memset(who->news, 0, sizeof who->news);
        who->hand_hash = 0;
        table_fair_seat(work, seat);
    }
    if (was_host && !table_pass_host_on(work)) {
        desert(work);
    }
    table_undo_seats(work);
    table_clock_wind(work);
}

// Somebody sits down on the seat of a bot player.
static void take_seat(struct table_work *work, unsigned seat, enum text_id id)
{
    struct table *const table = work->table;
    struct table_seat *const who = &table->seats[seat];
    who->policy = 0;
    who->away = 0;
    who->gone = 0;
    who->unreachable = 0;
    who->next = (struct table_person){.id = ""};
    memset(who->news, 0, sizeof who->news);
    who->hand_hash = 0;
    table_default_order(work, seat);
    table_rest(work);
    table_fair_seat(work, seat);
    table_tell(work, id, TEXT_ARGS(text_str("who", who->person.name)));
    if (table->host == NO_SEAT) {
        make_host(work, seat);
    }
    if (table->deserted != 0) {
        table->deserted = 0;
        table->state = TABLE_RUNNING;
        table_tell(work, TEXT_SESSION_RESUMES, NULL);
    }
    table_clock_wind(work);
}

// Nobody takes over in the middle of somebody's fight, unless nobody else is left to go on with it;
// nor during the set-up, where who comes for a look and goes would cost nothing (attack G-4.9).
static bool between_turns(const struct table_work *work)
{
    return query_phase(work->game) == PHASE_START || work->table->deserted != 0 ||
           work->table->rests != 0;
}

void table_seat_waiting(struct table_work *work)
{
    struct table *const table = work->table;
    for (unsigned seat = 0; seat < table->seat_count && between_turns(work); seat++) {
        struct table_seat *const who = &table->seats[seat];
        if (who->next.id[0] != '\0' && !table_seat_is_person(who)) {
            char before[PERSON_NAME_SIZE];
            memcpy(before, who->person.name, sizeof before);
            who->person = who->next;
            table_tell(work, TEXT_SESSION_TAKES_OVER,
                       TEXT_ARGS(text_str("who", who->person.name), text_str("other", before)));
            take_seat(work, seat, TEXT_SESSION_LATE);
            say_if_hard(work, seat);
        }
    }
}

bool table_stop_waiting(struct table_work *work)
{
    const unsigned seat = table_waits_for(work->table, &work->deed->person);
    if (seat != NO_SEAT) {
        work->table->seats[seat].next = (struct table_person){.id = ""};
        work->dirty = true;
    }
    return seat != NO_SEAT;
}

// Whether the host removed the deed's person from this game.
static bool table_was_removed(const struct table_work *work)
{
    const uint64_t hash = table_hash_of(work, &work->deed->person);
    for (unsigned i = 0; i < work->table->removed_count; i++) {
        if (work->table->removed[i] == hash) {
            return true;
        }
    }
    return false;
}

void table_remember_removed(struct table_work *work, unsigned seat)
{
    struct table *const table = work->table;
    struct person person;
    if (!table_seat_person(table, seat, false, &person)) {
        return;
    }
    if (table->removed_count == TABLE_REMOVED_MAX) {
        memmove(table->removed, table->removed + 1,
                (TABLE_REMOVED_MAX - 1) * sizeof table->removed[0]);
        table->removed_count--;
    }
    table->removed[table->removed_count++] = table_hash_of(work, &person);
}

// Sex is the character's: what it has put on and met so far went by it.
static void say_sex(struct table_work *work, unsigned seat, const struct request *request)
{
    const bool female = query_female(work->game, seat);
    if (request->text[0] != '\0' && female != (strcasecmp(request->text, "female") == 0)) {
        table_reply_text(work, NO_SEAT, female ? TEXT_SESSION_STAYS_WOMAN : TEXT_SESSION_STAYS_MAN,
                         NULL);
    }
}

bool table_take_over(struct table_work *work, const struct request *request, struct refusal *why)
{
    struct table *const table = work->table;
    const struct person *const person = &work->deed->person;
    const unsigned own = left_seat(table, person);
    if (own != NO_SEAT && table_seat_is_person(&table->seats[own])) {
        return table_refuse(work, own, REFUSAL_TABLE_RUNNING, why);
    }
    if (table_was_removed(work)) {
        return table_refuse_text(work, NO_SEAT, REFUSAL_TABLE_RUNNING, TEXT_SESSION_WAS_REMOVED,
                                 NULL, why);
    }
    if (own != NO_SEAT) {
        say_sex(work, own, request);
        take_seat(work, own, TEXT_SESSION_BACK);
        return true;
    }
    if (table_waits_for(table, person) != NO_SEAT) {
        table_reply_text(work, NO_SEAT, TEXT_SESSION_WAITS, NULL);
        return true;
    }
    unsigned seat = NO_SEAT;
    for (unsigned i = 0; i < table->seat_count && seat == NO_SEAT; i++) {
        const struct table_seat *const who = &table->seats[i];
        seat = table_seat_is_free(who) ? i : (unsigned)NO_SEAT;
    }
    if (seat == NO_SEAT) {
        return table_refuse_text(work, NO_SEAT, REFUSAL_TABLE_FULL, TEXT_SESSION_NO_SEAT, NULL,
                                 why);
    }
    char name[PERSON_NAME_SIZE];
    table_name_of(work, name);
    put_person(&table->seats[seat].next, person, name);
    work->dirty = true;
    if (!between_turns(work)) {
        // To them alone: who comes and goes in turns is no news for the table.
        table_reply_text(work, NO_SEAT, TEXT_SESSION_WAITS, NULL);
    }
    say_sex(work, seat, request);
    table_seat_waiting(work);
    return true;
}
