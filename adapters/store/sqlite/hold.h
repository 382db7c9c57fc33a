/*
 * What living processes hold: a lock on one byte of a file beside the store, which the system takes
 * back from a process that has ended in whatever way. Two words may share a byte: one of them is
 * then held by who holds the other.
 *
 * Of one process: it does not lock itself out, and to close one gives all back that it holds of
 * this store.
 */
#ifndef ADAPTERS_STORE_SQLITE_HOLD_H
#define ADAPTERS_STORE_SQLITE_HOLD_H

#include "core/base/error.h"

struct hold {
    int fd; /**< -1: it is closed */
};

bool hold_open(struct hold *hold, const char *store, struct mb_error *err);
/** Whether no other living process holds it; it is this one's then. */
bool hold_take(const struct hold *hold, const char *word);
void hold_close(struct hold *hold);

#endif
