/*
 * For people who write sets: the reference of the card language, how far the language covers the
 * mechanics, and advice about a set.
 *
 * The reference is Markdown, printed from the tables by which the loader checks cards: the two
 * cannot differ.
 */
#ifndef CORE_CODEC_REFERENCE_H
#define CORE_CODEC_REFERENCE_H

#include <stddef.h>

#include "core/codec/catalog.h"

enum { REFERENCE_SIZE = 64 * 1024 };

/** The line of cards/README.md after which this text stands to the end of the file. */
extern const char REFERENCE_MARK[];

/** Writes the reference; always terminated, cut to fit. Returns the length. */
size_t reference_write(char *out, size_t size);

/*
 * How far the card language covers the catalogue of mechanics.
 *
 * A folder with `"vocabulary": true` proves it: one card (or more) for each row of the catalogue,
 * named in the card's `mechanic`. A card with `status: "planned: OP"` waits for that op; one with
 * `status: "rule: ID"` says that the engine itself does it; any other card is ready as it stands.
 */

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

/*
 * What is worth a look in a set, and no mistake: a card that no game can use, a text that says
 * other numbers than the data or promises what they do not keep, a name that cannot be told from
 * another's.
 *
 * Reads a loaded catalog, writes notes; a set with notes is played like any other.
 */

/** Adds a note for everything of the set that is worth a look, seen beside all other sets loaded.
 */
void set_advice(const struct catalog *catalog, unsigned set, struct catalog_issues *issues);

/** Says in a sentence how a card's rows differ from its text; NULL: they do not, as far as that is
 * seen. */
const char *promise_broken(const struct catalog *catalog, unsigned index);

#endif
