#include "adapters/store/parcel.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

// A length of four bytes before each piece, and before the whole when it is squeezed.
enum { HEAD = 4, FIRST_ROOM = 4096, PLAIN_MAX = 64 * 1024 * 1024, BYTE = 8, LOW = 0xff };

static void put_length(unsigned char *at, size_t length)
{
    for (unsigned i = 0; i < HEAD; i++) {
        at[i] = (unsigned char)(length >> (BYTE * i) & LOW);
    }
}

static size_t get_length(const unsigned char *at)
{
    size_t length = 0;
    for (unsigned i = 0; i < HEAD; i++) {
        length |= (size_t)at[i] << (BYTE * i);
    }
    return length;
}

static bool make_room(struct parcel *parcel, size_t more)
{
    size_t room = parcel->room == 0 ? FIRST_ROOM : parcel->room;
    while (room < parcel->used + more) {
        room *= 2;
    }
    if (parcel->failed || room > PLAIN_MAX) {
        return false;
    }
    if (room > parcel->room) {
        unsigned char *const grown = realloc(parcel->at, room);
        if (grown == NULL) {
            return false;
        }
        parcel->at = grown;
        parcel->room = room;
    }
    return true;
}

void parcel_add(struct parcel *parcel, const void *bytes, size_t size)
{
    if (!make_room(parcel, HEAD + size)) {
        parcel->failed = true;
        return;
    }
    put_length(parcel->at + parcel->used, size);
    if (size > 0) {
        memcpy(parcel->at + parcel->used + HEAD, bytes, size);
    }
    parcel->used += HEAD + size;
    parcel->count++;
}

struct store_bytes parcel_close(struct parcel *parcel)
{
    uLongf size = compressBound((uLong)parcel->used);
    unsigned char *const squeezed = parcel->failed ? NULL : malloc(HEAD + size);
    if (squeezed == NULL || compress2(squeezed + HEAD, &size, parcel->at, (uLong)parcel->used,
                                      Z_BEST_COMPRESSION) != Z_OK) {
        free(squeezed);
        parcel->failed = true;
        return (struct store_bytes){.at = NULL};
    }
    put_length(squeezed, parcel->used);
    free(parcel->at);
    parcel->at = squeezed;
    return (struct store_bytes){.at = squeezed, .size = HEAD + size};
}

bool parcel_open(struct parcel *parcel, struct store_bytes kept)
{
    *parcel = (struct parcel){.at = NULL};
    if (kept.size < HEAD || get_length(kept.at) > PLAIN_MAX) {
        return false;
    }
    uLongf size = (uLongf)get_length(kept.at);
    parcel->used = size;
    parcel->at = malloc(size > 0 ? size : 1);
    if (parcel->at != NULL &&
        uncompress(parcel->at, &size, kept.at + HEAD, (uLong)(kept.size - HEAD)) == Z_OK &&
        size == parcel->used) {
        return true;
    }
    parcel_finish(parcel);
    return false;
}

bool parcel_next(const struct parcel *parcel, size_t *offset, struct store_bytes *piece)
{
    if (parcel->used < HEAD || *offset > parcel->used - HEAD) {
        return false;
    }
    const size_t size = get_length(parcel->at + *offset);
    if (size > parcel->used - HEAD - *offset) {
        return false;
    }
    *piece = (struct store_bytes){.at = parcel->at + *offset + HEAD, .size = size};
    *offset += HEAD + size;
    return true;
}

void parcel_finish(struct parcel *parcel)
{
    free(parcel->at);
    *parcel = (struct parcel){.at = NULL};
}
