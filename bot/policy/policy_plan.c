/*
 * Sets of cards that turn a fight. Each play is tried by itself for what it does to the lead and
 * what it costs; the cheapest set that should suffice is then tried as a whole.
 */
#include "core/base/rng.h"
#include "core/game.h"
#include "core/loop/prospect.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum { STEPS_MAX = 9, SWING_MIN = 1 };

struct step {
    struct command command;
    int swing; // what it adds to the lead, or takes from it
    int cost;
};

struct steps {
    unsigned count;
    bool against;
    struct step items[STEPS_MAX];
};

static bool uses_card(const struct command *command, uint16_t card)
{
    bool found = command->card == card && command->verb == VERB_PLAY;
    for (unsigned i = 0; i < command->list_count; i++) {
        found = found || command->list[i] == card;
    }
    return found;
}

static bool plays_clash(const struct command *a, const struct command *b)
{
    const bool same_use = a->verb == VERB_USE && b->verb == VERB_USE && a->ability == b->ability &&
                          a->target == b->target;
    bool found = same_use || (a->verb == VERB_PLAY && uses_card(b, a->card));
    for (unsigned i = 0; i < a->list_count; i++) {
        found = found || uses_card(b, a->list[i]);
    }
    return found;
}

// Keeps the steps that move most for what they cost.
static void keep_step(struct steps *steps, const struct step *step)
{
    unsigned at = steps->count;
    if (at == STEPS_MAX) {
        for (unsigned i = 0; i < STEPS_MAX; i++) {
            const bool worse = at == STEPS_MAX || steps->items[i].swing * steps->items[at].cost <
                                                      steps->items[at].swing * steps->items[i].cost;
            at = worse ? i : at;
        }
        if (steps->items[at].swing * step->cost >= step->swing * steps->items[at].cost) {
            return;
        }
    } else {
        steps->count++;
    }
    steps->items[at] = *step;
}

static void try_step(const struct mind *mind, const struct command *command, int margin,
                     struct steps *steps)
{
    struct game *const after = mind->in->scratch;
    if (!mind_try(mind, command, after) || prospect_drew(mind->view, after) ||
        query_main(after) == NO_SEAT || query_gave_up(after)) {
        return;
    }
    const int swing = outlook_margin(after, mind->box) - margin;
    const int cost = mind_costs(mind, command);
    const struct step step = {
        .command = *command, .swing = steps->against ? -swing : swing, .cost = cost > 0 ? cost : 1};
    if (step.swing >= SWING_MIN) {
        keep_step(steps, &step);
    }
}

static void collect_steps(const struct mind *mind, struct steps *steps)
{
    const struct move_list *const moves = mind->in->moves;
    const int margin = outlook_margin(mind->view, mind->box);
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        const unsigned verb = move->command.verb;
        if ((verb != VERB_PLAY && verb != VERB_USE) || mind_overlooks(mind)) {
            continue;
        }
        if (move->open != MOVE_LIST_OPEN) {
            try_step(mind, &move->command, margin, steps);
            continue;
        }
        const unsigned most = move->max < move->min + 2u ? move->max : move->min + 2u;
        for (unsigned count = move->min > 0 ? move->min : 1u; count <= most; count++) {
            struct command command;
            mind_cheapest(mind, move, count, &command);
            try_step(mind, &command, margin, steps);
        }
    }
}

// The sum of a set, or false if two of it cannot go together.
static bool add_up(const struct steps *steps, unsigned set, struct step *sum)
{
    *sum = (struct step){.swing = 0};
    for (unsigned i = 0; i < steps->count; i++) {
        if ((set >> i & 1u) == 0) {
            continue;
        }
        for (unsigned j = 0; j < i; j++) {
            if ((set >> j & 1u) != 0 &&
                plays_clash(&steps->items[i].command, &steps->items[j].command)) {
                return false;
            }
        }
        sum->swing += steps->items[i].swing;
        sum->cost += steps->items[i].cost;
    }
    return true;
}

static unsigned bits_in(unsigned set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1u) {
        count++;
    }
    return count;
}

static unsigned cheapest_set(const struct mind *mind, const struct steps *steps, int need)
{
    unsigned best = 0;
    int least = 0;
    for (unsigned set = 1; set < 1u << steps->count; set++) {
        struct step sum;
        if (bits_in(set) > (unsigned)mind->temper->plan_cards || !add_up(steps, set, &sum)) {
            continue;
        }
        if (sum.swing >= need && (best == 0 || sum.cost < least)) {
            best = set;
            least = sum.cost;
        }
    }
    return best;
}

// Plays the whole set on a copy; whether it turns the fight.
static bool carry_out(const struct mind *mind, const struct steps *steps, unsigned set,
                      struct game *after)
{
    game_copy(after, mind->view);
    for (unsigned i = 0; i < steps->count; i++) {
        struct refusal why = {.code = REFUSAL_NONE};
        if ((set >> i & 1u) != 0 &&
            !game_step(after, mind->box, &steps->items[i].command, NULL, &why)) {
            return false;
        }
    }
    return query_main(after) != NO_SEAT && (outlook_margin(after, mind->box) > 0) != steps->against;
}

struct idea plan_fight(const struct mind *mind, bool against)
{
    struct steps steps = {.against = against};
    struct idea idea = {.gain = WORTH_NEVER};
    const int margin = outlook_margin(mind->view, mind->box);
    collect_steps(mind, &steps);
    const int need = against ? margin : 1 - margin;
    // A tie that wins, or bonuses that do not add up, may take one more.
    for (int more = against ? 0 : -1; more <= 2; more++) {
        const unsigned set = cheapest_set(mind, &steps, need + more);
        struct game *const after = mind->in->scratch;
        if (set == 0) {
            break;
        }
        if (!carry_out(mind, &steps, set, after)) {
            continue;
        }
        unsigned first = 0;
        while ((set >> first & 1u) == 0) {
            first++;
        }
        idea.command = steps.items[first].command;
        idea.gain = mind_judge(mind, after) - mind->now + mind_noise(mind);
        return idea;
    }
    return idea;
}
