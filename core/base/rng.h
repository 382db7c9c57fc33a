/*
 * The game's chance: a ChaCha20 stream (RFC 8439's block function) over a 256-bit seed.
 *
 * `position` counts the 32-bit words drawn so far and never goes back, so seed and position say
 * everything about what comes next, on every machine: word n is word n mod 16, read little-endian,
 * of the block whose 64-bit counter is n / 16. The nonce is zero; block counters beyond 32 bits
 * carry into the first nonce word, as in the original ChaCha.
 * There is no hidden state: copying the struct copies the future. It must not know where the seed
 * comes from; revealing it, and who may see it, is the business of others.
 */
#ifndef CORE_BASE_RNG_H
#define CORE_BASE_RNG_H

#include <stdint.h>

struct mb_rng {
    uint8_t seed[32];
    uint64_t position; /**< 32-bit words drawn */
};

/** Starts at the beginning of the seed's stream. */
void mb_rng_init(struct mb_rng *rng, const uint8_t seed[32]);

/** The next 32 bits. */
uint32_t mb_rng_u32(struct mb_rng *rng);

/** A number below `bound` (> 0), all equally likely; draws again where a remainder would favour. */
uint32_t mb_rng_below(struct mb_rng *rng, uint32_t bound);

/** Spreads a small seed, as people type it, over the whole of `seed`; alike on every machine. */
void mb_rng_seed_u64(uint8_t seed[32], uint64_t number);

/** RFC 8439, 2.3: one block of the key stream; in `out` word by word, little-endian. */
void mb_chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12],
                       uint8_t out[64]);

#endif
