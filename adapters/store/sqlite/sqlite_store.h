/*
 * A store in one SQLite file: the embedded default, for one machine.
 *
 * Every answered commit is on the disk (WAL, synchronous=FULL). A writer thread puts all waiting
 * commits into one transaction, with a savepoint for each step. A reader thread answers questions
 * on a connection of its own. A third thread copies the log into the file, never in a commit.
 * Several processes may serve one file: a lock of another is waited for some seconds, then the
 * request fails.
 *
 * Only the owner can read the file and those beside it. A file of another kind stays as it is, and
 * the error says what to do.
 */
#ifndef ADAPTERS_STORE_SQLITE_SQLITE_STORE_H
#define ADAPTERS_STORE_SQLITE_SQLITE_STORE_H

#include "bot/store.h"

struct sqlite_setup {
    const char *path; /**< made if missing; the folder must exist */
    /** store_take() waits while any request is open: for a host without a loop. */
    bool waits;
    /** Outcomes of messages are written with the next commit, or after this long; 0: at once.
     * Nobody waits for them. If the process dies first, the message is sent again under its key. */
    int64_t linger_ms;
};

/** Opened by store_start(). */
struct store *sqlite_store_create(const struct sqlite_setup *setup);
/** Makes a store in memory. store_take() does the work. The store outlives the halls on it. */
struct store *sqlite_memory_create(void);
/** Makes a second store on the same tables, as if for another process; at most 16. The tables live
 * until the last of them is destroyed. */
struct store *sqlite_memory_join(struct store *store);
/** Whether the path has a usable store, or room for a new one. Changes nothing. */
bool sqlite_store_check(const char *path, struct mb_error *err);

/** Copies a store, even while it is served, to a new file. False with one sentence. */
bool sqlite_copy(const char *from, const char *to, struct mb_error *err);

#endif
