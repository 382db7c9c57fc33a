/*
 * Help and trade: what to ask and whom, what to offer, what to agree to. The one asked is taken to
 * reckon as oneself would in that seat, from what everybody can see.
 */
#include <string.h>

#include "core/base/rng.h"
#include "core/game.h"
#include "core/loop/prospect.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum {
    ACCEPT_MIN = 4,
    HELP_MIN = 14,  // what the one asked should gain, as far as one can see
    OFFER_MIN = 12, // what an offer of one's own must gain
    BRIBE_MIN = 8,  // what a bribe must spare beyond its price
    TRADE_CHANCE = 8,
    MODEL_SPITE = 26, // how grudging others are taken to be
    PER_CENT = 100
};

static bool try_command(const struct mind *mind, struct game *game, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    return game_step(game, mind->box, command, NULL, &why);
}

// The fight with a helper in it, on a copy; false if that cannot be.
static bool with_helper(const struct mind *mind, const struct deal *deal, unsigned helper,
                        struct game *after)
{
    game_copy(after, mind->view);
    const unsigned main = query_main(mind->view);
    struct command ask = command_plain(main, VERB_ASK);
    ask.to = (uint8_t)helper;
    ask.n = deal->treasures;
    ask.picking = deal->picking;
    if (!try_command(mind, after, &ask)) {
        return false;
    }
    if (query_helper(after) == helper) {
        return true; // some cannot refuse
    }
    const struct command yes = command_plain(helper, VERB_ACCEPT);
    for (unsigned i = 0; i < query_deal_count(after); i++) {
        const struct deal *const open = query_deal(after, i);
        if (open->kind == DEAL_ASK && open->from == main && open->to == helper) {
            struct command accept = yes;
            accept.n = open->id;
            return try_command(mind, after, &accept) && query_helper(after) == helper;
        }
    }
    return false;
}

static int promised_worth(const struct mind *mind, const struct deal *deal)
{
    int worth = 0;
    for (unsigned i = 0; i < deal->gives_count; i++) {
        worth += worth_carried(mind, mind->view, mind->seat, deal->gives[i]);
    }
    return worth;
}

// What agreeing gains; WORTH_NEVER if it cannot be done.
static int gain_of(const struct mind *mind, const struct deal *deal, const struct command *accept)
{
    struct game *const after = mind->in->scratch;
    if (deal->kind == DEAL_ASK) {
        if (!with_helper(mind, deal, mind->seat, after) || outlook_margin(after, mind->box) <= 0) {
            return WORTH_NEVER; // dying together is no help
        }
        return mind_judge(mind, after) - mind->now + promised_worth(mind, deal) * 4 / 5;
    }
    if (!mind_try(mind, accept, after)) {
        return WORTH_NEVER;
    }
    return mind_judge(mind, after) - mind->now;
}

static const struct deal *deal_of(const struct mind *mind, int id)
{
    for (unsigned i = 0; i < query_deal_count(mind->view); i++) {
        const struct deal *const deal = query_deal(mind->view, i);
        if (deal->id == id) {
            return deal;
        }
    }
    return NULL;
}

static bool has_answered(const struct mind *mind, const struct deal *deal)
{
    return ((deal->accepted | deal->refused) & seat_bit(mind->seat)) != 0;
}

// What the other party makes of it, by what all can see.
static int model_gain(const struct mind *mind, const struct game *after, unsigned other,
                      unsigned rival)
{
    const int theirs = worth_seat(mind, after, other) - mind->worth[other];
    const int rivals = worth_seat(mind, after, rival) - mind->worth[rival];
    return theirs - MODEL_SPITE * rivals / PER_CENT;
}

// Help of one seat in the fight, and what it may cost. All figures are gains.
struct bargain {
    int most;             // Treasures in sight
    int free[2], dear[2]; // of the helper, of the main fighter: for none of them, for all
    int least, dearest; // Treasures: what the helper should want; what the main fighter has to give
};

enum { HELPER, MAIN };

static int gain_at(const struct bargain *bargain, unsigned who, int price)
{
    const int more = bargain->dear[who] - bargain->free[who];
    return bargain->free[who] + (bargain->most > 0 ? more * price / bargain->most : 0);
}

// False if the help is of no use.
static bool weigh_bargain(const struct mind *mind, unsigned helper, struct bargain *out)
{
    struct game *const after = mind->in->scratch;
    const unsigned parties[2] = {helper, query_main(mind->view)};
    *out = (struct bargain){.most = prospect_treasures(mind->view, mind->box)};
    for (unsigned all = 0; all < 2; all++) {
        struct deal deal = {.kind = DEAL_ASK};
        deal.treasures = (uint8_t)(all != 0 ? out->most : 0);
        if (!with_helper(mind, &deal, helper, after) || outlook_margin(after, mind->box) <= 0) {
            return false; // dying together is no help
        }
        for (unsigned who = 0; who < 2; who++) {
            const unsigned seat = parties[who];
            *(all != 0 ? &out->dear[who] : &out->free[who]) =
                seat == mind->seat ? mind_judge(mind, after) - mind->now
                                   : model_gain(mind, after, seat, parties[1 - who]);
        }
    }
    while (out->least <= out->most && gain_at(out, HELPER, out->least) < HELP_MIN) {
        out->least++;
    }
    out->dearest = out->most;
    while (out->dearest >= 0 && gain_at(out, MAIN, out->dearest) < OFFER_MIN) {
        out->dearest--;
    }
    return true;
}

// What helping is likely to bring: the helper's part of what there is to be agreed on is small.
static int helper_hopes(const struct bargain *bargain)
{
    const int room = bargain->dearest - bargain->least;
    return room < 0 ? 0 : gain_at(bargain, HELPER, bargain->least + room / 3);
}

// Treasures to name first: of what lies between the two the other is left a share; who haggles
// begins beyond what the other should want. Below 0: there is nothing to be agreed on.
static int first_price(const struct mind *mind, const struct bargain *bargain, unsigned who)
{
    const int room = bargain->dearest - bargain->least;
    const int left = (room * mind->temper->shares + PER_CENT / 2) / PER_CENT;
    const int step = (int)mb_rng_below(mind->in->rng, PER_CENT) < mind->temper->haggles ? 1 : 0;
    int price = who == MAIN ? bargain->least + left - step : bargain->dearest - left + step;
    price = price > bargain->most ? bargain->most : price;
    return room < 0 ? -1 : (price > 0 ? price : 0);
}

// An open deal about help between two seats.
static const struct deal *find_deal(const struct mind *mind, unsigned kind, unsigned from,
                                    unsigned to)
{
    for (unsigned i = 0; i < query_deal_count(mind->view); i++) {
        const struct deal *const deal = query_deal(mind->view, i);
        if (deal->kind == kind && deal->from == from && deal->to == to) {
            return deal;
        }
    }
    return NULL;
}

static bool is_unwilling(const struct mind *mind, unsigned seat)
{
    return (query_unwilling(mind->view) & seat_bit(seat)) != 0;
}

// An answer at another price: who is asked offers its help, who is offered help asks for it. Once a
// fight: who has said no to somebody stays with it.
static bool try_haggling(const struct mind *mind, const struct deal *deal, struct command *out)
{
    const bool asked = deal->kind == DEAL_ASK && deal->to == mind->seat;
    const bool offered = deal->kind == DEAL_VOLUNTEER;
    const unsigned helper = asked ? mind->seat : deal->from;
    struct bargain bargain;
    if (!mind->temper->bargains || (!asked && !offered) || is_unwilling(mind, helper) ||
        find_deal(mind, asked ? DEAL_VOLUNTEER : DEAL_ASK, mind->seat, deal->from) != NULL ||
        mind_find(mind, asked ? VERB_VOLUNTEER : VERB_ASK) == NULL ||
        !weigh_bargain(mind, helper, &bargain)) {
        return false;
    }
    const int price = first_price(mind, &bargain, asked ? HELPER : MAIN);
    *out = command_plain(mind->seat, asked ? VERB_VOLUNTEER : VERB_ASK);
    out->to = (uint8_t)(asked ? NO_SEAT : helper);
    out->n = (int16_t)price;
    return price >= 0 && (asked ? price > deal->treasures : price < deal->treasures);
}

static bool says_yes(const struct mind *mind, const struct deal *deal, const struct command *yes)
{
    int gain = gain_of(mind, deal, yes) + mind_noise(mind);
    struct bargain bargain;
    if (deal->kind == DEAL_BRIBE && weigh_bargain(mind, mind->seat, &bargain)) {
        gain -= helper_hopes(&bargain);
    }
    return gain >= ACCEPT_MIN;
}

// Yes, another price, or no; `yes` is NULL where that cannot be said. False: waits for an answer.
static bool answer_deal(const struct mind *mind, const struct deal *deal, const struct command *yes,
                        const struct command *no, struct command *out)
{
    if (deal->kind == DEAL_VOLUNTEER && find_deal(mind, DEAL_ASK, mind->seat, deal->from) != NULL) {
        return false;
    }
    const bool good = yes != NULL && says_yes(mind, deal, yes);
    const bool greedy = (int)mb_rng_below(mind->in->rng, PER_CENT) < mind->temper->haggles;
    if ((!good || greedy) && try_haggling(mind, deal, out)) {
        return true;
    }
    *out = good ? *yes : *no;
    return true;
}

bool deal_answer(const struct mind *mind, struct command *out)
{
    const struct move_list *const moves = mind->in->moves;
    const struct command *yes = NULL;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool accepts = command->verb == VERB_ACCEPT;
        const struct deal *const deal =
            accepts || command->verb == VERB_REFUSE ? deal_of(mind, command->n) : NULL;
        if (deal == NULL || has_answered(mind, deal)) {
            continue;
        }
        if (accepts) {
            yes = command;
        } else if (answer_deal(mind, deal, yes != NULL && yes->n == command->n ? yes : NULL,
                               command, out)) {
            return true;
        }
    }
    return false;
}

static void weigh_helper(const struct mind *mind, unsigned other, struct idea *best)
{
    struct bargain bargain;
    if (!weigh_bargain(mind, other, &bargain)) {
        return;
    }
    int price = first_price(mind, &bargain, MAIN);
    if (!mind->temper->bargains) {
        price = bargain.most > 0 ? 1 + (int)mb_rng_below(mind->in->rng, (uint32_t)bargain.most) : 0;
    }
    if (price >= 0) {
        struct command ask = command_plain(mind->seat, VERB_ASK);
        ask.to = (uint8_t)other;
        ask.n = (int16_t)price;
        mind_keep(best, &ask, gain_at(&bargain, MAIN, price) + mind_noise(mind));
    }
}

struct idea deal_ask(const struct mind *mind)
{
    struct idea best = {.gain = WORTH_NEVER};
    if (mind_find(mind, VERB_ASK) == NULL) {
        return best;
    }
    for (unsigned other = 0; other < query_seat_count(mind->view); other++) {
        const bool may =
            other != mind->seat && query_alive(mind->view, other) && !is_unwilling(mind, other);
        if (may && !mind_overlooks(mind)) {
            weigh_helper(mind, other, &best);
        }
    }
    return best;
}

// A deal about the fight that is open already: then no more are put on the table.
static bool help_is_talked_of(const struct mind *mind)
{
    for (unsigned i = 0; i < query_deal_count(mind->view); i++) {
        const struct deal *const deal = query_deal(mind->view, i);
        if (deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER) {
            return true;
        }
    }
    return false;
}

bool deal_volunteer(const struct mind *mind, struct command *out)
{
    struct bargain bargain;
    if (!mind->temper->bargains || mind_find(mind, VERB_VOLUNTEER) == NULL ||
        is_unwilling(mind, mind->seat) || help_is_talked_of(mind) ||
        !weigh_bargain(mind, mind->seat, &bargain)) {
        return false;
    }
    const int price = first_price(mind, &bargain, HELPER);
    *out = command_plain(mind->seat, VERB_VOLUNTEER);
    out->n = (int16_t)price;
    return price >= 0;
}

// The one seat that could be won to help; NO_SEAT: none, or several. `after` is with its help.
static unsigned only_helper(const struct mind *mind, struct bargain *bargain)
{
    const unsigned fights = seat_bit(query_main(mind->view)) | seat_bit(mind->seat);
    unsigned found = NO_SEAT;
    unsigned count = 0;
    for (unsigned seat = 0; seat < query_seat_count(mind->view); seat++) {
        struct bargain with;
        if ((fights & seat_bit(seat)) == 0 && !is_unwilling(mind, seat) &&
            weigh_bargain(mind, seat, &with) && with.least <= with.dearest) {
            *bargain = with;
            found = seat;
            count++;
        }
    }
    return count == 1 ? found : NO_SEAT;
}

// Keeps the cheapest Item that is worth more to its receiver than helping would be.
static void weigh_bribe(const struct mind *mind, const struct move *move, int wanted,
                        struct idea *best)
{
    struct command bribe = move->command;
    const bool open = move->open == MOVE_LIST_OPEN;
    for (unsigned i = 0; i < (open ? move->candidate_count : 1u); i++) {
        bribe.list[0] = open ? move->candidates[i] : bribe.list[0];
        bribe.list_count = 1;
        if (worth_carried(mind, mind->view, bribe.to, bribe.list[0]) >= wanted) {
            mind_keep(best, &bribe, -mind_price(mind, bribe.list[0]));
        }
    }
}

bool deal_bribe(const struct mind *mind, struct command *out)
{
    struct bargain bargain;
    if (!mind->temper->trades || query_deal_count(mind->view) > 0 ||
        !mind_near_goal(mind->view, mind->box, query_main(mind->view)) ||
        outlook_margin(mind->view, mind->box) > 0 || mind_find(mind, VERB_OFFER) == NULL) {
        return false;
    }
    const unsigned helper = only_helper(mind, &bargain);
    struct game *const after = mind->in->scratch;
    if (helper == NO_SEAT) {
        return false;
    }
    const struct deal dear = {.kind = DEAL_ASK, .treasures = (uint8_t)bargain.dearest};
    if (!with_helper(mind, &dear, helper, after)) {
        return false;
    }
    struct idea best = {.gain = WORTH_NEVER};
    const int spared = mind->now - mind_judge(mind, after);
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb == VERB_OFFER && command->bribe != 0 && command->to == helper) {
            weigh_bribe(mind, &moves->items[i], helper_hopes(&bargain) + ACCEPT_MIN, &best);
        }
    }
    *out = best.command;
    return best.gain != WORTH_NEVER && spared + best.gain >= BRIBE_MIN;
}

// An idle Item of one's own for an idle one of theirs, if both are the better for it.
static void weigh_trade(const struct mind *mind, const struct command *offer, struct idea *best)
{
    struct game *const after = mind->in->scratch;
    if (!mind_try(mind, offer, after)) {
        return;
    }
    struct command accept = command_plain(offer->to, VERB_ACCEPT);
    for (unsigned i = 0; i < query_deal_count(after); i++) {
        const struct deal *const deal = query_deal(after, i);
        if (deal->from == mind->seat && deal->kind == DEAL_TRADE) {
            accept.n = deal->id;
        }
    }
    if (try_command(mind, after, &accept) &&
        model_gain(mind, after, offer->to, mind->seat) >= HELP_MIN) {
        mind_keep(best, offer, mind_judge(mind, after) - mind->now);
    }
}

static bool idle_item(const struct mind *mind, uint16_t card)
{
    return box_def(mind->box, card)->kind == KIND_ITEM &&
           (query_flags(mind->view, card) & CARD_EQUIPPED) == 0;
}

static void weigh_trades_with(const struct mind *mind, unsigned other, struct idea *best)
{
    const struct game *const view = mind->view;
    uint16_t mine = query_first(view, pile_table(mind->seat));
    for (; mine != NO_CARD; mine = query_next(view, mine)) {
        uint16_t theirs = idle_item(mind, mine) ? query_first(view, pile_table(other)) : NO_CARD;
        for (; theirs != NO_CARD; theirs = query_next(view, theirs)) {
            if (idle_item(mind, theirs)) {
                struct command offer = command_plain(mind->seat, VERB_OFFER);
                offer.to = (uint8_t)other;
                offer.list[0] = mine;
                offer.list_count = 1;
                offer.more[0] = theirs;
                offer.more_count = 1;
                weigh_trade(mind, &offer, best);
            }
        }
    }
}

bool deal_propose(const struct mind *mind, struct command *out)
{
    // Chance keeps it from being said over and over: nothing remembers a refusal.
    if (!mind->temper->trades || query_deal_count(mind->view) > 0 ||
        query_phase(mind->view) != PHASE_START || mind_find(mind, VERB_OFFER) == NULL ||
        mb_rng_below(mind->in->rng, TRADE_CHANCE) != 0) {
        return false;
    }
    struct idea best = {.gain = WORTH_NEVER};
    for (unsigned other = 0; other < query_seat_count(mind->view); other++) {
        if (other != mind->seat && query_alive(mind->view, other)) {
            weigh_trades_with(mind, other, &best);
        }
    }
    *out = best.command;
    return best.gain >= OFFER_MIN;
}
