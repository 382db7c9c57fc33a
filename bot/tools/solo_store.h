/*
 * A table carried by hand whose bytes, log, statistics and earlier version a store keeps: what a
 * restart brings back is what was committed there. For bot/tools/solo.c alone.
 *
 * The store is borrowed, started, and its store_take() waits. The table is kept under a name that
 * no other has, and nothing is left of it in the end.
 */
#ifndef BOT_TOOLS_SOLO_STORE_H
#define BOT_TOOLS_SOLO_STORE_H

#include "bot/store.h"
#include "bot/table/table.h"

struct solo_store {
    struct store *store; /**< NULL: nothing is kept */
    char id[STORE_TABLE_SIZE];
    uint64_t version, epoch;
    unsigned char *bytes;            /**< room for one table */
    struct store_answer *answers[3]; /**< that what was fetched last points into */
};

/** The table as it is, and what has been said at it so far. */
MB_MUST_CHECK
bool solo_store_begin(struct solo_store *kept, struct store *store, const struct table *table,
                      const char *const *log, size_t log_count, struct mb_error *err);
/** An outcome that has changed the table, all that it says without marks. */
MB_MUST_CHECK
bool solo_store_commit(struct solo_store *kept, const struct table_outcome *outcome,
                       struct mb_error *err);
/** The store is stopped and started, and the table comes out of it: good until the next call. */
MB_MUST_CHECK
bool solo_store_load(struct solo_store *kept, struct store_bytes *out, struct mb_error *err);
/** What an outcome asks for; nothing of it with an error. */
void solo_store_fetch(struct solo_store *kept, const struct table_outcome *outcome,
                      struct deed_fetched *out, struct mb_error *err);
/** Somebody's statistics are forgotten. */
void solo_store_forget(struct solo_store *kept, const struct person *person, struct mb_error *err);
void solo_store_end(struct solo_store *kept);

#endif
