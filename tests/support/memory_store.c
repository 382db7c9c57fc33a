#include "tests/support/memory_store.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/store/sqlite/sqlite_impl.h"

struct store *memory_store_create(void)
{
    return faulty_store_create(sqlite_memory_create());
}

struct store *memory_store_join(struct store *store)
{
    return faulty_store_create(sqlite_memory_join(faulty_store_inner(store)));
}

// A number that a statement finds for a word, which may be NULL; its first blob goes to `bytes`.
static int64_t find(struct store *store, const char *words, const char *word,
                    struct store_bytes *bytes)
{
    static unsigned char *kept;
    sqlite3 *const handle = sqlite_memory_of(faulty_store_inner(store))->db.handle;
    sqlite3_stmt *row = NULL;
    int64_t number = 0;
    if (sqlite3_prepare_v2(handle, words, -1, &row, NULL) != SQLITE_OK ||
        (word != NULL && sqlite3_bind_text(row, 1, word, -1, SQLITE_STATIC) != SQLITE_OK)) {
        abort();
    }
    if (sqlite3_step(row) == SQLITE_ROW) {
        number = sqlite3_column_int64(row, 0);
        if (bytes != NULL) {
            bytes->size = (size_t)sqlite3_column_bytes(row, 0);
            kept = mb_grow(kept, bytes->size, 1);
            memcpy(kept, sqlite3_column_blob(row, 0), bytes->size);
            bytes->at = kept;
        }
    }
    (void)sqlite3_finalize(row);
    return number;
}

size_t memory_store_tables(struct store *store)
{
    return (size_t)find(store, "SELECT count(*) FROM game", NULL, NULL);
}

struct store_bytes memory_store_bytes(struct store *store, const char *table)
{
    struct store_bytes bytes = {.at = NULL};
    (void)find(store, "SELECT bytes FROM game WHERE table_id = ?", table, &bytes);
    return bytes;
}

size_t memory_store_unsent(struct store *store)
{
    return (size_t)find(store, "SELECT count(*) FROM message", NULL, NULL);
}
