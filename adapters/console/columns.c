#include "adapters/console/columns.h"

#include <string.h>

#include "bot/text/text.h"

enum { GAP = 2, SHOWN_MAX = 120 };

size_t columns_rows(size_t prompt, const char *text, size_t width)
{
    size_t rows = prompt / width;
    size_t column = prompt % width;
    while (*text != '\0') {
        const size_t length = text_character(text) > 0 ? text_character(text) : 1;
        const size_t wide = text_columns(text, length);
        if (column + wide > width) { // a wide character does not stand across the edge
            rows++;
            column = 0;
        }
        column += wide;
        if (column >= width) {
            rows++;
            column = 0;
        }
        text += length;
    }
    return rows;
}

void columns_list(const struct complete_list *list, size_t width, char *out, size_t size)
{
    struct text_out text;
    const size_t count = list->count < SHOWN_MAX ? list->count : SHOWN_MAX;
    size_t widest = 1;
    text_begin(&text, out, size);
    for (size_t i = 0; i < count; i++) {
        const size_t wide = text_columns(list->items[i].text, strlen(list->items[i].text));
        widest = wide > widest ? wide : widest;
    }
    const size_t fitting = (width + GAP - 1) / (widest + GAP);
    const size_t columns = fitting > 0 ? fitting : 1;
    const size_t rows = (count + columns - 1) / columns;
    for (size_t row = 0; row < rows; row++) {
        for (size_t at = row; at < count; at += rows) {
            const char *const item = list->items[at].text;
            text_value(&text, item);
            size_t blanks = at + rows < count ? widest + GAP - text_columns(item, strlen(item)) : 0;
            for (; blanks > 0; blanks--) {
                text_raw(&text, " ");
            }
        }
        text_raw(&text, "\n");
    }
    if (list->overflow || count < list->count) {
        text_line(&text, TEXT_CONSOLE_MORE, NULL);
    }
}
