/*
 * Inside of the console: for adapters/console/console*.c only. console.c is the chat and who sits
 * there; console_listen.c waits for keys, lines and signals.
 */
#ifndef ADAPTERS_CONSOLE_CONSOLE_IMPL_H
#define ADAPTERS_CONSOLE_CONSOLE_IMPL_H

#include "bot/chat_impl.h"

#include "adapters/console/console.h"
#include "adapters/console/editor.h"
#include "adapters/console/lines.h"
#include "adapters/console/screen.h"
#include "adapters/console/signals.h"

enum { PEOPLE_MAX = 6, UNREAD_MAX = 16, PARAGRAPHS = 3, PROMPT_TEXT_SIZE = 24576 };

/** What stands above a person's prompt, and what of it they have seen, by paragraphs. */
struct prompt {
    char *text, *shown; /**< NULL: nothing yet; of PROMPT_TEXT_SIZE */
    bool idle;
    bool prompted; /**< has been shown once */
};

struct console {
    struct chat chat; // first: console_of() relies on it
    struct console_setup setup;
    bool started; // not heard otherwise
    bool in_is_terminal;
    bool edits;    // lines are edited: both ends are terminals that can
    bool pages;    // everybody's texts are kept for when they come back
    bool prompted; // the cursor stands behind a prompt of the line reader
    bool asked;
    bool leaving;    // has been asked whether to leave
    bool told;       // that an answer waits for somebody else
    bool waiting;    // for Enter, at a hand-over: nothing is completed
    int stopped;     // the signal that ends the game, or 0
    unsigned person; // who sits at the keyboard; people_count: nobody yet
    unsigned guest;
    unsigned waited;                    // for these people, by bits
    int64_t clock_ms, clock_end;        // of the window's time, -1: none, or it has not begun
    struct chat_key unread[UNREAD_MAX]; // told to everybody, not read yet
    unsigned unread_count;
    size_t unread_lines;
    struct prompt prompts[PEOPLE_MAX];
    struct page page[PEOPLE_MAX];
    struct editor *editors[PEOPLE_MAX];
    struct signals signals;
    struct lines lines;
    struct screen screen;
};

struct console *console_of(struct chat *chat);
/** Who is called that, or people_count. */
unsigned console_person(const struct console *console, const char *name, size_t length);
/** The line editor of who sits there, or NULL. */
struct editor *console_editor(struct console *console);
/** A line as it was typed; CONSOLE_LINE: it may be empty. */
enum console_heard console_read(struct console *console, int64_t ms, char line[CHAT_LINE_SIZE]);
/** Whether these words leave the game: quit, or yes to the question that Ctrl-C has asked. */
bool console_quits(const struct console *console, const char *words);
/** Takes note of the signals that have come. */
enum console_heard console_signals(struct console *console);
/** The time of the window that is open begins, unless it runs already. */
void console_start_clock(struct console *console);

#endif
