// Texts that are longer than what can be shown: the part that is, and the sentence that says so.
#include <string.h>

#include "bot/text/text.h"

enum { OPEN_MAX = 8 }; // marks within marks

static bool is_middle(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

// Where the first part of a text ends that fits `room`: behind a line, if that keeps half of it, or
// else behind a character.
static size_t head_of(const char *text, size_t room)
{
    size_t line = room;
    while (line > room / 2 && text[line - 1] != '\n') {
        line--;
    }
    if (line > room / 2) {
        return line;
    }
    size_t end = room;
    while (end > 0 && is_middle(text[end])) {
        end--;
    }
    return end > 0 ? end : room;
}

// Where the last part begins.
static size_t tail_of(const char *text, size_t length, size_t room)
{
    size_t from = length - room;
    const char *const line = memchr(text + from, '\n', room / 2);
    if (line != NULL) {
        return (size_t)(line - text) + 1;
    }
    while (is_middle(text[from])) {
        from++;
    }
    return from;
}

// Marks that are opened outside are not ended in it, and those that are opened are ended.
static size_t copy(char *out, const char *from, size_t length)
{
    size_t used = 0;
    size_t open = 0;
    for (size_t i = 0; i < length; i++) {
        const bool mark = text_is_mark(from[i]);
        const bool ends = mark && from[i] == MARK_END;
        if ((ends && open == 0) || (mark && !ends && open == OPEN_MAX)) {
            continue;
        }
        if (ends) {
            open--;
        } else if (mark) {
            open++;
        }
        out[used++] = from[i];
    }
    while (open > 0) {
        out[used++] = MARK_END;
        open--;
    }
    return used;
}

size_t text_cut(const char *text, size_t max, enum text_part part, const char *why, char *out)
{
    const size_t length = strlen(text);
    const size_t said = strlen(why);
    const size_t more = said + 2 + OPEN_MAX; // line ends, and ends of marks
    size_t used = 0;
    if (length <= max || max <= more) {
        used = length <= max ? length : head_of(text, max);
        used = copy(out, text, used);
        out[used] = '\0';
        return used;
    }
    const size_t room = max - more;
    if (part == TEXT_HEAD) {
        used = copy(out, text, head_of(text, room));
        if (used > 0 && out[used - 1] != '\n') {
            out[used++] = '\n';
        }
    }
    memcpy(out + used, why, said);
    used += said;
    out[used++] = '\n';
    if (part == TEXT_TAIL) {
        const size_t from = tail_of(text, length, room);
        used += copy(out + used, text + from, length - from);
    }
    out[used] = '\0';
    return used;
}

size_t text_page(const char *text, size_t max, char *out)
{
    const size_t length = strlen(text);
    const size_t taken = length <= max ? length : head_of(text, max - OPEN_MAX);
    out[copy(out, text, taken)] = '\0';
    return taken;
}
