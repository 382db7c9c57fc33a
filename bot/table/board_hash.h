/*
 * Hashes of what boards show, by which a board is shown again only when it says something else.
 *
 * They are keyed by the workspace's secret, since tables keep them: a stored hash tells nothing of
 * a hand. For bot/table/ only.
 */
#ifndef BOT_TABLE_BOARD_HASH_H
#define BOT_TABLE_BOARD_HASH_H

#include "bot/table/table_impl.h"

/** Of some bytes, never 0. */
uint64_t board_hash(const struct table_workspace *ws, const void *bytes, size_t length);
/** Of a text, without what it says of a clock; never 0. */
uint64_t board_hash_text(const struct table_workspace *ws, const char *text);

static inline uint64_t board_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001B3);
}

#endif
