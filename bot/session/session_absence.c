/*
 * Who does not come: a reminder in private when half the time is gone, one in the channel at three
 * quarters, and when it is up a stand-in acts, at the instants of bot players, until the person
 * acts again. When everybody has been away for two rounds the game rests.
 *
 * The stand-in does the least that lets the game go on: what is forced at least loss, kicking,
 * looting, running from what it cannot beat, refusing, passing. It never sells, trades, discards by
 * choice, curses or deals.
 */
#include "bot/session/session_impl.h"

static unsigned people_waited_for(const struct session *session)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        const struct session_seat *const who = &session->seats[seat];
        const bool waited = (session->clock.running.seats & seat_bit(seat)) != 0;
        seats |= waited && who->policy == NULL && !who->away ? seat_bit(seat) : 0u;
    }
    return seats;
}

static size_t list_names(const struct session *session, unsigned seats, char *out, size_t size)
{
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    struct text_out text;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            names[count++] = session->seats[seat].name;
        }
    }
    text_begin(&text, out, size);
    text_list(&text, names, count, TEXT_AND);
    return count;
}

/* Reminders. */

int64_t session_reminder_due(const struct session *session)
{
    enum { HALF = 2, QUARTER = 4 };
    const unsigned kind = session->clock.running.kind;
    const struct session_timer *const timer = &session->clock.timers[kind];
    if (!session->stand_ins || (kind != CLOCK_TURN && kind != CLOCK_DECISION) ||
        timer->reminded >= 2 || people_waited_for(session) == 0) {
        return -1;
    }
    const int64_t at =
        session_clock_length(session, kind) / (timer->reminded == 0 ? HALF : QUARTER);
    return timer->left_ms > at ? timer->left_ms - at : 0;
}

static void put_time(char *out, size_t size, int64_t ms)
{
    enum { SECOND_MS = 1000, MINUTE_MS = 60 * SECOND_MS, HOUR_MS = 60 * MINUTE_MS };
    struct text_out text;
    text_begin(&text, out, size);
    if (ms >= 2 * (int64_t)HOUR_MS) {
        text_put(&text, TEXT_TIME_HOURS, TEXT_ARGS(text_num("n", (long)(ms / HOUR_MS))));
    } else if (ms >= 2 * (int64_t)MINUTE_MS) {
        text_put(&text, TEXT_TIME_MINUTES, TEXT_ARGS(text_num("n", (long)(ms / MINUTE_MS))));
    } else {
        text_put(&text, TEXT_TIME_SECONDS, TEXT_ARGS(text_num("n", (long)(ms / SECOND_MS))));
    }
}

void session_remind(struct session *session)
{
    enum { TIME_SIZE = 64, LIST_SIZE = MB_SEATS_MAX * SESSION_NAME_SIZE + 64, LINE_SIZE = 512 };
    struct session_timer *const timer = &session->clock.timers[session->clock.running.kind];
    const unsigned seats = people_waited_for(session);
    char left[TIME_SIZE];
    char names[LIST_SIZE];
    char line[LINE_SIZE];
    struct text_out text;
    put_time(left, sizeof left, timer->left_ms);
    if (timer->reminded++ > 0) {
        (void)list_names(session, seats, names, sizeof names);
        session_tell(session, TEXT_ABSENT_REMIND,
                     TEXT_ARGS(text_str("players", names), text_str("time", left)));
        message_ping(&session->outbox, seats);
        return;
    }
    text_begin(&text, line, sizeof line);
    text_line(&text, TEXT_ABSENT_REMIND_PRIVATE, TEXT_ARGS(text_str("time", left)));
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            (void)message_add(&session->outbox, MESSAGE_PRIVATE, seat, line);
        }
    }
}

/* The stand-in. */

// What losing an option costs: a card its Gold Pieces, anything else its place in the list.
static int worth(const struct session *session, const struct query_decision *decision, unsigned i)
{
    return decision->options_are_cards ? box_def(&session->box, decision->options[i])->gold
                                       : (int)i;
}

// The cheapest of what must be given up; the dearest of what one is given.
static bool choose_least_loss(struct session *session, unsigned seat)
{
    struct query_decision decision;
    query_decision(session_view(session, seat), &session->box, seat, &decision);
    if (decision.kind == DECIDE_TOTAL || decision.kind == DECIDE_YES_NO || decision.value_rule) {
        return false; // these have a default of the rules' own
    }
    struct command command = command_plain(seat, VERB_CHOOSE);
    const bool gains = decision.kind == DECIDE_PICK_TREASURE || decision.kind == DECIDE_LOOT_BODY;
    while (command.list_count < decision.min && command.list_count < decision.option_count &&
           command.list_count < MB_LIST_MAX) {
        unsigned best = decision.option_count;
        for (unsigned i = 0; i < decision.option_count; i++) {
            bool named = false;
            for (unsigned j = 0; j < command.list_count; j++) {
                named = named || command.list[j] == decision.options[i];
            }
            const int than = best < decision.option_count ? worth(session, &decision, best) : 0;
            const int value = worth(session, &decision, i);
            if (!named &&
                (best == decision.option_count || (gains ? value > than : value < than))) {
                best = i;
            }
        }
        command.list[command.list_count++] = decision.options[best];
    }
    return session_carry_out(session, &command, NULL);
}

static bool answer_question(struct session *session, unsigned seat)
{
    if ((query_undecided(session->game) & seat_bit(seat)) == 0) {
        return false;
    }
    if (choose_least_loss(session, seat)) {
        return true;
    }
    if (query_undecided(session->game) == seat_bit(seat)) {
        struct command elapse = command_plain(NO_SEAT, VERB_ELAPSE);
        elapse.n = CLOCK_DECISION;
        if (session_carry_out(session, &elapse, NULL)) {
            return true;
        }
    }
    return false;
}

// The listed move of a verb that gives least away: single cards of least value for a discard.
static const struct command *find_move(const struct session *session, unsigned verb)
{
    const struct move_list *const moves = &session->workspace->moves;
    const struct command *best = NULL;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb != verb) {
            continue;
        }
        const bool cards = verb == VERB_DISCARD && command->list_count > 0;
        if (best == NULL || (cards && box_def(&session->box, command->list[0])->gold <
                                          box_def(&session->box, best->list[0])->gold)) {
            best = command;
        }
    }
    return best;
}

bool session_stand_in_for(struct session *session, unsigned seat)
{
    static const enum verb VERBS[] = {VERB_CHOOSE, VERB_REFUSE, VERB_KICK,    VERB_LOOT, VERB_TAKE,
                                      VERB_RUN,    VERB_DONE,   VERB_CHARITY, VERB_PASS};
    if (answer_question(session, seat)) {
        return true;
    }
    if (!session_list_moves(session, seat)) {
        return false;
    }
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; i++) {
        const struct command *const command = find_move(session, VERBS[i]);
        if (command != NULL) {
            const struct command copy = *command; // the list is lent
            return session_carry_out(session, &copy, NULL);
        }
    }
    // Too many cards and nobody to give them to.
    const struct command *const discard = find_move(session, VERB_DISCARD);
    if (discard != NULL && query_undecided(session->game) == seat_bit(seat)) {
        const struct command copy = *discard;
        return session_carry_out(session, &copy, NULL);
    }
    return false;
}

bool session_stand_in(struct session *session)
{
    enum { LIST_SIZE = MB_SEATS_MAX * SESSION_NAME_SIZE + 64 };
    if (!session->stand_ins) {
        return false;
    }
    const unsigned absent = people_waited_for(session);
    char names[LIST_SIZE];
    const size_t count = list_names(session, absent, names, sizeof names);
    if (count > 0) {
        session_tell(session, TEXT_ABSENT_STAND_IN,
                     TEXT_ARGS(text_str("players", names), text_num("n", (long)count)));
    }
    const unsigned seats = session->clock.running.seats;
    bool acted = false;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        if ((absent & seat_bit(seat)) != 0) {
            session->seats[seat].away = true;
        }
    }
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        const bool due = session->state == SESSION_RUNNING && (seats & seat_bit(seat)) != 0;
        acted = (due && session_stand_in_for(session, seat)) || acted;
    }
    return acted;
}

// People sit here, and none of them comes.
static bool all_are_away(const struct session *session)
{
    unsigned people = 0;
    unsigned away = 0;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        const struct session_seat *const who = &session->seats[seat];
        people += who->policy == NULL ? 1 : 0;
        away += who->policy == NULL && who->away ? 1 : 0;
    }
    return people > 0 && away == people;
}

// Stand-ins among themselves would play for ever, for nobody, and tell everybody.
void session_rest(struct session *session)
{
    enum { ROUNDS = 2 };
    const unsigned round = query_round(session->game);
    if (session->state != SESSION_RUNNING || !all_are_away(session)) {
        session->alone = 0;
        session->rests = false;
    } else if (session->alone == 0) {
        session->alone = (uint16_t)round;
    } else if (!session->rests && round > session->alone + (unsigned)ROUNDS) {
        session->rests = true;
        session_tell(session, TEXT_ABSENT_RESTS, NULL);
    }
}

void session_returns(struct session *session, unsigned seat)
{
    if (seat < session->seat_count && session->seats[seat].away) {
        session->seats[seat].away = false;
        session_rest(session);
        session->clock.timers[CLOCK_TURN] = (struct session_timer){0};
        session->clock.timers[CLOCK_DECISION] = (struct session_timer){0};
        session_tell(session, TEXT_ABSENT_RETURNS,
                     TEXT_ARGS(text_str("who", session->seats[seat].name)));
        session_clock_wind(session);
    }
}
