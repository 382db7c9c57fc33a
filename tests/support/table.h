/*
 * What tests of tables begin with: the catalog of the tree, a box of some sets, a game begun.
 */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include "core/card/box.h"
#include "core/codec/catalog.h"
#include "core/game.h"

/** The catalog of cards/, or a failed test. */
struct catalog *given_catalog(void);
/** The box of some sets ("classic,conan"); the first one's edition is the house. */
void given_box(const struct catalog *catalog, const char *sets, struct box *out);
/** A new game with a small seed, on the heap: free() it. */
struct game *given_game(const struct box *box, unsigned seats, uint64_t seed);
/** Plays random moves on a game, clocks run out when nobody can act; stops when it is over. */
void given_play(struct game *game, const struct box *box, unsigned commands, uint64_t seed);

#endif
