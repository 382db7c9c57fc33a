/*
 * Rows of a card that were worded before: of most players it says at the next command what it said
 * at the last one.
 *
 * A row goes by all that it is made of, byte for byte: the same key, the same text
 * (tests/bot/table/test_table_hands.c). Who puts something more into a row puts that into its key.
 * Lent through table_words by who words many tables; cards go by their numbers in it, so who
 * changes the box or the catalogue empties it. What finds no room is worded again.
 */
#ifndef BOT_RENDER_ROW_MEMO_H
#define BOT_RENDER_ROW_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_out;

enum { ROW_KEY_SIZE = 320, ROW_TEXT_SIZE = 768, ROWS_MAX = 256 };

/** What a row is made of. */
struct row_key {
    size_t length; /**< more than there is room for: it is not kept */
    unsigned char bytes[ROW_KEY_SIZE];
};

struct worded_row {
    uint16_t key_length; /**< 0: no row */
    unsigned char key[ROW_KEY_SIZE];
    char text[ROW_TEXT_SIZE];
};

struct row_memo {
    unsigned next; /**< which of those that might give way does */
    struct worded_row rows[ROWS_MAX];
};

void row_memo_empty(struct row_memo *memo);

void row_key_begin(struct row_key *key);
void row_key_add(struct row_key *key, const void *bytes, size_t size);
static inline void row_key_number(struct row_key *key, int32_t number)
{
    row_key_add(key, &number, sizeof number);
}

/** Appends the row of that key; false: it is not known. `memo` may be NULL. */
bool row_memo_put(const struct row_memo *memo, const struct row_key *key, struct text_out *out);
/** Keeps what stands in `out` from `from` on. */
void row_memo_keep(struct row_memo *memo, const struct row_key *key, const struct text_out *out,
                   size_t from);

#endif
