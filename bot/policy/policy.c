#include "bot/policy/policy.h"

#include <string.h>

static const struct policy *const POLICIES[] = {&POLICY_RANDOM, &POLICY_ROOKIE, &POLICY_REGULAR,
                                                &POLICY_RUTHLESS};

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
