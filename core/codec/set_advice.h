/*
 * What is worth a look in a set, and no mistake: a card that no game can use, a text that says
 * other numbers than the data or promises what they do not keep, a name that cannot be told from
 * another's.
 *
 * Reads a loaded catalog, writes notes; a set with notes is played like any other.
 */
#ifndef CORE_CODEC_SET_ADVICE_H
#define CORE_CODEC_SET_ADVICE_H

#include "core/codec/catalog.h"

/** Adds a note for everything of the set that is worth a look, seen beside all other sets loaded.
 */
void set_advice(const struct catalog *catalog, unsigned set, struct catalog_issues *issues);

/** Says in a sentence how a card's rows differ from its text; NULL: they do not, as far as that is
 * seen. */
const char *promise_broken(const struct catalog *catalog, unsigned index);

#endif
