#include "bot/render/row_memo.h"

#include <string.h>

#include "bot/text/text.h"

enum { WAYS = 4 }; // a row lies in one of so many places

void row_memo_empty(struct row_memo *memo)
{
    for (unsigned i = 0; i < ROWS_MAX; i++) {
        memo->rows[i].key_length = 0;
    }
}

void row_key_begin(struct row_key *key)
{
    key->length = 0;
}

void row_key_add(struct row_key *key, const void *bytes, size_t size)
{
    if (key->length <= ROW_KEY_SIZE && ROW_KEY_SIZE - key->length >= size) {
        memcpy(key->bytes + key->length, bytes, size);
        key->length += size;
    } else {
        key->length = ROW_KEY_SIZE + 1;
    }
}

// The first of the places where the row of a key may lie.
static unsigned place_of(const struct row_key *key)
{
    uint64_t hash = key->length;
    uint64_t word = 0;
    size_t at = 0;
    for (; at + sizeof word <= key->length; at += sizeof word) {
        memcpy(&word, key->bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    for (; at < key->length; at++) {
        hash = (hash ^ key->bytes[at]) * UINT64_C(0x100000001B3);
    }
    return (unsigned)((hash ^ hash >> 32) % (ROWS_MAX / WAYS)) * WAYS;
}

static bool is_kept(const struct row_memo *memo, const struct row_key *key)
{
    return memo != NULL && key->length > 0 && key->length <= ROW_KEY_SIZE;
}

bool row_memo_put(const struct row_memo *memo, const struct row_key *key, struct text_out *out)
{
    const unsigned place = is_kept(memo, key) ? place_of(key) : ROWS_MAX;
    for (unsigned i = place; i < place + WAYS && i < ROWS_MAX; i++) {
        const struct worded_row *const row = &memo->rows[i];
        if (row->key_length == key->length && memcmp(row->key, key->bytes, key->length) == 0) {
            text_raw(out, row->text);
            return true;
        }
    }
    return false;
}

void row_memo_keep(struct row_memo *memo, const struct row_key *key, const struct text_out *out,
                   size_t from)
{
    if (!is_kept(memo, key) || out->full || out->length - from >= ROW_TEXT_SIZE) {
        return;
    }
    struct worded_row *const row = &memo->rows[place_of(key) + memo->next++ % WAYS];
    row->key_length = (uint16_t)key->length;
    memcpy(row->key, key->bytes, key->length);
    memcpy(row->text, out->at + from, out->length - from + 1);
}
