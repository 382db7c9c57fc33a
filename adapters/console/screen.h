/*
 * What is written to the output: broken at a terminal's width, in its colours; and what each person
 * of a shared keyboard has been shown.
 *
 * A page keeps what one person was told since the turn before this one began, so that whoever gets
 * the keyboard finds the own scroll-back again and nobody else's. Knows no game.
 */
#ifndef ADAPTERS_CONSOLE_SCREEN_H
#define ADAPTERS_CONSOLE_SCREEN_H

#include <stdbool.h>

#include "bot/text/text.h"

/* Marks (bot/text/text.h) as colours. Colour only repeats what the words say. It is on when output
 * goes to a terminal that can show it, unless NO_COLOR is set; otherwise marks are left out. */

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
/** Writes bytes as they are; `broken` is set when nobody reads any more. */
void screen_bytes(struct screen *screen, const char *bytes, size_t count);
void screen_text(struct screen *screen, const char *text);
/** Empties screen and scroll-back, as far as the terminal lets us. */
void screen_wipe(struct screen *screen);
size_t screen_width(const struct screen *screen);

struct page {
    char *text; /**< NULL: nothing yet */
    size_t length;
    size_t turn;   /**< where the latest turn begins */
    size_t unread; /**< up to where its owner has read */
};

/** Appends; what is oldest goes, whole lines at a time. */
void page_add(struct page *page, const char *text);
/** A turn begins: what is older than the last one goes, as far as it has been read. */
void page_turn(struct page *page);
/** Its owner has it all on the screen. */
void page_read(struct page *page);
void page_finish(struct page *page);

#endif
