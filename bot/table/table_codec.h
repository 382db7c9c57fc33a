/*
 * A table as bytes: what stores keep. Session record and snapshot in one.
 *
 * One walk over the members writes, reads and verifies, so that a table has one form only; the
 * state of the game is the core's snapshot inside. The number of the form and a check sum stand in
 * front. Reading proves what the table relies on: whoever sits there is somebody, numbers are in
 * range, texts are texts, no person sits twice. Bytes cut, flipped, of a newer form or of other
 * card sets are refused with one sentence; nothing is guessed.
 */
#ifndef BOT_TABLE_TABLE_CODEC_H
#define BOT_TABLE_TABLE_CODEC_H

#include "bot/table/table.h"

/** The form that is written. A change raises it, reads the older ones (coder.h) and keeps a copy of
 * the new one (tests/forms/README.md). */
enum { TABLE_FORM = 1, TABLE_BYTES_MAX = 65536 };

/** Writes the table and returns its length; 0 when `size` is too small (TABLE_BYTES_MAX never is).
 */
size_t table_encode(const struct table *table, unsigned char *out, size_t size);
/** Reads a table. Its card sets must be to be had. False, and `out` undefined, with one sentence.
 */
MB_MUST_CHECK
bool table_decode(const unsigned char *bytes, size_t size, struct table_workspace *workspace,
                  struct table *out, struct mb_error *err);
/** Reads a table that plays with this box, as an earlier version of one that is at hand does. */
MB_MUST_CHECK
bool table_decode_with(const unsigned char *bytes, size_t size, const struct box *box,
                       struct table *out, struct mb_error *err);

#endif
