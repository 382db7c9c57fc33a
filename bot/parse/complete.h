/*
 * What a line being typed may go on with: from the legal moves of whoever types, as that person's
 * own redacted view has them. For the terminal's Tab and for a chat's autocomplete.
 *
 * Pure: words, line and cursor in, candidates out. A line is taken as parts: the verb, what follows
 * it, and each key word with what follows that ("play Loud Trumpet", "for players"). A candidate
 * stands for one part, or for one item of its list, and is spelt as parse_format() would spell it.
 * What is typed fits a name if it begins it or one of its words; parts before it may be shortened
 * as the parser allows.
 *
 * Nothing is read but the view that the words hold: no candidate can tell what another hand holds.
 */
#ifndef BOT_PARSE_COMPLETE_H
#define BOT_PARSE_COMPLETE_H

#include "bot/parse/names.h"

enum { COMPLETE_MAX = 256, COMPLETE_TEXT_SIZE = 160 };

struct complete_item {
    char text[COMPLETE_TEXT_SIZE];
    bool goes_on; /**< something may follow it */
};

struct complete_list {
    size_t from;    /**< byte of the line where candidates begin; what stands from there to the
                         cursor is replaced */
    unsigned count; /**< sorted, none twice */
    bool overflow;  /**< there are more */
    struct complete_item items[COMPLETE_MAX];
};

/** Candidates for what stands before byte `cursor` of the line; without a game the commands that
 * need none. */
void complete_line(const struct table_words *words, const char *line, size_t cursor,
                   struct complete_list *out);
/** Adds a candidate of the caller's at its place; what is listed already stays once. */
void complete_add(struct complete_list *list, const char *text, bool goes_on);
/** What is to stand from list->from to the cursor: the one candidate, or as much as all have in
 * common (nothing is lost: what is typed stays if they do not begin with it). A single candidate
 * that goes on has a blank behind. Returns false if that is what stands there. */
bool complete_common(const struct complete_list *list, const char *line, size_t cursor,
                     char out[COMPLETE_TEXT_SIZE]);

#endif
