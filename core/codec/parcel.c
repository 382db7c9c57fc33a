#include "core/codec/parcel.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "core/codec/memory.h"

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

static void make_room(struct parcel *parcel, size_t more)
{
    size_t room = parcel->room == 0 ? FIRST_ROOM : parcel->room;
    while (room < parcel->used + more) {
        room *= 2;
    }
    if (room > parcel->room) {
        parcel->at = mb_grow(parcel->at, room, 1);
        parcel->room = room;
    }
}

void parcel_add(struct parcel *parcel, const void *bytes, size_t size)
{
    make_room(parcel, HEAD + size);
    put_length(parcel->at + parcel->used, size);
    if (size > 0) {
        memcpy(parcel->at + parcel->used + HEAD, bytes, size);
    }
    parcel->used += HEAD + size;
    parcel->count++;
}

bool parcel_close(struct parcel *parcel)
{
    uLongf size = compressBound((uLong)parcel->used);
    if (parcel->used > PLAIN_MAX) {
        return false;
    }
    unsigned char *const squeezed = mb_grow(NULL, HEAD + size, 1);
    if (compress(squeezed + HEAD, &size, parcel->at, (uLong)parcel->used) != Z_OK) {
        free(squeezed);
        return false;
    }
    put_length(squeezed, parcel->used);
    free(parcel->at);
    parcel->at = squeezed;
    parcel->used = parcel->room = HEAD + size;
    return true;
}

bool parcel_open(struct parcel *parcel, const unsigned char *bytes, size_t size)
{
    *parcel = (struct parcel){.at = NULL};
    if (size < HEAD || get_length(bytes) > PLAIN_MAX) {
        return false;
    }
    uLongf plain = (uLongf)get_length(bytes);
    parcel->used = plain;
    parcel->at = mb_grow(NULL, plain, 1);
    if (uncompress(parcel->at, &plain, bytes + HEAD, (uLong)(size - HEAD)) == Z_OK &&
        plain == parcel->used) {
        return true;
    }
    parcel_finish(parcel);
    return false;
}

bool parcel_next(const struct parcel *parcel, size_t *offset, const unsigned char **piece,
                 size_t *size)
{
    if (parcel->used < HEAD || *offset > parcel->used - HEAD) {
        return false;
    }
    const size_t length = get_length(parcel->at + *offset);
    if (length > parcel->used - HEAD - *offset) {
        return false;
    }
    *piece = parcel->at + *offset + HEAD;
    *size = length;
    *offset += HEAD + length;
    return true;
}

void parcel_finish(struct parcel *parcel)
{
    free(parcel->at);
    *parcel = (struct parcel){.at = NULL};
}
