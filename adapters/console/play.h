/*
 * A game at the terminal: who is asked when, and how time passes in the hall.
 *
 * A person who has to answer, or whose turn it is, is waited for without any clock. When standard
 * input is a terminal, win windows and answer moments run on the clock on the wall, and bot players
 * take the time that reading takes; people may speak and look meanwhile. When it is not, the game
 * is a function of seed and lines: bot players act at once, no window runs out while a person may
 * still speak, and each line is read when, and only when, a person is waited for; so a person ends
 * a window with `pass` (or by acting in it). With --watch nobody is asked; on a terminal the bot
 * players take their time, elsewhere none.
 */
#ifndef ADAPTERS_CONSOLE_PLAY_H
#define ADAPTERS_CONSOLE_PLAY_H

#include "bot/chat_queue.h"
#include "bot/hall/hall.h"

struct play {
    struct hall *hall;
    struct chat *chat; /**< of console_create(), in the hall */
    struct chat_queue *queue;
    const char *place;
    bool resumed;                   /**< the table lies there already; else: */
    const struct deed_table *table; /**< who plays what */
    const uint8_t *chance;          /**< TABLE_CHANCE_SIZE bytes: all of the game's */
    const char *const *people;      /**< who is at the keyboard, as known to the console */
    unsigned people_count;
    bool guided;    /**< hints for newcomers, each once */
    bool ask_guide; /**< whether somebody who is here for the first time wants them is asked */
    bool kept;      /**< the store outlives the program */
    bool ask_again; /**< whether another game is wanted is asked, at a terminal */
    /** Told when the game has begun and whenever a turn has, may be NULL; false ends the game. */
    bool (*turn)(void *user);
    void *user;
    bool again;       /**< out: another game is wanted */
    bool interrupted; /**< out: nobody has left the game, and it is not over */
};

/** Opens the table, or shows it again, and plays to its end; returns the exit status. */
int play_run(struct play *play);

#endif
