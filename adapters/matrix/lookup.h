/*
 * Whether a message stands in its room already: what was said there is looked through page by page,
 * the latest first, a thousand messages deep. Each bears its transaction. Reference: Matrix,
 * section 6.
 */
#ifndef ADAPTERS_MATRIX_LOOKUP_H
#define ADAPTERS_MATRIX_LOOKUP_H

#include "adapters/matrix/api.h"
#include "adapters/matrix/letter.h"
#include "adapters/matrix/seal.h"

struct lookup {
    struct api *api;
    struct seal *seal;
    const char *bot;
    /** Not within lookup_begin(). `id`: it is that event; else `wait_ms`: nobody can say now, and
     * it is begun anew behind that; 0: it is not there. */
    void (*done)(struct letter *letter, const char *id, int64_t wait_ms);
};

/** False: it could not be asked. The lookup is borrowed until it is done. */
MB_MUST_CHECK
bool lookup_begin(const struct lookup *lookup, struct letter *letter);

#endif
