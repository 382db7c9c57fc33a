/*
 * When a hand message has to be looked at, and when it has to be made anew: keys of what it says,
 * for words are dear and most commands change few hands.
 *
 * Two keys. That of the moment is coarse: while it stays the same no hand message changes, whatever
 * else does. That of the making is exact: the same key, the same text and controls, byte for byte
 * (tests/bot/table/test_table_hands.c). Who puts something more into a hand, or words its moves by
 * something more, puts that into the key. Tables keep both, so they are keyed and tell nothing.
 * For bot/table/ only.
 */
#ifndef BOT_TABLE_HAND_KEY_H
#define BOT_TABLE_HAND_KEY_H

#include "bot/table/table_impl.h"

/** A keyed hash of some bytes, never 0. */
uint64_t hand_hash_of(const struct table_workspace *ws, const void *bytes, size_t length);

static inline uint64_t hand_mix(uint64_t key, uint64_t value)
{
    return (key ^ value) * UINT64_C(0x100000001B3);
}

/** The moment of a seat; never 0. */
uint64_t hand_key_moment(const struct table_work *work, unsigned seat);
/** What of a chat counts for what its hands show. */
enum { HAND_CAPS = CHAT_CAP_BUTTONS | CHAT_CAP_PANEL | CHAT_CAP_NUMBERS };

/** All that a seat's hand message is made of now, its moves being in the workspace, where a chat
 * can do so much (bits of CHAT_CAP_*); never 0. */
uint64_t hand_key_made(const struct table_work *work, const struct table_words *words,
                       uint32_t caps);

#endif
