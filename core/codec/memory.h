/*
 * Memory that does not fail.
 *
 * A size that somebody else chooses (a file, a network, a store) is checked against a bound of its
 * own first. What is left fits, or the machine is out of memory: then the process writes one line
 * to stderr and aborts. That is a kill, and a hall survives a kill by its store. So nobody checks
 * these results, and nothing carries "out of memory" up to its callers.
 *
 * A block belongs to its maker, who gives it to `free`. What lives and dies as a whole lies in a
 * pool: blocks are added one by one, and all of them are freed together.
 */
#ifndef CORE_CODEC_MEMORY_H
#define CORE_CODEC_MEMORY_H

#include <stddef.h>

#define MB_NEVER_NULL __attribute__((returns_nonnull, warn_unused_result))

/** `count` zeroed items of `size` bytes; a block for 0 bytes, too. */
MB_NEVER_NULL
void *mb_new(size_t count, size_t size);
/** The block (or NULL) with room for `count` items; what is new is not zeroed. */
MB_NEVER_NULL
void *mb_grow(void *block, size_t count, size_t size);
/** Room for one item more: when `count` items fill the `*room` there is, the block grows twofold.
 * Returns the block. */
MB_NEVER_NULL
void *mb_grow_for(void *block, size_t count, size_t *room, size_t size);
/** A copy of a text; NULL for NULL. */
char *mb_text(const char *text);
/** A terminated copy of `length` bytes. */
MB_NEVER_NULL
char *mb_text_of(const char *bytes, size_t length);
/** Jansson allocates as above from now on. Called once, before the first JSON. */
void mb_json_memory(void);

/** Blocks with one life. A zeroed pool is empty. */
struct mb_pool {
    struct mb_pool_block *last;
};

/** `count` zeroed items of `size` bytes, aligned for any type. */
MB_NEVER_NULL
void *mb_pool_new(struct mb_pool *pool, size_t count, size_t size);
/** A copy of a text; NULL for NULL. */
char *mb_pool_text(struct mb_pool *pool, const char *text);
/** The same, but "" for NULL, and no copy of an empty one: to be read only. */
MB_NEVER_NULL
const char *mb_pool_word(struct mb_pool *pool, const char *text);
/** A terminated copy of `length` bytes. */
MB_NEVER_NULL
char *mb_pool_text_of(struct mb_pool *pool, const char *bytes, size_t length);
/** Frees all blocks; the pool is empty then. */
void mb_pool_finish(struct mb_pool *pool);

/** Orders two texts, each behind a pointer: for qsort(). */
int mb_text_order(const void *a, const void *b);

#endif
