/*
 * Who acts without being told: bot players who are waited for, were made an offer or may offer
 * help, stand-ins, and people's standing orders. All of one window take effect together, a fixed
 * delay after it opened or restarted (table_clock.c), so that no delay tells what a hand holds.
 */
#include "bot/table/table_impl.h"

const struct policy *table_policy(const struct table_seat *seat)
{
    return seat->policy > 0 ? policy_by_number(seat->policy - 1u) : NULL;
}

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

// Whether a seat acts by itself at the next instant.
static bool wanted(const struct table_work *work, unsigned seat)
{
    const struct query_clock clock = work->running;
    const bool waited = (clock.seats & seat_bit(seat)) != 0;
    if (!table_seat_is_person(&work->table->seats[seat])) {
        return waited || query_offered(work->game, seat) || may_bargain(work, seat);
    }
    return waited && (work->table->seats[seat].away ||
                      (clock.kind == CLOCK_WINDOW && passes_by_order(work, seat)));
}

bool table_bots_wanted(const struct table_work *work)
{
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        if (wanted(work, seat)) {
            return true;
        }
    }
    return false;
}

bool table_list_moves(const struct table_work *work, unsigned seat)
{
    struct move_list *const moves = &work->ws->scene->moves;
    moves->count = 0;
    moves->overflow = false;
    moves_list(table_view(work, seat), work->box, seat, moves);
    return moves->count > 0;
}

bool table_is_idle(const struct table_work *work, unsigned seat)
{
    static const uint8_t IDLE_VERBS[] = {VERB_PASS, VERB_HOLD, VERB_SHOW};
    const struct query_clock running = table_running_clock(work->table);
    const bool window = running.kind == CLOCK_WINDOW || running.kind == CLOCK_ANSWER;
    if (!window || table_people_seats(work->table) != seat_bit(seat) ||
        !table_list_moves(work, seat)) {
        return false;
    }
    const struct move_list *const moves = &work->ws->scene->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const int verb = moves->items[i].command.verb;
        if (memchr(IDLE_VERBS, verb, sizeof IDLE_VERBS) == NULL) {
            return false;
        }
    }
    return true;
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
        if (wanted(work, seat)) {
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
    if (late && wanted(work, seat)) {
        (void)pass(work, seat);
    }
}
