/* The store in memory keeps the contract of stores, and so does the form of it that fails, while
 * nothing does. */
#include <stdlib.h>

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/faulty_store.h"
#include "tests/support/store_contract.h"
#include "tests/support/test.h"

struct rig {
    struct store *store, *other;
};

static struct store *started(struct store *store)
{
    struct mb_error err = {0};
    assert_non_null(store);
    assert_true(store_start(store, &err));
    return store;
}

static void *rig_open(struct store **store)
{
    struct rig *const rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->store = started(sqlite_memory_create());
    *store = rig->store;
    return rig;
}

static struct store *rig_again(void *user)
{
    struct rig *const rig = user;
    rig->other = started(sqlite_memory_join(rig->store));
    return rig->other;
}

static struct store *rig_reopen(void *user)
{
    struct rig *const rig = user;
    struct store *const next = started(sqlite_memory_join(rig->store));
    store_destroy(rig->store);
    rig->store = next;
    return next;
}

static void rig_close(void *user)
{
    struct rig *const rig = user;
    store_destroy(rig->other);
    store_destroy(rig->store);
    free(rig);
}

/* The same behind one that can be told to fail. */

static void *failing_open(struct store **store)
{
    struct rig *const rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->store = started(faulty_store_create(sqlite_memory_create()));
    *store = rig->store;
    return rig;
}

static struct store *failing_again(void *user)
{
    struct rig *const rig = user;
    struct store *const inner = sqlite_memory_join(faulty_store_inner(rig->store));
    rig->other = started(faulty_store_create(inner));
    return rig->other;
}

static struct store *failing_reopen(void *user)
{
    struct rig *const rig = user;
    struct store *const inner = sqlite_memory_join(faulty_store_inner(rig->store));
    struct store *const next = started(faulty_store_create(inner));
    store_destroy(rig->store);
    rig->store = next;
    return next;
}

int main(void)
{
    const struct store_contract failing = {.name = "contract of the store in memory that fails",
                                           .open = failing_open,
                                           .again = failing_again,
                                           .reopen = failing_reopen,
                                           .close = rig_close,
                                           .lapses = true};
    const struct store_contract contract = {.name = "contract of the store in memory",
                                            .open = rig_open,
                                            .again = rig_again,
                                            .reopen = rig_reopen,
                                            .close = rig_close,
                                            .lapses = true};
    return store_contract_run(&contract) + store_contract_run(&failing);
}
