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
    TRADE_CHANCE = 8,
    MODEL_SPITE = 26, // how grudging others are taken to be
    PER_CENT = 100
};

static bool step(const struct mind *mind, struct game *game, const struct command *command)
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
    if (!step(mind, after, &ask)) {
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
            return step(mind, after, &accept) && query_helper(after) == helper;
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

static bool answered(const struct mind *mind, const struct deal *deal)
{
    return ((deal->accepted | deal->refused) & seat_bit(mind->seat)) != 0;
}

bool deal_answer(const struct mind *mind, struct command *out)
{
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool yes = command->verb == VERB_ACCEPT;
        const struct deal *const deal =
            yes || command->verb == VERB_REFUSE ? deal_of(mind, command->n) : NULL;
        if (deal == NULL || answered(mind, deal)) {
            continue;
        }
        if (yes && gain_of(mind, deal, command) + mind_noise(mind) >= ACCEPT_MIN) {
            *out = *command;
            return true;
        }
        if (!yes) {
            *out = *command;
            return true;
        }
    }
    return false;
}

// What the one asked makes of it, by what all can see.
static int model_gain(const struct mind *mind, const struct game *after, unsigned other,
                      unsigned main)
{
    const int theirs = worth_seat(mind, after, other) - mind->worth[other];
    const int mains = worth_seat(mind, after, main) - mind->worth[main];
    return theirs - MODEL_SPITE * mains / PER_CENT;
}

// Treasures that should win them over, at least 0; above `most`: too dear.
static int price_of(const struct mind *mind, const struct game *free_help, unsigned other,
                    unsigned main)
{
    const int short_of = HELP_MIN - model_gain(mind, free_help, other, main);
    const int each = WORTH_TREASURE * 8 / 10 * (PER_CENT + MODEL_SPITE) / PER_CENT;
    return short_of <= 0 ? 0 : (short_of + each - 1) / each;
}

static void weigh_helper(const struct mind *mind, unsigned other, struct idea *best)
{
    struct game *const after = mind->in->scratch;
    struct deal deal = {.kind = DEAL_ASK};
    if (!with_helper(mind, &deal, other, after) || outlook_margin(after, mind->box) <= 0) {
        return;
    }
    const int most = prospect_treasures(mind->view, mind->box);
    int price = price_of(mind, after, other, mind->seat);
    if (!mind->temper->asks) {
        price = most > 0 ? 1 + (int)mb_rng_below(mind->in->rng, (uint32_t)most) : 0;
    }
    struct command ask = command_plain(mind->seat, VERB_ASK);
    ask.to = (uint8_t)other;
    ask.n = (int16_t)price;
    deal.treasures = (uint8_t)price;
    if (price > most || (price > 0 && !with_helper(mind, &deal, other, after))) {
        return;
    }
    mind_keep(best, &ask, mind_judge(mind, after) - mind->now + mind_noise(mind));
}

struct idea deal_ask(const struct mind *mind)
{
    struct idea best = {.gain = WORTH_NEVER};
    const unsigned unwilling = query_unwilling(mind->view);
    if (mind_find(mind, VERB_ASK) == NULL) {
        return best;
    }
    for (unsigned other = 0; other < query_seat_count(mind->view); other++) {
        const bool may = other != mind->seat && query_alive(mind->view, other) &&
                         (unwilling & seat_bit(other)) == 0;
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
    if (!mind->temper->volunteers || mind_find(mind, VERB_VOLUNTEER) == NULL ||
        (query_unwilling(mind->view) & seat_bit(mind->seat)) != 0 || help_is_talked_of(mind)) {
        return false;
    }
    struct game *const after = mind->in->scratch;
    struct deal deal = {.kind = DEAL_ASK};
    const int most = prospect_treasures(mind->view, mind->box);
    deal.treasures = (uint8_t)((most + 1) / 2);
    if (!with_helper(mind, &deal, mind->seat, after) || outlook_margin(after, mind->box) <= 0 ||
        mind_judge(mind, after) - mind->now < OFFER_MIN) {
        return false;
    }
    *out = command_plain(mind->seat, VERB_VOLUNTEER);
    out->n = deal.treasures;
    return true;
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
    if (step(mind, after, &accept) && model_gain(mind, after, offer->to, mind->seat) >= HELP_MIN) {
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
