#include "adapters/matrix/client/rooms.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { BUCKETS = 1024 };

struct entry {
    struct entry *next;
    struct room *room;
};

struct rooms {
    const char *bot;
    struct entry *entries[BUCKETS];
};

struct rooms *rooms_create(const char *bot)
{
    struct rooms *const rooms = mb_new(1, sizeof *rooms);
    rooms->bot = bot;
    return rooms;
}

static size_t bucket_of(const char *id)
{
    size_t hash = 5381;
    for (const char *at = id; *at != '\0'; at++) {
        hash = hash * 33 + (unsigned char)*at;
    }
    return hash % BUCKETS;
}

static struct entry **find(struct rooms *rooms, const char *id)
{
    struct entry **at = &rooms->entries[bucket_of(id)];
    while (*at != NULL && strcmp(room_id((*at)->room), id) != 0) {
        at = &(*at)->next;
    }
    return at;
}

struct room *rooms_find(const struct rooms *rooms, const char *id)
{
    const struct entry *at = rooms->entries[bucket_of(id)];
    while (at != NULL && strcmp(room_id(at->room), id) != 0) {
        at = at->next;
    }
    return at != NULL ? at->room : NULL;
}

struct room *rooms_get(struct rooms *rooms, const char *id)
{
    struct entry **const at = find(rooms, id);
    if (*at != NULL) {
        return (*at)->room;
    }
    struct entry *const entry = mb_new(1, sizeof *entry);
    entry->room = room_create(id);
    *at = entry;
    return entry->room;
}

void rooms_forget(struct rooms *rooms, const char *id)
{
    struct entry **const at = find(rooms, id);
    struct entry *const entry = *at;
    if (entry != NULL) {
        *at = entry->next;
        room_destroy(entry->room);
        free(entry);
    }
}

struct room *rooms_next(const struct rooms *rooms, const struct room *before)
{
    size_t bucket = before != NULL ? bucket_of(room_id(before)) : 0;
    const struct entry *at = rooms->entries[bucket];
    while (before != NULL && at->room != before) {
        at = at->next;
    }
    at = before != NULL ? at->next : at;
    while (at == NULL && ++bucket < BUCKETS) {
        at = rooms->entries[bucket];
    }
    return at != NULL ? at->room : NULL;
}

void rooms_destroy(struct rooms *rooms)
{
    for (size_t i = 0; rooms != NULL && i < BUCKETS; i++) {
        while (rooms->entries[i] != NULL) {
            rooms_forget(rooms, room_id(rooms->entries[i]->room));
        }
    }
    free(rooms);
}

typedef bool fits_fn(const struct room *room, const char *bot, const char *player);

static struct room *search(const struct rooms *rooms, const char *person, fits_fn *fits)
{
    struct room *at = rooms_next(rooms, NULL);
    while (at != NULL && !fits(at, rooms->bot, person)) {
        at = rooms_next(rooms, at);
    }
    return at;
}

struct room *rooms_hand(const struct rooms *rooms, const char *person)
{
    return search(rooms, person, room_is_hand);
}

struct room *rooms_old_hand(const struct rooms *rooms, const char *person)
{
    return search(rooms, person, room_was_hand);
}
