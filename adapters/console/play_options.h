/*
 * The arguments of `munchbot play`, checked as far as that goes without card sets.
 *
 * Words that need the sets (--set, --house, --variant, --flag) are kept as they are and read by
 * play_options_table(). Every complaint is one line of the catalogue, ready for stderr.
 */
#ifndef ADAPTERS_CONSOLE_PLAY_OPTIONS_H
#define ADAPTERS_CONSOLE_PLAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat.h"
#include "bot/table/options.h"

enum { PLAY_COMPLAINT_SIZE = 512, PLAY_NAME_MAX = 24 };

/** Whether newcomers are guided: by default a person at a terminal is asked, once. */
enum play_guide { PLAY_GUIDE_ASK, PLAY_GUIDE_ON, PLAY_GUIDE_OFF };

struct play_options {
    const char *sets, *house, *variants, *preset, *flags; /**< as typed, or NULL */
    const char *level;                                    /**< NULL: the bot players' default */
    unsigned seats;
    unsigned people_count;
    char people[MB_SEATS_MAX][CHAT_ID_SIZE];
    bool female[MB_SEATS_MAX]; /**< "Ann/female" */
    bool watch;
    enum play_guide guide;
    bool seeded;
    uint8_t seed[32];
    const char *record; /**< file to write the game to, or NULL */
    const char *store;  /**< a URL, or NULL */
    bool resume;
    const char *own; /**< a folder with card sets of one's own, or NULL */
};

/** False with a complaint; `status` is then the exit status to give (enum in bot/cmd/cmd.h). */
bool play_options_read(struct play_options *options, int argc, char **argv,
                       char complaint[PLAY_COMPLAINT_SIZE], int *status);
/** Reads the words about sets and rules. */
bool play_options_table(const struct play_options *options, const struct catalog *catalog,
                        struct table_options *out, char complaint[PLAY_COMPLAINT_SIZE]);
/** The name of the n-th bot player that is none of the people's. */
const char *play_options_bot_name(const struct play_options *options, unsigned n);

#endif
