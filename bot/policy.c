#include "bot/policy.h"

#include <string.h>

static const struct policy *const POLICIES[] = {&POLICY_RANDOM};
static const char *const PLANNED[] = {"rookie", "regular", "ruthless"};

const struct policy *policy_find(const char *name, struct mb_error *err)
{
    for (size_t i = 0; i < sizeof POLICIES / sizeof POLICIES[0]; i++) {
        if (strcmp(POLICIES[i]->name, name) == 0) {
            return POLICIES[i];
        }
    }
    for (size_t i = 0; i < sizeof PLANNED / sizeof PLANNED[0]; i++) {
        if (strcmp(PLANNED[i], name) == 0) {
            (void)mb_fail(err, MB_ERR_STATE,
                          "bot players of level \"%s\" are not in this version yet; use random",
                          name);
            return NULL;
        }
    }
    (void)mb_fail(err, MB_ERR_INPUT,
                  "there is no policy \"%s\"; policies are random, rookie, regular, ruthless",
                  name);
    return NULL;
}
