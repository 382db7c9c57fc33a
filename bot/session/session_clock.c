/*
 * Time at a table. Of the five clocks only the innermost runs (query_clock); the others keep what
 * is left on them. A clock starts anew when it is about another question; a win window also when
 * the core counts a restart.
 */
#include <assert.h>

#include "bot/session/session_impl.h"

// A bot player that does nothing but talk to itself must not stop the world.
enum { STEPS_MAX = 100000, KEY_SHIFT = 24 };

static unsigned lowest_seat(unsigned seats)
{
    unsigned seat = 0;
    while (seat < MB_SEATS_MAX && (seats & seat_bit(seat)) == 0) {
        seat++;
    }
    return seat;
}

// Open asks: their numbers tell one from the next. Offers of help are no question to who was asked,
// and nobody stretches a clock or the bot players' delay with them.
static uint64_t asks_about(const struct session *session)
{
    uint64_t about = 0;
    for (unsigned i = 0; i < query_deal_count(session->game); i++) {
        const struct deal *const deal = query_deal(session->game, i);
        if (deal->kind == DEAL_ASK) {
            about = about * 31 + deal->id + 1u;
        }
    }
    return about;
}

uint64_t session_clock_about(const struct session *session, struct query_clock clock)
{
    const struct game *const game = session->game;
    const unsigned seat = lowest_seat(clock.seats);
    struct query_decision decision;
    switch ((enum clock_kind)clock.kind) {
    case CLOCK_NONE:
        return 0;
    case CLOCK_TURN:
        // Every command of the one who is waited for shows that somebody is there.
        return ((uint64_t)query_round(game) << KEY_SHIFT | (uint64_t)clock.seats) << KEY_SHIFT |
               (seat < MB_SEATS_MAX ? session->seats[seat].acts : 0u);
    case CLOCK_DECISION:
        query_decision(game, &session->box, seat, &decision);
        return (uint64_t)decision.kind << KEY_SHIFT | decision.id;
    case CLOCK_ASK:
        return asks_about(session);
    case CLOCK_ANSWER:
        return query_pause(game, PAUSE_ANSWER).restarts;
    case CLOCK_WINDOW:
        return query_pause(game, PAUSE_WIN).restarts;
    }
    return 0;
}

// Those who were asked for help and have not answered.
static unsigned asked_seats(const struct session *session)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < query_deal_count(session->game); i++) {
        const struct deal *const deal = query_deal(session->game, i);
        if (deal->kind != DEAL_ASK) {
            continue;
        }
        for (unsigned seat = 0; seat < session->seat_count; seat++) {
            const bool asked = deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
            const bool waits = asked && query_alive(session->game, seat) &&
                               ((deal->accepted | deal->refused) & seat_bit(seat)) == 0;
            seats |= waits ? seat_bit(seat) : 0u;
        }
    }
    return seats;
}

// The core's innermost clock; while an ask is open the table waits for the answer to it.
static struct query_clock running_clock(const struct session *session)
{
    struct query_clock clock = query_clock(session->game);
    if (clock.kind == CLOCK_WINDOW) {
        clock.seats &= ~(unsigned)query_pause(session->game, PAUSE_WIN).passed;
    } else if (clock.kind == CLOCK_ANSWER) {
        clock.seats &= ~(unsigned)query_pause(session->game, PAUSE_ANSWER).passed;
    } else if (clock.kind == CLOCK_TURN && asked_seats(session) != 0) {
        clock = (struct query_clock){.kind = CLOCK_ASK, .seats = asked_seats(session)};
    }
    return clock;
}

int64_t session_clock_length(const struct session *session, unsigned kind)
{
    if (kind == CLOCK_WINDOW) {
        return pace_window_ms(&session->options, query_win_level(session->game, &session->box),
                              session->box.profile.constant[PROFILE_GOAL]);
    }
    return pace_clock_ms(&session->options, kind);
}

static bool would_end_the_game(const struct session *session)
{
    return (int)query_win_level(session->game, &session->box) >=
           session->box.profile.constant[PROFILE_GOAL];
}

// One call to everybody when a win would end the game, and not again while its window is open.
static void last_call(struct session *session, bool restarted)
{
    const bool call = restarted && would_end_the_game(session);
    if (call && !session->last_call) {
        const char *names[MB_SEATS_MAX];
        const unsigned winners = query_would_win(session->game, &session->box);
        size_t count = 0;
        for (unsigned i = 0; i < session->seat_count; i++) {
            if ((winners & seat_bit(i)) == 0) {
                names[count++] = session->seats[i].name;
            }
        }
        char list[MB_SEATS_MAX * SESSION_NAME_SIZE + 64];
        struct text_out out;
        text_begin(&out, list, sizeof list);
        text_list(&out, names, count, TEXT_AND);
        session_tell(session, TEXT_SESSION_LAST_CALL, TEXT_ARGS(text_str("others", list)));
        message_ping(&session->outbox, (1u << session->seat_count) - 1u);
    }
    if (restarted) {
        session->last_call = call;
    }
}

static void wind_running(struct session *session, struct query_clock clock)
{
    struct session_timer *const timer = &session->clock.timers[clock.kind];
    const uint64_t about = session_clock_about(session, clock);
    const bool restarted = timer->about != about || timer->left_ms <= 0;
    if (restarted) {
        *timer = (struct session_timer){.about = about,
                                        .left_ms = session_clock_length(session, clock.kind)};
    }
    if (clock.kind == CLOCK_WINDOW || clock.kind == CLOCK_ANSWER) {
        const unsigned kind = clock.kind == CLOCK_WINDOW ? PAUSE_WIN : PAUSE_ANSWER;
        const struct pause pause = query_pause(session->game, kind);
        if (pause.holds > timer->holds) {
            timer->left_ms += (int64_t)(pause.holds - timer->holds) *
                              pace_lengths(session->options.pace)->hold_ms;
        }
        timer->holds = pause.holds;
    }
    if (clock.kind == CLOCK_WINDOW) {
        last_call(session, restarted);
    }
}

void session_clock_wind(struct session *session)
{
    struct session_clock *const clock = &session->clock;
    if (session->state != SESSION_RUNNING || session->rests) {
        clock->running = (struct query_clock){.kind = CLOCK_NONE};
        clock->bots.left_ms = -1;
        return;
    }
    if (query_pause(session->game, PAUSE_WIN).kind == PAUSE_NONE) {
        session->last_call = false; // the next window is another matter: perhaps another winner
    }
    clock->running = running_clock(session);
    if (clock->running.kind != CLOCK_NONE) {
        wind_running(session, clock->running);
    }
    if (!session_bots_wanted(session)) {
        clock->bots = (struct session_timer){.left_ms = -1};
        return;
    }
    // The delay is the same whoever sits there and whatever they hold: it tells nothing.
    const uint64_t about = session_clock_about(session, clock->running) ^
                           (uint64_t)clock->running.kind << 56 ^ asks_about(session) << 40;
    if (clock->bots.left_ms < 0 || clock->bots.about != about) {
        clock->bots = (struct session_timer){
            .about = about, .left_ms = pace_lengths(session->options.pace)->bots_ms};
    }
}

struct session_due session_due(const struct session *session)
{
    const struct session_clock *const clock = &session->clock;
    struct session_due due = {.kind = SESSION_DUE_NEVER,
                              .ms = -1,
                              .seats = clock->running.seats,
                              .clock = clock->running.kind,
                              .clock_ms = -1};
    if (session->state != SESSION_RUNNING) {
        return due;
    }
    if (clock->running.kind != CLOCK_NONE) {
        due.clock_ms = clock->timers[clock->running.kind].left_ms;
        due.ms = due.clock_ms;
        due.kind = SESSION_DUE_CLOCK;
    }
    if (clock->bots.left_ms >= 0 && (due.ms < 0 || clock->bots.left_ms <= due.ms)) {
        due.ms = clock->bots.left_ms;
        due.kind = SESSION_DUE_BOTS;
    }
    const int64_t reminder = session_reminder_due(session);
    if (reminder >= 0 && reminder < due.ms) {
        due.ms = reminder;
        due.kind = SESSION_DUE_REMINDER;
    }
    if (session->undo.asker != NO_SEAT && (due.ms < 0 || session->undo.left_ms < due.ms)) {
        due.ms = session->undo.left_ms;
        due.kind = SESSION_DUE_UNDO;
    }
    return due;
}

static void pass_time(struct session *session, int64_t ms)
{
    struct session_clock *const clock = &session->clock;
    clock->now_ms += ms;
    if (session->state == SESSION_RUNNING) { // a paused table's questions rest as well
        session_undo_pass_time(session, ms);
    }
    if (clock->running.kind != CLOCK_NONE) {
        clock->timers[clock->running.kind].left_ms -= ms;
    }
    if (clock->bots.left_ms >= 0) {
        clock->bots.left_ms -= ms;
    }
}

static void elapse(struct session *session)
{
    struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
    command.n = (int16_t)session->clock.running.kind;
    const unsigned kind = session->clock.running.kind;
    // A turn and the set-up have no default of the core's; of a question the core knows one, where
    // nobody stands in for who is absent.
    const bool of_turn = kind == CLOCK_TURN || query_phase(session->game) == PHASE_SETUP;
    bool done = (of_turn || kind == CLOCK_DECISION) && session_stand_in(session);
    done = done || (!of_turn && session_carry_out(session, &command, NULL));
    if (!done) {
        session->clock.timers[kind].left_ms = session_clock_length(session, kind);
    }
}

void session_advance(struct session *session, int64_t ms)
{
    assert(ms >= 0);
    for (unsigned step = 0; step < STEPS_MAX; step++) {
        const struct session_due due = session_due(session);
        if (due.kind == SESSION_DUE_NEVER || due.ms > ms) {
            break;
        }
        pass_time(session, due.ms);
        ms -= due.ms;
        switch (due.kind) {
        case SESSION_DUE_BOTS:
            session_bots_act(session);
            break;
        case SESSION_DUE_REMINDER:
            session_remind(session);
            break;
        case SESSION_DUE_UNDO:
            session_undo_elapse(session);
            break;
        case SESSION_DUE_CLOCK:
            elapse(session);
            break;
        case SESSION_DUE_NEVER:
            break;
        }
        session_skip_moments(session);
    }
    pass_time(session, ms);
}
