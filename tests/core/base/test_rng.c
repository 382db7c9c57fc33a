#include "core/base/rng.h"

#include "tests/support/test.h"

struct block_case {
    const char *name;
    uint8_t key[32];
    uint32_t counter;
    uint8_t nonce[12];
    uint8_t expected[64];
};

static const struct block_case BLOCKS[] = {
    {"block: RFC 8439, 2.3.2",
     {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
     1,
     {0, 0, 0, 0x09, 0, 0, 0, 0x4a},
     {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3,
      0x20, 0x71, 0xc4, 0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22,
      0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e, 0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa,
      0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2, 0xb5, 0x12, 0x9c, 0xd1,
      0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e}},
    {"block: RFC 8439, A.1, test vector 1",
     {0},
     0,
     {0},
     {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53,
      0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d, 0xed, 0x1a, 0xa8, 0x36,
      0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7, 0xda, 0x41, 0x59, 0x7c, 0x51, 0x57, 0x48,
      0x8d, 0x77, 0x24, 0xe0, 0x3f, 0xb8, 0xd8, 0x4a, 0x37, 0x6a, 0x43, 0xb8, 0xf4,
      0x15, 0x18, 0xa1, 0x1c, 0xc3, 0x87, 0xb6, 0x69, 0xb2, 0xee, 0x65, 0x86}},
    {"block: RFC 8439, A.1, test vector 2",
     {0},
     1,
     {0},
     {0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73,
      0x2d, 0x08, 0x0d, 0xcb, 0x0f, 0x29, 0xa0, 0x48, 0xe3, 0x65, 0x69, 0x12, 0xc6,
      0x53, 0x3e, 0x32, 0xee, 0x7a, 0xed, 0x29, 0xb7, 0x21, 0x76, 0x9c, 0xe6, 0x4e,
      0x43, 0xd5, 0x71, 0x33, 0xb0, 0x74, 0xd8, 0x39, 0xd5, 0x31, 0xed, 0x1f, 0x28,
      0x51, 0x0a, 0xfb, 0x45, 0xac, 0xe1, 0x0a, 0x1f, 0x4b, 0x79, 0x4d, 0x6f}},
};

enum { BLOCK_COUNT = sizeof BLOCKS / sizeof BLOCKS[0] };

static void test_block(void **state)
{
    const struct block_case *row = *state;
    uint8_t out[64];
    mb_chacha20_block(row->key, row->counter, row->nonce, out);
    assert_memory_equal(out, row->expected, sizeof out);
}

static const uint8_t ZERO_SEED[32] = {0};

static void words_are_the_stream_in_order(void **state)
{
    (void)state;
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    assert_int_equal(mb_rng_u32(&rng), 0xade0b876u);
    assert_int_equal(mb_rng_u32(&rng), 0x903df1a0u);
    while (rng.position < 16) {
        (void)mb_rng_u32(&rng);
    }
    assert_int_equal(mb_rng_u32(&rng), 0xbee7079fu);
    assert_int_equal(rng.position, 17);
}

static void the_counter_carries_beyond_32_bits(void **state)
{
    (void)state;
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    rng.position = (uint64_t)16 << 32;
    assert_int_equal(mb_rng_u32(&rng), 0x3a1db43du);
}

static void a_copy_has_the_same_future(void **state)
{
    (void)state;
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    (void)mb_rng_below(&rng, 6);
    struct mb_rng copy = rng;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(mb_rng_below(&rng, 6), mb_rng_below(&copy, 6));
    }
    assert_int_equal(rng.position, copy.position);
}

static void below_one_is_always_zero(void **state)
{
    (void)state;
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(mb_rng_below(&rng, 1), 0);
    }
}

// With this bound nearly half of all words must be drawn again.
static void below_rejects_what_would_favour(void **state)
{
    (void)state;
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    const uint32_t bound = 0x80000001u;
    const uint32_t surplus = 0x7fffffffu; // 2^32 mod bound
    struct mb_rng words = rng;
    for (int i = 0; i < 100; i++) {
        uint32_t word = mb_rng_u32(&words);
        while (word < surplus) {
            word = mb_rng_u32(&words);
        }
        assert_int_equal(mb_rng_below(&rng, bound), word % bound);
    }
    assert_int_equal(rng.position, words.position);
    assert_true(rng.position > 150);
}

static void a_die_is_fair(void **state)
{
    (void)state;
    enum { THROWS = 60000 };
    struct mb_rng rng;
    mb_rng_init(&rng, ZERO_SEED);
    int counts[6] = {0};
    for (int i = 0; i < THROWS; i++) {
        const uint32_t face = mb_rng_below(&rng, 6);
        assert_in_range(face, 0, 5);
        counts[face]++;
    }
    for (int face = 0; face < 6; face++) {
        // 10000 expected, standard deviation 91: five of them either way.
        assert_in_range(counts[face], 9543, 10457);
    }
}

struct seed_case {
    const char *name;
    uint64_t number;
    uint8_t expected[8]; // the first bytes
};

// Made by an independent implementation. Recorded games depend on them: they never change.
static const struct seed_case SEEDS[] = {
    {"seed of 0", 0, {0x9b, 0x40, 0xd9, 0xbc, 0x0f, 0x11, 0x90, 0x3c}},
    {"seed of 1", 1, {0x7c, 0xf2, 0x52, 0x85, 0x04, 0x7a, 0x26, 0xd6}},
    {"seed of the greatest", UINT64_MAX, {0x62, 0x04, 0x0a, 0xb3, 0x16, 0xcc, 0xfd, 0x01}},
};

enum { SEED_COUNT = sizeof SEEDS / sizeof SEEDS[0] };

static void test_seed(void **state)
{
    const struct seed_case *row = *state;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, row->number);
    assert_memory_equal(seed, row->expected, sizeof row->expected);
}

enum { PLAIN_COUNT = 6 };

int main(void)
{
    struct CMUnitTest tests[PLAIN_COUNT + BLOCK_COUNT + SEED_COUNT] = {
        cmocka_unit_test(words_are_the_stream_in_order),
        cmocka_unit_test(the_counter_carries_beyond_32_bits),
        cmocka_unit_test(a_copy_has_the_same_future),
        cmocka_unit_test(below_one_is_always_zero),
        cmocka_unit_test(below_rejects_what_would_favour),
        cmocka_unit_test(a_die_is_fair),
    };
    for (size_t i = 0; i < BLOCK_COUNT; i++) {
        tests[PLAIN_COUNT + i] =
            (struct CMUnitTest){.name = BLOCKS[i].name,
                                .test_func = test_block,
                                .initial_state = (void *)(uintptr_t)&BLOCKS[i]};
    }
    for (size_t i = 0; i < SEED_COUNT; i++) {
        tests[PLAIN_COUNT + BLOCK_COUNT + i] =
            (struct CMUnitTest){.name = SEEDS[i].name,
                                .test_func = test_seed,
                                .initial_state = (void *)(uintptr_t)&SEEDS[i]};
    }
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
