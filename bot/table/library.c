#include "bot/table/library.h"

#include <stdlib.h>
#include <string.h>

#include "bot/render/render.h"

struct library {
    const struct catalog *all;
    struct mix *mixes[LIBRARY_MIXES_MAX]; // the one asked for last comes first
    size_t count;
    uint64_t numbers;
};

struct library *library_create(const struct catalog *all)
{
    struct library *const library = calloc(1, sizeof *library);
    if (library != NULL) {
        library->all = all;
    }
    return library;
}

static void mix_destroy(struct mix *mix)
{
    if (mix != NULL) {
        card_looks_destroy(mix->looks);
        catalog_destroy(mix->catalog);
        free(mix);
    }
}

void library_destroy(struct library *library)
{
    if (library == NULL) {
        return;
    }
    for (size_t i = 0; i < library->count; i++) {
        mix_destroy(library->mixes[i]);
    }
    free(library);
}

const struct catalog *library_all(const struct library *library)
{
    return library->all;
}

uint8_t library_set(const struct library *library, const uint8_t digest[CATALOG_DIGEST_SIZE])
{
    for (unsigned i = 0; i < catalog_set_count(library->all); i++) {
        if (memcmp(catalog_set(library->all, i)->digest, digest, CATALOG_DIGEST_SIZE) == 0) {
            return (uint8_t)i;
        }
    }
    return NO_SET;
}

// Reads the sets from their folders, which may hold something else by now.
static bool load(const struct library *library, struct mix *mix, struct mb_error *err)
{
    const char *folders[TABLE_SETS_MAX];
    for (size_t i = 0; i < mix->count; i++) {
        const struct catalog_set *const set =
            catalog_set(library->all, library_set(library, mix->digests[i]));
        if (set == NULL) {
            return mb_fail(err, MB_ERR_STATE,
                           "a card set of this table is not installed (any more), or its cards "
                           "have changed");
        }
        folders[i] = set->folder;
    }
    mix->catalog = catalog_load_sets(folders, mix->count, NULL);
    if (mix->catalog == NULL) {
        return mb_fail(err, MB_ERR_IO, "the card sets of this table cannot be read");
    }
    mix->looks = card_looks_create(mix->catalog);
    if (mix->looks == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory for the card sets");
    }
    uint8_t sets[TABLE_SETS_MAX];
    for (size_t i = 0; i < mix->count; i++) {
        const struct catalog_set *const set = catalog_set(mix->catalog, (unsigned)i);
        sets[i] = (uint8_t)i;
        if (set == NULL || memcmp(set->digest, mix->digests[i], CATALOG_DIGEST_SIZE) != 0) {
            return mb_fail(err, MB_ERR_STATE, "the files of a card set of this table have changed");
        }
    }
    const unsigned house = catalog_set(mix->catalog, 0)->edition;
    return catalog_box(mix->catalog, sets, mix->count, (enum edition)house, &mix->box, err);
}

// Puts a mix in front of all others, of which the i-th made room.
static const struct mix *put_first(struct library *library, size_t i, struct mix *mix)
{
    memmove(library->mixes + 1, library->mixes, i * sizeof(struct mix *));
    library->mixes[0] = mix;
    return mix;
}

static struct mix *make(struct library *library, const uint8_t *digests, size_t count,
                        struct mb_error *err)
{
    struct mix *const mix = count > 0 && count <= TABLE_SETS_MAX ? calloc(1, sizeof *mix) : NULL;
    if (mix == NULL) {
        (void)mb_fail(err, MB_ERR_LIMIT, "not enough memory for the card sets");
        return NULL;
    }
    mix->number = ++library->numbers;
    mix->count = count;
    memcpy(mix->digests, digests, count * CATALOG_DIGEST_SIZE);
    if (!load(library, mix, err)) {
        mix_destroy(mix);
        return NULL;
    }
    return mix;
}

const struct mix *library_mix(struct library *library, const uint8_t *digests, size_t count,
                              struct mb_error *err)
{
    for (size_t i = 0; i < library->count; i++) {
        struct mix *const mix = library->mixes[i];
        if (mix->count == count &&
            memcmp(mix->digests, digests, count * CATALOG_DIGEST_SIZE) == 0) {
            return put_first(library, i, mix);
        }
    }
    struct mix *const mix = make(library, digests, count, err);
    if (mix == NULL) {
        return NULL;
    }
    if (library->count == LIBRARY_MIXES_MAX) {
        mix_destroy(library->mixes[--library->count]);
    }
    return put_first(library, library->count++, mix);
}
