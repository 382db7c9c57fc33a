/*
 * Reading one JSON file of cards: typed getters that say what is wrong, where, and go on.
 *
 * A `struct reading` knows the file, the card and the path of the field being read, so that every
 * problem becomes `file: card "X": rows[1].who: expected ..., found ...` (counted from 1). Getters
 * leave their output as it was when the field is absent or wrong; what is wrong is reported once.
 */
#ifndef CORE_CODEC_READING_H
#define CORE_CODEC_READING_H

#include <jansson.h>

#include "core/codec/catalog_impl.h"
#include "core/codec/suggest.h"
#include "core/words/words.h"

enum {
    READING_BYTES_MAX = 8 * 1024 * 1024,
    READING_VALUES_MAX = 400000, /**< JSON values of one file: bounds the memory for it */
    READING_DEPTH_MAX = 24
};

struct reading {
    struct catalog *catalog;
    struct catalog_issues *issues; /**< may be NULL */
    const char *file;
    const char *card; /**< its name, or NULL */
    unsigned index;   /**< which card of the file, from 1; for cards without a name */
    uint32_t errors;
    uint32_t misfits; /**< of them: what is read, but would never act (core/card/applies.h) */
    char path[96];    /**< of the object being read, "" or ending in "." */
    // What the loader of one card passes down.
    uint8_t kind;  /**< enum card_kind */
    uint8_t when;  /**< enum trigger of the row */
    uint8_t op;    /**< enum effect_op of the row */
    bool drawback; /**< a trait asked for here is a disadvantage if nothing else is said */
};

/** Reports a problem with `field` (or, NULL, with the whole) of what is being read. */
MB_PRINTF(3, 4)
void reading_fail(struct reading *reading, const char *field, const char *format, ...);
/** As reading_fail() for what can be read and would never act: a running table keeps it. */
MB_PRINTF(3, 4)
void reading_misfit(struct reading *reading, const char *field, const char *format, ...);
/** Reports: expected `what`, found `value`. `what` may name a likely word. */
void reading_wrong(struct reading *reading, const char *field, const char *what,
                   const json_t *value);
/** As reading_wrong() for a word that is not known, with the nearest one. */
void reading_unknown(struct reading *reading, const char *field, const char *what,
                     const struct suggestion *suggestion);

/** Goes into a field ("amount") or an element of it (index from 1, 0 for none); returns the mark
 * for reading_leave(). */
size_t reading_enter(struct reading *reading, const char *field, size_t index);
void reading_leave(struct reading *reading, size_t mark);

/** Reports every key of `object` that is not among `keys` (NULL-terminated). */
void reading_keys(struct reading *reading, const json_t *object, const char *const *keys);

/* Each is true if the field is there and right. */
bool reading_int(struct reading *reading, const json_t *object, const char *key, int min, int max,
                 int *out);
bool reading_bool(struct reading *reading, const json_t *object, const char *key, bool *out);
bool reading_word(struct reading *reading, const json_t *object, const char *key,
                  enum word_table table, unsigned *out);
bool reading_trait(struct reading *reading, const json_t *object, const char *key, uint8_t *out);
bool reading_tag(struct reading *reading, const json_t *object, const char *key, uint8_t *out);
/** The name of a card of any loaded set. */
bool reading_name(struct reading *reading, const json_t *object, const char *key, uint16_t *out);
/** Text of `min` to `max` characters without control characters; NULL if absent or wrong. */
const char *reading_string(struct reading *reading, const json_t *object, const char *key,
                           size_t min, size_t max);
/** An element of a list of words. */
bool reading_word_value(struct reading *reading, const char *field, const json_t *value,
                        enum word_table table, unsigned *out);

/** Copies a string into the catalog; NULL (and reported) if there is no room. */
const char *reading_keep(struct reading *reading, const char *text);

#endif
