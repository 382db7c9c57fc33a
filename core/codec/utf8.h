/*
 * Text as bytes: the one reader of UTF-8. Strict: what it takes, every other program takes as well.
 */
#ifndef CORE_CODEC_UTF8_H
#define CORE_CODEC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MOST = 4 }; // bytes of one character

/** Reads the character that begins at `at` and ends within `left` bytes; returns how many it has, 0
 * if there is none. Of a text with an end, any four bytes may be said to be left. */
unsigned utf8_read(const char *at, size_t left, uint32_t *code);
/** Whether a text is UTF-8 up to its end. */
bool utf8_is_text(const char *text);

bool unseen_code(uint32_t code);
/** Bytes that such a character takes here; 0: it is none, or is cut short by the text's end. */
unsigned unseen_bytes(const char *text);

#endif
