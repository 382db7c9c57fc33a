/*
 * A journal's export as a file.
 *
 * A file is written beside its place and put there whole, so whoever reads it finds one export or
 * the other, never half of one. While the game runs only its owner may read it, for it names cards
 * in hands; when it is over it is as open as any new file.
 */
#ifndef BOT_TABLE_JOURNAL_FILE_H
#define BOT_TABLE_JOURNAL_FILE_H

#include "core/codec/journal.h"

/** Writes the export; `final` is the state now. False with an error. */
bool journal_save(const struct journal *journal, const struct game *final, const char *path,
                  struct mb_error *err);
/** A file as it is, to be freed; NULL with an error. Of what is longer than an export may be only a
 * byte more than that is read. */
char *journal_file_read(const char *path, size_t *size, struct mb_error *err);

#endif
