// What is done next at a table that has work: what falls due there, or a line that waits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"
#include "bot/parse/parse.h"
#include "bot/parse/verb.h"

/* Lines that come late, for the bot was away when they were said: which of them still count. */

// What nobody wants done any more by then, if it answers no question.
static const int64_t OLD_MS[PACE_TOTAL] = {[PACE_LIVE] = INT64_C(120000),
                                           [PACE_TERMINAL] = INT64_MAX,
                                           [PACE_SLOW] = INT64_C(3600000),
                                           [PACE_ASYNC] = INT64_C(86400000)};

// Whether it answers a question that was open when it was said, and is: a control is bound to its
// question; of what is typed that can be told as long as the table is as it was when it was found.
static bool answers(const struct hall_table *table, const struct hall_line *line)
{
    if (line->in->bond.table[0] != '\0') {
        return line->in->bond.decision != 0; // whether that is open still is asked of the board
    }
    const struct verb_entry *const verb = line->begins;
    return verb != NULL && verb->kind == REQUEST_GAME && verb->verb == VERB_CHOOSE &&
           table->version != 0 && table->version == table->stored;
}

// Whether it was said before a backup took the store's place: it may have been done once.
static bool is_of_another_time(const struct hall *hall, const struct hall_line *line)
{
    enum { MS = 1000 };
    return hall->wall_s != NULL &&
           hall->wall_s(hall->wall_user) * MS - line->in->age_ms < hall->restored_ms;
}

// Whether a line is older than anybody wants it done by now; its room is told so once.
static bool comes_too_late(struct hall *hall, struct hall_table *table,
                           const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    const enum pace pace =
        table->version != 0 && table->table != NULL ? table_pace(table->table) : PACE_LIVE;
    if (!is_of_another_time(hall, line) && (in->age_ms <= OLD_MS[pace] || answers(table, line))) {
        table->told_away = in->age_ms > OLD_MS[PACE_LIVE] && table->told_away;
        return false;
    }
    if (!table->told_away) {
        table->told_away = true;
        hall_answer_aloud(hall, line, TEXT_HALL_WAS_AWAY);
    }
    return true;
}

// Tokens are taken from the table: from its players' bucket, or from that of all others there.
static bool rationed(struct hall *hall, struct hall_table *table, const struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    const bool plays = table_seat_of(table->table, &person) != NO_SEAT;
    static const struct rate_rule USUAL = {.burst = HALL_PLACE_BURST,
                                           .refill_ms = HALL_PLACE_REFILL_MS};
    const struct rate_rule *const said = &hall->policy->place;
    return hall_rationed(hall, line, plays ? &table->players : &table->others,
                         said->burst > 0 ? said : &USUAL, TEXT_HALL_TOO_FAST_HERE, NULL) ||
           hall_noise_of_table(hall, table, line, plays);
}

// Who speaks from elsewhere is heard where the table lies in their network.
static bool barred(struct hall *hall, const struct hall_table *table, const struct hall_line *line)
{
    const char *places[2 * TABLE_SITES_MAX + 2];
    size_t count = 0;
    for (unsigned site = 0; site < table_site_count(table->table); site++) {
        if (strcmp(table_site_network(table->table, site), chat_name(hall->chats[line->chat])) ==
            0) {
            places[count++] = table_site_place(table->table, site);
            places[count++] = table_site_from(table->table, site);
        }
    }
    if (count > 0 && table->community != NULL) {
        places[count++] = table->community;
    }
    places[count] = NULL;
    return (line->in->direct || line->in->afar) && hall_barred(hall, line, places);
}

static bool listened_to(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    if (!line->heard &&
        hall_event_seen(hall, table->events, &table->event_at, HALL_EVENTS_OF_TABLE, line)) {
        hall->stats.repeated++;
        return false;
    }
    if (!line->heard && (rationed(hall, table, line) || barred(hall, table, line))) {
        return false;
    }
    line->heard = true;
    const struct person speaker = hall_speaker(hall, line);
    const bool sits = table_seat_of(table->table, &speaker) != NO_SEAT;
    line->outside = !line->in->direct && !sits;
    (void)snprintf(line->sits_at, sizeof line->sits_at, "%s",
                   sits && hall_is_live(table->table) ? table->id : "");
    (void)snprintf(line->home, sizeof line->home, "%s",
                   sits ? hall_place_of(table->table, &speaker) : "");
    hall_press_number(hall, table, line);
    hall_name_seats(hall, table, line);
    if (comes_too_late(hall, table, line)) {
        return false;
    }
    return !hall_press_answered(hall, table, line);
}

// What nobody has said: no tokens are taken, and nobody waits for an answer.
static void begin_news(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    if (table->unreadable != NULL) {
        hall_line_end(hall, line);
        hall_table_work(hall, table);
        return;
    }
    (void)hall_step_begin(hall, table, DEED_NOTHING); // what it is, hall_place_deed() finds out
    table->step->line = line;
    hall_step_run(hall, table);
}

static void begin_line(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    if (!chat_in_is_said(line->in->kind)) {
        begin_news(hall, table, line);
        return;
    }
    if (line->tour != NULL) {
        hall_tour_visit(hall, table, line);
        hall_table_work(hall, table);
        return;
    }
    if (table->unreadable != NULL &&
        (line->in->bond.table[0] != '\0' || line->in->direct || line->kind != REQUEST_NEW)) {
        hall_answer(hall, line, TEXT_HALL_UNREADABLE,
                    TEXT_ARGS(text_str("reason", table->unreadable)));
        hall_line_end(hall, line);
        hall_table_work(hall, table);
        return;
    }
    if ((line->resumes && !hall_place_may_come(hall, table, line)) ||
        (line->links && !hall_link_may_come(hall, table, line))) {
        hall_table_work(hall, table);
        return;
    }
    const bool heard = listened_to(hall, table, line);
    if (heard && hall_press_goes_on(hall, table, line)) {
        hall_table_work(hall, table);
        return;
    }
    if (!heard) {
        hall_line_end(hall, line);
        hall_table_work(hall, table);
        return;
    }
    struct deed *const deed = hall_step_begin(hall, table, DEED_LINE);
    struct hall_step *const step = table->step;
    table->heard_ms = hall_time(hall);
    table->stuck = false;
    hall_seek_heard(hall, table, line);
    step->line = line;
    step->aside = line->chooses;
    if (line->chooses) {
        hall_step_run(hall, table);
        return;
    }
    deed->at_site = hall_is_site(table->table, chat_name(hall->chats[line->chat]), line->in->place);
    hall_chance(hall, table, line->in, step->chance);
    hall_step_renew(hall, table, step);
    hall_step_run(hall, table);
}

// The first thing that has fallen due since the table's time was last counted.
static bool begin_time(struct hall *hall, struct hall_table *table)
{
    const struct table_due due = table_due(table->table);
    const bool reshow = table->look && (table->reshow_sites | table->reshow_seats) != 0;
    const int64_t passed = hall_passed_ms(hall, table);
    const bool bots = hall_goes_on(hall, table->table);
    const bool runs = hall_plays(hall, table->table) && due.kind != TABLE_DUE_NEVER;
    const bool falls =
        runs && !table->stuck && (bots || (table->since_ms >= 0 && due.ms <= passed));
    if (!falls && !reshow) {
        return false;
    }
    struct deed *const deed = hall_step_begin(hall, table, DEED_TIME);
    table->look = false;
    if (falls) { // while bot players alone may act their time runs ahead: nobody's clock does
        deed->passed_ms = due.ms;
        table->step->base_ms = bots ? hall_time(hall) : table->since_ms + due.ms;
    }
    hall_step_run(hall, table);
    return true;
}

// Its network was away and is back: that is shown where a clock runs.
static bool begin_return(struct hall *hall, struct hall_table *table)
{
    const bool shows = table->returned && table->since_ms >= 0 && !table->stuck &&
                       hall_plays(hall, table->table) && table_due(table->table).clock_ms >= 0;
    table->returned = false;
    if (!shows) {
        return false;
    }
    (void)hall_step_begin(hall, table, DEED_RETURN);
    hall_step_run(hall, table);
    return true;
}

// The message that says who starts has its id, or will never have one.
static bool begin_deal(struct hall *hall, struct hall_table *table)
{
    const char *id = NULL;
    const char *rooms[TABLE_SITES_MAX] = {NULL};
    if (!table_is_starting(table->table) || !hall_start_told(table, &id) ||
        !hall_rooms_told(hall, table, rooms) || !hall_reach_told(hall, table)) {
        return false;
    }
    struct deed *const deed = hall_step_begin(hall, table, DEED_DEAL);
    deed->delivered = id;
    memcpy(deed->rooms, rooms, sizeof rooms);
    deed->chance = table->step->chance;
    hall_chance_new(table->step->chance);
    hall_step_run(hall, table);
    return true;
}

static bool begin_unreachable(struct hall *hall, struct hall_table *table)
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if ((table->unreachable >> seat & 1u) == 0) {
            continue;
        }
        table->unreachable &= ~(1u << seat);
        if (seat < table_seat_count(table->table) &&
            table_seat_person(table->table, seat, false, &person)) {
            hall_step_begin(hall, table, DEED_OUT_OF_REACH)->person = person;
            hall_step_run(hall, table);
            return true;
        }
    }
    return false;
}

static bool begin_quiet(struct hall *hall, struct hall_table *table)
{
    if (table->stuck || !hall_quiet_changes(hall, table->table)) {
        return false;
    }
    hall_step_begin(hall, table, DEED_QUIET)->quiet = !table_is_quiet(table->table);
    hall_step_run(hall, table);
    return true;
}

static bool begin_close(struct hall *hall, struct hall_table *table)
{
    const int64_t until = hall_close_ms(hall, table, table->table);
    if (until < 0 || until > hall_time(hall) || table->stuck) {
        return false;
    }
    (void)hall_step_begin(hall, table, DEED_CLOSE);
    hall_step_run(hall, table);
    return true;
}

static void begin_open(struct hall *hall, struct hall_table *table)
{
    const struct chat_in nobody = {.place = table->places[0].place,
                                   .person = "",
                                   .event = "",
                                   .line = "",
                                   .name = "",
                                   .place_name = "",
                                   .community = table->places[0].network};
    const struct deed_table *const open = table->open;
    table->open = NULL;
    hall_table_new(hall, table, &nobody);
    struct deed *const deed = hall_step_begin(hall, table, DEED_OPEN);
    deed->whole = open;
    deed->seeded = open->seeded;
    deed->chance = table->step->chance;
    memcpy(table->step->chance, table->open_chance, sizeof table->step->chance);
    hall_step_run(hall, table);
}

// Lines where there is no table: `new` makes one, `stats` asks the store by way of one that is
// empty, anything else is answered.
static void without_table(struct hall *hall, struct hall_table *table)
{
    if (table->open != NULL) {
        begin_open(hall, table);
        return;
    }
    struct hall_line *const line = hall_lines_take(&table->lines);
    if (line == NULL) {
        if (table->unsent == NULL) {
            hall_table_drop(hall, table);
        }
        return;
    }
    const struct chat *const chat = hall->chats[line->chat];
    const enum request_kind kind = line->kind;
    if (hall_tour_passes(hall, line)) {
        hall_table_work(hall, table);
        return;
    }
    if (!chat_in_is_said(line->in->kind)) {
        hall_line_end(hall, line);
        hall_table_work(hall, table);
        return;
    }
    if (kind == REQUEST_RESUME && !line->in->direct && line->in->bond.table[0] == '\0') {
        hall_place_resume(hall, line);
        hall_table_work(hall, table);
        return;
    }
    if (kind == REQUEST_LINK && !line->in->direct && line->in->bond.table[0] == '\0' &&
        !line->links) {
        hall_link_use(hall, line);
        hall_table_work(hall, table);
        return;
    }
    if (!line->links && hall_place_strays(hall, line)) {
        hall_table_work(hall, table);
        return;
    }
    if (line->in->bond.table[0] != '\0') {
        hall->stats.stale++;
        hall_answer_last(hall, line, hall_ended(hall, line));
    } else if (line->in->direct || line->links) { // it was for the table that is gone
        hall_answer(hall, line, TEXT_HALL_GONE, NULL);
    } else if (comes_too_late(hall, table, line)) {
        hall->stats.stale++;
    } else if (kind != REQUEST_NEW && kind != REQUEST_STATS) {
        hall_answer_nowhere(hall, line);
    } else if (kind == REQUEST_NEW && (chat_caps(chat) & CHAT_CAP_PRIVATE) == 0) {
        hall_answer_aloud(hall, line, TEXT_HALL_NO_PRIVATE);
    } else if (kind != REQUEST_NEW || !hall_noise_of_place(hall, line)) {
        hall_table_new(hall, table, line->in);
        begin_line(hall, table, line);
        return;
    }
    hall_line_end(hall, line);
    hall_table_work(hall, table);
}

// The table's place turns out to be closed, or gone.
static bool begin_shut(struct hall *hall, struct hall_table *table)
{
    const enum table_shut how = table->shut;
    const enum table_shut was = table_shut(table->table);
    table->shut = SHUT_NO;
    if (how == SHUT_NO || was == SHUT_GONE || (was != SHUT_NO && how != SHUT_GONE)) {
        return false;
    }
    struct deed *const deed = hall_step_begin(hall, table, DEED_PLACE_CLOSED);
    deed->shut = how;
    deed->site = table->shut_site;
    hall_step_run(hall, table);
    return true;
}

void hall_table_go_on(struct hall *hall, struct hall_table *table)
{
    if (table->state == HALL_DECIDING) {
        fibre_wake(table->fibre);
        return;
    }
    if (table->state != HALL_READY) {
        return;
    }
    if (table->stale) {
        table->stale = false;
        hall_table_run(hall, table, table->id[0] != '\0' ? hall_load : hall_find);
        return;
    }
    if (table->version == 0) {
        without_table(hall, table);
        return;
    }
    const bool acts = hall_acts(hall, table);
    if (acts) {
        hall_link_tell(hall, table);
    }
    const bool runs = acts && hall_away_ms(hall, table) < 0;
    if (acts &&
        (begin_deal(hall, table) || begin_unreachable(hall, table) || begin_shut(hall, table))) {
        return;
    }
    if (runs &&
        (begin_return(hall, table) || begin_time(hall, table) || begin_quiet(hall, table))) {
        return;
    }
    if (table->doubt && table->lines.count > 0) {
        hall_look(hall, table);
        return;
    }
    struct hall_line *const line = hall_lines_take(&table->lines);
    if (line != NULL) {
        begin_line(hall, table, line);
    } else if (table->unreadable != NULL) {
        hall_table_drop(hall, table); // whoever speaks next looks anew
    } else if (!runs || !begin_close(hall, table)) {
        hall_let_go(hall, table);
        hall_schedule(hall, table);
    }
}
