#include "core/loop/query.h"

#include <stddef.h>

#include "core/cards/equip.h"
#include "core/change/choice.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/deal_book.h"
#include "core/work/fight_view.h"

unsigned query_phase(const struct game *game)
{
    return game->phase;
}

unsigned query_turn(const struct game *game)
{
    return game->turn;
}

unsigned query_round(const struct game *game)
{
    return game->round;
}

unsigned query_seat_count(const struct game *game)
{
    return game->seat_count;
}

unsigned query_winners(const struct game *game)
{
    return game->winners;
}

uint32_t query_version(const struct game *game)
{
    return game->version;
}

uint32_t query_public_mark(const struct game *game)
{
    uint32_t mark = (uint32_t)game->round * MB_SEATS_MAX + game->turn;
    mark += (uint32_t)game->phase + game->decision_id + game->deal_next;
    mark += (uint32_t)game->window.restarts + game->window.holds + game->moment.restarts;
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        mark += game->piles[pile].count * pile; // a card that goes elsewhere counts
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        mark += game->seats[seat].level;
    }
    return mark;
}

unsigned query_level(const struct game *game, unsigned seat)
{
    return game->seats[seat].level;
}

bool query_alive(const struct game *game, unsigned seat)
{
    return game->seats[seat].alive != 0;
}

bool query_female(const struct game *game, unsigned seat)
{
    return game->seats[seat].female != 0;
}

unsigned query_bribed(const struct game *game)
{
    return game->bribed;
}

unsigned query_count(const struct game *game, unsigned pile)
{
    return pile_count(game, pile);
}

uint16_t query_first(const struct game *game, unsigned pile)
{
    return pile_first(game, pile);
}

uint16_t query_next(const struct game *game, uint16_t card)
{
    return game->cards[card].next;
}

void query_pile(const struct game *game, unsigned pile, struct card_list *out)
{
    out->count = 0;
    if (pile == PILE_DOOR_DECK || pile == PILE_TREASURE_DECK) {
        return;
    }
    uint16_t at = pile_first(game, pile);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (card_known(game, at)) {
            out->cards[out->count++] = at;
        }
    }
}

unsigned query_where(const struct game *game, uint16_t card)
{
    bool deck =
        game->cards[card].pile == PILE_DOOR_DECK || game->cards[card].pile == PILE_TREASURE_DECK;
    return deck || !card_known(game, card) ? (unsigned)PILE_TOTAL : game->cards[card].pile;
}

bool query_in_hand(const struct game *game, uint16_t card)
{
    return pile_is_hand(game->cards[card].pile);
}

unsigned query_owner(const struct game *game, uint16_t card)
{
    return game->cards[card].seat;
}

unsigned query_knowers(const struct game *game, uint16_t card)
{
    return game->cards[card].knowers;
}

bool query_lasts(const struct game *game, uint16_t card)
{
    for (unsigned i = 0; i < game->lasting_top; i++) {
        if (game->lasting[i].op != LASTING_FREE && game->lasting[i].source == card) {
            return true;
        }
    }
    return false;
}

unsigned query_flags(const struct game *game, uint16_t card)
{
    return game->cards[card].flags;
}

uint16_t query_host(const struct game *game, uint16_t card)
{
    return game->cards[card].host;
}

int query_strength(const struct game *game, const struct box *box, unsigned seat)
{
    return strength_own(game, box, seat, NULL);
}

int query_hand_limit(const struct game *game, const struct box *box, unsigned seat)
{
    return strength_hand_limit(game, box, seat);
}

int query_run_bonus(const struct game *game, const struct box *box, unsigned seat)
{
    return strength_run_bonus(game, box, seat);
}

int query_excess(const struct game *game, const struct box *box, unsigned seat)
{
    return turn_excess(game, box, seat);
}

void query_obstacles(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     struct refusal *why)
{
    equip_obstacles(game, box, seat, card, why);
}

bool query_wearable(const struct game *game, const struct box *box, unsigned seat, uint16_t card)
{
    struct refusal why = {.code = REFUSAL_NONE};
    equip_obstacles(game, box, seat, card, &why);
    return why.code == REFUSAL_NONE;
}

bool query_overdressed(const struct game *game, const struct box *box, unsigned seat)
{
    static const uint8_t SLOTS[] = {SLOT_HEADGEAR, SLOT_ARMOR, SLOT_FOOTGEAR, SLOT_HAND};
    bool over = false;
    for (unsigned i = 0; i < sizeof SLOTS; i++) {
        over = over || equip_excess(game, box, seat, SLOTS[i]) > 0;
    }
    return over;
}

int query_sale_value(const struct game *game, const struct box *box, uint16_t card)
{
    return sale_value(game, box, card);
}

int query_rank_total(const struct game *game, const struct box *box, unsigned seat)
{
    return strength_rank_total(game, box, seat);
}

int query_rank_limit(const struct game *game, const struct box *box, unsigned seat)
{
    return strength_rank_limit(game, box, seat);
}

unsigned query_main(const struct game *game)
{
    return game->fight.on != 0 ? game->fight.main : (unsigned)NO_SEAT;
}

unsigned query_helper(const struct game *game)
{
    return game->fight.on != 0 ? game->fight.helper : (unsigned)NO_SEAT;
}

bool query_gave_up(const struct game *game)
{
    return (game->fight.flags & FIGHT_GAVE_UP) != 0;
}

unsigned query_unwilling(const struct game *game)
{
    return (unsigned)game->fight.refused | game->bribed;
}

const struct monster *query_monster(const struct game *game, unsigned index)
{
    const struct monster *const monster = &game->fight.monsters[index];
    const bool there = game->fight.on != 0 && index < game->fight.monster_count &&
                       (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
    return there ? monster : NULL;
}

void query_fight(const struct game *game, const struct box *box, struct query_fight *out)
{
    const struct fight *fight = &game->fight;
    *out = (struct query_fight){.on = fight->on != 0, .main = fight->main, .helper = NO_SEAT};
    if (!out->on) {
        return;
    }
    out->helper = fight->helper;
    out->players = strength_players(game, box, NULL);
    out->monsters = strength_monsters(game, box, NULL);
    out->players_win = strength_players_win(game, box);
    out->gave_up = (fight->flags & FIGHT_GAVE_UP) != 0;
    unsigned main = out->gave_up ? flee_pending(game, fight->main) : 0;
    unsigned helper =
        out->gave_up && fight->helper != NO_SEAT ? flee_pending(game, fight->helper) : 0;
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if ((fight->monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) != 0) {
            continue;
        }
        unsigned at = out->monster_count++;
        out->after[at] = (main >> i & 1u) != 0 ? seat_bit(fight->main) : 0u;
        out->after[at] |= (helper >> i & 1u) != 0 ? seat_bit(fight->helper) : 0u;
        out->monster[at] = fight->monsters[i].card;
        out->face[at] = fight->monsters[i].group;
        out->monster_strength[at] = strength_monster(game, box, i, NULL);
        out->treasures += strength_treasures(game, box, i);
    }
}

uint16_t query_face(const struct game *game, uint16_t card)
{
    const struct fight *fight = &game->fight;
    for (unsigned i = 0; fight->on != 0 && i < fight->monster_count; i++) {
        const struct monster *monster = &fight->monsters[i];
        if (monster->card == card && (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            return monster->group;
        }
    }
    return card;
}

void query_sum(const struct game *game, const struct box *box, unsigned side, struct sum *out)
{
    out->count = 0;
    out->total = 0;
    if (side == SIDE_PLAYERS) {
        strength_players(game, box, out);
    } else {
        strength_monsters(game, box, out);
    }
}

static void charity_decision(const struct game *game, const struct box *box, unsigned seat,
                             struct query_decision *out)
{
    out->kind = DECIDE_CHARITY;
    out->min = (unsigned)turn_excess(game, box, seat);
    out->max = out->min;
    out->options_are_cards = true;
    uint16_t at = pile_first(game, pile_hand(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (card_known(game, at)) {
            out->options[out->option_count++] = at;
        }
    }
}

static void helper_decision(const struct game *game, int index, struct query_decision *out)
{
    out->kind = DECIDE_ASK_HELP;
    out->min = 1;
    out->max = 1;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if ((game->deals[index].accepted & seat_bit(seat)) != 0) {
            out->options[out->option_count++] = (uint16_t)seat;
        }
    }
}

static void open_decision(const struct game *game, const struct box *box, unsigned seat,
                          struct query_decision *out)
{
    const struct decision *decision = &game->decision;
    out->kind = decision->kind;
    out->min = decision->min;
    out->max = decision->max;
    out->may_pass = decision->may_pass != 0;
    out->subject = decision->subject;
    out->source = decision->source;
    out->id = decision->id;
    out->value_rule = decision->value_min > 0;
    out->value_min = decision->value_min;
    out->options_are_cards = choice_of_cards(game);
    if (!out->options_are_cards) {
        for (unsigned i = 0; i < decision->option_count; i++) {
            out->options[out->option_count++] = decision->options[i];
        }
        return;
    }
    out->option_count = choice_list(game, box, seat, out->options);
}

void query_decision(const struct game *game, const struct box *box, unsigned seat,
                    struct query_decision *out)
{
    out->kind = DECIDE_TOTAL;
    out->min = 0;
    out->max = 0;
    out->may_pass = false;
    out->subject = NO_CARD;
    out->source = NO_CARD;
    out->id = 0;
    out->option_count = 0;
    out->options_are_cards = false;
    out->value_rule = false;
    out->value_min = 0;
    if (seat >= game->seat_count) {
        return;
    }
    unsigned due = game->decision.seats & ~(unsigned)game->decision.answered;
    int all = deal_all_answered(game, seat);
    if (game->decision.open == 1) {
        if ((due & seat_bit(seat)) != 0) {
            open_decision(game, box, seat, out);
        }
    } else if (turn_charity_waits(game) && game->turn == seat) {
        charity_decision(game, box, seat, out);
    } else if (all >= 0 && game->deals[all].accepted != 0) {
        helper_decision(game, all, out);
    }
}

bool query_asks(const struct game *game)
{
    return game->decision.open != 0;
}

unsigned query_undecided(const struct game *game)
{
    if (game->decision.open == 1) {
        return game->decision.seats & ~(unsigned)game->decision.answered;
    }
    return turn_charity_waits(game) ? seat_bit(game->turn) : 0u;
}

struct pause query_pause(const struct game *game, unsigned kind)
{
    return kind == PAUSE_WIN ? game->window : game->moment;
}

uint16_t query_answered_card(const struct game *game)
{
    const struct frame *top = frame_top(game);
    if (top != NULL && top->kind == FRAME_PLAYED) {
        return top->played.card;
    }
    return top != NULL && top->kind == FRAME_CURSE ? top->curse.card : NO_CARD;
}

unsigned query_answered_seat(const struct game *game)
{
    const struct frame *top = frame_top(game);
    return top != NULL && top->kind == FRAME_CURSE ? top->seat : (unsigned)NO_SEAT;
}

unsigned query_win_level(const struct game *game, const struct box *box)
{
    unsigned level = game->fight.main < MB_SEATS_MAX ? game->seats[game->fight.main].level : 0u;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            level += (unsigned)strength_kill_levels(game, box, i);
        }
    }
    unsigned goal = (unsigned)box->profile.constant[PROFILE_GOAL];
    if (game->fight.on != 0 && fight_would_win_game(game, box, game->fight.helper)) {
        return goal; // the helper's Level may end the game too
    }
    return level < goal ? level : goal;
}

unsigned query_would_win(const struct game *game, const struct box *box)
{
    const unsigned helper = game->fight.helper;
    unsigned seats =
        fight_would_win_game(game, box, game->fight.main) ? seat_bit(game->fight.main) : 0u;
    if (helper < MB_SEATS_MAX && (fight_would_win_game(game, box, helper) ||
                                  (seats != 0 && box->profile.flag[FLAG_SHARED_VICTORY]))) {
        seats |= seat_bit(helper);
    }
    return seats;
}

unsigned query_deal_count(const struct game *game)
{
    unsigned count = 0;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        count += game->deals[i].kind != DEAL_NONE;
    }
    return count;
}

void query_bargain(const struct game *game, struct deal *out)
{
    const struct fight *fight = &game->fight;
    *out = (struct deal){.kind = DEAL_NONE};
    if (fight->on == 0 || fight->helper == NO_SEAT) {
        return;
    }
    out->kind = DEAL_ASK;
    out->from = fight->main;
    out->to = fight->helper;
    out->treasures = fight->helper_treasures;
    out->picking = (fight->flags & FIGHT_PICK_FIRST) != 0 ? 1 : 0;
    for (unsigned i = 0; i < fight->promise_count; i++) {
        uint16_t card = fight->promised[i];
        bool open = card != NO_CARD && pile_is_table(game->cards[card].pile);
        if (open && out->gives_count < MB_DEAL_CARDS) {
            out->gives[out->gives_count++] = card;
        } else if (!open && out->promises_count < MB_DEAL_CARDS) {
            out->promises[out->promises_count++] = card;
        }
    }
}

const struct deal *query_deal(const struct game *game, unsigned index)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        if (game->deals[i].kind != DEAL_NONE && index-- == 0) {
            return &game->deals[i];
        }
    }
    return NULL;
}

bool query_offered(const struct game *game, unsigned seat)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        if (game->deals[i].kind != DEAL_NONE && deal_awaits(&game->deals[i], seat)) {
            return true;
        }
    }
    return false;
}

struct query_clock query_clock(const struct game *game)
{
    struct query_clock clock = {CLOCK_NONE, 0};
    if (game->phase == PHASE_OVER) {
        return clock;
    }
    if (game->decision.open == 1) {
        return (struct query_clock){CLOCK_DECISION, query_undecided(game)};
    }
    if (game->moment.kind == PAUSE_ANSWER) {
        return (struct query_clock){CLOCK_ANSWER, game->moment.waited};
    }
    if (game->window.kind == PAUSE_WIN) {
        return (struct query_clock){CLOCK_WINDOW, game->window.waited};
    }
    if (game->phase == PHASE_SETUP) {
        unsigned waiting = 0;
        for (unsigned seat = 0; seat < game->seat_count; seat++) {
            bool ready = (game->seats[seat].flags & SEAT_READY) != 0;
            waiting |= ready ? 0u : seat_bit(seat);
        }
        return (struct query_clock){CLOCK_DECISION, waiting};
    }
    const struct frame *flee = frame_find(game, FRAME_FLEE);
    if (flee != NULL && flee->seat < MB_SEATS_MAX) {
        return (struct query_clock){CLOCK_TURN, seat_bit(flee->seat)};
    }
    unsigned actor = game->fight.on != 0 ? game->fight.main : game->turn;
    return (struct query_clock){CLOCK_TURN, seat_bit(actor)};
}

unsigned query_awaited(const struct game *game)
{
    struct query_clock clock = query_clock(game);
    unsigned asked = 0;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &game->deals[i];
        if (deal->kind == DEAL_ASK) {
            asked |= deal->to == ALL_SEATS ? seats_alive(game) & ~(unsigned)seat_bit(deal->from)
                                           : seat_bit(deal->to);
        }
    }
    return clock.kind == CLOCK_TURN && asked != 0 ? asked : clock.seats;
}
