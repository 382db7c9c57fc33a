/*
 * A parcel: pieces of bytes one behind the other, squeezed (zlib), as journals and card files are
 * put away.
 */
#ifndef CORE_CODEC_PARCEL_H
#define CORE_CODEC_PARCEL_H

#include <stdbool.h>
#include <stddef.h>

struct parcel {
    unsigned char *at; /**< owned: plain while pieces are added and after it was opened */
    size_t used, room; /**< bytes */
    size_t count;      /**< pieces that were added */
};

void parcel_add(struct parcel *parcel, const void *bytes, size_t size);
/** Squeezes what was added, for keeping; nothing can be added any more. False: it is more than 64
 * MiB. */
bool parcel_close(struct parcel *parcel);
/** What was kept, plain again; false when it is damaged. */
bool parcel_open(struct parcel *parcel, const unsigned char *bytes, size_t size);
/** The piece at an offset (0: the first), which moves on to the next one; false: there is none. */
bool parcel_next(const struct parcel *parcel, size_t *offset, const unsigned char **piece,
                 size_t *size);
void parcel_finish(struct parcel *parcel);

#endif
