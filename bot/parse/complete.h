/*
 * How a line being typed may go on: from the typist's legal moves, as their own redacted view has
 * them. For the terminal's Tab and for a chat's autocomplete.
 *
 * Pure: words, line and cursor in, candidates out. A line has parts: the verb with what follows,
 * and each key word with what follows ("play Loud Trumpet", "for players"). A candidate stands for
 * one part, or for one item of its list, and is spelt as parse_format() spells it. Typed text fits
 * a name if it begins the name or one of its words. Earlier parts may be shortened as the parser
 * allows.
 *
 * It reads only the view in the words: no candidate can tell what another hand holds.
 */
#ifndef BOT_PARSE_COMPLETE_H
#define BOT_PARSE_COMPLETE_H

#include "bot/parse/names.h"

enum { COMPLETE_MAX = 256, COMPLETE_TEXT_SIZE = 160 };

struct complete_item {
    char text[COMPLETE_TEXT_SIZE];
    bool goes_on; /**< more may follow */
};

struct complete_list {
    size_t from;    /**< byte of the line where candidates begin; they replace the text from there
                         to the cursor */
    unsigned count; /**< sorted, none twice */
    bool overflow;  /**< there are more */
    struct complete_item items[COMPLETE_MAX];
};

/** Lists candidates for the text before byte `cursor`; without a game the commands that need
 * none. */
void complete_line(const struct table_words *words, const char *line, size_t cursor,
                   struct complete_list *out);
/** Adds a candidate of the caller's in order, unless it is listed already. */
void complete_add(struct complete_list *list, const char *text, bool goes_on);
/** Writes what goes from list->from to the cursor: the one candidate, or the beginning that all
 * share. Typed text stays if they do not begin with it. A single candidate that goes on gets a
 * blank after it. False: the text is there already. */
bool complete_common(const struct complete_list *list, const char *line, size_t cursor,
                     char out[COMPLETE_TEXT_SIZE]);

#endif
