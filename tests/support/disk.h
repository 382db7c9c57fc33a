/*
 * A disk that fails: SQLite's files go through here once it is installed. Writes and syncs go wrong
 * as they are told to, from whatever thread they come; all else is the real disk's.
 */
#ifndef TESTS_SUPPORT_DISK_H
#define TESTS_SUPPORT_DISK_H

#include <stdbool.h>

enum disk_fault {
    DISK_WELL,
    DISK_FULL,      /**< writes find no room */
    DISK_READ_ONLY, /**< nothing may be written any more */
    DISK_BROKEN     /**< writes and syncs fail */
};

/** From now on, for every file that SQLite opens in this process. */
void disk_install(void);
/** What goes wrong: `n` more writes and syncs (1: the next one) from now, and all after that until
 * it is told otherwise. */
void disk_fault(enum disk_fault fault, long n);
/** Syncs do nothing from now on: for tests that lose processes and no power. */
void disk_hurry(void);
/** A sync lasts at least so long from now on, as on a disk that is no faster. */
void disk_wait(long ns);
/** Syncs so far. */
long disk_syncs(void);
/** Temporary files so far, beside a store's own. */
long disk_strays(void);
/** Writes and syncs so far. */
long disk_uses(void);

#endif
