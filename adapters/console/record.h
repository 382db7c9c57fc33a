/*
 * A game written down: the journal of a table, fetched from the store, as a file.
 *
 * The store must be at rest: no answer of it may be on its way to somebody else.
 */
#ifndef ADAPTERS_CONSOLE_RECORD_H
#define ADAPTERS_CONSOLE_RECORD_H

#include "bot/store.h"
#include "bot/table/table.h"

/** Writes what the store has of the table, whose words these are. `interrupted`: a game that is not
 * over is broken off. */
MB_MUST_CHECK
bool record_save(struct store *store, const struct table *table, const struct table_words *words,
                 bool interrupted, const char *path, struct mb_error *err);

#endif
