/*
 * An edition as data: constants, flags and identity slots. core/ has no other switch.
 *
 * profile_make() mixes them: lettered rules hold as soon as a set of that edition is in the game,
 * contradicting ones follow the house edition (MIX-2). A running table keeps the profile it started
 * with, so a profile is stored by its values, not by its name.
 */
#ifndef CORE_CARD_PROFILE_H
#define CORE_CARD_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/card.h"

enum edition {
    EDITION_CLASSIC,
    EDITION_LEGENDS,
    EDITION_PATHFINDER,
    EDITION_SUPER,
    EDITION_CONAN,
    EDITION_TOTAL
};

#define CONSTANT(id, name, c, l, p, s, k, rule) PROFILE_##id,
enum profile_constant {
#include "core/card/profile_constants.def"
    PROFILE_CONSTANT_TOTAL
};
#undef CONSTANT

#define FLAG(id, name, c, l, p, s, k, mix, rule) FLAG_##id,
enum profile_flag {
#include "core/card/profile_flags.def"
    FLAG_TOTAL
};
#undef FLAG

/** The Level that wins in the epic variant. */
enum { PROFILE_EPIC_GOAL = 20 };

/** How many cards of an identity kind one player may have in play. */
struct identity_slot {
    uint8_t capacity;   /**< 255: any number */
    bool ranked;        /**< the total Rank is limited by the Level (POWER-1) */
    bool unique;        /**< no two alike (CHAR-5) */
    bool kept_on_death; /**< DEATH-2 */
    bool at_will;       /**< may be discarded at will */
};

struct profile {
    uint8_t house;    /**< enum edition */
    uint8_t editions; /**< bits of the editions in the game */
    int16_t constant[PROFILE_CONSTANT_TOTAL];
    bool flag[FLAG_TOTAL];
    struct identity_slot slots[KIND_TOTAL]; /**< by card_kind; only identity kinds are used */
};

/** Builds the profile of a table: `editions` as bits, house one of them. */
void profile_make(struct profile *out, unsigned editions, enum edition house);
/** Finds a flag by the word of rulings.md and profile_flags.def; FLAG_TOTAL if there is none. */
unsigned profile_flag_find(const char *name);
const char *profile_flag_name(unsigned flag);
const char *profile_constant_name(unsigned constant);
const char *edition_name(unsigned edition);
/** EDITION_TOTAL if there is none. */
unsigned edition_find(const char *name);

#endif
