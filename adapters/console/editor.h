/*
 * A line being typed at a terminal: editing, history and Tab, by libedit.
 *
 * Each person has an editor: history, undo and cut text are theirs, so no arrow key or yank shows
 * another's line. It takes keys one at a time. Between two keys the line can be taken off the
 * screen (editor_hide()) to print something above it.
 *
 * The terminal is raw from editor_open() to editor_close(); signals of the keyboard stay on. Input
 * is UTF-8 whatever the locale says; other bytes are dropped. Knows no game.
 */
#ifndef ADAPTERS_CONSOLE_EDITOR_H
#define ADAPTERS_CONSOLE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/chat.h"
#include "bot/parse/complete.h"

struct editor;

struct editor_setup {
    int in, out; /**< a terminal; borrowed */
    /** Candidates for the line before the cursor; may be NULL. */
    void (*complete)(void *user, const char *line, size_t cursor, struct complete_list *out);
    void *user;
};

enum editor_heard {
    EDITOR_MORE,     /**< the line goes on */
    EDITOR_LINE,     /**< a line has been typed */
    EDITOR_TOO_LONG, /**< a line too long for a command was dropped */
    EDITOR_LEAVE,    /**< Ctrl-D on an empty line */
    EDITOR_END       /**< end of input */
};

/** NULL if libedit cannot use the terminal. */
struct editor *editor_create(const struct editor_setup *setup);
/** NULL is fine. Closes it. */
void editor_destroy(struct editor *editor);
/** Raw terminal; nothing is shown yet. Both may be called again. */
void editor_open(struct editor *editor);
void editor_close(struct editor *editor);
/** Sets the prompt, with escape sequences for colour; redraws a shown one. */
void editor_prompt(struct editor *editor, const char *prompt);
/** Puts prompt and line on the screen; the cursor must stand at the beginning of a line. */
void editor_show(struct editor *editor);
/** Takes both off the screen. */
void editor_hide(struct editor *editor);
/** Leaves the terminal to others for a while; editor_restore() takes it back. */
void editor_suspend(struct editor *editor);
/** Redraws after another process used the terminal, or its size changed. */
void editor_restore(struct editor *editor);
/** Drops the typed text. */
void editor_drop(struct editor *editor);
/** Whether keys have been read but not handled. */
bool editor_pending(const struct editor *editor);
/** Handles the typed keys up to the end of a line. `keep`: adds the line to the history. */
enum editor_heard editor_read(struct editor *editor, bool keep, char line[CHAT_LINE_SIZE]);

/* Sums about a screen: pure. */

/** Returns the rows that a prompt of that width and the text after it fill, on a terminal that goes
 * on in the next row. */
size_t columns_rows(size_t prompt, const char *text, size_t width);
/** Writes the candidates in columns, read downwards; a last line says if there are more. */
void columns_list(const struct complete_list *list, size_t width, char *out, size_t size);

/*
 * Lines out of a file descriptor, whatever comes through it.
 *
 * A line is at most CHAT_LINE_SIZE - 1 bytes of valid UTF-8 without control characters. Other lines
 * are read whole, however long, and reported. Tabs become blanks, a \r before the line's end is
 * dropped, and text after the last \n counts as a line. Knows no game and prints nothing.
 */

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
