/*
 * A wrong rule on purpose: tests/mutation/run asks whether some scenario notices.
 *
 * MUNCHBOT_MUTATE is "NAME@EDITION=CHANGE": a constant or flag of the profile, the house edition of
 * the tables it is to touch (none: all), and what is done to it: "+1", "-1" or "NUMBER"
 * (constants); "flip" (flags that the scenario does not set itself), "unset" (flags that it does),
 * "house" or "any" (flags, mixed the other way: MIX-2). A word that is not understood changes
 * nothing and is told, so that a spelling mistake is no survivor.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/tools/scenario_impl.h"

struct mutation {
    unsigned constant, flag; // PROFILE_CONSTANT_TOTAL, FLAG_TOTAL: none
    unsigned house;          // EDITION_TOTAL: any
    const char *change;
};

static bool read_mutation(const char *text, struct mutation *out)
{
    char name[64];
    char edition[32] = "";
    const char *const equals = strchr(text, '=');
    const char *const at = strchr(text, '@');
    const char *const end = at != NULL && at < equals ? at : equals;
    if (equals == NULL || (size_t)(end - text) >= sizeof name ||
        (size_t)(equals - end) >= sizeof edition) {
        return false;
    }
    memcpy(name, text, (size_t)(end - text));
    name[end - text] = '\0';
    if (end != equals) {
        memcpy(edition, end + 1, (size_t)(equals - end - 1));
        edition[equals - end - 1] = '\0';
    }
    out->change = equals + 1;
    out->house = edition_find(edition);
    out->flag = profile_flag_find(name);
    out->constant = 0;
    while (out->constant < PROFILE_CONSTANT_TOTAL &&
           strcmp(profile_constant_name(out->constant), name) != 0) {
        out->constant++;
    }
    return out->flag != FLAG_TOTAL || out->constant != PROFILE_CONSTANT_TOTAL;
}

static void change_constant(struct profile *profile, const struct mutation *mutation)
{
    const char *const change = mutation->change;
    const long number = strtol(change, NULL, 10);
    const bool step = *change == '+' || *change == '-';
    int16_t *const value = &profile->constant[mutation->constant];
    *value = (int16_t)(step ? *value + number : number);
}

// What the flag is when only the set of one edition is in the game.
static bool column(unsigned flag, unsigned edition)
{
    struct profile alone;
    profile_make(&alone, 1u << edition, (enum edition)edition);
    return alone.flag[flag];
}

static bool change_flag(struct profile *profile, const struct mutation *mutation, bool set_here)
{
    const unsigned flag = mutation->flag;
    bool any = false;
    for (unsigned e = 0; e < EDITION_TOTAL && !any; e++) {
        const unsigned there = (unsigned)profile->editions >> e & 1u;
        any = there != 0 && column(flag, e);
    }
    if (strcmp(mutation->change, "flip") == 0 || strcmp(mutation->change, "unset") == 0) {
        if ((*mutation->change == 'u') == set_here) {
            profile->flag[flag] = !profile->flag[flag];
        }
    } else if (strcmp(mutation->change, "house") == 0) {
        profile->flag[flag] = set_here ? profile->flag[flag] : column(flag, profile->house);
    } else if (strcmp(mutation->change, "any") == 0) {
        profile->flag[flag] = set_here ? profile->flag[flag] : any;
    } else {
        return false;
    }
    return true;
}

bool scenario_mutate(struct scenario *scenario, const struct table_options *options)
{
    const char *const text = getenv("MUNCHBOT_MUTATE");
    struct profile *const profile = &scenario->box->profile;
    struct mutation mutation = {0};
    if (text == NULL || *text == '\0') {
        return true;
    }
    if (!read_mutation(text, &mutation)) {
        return scenario_fail(scenario, "MUNCHBOT_MUTATE is not understood: %s", text);
    }
    if (mutation.house != EDITION_TOTAL && mutation.house != profile->house) {
        return true;
    }
    if (mutation.constant != PROFILE_CONSTANT_TOTAL) {
        change_constant(profile, &mutation);
        return true;
    }
    const bool set_here = options->flag[mutation.flag] != 0 ||
                          (mutation.flag == FLAG_LISTEN && options->listen) ||
                          (mutation.flag == FLAG_SHARED_VICTORY && options->shared);
    return change_flag(profile, &mutation, set_here) ||
           scenario_fail(scenario, "MUNCHBOT_MUTATE is not understood: %s", text);
}
