/*
 * A store in one SQLite file: the embedded default, for one machine.
 *
 * Every commit that was answered is on the disk (WAL, synchronous=FULL). A writer thread puts all
 * that waits into one transaction, a savepoint a step; a reader thread answers questions from a
 * connection of its own; a third one copies the log into the file, never in a commit. Several
 * processes may serve one file. What another one locks is waited for a few seconds, then it has
 * failed.
 *
 * The file and what lies beside it are their owner's alone. A file that is not what it should be is
 * left as it is, and the error says what to do.
 */
#ifndef ADAPTERS_STORE_SQLITE_SQLITE_STORE_H
#define ADAPTERS_STORE_SQLITE_SQLITE_STORE_H

#include "bot/store.h"

struct sqlite_setup {
    const char *path; /**< made if it is not there; its folder must be */
    /** store_take() waits while anything asked is not answered: for a host with nothing else to do
     * meanwhile. */
    bool waits;
    /** Outcomes of messages, which nobody waits for, are written with the next commit, or after so
     * long; 0: like everything else. A process that dies meanwhile sends the message again, under
     * the same key. */
    int64_t linger_ms;
};

/** Opened by store_start(). */
struct store *sqlite_store_create(const struct sqlite_setup *setup);
/** A store in memory: works when an answer is taken, on the thread that takes it, and outlives the
 * halls on it. */
struct store *sqlite_memory_create(void);
/** Another process on the same tables, which are there until the last of them is destroyed; at most
 * 16. */
struct store *sqlite_memory_join(struct store *store);
/** Whether there is a store at the path that could be started, or room for a new one; makes and
 * changes nothing. */
bool sqlite_store_check(const char *path, struct mb_error *err);

/** Copies a store, which may be served meanwhile, to a path where nothing is yet. False with one
 * sentence. */
bool sqlite_copy(const char *from, const char *to, struct mb_error *err);

#endif
