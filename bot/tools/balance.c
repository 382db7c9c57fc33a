#include "bot/tools/balance.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/loop/prospect.h"
#include "core/loop/query.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"

/* Moments. */

enum {
    TO_GO_MAX = 10, // more Levels to go than that are as many
    PLACES = 3,     // no fight, one's own, that of others
    MOMENTS = PLACES * TO_GO_MAX * TO_GO_MAX,
    NEVER = MOMENTS
};

void moments_init(struct moments *moments, const struct box *box, unsigned players)
{
    *moments = (struct moments){.box = box, .players = players};
    const size_t defs = box->def_count + 1u;
    moments->all = mb_new(MOMENTS, sizeof *moments->all);
    moments->games = mb_new(defs * MOMENTS, sizeof *moments->games);
    moments->now = mb_new(defs * MB_SEATS_MAX, sizeof *moments->now);
    moments_begin(moments);
}

void moments_finish(struct moments *moments)
{
    free(moments->all);
    free(moments->games);
    free(moments->now);
    *moments = (struct moments){0};
}

bool moments_puts(const struct box *box, const struct event *event)
{
    const bool put = event->type == EVENT_MOVE &&
                     (event->why == MOVE_PLAYED || event->why == MOVE_LAID) &&
                     event->seat < MB_SEATS_MAX;
    return put && (box_def(box, event->card)->kind != KIND_CURSE || pile_is_hand(event->from));
}

void moments_begin(struct moments *moments)
{
    for (unsigned i = 0; i < moments->box->def_count * MB_SEATS_MAX; i++) {
        moments->now[i] = NEVER;
    }
}

static unsigned levels_to_go(const struct moments *moments, const struct game *game, unsigned seat)
{
    const int level = (int)query_level(game, seat);
    const int left = moments->box->profile.constant[PROFILE_GOAL] - level;
    return left < 0 ? 0u : (left < TO_GO_MAX ? (unsigned)left : TO_GO_MAX - 1u);
}

static uint16_t moment_of(const struct moments *moments, const struct game *game, unsigned seat)
{
    unsigned rival = TO_GO_MAX - 1u;
    for (unsigned other = 0; other < moments->players; other++) {
        const unsigned left = levels_to_go(moments, game, other);
        rival = other != seat && left < rival ? left : rival;
    }
    const unsigned fights = seat_fights(game, seat) ? 1u : 2u;
    const unsigned place = query_main(game) == NO_SEAT ? 0u : fights;
    return (uint16_t)((place * TO_GO_MAX + levels_to_go(moments, game, seat)) * TO_GO_MAX + rival);
}

void moments_step(struct moments *moments, const struct simulate_step *step)
{
    for (uint32_t i = 0; i < step->events->count; i++) {
        const struct event *const event = &step->events->items[i];
        if (!moments_puts(moments->box, event) || event->seat >= moments->players) {
            continue;
        }
        const unsigned def = moments->box->card_def[event->card];
        uint16_t *const now = &moments->now[def * MB_SEATS_MAX + event->seat];
        *now = *now == NEVER ? moment_of(moments, step->before, event->seat) : *now;
    }
}

void moments_count(struct moments *moments, unsigned def, unsigned seat, bool won)
{
    const unsigned at = moments->now[def * MB_SEATS_MAX + seat];
    if (at != NEVER) {
        moments->games[def * MOMENTS + at]++;
        moments->all[at].games++;
        moments->all[at].wins += won;
    }
}

double moments_expected(const struct moments *moments, unsigned def)
{
    double sum = 0;
    for (unsigned at = 0; at < MOMENTS; at++) {
        const struct moment *const all = &moments->all[at];
        const uint32_t games = moments->games[def * MOMENTS + at];
        sum += games > 0 ? (double)games * (double)all->wins / (double)all->games : 0;
    }
    return sum;
}

/* Stays of cards with a seat. */

static void mark_stay(struct balance *balance, uint16_t card, bool used)
{
    if (card < balance->box->card_count) {
        balance->stays[card].could = true;
        balance->stays[card].used = balance->stays[card].used || used;
    }
}

static void mark_stays(struct balance *balance, const struct command *command, bool used)
{
    switch (command->verb) {
    case VERB_PLAY:
        for (unsigned i = 0; i < command->list_count; i++) { // with
            mark_stay(balance, command->list[i], used);
        }
        mark_stay(balance, command->card, used);
        return;
    case VERB_FIGHT:
    case VERB_EQUIP:
    case VERB_USE:
    case VERB_HAND_OVER:
    case VERB_SACRIFICE:
        mark_stay(balance, command->card, used);
        return;
    default:
        return;
    }
}

static bool helps_opponents(const struct balance *balance, const struct command *command,
                            unsigned fighters)
{
    const struct box *const box = balance->box;
    if (command->verb != VERB_PLAY || command->card >= box->card_count ||
        (fighters & seat_bit(command->seat)) != 0) {
        return false;
    }
    const struct card_def *const def = &box->defs[box->card_def[command->card]];
    return def->kind == KIND_ONESHOT && def->sides == 1u; // of enum fight_side, as bits
}

void balance_offers(struct balance *balance, const struct move_list *moves, unsigned fighters)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (helps_opponents(balance, &move->command, fighters)) {
            continue;
        }
        mark_stays(balance, &move->command, false);
        for (unsigned c = 0; move->command.verb == VERB_PLAY && c < move->candidate_count; c++) {
            mark_stay(balance, move->candidates[c], false);
        }
    }
}

void balance_command(struct balance *balance, const struct command *command)
{
    mark_stays(balance, command, true);
}

// A stay is over.
static void close_stay(struct balance *balance, uint16_t card, unsigned why)
{
    struct usage_stay *const stay = &balance->stays[card];
    const uint16_t def = balance->box->card_def[card];
    struct usage_card *const sum = &balance->cards[def].usage;
    if (stay->seat != NO_SEAT) {
        const bool paid = why == MOVE_PAID;
        const bool used = stay->used || (paid && balance->box->defs[def].kind == KIND_MONSTER);
        sum->held++;
        sum->could += stay->could || used;
        sum->used += used;
        sum->paid += paid;
        sum->sold += why == MOVE_SOLD;
        sum->given += why == MOVE_GIVEN || why == MOVE_TRADED || why == MOVE_PROMISED;
        sum->dropped += why == MOVE_DISCARDED || why == MOVE_CHARITY;
    }
    *stay = (struct usage_stay){.seat = NO_SEAT};
}

static void count_stay(struct balance *balance, const struct event *event)
{
    const unsigned to = event->to;
    uint8_t seat = NO_SEAT;
    for (unsigned s = 0; s < MB_SEATS_MAX; s++) {
        seat = to == pile_hand(s) || to == pile_table(s) ? (uint8_t)s : seat;
    }
    if (event->card >= balance->box->card_count || balance->stays[event->card].seat == seat) {
        return;
    }
    close_stay(balance, event->card, event->why);
    balance->stays[event->card].seat = seat;
}

static void close_stays(struct balance *balance)
{
    for (unsigned card = 0; card < balance->box->card_count; card++) {
        close_stay(balance, (uint16_t)card, MOVE_SILENT);
    }
}

/* Pairs. */

static uint16_t def_of_name(const struct box *box, unsigned name)
{
    for (uint16_t card = 0; card < box->card_count; card++) {
        if (box_def(box, card)->name == name) {
            return box->card_def[card];
        }
    }
    return box->def_count;
}

// Adds a pair unless its card names itself, or a card that is not in the game, or is listed with
// it.
static void add_pair(struct pairs *pairs, const struct pair *pair, unsigned name)
{
    const struct box *const box = pairs->box;
    struct pair found = *pair;
    found.named = def_of_name(box, name);
    while (found.first_card < box->card_count && box->card_def[found.first_card] != found.def) {
        found.first_card++;
    }
    bool known = found.named == box->def_count ||
                 box->defs[found.named].name == box->defs[found.def].name ||
                 found.first_card == box->card_count;
    for (unsigned i = 0; pairs->items != NULL && i < pairs->count; i++) {
        known =
            known || (pairs->items[i].def == found.def && pairs->items[i].filter == found.filter &&
                      pairs->items[i].req == found.req);
    }
    if (!known && pairs->items != NULL) {
        pairs->items[pairs->count] = found;
    }
    pairs->count += !known;
}

static void add_pairs_of_filter(struct pairs *pairs, const struct pair *of, unsigned filter)
{
    struct pair pair = *of;
    for (; filter != 0; filter = pairs->box->filters[filter - 1u].or_else) {
        const unsigned name = pairs->box->filters[filter - 1u].name;
        pair.filter = (uint16_t)filter;
        if (name != 0) {
            add_pair(pairs, &pair, name - 1u);
        }
    }
}

static void add_pairs_of_row(struct pairs *pairs, uint16_t def, const struct row *row)
{
    struct pair pair = {.def = def, .main = row->who == WHO_MAIN};
    add_pairs_of_filter(pairs, &pair, row->filter);
    pair.main = false;
    for (unsigned i = 0; i < row->req_count; i++) {
        const struct requirement *const req = &pairs->box->reqs[row->first_req + i];
        struct pair asks = pair;
        asks.req = (uint16_t)(row->first_req + i + 1u);
        if (req->kind == REQ_NAMED_IN_PLAY || req->kind == REQ_MONSTER_NAME) {
            add_pair(pairs, &asks, (unsigned)req->n);
        } else if (req->kind == REQ_CARDS) {
            asks = pair;
            asks.anybody = req->range == RANGE_ANYONE;
            add_pairs_of_filter(pairs, &asks, req->arg);
        }
    }
}

static void collect_pairs(struct pairs *pairs)
{
    pairs->count = 0;
    for (uint16_t def = 0; def < pairs->box->def_count; def++) {
        const struct row *const rows = box_rows(pairs->box, &pairs->box->defs[def]);
        for (unsigned i = 0; i < pairs->box->defs[def].row_count; i++) {
            add_pairs_of_row(pairs, def, &rows[i]);
        }
    }
}

void pairs_init(struct pairs *pairs, const struct box *box)
{
    *pairs = (struct pairs){.box = box};
    collect_pairs(pairs); // first how many at most, then which
    pairs->items = mb_new(pairs->count + 1u, sizeof *pairs->items);
    collect_pairs(pairs);
}

void pairs_finish(struct pairs *pairs)
{
    free(pairs->items);
    *pairs = (struct pairs){.count = 0};
}

static unsigned every_seat(const struct game *game)
{
    return (1u << query_seat_count(game)) - 1u;
}

// Seats that a card which takes part concerns: the fighters, its owner, or who could be struck.
static unsigned concerned_seats(const struct pairs *pairs, const struct game *game, uint16_t card,
                                bool entered)
{
    const unsigned pile = query_where(game, card);
    const unsigned kind = box_def(pairs->box, card)->kind;
    const unsigned main = query_main(game);
    const unsigned helper = query_helper(game);
    if (pile == PILE_FIGHT || (entered && main != NO_SEAT)) {
        return seat_bit(main) | (helper != NO_SEAT ? seat_bit(helper) : 0u);
    }
    if (pile_is_table(pile)) {
        return seat_bit(pile - PILE_TABLE);
    }
    const bool played = kind == KIND_CURSE || kind == KIND_ONESHOT || kind == KIND_DOOR ||
                        kind == KIND_TREASURE || kind == KIND_ENHANCER;
    return (pile_is_hand(pile) && played) || pile == PILE_RESOLVING || entered ? every_seat(game)
                                                                               : 0u;
}

static bool pair_finds(const struct pairs *pairs, const struct pair *pair, const struct game *game,
                       unsigned seat)
{
    uint16_t card;
    if (pair->filter != 0) {
        return filter_collect(game, pairs->box, seat, pair->filter, &card, 1) > 0;
    }
    struct req_context ctx = req_context_for(game, pairs->box, seat);
    struct requirement req = pairs->box->reqs[pair->req - 1u];
    req.absent = false;
    return requirement_holds(&ctx, &req);
}

static bool card_enters_fight(const struct event_list *events, uint16_t card)
{
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        if (event->type == EVENT_MOVE && event->card == card && event->to == PILE_FIGHT) {
            return true;
        }
    }
    return false;
}

static bool pair_meets(const struct pairs *pairs, const struct pair *pair, uint16_t card,
                       const struct game *game, bool entered)
{
    const unsigned main = query_main(game) != NO_SEAT ? query_main(game) : query_turn(game);
    const unsigned asked = pair->main ? seat_bit(main) : every_seat(game);
    const unsigned own = concerned_seats(pairs, game, card, entered) & asked;
    const unsigned seats = pair->anybody && own != 0 ? every_seat(game) : own;
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        if ((seats & seat_bit(seat)) != 0 && pair_finds(pairs, pair, game, seat)) {
            return true;
        }
    }
    return false;
}

void pairs_step(struct pairs *pairs, const struct simulate_step *step)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        struct pair *const pair = &pairs->items[i];
        uint16_t card = pair->first_card;
        for (;
             !pair->met && card < pairs->box->card_count && pairs->box->card_def[card] == pair->def;
             card++) {
            const bool entered = card_enters_fight(step->events, card);
            pair->met = pair_meets(pairs, pair, card, step->after, entered) ||
                        (entered && pair_meets(pairs, pair, card, step->before, true));
        }
    }
}

void pairs_begin(struct pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        pairs->items[i].met = false;
    }
}

// Whether two cards have met by any of the rows that look for one of them.
static bool pair_has_met(const struct pairs *pairs, const struct pair *pair)
{
    bool any = false;
    for (unsigned i = 0; i < pairs->count; i++) {
        const struct pair *const row = &pairs->items[i];
        any = any || (row->met && row->def == pair->def && row->named == pair->named);
    }
    return any;
}

void pairs_end(struct pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        pairs->items[i].games += pair_has_met(pairs, &pairs->items[i]);
    }
}

/* Bargains. */

// An ask and an offer of the same help: whichever came second answers the other one.
static void note_counter(struct bargains *bargains, struct bargain *second)
{
    const unsigned kind = second->deal.kind == DEAL_ASK ? DEAL_VOLUNTEER : DEAL_ASK;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct bargain *const first = &bargains->open[i];
        if (first->deal.kind == kind && first->deal.to == second->deal.from &&
            first->deal.from == second->deal.to) {
            first->countered = true;
            second->counters = true;
        }
    }
}

static void open_bargain(struct bargains *bargains, struct bargain *at, const struct deal *deal)
{
    *at = (struct bargain){.deal = *deal};
    bargains->bribes += deal->kind == DEAL_BRIBE;
    if (deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER) {
        note_counter(bargains, at);
    }
    bargains->volunteered += deal->kind == DEAL_VOLUNTEER && !at->counters;
}

static void close_bargain(struct bargains *bargains, struct bargain *at)
{
    const unsigned kind = at->deal.kind;
    const unsigned price = at->deal.treasures;
    if (kind == DEAL_ASK && at->deal.to < MB_SEATS_MAX && !at->counters) {
        bargains->asked += at->made || at->refused || at->countered;
        bargains->haggled += at->countered;
        bargains->declined += at->refused && !at->countered;
    }
    bargains->hired += kind == DEAL_VOLUNTEER && at->made && !at->counters;
    bargains->bribed += kind == DEAL_BRIBE && at->made;
    if (at->made && (kind == DEAL_ASK || kind == DEAL_VOLUNTEER)) {
        bargains->price[price < BARGAINS_PRICES ? price : BARGAINS_PRICES - 1]++;
    }
    *at = (struct bargain){.made = false};
}

static void note_end(struct bargains *bargains, const struct event *note)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct bargain *const at = &bargains->open[i];
        if (at->deal.kind != DEAL_NONE && at->deal.id == note->n) {
            at->made = at->made || note->why == NOTE_DEAL_MADE;
            at->refused = at->refused || (note->why == NOTE_DEAL_OFF && note->m == 0);
        }
    }
}

static void bargains_event(struct bargains *bargains, const struct event *event)
{
    if (event->type == EVENT_NOTE &&
        (event->why == NOTE_DEAL_MADE || event->why == NOTE_DEAL_OFF)) {
        note_end(bargains, event);
    } else if (event->type == EVENT_DEAL) {
        struct bargain *const at = &bargains->open[event->n];
        if (event->u.deal.kind == DEAL_NONE) {
            close_bargain(bargains, at);
        } else {
            open_bargain(bargains, at, &event->u.deal);
        }
    }
}

/* Finals. */

enum { SETTLE_MAX = 8 };

static bool fight_is_final(const struct game *game, const struct box *box)
{
    return query_pause(game, PAUSE_WIN).kind == PAUSE_WIN && query_would_win(game, box) != 0;
}

// Lets answers and questions run out until something else is waited for.
static void settle_questions(struct game *game, const struct box *box)
{
    for (unsigned i = 0; i < SETTLE_MAX; i++) {
        const unsigned kind = query_clock(game).kind;
        struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
        command.n = (int16_t)kind;
        struct refusal why = {.code = REFUSAL_NONE};
        if ((kind != CLOCK_ANSWER && kind != CLOCK_DECISION) ||
            !game_step(game, box, &command, NULL, &why)) {
            return;
        }
    }
}

static bool play_would_stop(const struct simulate_step *step, const struct box *box,
                            const struct command *command)
{
    struct game *const then = step->scratch;
    struct refusal why = {.code = REFUSAL_NONE};
    game_copy(then, step->before);
    if (!game_step(then, box, command, NULL, &why)) {
        return false;
    }
    settle_questions(then, box);
    return query_phase(then) != PHASE_OVER && !prospect_drew(step->before, then) &&
           !query_asks(then) && !fight_is_final(then, box);
}

// What a seat has left unplayed: a one-shot in play, else a card of its hand.
static void look_at_unplayed(const struct simulate_step *step, const struct box *box, unsigned seat,
                             bool left[2])
{
    const struct move_list *const moves = &step->moves[seat];
    const bool careful = (step->careful & seat_bit(seat)) != 0;
    for (uint32_t i = 0; i < moves->count && !left[0]; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb != VERB_PLAY || moves->items[i].open != MOVE_CLOSED ||
            command->list_count > 0 || command->more_count > 0) {
            continue;
        }
        const bool lies = query_where(step->before, command->card) == pile_table(seat);
        if ((lies || (careful && !left[1])) && play_would_stop(step, box, command)) {
            left[lies ? 0 : 1] = true;
        }
    }
}

static bool fight_won(const struct event_list *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->items[i].type == EVENT_NOTE && events->items[i].why == NOTE_FIGHT_WON) {
            return true;
        }
    }
    return false;
}

void finals_step(struct finals *finals, const struct box *box, const struct simulate_step *step)
{
    if (finals->on && fight_is_final(step->before, box) && fight_won(step->events)) {
        const unsigned winners = query_would_win(step->before, box);
        bool left[2] = {false, false};
        for (unsigned seat = 0; seat < step->players; seat++) {
            if ((winners & seat_bit(seat)) == 0) {
                look_at_unplayed(step, box, seat, left);
            }
        }
        finals->won++;
        finals->open_left += left[0];
        finals->held_left += !left[0] && left[1];
    }
    const bool final = fight_is_final(step->after, box);
    finals->reached += final && !finals->on;
    finals->on = final || (finals->on && query_main(step->after) != NO_SEAT);
}

/* All of it. */

void balance_init(struct balance *balance, const struct box *box, unsigned players,
                  unsigned long games)
{
    memset(balance, 0, sizeof *balance);
    balance->box = box;
    balance->players = players;
    balance->rounds_capacity = games;
    balance->rounds = mb_new(games + 1, sizeof *balance->rounds);
    balance->cards = mb_new(box->def_count + 1u, sizeof *balance->cards);
    balance->stays = mb_new(box->card_count + 1u, sizeof *balance->stays);
    pairs_init(&balance->pairs, box);
    moments_init(&balance->moments, box, players);
}

void balance_finish(struct balance *balance)
{
    free(balance->rounds);
    free(balance->cards);
    free(balance->stays);
    pairs_finish(&balance->pairs);
    moments_finish(&balance->moments);
    balance->rounds = NULL;
    balance->cards = NULL;
    balance->stays = NULL;
}

void balance_begin(struct balance *balance)
{
    balance->first_seat = NO_SEAT;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        balance->killer[seat] = NO_CARD;
    }
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        balance->cards[def].seats = 0;
        balance->cards[def].kicked = 0;
    }
    for (unsigned card = 0; card < balance->box->card_count; card++) {
        balance->stays[card] = (struct usage_stay){.seat = NO_SEAT};
    }
    memset(balance->bargains.open, 0, sizeof balance->bargains.open);
    pairs_begin(&balance->pairs);
    moments_begin(&balance->moments);
    balance->finals.on = false;
}

static void count_note(struct balance *balance, const struct event *event)
{
    switch (event->why) {
    case NOTE_TURN_BEGINS:
        if (balance->first_seat == NO_SEAT) {
            balance->first_seat = event->seat;
        }
        return;
    case NOTE_BAD_STUFF:
        balance->killer[event->seat] = event->card;
        return;
    case NOTE_FIGHT_WON:
        balance->fights_alone += event->seat2 == NO_SEAT;
        balance->fights_helped += event->seat2 != NO_SEAT;
        return;
    case NOTE_GIVES_UP:
        balance->fights_fled++;
        return;
    default:
        return;
    }
}

static void count_level(struct balance *balance, const struct event *event)
{
    const int32_t change = event->n - event->m;
    if (event->why >= BALANCE_REASONS || change == 0) {
        return;
    }
    if (change > 0) {
        balance->gained[event->why] += (unsigned long)change;
    } else {
        balance->lost[event->why] += (unsigned long)-change;
    }
}

static void count_death(struct balance *balance, const struct event *event)
{
    balance->deaths++;
    const uint16_t killer = balance->killer[event->seat];
    if (killer != NO_CARD) {
        balance->cards[balance->box->card_def[killer]].deaths++;
    }
}

static void count_move(struct balance *balance, const struct event *event)
{
    if (event->seat >= balance->players || event->card >= balance->box->card_count) {
        return;
    }
    struct balance_card *const card = &balance->cards[balance->box->card_def[event->card]];
    if (moments_puts(balance->box, event)) {
        card->seats |= (uint8_t)seat_bit(event->seat);
    }
    if (event->why == MOVE_KICKED) {
        card->kicked |= (uint8_t)seat_bit(event->seat);
    }
}

static void count_event(struct balance *balance, const struct event *event)
{
    switch (event->type) {
    case EVENT_NOTE:
        count_note(balance, event);
        return;
    case EVENT_MOVE:
        count_move(balance, event);
        count_stay(balance, event);
        return;
    case EVENT_LEVEL:
        count_level(balance, event);
        return;
    case EVENT_DEATH:
        count_death(balance, event);
        return;
    default:
        return;
    }
}

void balance_events(struct balance *balance, const struct event_list *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        count_event(balance, &events->items[i]);
        bargains_event(&balance->bargains, &events->items[i]);
    }
}

void balance_step(struct balance *balance, const struct simulate_step *step)
{
    finals_step(&balance->finals, balance->box, step);
    pairs_step(&balance->pairs, step);
    moments_step(&balance->moments, step);
}

static void count_seat(struct balance *balance, const struct game *game, unsigned seat, bool won)
{
    if (!won) {
        const unsigned level = query_level(game, seat);
        balance->losers_by_level[level < BALANCE_LEVELS ? level : BALANCE_LEVELS - 1]++;
        return;
    }
    balance->wins++;
    balance->wins_by_seat[seat]++;
    if (balance->first_seat != NO_SEAT) {
        const unsigned order = (seat + balance->players - balance->first_seat) % balance->players;
        balance->wins_by_order[order]++;
    }
}

static bool one_seat(unsigned seats)
{
    return seats != 0 && (seats & (seats - 1u)) == 0;
}

static void count_card(struct balance *balance, unsigned def, unsigned winners)
{
    struct balance_card *const card = &balance->cards[def];
    if (one_seat(card->kicked)) {
        card->faced++;
        card->beat += (card->kicked & winners) != 0;
    }
    if (!one_seat(card->seats)) {
        return;
    }
    const bool won = (card->seats & winners) != 0;
    card->games++;
    card->wins += won;
    for (unsigned seat = 0; seat < balance->players; seat++) {
        if (card->seats == seat_bit(seat)) {
            moments_count(&balance->moments, def, seat, won);
        }
    }
}

void balance_end(struct balance *balance, const struct game *game)
{
    const unsigned winners = query_winners(game);
    if (balance->games == balance->rounds_capacity) {
        return; // more than were announced
    }
    close_stays(balance);
    pairs_end(&balance->pairs);
    balance->rounds[balance->games++] = query_round(game);
    balance->joint += (winners & (winners - 1u)) != 0;
    for (unsigned seat = 0; seat < balance->players; seat++) {
        count_seat(balance, game, seat, (winners & seat_bit(seat)) != 0);
    }
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        count_card(balance, def, winners);
    }
}

static int compare_rounds(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t balance_within(uint32_t *rounds, size_t count, unsigned percent)
{
    if (count == 0) {
        return 0;
    }
    qsort(rounds, count, sizeof *rounds, compare_rounds);
    const size_t at = (count * percent + 99) / 100;
    return rounds[at > 0 ? at - 1 : 0];
}

unsigned balance_share(unsigned long part, unsigned long of)
{
    return of > 0 ? (unsigned)((part * 2000 + of) / (2 * of)) : 0;
}
