/*
 * Reading an answer to a sync as it comes, and leaving out what is too much of it.
 *
 * A part is what stands behind a name at the top of the answer, in its "rooms", or in one of their
 * lists: so each room is one. Of a part that is longer than a part may be nothing is kept, and
 * "null" stands there; "false", if all that was kept would be too much with it. What is short and
 * stands at the top is kept all the same. So what one room holds costs that room, and the answer is
 * still JSON if it was. What is no part is never much. Pure.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_SIEVE_H
#define ADAPTERS_MATRIX_CLIENT_SIEVE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct sieve_bounds {
    size_t part;  /**< bytes of a part */
    size_t whole; /**< of all that is kept */
    size_t read;  /**< of all that comes */
};

struct sieve;

struct sieve *sieve_create(const struct sieve_bounds *bounds);
/** NULL is fine. */
void sieve_destroy(struct sieve *sieve);
/** The next bytes. False: there is more than is read at all. */
MB_MUST_CHECK
bool sieve_take(struct sieve *sieve, const char *bytes, size_t size);
/** How many parts were left out. */
unsigned sieve_cut(const struct sieve *sieve);
/** What was kept, the caller's from now on; NULL: nothing has come. */
char *sieve_give(struct sieve *sieve, size_t *size);

#endif
