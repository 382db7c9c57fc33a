/*
 * Stores by their URLs: the one place that knows which engines there are.
 *
 * "sqlite:PATH", or "postgresql://..." (anything that libpq takes, several hosts too). Without a
 * URL the terminal's store is $XDG_STATE_HOME/munchbot/tables.db; a missing folder is made.
 */
#ifndef ADAPTERS_STORE_STORE_URL_H
#define ADAPTERS_STORE_STORE_URL_H

#include "bot/store.h"

enum { STORE_URL_SIZE = 4096 };

/** Writes the URL of the terminal's own store and makes its folder. */
bool store_url_default(char out[STORE_URL_SIZE], struct mb_error *err);
/** Makes a store for a loop: not started, and its store_take() does not wait. NULL with one
 * sentence. */
struct store *store_url_create(const char *url, struct mb_error *err);
/** Whether the store could be used, as far as known without a network and without changes. */
bool store_url_check(const char *url, struct mb_error *err);
/** Makes and starts a store whose store_take() waits; NULL with one sentence: what to do. */
struct store *store_url_open(const char *url, struct mb_error *err);

/** The same for a store that exists; NULL if there is none. */
struct store *store_url_find(const char *url, struct mb_error *err);

/** Returns the bytes free where the store's file is; -1: it has none here, or nobody can tell. */
int64_t store_url_free(const char *url);

/** Copies a store, even while it is served, into a new file; restores a store from such a file,
 * where there is none (`file` NULL: other tools have done that), and notes when, so that what was
 * said before counts no more. False with one sentence: what to do. */
bool store_url_backup(const char *url, const char *file, struct mb_error *err);
bool store_url_restore(const char *url, const char *file, struct mb_error *err);

#endif
