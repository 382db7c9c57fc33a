#include "core/base/rng.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { WORDS_PER_BLOCK = 16 };

static uint32_t load_le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void store_le32(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
}

static uint32_t rotate_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32u - bits);
}

static void quarter_round(uint32_t state[16], unsigned a, unsigned b, unsigned c, unsigned d)
{
    state[a] += state[b];
    state[d] = rotate_left(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = rotate_left(state[b] ^ state[c], 12);
    state[a] += state[b];
    state[d] = rotate_left(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = rotate_left(state[b] ^ state[c], 7);
}

void mb_chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12],
                       uint8_t out[64])
{
    uint32_t start[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
    for (size_t i = 0; i < 8; i++) {
        start[4 + i] = load_le32(key + 4 * i);
    }
    start[12] = counter;
    for (size_t i = 0; i < 3; i++) {
        start[13 + i] = load_le32(nonce + 4 * i);
    }

    uint32_t state[16];
    memcpy(state, start, sizeof state);
    for (unsigned i = 0; i < 10; i++) {
        quarter_round(state, 0, 4, 8, 12);
        quarter_round(state, 1, 5, 9, 13);
        quarter_round(state, 2, 6, 10, 14);
        quarter_round(state, 3, 7, 11, 15);
        quarter_round(state, 0, 5, 10, 15);
        quarter_round(state, 1, 6, 11, 12);
        quarter_round(state, 2, 7, 8, 13);
        quarter_round(state, 3, 4, 9, 14);
    }
    for (size_t i = 0; i < 16; i++) {
        store_le32(out + 4 * i, state[i] + start[i]);
    }
}

void mb_rng_init(struct mb_rng *rng, const uint8_t seed[32])
{
    memcpy(rng->seed, seed, sizeof rng->seed);
    rng->position = 0;
}

// The whole block is made anew for each word: a few hundred operations, a tenth of a microsecond.
// Keeping it would put 64 bytes that follow from the rest into every copy and snapshot of a game.
uint32_t mb_rng_u32(struct mb_rng *rng)
{
    const uint64_t block = rng->position / WORDS_PER_BLOCK;
    uint8_t nonce[12] = {0};
    store_le32(nonce, (uint32_t)(block >> 32));
    uint8_t stream[64];
    mb_chacha20_block(rng->seed, (uint32_t)block, nonce, stream);
    const size_t word = (size_t)(rng->position % WORDS_PER_BLOCK);
    rng->position++;
    return load_le32(stream + 4 * word);
}

uint32_t mb_rng_below(struct mb_rng *rng, uint32_t bound)
{
    assert(bound > 0);
    // 2^32 mod bound: that many words at the low end would make some results likelier than others.
    const uint32_t surplus = (0u - bound) % bound;
    uint32_t word = mb_rng_u32(rng);
    while (word < surplus) {
        word = mb_rng_u32(rng);
    }
    return word % bound;
}

void mb_rng_seed_u64(uint8_t seed[32], uint64_t number)
{
    uint8_t key[32] = {0};
    for (unsigned i = 0; i < 8; i++) {
        key[i] = (uint8_t)(number >> (8 * i));
    }
    static const uint8_t NONCE[12] = {'m', 'u', 'n', 'c', 'h', 'b', 'o', 't', 's', 'e', 'e', 'd'};
    uint8_t stream[64];
    mb_chacha20_block(key, 0, NONCE, stream);
    memcpy(seed, stream, 32);
}
