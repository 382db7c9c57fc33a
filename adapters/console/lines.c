#include <errno.h>
#include <string.h>

#include <unistd.h>

#include "bot/text/text.h"

#include "adapters/console/editor.h"

void lines_init(struct lines *lines, int fd)
{
    lines->fd = fd;
    lines->start = 0;
    lines->end = 0;
    lines->skipping = false;
    lines->ended = false;
}

// Copies a line as text; false if it is none.
static bool copy_text(const char *line, size_t length, char out[CHAT_LINE_SIZE])
{
    memcpy(out, line, length);
    out[length] = '\0';
    for (size_t at = 0; at < length;) {
        if (out[at] == '\t') {
            out[at] = ' ';
        }
        const size_t character = out[at] == '\0' ? 0 : text_character(out + at);
        if (character == 0) {
            return false;
        }
        at += character;
    }
    return true;
}

static enum lines_result one_line(struct lines *lines, size_t length, char out[CHAT_LINE_SIZE])
{
    const char *const line = lines->buffer + lines->start;
    if (lines->skipping) {
        lines->skipping = false;
        return LINES_TOO_LONG;
    }
    if (length > 0 && line[length - 1] == '\r') {
        length--;
    }
    if (length >= CHAT_LINE_SIZE) {
        return LINES_TOO_LONG;
    }
    return copy_text(line, length, out) ? LINES_ONE : LINES_NOT_TEXT;
}

enum lines_result lines_take(struct lines *lines, char out[CHAT_LINE_SIZE])
{
    const size_t held = lines->end - lines->start;
    const char *const newline = held > 0 ? memchr(lines->buffer + lines->start, '\n', held) : NULL;
    if (newline != NULL) {
        const size_t length = (size_t)(newline - (lines->buffer + lines->start));
        const enum lines_result result = one_line(lines, length, out);
        lines->start += length + 1;
        return result;
    }
    if (lines->ended) {
        if (held == 0 && !lines->skipping) {
            return LINES_END;
        }
        const enum lines_result result = one_line(lines, held, out);
        lines->start = lines->end;
        return result;
    }
    return LINES_NONE;
}

bool lines_read(struct lines *lines)
{
    if (lines->ended) {
        return true;
    }
    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->end == sizeof lines->buffer) {
        lines->skipping = true; // no command is that long
        lines->end = 0;
    }
    const ssize_t count =
        read(lines->fd, lines->buffer + lines->end, sizeof lines->buffer - lines->end);
    if (count < 0) {
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    }
    lines->ended = count == 0;
    lines->end += (size_t)count;
    return true;
}
