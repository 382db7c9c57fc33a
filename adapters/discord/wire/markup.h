/*
 * Texts as Discord reads them: marks become markup, everything else stands for itself.
 *
 * Whatever people typed is in these texts, so nothing in them may act: every character that markup
 * is made of is escaped, and no mention is left whole. Reference: Discord, section 10.
 */
#ifndef ADAPTERS_DISCORD_WIRE_MARKUP_H
#define ADAPTERS_DISCORD_WIRE_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Writes a text (bot/text/text.h, with marks or without) as markup; what it says of a clock
 * becomes a countdown to `when_s` (since 1970; 0: it stays), always with its end; what does not fit
 * into `most` characters is left out from a line's end on, and `rest` stands there instead. `size`
 * is of `out`, at least 4 * most + 1. Returns whether all is there. */
bool markup_write(const char *text, int64_t when_s, size_t most, const char *rest, char *out,
                  size_t size);
/** A text without marks for where no markup is read (labels), at most `most` characters. */
void markup_plain(const char *text, size_t most, char *out, size_t size);

#endif
