#include "bot/hall/live/keyed_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

_Static_assert(KEYED_SECRET_SIZE == crypto_shorthash_KEYBYTES, "the secret is the hash's key");

enum { CAPACITY_MIN = 16 };

uint64_t keyed_hash(const uint8_t secret[KEYED_SECRET_SIZE], const char *text, size_t length)
{
    uint8_t bytes[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    (void)crypto_shorthash(bytes, (const unsigned char *)text, length, secret);
    memcpy(&hash, bytes, sizeof hash);
    return hash;
}

void keyed_map_init(struct keyed_map *map, const uint8_t secret[KEYED_SECRET_SIZE])
{
    *map = (struct keyed_map){0};
    memcpy(map->secret, secret, KEYED_SECRET_SIZE);
}

void keyed_map_finish(struct keyed_map *map)
{
    for (size_t i = 0; i < map->capacity; i++) {
        free(map->slots[i].word);
    }
    free(map->slots);
    map->slots = NULL;
    map->capacity = 0;
    map->count = 0;
}

// The slot of a word, or the free one where it would go.
static size_t find(const struct keyed_map *map, uint64_t hash, const char *word)
{
    size_t at = (size_t)hash & (map->capacity - 1);
    while (map->slots[at].word != NULL &&
           (map->slots[at].hash != hash || strcmp(map->slots[at].word, word) != 0)) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

uint32_t keyed_map_get(const struct keyed_map *map, const char *word)
{
    if (map->count == 0) {
        return KEYED_NONE;
    }
    const struct keyed_slot *const slot =
        &map->slots[find(map, keyed_hash(map->secret, word, strlen(word)), word)];
    return slot->word != NULL ? slot->value : KEYED_NONE;
}

// At most three quarters are taken, so that every search ends.
static void make_room(struct keyed_map *map)
{
    if (map->count + 1 <= map->capacity / 4 * 3) {
        return;
    }
    const size_t capacity = map->capacity == 0 ? CAPACITY_MIN : map->capacity * 2;
    struct keyed_slot *const slots = mb_new(capacity, sizeof *slots);
    for (size_t i = 0; i < map->capacity; i++) {
        size_t at = (size_t)map->slots[i].hash & (capacity - 1);
        while (map->slots[i].word != NULL && slots[at].word != NULL) {
            at = (at + 1) & (capacity - 1);
        }
        if (map->slots[i].word != NULL) {
            slots[at] = map->slots[i];
        }
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
}

void keyed_map_put(struct keyed_map *map, const char *word, uint32_t value)
{
    assert(value != KEYED_NONE);
    make_room(map);
    const uint64_t hash = keyed_hash(map->secret, word, strlen(word));
    struct keyed_slot *const slot = &map->slots[find(map, hash, word)];
    if (slot->word == NULL) {
        slot->word = mb_text(word);
        slot->hash = hash;
        map->count++;
    }
    slot->value = value;
}

void keyed_map_remove(struct keyed_map *map, const char *word)
{
    if (map->count == 0) {
        return;
    }
    const size_t mask = map->capacity - 1;
    size_t hole = find(map, keyed_hash(map->secret, word, strlen(word)), word);
    if (map->slots[hole].word == NULL) {
        return;
    }
    free(map->slots[hole].word);
    map->slots[hole].word = NULL;
    map->count--;
    // Those behind move up, unless that were before their own place.
    for (size_t at = (hole + 1) & mask; map->slots[at].word != NULL; at = (at + 1) & mask) {
        const size_t home = (size_t)map->slots[at].hash & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->slots[hole] = map->slots[at];
            map->slots[at].word = NULL;
            hole = at;
        }
    }
}
