/*
 * A line being typed at a terminal: editing, history and Tab, by libedit.
 *
 * One editor a person: history, undo and what was cut belong to who typed it, so that nobody gets
 * at another's line by an arrow key or a yank. Keys are taken one at a time, when there are some:
 * between two keys the line stays as it is, and may be taken off the screen (editor_hide) to print
 * something above it.
 *
 * The terminal is raw from editor_open() to editor_close(); signals of the keyboard stay on. Input
 * is taken as UTF-8 whatever the locale says; what is none is dropped. Knows no game.
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
    EDITOR_TOO_LONG, /**< one that is too long for a command was dropped */
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
/** What stands before the line, with escape sequences for colour; a shown one is redrawn. */
void editor_prompt(struct editor *editor, const char *prompt);
/** Puts prompt and line on the screen; the cursor must stand at the beginning of a line. */
void editor_show(struct editor *editor);
/** Takes them off again. */
void editor_hide(struct editor *editor);
/** Leaves the terminal to others for a while; editor_restore() takes it back. */
void editor_suspend(struct editor *editor);
/** The terminal has another size, or another process has used it. What is shown is shown anew. */
void editor_restore(struct editor *editor);
/** Forgets what has been typed. */
void editor_drop(struct editor *editor);
/** Whether keys have been read that are not dealt with. */
bool editor_pending(const struct editor *editor);
/** Deals with the keys that have been typed, up to the end of a line. `keep`: into the history. */
enum editor_heard editor_read(struct editor *editor, bool keep, char line[CHAT_LINE_SIZE]);

/* Sums about a screen: pure. */

/** Rows between the beginning of a prompt that is so wide and what follows the text behind it, on a
 * terminal that goes on in the next row when one is full. */
size_t columns_rows(size_t prompt, const char *text, size_t width);
/** The candidates in columns, read downwards, each line ended; with a last line if there are more.
 */
void columns_list(const struct complete_list *list, size_t width, char *out, size_t size);

#endif
