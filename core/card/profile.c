#include "core/card/profile.h"

#include <string.h>

static const int16_t CONSTANTS[PROFILE_CONSTANT_TOTAL][EDITION_TOTAL] = {
#define CONSTANT(id, name, c, l, p, s, k, rule) [PROFILE_##id] = {c, l, p, s, k},
#include "core/card/profile_constants.def"
#undef CONSTANT
};

static const char *const CONSTANT_NAMES[] = {
#define CONSTANT(id, name, c, l, p, s, k, rule) [PROFILE_##id] = #name,
#include "core/card/profile_constants.def"
#undef CONSTANT
};

struct flag_row {
    const char *name;
    char mix; // 'A': any set of the game, 'H': the house
    bool on[EDITION_TOTAL];
};

static const struct flag_row FLAGS[FLAG_TOTAL] = {
#define FLAG(id, name, c, l, p, s, k, mix, rule) [FLAG_##id] = {#name, mix, {c, l, p, s, k}},
#include "core/card/profile_flags.def"
#undef FLAG
};

static const char *const EDITIONS[EDITION_TOTAL] = {
    [EDITION_CLASSIC] = "classic",       [EDITION_LEGENDS] = "legends",
    [EDITION_PATHFINDER] = "pathfinder", [EDITION_SUPER] = "super",
    [EDITION_CONAN] = "conan",
};

enum { NO_LIMIT = 255 };

// Rules: CHAR-5, DEATH-2, POWER-1, ORIGIN-2.
static const struct identity_slot SLOTS[KIND_TOTAL] = {
    [KIND_CLASS] = {.capacity = 1, .unique = true, .kept_on_death = true, .at_will = true},
    [KIND_RACE] = {.capacity = 1, .unique = true, .kept_on_death = true, .at_will = true},
    [KIND_FACTION] = {.capacity = 1, .unique = true, .kept_on_death = true, .at_will = true},
    [KIND_BIRTHRIGHT] = {.capacity = 2, .unique = true, .kept_on_death = true, .at_will = true},
    [KIND_POWER] = {.capacity = NO_LIMIT,
                    .ranked = true,
                    .unique = true,
                    .kept_on_death = true,
                    .at_will = true},
    [KIND_ORIGIN] = {.capacity = NO_LIMIT},
    [KIND_SECOND] = {.capacity = NO_LIMIT, .kept_on_death = true, .at_will = true},
};

static int16_t constant_of(unsigned constant, unsigned editions, unsigned house)
{
    int16_t value = CONSTANTS[constant][house];
    if (constant == PROFILE_BIG_LIMIT) {
        // Rules: MIX-2. The limit holds as soon as a set that has one is in the game.
        for (unsigned e = 0; e < EDITION_TOTAL; e++) {
            if ((editions >> e & 1u) != 0 && CONSTANTS[constant][e] < value) {
                value = CONSTANTS[constant][e];
            }
        }
    }
    return value;
}

static bool flag_of(const struct flag_row *flag, unsigned editions, unsigned house)
{
    if (flag->mix == 'H') {
        return flag->on[house];
    }
    for (unsigned e = 0; e < EDITION_TOTAL; e++) {
        if ((editions >> e & 1u) != 0 && flag->on[e]) {
            return true;
        }
    }
    return false;
}

void profile_make(struct profile *out, unsigned editions, enum edition house)
{
    memset(out, 0, sizeof *out);
    editions |= 1u << house;
    out->house = (uint8_t)house;
    out->editions = (uint8_t)editions;
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL; i++) {
        out->constant[i] = constant_of(i, editions, house);
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        out->flag[i] = flag_of(&FLAGS[i], editions, house);
    }
    memcpy(out->slots, SLOTS, sizeof out->slots);
}

unsigned profile_flag_find(const char *name)
{
    unsigned i = 0;
    while (i < FLAG_TOTAL && strcmp(FLAGS[i].name, name) != 0) {
        i++;
    }
    return i;
}

const char *profile_flag_name(unsigned flag)
{
    return flag < FLAG_TOTAL ? FLAGS[flag].name : "?";
}

const char *profile_constant_name(unsigned constant)
{
    return constant < PROFILE_CONSTANT_TOTAL ? CONSTANT_NAMES[constant] : "?";
}

const char *edition_name(unsigned edition)
{
    return edition < EDITION_TOTAL ? EDITIONS[edition] : "?";
}

unsigned edition_find(const char *name)
{
    unsigned i = 0;
    while (i < EDITION_TOTAL && strcmp(EDITIONS[i], name) != 0) {
        i++;
    }
    return i;
}
