/*
 * Card sets for tables: a catalogue of exactly the sets that a table plays with, found by the
 * digests of their cards.
 *
 * Rows, traits and abilities are numbered by what is loaded, so a table's numbers must not depend
 * on what else is installed. Catalogues are made when first asked for, shared by all tables of one
 * mix, and given up when others have been asked for since: who opens tables chooses sets and their
 * order. A set comes from its folder if that still holds what its digest says, else from files that
 * were kept (in a store) since a table began with them: library_keep(). The catalogue of all sets
 * is borrowed; it serves words where there is no table yet.
 */
#ifndef BOT_TABLE_LIBRARY_H
#define BOT_TABLE_LIBRARY_H

#include "core/base/error.h"
#include "core/codec/card_files.h"

enum {
    TABLE_SETS_MAX = 16,
    LIBRARY_MIXES_MAX = 64, /**< at once; of more the one asked for longest ago goes */
    LIBRARY_KEPT_MAX = 64   /**< sets that are not installed (any more); the same */
};

struct library;

/** A mix: its catalogue, whose sets stand in the order asked for, and a box of all of them by the
 * rules of the first set's edition. */
struct mix {
    uint64_t number; /**< no other mix of the library has it, or had */
    uint8_t digests[TABLE_SETS_MAX][CATALOG_DIGEST_SIZE];
    size_t count;
    struct parcel files[TABLE_SETS_MAX]; /**< closed: as they can be kept */
    struct catalog *catalog;
    struct card_looks *looks; /**< of the catalogue */
    struct box box;
};

struct library *library_create(const struct catalog *all);
/** NULL is fine. */
void library_destroy(struct library *library);
const struct catalog *library_all(const struct library *library);
/** The number of a set in the catalogue of all, by its digest; NO_SET: not installed (any more). */
uint8_t library_set(const struct library *library, const uint8_t digest[CATALOG_DIGEST_SIZE]);
/** Files of a set that somebody has kept, for mixes to come; copied. */
void library_keep(struct library *library, const uint8_t digest[CATALOG_DIGEST_SIZE],
                  const unsigned char *bytes, size_t size);
/** The set for want of which the last library_mix() failed, or NULL: it was something else, or the
 * files that were kept of it are no good. */
const uint8_t *library_lacks(const struct library *library);
/** The mix of these sets, digest by digest, in this order; NULL with an error if one of them is not
 * to be had. Good until as many others have been asked for as there can be at once. */
MB_MUST_CHECK
const struct mix *library_mix(struct library *library, const uint8_t *digests, size_t count,
                              struct mb_error *err);

#endif
