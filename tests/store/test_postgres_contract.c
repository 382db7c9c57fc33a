/* The store in PostgreSQL keeps the contract of stores. */
#include <stdlib.h>

#include "adapters/store/postgres/postgres_store.h"

#include "tests/support/cluster.h"
#include "tests/support/store_contract.h"
#include "tests/support/test.h"

static const char DATABASE[] = "contract";

struct rig {
    struct store *store, *other;
};

static struct store *open_store(void)
{
    char url[CLUSTER_URL_SIZE];
    struct mb_error err = {0};
    cluster_url(DATABASE, url);
    struct store *const store = postgres_store_create(&(struct postgres_setup){.url = url});
    assert_non_null(store);
    if (!store_start(store, &err)) {
        fail_msg("%s", err.text);
    }
    return store;
}

static void *rig_open(struct store **store)
{
    struct rig *const rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    cluster_empty(DATABASE);
    rig->store = open_store();
    *store = rig->store;
    return rig;
}

static struct store *rig_again(void *user)
{
    struct rig *const rig = user;
    rig->other = open_store();
    return rig->other;
}

static struct store *rig_reopen(void *user)
{
    struct rig *const rig = user;
    store_destroy(rig->store);
    rig->store = open_store();
    return rig->store;
}

static void rig_close(void *user)
{
    struct rig *const rig = user;
    store_destroy(rig->other);
    store_destroy(rig->store);
    free(rig);
}

int main(void)
{
    const struct store_contract contract = {.name = "contract of the store in PostgreSQL",
                                            .open = rig_open,
                                            .again = rig_again,
                                            .reopen = rig_reopen,
                                            .close = rig_close,
                                            .lapses = true};
    return store_contract_run(&contract);
}
