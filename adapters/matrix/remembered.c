#include "adapters/matrix/remembered.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"

struct remembered {
    struct chat *chat;
    const char *word;
    uint64_t *hashes;
    size_t count;
    void (*done)(void *user);
    void *user;
};

struct remembered *remembered_create(struct chat *chat, const char *word)
{
    struct remembered *const rooms = calloc(1, sizeof *rooms);
    if (rooms != NULL) {
        rooms->chat = chat;
        rooms->word = word;
    }
    return rooms;
}

void remembered_destroy(struct remembered *rooms)
{
    if (rooms != NULL) {
        free(rooms->hashes);
    }
    free(rooms);
}

static uint64_t hash_of(const char *room)
{
    uint64_t hash[2] = {0};
    (void)crypto_generichash((unsigned char *)hash, sizeof hash, (const unsigned char *)room,
                             strlen(room), NULL, 0);
    return hash[0];
}

static bool has_hash(const struct remembered *rooms, uint64_t hash)
{
    size_t i = 0;
    while (i < rooms->count && rooms->hashes[i] != hash) {
        i++;
    }
    return i < rooms->count;
}

static bool add_hash(struct remembered *rooms, uint64_t hash)
{
    uint64_t *const hashes =
        has_hash(rooms, hash) ? NULL : realloc(rooms->hashes, (rooms->count + 1) * sizeof *hashes);
    if (hashes != NULL) {
        rooms->hashes = hashes;
        rooms->hashes[rooms->count++] = hash;
    }
    return hashes != NULL;
}

static void was_read(void *user, const struct chat_kept *items, size_t count)
{
    struct remembered *const rooms = user;
    for (size_t i = 0; count > 0 && i < items[0].size / sizeof(uint64_t); i++) {
        uint64_t hash = 0;
        memcpy(&hash, (const char *)items[0].at + i * sizeof hash, sizeof hash);
        (void)add_hash(rooms, hash);
    }
    rooms->done(rooms->user);
}

bool remembered_read(struct remembered *rooms, void (*done)(void *user), void *user)
{
    rooms->done = done;
    rooms->user = user;
    return chat_read(rooms->chat, rooms->word, was_read, rooms);
}

bool remembered_has(const struct remembered *rooms, const char *room)
{
    return has_hash(rooms, hash_of(room));
}

void remembered_add(struct remembered *rooms, const char *room)
{
    if (add_hash(rooms, hash_of(room))) {
        const struct chat_kept item = {
            .word = rooms->word, .at = rooms->hashes, .size = rooms->count * sizeof *rooms->hashes};
        (void)!chat_keep(rooms->chat, &item, NULL, NULL);
    }
}
