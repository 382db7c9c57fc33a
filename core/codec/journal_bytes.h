/*
 * A journal piece by piece, as stores keep it: the head, an entry each, the end; and the profile's
 * bytes.
 *
 * A *batch* is a journal that holds what one step added: each of its pieces is encoded by itself.
 * A journal is made whole again by appending the pieces in order.
 */
#ifndef CORE_CODEC_JOURNAL_BYTES_H
#define CORE_CODEC_JOURNAL_BYTES_H

#include "core/card/profile.h"
#include "core/codec/coder.h"
#include "core/codec/journal.h"

enum { JOURNAL_PIECE_MAX = 40960 };

/** Pieces of a batch: its head if it begins a game, its entries, its end if the game has ended. */
size_t journal_piece_count(const struct journal *batch);
/** Room for all pieces of a batch together. */
size_t journal_pieces_room(const struct journal *batch);
/** Writes the n-th piece; its length, or 0 if it does not fit (JOURNAL_PIECE_MAX always does). */
size_t journal_piece_encode(const struct journal *batch, size_t n, unsigned char *out, size_t size);

/** An empty journal of a table: catalogue, box and the number of sets are those that it plays with,
 * the sets the first of the catalogue. */
void journal_init_for(struct journal *journal, const struct catalog *catalog, const struct box *box,
                      size_t set_count);
/** Adds a piece. False with an error, and the journal as it was, if the bytes are none, or not the
 * next one, or of other sets. */
MB_MUST_CHECK
bool journal_append(struct journal *journal, const unsigned char *bytes, size_t size,
                    struct mb_error *err);

/*
 * A profile's walk: for everything that keeps the constants of a running table.
 */

/** Reading, whatever would be outside a profile makes the coder bad. */
void profile_code(struct coder *coder, struct profile *profile);

#endif
