/*
 * A store in memory that can fail (faulty_store.h), and a look at what lies in it, which counts as
 * no request.
 */
#ifndef TESTS_SUPPORT_MEMORY_STORE_H
#define TESTS_SUPPORT_MEMORY_STORE_H

#include "tests/support/faulty_store.h"

struct store *memory_store_create(void);
/** Another process on the same tables; at most 16. */
struct store *memory_store_join(struct store *store);
size_t memory_store_tables(struct store *store);
/** A table's bytes, borrowed until the next call; none if it is not there. */
struct store_bytes memory_store_bytes(struct store *store, const char *table);
/** Messages whose outcome is not known, of all tables. */
size_t memory_store_unsent(struct store *store);

#endif
