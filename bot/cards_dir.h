/*
 * Where the card sets are: a folder `cards` beside the executable, else that of the build. And
 * where a user's own files are.
 */
#ifndef BOT_CARDS_DIR_H
#define BOT_CARDS_DIR_H

#include <stddef.h>

#include "core/codec/catalog.h"

/** Writes the folder's path, cut to fit. */
const char *cards_dir(char *out, size_t size);
/** Loads every set of that folder and of `own` (see catalog_load_beside(); may be NULL). A set with
 * errors is loaded but no table can play it. NULL and why: a set of `own` has errors, or `own` has
 * no set. */
MB_MUST_CHECK
struct catalog *cards_load(const char *own, struct mb_error *err);
/** Writes the path of $XDG_STATE_HOME/munchbot (~/.local/state/munchbot). Makes missing folders,
 * for their owner alone. */
MB_MUST_CHECK
bool own_dir(char *out, size_t size, struct mb_error *err);

#endif
