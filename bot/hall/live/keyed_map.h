/*
 * A map from words to small numbers, for words that strangers choose: the hash is keyed with a
 * secret of this process, so nobody can make all words fall into one place.
 *
 * The map owns copies of its words. Not found is KEYED_NONE.
 */
#ifndef BOT_HALL_LIVE_KEYED_MAP_H
#define BOT_HALL_LIVE_KEYED_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEYED_SECRET_SIZE = 16 };
#define KEYED_NONE UINT32_MAX

struct keyed_slot {
    uint64_t hash;
    char *word; /**< NULL: free */
    uint32_t value;
};

struct keyed_map {
    struct keyed_slot *slots;
    size_t capacity, count; /**< capacity is 0 or a power of two */
    uint8_t secret[KEYED_SECRET_SIZE];
};

void keyed_map_init(struct keyed_map *map, const uint8_t secret[KEYED_SECRET_SIZE]);
/** Frees everything; the map is empty then. */
void keyed_map_finish(struct keyed_map *map);
uint32_t keyed_map_get(const struct keyed_map *map, const char *word);
/** Adds or replaces. `value` is not KEYED_NONE. */
void keyed_map_put(struct keyed_map *map, const char *word, uint32_t value);
/** Nothing happens if it is not there. */
void keyed_map_remove(struct keyed_map *map, const char *word);
/** The keyed hash by itself. */
uint64_t keyed_hash(const uint8_t secret[KEYED_SECRET_SIZE], const char *text, size_t length);

#endif
