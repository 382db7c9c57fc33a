#include "bot/policy/policy.h"

#include <string.h>

#include "core/base/rng.h"

/*
 * The random policy: uniformly a verb, then uniformly a move of that verb, then uniformly a
 * completion. Drawing the verb first keeps the many ways of one verb from drowning the others.
 */

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

// Append only: stored tables keep the numbers.
static const struct policy *const POLICIES[] = {&POLICY_RANDOM, &POLICY_ROOKIE, &POLICY_REGULAR,
                                                &POLICY_RUTHLESS};

enum { POLICY_COUNT = sizeof POLICIES / sizeof POLICIES[0] };

const struct policy *policy_by_number(unsigned number)
{
    return number < POLICY_COUNT ? POLICIES[number] : NULL;
}

unsigned policy_number(const struct policy *policy)
{
    unsigned number = 0;
    while (number < POLICY_COUNT && POLICIES[number] != policy) {
        number++;
    }
    return number;
}

const struct policy *policy_find(const char *name, struct mb_error *err)
{
    for (size_t i = 0; i < sizeof POLICIES / sizeof POLICIES[0]; i++) {
        if (strcmp(POLICIES[i]->name, name) == 0) {
            return POLICIES[i];
        }
    }
    (void)mb_fail(err, MB_ERR_INPUT,
                  "there is no policy \"%s\"; policies are random, rookie, regular, ruthless",
                  name);
    return NULL;
}
