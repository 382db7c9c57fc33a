/*
 * The reference of the card language, in Markdown, printed from the tables that the loader checks
 * cards against: it cannot be out of step with it.
 */
#ifndef CORE_CODEC_REFERENCE_H
#define CORE_CODEC_REFERENCE_H

#include <stddef.h>

enum { REFERENCE_SIZE = 64 * 1024 };

/** The line of cards/README.md after which this text stands to the end of the file. */
extern const char REFERENCE_MARK[];

/** Writes the reference; always terminated, cut to fit. Returns the length. */
size_t reference_write(char *out, size_t size);

#endif
