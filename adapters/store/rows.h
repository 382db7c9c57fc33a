/*
 * What comes back from a database: rows become an answer, errors its result. The other half of
 * plan.h.
 */
#ifndef ADAPTERS_STORE_ROWS_H
#define ADAPTERS_STORE_ROWS_H

#include "core/codec/memory.h"

#include "adapters/store/plan.h"

struct reading {
    const struct store_request *request;
    const uint8_t *secret; /**< the store's */
    struct store_answer answer;
    struct mb_pool pool; /**< of all that the answer names */
};

void reading_begin(struct reading *reading, const struct store_request *request,
                   const uint8_t *secret);
/** A row of a statement; its values are borrowed. */
void reading_row(struct reading *reading, enum query query, const struct db_value *row);
/** A statement is over; whether it changed any row. */
void reading_over(struct reading *reading, enum query query, bool changed);
/** A condition did not hold, as refuse() was told; any other code: it has failed. Nothing of the
 * step has happened. */
void reading_refused(struct reading *reading, const char *code, const char *what);
/** The answer, which is the caller's. */
struct store_answer *reading_end(struct reading *reading);

#endif
