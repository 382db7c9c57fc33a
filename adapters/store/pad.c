#include "adapters/store/pad.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 65536, ALIGNED = 8, LIST_FIRST = 16 };

struct pad_block {
    struct pad_block *next;
    size_t used, room;
    _Alignas(ALIGNED) unsigned char at[];
};

void pad_empty(struct pad *pad)
{
    while (pad->first != NULL) {
        struct pad_block *const block = pad->first;
        pad->first = block->next;
        free(block);
    }
    pad->failed = false;
}

void *pad_take(struct pad *pad, size_t size)
{
    const size_t wanted = (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    struct pad_block *block = pad->first;
    if (block == NULL || block->room - block->used < wanted) {
        const size_t room = wanted > BLOCK_SIZE ? wanted : BLOCK_SIZE;
        block = malloc(sizeof *block + room);
        if (block == NULL) {
            pad->failed = true;
            return NULL;
        }
        *block = (struct pad_block){.next = pad->first, .room = room};
        pad->first = block;
    }
    void *const at = block->at + block->used;
    block->used += wanted;
    return at;
}

void *pad_more(struct pad *pad, const void *list, size_t count, size_t size)
{
    if (count != 0 && (count < LIST_FIRST || (count & (count - 1)) != 0)) {
        return (void *)(uintptr_t)list; // there is room: it was given here, and may be written to
    }
    void *const more = pad_take(pad, (count == 0 ? LIST_FIRST : 2 * count) * size);
    if (more != NULL && count > 0) {
        memcpy(more, list, count * size);
    }
    return more;
}

const void *pad_copy(struct pad *pad, const void *at, size_t size)
{
    void *const copy = pad_take(pad, size);
    return copy != NULL && size > 0 ? memcpy(copy, at, size) : copy;
}
