#include "bot/table/library.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/render/render.h"

/** Files of a set that is not installed, as they were kept. */
struct kept_set {
    uint8_t digest[CATALOG_DIGEST_SIZE];
    unsigned char *bytes; // a closed parcel
    size_t size;
};

struct library {
    const struct catalog *all;
    struct kept_set kept[LIBRARY_KEPT_MAX]; // the one asked for last comes first
    size_t kept_count;
    bool lacks; // the last mix failed for want of `lacking`
    uint8_t lacking[CATALOG_DIGEST_SIZE];
    struct mix *mixes[LIBRARY_MIXES_MAX]; // the one asked for last comes first
    size_t count;
    uint64_t numbers;
};

struct library *library_create(const struct catalog *all)
{
    struct library *const library = mb_new(1, sizeof *library);
    library->all = all;
    return library;
}

static void unload(struct mix *mix)
{
    for (size_t i = 0; i < mix->count; i++) {
        parcel_finish(&mix->files[i]);
    }
    catalog_destroy(mix->catalog);
    mix->catalog = NULL;
}

static void mix_destroy(struct mix *mix)
{
    if (mix != NULL) {
        card_looks_destroy(mix->looks);
        unload(mix);
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
    for (size_t i = 0; i < library->kept_count; i++) {
        free(library->kept[i].bytes);
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

/* Files that were kept. */

static struct kept_set *find_kept(struct library *library,
                                  const uint8_t digest[CATALOG_DIGEST_SIZE])
{
    for (size_t i = 0; i < library->kept_count; i++) {
        if (memcmp(library->kept[i].digest, digest, CATALOG_DIGEST_SIZE) == 0) {
            const struct kept_set found = library->kept[i];
            memmove(library->kept + 1, library->kept, i * sizeof found);
            library->kept[0] = found;
            return &library->kept[0];
        }
    }
    return NULL;
}

void library_keep(struct library *library, const uint8_t digest[CATALOG_DIGEST_SIZE],
                  const unsigned char *bytes, size_t size)
{
    struct kept_set *known = find_kept(library, digest);
    unsigned char *const copy = mb_new(size, 1);
    memcpy(copy, bytes, size);
    if (known == NULL) {
        if (library->kept_count == LIBRARY_KEPT_MAX) {
            free(library->kept[--library->kept_count].bytes);
        }
        memmove(library->kept + 1, library->kept, library->kept_count++ * sizeof *library->kept);
        library->kept[0].bytes = NULL;
        memcpy(library->kept[0].digest, digest, CATALOG_DIGEST_SIZE);
        known = &library->kept[0];
    }
    free(known->bytes);
    known->bytes = copy;
    known->size = size;
}

const uint8_t *library_lacks(const struct library *library)
{
    return library->lacks ? library->lacking : NULL;
}

/* Mixes. */

// What a set's folder says now; false: it is not installed, or cannot be read.
static bool read_installed(const struct library *library, const uint8_t *digest,
                           struct parcel *files)
{
    struct mb_error err = {0};
    const struct catalog_set *const set = catalog_set(library->all, library_set(library, digest));
    if (set != NULL && card_files_read(set->folder, files, &err)) {
        return true;
    }
    parcel_finish(files);
    return false;
}

static bool read_kept(struct library *library, const uint8_t *digest, struct parcel *files)
{
    const struct kept_set *const kept = find_kept(library, digest);
    return kept != NULL && parcel_open(files, kept->bytes, kept->size);
}

static bool lack(struct library *library, const uint8_t *digest, struct mb_error *err)
{
    library->lacks = find_kept(library, digest) == NULL;
    memcpy(library->lacking, digest, CATALOG_DIGEST_SIZE);
    return mb_fail(err, MB_ERR_STATE,
                   "a card set of this table is not installed, or its cards have changed");
}

// A catalogue of what the files say now; the first set that is not what its digest says comes from
// what was kept at the next attempt.
static bool load_once(struct library *library, struct mix *mix, bool *kept, bool *again,
                      struct mb_error *err)
{
    struct parcel files[TABLE_SETS_MAX] = {{.at = NULL}};
    bool whole = true;
    *again = false;
    for (size_t i = 0; whole && i < mix->count; i++) {
        const uint8_t *const digest = mix->digests[i];
        kept[i] = kept[i] || !read_installed(library, digest, &files[i]);
        whole = !kept[i] || read_kept(library, digest, &files[i]) || lack(library, digest, err);
    }
    mix->catalog = whole ? card_files_load(files, mix->count) : NULL;
    for (size_t i = 0; whole && i < mix->count; i++) {
        const struct catalog_set *const set = catalog_set(mix->catalog, (unsigned)i);
        if (set == NULL || memcmp(set->digest, mix->digests[i], CATALOG_DIGEST_SIZE) != 0) {
            *again = !kept[i];
            whole = kept[i] ? lack(library, mix->digests[i], err) : false;
            kept[i] = true;
        }
    }
    for (size_t i = 0; i < mix->count; i++) {
        mix->files[i] = files[i];
        if (whole && !parcel_close(&mix->files[i])) {
            whole = mb_fail(err, MB_ERR_LIMIT, "the files of a card set are too large to keep");
        }
    }
    return whole;
}

static bool load(struct library *library, struct mix *mix, struct mb_error *err)
{
    bool kept[TABLE_SETS_MAX] = {false};
    bool again = false;
    library->lacks = false;
    while (!load_once(library, mix, kept, &again, err)) {
        if (!again) {
            return false;
        }
        unload(mix);
    }
    mix->looks = card_looks_create(mix->catalog);
    uint8_t sets[TABLE_SETS_MAX];
    for (size_t i = 0; i < mix->count; i++) {
        sets[i] = (uint8_t)i;
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
    if (count == 0 || count > TABLE_SETS_MAX) {
        (void)mb_fail(err, MB_ERR_LIMIT, "a table has 1 to %d card sets", TABLE_SETS_MAX);
        return NULL;
    }
    struct mix *const mix = mb_new(1, sizeof *mix);
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
