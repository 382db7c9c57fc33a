/*
 * What a line of text must not hold, because nobody would see it or because it would turn the line
 * around: controls, marks of direction and of no width, fillers, private use, tags.
 *
 * The one table of them: for card files, for what people type and are called, for what is shown.
 */
#ifndef CORE_CODEC_UNSEEN_H
#define CORE_CODEC_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

bool unseen_code(uint32_t code);
/** Bytes that such a character takes here; 0: it is none, or is cut short by the text's end. */
unsigned unseen_bytes(const char *text);

#endif
