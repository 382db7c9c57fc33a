// Places and people that come and go: which tables that concerns, and what becomes of tables that
// lie nowhere. People of whom nobody tells that they have left are looked for when they miss a
// reminder, and now and then when they speak in private.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/in/in.h"

// The bot is no longer there: so are the places of all tables. Those that are not live find out by
// what they say next.
static void leave_community(struct hall *hall, const char *network, const char *community)
{
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->table != NULL && table->community != NULL &&
            table_site_count(table->table) > 0 &&
            strcmp(table_site_network(table->table, 0), network) == 0 &&
            strcmp(table->community, community) == 0) {
            table->shut = SHUT_GONE;
            table->shut_site = 0;
            hall_table_work(hall, table);
        }
    }
}

// Rooms go with the place that they were made of; of that nobody tells.
static void leave_rooms(struct hall *hall, const char *network, const char *place)
{
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        const unsigned sites =
            table != NULL && table->table != NULL ? table_site_count(table->table) : 0;
        for (unsigned site = 0; site < sites; site++) {
            if (strcmp(table_site_network(table->table, site), network) == 0 &&
                strcmp(table_site_from(table->table, site), place) == 0) {
                table->shut = SHUT_GONE;
                table->shut_site = site;
                hall_table_work(hall, table);
            }
        }
    }
}

void hall_place_tell(struct hall *hall, unsigned chat, struct chat_in *in)
{
    const char *const network = chat_name(hall->chats[chat]);
    const bool person = in->kind >= CHAT_IN_UNREACHABLE && in->kind <= CHAT_IN_PERSON_BACK;
    if (in->kind == CHAT_IN_COMMUNITY_GONE) {
        leave_community(hall, network, in->community);
        hall_gone_tell(hall, chat, in->community);
    } else if (in->kind == CHAT_IN_COMMUNITY_BACK) {
        hall_gone_back(hall, chat, in->community);
    } else if (in->kind == CHAT_IN_PLACE_GONE && in->place[0] != '\0') {
        leave_rooms(hall, network, in->place);
    }
    const bool nothing = (person ? in->person : in->place)[0] == '\0' ||
                         (in->kind == CHAT_IN_PLACE_MOVED && in->moved[0] == '\0');
    if (nothing) {
        chat_settle(hall->chats[chat], in);
        return;
    }
    struct hall_line *const line = mb_new(1, sizeof *line);
    *line = (struct hall_line){.in = in, .words = in->line, .chat = (uint8_t)chat};
    if (person) {
        hall_wait_for_sittings(hall, hall_person_of(hall, network, in), line);
    } else {
        hall_enqueue(hall, hall_table_there(hall, network, in->place), line);
    }
}

// The same news for one more table.
static struct hall_line *copy_of(const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    struct hall_line *const made = mb_new(1, sizeof *made);
    *made = (struct hall_line){.words = "", .chat = line->chat};
    made->in = mb_pool_new(&made->copy, 1, sizeof *made->in);
    *made->in = (struct chat_in){.kind = in->kind,
                                 .place = in->place,
                                 .person = in->person,
                                 .name = in->name,
                                 .community = in->community};
    chat_in_keep(&made->copy, made->in);
    return made;
}

static void resume(struct hall *hall, struct hall_line *line, const struct store_answer *sittings)
{
    for (size_t i = 0; i < sittings->count; i++) {
        if (sittings->sittings[i].place_name[0] == '\0') { // it lies nowhere
            hall_enqueue(hall, hall_table_of(hall, sittings->sittings[i].table), line);
            return;
        }
    }
    hall_answer_nowhere(hall, line);
    hall_line_end(hall, line);
}

// To their only table in that community, or the one among several that they have chosen.
static void stray(struct hall *hall, struct hall_line *line, const struct store_answer *sittings)
{
    const struct store_sitting *meant = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < sittings->count; i++) {
        const struct store_sitting *const sitting = &sittings->sittings[i];
        if (strcmp(sitting->community, line->in->community) == 0) {
            meant = meant == NULL || sitting->chosen ? sitting : meant;
            count += sitting->chosen ? 0 : 1;
        }
    }
    if (meant != NULL && (count <= 1 || meant->chosen)) {
        hall_enqueue(hall, hall_table_of(hall, meant->table), line);
        return;
    }
    if (count > 1) { // which one is meant?
        hall_tour_begin(hall, line, sittings, line->in->community);
        return;
    }
    hall_answer_nowhere(hall, line);
    hall_line_end(hall, line);
}

void hall_place_sittings(struct hall *hall, struct hall_line *line,
                         const struct store_answer *sittings)
{
    if (line->resumes) {
        resume(hall, line, sittings);
        return;
    }
    if (line->strays) {
        stray(hall, line, sittings);
        return;
    }
    for (size_t i = 0; i < sittings->count; i++) {
        hall_enqueue(hall, hall_table_of(hall, sittings->sittings[i].table), copy_of(line));
    }
    hall_line_end(hall, line);
}

// Whose tables there are is asked first.
static void ask_whose(struct hall *hall, struct hall_line *line)
{
    hall_wait_for_sittings(hall, hall_person_of(hall, chat_name(hall->chats[line->chat]), line->in),
                           line);
}

void hall_place_resume(struct hall *hall, struct hall_line *line)
{
    line->resumes = true;
    ask_whose(hall, line);
}

bool hall_place_strays(struct hall *hall, struct hall_line *line)
{
    static const enum request_kind ANYWHERE[] = {REQUEST_NEW,      REQUEST_STATS, REQUEST_JOIN,
                                                 REQUEST_HELP,     REQUEST_RULES, REQUEST_PRIVACY,
                                                 REQUEST_FORGET_ME};
    const enum request_kind kind = line->kind;
    bool strays = !line->strays && !line->in->afar && line->in->community[0] != '\0' &&
                  !line->in->direct && line->in->bond.table[0] == '\0';
    for (size_t i = 0; i < sizeof ANYWHERE / sizeof ANYWHERE[0]; i++) {
        strays = strays && kind != ANYWHERE[i];
    }
    if (strays) {
        line->strays = true;
        ask_whose(hall, line);
    }
    return strays;
}

enum { MS_PER_S = 1000 };

bool hall_reach(const struct hall *hall, const struct table *table, int32_t reach_s[MB_SEATS_MAX])
{
    bool waits = false;
    for (unsigned seat = 0; seat < table_seat_count(table); seat++) {
        struct person person = {.network = ""};
        struct chat *const chat =
            table_seat_person(table, seat, false, &person) ? hall_chat(hall, person.network) : NULL;
        const int64_t ms = chat != NULL ? chat_reach_ms(chat, person.id) : 0;
        reach_s[seat] = ms == CHAT_REACH_INVITED ? (int32_t)DEED_REACH_INVITED
                        : ms < 0                 ? (int32_t)DEED_REACH_NEVER
                                                 : (int32_t)((ms + MS_PER_S - 1) / MS_PER_S);
        waits = waits || ms > 0 || ms == CHAT_REACH_INVITED;
    }
    return waits;
}

bool hall_reach_told(struct hall *hall, struct hall_table *table)
{
    int32_t reach_s[MB_SEATS_MAX];
    if (!hall_reach(hall, table->table, reach_s)) {
        return true;
    }
    table->reach_ms = table->reach_ms != 0 ? table->reach_ms : hall->now_ms + HALL_REACH_MS;
    table->reach_look_ms = hall->now_ms + HALL_REACH_LOOK_MS;
    hall_schedule(hall, table);
    return hall->now_ms >= table->reach_ms;
}

// In the same community; where a network has none, at any place of it.
bool hall_place_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    const char *const community = line->in->community;
    const bool near =
        community[0] != '\0'
            ? table->community != NULL && strcmp(table->community, community) == 0
            : strcmp(table_site_network(table->table, 0), chat_name(hall->chats[line->chat])) == 0;
    const bool may = table_shut(table->table) == SHUT_GONE && near;
    if (!may) {
        hall_answer_nowhere(hall, line);
        hall_line_end(hall, line);
    }
    return may;
}

// Whether a person who has left a community, or a place, has left the table with it.
static bool concerns(const struct hall_table *table, const struct chat_in *in, const char *network)
{
    return in->community[0] != '\0'
               ? table->community != NULL && strcmp(table->community, in->community) == 0
               : hall_is_site(table->table, network, in->place);
}

static bool is_of_person(enum chat_in_kind kind)
{
    return kind == CHAT_IN_PERSON_GONE || kind == CHAT_IN_PERSON_BACK;
}

void hall_place_deed(const struct hall *hall, const struct hall_table *table, struct deed *deed)
{
    const struct hall_line *const line = table->step->line;
    const struct chat_in *const in = line->in;
    const char *const network = chat_name(hall->chats[line->chat]);
    deed->kind = DEED_NOTHING;
    deed->person = hall_speaker(hall, line);
    if (is_of_person(in->kind) && !concerns(table, in, network)) {
        return;
    }
    switch (in->kind) {
    case CHAT_IN_PLACE_CLOSED:
    case CHAT_IN_PLACE_GONE:
        deed->kind = DEED_PLACE_CLOSED;
        deed->shut = in->kind == CHAT_IN_PLACE_GONE ? SHUT_GONE : SHUT_LOCKED;
        deed->site = hall_site_of(table->table, network, in->place);
        break;
    case CHAT_IN_PLACE_OPEN:
        deed->kind = DEED_PLACE_OPEN;
        break;
    case CHAT_IN_PLACE_MOVED:
        deed->kind = DEED_PLACE_MOVED;
        deed->site = hall_site_of(table->table, network, in->place);
        deed->place = in->moved;
        deed->place_name = in->place_name;
        break;
    case CHAT_IN_PLACE_ASLEEP:
        deed->kind = DEED_PLACE_ASLEEP;
        break;
    case CHAT_IN_UNREACHABLE:
        deed->kind = DEED_OUT_OF_REACH;
        break;
    case CHAT_IN_REACHABLE:
        deed->kind = DEED_IN_REACH;
        break;
    case CHAT_IN_PERSON_GONE:
        deed->kind = DEED_PERSON_GONE;
        break;
    case CHAT_IN_PERSON_BACK:
        deed->kind = DEED_PERSON_BACK;
        break;
    case CHAT_IN_LINE:
    case CHAT_IN_PRESS:
    case CHAT_IN_AWAY:
    case CHAT_IN_BACK:
    case CHAT_IN_COMMUNITY_GONE:
    case CHAT_IN_COMMUNITY_BACK:
        break; // no table's
    }
}

static bool lies_where(const struct table *table, const struct table *other)
{
    bool lies = true;
    for (unsigned i = 0; lies && i < hall_sites(table); i++) {
        lies = hall_is_site(other, table_site_network(table, i), table_site_place(table, i));
    }
    return lies;
}

void hall_place_moved(struct hall *hall, struct hall_table *table, const struct table *before)
{
    const bool same = lies_where(before, table->table) && lies_where(table->table, before);
    if (!same && table->version > 1) {
        hall_table_leave(hall, table);
        hall_table_lie(hall, table);
    }
}

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
