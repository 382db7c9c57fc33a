#include "core/codec/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <stdalign.h>

static _Noreturn void die_of_memory(size_t count, size_t size)
{
    (void)fprintf(stderr, "munchbot: out of memory (%zu times %zu bytes); start it again\n", count,
                  size);
    abort();
}

// At least 1: a block for 0 bytes is one, too.
static size_t bytes_of(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / 2 / size) {
        die_of_memory(count, size);
    }
    return count * size != 0 ? count * size : 1;
}

void *mb_new(size_t count, size_t size)
{
    void *const block = calloc(bytes_of(count, size), 1);
    if (block == NULL) {
        die_of_memory(count, size);
    }
    return block;
}

void *mb_grow(void *block, size_t count, size_t size)
{
    void *const grown = realloc(block, bytes_of(count, size));
    if (grown == NULL) {
        die_of_memory(count, size);
    }
    return grown;
}

void *mb_grow_for(void *block, size_t count, size_t *room, size_t size)
{
    enum { FIRST = 8 };
    if (count < *room) {
        return block;
    }
    *room = *room != 0 ? 2 * *room : FIRST;
    return mb_grow(block, *room, size);
}

char *mb_text_of(const char *bytes, size_t length)
{
    char *const copy = mb_new(length + 1, 1);
    memcpy(copy, bytes, length);
    return copy;
}

char *mb_text(const char *text)
{
    return text != NULL ? mb_text_of(text, strlen(text)) : NULL;
}

static void *json_memory(size_t size)
{
    return mb_grow(NULL, size, 1);
}

void mb_json_memory(void)
{
    json_set_alloc_funcs(json_memory, free);
}

/* A pool. What is small is cut from a block; each block is twice as large as the one before. */

struct mb_pool_block {
    struct mb_pool_block *before;
    size_t used, size; // of `bytes`
    alignas(max_align_t) unsigned char bytes[];
};

static struct mb_pool_block *block_for(struct mb_pool *pool, size_t size)
{
    enum { FIRST = 480, MOST = 8160 };
    struct mb_pool_block *last = pool->last;
    if (last == NULL || size > last->size - last->used) {
        const size_t twice = last == NULL ? FIRST : last->size > MOST / 2 ? MOST : 2 * last->size;
        const size_t room = size > twice ? size : twice;
        last = mb_new(1, sizeof *last + room);
        *last = (struct mb_pool_block){.before = pool->last, .size = room};
        pool->last = last;
    }
    return last;
}

void *mb_pool_new(struct mb_pool *pool, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    const size_t bytes = (bytes_of(count, size) + align - 1) & ~(align - 1);
    struct mb_pool_block *const block = block_for(pool, bytes);
    void *const at = block->bytes + block->used;
    block->used += bytes;
    return at;
}

char *mb_pool_text_of(struct mb_pool *pool, const char *bytes, size_t length)
{
    char *const copy = mb_pool_new(pool, length + 1, 1);
    memcpy(copy, bytes, length);
    return copy;
}

char *mb_pool_text(struct mb_pool *pool, const char *text)
{
    return text != NULL ? mb_pool_text_of(pool, text, strlen(text)) : NULL;
}

const char *mb_pool_word(struct mb_pool *pool, const char *text)
{
    return text != NULL && text[0] != '\0' ? mb_pool_text(pool, text) : "";
}

void mb_pool_finish(struct mb_pool *pool)
{
    while (pool->last != NULL) {
        struct mb_pool_block *const before = pool->last->before;
        free(pool->last);
        pool->last = before;
    }
}

int mb_text_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
