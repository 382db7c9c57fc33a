/*
 * What a card's own text promises in words that its rows can be held against: "up to 3", "once in
 * a fight", "a card", "Item".
 *
 * Reads words, not sentences: a text that promises something in other words is not seen. It knows
 * no set and no card.
 */
#ifndef CORE_CODEC_SET_PROMISE_H
#define CORE_CODEC_SET_PROMISE_H

#include "core/codec/catalog.h"

/** Says in a sentence how a card's rows differ from its text; NULL: they do not, as far as that is
 * seen. */
const char *promise_broken(const struct catalog *catalog, unsigned index);

#endif
