/*
 * A catalog without sets, for tests that add cards of their own as JSON text.
 */
#ifndef TESTS_CORE_CODEC_CATALOG_FIXTURE_H
#define TESTS_CORE_CODEC_CATALOG_FIXTURE_H

#include "core/codec/catalog.h"

/** Traits and tags that the cards of tests name. */
extern const char FIXTURE_CARDS[];

/** An empty catalog with FIXTURE_CARDS in it (set 0). */
struct catalog *fixture_catalog(void);
/** Adds cards, which must be right; their set. Single quotes may stand for double ones. */
uint8_t fixture_add(struct catalog *catalog, const char *cards);
/** Adds cards that must be refused with a sentence that holds `expected`. */
void fixture_refuse(struct catalog *catalog, const char *cards, const char *expected);

#endif
