// Moves: answering, Charity, Items, deals.
#include <assert.h>
#include <string.h>

#include "core/cards/equip.h"
#include "core/change/choice.h"
#include "core/deal/deal.h"
#include "core/loop/query.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/seen/move_parts.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/deal_book.h"
#include "core/work/fight_view.h"

static void choose_template(struct move_maker *maker, const struct query_decision *decision)
{
    struct move move = {.command = command_plain(maker->seat, VERB_CHOOSE),
                        .open = MOVE_LIST_OPEN,
                        .min = (uint8_t)decision->min,
                        .max = (uint8_t)decision->max,
                        .value_min = (int16_t)(decision->value_rule ? decision->value_min : 0)};
    unsigned count = decision->option_count < MOVE_CANDIDATES_MAX ? decision->option_count
                                                                  : (unsigned)MOVE_CANDIDATES_MAX;
    move.candidate_count = (uint8_t)count;
    memcpy(move.candidates, decision->options, count * sizeof move.candidates[0]);
    unsigned named = decision->min < count ? decision->min : count;
    assert(named <= MB_LIST_MAX); // row_check.c refuses more
    memcpy(move.command.list, decision->options, named * sizeof move.command.list[0]);
    if (decision->value_rule) {
        named = choice_default(maker->game, maker->box, maker->seat, move.command.list);
    }
    move.command.list_count = (uint8_t)named;
    move_add_template(maker, &move);
}

void moves_choose(struct move_maker *maker)
{
    struct query_decision decision;
    query_decision(maker->game, maker->box, maker->seat, &decision);
    if (decision.kind == DECIDE_TOTAL || decision.kind == DECIDE_CHARITY) {
        return;
    }
    if (decision.may_pass) {
        struct command command = command_plain(maker->seat, VERB_CHOOSE);
        move_add(maker, &command);
    }
    if (decision.max > 1 || decision.value_rule) {
        choose_template(maker, &decision);
        return;
    }
    for (unsigned i = 0; i < decision.option_count; i++) {
        struct command command = command_plain(maker->seat, VERB_CHOOSE);
        command.list[0] = decision.options[i];
        command.list_count = 1;
        move_add(maker, &command);
    }
}

static void hand_template(struct move_maker *maker, struct move *move, unsigned most)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_hand(maker->seat));
    for (; at != NO_CARD && move->candidate_count < MOVE_CANDIDATES_MAX;
         at = game->cards[at].next) {
        if (card_known(game, at)) {
            move->candidates[move->candidate_count++] = at;
        }
    }
    move->open = MOVE_LIST_OPEN;
    move->min = 1;
    move->max = (uint8_t)(most < MB_LIST_MAX ? most : MB_LIST_MAX);
    if (move->candidate_count > 0) {
        move->command.list[0] = move->candidates[0];
        move->command.list_count = 1;
        move_add_template(maker, move);
    }
}

/** How many cards may go to one receiver at once: the even share decides (CHARITY-2). */
static unsigned share_for(struct move_maker *maker, unsigned to, unsigned excess)
{
    struct command command = command_plain(maker->seat, VERB_CHARITY);
    command.to = (uint8_t)to;
    unsigned best = 0;
    uint16_t at = pile_first(maker->game, pile_hand(maker->seat));
    while (at != NO_CARD && command.list_count < excess && command.list_count < MB_LIST_MAX) {
        command.list[command.list_count++] = at;
        struct refusal why;
        best = game_check(maker->game, maker->box, &command, &why) ? command.list_count : best;
        at = maker->game->cards[at].next;
    }
    return best;
}

void moves_charity(struct move_maker *maker)
{
    const struct game *game = maker->game;
    if (game->turn != maker->seat || game->phase != PHASE_CHARITY) {
        return;
    }
    unsigned excess = (unsigned)turn_excess(game, maker->box, maker->seat);
    unsigned receivers = turn_charity_receivers(game, maker->seat);
    if (excess == 0) {
        return;
    }
    if (receivers == 0) {
        struct move move = {.command = command_plain(maker->seat, VERB_DISCARD)};
        hand_template(maker, &move, excess);
        return;
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        unsigned most = (receivers & seat_bit(seat)) != 0 ? share_for(maker, seat, excess) : 0u;
        if (most > 0) {
            struct move move = {.command = command_plain(maker->seat, VERB_CHARITY)};
            move.command.to = (uint8_t)seat;
            hand_template(maker, &move, most);
        }
    }
}

static void sell_template(struct move_maker *maker)
{
    const struct game *game = maker->game;
    if (game->turn != maker->seat || seat_fights(game, maker->seat)) {
        return;
    }
    struct move move = {.command = command_plain(maker->seat, VERB_SELL),
                        .open = MOVE_LIST_OPEN,
                        .min = 1,
                        .max = MB_LIST_MAX,
                        .value_min = (int16_t)sale_least(game, maker->box, maker->seat)};
    int total = 0;
    unsigned piles[2] = {pile_hand(maker->seat), pile_table(maker->seat)};
    for (unsigned p = 0; p < 2; p++) {
        uint16_t at = pile_first(game, piles[p]);
        for (; at != NO_CARD && move.candidate_count < MOVE_CANDIDATES_MAX;
             at = game->cards[at].next) {
            if (!sale_fits(game, maker->box, maker->seat, at)) {
                continue;
            }
            move.candidates[move.candidate_count++] = at;
            if (total < move.value_min && move.command.list_count < MB_LIST_MAX) {
                move.command.list[move.command.list_count++] = at;
            }
            total += sale_value(game, maker->box, at);
        }
    }
    if (total >= move.value_min) {
        move_add_template(maker, &move);
    }
}

/** Putting an Item on or off, and handing it to each follower. */
static void move_item(struct move_maker *maker, uint16_t item)
{
    const struct game *game = maker->game;
    bool equipped = (game->cards[item].flags & CARD_EQUIPPED) != 0;
    struct command command = command_plain(maker->seat, equipped ? VERB_UNEQUIP : VERB_EQUIP);
    command.card = item;
    move_add(maker, &command);
    command.verb = VERB_HAND_OVER;
    command.target_kind = TARGET_CARD;
    uint16_t host = pile_first(game, pile_table(maker->seat));
    for (; host != NO_CARD; host = game->cards[host].next) {
        if (box_def(maker->box, host)->kind == KIND_FOLLOWER) {
            command.target = host;
            move_add(maker, &command);
        }
    }
}

/** Identities and followers that may be dropped at will, any number of them at once (ACT-1). */
static void drop_template(struct move_maker *maker)
{
    const struct game *game = maker->game;
    struct move move = {.command = command_plain(maker->seat, VERB_DISCARD),
                        .open = MOVE_LIST_OPEN,
                        .min = 1,
                        .max = MB_LIST_MAX};
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD && move.candidate_count < MOVE_CANDIDATES_MAX; at = game->cards[at].next) {
        if (equip_may_drop(game, maker->box, at) && !deal_holds(game, maker->seat, at)) {
            move.candidates[move.candidate_count++] = at;
        }
    }
    if (move.candidate_count > 0) {
        move.command.list[0] = move.candidates[0];
        move.command.list_count = 1;
        move_add_template(maker, &move);
    }
}

void moves_items(struct move_maker *maker)
{
    const struct game *game = maker->game;
    sell_template(maker);
    drop_template(maker);
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; game->charity_open == 0 && at != NO_CARD; at = game->cards[at].next) {
        if (box_def(maker->box, at)->kind == KIND_ITEM && move_first_alike(maker, at) &&
            equip_free(game, maker->box, maker->seat)) {
            move_item(maker, at);
        }
    }
}

/** An Item or follower that not everybody has room for. */
static bool needs_room(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    bool big = kind_is_item(def->kind) && (def->flags & DEF_BIG) != 0;
    return big || (def->kind == KIND_FOLLOWER && (def->flags & DEF_VALUE) != 0);
}

/** Whether the receiver has room for everything of the giver's that needs some. */
static bool room_for_all(const struct move_maker *maker, const struct command *base)
{
    const struct game *game = maker->game;
    struct command command = *base;
    struct refusal why;
    command.list_count = 0;
    uint16_t at = pile_first(game, pile_table(command.seat));
    for (; at != NO_CARD && command.list_count < MB_DEAL_CARDS; at = game->cards[at].next) {
        if (needs_room(maker->box, at)) {
            command.list[command.list_count++] = at;
        }
    }
    return command.list_count > 0 && game_check(game, maker->box, &command, &why);
}

/** Own Items for an open list: all of them if the receiver has room, else those that need none. */
static void item_candidates(struct move_maker *maker, struct move *move)
{
    const struct game *game = maker->game;
    bool all = room_for_all(maker, &move->command);
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD && move->candidate_count < MOVE_CANDIDATES_MAX;
         at = game->cards[at].next) {
        if (needs_room(maker->box, at) ? all : kind_is_item(box_def(maker->box, at)->kind)) {
            move->candidates[move->candidate_count++] = at;
        }
    }
    move->open = MOVE_LIST_OPEN;
    move->min = 1;
    move->max = MB_DEAL_CARDS;
    if (move->candidate_count > 0) {
        move->command.list[0] = move->candidates[0];
        move->command.list_count = 1;
    }
}

/** Those that need room, one by one, where the open list could not take them. */
static void add_singles(struct move_maker *maker, const struct move *template)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        bool listed = false;
        for (unsigned i = 0; i < template->candidate_count; i++) {
            listed |= template->candidates[i] == at;
        }
        if (!listed && needs_room(maker->box, at) && move_first_alike(maker, at)) {
            struct command command = template->command;
            command.list[0] = at;
            command.list_count = 1;
            move_add(maker, &command);
        }
    }
}

/** Goods of a seat for one list of a trade: `special` first, which must be there, if it is a card;
 * then what may be there as well. Returns how many. */
static unsigned trade_goods(const struct move_maker *maker, unsigned seat, uint16_t special,
                            bool room, uint16_t *out, unsigned max)
{
    const struct game *game = maker->game;
    unsigned count = 0;
    if (special != NO_CARD) {
        out[count++] = special;
    }
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD && count < max; at = game->cards[at].next) {
        bool fits = needs_room(maker->box, at) ? room : kind_is_item(box_def(maker->box, at)->kind);
        if (fits && at != special) {
            out[count++] = at;
        }
    }
    return count;
}

/** A trade of what may go anywhere, with one card of each side that needs room, or none. */
static void add_trade(struct move_maker *maker, unsigned to, const uint16_t special[2],
                      const bool room[2])
{
    struct move trade = {.command = command_plain(maker->seat, VERB_OFFER), .open = MOVE_LIST_OPEN};
    trade.command.to = (uint8_t)to;
    trade.must = special[0] != NO_CARD ? 1 : 0;
    trade.more_must = special[1] != NO_CARD ? 1 : 0;
    trade.candidate_count = (uint8_t)trade_goods(maker, maker->seat, special[0], room[0],
                                                 trade.candidates, MOVE_CANDIDATES_MAX);
    trade.more_count =
        (uint8_t)trade_goods(maker, to, special[1], room[1], trade.more, MOVE_MORE_MAX);
    if (trade.candidate_count == 0 || trade.more_count == 0) {
        return;
    }
    trade.min = 1;
    trade.max = MB_DEAL_CARDS;
    trade.more_min = 1;
    trade.more_max = MB_DEAL_CARDS;
    trade.command.list[0] = trade.candidates[0];
    trade.command.list_count = 1;
    trade.command.more[0] = trade.more[0];
    trade.command.more_count = 1;
    move_add_template(maker, &trade);
}

/** The next card of a seat that needs room; after NO_CARD the first one. */
static uint16_t next_special(const struct move_maker *maker, unsigned seat, uint16_t from)
{
    const struct game *game = maker->game;
    uint16_t at = from == NO_CARD ? pile_first(game, pile_table(seat)) : game->cards[from].next;
    while (at != NO_CARD && (!needs_room(maker->box, at) || !move_first_alike(maker, at))) {
        at = game->cards[at].next;
    }
    return at;
}

/** Trades: any goods that there is room for; and, where there is not room for all, what needs some
 * card by card, for whoever gives such a card has room for another. */
static void add_trades(struct move_maker *maker, unsigned to)
{
    struct command gift = command_plain(maker->seat, VERB_GIVE);
    struct command back = command_plain(to, VERB_GIVE);
    gift.to = (uint8_t)to;
    back.to = (uint8_t)maker->seat;
    const bool room[2] = {room_for_all(maker, &gift), room_for_all(maker, &back)};
    const bool none[2] = {false, false};
    uint16_t special[2] = {NO_CARD, NO_CARD};
    add_trade(maker, to, special, room);
    if (room[0] && room[1]) {
        return;
    }
    do {
        do {
            const bool had = (special[0] == NO_CARD || room[0]) && special[1] == NO_CARD;
            const bool has = (special[1] == NO_CARD || room[1]) && special[0] == NO_CARD;
            if (!had && !has) {
                add_trade(maker, to, special, none);
            }
            special[1] = next_special(maker, to, special[1]);
        } while (special[1] != NO_CARD);
        special[0] = next_special(maker, maker->seat, special[0]);
    } while (special[0] != NO_CARD);
}

static void add_gifts(struct move_maker *maker, unsigned to)
{
    struct move gift = {.command = command_plain(maker->seat, VERB_GIVE)};
    gift.command.to = (uint8_t)to;
    item_candidates(maker, &gift);
    if (gift.candidate_count > 0) {
        move_add_template(maker, &gift);
    }
    add_singles(maker, &gift);
    add_trades(maker, to);
}

static void add_bribe(struct move_maker *maker, unsigned to)
{
    struct move bribe = {.command = command_plain(maker->seat, VERB_OFFER)};
    bribe.command.to = (uint8_t)to;
    bribe.command.bribe = 1;
    item_candidates(maker, &bribe);
    move_add_template(maker, &bribe);
    add_singles(maker, &bribe);
}

/** Hand cards that an ask may promise. */
static void promise_candidates(struct move_maker *maker, struct move *offer)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_hand(maker->seat));
    for (; at != NO_CARD && offer->more_count < MOVE_MORE_MAX; at = game->cards[at].next) {
        struct refusal why = {.code = REFUSAL_NONE};
        if (card_known(game, at) && deal_may_promise(game, maker->box, &offer->command, at, &why)) {
            offer->more[offer->more_count++] = at;
        }
    }
}

/** Asks for so many Treasures with one Item that needs room each; those for none are `singles`. */
static void add_single_asks(struct move_maker *maker, struct move_list singles, int n)
{
    for (unsigned i = 0; i < singles.count; i++) {
        struct command command = singles.items[i].command;
        command.n = (int16_t)n;
        move_add_checked(maker, &command);
    }
}

static void add_asks(struct move_maker *maker, unsigned to)
{
    const struct game *game = maker->game;
    struct move_list *out = maker->out;
    struct move offer = {.command = command_plain(maker->seat, VERB_ASK)};
    offer.command.to = (uint8_t)to;
    uint32_t plain = out->count;
    if (!move_add(maker, &offer.command) ||
        deal_forces_help(game, maker->box, maker->seat, to)) { // no price is taken (HELP-3)
        return;
    }
    // Whoever may ask for nothing may offer any of the Treasures in sight; and what else may be
    // offered with some may be with others.
    int most = fight_treasures(game, maker->box);
    struct command command = offer.command;
    for (int n = 1; n <= most; n++) {
        command.n = (int16_t)n;
        move_add_checked(maker, &command);
    }
    item_candidates(maker, &offer);
    struct move_list singles = {.items = out->items + out->count};
    uint32_t before = out->count;
    add_singles(maker, &offer);
    singles.count = out->count - before;
    offer.min = 0;
    offer.command.list_count = 0;
    promise_candidates(maker, &offer);
    offer.more_max = offer.more_count < MB_DEAL_CARDS ? offer.more_count : (uint8_t)MB_DEAL_CARDS;
    offer.max = offer.max < offer.candidate_count ? offer.max : offer.candidate_count;
    for (int n = 0; n <= most; n++) {
        if (n > 0) {
            add_single_asks(maker, singles, n);
        }
        if ((offer.candidate_count > 0 || offer.more_count > 0) && plain + (unsigned)n < before) {
            out->items[plain + (unsigned)n] = offer; // the plain ask becomes a template
            out->items[plain + (unsigned)n].command.n = (int16_t)n;
        }
    }
}

static void add_answer(struct move_maker *maker, const struct deal *deal, unsigned verb)
{
    struct command command = command_plain(maker->seat, verb);
    command.n = deal->id;
    move_add(maker, &command);
}

static void add_answers(struct move_maker *maker)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &maker->game->deals[i];
        if (deal->kind == DEAL_NONE) {
            continue;
        }
        if (deal->from == maker->seat) {
            add_answer(maker, deal, VERB_WITHDRAW);
        } else if (deal->to == maker->seat || deal->to == ALL_SEATS) {
            add_answer(maker, deal, VERB_ACCEPT);
            add_answer(maker, deal, VERB_REFUSE);
        }
    }
}

/** Whether the seat has anything in play that may change hands. */
static bool has_goods(const struct move_maker *maker)
{
    const struct game *game = maker->game;
    uint16_t at = pile_first(game, pile_table(maker->seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (kind_is_item(box_def(maker->box, at)->kind) || needs_room(maker->box, at)) {
            return true;
        }
    }
    return false;
}

void moves_deals(struct move_maker *maker)
{
    const struct game *game = maker->game;
    unsigned seat = maker->seat;
    add_answers(maker);
    if (!maker->all) {
        return;
    }
    bool fights = seat_fights(game, seat);
    bool help = deal_help_open(game, maker->box);
    if (help && game->fight.main == seat) {
        for (unsigned to = 0; to < game->seat_count; to++) {
            if (to != seat && game->seats[to].alive != 0) {
                add_asks(maker, to);
            }
        }
        add_asks(maker, ALL_SEATS);
    }
    struct command volunteer = command_plain(seat, VERB_VOLUNTEER);
    if (help && !fights && move_add(maker, &volunteer)) { // for nothing; then for any in sight too
        int most = fight_treasures(game, maker->box);
        for (int n = 1; n <= most; n++) {
            volunteer.n = (int16_t)n;
            move_add_checked(maker, &volunteer);
        }
    }
    bool trades = !fights && game->phase != PHASE_SETUP && has_goods(maker);
    for (unsigned to = 0; trades && to < game->seat_count; to++) {
        if (to != seat && game->seats[to].alive != 0 && !seat_fights(game, to)) {
            add_gifts(maker, to);
            if (game->fight.on != 0) {
                add_bribe(maker, to);
            }
        }
    }
}
