/*
 * Who does not come: a reminder in private when half the time is gone, one in the channel at three
 * quarters, and when it is up a stand-in acts, at the instants of bot players, until the person
 * acts again. When everybody has been away for two rounds the game rests.
 *
 * The stand-in does the least that lets the game go on: what is forced at least loss, kicking,
 * looting, running from what it cannot beat, refusing, passing. It never sells, trades, discards by
 * choice, curses or deals.
 */
#include "bot/table/table_impl.h"

static unsigned people_waited_for(const struct table *table, struct query_clock running)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const struct table_seat *const who = &table->seats[seat];
        const bool waited = (running.seats & seat_bit(seat)) != 0;
        seats |= waited && table_seat_is_person(who) && !who->away ? seat_bit(seat) : 0u;
    }
    return seats;
}

static size_t list_names(const struct table_work *work, unsigned seats, char *out, size_t size)
{
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    struct text_out text;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            names[count++] = work->table->seats[seat].person.name;
        }
    }
    text_begin(&text, out, size);
    text_list(&text, names, count, TEXT_AND);
    return count;
}

/* Reminders. */

int64_t table_reminder_due(const struct table *table, struct query_clock running)
{
    enum { HALF = 2, QUARTER = 4 };
    const unsigned kind = running.kind;
    const struct table_timer *const timer = &table->timers[kind];
    if (table->stand_ins == 0 || (kind != CLOCK_TURN && kind != CLOCK_DECISION) ||
        timer->reminded >= 2 || people_waited_for(table, running) == 0) {
        return -1;
    }
    const int64_t at =
        pace_clock_ms(&table->options, kind) / (timer->reminded == 0 ? HALF : QUARTER);
    return timer->left_ms > at ? timer->left_ms - at : 0;
}

void table_time_words(char *out, size_t size, int64_t ms)
{
    enum {
        SECOND_MS = 1000,
        MINUTE_MS = 60 * SECOND_MS,
        HOUR_MS = 60 * MINUTE_MS,
        DAY_MS = 24 * HOUR_MS
    };
    struct text_out text;
    text_begin(&text, out, size);
    if (ms >= 2 * (int64_t)DAY_MS) {
        text_put(&text, TEXT_TIME_DAYS, TEXT_ARGS(text_num("n", (long)(ms / DAY_MS))));
    } else if (ms >= 2 * (int64_t)HOUR_MS) {
        text_put(&text, TEXT_TIME_HOURS, TEXT_ARGS(text_num("n", (long)(ms / HOUR_MS))));
    } else if (ms >= 2 * (int64_t)MINUTE_MS) {
        text_put(&text, TEXT_TIME_MINUTES, TEXT_ARGS(text_num("n", (long)(ms / MINUTE_MS))));
    } else {
        text_put(&text, TEXT_TIME_SECONDS, TEXT_ARGS(text_num("n", (long)(ms / SECOND_MS))));
    }
}

void table_remind(struct table_work *work)
{
    enum { TIME_SIZE = 64, LIST_SIZE = MB_SEATS_MAX * PERSON_NAME_SIZE + 64, LINE_SIZE = 512 };
    struct table_timer *const timer = &work->table->timers[work->running.kind];
    const unsigned seats = people_waited_for(work->table, work->running);
    const unsigned called = table_wants(work->table, NOTIFY_TURN);
    char left[TIME_SIZE];
    char names[LIST_SIZE];
    char line[LINE_SIZE];
    struct text_out text;
    table_time_words(left, sizeof left, timer->left_ms);
    if (timer->reminded++ > 0) {
        (void)list_names(work, seats, names, sizeof names);
        table_tell(work, TEXT_ABSENT_REMIND,
                   TEXT_ARGS(text_str("players", names), text_str("time", left)));
        message_ping(work->said, seats);
        work->outcome->missed |= seats;
        return;
    }
    text_begin(&text, line, sizeof line);
    text_line(&text, TEXT_ABSENT_REMIND_PRIVATE, TEXT_ARGS(text_str("time", left)));
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if ((seats & ~called & seat_bit(seat)) != 0) {
            (void)message_add(work->said, MESSAGE_PRIVATE, seat, line);
        } else if ((seats & seat_bit(seat)) != 0) {
            (void)message_add(work->said, MESSAGE_WHISPER, seat, line);
            message_prompt(work->said, text_sentence(TEXT_ABSENT_PUSH));
        }
    }
}

/* The stand-in. */

// What losing an option costs: a card its Gold Pieces, anything else its place in the list.
static int worth(const struct table_work *work, const struct query_decision *decision, unsigned i)
{
    return decision->options_are_cards ? box_def(work->box, decision->options[i])->gold : (int)i;
}

// The cheapest of what must be given up; the dearest of what one is given.
static bool choose_least_loss(struct table_work *work, unsigned seat)
{
    struct query_decision decision;
    query_decision(table_view(work, seat), work->box, seat, &decision);
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
            const int than = best < decision.option_count ? worth(work, &decision, best) : 0;
            const int value = worth(work, &decision, i);
            if (!named &&
                (best == decision.option_count || (gains ? value > than : value < than))) {
                best = i;
            }
        }
        command.list[command.list_count++] = decision.options[best];
    }
    return table_carry_out(work, &command, NULL);
}

static bool answer_question(struct table_work *work, unsigned seat)
{
    if ((query_undecided(work->game) & seat_bit(seat)) == 0) {
        return false;
    }
    if (choose_least_loss(work, seat)) {
        return true;
    }
    if (query_undecided(work->game) == seat_bit(seat)) {
        struct command elapse = command_plain(NO_SEAT, VERB_ELAPSE);
        elapse.n = CLOCK_DECISION;
        if (table_carry_out(work, &elapse, NULL)) {
            return true;
        }
    }
    return false;
}

// The listed move of a verb that gives least away: of discards the single card of the hand, for it
// is too full, that is worth least. What lies in play makes no room there.
static const struct command *find_move(const struct table_work *work, unsigned verb)
{
    const struct move_list *const moves = &work->ws->scene->moves;
    const struct command *best = NULL;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool cards = verb == VERB_DISCARD && command->list_count > 0;
        const bool in_play = cards && !pile_is_hand(query_where(work->game, command->list[0]));
        if (command->verb != verb || in_play) {
            continue;
        }
        if (best == NULL || (cards && box_def(work->box, command->list[0])->gold <
                                          box_def(work->box, best->list[0])->gold)) {
            best = command;
        }
    }
    return best;
}

bool table_stand_in_for(struct table_work *work, unsigned seat)
{
    static const enum verb VERBS[] = {VERB_CHOOSE, VERB_REFUSE, VERB_KICK,    VERB_LOOT, VERB_TAKE,
                                      VERB_RUN,    VERB_DONE,   VERB_CHARITY, VERB_PASS};
    if (answer_question(work, seat)) {
        return true;
    }
    if (!table_list_moves(work, seat)) {
        return false;
    }
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; i++) {
        const struct command *const command = find_move(work, VERBS[i]);
        if (command != NULL) {
            const struct command copy = *command; // the list is lent
            return table_carry_out(work, &copy, NULL);
        }
    }
    // Too many cards and nobody to give them to.
    const struct command *const discard = find_move(work, VERB_DISCARD);
    if (discard != NULL && query_undecided(work->game) == seat_bit(seat)) {
        const struct command copy = *discard;
        return table_carry_out(work, &copy, NULL);
    }
    return false;
}

bool table_stand_in(struct table_work *work)
{
    enum { LIST_SIZE = MB_SEATS_MAX * PERSON_NAME_SIZE + 64 };
    if (work->table->stand_ins == 0) {
        return false;
    }
    const unsigned absent = people_waited_for(work->table, work->running);
    char names[LIST_SIZE];
    const size_t count = list_names(work, absent, names, sizeof names);
    if (count > 0) {
        table_tell(work, TEXT_ABSENT_STAND_IN,
                   TEXT_ARGS(text_str("players", names), text_num("n", (long)count)));
    }
    const unsigned seats = work->running.seats;
    bool acted = false;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if ((absent & seat_bit(seat)) != 0) {
            work->table->seats[seat].away = 1;
        }
    }
    if (work->table->host < work->table->seat_count &&
        work->table->seats[work->table->host].away != 0) {
        (void)table_pass_host_on(work); // a game whose host is away can be paused and ended still
    }
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const bool due = work->table->state == TABLE_RUNNING && (seats & seat_bit(seat)) != 0;
        acted = (due && table_stand_in_for(work, seat)) || acted;
    }
    return acted;
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
