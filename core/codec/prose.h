/*
 * Inside of describe: a bounded text that grows, and the phrases sentences are made of.
 */
#ifndef CORE_CODEC_PROSE_H
#define CORE_CODEC_PROSE_H

#include "core/codec/catalog_impl.h"
#include "core/codec/describe.h"

struct prose {
    const struct catalog *catalog;
    const struct card_def *def;
    char *out;
    size_t size, length;
    bool of_them; /**< requirements of self read "who is ..." instead of "you are ..." */
};

MB_PRINTF(2, 3)
void prose_add(struct prose *prose, const char *format, ...);

/** "the main fighter"; "you" for self. */
const char *phrase_who(unsigned who);
/** "Class", "Footgear": a word as it stands in a sentence. */
const char *phrase_kind(unsigned kind, bool many);

/** "+5", "-1 for each card paid", "+ twice the Treasures of the Monster paid". */
void prose_signed(struct prose *prose, const struct amount *amount);
/** "2 Levels", "1 Level for each card paid", "as many Levels as a die shows". `sign` -1 turns it.
 */
void prose_number(struct prose *prose, const struct amount *amount, int sign, const char *one,
                  const char *many);
/** "small Items in play", "Headgear". `index` is the filter's + 1; 0: "cards". */
void prose_filter(struct prose *prose, unsigned index, bool many);
/** "all hand cards", "2 Items", "a Big Item". */
void prose_cards(struct prose *prose, const struct amount *amount, unsigned filter);
/** "discard 1 to 3 cards". `cost` is index + 1. */
void prose_cost(struct prose *prose, unsigned cost);
/** "a fighter is an Elf and it is your turn". */
void prose_requirements(struct prose *prose, unsigned first, unsigned count);
/** An own argument of an op, as its sentence wants it: `op` is the row's, or that of a lasting one.
 */
void prose_argument(struct prose *prose, const struct row *row, unsigned op, int value);
/** What a row does, without its trigger, cost and limit. */
void prose_row(struct prose *prose, const struct row *row);

/** "a" or "an", as the next word wants it. */
const char *article(const char *word);

#endif
