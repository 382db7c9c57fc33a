/*
 * What differs between two blocks of memory of one size, as a short list of words.
 *
 * States of a game a few commands apart are alike but for a few words, so the earlier one is kept
 * as a delta to the present one: a few hundred bytes and half a microsecond. The list belongs to
 * the delta; sizes are multiples of four.
 */
#ifndef BOT_SESSION_DELTA_H
#define BOT_SESSION_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct delta_word {
    uint32_t at; /**< which word */
    uint32_t value;
};

struct delta {
    struct delta_word *words;
    size_t count, room;
};

/** Makes the delta that turns `from` into `to`. False without memory; it is empty then. */
bool delta_make(struct delta *delta, const void *from, const void *to, size_t size);
/** Turns a block that `from` was equal to into `to`. */
void delta_apply(const struct delta *delta, void *block);
/** Frees the list; the delta may be used again. */
void delta_finish(struct delta *delta);

#endif
