/*
 * Output, broken at a terminal's width and in its colours; and what each person of a shared
 * keyboard has seen.
 *
 * A page keeps one person's messages since the beginning of the last turn, so that the next person
 * at the keyboard gets their own scroll-back and nobody else's. Knows no game.
 */
#ifndef ADAPTERS_CONSOLE_SCREEN_H
#define ADAPTERS_CONSOLE_SCREEN_H

#include <stdbool.h>

#include "bot/text/text.h"

/* Marks (bot/text/text.h) as colours. Colour only repeats what the words say. It is on when output
 * goes to a terminal that can show it, unless NO_COLOR is set; otherwise marks are left out. */

struct style {
    bool on;
    const char *self; /**< the reader's name, which stands out; or NULL; borrowed */
};

/** Whether colours are wanted: `no_color` is the variable NO_COLOR, NULL if unset. */
bool style_wanted(const char *term, const char *no_color);
/** Appends a text with its marks translated; the text's end closes open marks. */
void style_put(struct text_out *out, const char *text, const struct style *style);

enum { SCREEN_WRAPPED_SIZE = 98304, SCREEN_STYLED_SIZE = 163840, PAGE_SIZE = 24576 };

struct screen {
    int out; /**< borrowed */
    bool is_terminal, broken;
    bool plain; /**< a terminal that takes no escape sequences */
    struct style style;
    char wrapped[SCREEN_WRAPPED_SIZE];
    char styled[SCREEN_STYLED_SIZE];
};

void screen_init(struct screen *screen, int out);
/** Writes bytes unchanged; sets `broken` when the reader has gone. */
void screen_bytes(struct screen *screen, const char *bytes, size_t count);
void screen_text(struct screen *screen, const char *text);
/** Empties screen and scroll-back as far as the terminal can. */
void screen_wipe(struct screen *screen);

struct page {
    char *text; /**< NULL: nothing yet */
    size_t length;
    size_t turn;   /**< where the latest turn begins */
    size_t unread; /**< where the unread text begins */
};

/** Appends; drops the oldest lines when full. */
void page_add(struct page *page, const char *text);
/** Begins a turn: drops read text older than the last turn. */
void page_turn(struct page *page);
/** Marks everything as read. */
void page_read(struct page *page);
void page_finish(struct page *page);

#endif
