/*
 * What each op of the card language takes: the data that the loader checks cards against, that the
 * reference is printed from and that describe reads, made of effects.def. A *counted* op stands in
 * rows `when: static` (or inside `lasting`) and is never carried out; any other is carried out at
 * its trigger.
 */
#ifndef CORE_CARD_EFFECT_SCHEMA_H
#define CORE_CARD_EFFECT_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/card.h"
#include "core/words/words.h"

/** What an op's own argument holds. */
enum arg_type {
    ARG_NONE,
    ARG_NUMBER,     /**< a whole number, min to max */
    ARG_WORD,       /**< a word of `words` */
    ARG_TRAIT,      /**< the name of a Class, Race, ... */
    ARG_TAG,        /**< a tag word */
    ARG_COUNTED_OP, /**< the name of a counted op */
    ARG_OF_OP       /**< what the own argument of that op holds */
};

struct effect_arg {
    const char *name;
    uint8_t type;  /**< enum arg_type */
    uint8_t words; /**< enum word_table, for ARG_WORD */
    bool required;
    int16_t fallback; /**< value if left out */
    int16_t min, max; /**< for ARG_NUMBER */
};

/** Fields of a row that an op heeds; those all ops share are not named here. */
enum effect_use {
    USES_AMOUNT = 1,
    USES_CARDS = 2, /**< `cards`: which cards */
    USES_CHOOSER = 4,
    USES_KILL = 8,
    USES_FACE_UP = 16,
    NEEDS_UNTIL = 32, /**< `until` may not be left out */
    NEEDS_AMOUNT = 64 /**< `amount` may not be left out */
};

enum { EFFECT_ARGS_MAX = 2 };

struct effect_schema {
    const char *name; /**< the word of the card files */
    const char *help; /**< one line */
    bool counted;
    uint8_t uses;   /**< bits of enum effect_use */
    int16_t amount; /**< if `amount` is left out */
    struct effect_arg
        args[EFFECT_ARGS_MAX]; /**< the first goes into row.a, the second into row.b */
};

/** The schema of an op, `op` below EFFECT_TOTAL. */
const struct effect_schema *effect_schema(unsigned op);
/** The word of the card files for an op; "?" if there is none. */
const char *effect_name(unsigned op);
/** The op of a name; EFFECT_TOTAL if there is none. */
unsigned effect_find(const char *name);

#endif
