/*
 * The arguments of `munchbot play`, checked as far as possible without card sets.
 *
 * play_options_table() reads the words that need the sets (--set, --house, --variant, --flag).
 * Every complaint is one line of the catalogue, ready for stderr.
 */
#ifndef ADAPTERS_CONSOLE_PLAY_OPTIONS_H
#define ADAPTERS_CONSOLE_PLAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat.h"
#include "bot/cmd/arguments.h"
#include "bot/table/options.h"

enum { PLAY_NAME_MAX = 24 };

/** Whether to guide newcomers: by default a person at a terminal is asked once. */
enum play_guide { PLAY_GUIDE_ASK, PLAY_GUIDE_ON, PLAY_GUIDE_OFF };

struct play_options {
    const struct arguments *arguments;
    unsigned seats;
    unsigned people_count;
    char people[MB_SEATS_MAX][CHAT_ID_SIZE];
    bool female[MB_SEATS_MAX]; /**< "Ann/female" */
    bool watch;
    enum play_guide guide;
    bool seeded;
    uint8_t seed[32];
    const char *record; /**< file to write the game to, or NULL */
    bool resume;
};

/** False with a complaint in the arguments. */
bool play_options_read(struct play_options *options, const struct arguments *arguments);
/** Reads the words about sets and rules. */
bool play_options_table(const struct play_options *options, const struct catalog *catalog,
                        struct table_options *out);
/** Returns the n-th bot player's name, leaving out the people's names. */
const char *play_options_bot_name(const struct play_options *options, unsigned n);

#endif
