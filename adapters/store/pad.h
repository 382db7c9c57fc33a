/*
 * A pad: what is read is kept here, in blocks, until it is copied into its answer.
 */
#ifndef ADAPTERS_STORE_PAD_H
#define ADAPTERS_STORE_PAD_H

#include <stdbool.h>
#include <stddef.h>

struct pad {
    struct pad_block *first;
    bool failed; /**< for want of memory */
};

void pad_empty(struct pad *pad);
/** NULL without memory, which stays noted. */
void *pad_take(struct pad *pad, size_t size);
/** Room for one more in a list of `count`; what it was stays until the pad is emptied. */
void *pad_more(struct pad *pad, const void *list, size_t count, size_t size);
const void *pad_copy(struct pad *pad, const void *at, size_t size);

#endif
