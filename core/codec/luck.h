/*
 * Luck that nobody chooses unseen: what the seed of a game is made of.
 *
 * A secret, committed to when the lobby opens; the table; who sits where, by network and id; and
 * the id under which the platform delivered the message that says who starts by which options.
 * Nobody knows all of it before the seats are taken, and everybody can look it up when the secret
 * is told. Seats are kept as hashes: a record names nobody's account, yet each can find their own.
 * A seed may also be given whole; then there is no secret, and the commitment is to the seed.
 */
#ifndef CORE_CODEC_LUCK_H
#define CORE_CODEC_LUCK_H

#include "core/base/limits.h"
#include "core/codec/outcome.h"

enum { LUCK_TABLE_SIZE = 24, LUCK_START_SIZE = 321 };

struct luck {
    bool drawn; /**< from a secret; false: the seed was given, and nothing here counts */
    uint8_t secret[DIGEST_SIZE];
    char table[LUCK_TABLE_SIZE]; /**< its id */
    char start[LUCK_START_SIZE]; /**< the platform's id of the start message; "": it has none */
    uint8_t seats[MB_SEATS_MAX][DIGEST_SIZE];
};

/** The hash of who sits at a seat; of a bot player the network is "" and the id its level. */
void luck_seat(const char *network, const char *id, uint8_t out[DIGEST_SIZE]);
/** The seed that comes of it all. */
void luck_seed(const struct luck *luck, unsigned seat_count, uint8_t out[DIGEST_SIZE]);

#endif
