/*
 * What falls due when: numbers with a time each, the earliest on top; of equal times the one set
 * first. A binary heap that knows where each number stands, so that a time can be changed.
 */
#ifndef BOT_HALL_LIVE_DUE_HEAP_H
#define BOT_HALL_LIVE_DUE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct due_entry {
    int64_t ms;
    uint64_t order; /**< counts settings: the earlier first */
    uint32_t id;
};

struct due_heap {
    struct due_entry *entries;
    uint32_t *places; /**< by number: its place + 1, or 0 */
    size_t count, capacity;
    uint32_t id_capacity;
    uint64_t orders;
};

/** All zero is an empty heap. Frees everything. */
void due_heap_finish(struct due_heap *heap);
/** Adds a number or changes its time. */
void due_heap_set(struct due_heap *heap, uint32_t id, int64_t ms);
/** Nothing happens if it is not there. */
void due_heap_remove(struct due_heap *heap, uint32_t id);
/** The earliest, or NULL. */
const struct due_entry *due_heap_first(const struct due_heap *heap);

#endif
