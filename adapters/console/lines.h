/*
 * Lines out of a file descriptor, whatever comes through it.
 *
 * A line is at most CHAT_LINE_SIZE - 1 bytes of valid UTF-8 without control characters. Other lines
 * are read whole, however long, and reported. Tabs become blanks, a \r before the line's end is
 * dropped, and text after the last \n counts as a line. Knows no game and prints nothing.
 */
#ifndef ADAPTERS_CONSOLE_LINES_H
#define ADAPTERS_CONSOLE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/chat.h"

enum { LINES_BUFFER_SIZE = 65536 };

enum lines_result {
    LINES_NONE,     /**< no whole line is there yet */
    LINES_ONE,      /**< `out` holds it */
    LINES_TOO_LONG, /**< a line too long for a command was dropped */
    LINES_NOT_TEXT, /**< a line with control characters or broken UTF-8 was dropped */
    LINES_END       /**< nothing more will come */
};

struct lines {
    int fd;
    size_t start, end;
    bool skipping; /**< inside of a line that is too long even for the buffer */
    bool ended;
    char buffer[LINES_BUFFER_SIZE];
};

void lines_init(struct lines *lines, int fd);
/** Takes the next line read. */
enum lines_result lines_take(struct lines *lines, char out[CHAT_LINE_SIZE]);
/** Reads once, waiting for input if there is none; false if reading failed (not at the end). */
bool lines_read(struct lines *lines);

#endif
