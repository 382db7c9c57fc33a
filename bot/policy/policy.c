#include "bot/policy/policy.h"

#include <string.h>

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
