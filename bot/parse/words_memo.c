#include "bot/parse/words_memo.h"

#include <string.h>

void memo_empty(struct words_memo *memo)
{
    memo->line_count = 0;
    memo->piece_count = 0;
    memo->used = 0;
}

// A copy of a text, or NULL if there is no room for it.
static const char *keep(struct words_memo *memo, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (sizeof memo->text - memo->used < size) {
        return NULL;
    }
    memo->used += size;
    return memcpy(memo->text + memo->used - size, text, size);
}

const char *memo_line(const struct words_memo *memo, const struct command *command)
{
    const unsigned char *const wanted = (const unsigned char *)command;
    for (unsigned i = 0; i < memo->line_count; i++) {
        // One that differs in nothing but what lies between its members is worded anew.
        const unsigned char *const known = (const unsigned char *)&memo->lines[i].command;
        if (memcmp(known, wanted, sizeof *command) == 0) {
            return memo->lines[i].text;
        }
    }
    return NULL;
}

void memo_keep_line(struct words_memo *memo, const struct command *command, const char *text)
{
    const char *const kept = memo->line_count < MEMO_LINES_MAX ? keep(memo, text) : NULL;
    if (kept != NULL) {
        memo->lines[memo->line_count].command = *command;
        memo->lines[memo->line_count++].text = kept;
    }
}

const char *memo_piece(const struct words_memo *memo, uint64_t key)
{
    for (unsigned i = 0; i < memo->piece_count; i++) {
        if (memo->pieces[i].key == key) {
            return memo->pieces[i].text;
        }
    }
    return NULL;
}

void memo_keep_piece(struct words_memo *memo, uint64_t key, const char *text)
{
    const char *const kept = memo->piece_count < MEMO_PIECES_MAX ? keep(memo, text) : NULL;
    if (kept != NULL) {
        memo->pieces[memo->piece_count++] = (struct memo_piece){key, kept};
    }
}
