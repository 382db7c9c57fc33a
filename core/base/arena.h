/*
 * An arena: memory handed out in order from one block and given back all at once.
 *
 * The core may not allocate, so the block is the caller's, and so is its lifetime: whoever owns it
 * frees it when nothing that lies in it is used any more. `used` never exceeds `size`. A request
 * that does not fit leaves the arena as it was. To start over, set `used` back to what it was.
 */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stddef.h>

#include "core/base/error.h"

struct mb_arena {
    unsigned char *base;
    size_t size, used; /**< bytes */
};

/** Starts an empty arena over `size` bytes at `base` (NULL only with size 0). */
void mb_arena_init(struct mb_arena *arena, void *base, size_t size);

/** Zeroed memory at a multiple of `align` (a power of two), or NULL when it does not fit. */
MB_MUST_CHECK
void *mb_arena_alloc(struct mb_arena *arena, size_t size, size_t align);

/** A terminated copy of the first `length` bytes of `text`, or NULL when it does not fit. */
MB_MUST_CHECK
char *mb_arena_strdup(struct mb_arena *arena, const char *text, size_t length);

#endif
