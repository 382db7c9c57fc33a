/*
 * A typed line cut into parts, for bot/parse/ only.
 */
#ifndef BOT_PARSE_COMPLETE_IMPL_H
#define BOT_PARSE_COMPLETE_IMPL_H

#include "bot/parse/complete.h"

enum { PARTS_MAX = 12, PHRASE_SIZE = 1024 };

/** A key word with what follows it, or what follows the verb: bytes of a text. */
struct part {
    uint16_t at;   /**< with the key word */
    uint16_t text; /**< behind the key word */
    uint16_t end;  /**< blanks behind it are not part of it */
};

/** A line or a phrase: the first part is the verb. */
struct parts {
    const char *text;
    unsigned count;
    struct part part[PARTS_MAX];
};

/** By the tokens of parse_lex: what stands in quotes holds no key words, closed or not, nor what is
 * typed of a player's name. The text is shorter than PHRASE_SIZE. */
void parts_read(struct parts *parts, const char *text, const struct table_words *words);
/** Where the last item of a list begins: behind the last comma outside of quotes, if any. */
uint16_t parts_item(const struct parts *parts, const struct part *part);
/** Whether what is typed may become the name: it begins it, or a word of it. */
bool parts_begins(const char *typed, size_t typed_length, const char *name, size_t name_length);
/** Whether what is typed means the name: all of it, its beginning or some words. */
bool parts_means(const char *typed, size_t typed_length, const char *name, size_t name_length);
/** Whether the whole name is typed, and a blank behind it: it is settled. */
bool parts_is_whole(const char *typed, const char *name, size_t name_length);

#endif
