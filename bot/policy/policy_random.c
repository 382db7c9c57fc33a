/*
 * The random policy: uniformly a verb, then uniformly a move of that verb, then uniformly a
 * completion. Drawing the verb first keeps the many ways of one verb from drowning the others.
 */
#include "core/base/rng.h"

#include "bot/policy/policy.h"

static bool choose(const struct policy_input *input, struct command *out)
{
    const struct move_list *const moves = input->moves;
    uint32_t of_verb[VERB_TOTAL] = {0};
    unsigned verbs[VERB_TOTAL];
    uint32_t verb_count = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const unsigned verb = moves->items[i].command.verb;
        if (of_verb[verb]++ == 0) {
            verbs[verb_count++] = verb;
        }
    }
    if (verb_count == 0) {
        return false;
    }
    const unsigned verb = verbs[mb_rng_below(input->rng, verb_count)];
    uint32_t left = mb_rng_below(input->rng, of_verb[verb]);
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == verb && left-- == 0) {
            move_sample(input->view, input->box, &moves->items[i], input->rng, out);
            return true;
        }
    }
    return false;
}

const struct policy POLICY_RANDOM = {.name = "random", .choose = choose};
