#include "core/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

void mb_arena_init(struct mb_arena *arena, void *base, size_t size)
{
    assert(base != NULL || size == 0);
    *arena = (struct mb_arena){.base = base, .size = size};
}

void *mb_arena_alloc(struct mb_arena *arena, size_t size, size_t align)
{
    assert(align != 0 && (align & (align - 1)) == 0);
    assert(arena->used <= arena->size);
    if (arena->base == NULL) {
        return NULL;
    }
    // The address counts, not the offset: the caller's block may start anywhere.
    const uintptr_t next = (uintptr_t)(arena->base + arena->used);
    const size_t padding = (size_t)(-next & (uintptr_t)(align - 1));
    const size_t room = arena->size - arena->used;
    if (padding > room || size > room - padding) {
        return NULL;
    }
    unsigned char *memory = arena->base + arena->used + padding;
    arena->used += padding + size;
    memset(memory, 0, size);
    return memory;
}

char *mb_arena_strdup(struct mb_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *copy = mb_arena_alloc(arena, length + 1, 1);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}
