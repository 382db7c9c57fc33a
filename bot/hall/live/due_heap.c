#include "bot/hall/live/due_heap.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

void due_heap_finish(struct due_heap *heap)
{
    free(heap->entries);
    free(heap->places);
    *heap = (struct due_heap){0};
}

static bool earlier(const struct due_entry *a, const struct due_entry *b)
{
    return a->ms < b->ms || (a->ms == b->ms && a->order < b->order);
}

static void place(struct due_heap *heap, size_t at, struct due_entry entry)
{
    heap->entries[at] = entry;
    heap->places[entry.id] = (uint32_t)at + 1;
}

static void sift(struct due_heap *heap, size_t at)
{
    const struct due_entry entry = heap->entries[at];
    while (at > 0 && earlier(&entry, &heap->entries[(at - 1) / 2])) {
        place(heap, at, heap->entries[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (size_t child = 2 * at + 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && earlier(&heap->entries[child + 1], &heap->entries[child])) {
            child++;
        }
        if (!earlier(&heap->entries[child], &entry)) {
            break;
        }
        place(heap, at, heap->entries[child]);
        at = child;
    }
    place(heap, at, entry);
}

static void make_room(struct due_heap *heap, uint32_t id)
{
    enum { LEAST = 64 };
    if (id >= heap->id_capacity) {
        const uint32_t capacity = id < LEAST ? LEAST : id * 2;
        heap->places = mb_grow(heap->places, capacity, sizeof *heap->places);
        memset(heap->places + heap->id_capacity, 0,
               (capacity - heap->id_capacity) * sizeof *heap->places);
        heap->id_capacity = capacity;
    }
    heap->entries = mb_grow_for(heap->entries, heap->count, &heap->capacity, sizeof *heap->entries);
}

void due_heap_set(struct due_heap *heap, uint32_t id, int64_t ms)
{
    make_room(heap, id);
    const size_t at = heap->places[id] > 0 ? heap->places[id] - 1u : heap->count++;
    place(heap, at, (struct due_entry){.ms = ms, .order = heap->orders++, .id = id});
    sift(heap, at);
}

void due_heap_remove(struct due_heap *heap, uint32_t id)
{
    if (id >= heap->id_capacity || heap->places[id] == 0) {
        return;
    }
    const size_t at = heap->places[id] - 1u;
    heap->places[id] = 0;
    heap->count--;
    if (at < heap->count) {
        place(heap, at, heap->entries[heap->count]);
        sift(heap, at);
    }
}

const struct due_entry *due_heap_first(const struct due_heap *heap)
{
    return heap->count > 0 ? &heap->entries[0] : NULL;
}
