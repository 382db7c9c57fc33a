#include "tests/support/chance.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <sodium.h>

#include "core/base/rng.h"

static struct mb_rng stream;

static const char *name(void)
{
    return "fixed";
}

static uint32_t word(void)
{
    return mb_rng_below(&stream, UINT16_MAX + 1u) << 16 | mb_rng_below(&stream, UINT16_MAX + 1u);
}

static void fill(void *const out, const size_t size)
{
    unsigned char *const bytes = out;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)mb_rng_below(&stream, UINT8_MAX + 1u);
    }
}

static struct randombytes_implementation fixed = {
    .implementation_name = name, .random = word, .buf = fill};

void chance_fix(void)
{
    uint8_t seed[32];
    // In this order: the first sodium_init of a process takes chance for itself.
    if (sodium_init() < 0 || randombytes_set_implementation(&fixed) != 0) {
        abort(); // fuzzers have no test to fail
    }
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&stream, seed);
}
