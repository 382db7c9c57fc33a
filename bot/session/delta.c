#include "bot/session/delta.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct delta *delta, size_t at, uint32_t value)
{
    enum { FIRST_ROOM = 64 };
    if (delta->count == delta->room) {
        const size_t room = delta->room == 0 ? FIRST_ROOM : delta->room * 2;
        struct delta_word *const words = realloc(delta->words, room * sizeof *words);
        if (words == NULL) {
            delta_finish(delta);
            return false;
        }
        delta->words = words;
        delta->room = room;
    }
    delta->words[delta->count++] = (struct delta_word){(uint32_t)at, value};
    return true;
}

bool delta_make(struct delta *delta, const void *from, const void *to, size_t size)
{
    enum { STRIDE = 256 }; // most of two states is alike: it is skipped in strides
    const unsigned char *const a = from;
    const unsigned char *const b = to;
    assert(size % sizeof(uint32_t) == 0);
    delta->count = 0;
    for (size_t start = 0; start < size; start += STRIDE) {
        const size_t length = size - start < STRIDE ? size - start : STRIDE;
        if (memcmp(a + start, b + start, length) == 0) {
            continue;
        }
        for (size_t at = start; at < start + length; at += sizeof(uint32_t)) {
            uint32_t value = 0;
            memcpy(&value, b + at, sizeof value);
            if (memcmp(a + at, &value, sizeof value) != 0 &&
                !add(delta, at / sizeof value, value)) {
                return false;
            }
        }
    }
    return true;
}

void delta_apply(const struct delta *delta, void *block)
{
    unsigned char *const bytes = block;
    for (size_t i = 0; i < delta->count; i++) {
        memcpy(bytes + delta->words[i].at * sizeof delta->words[i].value, &delta->words[i].value,
               sizeof delta->words[i].value);
    }
}

void delta_finish(struct delta *delta)
{
    free(delta->words);
    *delta = (struct delta){NULL, 0, 0};
}
