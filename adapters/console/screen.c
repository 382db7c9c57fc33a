#include "adapters/console/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/codec/memory.h"

enum {
    WIDTH_MAX = 100,
    WIDTH_MIN = 20,
    WIDTH_UNKNOWN = 80,
    INDENT = 2,
    ROWS_WIPED = 200,
    DEPTH_MAX = 8
};

/* Marks as colours. */

static bool style_terminal(const char *term)
{
    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

bool style_wanted(const char *term, const char *no_color)
{
    return style_terminal(term) && (no_color == NULL || no_color[0] == '\0');
}

// The sixteen colours every terminal has, in the shades its owner has chosen.
static const char *code_of(char mark)
{
    switch (mark) {
    case MARK_MONSTER:
        return "\033[31m";
    case MARK_CURSE:
        return "\033[35m";
    case MARK_TREASURE:
        return "\033[33m";
    case MARK_PLAYER:
        return "\033[1;36m";
    case MARK_REFUSAL:
        return "\033[1;35m";
    case MARK_GOOD:
        return "\033[1;32m";
    case MARK_BAD:
        return "\033[1;31m";
    case MARK_HEAD:
        return "\033[1m";
    default:
        return "";
    }
}

// Whether the text between this mark and its end is the reader's name.
static bool is_self(const char *at, const struct style *style)
{
    const size_t length = style->self == NULL ? 0 : strlen(style->self);
    return length > 0 && strncmp(at, style->self, length) == 0 && at[length] == MARK_END;
}

static void restore_colour(struct text_out *out, const char *open, unsigned depth)
{
    text_raw(out, "\033[0m");
    for (unsigned i = 0; i < depth && i < DEPTH_MAX; i++) {
        text_raw(out, code_of(open[i]));
    }
}

// One mark: what is open grows or shrinks.
static void put_mark(struct text_out *out, const char *at, const struct style *style,
                     char open[DEPTH_MAX], unsigned *depth)
{
    if (*at == MARK_END) {
        *depth -= *depth > 0 ? 1 : 0;
        restore_colour(out, open, *depth);
        return;
    }
    if (*depth < DEPTH_MAX) {
        // Other people's names look like the text around them.
        const bool other = *at == MARK_PLAYER && !is_self(at + 1, style);
        open[*depth] = *at;
        if (other) {
            open[*depth] = '\0';
        }
        text_raw(out, code_of(open[*depth]));
    }
    ++*depth;
}

void style_put(struct text_out *out, const char *text, const struct style *style)
{
    char open[DEPTH_MAX];
    unsigned depth = 0;
    char one[2] = {0};
    for (; *text != '\0'; text++) {
        if (!text_is_mark(*text)) {
            one[0] = *text;
            text_raw(out, one);
        } else if (style->on) {
            put_mark(out, text, style, open, &depth);
        }
    }
    if (depth > 0) {
        text_raw(out, "\033[0m");
    }
}

/* The screen. */

void screen_init(struct screen *screen, int out)
{
    const char *const term = getenv("TERM");
    screen->out = out;
    screen->is_terminal = isatty(out) == 1;
    screen->plain = !style_terminal(term);
    screen->style.on = screen->is_terminal && style_wanted(term, getenv("NO_COLOR"));
}

void screen_bytes(struct screen *screen, const char *bytes, size_t count)
{
    while (count > 0 && !screen->broken) {
        const ssize_t written = write(screen->out, bytes, count);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            screen->broken = true;
        } else if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
}

static size_t screen_width(const struct screen *screen)
{
    struct winsize window = {0};
    if (ioctl(screen->out, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) {
        return WIDTH_UNKNOWN;
    }
    const size_t width = window.ws_col;
    return width > WIDTH_MAX ? WIDTH_MAX : width < WIDTH_MIN ? WIDTH_MIN : width;
}

void screen_text(struct screen *screen, const char *text)
{
    struct text_out out;
    if (screen->is_terminal) {
        text_begin(&out, screen->wrapped, sizeof screen->wrapped);
        text_wrap(&out, text, screen_width(screen), INDENT);
        text = screen->wrapped;
    }
    text_begin(&out, screen->styled, sizeof screen->styled);
    style_put(&out, text, &screen->style);
    screen_bytes(screen, screen->styled, strlen(screen->styled));
}

void screen_wipe(struct screen *screen)
{
    if (!screen->plain) {
        static const char WIPE[] = "\033[0m\033[H\033[2J\033[3J";
        screen_bytes(screen, WIPE, sizeof WIPE - 1);
        return;
    }
    for (unsigned i = 0; i < ROWS_WIPED; i++) {
        screen_bytes(screen, "\n", 1);
    }
}

static size_t less_by(size_t from, size_t gone)
{
    return from > gone ? from - gone : 0;
}

// The oldest bytes go.
static void drop_from_page(struct page *page, size_t gone)
{
    memmove(page->text, page->text + gone, page->length - gone);
    page->length -= gone;
    page->text[page->length] = '\0';
    page->turn = less_by(page->turn, gone);
    page->unread = less_by(page->unread, gone);
}

void page_add(struct page *page, const char *text)
{
    size_t length = strlen(text);
    for (; length > PAGE_SIZE / 2; text++, length--) { // the end of it will do
    }
    if (page->text == NULL) {
        page->text = mb_new(1, PAGE_SIZE);
        page->length = 0;
    }
    if (page->length + length >= PAGE_SIZE) {
        const size_t least = page->length + length + 1 - PAGE_SIZE;
        const char *const line = memchr(page->text + least, '\n', page->length - least);
        const size_t gone = line != NULL ? (size_t)(line - page->text) + 1 : page->length;
        drop_from_page(page, gone);
    }
    memcpy(page->text + page->length, text, length + 1);
    page->length += length;
}

void page_turn(struct page *page)
{
    if (page->text != NULL) {
        drop_from_page(page, page->turn < page->unread ? page->turn : page->unread);
        page->turn = page->length;
    }
}

void page_read(struct page *page)
{
    page->unread = page->length;
}

void page_finish(struct page *page)
{
    free(page->text);
    *page = (struct page){0};
}
