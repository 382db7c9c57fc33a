/*
 * A parcel: pieces of bytes one behind the other, squeezed (zlib), as journals are put away.
 */
#ifndef ADAPTERS_STORE_PARCEL_H
#define ADAPTERS_STORE_PARCEL_H

#include "bot/store.h"

struct parcel {
    unsigned char *at; /**< plain while pieces are added; owned */
    size_t used, room;
    size_t count; /**< pieces */
    bool failed;  /**< for want of memory */
};

void parcel_add(struct parcel *parcel, const void *bytes, size_t size);
/** The parcel's bytes for keeping, good until it is finished; none when something has failed. */
struct store_bytes parcel_close(struct parcel *parcel);
/** What was kept, plain again; false when it is damaged or without memory. */
bool parcel_open(struct parcel *parcel, struct store_bytes kept);
/** The piece at an offset, which moves on to the next one; false: there is none. */
bool parcel_next(const struct parcel *parcel, size_t *offset, struct store_bytes *piece);
void parcel_finish(struct parcel *parcel);

#endif
