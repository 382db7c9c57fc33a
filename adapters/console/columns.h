/*
 * Sums about a screen: rows that a typed line takes, candidates side by side. Pure.
 */
#ifndef ADAPTERS_CONSOLE_COLUMNS_H
#define ADAPTERS_CONSOLE_COLUMNS_H

#include <stddef.h>

#include "bot/parse/complete.h"

/** Rows between the beginning of a prompt that is so wide and what follows the text behind it, on a
 * terminal that goes on in the next row when one is full. */
size_t columns_rows(size_t prompt, const char *text, size_t width);
/** The candidates in columns, read downwards, each line ended; with a last line if there are more.
 */
void columns_list(const struct complete_list *list, size_t width, char *out, size_t size);

#endif
