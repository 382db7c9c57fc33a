/*
 * What was typed behind "munchbot", read by the rows of bot/cmd/commands.def; and --help of it.
 *
 * "--name VALUE" and "--name=VALUE" are the same; behind "--" nothing is an option. A command with
 * verbs takes the first word that is no option for one. What is wrong is one line of the catalogue
 * for stderr.
 */
#ifndef BOT_CMD_ARGUMENTS_H
#define BOT_CMD_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bot/cmd/commands.h"
#include "bot/policy/policy.h"
#include "bot/table/options.h"

enum { ARGUMENTS_COMPLAINT_SIZE = 512 };

struct arguments {
    enum command_id command;
    const char *name;                /**< of the command */
    const char *verb;                /**< "" where the command has none */
    const char *value[OPTION_TOTAL]; /**< NULL: not given; "" where it takes none */
    char **operands;                 /**< behind the verb; borrowed from argv */
    int count;
    char *complaint; /**< ARGUMENTS_COMPLAINT_SIZE bytes, the caller's */
};

/** All commands, a line each. */
void arguments_overview(FILE *to);
/** --help of a command. */
void arguments_help(enum command_id id, FILE *to);

/** Reads argv[1] and on: argv[0] is the command. argv is reordered. False with a complaint. */
bool arguments_read(enum command_id id, int argc, char **argv,
                    char complaint[ARGUMENTS_COMPLAINT_SIZE], struct arguments *out);
/** A whole number from `least` to `most`, `*out` as it was if none was given; false with a
 * complaint. */
bool arguments_number(const struct arguments *arguments, enum option_id option, uint64_t least,
                      uint64_t most, uint64_t *out);
/** A number above 0 and up to `most`, with a fraction if need be. */
bool arguments_real(const struct arguments *arguments, enum option_id option, double most,
                    double *out);
/** The policies that --policy names (`otherwise` if it is not given), of which `room` fit into
 * `out`, and how many it names. False with a complaint: there is none of a name. */
bool arguments_policies(const struct arguments *arguments, const char *otherwise,
                        const struct policy **out, unsigned room, unsigned *count);
/** Two options that do not go together, if both are given: false with a complaint. */
bool arguments_not_both(const struct arguments *arguments, enum option_id one,
                        enum option_id other);
/** What --set, --house, --variant, --preset and --flag say; false with an error, about `option`. */
bool arguments_table(const struct arguments *arguments, const struct catalog *catalog,
                     struct table_options *out, enum option_id *option, struct mb_error *err);
/** Complains that these must be given; returns false. */
bool arguments_lack(const struct arguments *arguments, const char *options);
/** Complains about an option's value; returns false. */
bool arguments_wrong(const struct arguments *arguments, enum option_id option, const char *reason);

#endif
