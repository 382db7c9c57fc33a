/*
 * Time at a table. Of the five clocks only the innermost runs (query_clock); the others keep what
 * is left on them. A clock starts anew when it is about another question; a win window also when
 * the core counts a restart.
 */
#include "bot/table/table_impl.h"

// TURN_BOUND: no turn takes longer than so many times its clock, whatever is done in it.
enum { KEY_SHIFT = 24, TURN_BOUND = 4 };

// Open asks: their numbers tell one from the next. Offers of help are no question to who was asked,
// and nobody stretches a clock or the bot players' delay with them.
static uint64_t asks_about(const struct table_work *work)
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
        return ((uint64_t)query_round(game) << KEY_SHIFT | (uint64_t)clock.seats) << KEY_SHIFT |
               (seat < MB_SEATS_MAX ? work->table->seats[seat].acts : 0u);
    case CLOCK_DECISION:
        query_decision(game, work->box, seat, &decision);
        return (uint64_t)decision.kind << KEY_SHIFT | decision.id;
    case CLOCK_ASK:
        return asks_about(work);
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

static bool would_end_the_game(const struct table_work *work)
{
    return (int)query_win_level(work->game, work->box) >= work->box->profile.constant[PROFILE_GOAL];
}

// One call to everybody when a win would end the game, and not again while its window is open; none
// where only bot players could stop it.
static void last_call(struct table_work *work, bool restarted)
{
    const bool call = restarted && would_end_the_game(work);
    const unsigned winners = call ? query_would_win(work->game, work->box) : 0;
    if (call && work->table->last_call == 0 && (table_people_seats(work->table) & ~winners) != 0) {
        const char *names[MB_SEATS_MAX];
        size_t count = 0;
        for (unsigned i = 0; i < work->table->seat_count; i++) {
            if ((winners & seat_bit(i)) == 0) {
                names[count++] = table_seat_name(work->table, i);
            }
        }
        char list[MB_SEATS_MAX * PERSON_NAME_SIZE + 64];
        struct text_out out;
        text_begin(&out, list, sizeof list);
        text_list(&out, names, count, TEXT_AND);
        table_tell(work, TEXT_SESSION_LAST_CALL, TEXT_ARGS(text_str("others", list)));
        // Except the player who opened or restarted it: they have passed by that.
        message_ping(work->said, ((1u << work->table->seat_count) - 1u) &
                                     ~(unsigned)query_pause(work->game, PAUSE_WIN).shown);
    }
    if (restarted) {
        work->table->last_call = call ? 1 : 0;
    }
}

// What a question's clock gets. Of a turn all time together is bounded, or who equips and unequips,
// asks and withdraws would stretch it for ever.
static int64_t fresh_ms(struct table_work *work, struct query_clock clock, uint64_t about)
{
    struct table *const table = work->table;
    const int64_t length = table_clock_length(work, clock.kind);
    if (clock.kind == CLOCK_TURN &&
        about >> KEY_SHIFT != table->timers[CLOCK_TURN].about >> KEY_SHIFT) {
        table->turn_ms = 0; // another turn
        table->pause_asked = 0;
    }
    if (clock.kind != CLOCK_TURN && clock.kind != CLOCK_ASK) {
        return length;
    }
    const int64_t left = table_clock_length(work, CLOCK_TURN) * TURN_BOUND - table->turn_ms;
    const int64_t least = pace_lengths(table->options.pace)->bots_ms;
    return left >= length ? length : (left > least ? left : least);
}

static void wind_running(struct table_work *work, struct query_clock clock)
{
    struct table_timer *const timer = &work->table->timers[clock.kind];
    const uint64_t about = table_clock_about(work, clock);
    const bool restarted = timer->about != about || timer->left_ms <= 0;
    if (restarted) {
        const int64_t fresh = fresh_ms(work, clock, about);
        const int64_t half = clock.kind == CLOCK_WINDOW ? fresh / 2 : 0;
        *timer = (struct table_timer){.about = about, .left_ms = fresh, .half_ms = half};
    }
    if (clock.kind == CLOCK_WINDOW || clock.kind == CLOCK_ANSWER) {
        const unsigned kind = clock.kind == CLOCK_WINDOW ? PAUSE_WIN : PAUSE_ANSWER;
        const struct pause pause = query_pause(work->game, kind);
        if (pause.holds > timer->holds) {
            timer->left_ms += (int64_t)(pause.holds - timer->holds) *
                              pace_lengths(work->table->options.pace)->hold_ms;
        }
        timer->holds = pause.holds;
    }
    if (clock.kind == CLOCK_WINDOW) {
        last_call(work, restarted);
    }
}

// The delay does not depend on who sits there or what they hold. A window has it even if nobody is
// to act: when an order acts must not tell whether others have one (attack G-4.7).
static void wind_bots(struct table_work *work)
{
    struct table_timer *const timer = &work->table->bots;
    const bool wanted = table_bots_wanted(work);
    const uint64_t about = table_clock_about(work, work->running) ^
                           (uint64_t)work->running.kind << 56 ^ asks_about(work) << 40;
    if (!wanted && work->running.kind != CLOCK_WINDOW) {
        *timer = (struct table_timer){.left_ms = -1};
    } else if (timer->about != about || (wanted && timer->left_ms < 0)) {
        // After that instant all act at once, as a late order does: an undo can undo a pass.
        const bool late = timer->about == about && work->running.kind == CLOCK_WINDOW;
        const int64_t delay_ms = pace_lengths(work->table->options.pace)->bots_ms;
        *timer = (struct table_timer){.about = about, .left_ms = late ? 0 : delay_ms};
    }
}

void table_clock_wind(struct table_work *work)
{
    struct table *const table = work->table;
    work->running = table_running_clock(table);
    if (table->state != TABLE_RUNNING || table->rests) {
        // Afterwards a window has its instant again.
        table->bots = (struct table_timer){.left_ms = -1};
        return;
    }
    if (query_pause(work->game, PAUSE_WIN).kind == PAUSE_NONE) {
        table->last_call = 0; // the next window is another matter: perhaps another winner
    }
    if (work->running.kind != CLOCK_NONE) {
        wind_running(work, work->running);
    }
    wind_bots(work);
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

void table_pass_time(struct table_work *work, int64_t ms)
{
    struct table *const table = work->table;
    table->undo.since_ms += ms;
    if (table->state == TABLE_RUNNING && table->undo.asker != NO_SEAT) {
        table->undo.left_ms -= ms; // a paused table's questions rest as well
    }
    table->paused_ms += table->state == TABLE_PAUSED || table->resumed != 0 ? ms : 0;
    if (work->running.kind != CLOCK_NONE) {
        table->timers[work->running.kind].left_ms -= ms;
    }
    if (work->running.kind == CLOCK_TURN || work->running.kind == CLOCK_ASK) {
        table->turn_ms += ms;
    }
    if (table->bots.left_ms >= 0) {
        table->bots.left_ms = table->bots.left_ms > ms ? table->bots.left_ms - ms : 0;
    }
}

void table_clock_return(struct table_work *work)
{
    enum { LEAST_MS = 10000 };
    const unsigned kind = work->running.kind;
    struct table_timer *const timer = &work->table->timers[kind];
    if (kind == CLOCK_NONE) {
        return;
    }
    if ((kind == CLOCK_WINDOW || kind == CLOCK_ANSWER) && timer->left_ms < LEAST_MS) {
        timer->left_ms = LEAST_MS;
    }
    work->dirty = true;
    table_forget_shown(work->table, (1u << TABLE_SITES_MAX) - 1u, 0);
}

static void elapse(struct table_work *work)
{
    struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
    const unsigned kind = work->running.kind;
    command.n = (int16_t)kind;
    // A turn and the set-up have no default of the core's; of a question the core knows one, where
    // nobody stands in for who is absent.
    const bool of_turn = kind == CLOCK_TURN || query_phase(work->game) == PHASE_SETUP;
    bool done = (of_turn || kind == CLOCK_DECISION) && table_stand_in(work);
    done = done || (!of_turn && table_carry_out(work, &command, NULL));
    if (!done) {
        work->table->timers[kind].left_ms = table_clock_length(work, kind);
    }
}

int64_t table_fall_due(struct table_work *work, int64_t ms)
{
    const struct table_due due = table_due(work->table);
    if (due.kind == TABLE_DUE_NEVER || due.ms > ms) {
        table_pass_time(work, ms);
        return 0;
    }
    table_pass_time(work, due.ms);
    switch (due.kind) {
    case TABLE_DUE_BOTS:
        table_bots_act(work);
        break;
    case TABLE_DUE_REMINDER:
        table_remind(work);
        break;
    case TABLE_DUE_UNDO:
        table_undo_elapse(work);
        break;
    case TABLE_DUE_PASSES:
        work->table->timers[CLOCK_WINDOW].passes = 1;
        table_changed(work);
        break;
    case TABLE_DUE_CLOCK:
        elapse(work);
        break;
    case TABLE_DUE_NEVER:
        break;
    }
    return ms - due.ms;
}
