// Places and people that go. A place that is locked or cannot be written to pauses the game, one
// that is gone lets it rest until its host takes it along, who has left the community is stood in
// for and not heard. Nothing here looks at a hand.
#include <stdio.h>
#include <string.h>

#include "bot/table/lobby/lobby.h"

static void shut(struct table_work *work, enum table_shut how)
{
    struct table *const table = work->table;
    if (table->state == TABLE_RUNNING) {
        table->state = TABLE_PAUSED;
        table->paused_ms = 0;
        table->shut_runs = 1;
    }
    table->shut = (uint8_t)how;
    work->dirty = true;
    table_clock_wind(work);
}

// Each person whose hand lies in private finds it written there.
static void tell_hands(struct table_work *work, enum text_id id, const struct text_arg *args)
{
    struct table *const table = work->table;
    char line[TABLE_NEWS_SIZE];
    struct text_out out;
    unsigned seats = 0;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        struct table_seat *const who = &table->seats[seat];
        if (table_seat_is_person(who) && who->hand_hash != 0) {
            memset(who->news, 0, sizeof who->news);
            (void)snprintf(who->news, sizeof who->news, "%s", line);
            seats |= seat_bit(seat);
        }
    }
    table_forget_shown(table, 0, seats);
    table_changed(work);
}

void table_close_place(struct table_work *work, enum table_shut how)
{
    struct table *const table = work->table;
    const bool plays = table->state == TABLE_RUNNING || table->state == TABLE_PAUSED;
    if (table->shut == (unsigned)how || table->shut == SHUT_GONE || table->state == TABLE_EMPTY) {
        return;
    }
    shut(work, how);
    if (how == SHUT_GONE) {
        table_tell(work, TEXT_PLACE_GONE, NULL);
        tell_hands(work, TEXT_PLACE_GONE_HAND, NULL);
    } else if (plays) {
        table_tell(work, how == SHUT_LOCKED ? TEXT_PLACE_LOCKED : TEXT_PLACE_MUTE, NULL);
    }
}

void table_open_place(struct table_work *work)
{
    struct table *const table = work->table;
    const bool runs = table->shut_runs != 0 && table->state == TABLE_PAUSED;
    const bool plays = table->state == TABLE_RUNNING || table->state == TABLE_PAUSED;
    if (table->shut == SHUT_NO) {
        return;
    }
    table->shut = SHUT_NO;
    table->shut_runs = 0;
    table->state = runs ? TABLE_RUNNING : table->state;
    work->dirty = true;
    if (plays) {
        table_tell(work, runs ? TEXT_PLACE_OPEN : TEXT_PLACE_OPEN_PAUSED, NULL);
    }
    table_forget_shown(table, (1u << TABLE_SITES_MAX) - 1u, 0);
    table_clock_wind(work);
}

void table_move(struct table_work *work, unsigned site, const char *place, const char *name)
{
    struct table_site *const at = &work->table->sites[site];
    if (site >= work->table->site_count || strcmp(at->place, place) == 0) {
        return;
    }
    memset(at->from, 0, sizeof at->from);
    if (work->table->shut != SHUT_GONE) { // else nothing can be said there
        memcpy(at->from, at->place, sizeof at->from);
    }
    memset(at->place, 0, sizeof at->place);
    memset(at->name, 0, sizeof at->name);
    (void)snprintf(at->place, sizeof at->place, "%s", place);
    person_name_make(name[0] != '\0' ? name : place, at->name);
    at->card_turn = 0;
    at->link_hash = 0;
    work->dirty = true;
    table_forget_shown(work->table, 1u << site, 0);
}

bool table_resume_here(struct table_work *work, unsigned seat, struct refusal *why)
{
    const struct deed *const deed = work->deed;
    const unsigned how = work->table->shut;
    if (how == SHUT_GONE && deed->place != NULL) {
        table_move(work, 0, deed->place, deed->place_name);
        tell_hands(work, TEXT_PLACE_GOES_ON,
                   TEXT_ARGS(text_str("there", work->table->sites[0].name)));
    } else if (how != SHUT_MUTE || !deed->at_site) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE,
                                 how == SHUT_GONE ? TEXT_PLACE_GONE_HAND : TEXT_PLACE_SHUT, NULL,
                                 why);
    }
    work->table->shut_runs = 1; // whoever paused it, it is resumed now
    table_returns(work, seat);
    table_open_place(work);
    return true;
}

/* People. */

static bool waits_for(const struct table_work *work, unsigned seat)
{
    return work->table->state == TABLE_RUNNING && (work->running.seats & seat_bit(seat)) != 0;
}

void table_seat_gone(struct table_work *work, unsigned seat)
{
    struct table *const table = work->table;
    if (table->seats[seat].gone != 0) {
        return;
    }
    if (table->state == TABLE_LOBBY) {
        table_vacate(work, seat, TEXT_SESSION_LEAVES);
        return;
    }
    table->seats[seat].gone = 1;
    table_tell(work, TEXT_PERSON_GONE, TEXT_ARGS(text_str("who", table_seat_name(table, seat))));
    table->seats[seat].away = 1;
    if (table->host == seat) {
        (void)table_pass_host_on(work);
    }
    if (waits_for(work, seat) && !table_stand_in_for(work, seat)) {
        table_clock_wind(work);
    }
    table_changed(work);
}

void table_person_gone(struct table_work *work)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    if (!table_stop_waiting(work) && seat != NO_SEAT) {
        table_seat_gone(work, seat);
    }
}

void table_person_back(struct table_work *work)
{
    const unsigned seat = table_seat_of(work->table, &work->deed->person);
    if (seat != NO_SEAT && work->table->seats[seat].gone != 0) {
        work->table->seats[seat].gone = 0;
        work->dirty = true;
    }
}

bool table_is_heard(struct table_work *work, unsigned seat, struct refusal *why)
{
    if (seat == NO_SEAT || work->table->seats[seat].gone == 0) {
        return true;
    }
    if (!work->deed->at_site) {
        return table_refuse_text(work, seat, REFUSAL_NOT_AT_TABLE, TEXT_PERSON_UNHEARD, NULL, why);
    }
    table_person_back(work);
    return true;
}
