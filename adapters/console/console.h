/*
 * The terminal as a chat: lines typed go into the queue, what the table says is printed.
 *
 * One person at a time sits at the keyboard (console_seat); lines are theirs unless they begin with
 * the name of another person of this keyboard and a colon. That name and colon alone ask for the
 * keyboard (CONSOLE_GUEST). Private messages are printed only to who sits there; for the others of
 * the keyboard they are kept until it is their turn, for anybody else dropped.
 *
 * At a terminal lines are edited (adapters/console/editor.h), time goes on while somebody types,
 * and a window's last seconds count down in the prompt. When the keyboard changes hands the screen
 * is wiped, and who comes finds again what they were told in this turn and the one before.
 * Elsewhere lines are read as they come and echoed behind the prompt, so that a transcript reads
 * well.
 *
 * Paced (bot/chat.h): cards say who is asked, hands what stands above the prompt: paragraphs, of
 * which those that are new are printed when their owner is asked. On a screen that people read, the
 * outcome of what was told to everybody comes when it has been read (console_is_read).
 *
 * Signals are held back and looked at while waiting. SIGINT at a terminal asks first; what ends the
 * game is CONSOLE_STOPPED. A reader of the output that goes away is CONSOLE_BROKEN. Knows no rules.
 */
#ifndef ADAPTERS_CONSOLE_CONSOLE_H
#define ADAPTERS_CONSOLE_CONSOLE_H

#include <stdint.h>

#include "bot/chat_queue.h"
#include "bot/text/text.h"

enum console_heard {
    CONSOLE_LINE,   /**< a line is in the queue, or none was said */
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
    const char *place;         /**< of the chat_in made; borrowed */
    const char *const *people; /**< who shares the keyboard; borrowed */
    unsigned people_count;
    bool resumed; /**< nobody has just been told their hand */
    struct chat_queue *queue;
};

struct chat *console_create(const struct console_setup *setup);
/** Gives the keyboard to one of the people, with what was kept for them. On a terminal it waits for
 * Enter before; then what console_listen() would report, else CONSOLE_LINE. */
enum console_heard console_seat(struct chat *chat, unsigned person);
/** Waits for a line at most `ms` (-1: for ever). Lines that are none are answered here. `asked`:
 * a prompt says so. What is being typed when the time is up stays for the next time. */
enum console_heard console_listen(struct chat *chat, int64_t ms, bool asked);
/** Who of the people is waited for: whoever has the keyboard goes first, for it changes hands as
 * seldom as may be. people_count: nobody. */
unsigned console_asked(const struct chat *chat);
/** Whether a person is asked without a choice, among bot players. */
bool console_idle(const struct chat *chat, unsigned person);
/** Prints what is new of what stands above the prompt of who sits there. */
void console_prompt(struct chat *chat);
/** How long what was told to everybody takes to read; 0: all is read. */
int64_t console_unread_ms(const struct chat *chat);
/** It is read: outcomes are told, and a window's time begins. */
void console_is_read(struct chat *chat);
/** As if a person had typed that. */
void console_speak(struct chat *chat, unsigned person, const char *line);
/** Waits without listening; ends early when a signal comes. As console_state(). */
enum console_heard console_pause(struct chat *chat, int64_t ms);
/** Whether something has happened that ends the game: CONSOLE_STOPPED, CONSOLE_BROKEN, or
 * CONSOLE_LINE for no. */
enum console_heard console_state(struct chat *chat);
/** The signal of CONSOLE_STOPPED. */
int console_signal(const struct chat *chat);
unsigned console_guest(const struct chat *chat);
bool console_in_is_terminal(const struct chat *chat);
bool console_out_is_terminal(const struct chat *chat);
/** Prints a text of the program's own. */
void console_print(struct chat *chat, const char *text);
void console_say(struct chat *chat, enum text_id id, const struct text_arg *args);

#endif
