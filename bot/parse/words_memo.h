/*
 * Words already found for one reader: the same move stands in a hand and beside it, the same
 * monster in many moves, and finding words that mean only one thing is dear.
 *
 * Lent through table_words by who words many commands; all in it was found for the same view,
 * reader and names, and who changes one of them empties it. What finds no room is found again.
 */
#ifndef BOT_PARSE_WORDS_MEMO_H
#define BOT_PARSE_WORDS_MEMO_H

#include <stddef.h>
#include <stdint.h>

#include "core/state/command.h"

enum { MEMO_LINES_MAX = 32, MEMO_PIECES_MAX = 32, MEMO_TEXT_SIZE = 6144 };

struct memo_line {
    struct command command;
    const char *text;
};

/** Words of a target or a player, by who it is and where it is to stand. */
struct memo_piece {
    uint64_t key;
    const char *text;
};

struct words_memo {
    unsigned line_count, piece_count;
    size_t used;
    struct memo_line lines[MEMO_LINES_MAX];
    struct memo_piece pieces[MEMO_PIECES_MAX];
    char text[MEMO_TEXT_SIZE];
};

void memo_empty(struct words_memo *memo);
/** The words of a command; NULL: not known. */
const char *memo_line(const struct words_memo *memo, const struct command *command);
void memo_keep_line(struct words_memo *memo, const struct command *command, const char *text);
const char *memo_piece(const struct words_memo *memo, uint64_t key);
void memo_keep_piece(struct words_memo *memo, uint64_t key, const char *text);

#endif
