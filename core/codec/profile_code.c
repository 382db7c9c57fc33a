#include "core/codec/profile_code.h"

#include "core/base/limits.h"

// What play takes for granted: amounts of money are divided by one, Levels are small, the deal
// has to come out of decks.
struct bounds {
    int16_t least, most;
};

static const struct bounds BOUNDS[PROFILE_CONSTANT_TOTAL] = {
    [PROFILE_SEATS_MIN] = {1, MB_SEATS_MAX},
    [PROFILE_SEATS_MAX] = {1, MB_SEATS_MAX},
    [PROFILE_DEAL] = {0, 16},
    [PROFILE_START_LEVEL] = {1, UINT8_MAX},
    [PROFILE_HAND_LIMIT] = {0, UINT8_MAX},
    [PROFILE_GOAL] = {1, UINT8_MAX},
    [PROFILE_LEVEL_FLOOR] = {1, UINT8_MAX},
    [PROFILE_ESCAPE] = {0, UINT8_MAX},
    [PROFILE_SELL_UNIT] = {1, INT16_MAX},
    [PROFILE_BIG_LIMIT] = {0, UINT8_MAX},
    [PROFILE_HANDS] = {0, UINT8_MAX},
    [PROFILE_FOLLOWERS] = {0, UINT8_MAX},
    [PROFILE_THEFT] = {0, UINT8_MAX},
    [PROFILE_IDENTITY_SAFE] = {0, UINT8_MAX},
    [PROFILE_IDENTITY_LOST] = {0, UINT8_MAX},
    [PROFILE_FLIGHT] = {0, UINT8_MAX},
    [PROFILE_HOLDS] = {0, UINT8_MAX},
};

static void code_constant(struct coder *coder, unsigned which, int16_t *constant)
{
    coder_i16(coder, constant);
    coder->bad = coder->bad || *constant < BOUNDS[which].least || *constant > BOUNDS[which].most;
}

void profile_code(struct coder *coder, struct profile *profile)
{
    coder_below(coder, &profile->house, EDITION_TOTAL);
    coder_below(coder, &profile->editions, 1u << EDITION_TOTAL);
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL; i++) {
        code_constant(coder, i, &profile->constant[i]);
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        coder_bool(coder, &profile->flag[i]);
    }
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        struct identity_slot *const slot = &profile->slots[kind];
        coder_u8(coder, &slot->capacity);
        coder_bool(coder, &slot->ranked);
        coder_bool(coder, &slot->unique);
        coder_bool(coder, &slot->kept_on_death);
        coder_bool(coder, &slot->at_will);
    }
}
