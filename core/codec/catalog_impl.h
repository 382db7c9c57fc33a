/*
 * Inside of struct catalog: for core/codec/catalog*.c and the readers of card files only.
 *
 * One block of memory holds the struct, its tables at their full size (so pointers into them stay
 * valid while it grows) and an arena for strings. `n` says how much of each table is used; a copy
 * of it is a mark to rewind to.
 */
#ifndef CORE_CODEC_CATALOG_IMPL_H
#define CORE_CODEC_CATALOG_IMPL_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/codec/catalog.h"

/* An arena: memory handed out in order from one block and given back all at once. The block is the
 * caller's. `used` never exceeds `size`. A request that does not fit leaves the arena unchanged. To
 * start over, set `used` back. */

struct mb_arena {
    unsigned char *base;
    size_t size, used; /**< bytes */
};

/** Starts an empty arena over `size` bytes at `base` (NULL only with size 0). */
void mb_arena_init(struct mb_arena *arena, void *base, size_t size);

/** Zeroed memory at a multiple of `align` (a power of two), or NULL when it does not fit. */
MB_MUST_CHECK
void *mb_arena_alloc(struct mb_arena *arena, size_t size, size_t align);

/** A terminated copy of the first `length` bytes of `text`, or NULL when it does not fit. */
MB_MUST_CHECK
char *mb_arena_strdup(struct mb_arena *arena, const char *text, size_t length);

enum {
    CATALOG_DEFS = 4096,
    CATALOG_NAMES = 4096,
    CATALOG_ROWS = 8192,
    CATALOG_REQS = 8192,
    CATALOG_FILTERS = 4096,
    CATALOG_COSTS = 2048,
    CATALOG_ABILITIES = 200,
    CATALOG_BYTES = 12 * 1024 * 1024
};

/** What the core does not need of a kind of card. */
struct def_info {
    const char *name; /**< as its own file spells it */
    const char *text, *joke;
    const char *mechanic, *status;
    uint16_t copies;
    uint8_t sort;    /**< WORDS_SORT + 1 */
    uint8_t pronoun; /**< enum pronoun */
    bool plural;
};

struct name_entry {
    const char *text;   /**< as first spelt */
    const char *folded; /**< as compared */
    const char *normal; /**< of a card: see catalog_normal() */
};

struct catalog_counts {
    uint16_t defs, names, rows, reqs, filters, costs;
    uint8_t traits, tags, abilities, sets;
    size_t arena_used;
};

struct catalog {
    struct mb_arena arena;
    struct catalog_counts n;
    struct card_def *defs;
    struct def_info *infos;
    struct row *rows;
    struct requirement *reqs;
    struct filter *filters;
    struct cost *costs;
    struct name_entry *names;
    uint8_t initials[CATALOG_DEFS]; /**< see catalog_initials() */
    struct name_entry traits[MB_TRAITS_MAX];
    uint8_t trait_kinds[MB_TRAITS_MAX];
    const char *tags[MB_TAGS_MAX];
    struct name_entry abilities[CATALOG_ABILITIES];
    struct catalog_set sets[CATALOG_SETS_MAX];
    struct catalog_counts before[CATALOG_SETS_MAX]; /**< the marks of the extra sets */
};

/** A new catalog without sets. */
struct catalog *catalog_create(void);

/* These enter a name, or find it. A full table gives the NO_ value. */
uint16_t catalog_enter_name(struct catalog *catalog, const char *text);
uint8_t catalog_enter_trait(struct catalog *catalog, const char *text, unsigned kind);
uint8_t catalog_enter_tag(struct catalog *catalog, const char *text);
uint8_t catalog_enter_ability(struct catalog *catalog, const char *text);

#endif
