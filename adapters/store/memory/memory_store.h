/*
 * A store in memory: for the terminal, for tests, and as the plainest form of the contract.
 *
 * It works when an answer is taken, on the thread that takes it. It outlives the halls on it: a new
 * hall goes on with every table. It can be told to fail, as networks and disks do: before or after
 * a request has taken effect, with an answer that never comes, comes late or comes twice.
 */
#ifndef ADAPTERS_STORE_MEMORY_MEMORY_STORE_H
#define ADAPTERS_STORE_MEMORY_MEMORY_STORE_H

#include "bot/store.h"

/** NULL only without memory. */
struct store *memory_store_create(void);
/** Another process on the same tables, which are there until the last of them is destroyed; at most
 * 16. NULL only without memory. */
struct store *memory_store_join(struct store *store);

enum memory_fault {
    MEMORY_WELL,
    MEMORY_FAILS_BEFORE, /**< STORE_FAILED, nothing has changed */
    MEMORY_FAILS_AFTER,  /**< STORE_FAILED, all has changed */
    MEMORY_FORGETS,      /**< done, and no answer ever comes */
    MEMORY_LATE,         /**< done, and the answer comes after memory_store_release() */
    MEMORY_TWICE         /**< done, and the answer comes twice */
};

/** What happens to the n-th request from now (1: the next) and to that one only. */
void memory_store_fault(struct store *store, enum memory_fault fault, unsigned long n);
/** Somebody else changes a table just before each of the next `commits`: they are conflicts. */
void memory_store_overtake(struct store *store, unsigned commits);
/** Until told otherwise nothing is done and everything fails. */
void memory_store_down(struct store *store, bool down);
/** Until told otherwise requests wait; nothing is answered. */
void memory_store_hold(struct store *store, bool hold);
/** Answers that were late come now. */
void memory_store_release(struct store *store);
/** Requests taken so far. */
unsigned long memory_store_requests(const struct store *store);
size_t memory_store_tables(const struct store *store);
/** A table's bytes, borrowed until the next request; none if it is not there. */
struct store_bytes memory_store_bytes(const struct store *store, const char *table);
/** Messages whose outcome is not known, of all tables. */
size_t memory_store_unsent(const struct store *store);

#endif
