/*
 * What every store must keep to, whatever its engine: one suite run against each.
 *
 * An engine's test brings a rig: how to open an empty store, and, where several processes may serve
 * the same data, how to open it once more. Answers may come from other threads: the suite waits.
 */
#ifndef TESTS_SUPPORT_STORE_CONTRACT_H
#define TESTS_SUPPORT_STORE_CONTRACT_H

#include "bot/store.h"

struct store_contract {
    const char *name;
    /** A started store without anything in it; freed by close. */
    void *(*open)(struct store **store);
    /** Another process on the same data, started; freed by close. NULL: there is one only. */
    struct store *(*again)(void *rig);
    /** The store is closed and opened anew on the same data, as by another process: it is this one
     * from now on. */
    struct store *(*reopen)(void *rig);
    void (*close)(void *rig);
    bool lapses; /**< who does not beat is given up; else only who has ended */
};

/** Runs the suite; the exit status. */
int store_contract_run(const struct store_contract *contract);

#endif
