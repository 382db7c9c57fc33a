/*
 * Inside of `munchbot cards`: its parts, each with the meaning of a subcommand.
 */
#ifndef BOT_CMD_CMD_CARDS_IMPL_H
#define BOT_CMD_CMD_CARDS_IMPL_H

#include "core/codec/catalog.h"

/** `cards check [DIR...]`: loads and says what is wrong, one line each; CMD_ values. `own`: the
 * sets there are checked too, or NULL. */
int cards_check(const char *own, int dir_count, char **dirs);

/** `cards new DIR`: writes a small set of one's own to begin with; CMD_ values. */
int cards_new(const char *dir);

/** Prints issues, the notes to stdout, errors to stderr; only those of lines that start with
 * `prefix`. Returns the number of errors. */
size_t cards_print_issues(const struct catalog_issues *issues, const char *prefix);

#endif
