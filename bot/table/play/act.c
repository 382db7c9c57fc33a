/*
 * Who acts without being told: bot players who are waited for, were made an offer or may offer
 * help, stand-ins, and people's standing orders. All of one window take effect together, a fixed
 * delay after it opened or restarted, so that no delay tells what a hand holds.
 *
 * Who does not come is reminded in private when half the time is gone, in the channel at three
 * quarters; when it is up a stand-in acts, at the instants of bot players, until the person acts
 * again. The stand-in does the least that lets the game go on: what is forced at least loss,
 * kicking, looting, running from what it cannot beat, refusing, passing. It never sells, trades,
 * discards by choice, curses or deals.
 */
#include "bot/table/play/play.h"

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

static void table_remind(struct table_work *work)
{
    enum { TIME_SIZE = 64, LIST_SIZE = MB_SEATS_MAX * PERSON_NAME_SIZE + 64, LINE_SIZE = 512 };
    struct table_timer *const timer = &work->table->timers[work->running.kind];
    const unsigned seats = table_people_awaited(work->table, work->running);
    const unsigned called = table_wants(work->table, NOTIFY_TURN);
    char left[TIME_SIZE];
    char names[LIST_SIZE];
    char line[LINE_SIZE];
    struct text_out text;
    text_time_words(left, sizeof left, timer->left_ms);
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

// Those whom the clock has waited for in vain are away now, and somebody acts for them. False if
// nothing is done, as at tables without stand-ins.
static bool table_stand_in(struct table_work *work)
{
    enum { LIST_SIZE = MB_SEATS_MAX * PERSON_NAME_SIZE + 64 };
    if (work->table->stand_ins == 0) {
        return false;
    }
    const unsigned absent = table_people_awaited(work->table, work->running);
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

// Keeps the moves that answer an offer or are about help, or those that do not just stall.
static void keep_moves(struct move_list *moves, bool offer_only)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const unsigned verb = moves->items[i].command.verb;
        const bool answers = verb == VERB_ACCEPT || verb == VERB_REFUSE || verb == VERB_VOLUNTEER ||
                             moves->items[i].command.bribe != 0;
        const bool stalls = verb == VERB_HOLD || verb == VERB_SHOW;
        if (offer_only ? answers : !stalls) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

static bool pass(struct table_work *work, unsigned seat)
{
    const struct command command = command_plain(seat, VERB_PASS);
    return table_carry_out(work, &command, NULL);
}

static bool act(struct table_work *work, unsigned seat)
{
    const struct table_seat *const who = &work->table->seats[seat];
    const bool waited = (work->running.seats & seat_bit(seat)) != 0;
    if (table_seat_is_person(who)) {
        return who->away ? table_stand_in_for(work, seat) : pass(work, seat);
    }
    if (!table_list_moves(work, seat)) {
        return false;
    }
    struct move_list *const moves = &work->ws->scene->moves;
    keep_moves(moves, !waited);
    struct command command;
    const struct policy_input input = {.view = table_view(work, seat),
                                       .box = work->box,
                                       .moves = moves,
                                       .seat = seat,
                                       .rng = &work->table->rng,
                                       .scratch = work->ws->scratch};
    if (moves->count > 0 && table_policy(who)->choose(&input, &command) &&
        table_carry_out(work, &command, NULL)) {
        return true;
    }
    return waited && pass(work, seat);
}

// A bot player lays, equips and sells in one go, as a person does between two thoughts: until it
// opens a door, begins something that others may answer, or is done.
static bool act_on(struct table_work *work, unsigned seat)
{
    enum { MOVES_AT_ONCE = 16 };
    const unsigned phase = query_phase(work->game);
    unsigned moves = 0;
    bool prepares = true;
    while (prepares && moves < MOVES_AT_ONCE && act(work, seat)) {
        struct query_fight fight;
        query_fight(work->game, work->box, &fight);
        prepares = !table_seat_is_person(&work->table->seats[seat]) &&
                   work->table->state == TABLE_RUNNING &&
                   (work->running.kind == CLOCK_TURN || phase == PHASE_SETUP) &&
                   (work->running.seats & seat_bit(seat)) != 0 && !fight.on &&
                   query_phase(work->game) == phase;
        moves++;
    }
    return moves > 0;
}

// One act each of those who want to. False if none did.
static bool act_once(struct table_work *work)
{
    const struct query_clock clock = work->running;
    const uint64_t about = table_clock_about(work, clock);
    bool acted = false;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if (work->table->state != TABLE_RUNNING || work->running.kind != clock.kind ||
            table_clock_about(work, clock) != about) {
            break;
        }
        if (table_acts_by_itself(work, seat)) {
            acted = act_on(work, seat) || acted;
        }
    }
    return acted;
}

// Whether the turn goes on with what only bot players decide, and nobody else can have a part in:
// the rest of it is then told with what came before.
static bool goes_on(const struct table_work *work, unsigned turn, unsigned round)
{
    struct query_fight fight;
    query_fight(work->game, work->box, &fight);
    const unsigned people = table_people_seats(work->table);
    const unsigned kind = work->running.kind;
    return work->table->state == TABLE_RUNNING && (kind == CLOCK_TURN || kind == CLOCK_DECISION) &&
           (work->running.seats & people) == 0 && !fight.on && query_turn(work->game) == turn &&
           query_round(work->game) == round;
}

void table_bots_act(struct table_work *work)
{
    enum { ACTS_AT_ONCE = 16 };
    const unsigned turn = query_turn(work->game);
    const unsigned round = query_round(work->game);
    const uint64_t about = work->table->bots.about;
    unsigned acts = 0;
    work->table->bots.left_ms = -1; // if nobody wants to, the clock of those waited for decides
    while (act_once(work) && ++acts < ACTS_AT_ONCE && goes_on(work, turn, round)) {
    }
    if (acts > 0 && work->table->bots.about == about) {
        work->table->bots.left_ms = -1; // who came first wound it for those behind
    }
    if (acts > 0) {
        table_clock_wind(work);
    }
}

void table_order_acts(struct table_work *work, unsigned seat)
{
    const bool late = work->running.kind == CLOCK_WINDOW && work->table->bots.left_ms < 0;
    if (late && table_acts_by_itself(work, seat)) {
        (void)pass(work, seat);
    }
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
