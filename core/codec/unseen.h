/*
 * What a line of text must not hold, because nobody would see it or because it would turn the line
 * around: controls (C0, DEL, C1) and marks of direction (U+202A to U+202E, U+2066 to U+2069).
 */
#ifndef CORE_CODEC_UNSEEN_H
#define CORE_CODEC_UNSEEN_H

#include <stdbool.h>

/** Bytes that such a character takes here; 0: it is none, or is cut short by the text's end. */
static inline unsigned unseen_bytes(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] == '\0') {
        return 0;
    }
    if (at[0] < 0x20 || at[0] == 0x7F) {
        return 1;
    }
    if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) {
        return 2;
    }
    const bool turns = at[0] == 0xE2 && ((at[1] == 0x80 && at[2] >= 0xAA && at[2] <= 0xAE) ||
                                         (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
    return turns ? 3 : 0;
}

#endif
