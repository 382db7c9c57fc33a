/*
 * Where the card sets are: a folder `cards` beside the executable, else the one of the build. And
 * where what is a user's own lies.
 */
#ifndef BOT_CARDS_DIR_H
#define BOT_CARDS_DIR_H

#include <stddef.h>

#include "core/codec/catalog.h"

/** The folder's path; cut to fit. */
const char *cards_dir(char *out, size_t size);
/** Loads every set found there, and those of `own` (see catalog_load_beside()) or NULL. A set with
 * mistakes is loaded but fit for no box; one of `own` with any, or none there: NULL and why. */
MB_MUST_CHECK
struct catalog *cards_load(const char *own, struct mb_error *err);
/** $XDG_STATE_HOME/munchbot (~/.local/state/munchbot), made with its parents if need be: those that
 * are made are their owner's alone. */
MB_MUST_CHECK
bool own_dir(char *out, size_t size, struct mb_error *err);

#endif
