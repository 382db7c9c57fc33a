/*
 * A turn out of fights: set-up, getting ready, kick, trouble or loot, Charity, and what is done
 * while others have theirs.
 */
#include "bot/policy/policy_impl.h"

enum { GAIN_MIN = 3, MEDDLE_MIN = 14, LOOT_WORTH = 22, TROUBLE_MIN = 6 };

// Whatever makes one better off now: cards to play, gear to change, Items to sell.
static bool get_ready(const struct mind *mind, struct command *out)
{
    if (gear_wear(mind, out)) {
        return true;
    }
    struct idea best = mind_best_play(mind);
    const struct idea sale = gear_sell(mind);
    mind_keep(&best, &sale.command, sale.gain);
    *out = best.command;
    return best.gain >= GAIN_MIN;
}

static bool find_simple(const struct mind *mind, unsigned verb, struct command *out)
{
    const struct move *const move = mind_find(mind, verb);
    if (move != NULL) {
        *out = move->command;
    }
    return move != NULL;
}

bool turn_setup(const struct mind *mind, struct command *out)
{
    return get_ready(mind, out) || find_simple(mind, VERB_DONE, out);
}

// A Monster of the hand instead of a card from the deck.
static bool look_for_trouble(const struct mind *mind, struct command *out)
{
    struct idea best = {.gain = WORTH_NEVER};
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == VERB_FIGHT && !mind_overlooks(mind)) {
            mind_keep(&best, &moves->items[i].command, mind_gain(mind, &moves->items[i].command));
        }
    }
    *out = best.command;
    return best.gain >= LOOT_WORTH + TROUBLE_MIN;
}

// The card that oneself misses least and its receiver likes least.
static bool give_charity(const struct mind *mind, struct command *out)
{
    struct idea best = {.gain = WORTH_NEVER};
    const struct move_list *const moves = mind->in->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        const unsigned verb = move->command.verb;
        if ((verb != VERB_CHARITY && verb != VERB_DISCARD) || move->open != MOVE_LIST_OPEN ||
            query_phase(mind->view) != PHASE_CHARITY) {
            continue;
        }
        for (unsigned c = 0; c < move->candidate_count; c++) {
            const uint16_t card = move->candidates[c];
            struct command command = move->command;
            int gain = -mind_price(mind, card);
            if (verb == VERB_CHARITY) {
                gain -= mind_spite(mind, mind->view, command.to) *
                        worth_held(mind, mind->view, command.to, card) / 100;
            } else if (!query_in_hand(mind->view, card)) {
                continue; // dropping a Class is no Charity
            }
            command.list[0] = card;
            command.list_count = 1;
            mind_keep(&best, &command, gain);
        }
    }
    *out = best.command;
    return best.gain != WORTH_NEVER;
}

bool turn_own(const struct mind *mind, struct command *out)
{
    const int excess = query_excess(mind->view, mind->box, mind->seat);
    if (get_ready(mind, out) || deal_propose(mind, out)) {
        return true;
    }
    switch (query_phase(mind->view)) {
    case PHASE_CHARITY:
        return (excess > 0 && give_charity(mind, out)) || find_simple(mind, VERB_DONE, out);
    case PHASE_OPENED:
        return look_for_trouble(mind, out) || find_simple(mind, VERB_LOOT, out) ||
               find_simple(mind, VERB_TAKE, out);
    default:
        return find_simple(mind, VERB_KICK, out);
    }
}

bool turn_others(const struct mind *mind, struct command *out)
{
    if (mind->temper->spite == 0) {
        return false;
    }
    const struct idea best = mind_best_play(mind);
    *out = best.command;
    return best.gain >= MEDDLE_MIN;
}
