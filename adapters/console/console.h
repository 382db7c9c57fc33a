/*
 * The terminal as a chat: it queues typed lines and prints the table's messages.
 *
 * One person at a time sits at the keyboard (console_seat()). Lines are theirs unless they begin
 * with the name of another person of this keyboard and a colon. That name and colon alone ask for
 * the keyboard (CONSOLE_GUEST). Private messages are printed only for the seated person. Those for
 * other people of the keyboard wait for their turn; those for anybody else are dropped.
 *
 * At a terminal lines are edited (adapters/console/editor.h), time goes on while somebody types,
 * and the prompt counts down a window's last seconds. When the keyboard changes hands the screen is
 * wiped, and the next person sees again their messages of this turn and the one before. Elsewhere
 * lines are read as they come and echoed after the prompt, so that a transcript reads well.
 *
 * Paced (bot/chat.h): cards name the people who are asked. Hands hold the paragraphs above the
 * prompt; new ones are printed when their owner is asked. On a screen that people read, messages to
 * everybody get their outcome when they have been read (console_is_read()).
 *
 * Signals are blocked and checked while waiting. SIGINT at a terminal asks first. CONSOLE_STOPPED
 * ends the game; CONSOLE_BROKEN says that the reader of the output has gone. Knows no rules.
 */
#ifndef ADAPTERS_CONSOLE_CONSOLE_H
#define ADAPTERS_CONSOLE_CONSOLE_H

#include <stdint.h>

#include "bot/chat_queue.h"
#include "bot/text/text.h"

enum console_heard {
    CONSOLE_LINE,   /**< a line is in the queue, or nobody typed one */
    CONSOLE_TIME,   /**< the time is up */
    CONSOLE_GUEST,  /**< console_guest() wants the keyboard */
    CONSOLE_QUIT,   /**< somebody typed quit */
    CONSOLE_END,    /**< end of input */
    CONSOLE_FAILED, /**< the input cannot be read */
    CONSOLE_STOPPED,
    CONSOLE_BROKEN
};

struct console_setup {
    int in, out;               /**< file descriptors; borrowed */
    const char *place;         /**< of each chat_in; borrowed */
    const char *const *people; /**< the people at the keyboard; borrowed */
    unsigned people_count;
    bool resumed; /**< no hand has just been printed */
    struct chat_queue *queue;
};

struct chat *console_create(const struct console_setup *setup);
/** Gives the keyboard to a person and prints what waits for them. On a terminal it first waits for
 * Enter, and returns what console_listen() would; elsewhere CONSOLE_LINE. */
enum console_heard console_seat(struct chat *chat, unsigned person);
/** Waits for a line at most `ms` (-1: for ever). Answers invalid lines itself. `asked`: the prompt
 * says so. A half-typed line stays for the next call. */
enum console_heard console_listen(struct chat *chat, int64_t ms, bool asked);
/** Returns the person for whom the table waits; people_count: nobody. The person at the keyboard
 * goes first, so that it seldom changes hands. */
unsigned console_asked(const struct chat *chat);
/** Whether a person can only pass, among bot players. */
bool console_idle(const struct chat *chat, unsigned person);
/** Prints the new paragraphs above the seated person's prompt. */
void console_prompt(struct chat *chat);
/** Returns how long the messages to everybody take to read; 0: all are read. */
int64_t console_unread_ms(const struct chat *chat);
/** Says that they are read: tells the outcomes, so a window's time begins. */
void console_is_read(struct chat *chat);
/** Queues a line as if a person had typed it. */
void console_speak(struct chat *chat, unsigned person, const char *line);
/** Waits without listening, at most until a signal comes. Returns console_state(). */
enum console_heard console_pause(struct chat *chat, int64_t ms);
/** Returns CONSOLE_STOPPED or CONSOLE_BROKEN if the game must end, else CONSOLE_LINE. */
enum console_heard console_state(struct chat *chat);
/** Returns the milliseconds of a clock that nobody sets. */
int64_t console_now_ms(void);
/** Returns the signal behind CONSOLE_STOPPED. */
int console_signal(const struct chat *chat);
unsigned console_guest(const struct chat *chat);
bool console_in_is_terminal(const struct chat *chat);
bool console_out_is_terminal(const struct chat *chat);
/** Prints a text of the program's own. */
void console_print(struct chat *chat, const char *text);
void console_say(struct chat *chat, enum text_id id, const struct text_arg *args);

#endif
