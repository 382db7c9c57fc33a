/*
 * A fight: one's own, one in which one helps, one that others have.
 */
#include "core/base/rng.h"
#include "core/loop/prospect.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum { GAIN_MIN = 12, PLAN_MIN = 4, PER_CENT = 100 };

static bool take_idea(const struct idea *idea, int least, struct command *out)
{
    if (idea->gain < least) {
        return false;
    }
    *out = idea->command;
    return true;
}

// An own request that still waits for answers.
static bool is_asking(const struct mind *mind)
{
    for (unsigned i = 0; i < query_deal_count(mind->view); i++) {
        const struct deal *const deal = query_deal(mind->view, i);
        if (deal->kind == DEAL_ASK && deal->from == mind->seat) {
            return true;
        }
    }
    return false;
}

bool fight_own(const struct mind *mind, struct command *out)
{
    if (outlook_margin(mind->view, mind->box) > 0) {
        const struct idea more = mind_best_play(mind);
        return take_idea(&more, GAIN_MIN, out);
    }
    if (is_asking(mind)) {
        return false;
    }
    struct idea best = plan_fight(mind, false);
    const struct idea help = deal_ask(mind);
    const struct idea odd = mind_best_play(mind); // chases it away, or makes running easier
    mind_keep(&best, &help.command, help.gain);
    mind_keep(&best, &odd.command, odd.gain);
    if (take_idea(&best, PLAN_MIN, out)) {
        return true;
    }
    return flight_run(mind, out);
}

bool fight_help(const struct mind *mind, struct command *out)
{
    if (outlook_margin(mind->view, mind->box) > 0) {
        return false;
    }
    struct idea best = plan_fight(mind, false);
    const struct idea odd = mind_best_play(mind);
    mind_keep(&best, &odd.command, odd.gain);
    return take_idea(&best, GAIN_MIN, out);
}

// The cheapest card that alone keeps others from winning the game by this fight; who leaves others
// alone looks no further than at what lies before it.
static bool defend(const struct mind *mind, struct command *out)
{
    const struct move_list *const moves = mind->in->moves;
    struct game *const after = mind->in->scratch;
    struct idea best = {.gain = WORTH_NEVER};
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool alone = command->verb == VERB_PLAY && moves->items[i].open == MOVE_CLOSED &&
                           command->list_count == 0;
        const bool looks = mind->temper->spite > 0;
        if (alone && (looks || query_where(mind->view, command->card) == pile_table(mind->seat)) &&
            mind_try(mind, command, after) && !prospect_drew(mind->view, after) &&
            !mind_others_win(mind, after)) {
            mind_keep(&best, command, -mind_costs(mind, command));
        }
    }
    *out = best.command;
    return best.gain != WORTH_NEVER;
}

bool fight_meddle(const struct mind *mind, struct command *out)
{
    const int attention =
        mind->alert && mind->temper->spite > 0 ? PER_CENT : mind->temper->attention;
    struct idea best = {.gain = WORTH_NEVER};
    if (attention == PER_CENT || (int)mb_rng_below(mind->in->rng, PER_CENT) < attention) {
        best = mind_best_play(mind);
        struct idea plan =
            outlook_margin(mind->view, mind->box) > 0 ? plan_fight(mind, true) : best;
        plan.gain -= plan.gain != WORTH_NEVER ? mind->temper->reluctance : 0;
        mind_keep(&best, &plan.command, plan.gain);
    }
    return take_idea(&best, GAIN_MIN, out) || (mind->alert && defend(mind, out)) ||
           deal_volunteer(mind, out) || deal_bribe(mind, out);
}
