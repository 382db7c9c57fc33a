/* The store in memory keeps the contract of stores. */
#include "adapters/store/memory/memory_store.h"

#include "tests/support/store_contract.h"
#include "tests/support/test.h"

static void *rig_open(struct store **store)
{
    struct mb_error err = {0};
    *store = memory_store_create();
    assert_non_null(*store);
    assert_true(store_start(*store, &err));
    return *store;
}

static struct store *rig_reopen(void *rig)
{
    struct mb_error err = {0};
    store_stop(rig);
    assert_true(store_start(rig, &err));
    return rig;
}

static void rig_close(void *rig)
{
    store_destroy(rig);
}

int main(void)
{
    const struct store_contract contract = {.name = "contract of the store in memory",
                                            .open = rig_open,
                                            .reopen = rig_reopen,
                                            .close = rig_close};
    return store_contract_run(&contract);
}
