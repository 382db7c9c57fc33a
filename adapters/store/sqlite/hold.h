/*
 * What living processes hold: a lock on one byte of a file beside the store, which the system takes
 * back from a process that has ended in whatever way. Two words may share a byte: one of them is
 * then held by who holds the other. A process holds a byte of its own as well: so the others know
 * that it lives.
 */
#ifndef ADAPTERS_STORE_SQLITE_HOLD_H
#define ADAPTERS_STORE_SQLITE_HOLD_H

#include <stdint.h>

#include "core/base/error.h"

struct hold {
    int fd;     /**< -1: it is closed */
    int64_t me; /**< this process among those that serve the store */
};

bool hold_open(struct hold *hold, const char *store, struct mb_error *err);
/** Whether no other living process holds it; it is this one's then. */
bool hold_take(const struct hold *hold, const char *word);
/** Whether a process lives; this one does. */
bool hold_lives(const struct hold *hold, int64_t process);
/** Whether any other one does. */
bool hold_is_shared(const struct hold *hold);
void hold_close(struct hold *hold);

#endif
