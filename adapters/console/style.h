/*
 * Marks (bot/text/text.h) as colours of a terminal.
 *
 * Colour only repeats what the words say. It is on when output goes to a terminal that can show it,
 * unless NO_COLOR is set; otherwise marks are left out. Knows no rules.
 */
#ifndef ADAPTERS_CONSOLE_STYLE_H
#define ADAPTERS_CONSOLE_STYLE_H

#include <stdbool.h>

#include "bot/text/text.h"

struct style {
    bool on;
    const char *self; /**< the name of who reads, which stands out; may be NULL; borrowed */
};

/** Whether a terminal of that type (TERM) takes escape sequences at all. */
bool style_terminal(const char *term);
/** Whether colours are wanted: `no_color` is the variable NO_COLOR, NULL if unset. */
bool style_wanted(const char *term, const char *no_color);
/** Appends a text with its marks translated; whatever is on ends with the text. */
void style_put(struct text_out *out, const char *text, const struct style *style);

#endif
