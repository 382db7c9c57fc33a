#include "adapters/matrix/say/remembered.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/errand.h"

struct remembered {
    struct chat *chat;
    const char *word;
    uint64_t *hashes;
    size_t count;
    bool read;
};

struct remembered *remembered_create(struct chat *chat, const char *word)
{
    struct remembered *const rooms = mb_new(1, sizeof *rooms);
    rooms->chat = chat;
    rooms->word = word;
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

// Whether it is new.
static bool add_hash(struct remembered *rooms, uint64_t hash)
{
    const bool new = !has_hash(rooms, hash);
    if (new) {
        rooms->hashes = mb_grow(rooms->hashes, rooms->count + 1, sizeof *rooms->hashes);
        rooms->hashes[rooms->count++] = hash;
    }
    return new;
}

bool remembered_await(struct fibre *fibre, struct remembered *rooms)
{
    struct kept_items kept;
    const bool read = chat_read_await(fibre, rooms->chat, rooms->word, &kept);
    const struct chat_kept *const item = read && kept.count > 0 ? &kept.items[0] : NULL;
    for (size_t i = 0; item != NULL && i < item->size / sizeof(uint64_t); i++) {
        uint64_t hash = 0;
        memcpy(&hash, (const char *)item->at + i * sizeof hash, sizeof hash);
        (void)add_hash(rooms, hash);
    }
    rooms->read = rooms->read || read;
    return read;
}

bool remembered_is_read(const struct remembered *rooms)
{
    return rooms->read;
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
