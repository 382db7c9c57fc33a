/*
 * Everything that a line may begin with: one table, from which reading, wording, completion and
 * help take what they need, and menus of commands may. The core's verbs come from
 * core/state/command.def.
 */
#ifndef BOT_PARSE_VERB_H
#define BOT_PARSE_VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/state/command.h"

#include "bot/text/text.h"

/** Groups beyond those of the core's verbs (enum command_group). */
enum verb_group { VERBS_TABLE = GROUP_TOTAL, VERBS_LOOK, VERBS_OWN, VERBS_TOTAL };

/** When a command makes sense. */
enum verb_when { WHEN_LOBBY = 1, WHEN_GAME = 2, WHEN_ALWAYS = 3 };

/** What a command makes everybody read; each has a bound (bot/hall/in/noise.c). */
enum verb_noise {
    NOISE_NONE,    /**< nothing, or the rules bound it */
    NOISE_COMING,  /**< and going */
    NOISE_TABLES,  /**< opened, started and ended */
    NOISE_OPTIONS, /**< `new` with options: of a lobby, or of one that opens */
    NOISE_SEATS,   /**< of bot players, and taken from others */
    NOISE_PAUSES,
    NOISE_UNDO,
    NOISE_OFFERS, /**< that are taken back; what is offered the table bounds */
    NOISE_LINKS,
    NOISE_TOTAL
};

struct verb_form;

struct verb_entry {
    const char *word; /**< as typed: "hand-over" */
    uint8_t kind;     /**< enum request_kind */
    uint8_t verb;     /**< enum verb, for the core's commands */
    uint8_t group;    /**< enum command_group or verb_group */
    uint8_t when;     /**< enum verb_when */
    bool open;        /**< what is typed may be read by all, and its answer is for all */
    uint8_t noise;    /**< enum verb_noise */
    enum text_id help;
    const struct verb_form *form; /**< how it is read and worded; for bot/parse only */
};

/** The command of that kind of request; NULL: the core's commands, of which REQUEST_GAME has many.
 */
const struct verb_entry *verb_of_kind(unsigned kind);
/** What a line begins with, if it is the whole word of a command; else NULL. */
const struct verb_entry *verb_of_line(const char *line);
enum { VERB_LEAD_SIZE = 80 };

/** What people type before the word of a command where a text is read, or "". */
typedef void verb_lead_fn(const void *user, const struct verb_entry *entry,
                          char out[VERB_LEAD_SIZE]);

/** A copy of a text in which each command that it quotes ("say \"join\"") is quoted as people type
 * it there. The caller's, to be freed. */
char *verb_quotes(const char *text, verb_lead_fn *lead, const void *user);
/** Whether all may read a line that begins with the whole word of a command. */
bool verb_line_is_open(const char *line);

/** Adds to a line that names a card, an option (`choose`, `discard`, `charity`) what another one of
 * the same command names: "discard A, B". False: they do not go together, or there is no room. */
bool verb_line_join(char *line, size_t size, const char *next);

/** The next that can be typed; behind NULL the first, behind the last NULL. */
const struct verb_entry *verb_next(const struct verb_entry *entry);

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
