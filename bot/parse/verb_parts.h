/*
 * What may follow each command, one part after another, for menus of commands: a network that has a
 * field for each part makes of them the one line that a person would have typed.
 *
 * Parts stand in the order in which the line has them. What a part holds is read by bot/parse like
 * anything typed; nothing is checked here.
 */
#ifndef BOT_PARSE_VERB_PARTS_H
#define BOT_PARSE_VERB_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/parse/verb.h"
#include "bot/text/text.h"

enum { VERB_PARTS_MAX = 16, VERB_CHOICES_MAX = 6 };

enum verb_part_kind {
    VERB_PART_WORDS,  /**< names and the like: bot/parse/complete.h knows candidates */
    VERB_PART_NUMBER, /**< one from 1 on */
    VERB_PART_FLAG,   /**< said or not: its key alone */
    VERB_PART_CHOICE  /**< one of `choices` */
};

struct verb_part {
    const char *name; /**< of the field: lower case, no blanks */
    const char *key;  /**< what stands before it: "with ", "sets=" or "" */
    const char *tail; /**< what stands behind it: " treasures" or "" */
    enum text_id help;
    enum verb_part_kind kind;
    bool required;
    const char *choices[VERB_CHOICES_MAX]; /**< up to NULL; of words: what is often said */
};

/** The parts of a command, the required ones first; `*count` of them, at most VERB_PARTS_MAX. */
const struct verb_part *verb_parts(const struct verb_entry *entry, size_t *count);
/** The command of that word; NULL: there is none. */
const struct verb_entry *verb_find(const char *word);
/** Appends a part's words to a line; false if they do not fit, or the part needs words and there
 * are none. */
bool verb_part_put(const struct verb_part *part, const char *words, char *line, size_t size);

#endif
