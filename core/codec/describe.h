/*
 * Plain English out of card data: what `cards show` prints beside a card's own text, and what tests
 * hold that text against. Says all that the data says and nothing else; knows no card.
 */
#ifndef CORE_CODEC_DESCRIBE_H
#define CORE_CODEC_DESCRIBE_H

#include <stddef.h>

#include "core/codec/catalog.h"
#include "core/words.h"

enum { DESCRIBE_SIZE = 4096 }; /**< enough for any card */

/** Writes the sentences for a kind of card; always terminated, cut to fit. Returns the length. */
size_t describe_card(const struct catalog *catalog, unsigned def, char *out, size_t size);

/** What a word of the card language says in such a sentence, for the reference; "" if nothing. */
const char *describe_word(enum word_table table, unsigned word);

#endif
