/*
 * Stores by their URLs: the one place that knows which engines there are.
 *
 * "sqlite:PATH", or "postgresql://..." (anything libpq takes, several hosts too). Without a URL the
 * terminal's store lies at $XDG_STATE_HOME/munchbot/tables.db, in a folder that is made if need be.
 */
#ifndef ADAPTERS_STORE_STORE_URL_H
#define ADAPTERS_STORE_STORE_URL_H

#include "bot/store.h"

enum { STORE_URL_SIZE = 4096 };

/** The URL of the terminal's own store; its folder is there then. */
bool store_url_default(char out[STORE_URL_SIZE], struct mb_error *err);
/** A store that is not started, and whose store_take() does not wait: for a loop. NULL with one
 * sentence. */
struct store *store_url_create(const char *url, struct mb_error *err);
/** Whether it could be used, as far as that can be told without a network and without changing
 * anything. */
bool store_url_check(const char *url, struct mb_error *err);
/** A started store whose store_take() waits; NULL with one sentence that says what to do. */
struct store *store_url_open(const char *url, struct mb_error *err);

/** The same, but no store is made: NULL if there is none yet. */
struct store *store_url_find(const char *url, struct mb_error *err);

/** A consistent copy of a store, which may be served meanwhile, in a file that is not there yet;
 * and a store made of such a copy, where none is yet. False with one sentence that says what to do.
 */
bool store_url_backup(const char *url, const char *file, struct mb_error *err);
bool store_url_restore(const char *url, const char *file, struct mb_error *err);

#endif
