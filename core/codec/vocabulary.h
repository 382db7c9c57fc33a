/*
 * How far the card language covers the catalogue of mechanics.
 *
 * A folder with `"vocabulary": true` proves it: one card (or more) for each row of the catalogue,
 * named in the card's `mechanic`. A card with `status: "planned: OP"` waits for that op; one with
 * `status: "rule: ID"` says that the engine itself does it; any other card is ready as it stands.
 */
#ifndef CORE_CODEC_VOCABULARY_H
#define CORE_CODEC_VOCABULARY_H

#include <stddef.h>

#include "core/codec/catalog.h"

enum vocabulary_state { MECHANIC_MISSING, MECHANIC_PLANNED, MECHANIC_RULE, MECHANIC_READY };

enum { VOCABULARY_MAX = 400, VOCABULARY_ID = 8 };

struct vocabulary_row {
    char id[VOCABULARY_ID];
    uint8_t state; /**< enum vocabulary_state: the best of its cards */
    uint16_t def;  /**< that card, or NO_DEF */
};

struct vocabulary {
    size_t count;
    size_t total[MECHANIC_READY + 1]; /**< by state */
    struct vocabulary_row rows[VOCABULARY_MAX];
};

/** Compares the cards of a set with the ids in the folder's mechanics.txt, one a line. What is
 * wrong with that file, and cards that name no such id, are reported. False if the file cannot be
 * read. */
MB_MUST_CHECK
bool vocabulary_check(const struct catalog *catalog, unsigned set, const char *dir,
                      struct vocabulary *out, struct catalog_issues *issues);

#endif
