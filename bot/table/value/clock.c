// Which of the five clocks runs, what it is about, and when something falls due.
#include "bot/table/value/value.h"

unsigned table_people_awaited(const struct table *table, struct query_clock running)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const struct table_seat *const who = &table->seats[seat];
        const bool waited = (running.seats & seat_bit(seat)) != 0;
        seats |= waited && table_seat_is_person(who) && !who->away ? seat_bit(seat) : 0u;
    }
    return seats;
}

uint64_t table_asks_about(const struct table_work *work)
{
    uint64_t about = 0;
    for (unsigned i = 0; i < query_deal_count(work->game); i++) {
        const struct deal *const deal = query_deal(work->game, i);
        if (deal->kind == DEAL_ASK) {
            about = about * 31 + deal->id + 1u;
        }
    }
    return about;
}

uint64_t table_clock_about(const struct table_work *work, struct query_clock clock)
{
    const struct game *const game = work->game;
    const unsigned seat = seat_first(clock.seats);
    struct query_decision decision;
    switch ((enum clock_kind)clock.kind) {
    case CLOCK_NONE:
        return 0;
    case CLOCK_TURN:
        // Every command of the one who is waited for shows that somebody is there.
        return ((uint64_t)query_round(game) << TABLE_KEY_SHIFT | (uint64_t)clock.seats)
                   << TABLE_KEY_SHIFT |
               (seat < MB_SEATS_MAX ? work->table->seats[seat].acts : 0u);
    case CLOCK_DECISION:
        query_decision(game, work->box, seat, &decision);
        return (uint64_t)decision.kind << TABLE_KEY_SHIFT | decision.id;
    case CLOCK_ASK:
        return table_asks_about(work);
    case CLOCK_ANSWER:
        return query_pause(game, PAUSE_ANSWER).restarts;
    case CLOCK_WINDOW:
        return query_pause(game, PAUSE_WIN).restarts;
    }
    return 0;
}

// Those who were asked for help and have not answered.
static unsigned asked_seats(const struct table *table)
{
    const struct game *const game = table_game(table);
    unsigned seats = 0;
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        if (deal->kind != DEAL_ASK) {
            continue;
        }
        for (unsigned seat = 0; seat < table->seat_count; seat++) {
            const bool waits = deal_awaits(deal, seat) && query_alive(game, seat);
            seats |= waits ? seat_bit(seat) : 0u;
        }
    }
    return seats;
}

struct query_clock table_running_clock(const struct table *table)
{
    if (table->state != TABLE_RUNNING || table->rests) {
        return (struct query_clock){.kind = CLOCK_NONE};
    }
    const struct game *const game = table_game(table);
    struct query_clock clock = query_clock(game);
    if (clock.kind == CLOCK_WINDOW) {
        clock.seats &= ~(unsigned)query_pause(game, PAUSE_WIN).passed;
    } else if (clock.kind == CLOCK_ANSWER) {
        clock.seats &= ~(unsigned)query_pause(game, PAUSE_ANSWER).passed;
    } else if (clock.kind == CLOCK_TURN) {
        const unsigned asked = asked_seats(table);
        clock = asked != 0 ? (struct query_clock){.kind = CLOCK_ASK, .seats = asked} : clock;
    }
    return clock;
}

int64_t table_clock_length(const struct table_work *work, unsigned kind)
{
    if (kind == CLOCK_WINDOW) {
        return pace_window_ms(&work->table->options, query_win_level(work->game, work->box),
                              work->box->profile.constant[PROFILE_GOAL]);
    }
    return pace_clock_ms(&work->table->options, kind);
}

// When the next reminder falls due, from now; -1: none does.
static int64_t table_reminder_due(const struct table *table, struct query_clock running)
{
    enum { HALF = 2, QUARTER = 4 };
    const unsigned kind = running.kind;
    const struct table_timer *const timer = &table->timers[kind];
    if (table->stand_ins == 0 || (kind != CLOCK_TURN && kind != CLOCK_DECISION) ||
        timer->reminded >= 2 || table_people_awaited(table, running) == 0) {
        return -1;
    }
    const int64_t at =
        pace_clock_ms(&table->options, kind) / (timer->reminded == 0 ? HALF : QUARTER);
    return timer->left_ms > at ? timer->left_ms - at : 0;
}

struct table_due table_due(const struct table *table)
{
    const struct query_clock running = table_running_clock(table);
    struct table_due due = {.kind = TABLE_DUE_NEVER,
                            .ms = -1,
                            .seats = running.seats,
                            .clock = running.kind,
                            .clock_ms = -1};
    if (table->state != TABLE_RUNNING) {
        return due;
    }
    if (running.kind != CLOCK_NONE) {
        due.clock_ms = table->timers[running.kind].left_ms;
        due.ms = due.clock_ms;
        due.kind = TABLE_DUE_CLOCK;
    }
    if (table->bots.left_ms >= 0 && (due.ms < 0 || table->bots.left_ms <= due.ms)) {
        due.ms = table->bots.left_ms;
        due.kind = TABLE_DUE_BOTS;
    }
    const int64_t reminder = table_reminder_due(table, running);
    if (reminder >= 0 && reminder < due.ms) {
        due.ms = reminder;
        due.kind = TABLE_DUE_REMINDER;
    }
    // For everybody alike, whoever has passed and whether anybody has: the instant tells nothing.
    const struct table_timer *const window = &table->timers[CLOCK_WINDOW];
    if (running.kind == CLOCK_WINDOW && window->passes == 0 &&
        window->left_ms - window->half_ms < due.ms) {
        due.ms = window->left_ms - window->half_ms;
        due.kind = TABLE_DUE_PASSES;
    }
    if (table->undo.asker != NO_SEAT && (due.ms < 0 || table->undo.left_ms < due.ms)) {
        due.ms = table->undo.left_ms;
        due.kind = TABLE_DUE_UNDO;
    }
    due.ms = due.kind != TABLE_DUE_NEVER && due.ms < 0 ? 0 : due.ms;
    return due;
}

bool table_goes_on(const struct table *table)
{
    const struct table_due due = table_due(table);
    const unsigned people = table_people_seats(table);
    // In a window or an answer moment others may speak who are not waited for.
    return people != 0 && due.kind == TABLE_DUE_BOTS && due.clock != CLOCK_WINDOW &&
           due.clock != CLOCK_ANSWER && (due.seats & people) == 0;
}
