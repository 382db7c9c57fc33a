/* The store in SQLite keeps the contract of stores. */
#include <stdlib.h>

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/folder.h"
#include "tests/support/store_contract.h"
#include "tests/support/test.h"

struct rig {
    char folder[FOLDER_PATH_SIZE], path[FOLDER_PATH_SIZE];
    struct store *store, *other;
};

static struct store *open_store(const struct rig *rig)
{
    struct mb_error err = {0};
    struct store *const store = sqlite_store_create(&(struct sqlite_setup){.path = rig->path});
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
    folder_make(rig->folder);
    folder_in(rig->folder, "tables.db", rig->path);
    rig->store = open_store(rig);
    *store = rig->store;
    return rig;
}

static struct store *rig_again(void *user)
{
    struct rig *const rig = user;
    rig->other = open_store(rig);
    return rig->other;
}

static struct store *rig_reopen(void *user)
{
    struct rig *const rig = user;
    store_destroy(rig->store);
    rig->store = open_store(rig);
    return rig->store;
}

static void rig_close(void *user)
{
    struct rig *const rig = user;
    store_destroy(rig->other);
    store_destroy(rig->store);
    folder_remove(rig->folder);
    free(rig);
}

int main(void)
{
    const struct store_contract contract = {.name = "contract of the store in SQLite",
                                            .open = rig_open,
                                            .again = rig_again,
                                            .reopen = rig_reopen,
                                            .close = rig_close};
    return store_contract_run(&contract);
}
