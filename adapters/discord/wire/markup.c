#include "adapters/discord/wire/markup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bot/text/text.h"

enum { MARKS_MAX = 16, PIECE_MAX = 8, COUNTDOWN_SIZE = 40 };

/* What is being written. */
struct writing {
    char *out;
    size_t size, length;
    size_t characters, most;
    bool bold[MARKS_MAX]; /* of the marks that are open, from the outermost on */
    unsigned depth;
    int64_t when_s;
    bool begins, digits; /* only blanks and digits stand in this line so far; and digits do */
};

/* Where a text can end: behind a whole line outside all marks. */
struct stop {
    size_t length, characters;
};

static bool put(struct writing *w, const char *piece, size_t bytes, size_t characters)
{
    if (w->characters + characters > w->most || w->length + bytes >= w->size) {
        return false;
    }
    memcpy(w->out + w->length, piece, bytes);
    w->length += bytes;
    w->characters += characters;
    w->out[w->length] = '\0';
    return true;
}

// Only what parts a text is set off; names and monsters are not, or a line would be a chequerboard.
static bool is_bold(char mark)
{
    return mark == MARK_HEAD || mark == MARK_REFUSAL;
}

static bool put_mark(struct writing *w, char mark)
{
    if (mark == MARK_END) {
        w->depth -= w->depth > 0 ? 1 : 0;
        return !w->bold[w->depth] || put(w, "**", 2, 2);
    }
    if (w->depth == MARKS_MAX) {
        return false;
    }
    w->bold[w->depth] = is_bold(mark);
    return !w->bold[w->depth++] || put(w, "**", 2, 2);
}

// Headings and lists begin lines; a link has "://".
static bool is_markup(const struct writing *w, const char *at)
{
    return strchr("\\*_~|`>[]<@", *at) != NULL || (w->begins && strchr("#-+", *at) != NULL) ||
           (w->digits && *at == '.') || (*at == ':' && at[1] == '/');
}

static bool put_character(struct writing *w, const char *at, size_t bytes)
{
    char piece[PIECE_MAX];
    size_t length = 0;
    if (bytes == 1 && is_markup(w, at)) {
        piece[length++] = '\\';
    }
    w->begins = w->begins && strchr(" 0123456789", *at) != NULL;
    w->digits = w->begins && *at != ' ';
    memcpy(piece + length, at, bytes);
    length += bytes;
    if (*at == '@') { // no mention, whatever stands behind it
        static const char NOTHING[] = {'\xE2', '\x80', '\x8B'}; // of no width
        memcpy(piece + length, NOTHING, sizeof NOTHING);
        return put(w, piece, length + sizeof NOTHING, 3);
    }
    return put(w, piece, length, length - bytes + 1);
}

// A countdown that clients keep by themselves, instead of the words for it.
static bool put_countdown(struct writing *w, const char **at)
{
    char piece[COUNTDOWN_SIZE];
    const int length = snprintf(piece, sizeof piece, " (<t:%" PRId64 ":R>)", w->when_s);
    *at = text_behind(*at);
    return put(w, piece, (size_t)length, (size_t)length);
}

static bool put_chat(struct writing *w, const char **at)
{
    const char *const word = text_sentence(TEXT_CHAT_DISCORD);
    *at = text_behind(*at);
    return put(w, word, strlen(word), strlen(word));
}

static bool put_any(struct writing *w, const char **at)
{
    if (**at == MARK_TIME && w->when_s > 0) {
        return put_countdown(w, at);
    }
    if (**at == MARK_CHAT) {
        return put_chat(w, at);
    }
    if (text_is_mark(**at)) {
        return put_mark(w, *(*at)++);
    }
    const size_t known = text_character(*at);
    const size_t bytes = known > 0 ? known : 1;
    const char *const from = *at;
    *at += bytes;
    if (known == 0 && *from != '\n') {
        return true; // no character that may be shown
    }
    if (*from == '\n') {
        w->begins = true;
        w->digits = false;
        return put(w, "\n", 1, 1);
    }
    return put_character(w, from, bytes);
}

bool markup_write(const char *text, int64_t when_s, size_t most, const char *rest, char *out,
                  size_t size)
{
    const size_t room = strlen(rest) + 1;
    struct writing w = {.out = out, .size = size, .most = most, .when_s = when_s, .begins = true};
    struct stop stop = {0, 0};
    out[0] = '\0';
    for (const char *at = text; *at != '\0';) {
        if (w.depth == 0 && *at == '\n' && w.characters + room <= most) {
            stop = (struct stop){w.length, w.characters};
        }
        if (!put_any(&w, &at)) {
            w.length = stop.length;
            w.characters = stop.characters;
            w.depth = 0;
            out[w.length] = '\0';
            (void)(put(&w, "\n", w.length > 0 ? 1 : 0, w.length > 0 ? 1 : 0) &&
                   put(&w, rest, strlen(rest), strlen(rest)));
            return false;
        }
    }
    while (w.depth > 0 && put_mark(&w, MARK_END)) {
    }
    while (w.length > 0 && w.out[w.length - 1] == '\n') {
        w.out[--w.length] = '\0';
    }
    return true;
}

void markup_plain(const char *text, size_t most, char *out, size_t size)
{
    struct writing w = {.out = out, .size = size, .most = most};
    out[0] = '\0';
    for (const char *at = text; *at != '\0';) {
        const size_t known = text_character(at);
        if (known > 0 && !put(&w, at, known, 1)) {
            return;
        }
        at += known > 0 ? known : 1;
    }
}
