#include "core/codec/profile_code.h"

// Goals, limits and the like are small; nothing that plays divides by one or indexes with it.
static void code_constant(struct coder *coder, int16_t *constant)
{
    enum { MOST = 10000 };
    coder_i16(coder, constant);
    coder->bad = coder->bad || *constant < -MOST || *constant > MOST;
}

void profile_code(struct coder *coder, struct profile *profile)
{
    coder_below(coder, &profile->house, EDITION_TOTAL);
    coder_below(coder, &profile->editions, 1u << EDITION_TOTAL);
    for (unsigned i = 0; i < PROFILE_CONSTANT_TOTAL; i++) {
        code_constant(coder, &profile->constant[i]);
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
