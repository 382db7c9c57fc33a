// Clocks are wound and run down. Of the five only the innermost runs (query_clock); the others keep
// what is left on them. A clock starts anew when it is about another question; a win window also
// when the core counts a restart. When everybody has been away for two rounds the game rests.
#include "bot/table/play/play.h"

static bool passes_by_order(const struct table_work *work, unsigned seat)
{
    const struct table_seat *const who = &work->table->seats[seat];
    switch (who->order) {
    case ORDER_PASS_TURN:
        return query_turn(work->game) != seat;
    case ORDER_PASS_BELOW:
        return query_win_level(work->game, work->box) < who->order_level;
    default:
        return false;
    }
}

void table_default_order(struct table_work *work, unsigned seat)
{
    const uint8_t below = pace_lengths(work->table->options.pace)->pass_below;
    work->table->seats[seat].order = below > 0 ? ORDER_PASS_BELOW : 0;
    work->table->seats[seat].order_level = below;
}

void table_orders_lapse(struct table_work *work)
{
    const struct game *const before = work->ws->before;
    const unsigned seat = query_turn(work->game);
    const bool same = query_turn(before) == seat && query_round(before) == query_round(work->game);
    if (!same && seat < work->table->seat_count &&
        work->table->seats[seat].order == ORDER_PASS_TURN) {
        work->table->seats[seat].order = 0;
    }
}

// Whether somebody else is losing a fight in which help may be offered, or kept away.
static bool may_bargain(const struct table_work *work, unsigned seat)
{
    const unsigned main = query_main(work->game);
    return main != NO_SEAT && main != seat && query_helper(work->game) == NO_SEAT &&
           query_alive(work->game, seat) && !query_gave_up(work->game) &&
           work->running.kind == CLOCK_TURN; // without a window: it is lost as it stands
}

bool table_acts_by_itself(const struct table_work *work, unsigned seat)
{
    const struct query_clock clock = work->running;
    const bool waited = (clock.seats & seat_bit(seat)) != 0;
    if (!table_seat_is_person(&work->table->seats[seat])) {
        return waited || query_offered(work->game, seat) || may_bargain(work, seat);
    }
    return waited && (work->table->seats[seat].away ||
                      (clock.kind == CLOCK_WINDOW && passes_by_order(work, seat)));
}

// Bot players and standing orders: whether any would act now, and letting them act.
static bool table_bots_wanted(const struct table_work *work)
{
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if (table_acts_by_itself(work, seat)) {
            return true;
        }
    }
    return false;
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

// No turn takes longer than so many times its clock, whatever is done in it.
enum { TURN_BOUND = 4 };

// What a question's clock gets. Of a turn all time together is bounded, or who equips and unequips,
// asks and withdraws would stretch it for ever.
static int64_t fresh_ms(struct table_work *work, struct query_clock clock, uint64_t about)
{
    struct table *const table = work->table;
    const int64_t length = table_clock_length(work, clock.kind);
    if (clock.kind == CLOCK_TURN &&
        about >> TABLE_KEY_SHIFT != table->timers[CLOCK_TURN].about >> TABLE_KEY_SHIFT) {
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
                           (uint64_t)work->running.kind << 56 ^ table_asks_about(work) << 40;
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

// People sit here, and none of them comes.
static bool all_are_away(const struct table_work *work)
{
    unsigned people = 0;
    unsigned away = 0;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const struct table_seat *const who = &work->table->seats[seat];
        people += table_seat_is_person(who) ? 1 : 0;
        away += table_seat_is_person(who) && who->away != 0 ? 1 : 0;
    }
    return people > 0 && away == people;
}

// Stand-ins among themselves would play for ever, for nobody, and tell everybody.
void table_rest(struct table_work *work)
{
    enum { ROUNDS = 2 };
    const unsigned round = query_round(work->game);
    if (work->table->state != TABLE_RUNNING || !all_are_away(work)) {
        work->table->alone = 0;
        work->table->rests = 0;
    } else if (work->table->alone == 0) {
        work->table->alone = (uint16_t)round;
    } else if (work->table->rests == 0 && round > work->table->alone + (unsigned)ROUNDS) {
        work->table->rests = 1;
        table_tell(work, TEXT_ABSENT_RESTS, NULL);
    }
}

void table_returns(struct table_work *work, unsigned seat)
{
    if (seat < work->table->seat_count && work->table->seats[seat].away != 0) {
        work->table->seats[seat].away = 0;
        work->came_back = true;
        table_rest(work);
        work->table->timers[CLOCK_TURN] = (struct table_timer){0};
        work->table->timers[CLOCK_DECISION] = (struct table_timer){0};
        table_tell(work, TEXT_ABSENT_RETURNS,
                   TEXT_ARGS(text_str("who", work->table->seats[seat].person.name)));
        table_clock_wind(work);
    }
}
