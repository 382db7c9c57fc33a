#include "adapters/matrix/sealed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"

static const char WORD[] = "encrypted";

struct sealed {
    struct chat *chat;
    uint64_t *hashes;
    size_t count;
    void (*done)(void *user);
    void *user;
};

struct sealed *sealed_create(struct chat *chat)
{
    struct sealed *const sealed = calloc(1, sizeof *sealed);
    if (sealed != NULL) {
        sealed->chat = chat;
    }
    return sealed;
}

void sealed_destroy(struct sealed *sealed)
{
    if (sealed != NULL) {
        free(sealed->hashes);
    }
    free(sealed);
}

static uint64_t hash_of(const char *room)
{
    uint64_t hash[2] = {0};
    (void)crypto_generichash((unsigned char *)hash, sizeof hash, (const unsigned char *)room,
                             strlen(room), NULL, 0);
    return hash[0];
}

static bool has_hash(const struct sealed *sealed, uint64_t hash)
{
    size_t i = 0;
    while (i < sealed->count && sealed->hashes[i] != hash) {
        i++;
    }
    return i < sealed->count;
}

static bool add_hash(struct sealed *sealed, uint64_t hash)
{
    uint64_t *const hashes = has_hash(sealed, hash)
                                 ? NULL
                                 : realloc(sealed->hashes, (sealed->count + 1) * sizeof *hashes);
    if (hashes != NULL) {
        sealed->hashes = hashes;
        sealed->hashes[sealed->count++] = hash;
    }
    return hashes != NULL;
}

static void was_read(void *user, const struct chat_kept *items, size_t count)
{
    struct sealed *const sealed = user;
    for (size_t i = 0; count > 0 && i < items[0].size / sizeof(uint64_t); i++) {
        uint64_t hash = 0;
        memcpy(&hash, (const char *)items[0].at + i * sizeof hash, sizeof hash);
        (void)add_hash(sealed, hash);
    }
    sealed->done(sealed->user);
}

bool sealed_read(struct sealed *sealed, void (*done)(void *user), void *user)
{
    sealed->done = done;
    sealed->user = user;
    return chat_read(sealed->chat, WORD, was_read, sealed);
}

bool sealed_has(const struct sealed *sealed, const char *room)
{
    return has_hash(sealed, hash_of(room));
}

void sealed_add(struct sealed *sealed, const char *room)
{
    if (add_hash(sealed, hash_of(room))) {
        const struct chat_kept item = {
            .word = WORD, .at = sealed->hashes, .size = sealed->count * sizeof *sealed->hashes};
        (void)!chat_keep(sealed->chat, &item, NULL, NULL);
    }
}
