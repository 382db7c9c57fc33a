#include "adapters/console/style.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

bool style_terminal(const char *term)
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

static void restore(struct text_out *out, const char *open, unsigned depth)
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
        restore(out, open, *depth);
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
