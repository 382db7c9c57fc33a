/*
 * Plain English out of card data: what `cards show` prints beside a card's own text, and what tests
 * hold that text against. Says all that the data says and nothing else; knows no card.
 */
#ifndef CORE_CODEC_DESCRIBE_H
#define CORE_CODEC_DESCRIBE_H

#include <stddef.h>

#include "core/codec/catalog.h"

enum { DESCRIBE_SIZE = 4096 }; /**< enough for any card */

/** Writes the sentences for a kind of card, its figures first: "Level 4, 2 Treasures."; always
 * terminated, cut to fit. Returns the length. */
size_t describe_card(const struct catalog *catalog, unsigned def, char *out, size_t size);
/** The same without the figures: what the card's own text says in its own words. */
size_t describe_text(const struct catalog *catalog, unsigned def, char *out, size_t size);

#endif
