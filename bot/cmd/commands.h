/*
 * The rows of bot/cmd/commands.def: what can be typed behind "munchbot". Arguments are read, --help
 * is written (bot/cmd/arguments.h) and manual pages and completions are made (bot/cmd/manual.c)
 * from these alone.
 */
#ifndef BOT_CMD_COMMANDS_H
#define BOT_CMD_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ARGUMENTS_MANY = INT16_MAX };

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "bot/cmd/commands.def"
    COMMAND_TOTAL
};

enum option_id {
#define OPTION_NAME(id, ...) OPTION_##id,
#include "bot/cmd/commands.def"
    OPTION_TOTAL
};

enum {
    VERB_COUNT = 0
#define VERB(...) +1 // NOLINT(bugprone-macro-parentheses): a term of a sum
#include "bot/cmd/commands.def"
    ,
    OPTION_COUNT = 0
#define OPTION(...) +1 // NOLINT(bugprone-macro-parentheses)
#include "bot/cmd/commands.def"
};

struct command_row {
    const char *name, *help, *notes;
};

struct verb_row {
    enum command_id command;
    const char *word, *operands;
    int least, most;
    const char *help;
};

struct option_row {
    enum command_id command;
    enum option_id id;
    const char *verbs, *value, *help;
};

extern const char *const OPTION_NAMES[OPTION_TOTAL];
extern const struct command_row COMMANDS[COMMAND_TOTAL];
extern const struct verb_row COMMAND_VERBS[VERB_COUNT];
extern const struct option_row COMMAND_OPTIONS[OPTION_COUNT];

/** The command of that name; COMMAND_TOTAL: there is none. */
enum command_id command_id_of(const char *name);
const char *command_id_name(enum command_id id);
bool command_has_verbs(enum command_id id);
/** How it is typed; `verb`: NULL where it has none. */
void command_usage(enum command_id id, const struct verb_row *verb, FILE *to);
/** An option as it is typed: "--set S[,S...]". */
void option_word(const struct option_row *option, char *out, size_t size);
/** What it means: its help, with all that it can list. */
void option_meaning(const struct option_row *option, char *out, size_t size);

#endif
