/*
 * A table as a file: JSON that says what happened there, and all that another store needs to go on
 * with it.
 *
 * While the game runs hands and seed stay out of it, and with them what could be gone on with,
 * unless they are asked for.
 */
#ifndef BOT_KEPT_TABLE_FILE_H
#define BOT_KEPT_TABLE_FILE_H

#include "bot/kept/kept_table.h"

enum { TABLE_FILE_VERSION = 1 };

/** The export, to be freed; `reveal`: also what is secret. NULL with an error. */
char *table_file_export(struct kept *kept, const struct kept_table *table, bool reveal,
                        struct mb_error *err);
/** Puts the table of an export into the store, if it has no table of that id and nothing lies at
 * its places; its game is played again first. The id goes into `id`. False with an error. */
MB_MUST_CHECK
bool table_file_import(struct kept *kept, const char *text, size_t size, char id[TABLE_ID_SIZE],
                       struct mb_error *err);
/** The record of the game in an export, as journal_verify() takes it, to be freed; NULL: the text
 * is no export of a table, or has no such record. */
char *table_file_game(const char *text, size_t size);

#endif
