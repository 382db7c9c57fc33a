/*
 * The program's subcommands, one function each, with what was typed (bot/cmd/arguments.h). They
 * return the process's exit status.
 *
 * A command writes its result to stdout and its complaints to stderr, one clear line that says what
 * and what to do. cmd_play lives in adapters/console/; cmd_run, cmd_check, cmd_commands,
 * cmd_discord and cmd_matrix in adapters/service/; the others in bot/.
 */
#ifndef BOT_CMD_CMD_H
#define BOT_CMD_CMD_H

#include <stdbool.h>

enum {
    CMD_DONE = 0,
    CMD_FAILED = 1,     /**< one line on stderr said why */
    CMD_WRONG_USAGE = 2 /**< likewise: the arguments make no sense */
};

struct arguments;
struct mb_error;
struct store;

/** Where games are kept. */
struct cmd_stores {
    /** Started; of a URL, or NULL: its own. NULL with an error. */
    struct store *(*open)(const char *url, struct mb_error *err);
    /** Started, and there already; of a URL, or NULL: the environment's, the service's, or one's
     * own. NULL with an error. */
    struct store *(*find)(const char *url, struct mb_error *err);
    /** A copy of the store that find() finds, in a file that is not there yet; it may be served
     * meanwhile. False with an error. */
    bool (*backup)(const char *url, const char *file, struct mb_error *err);
    /** The store of a URL (NULL: as for find()), of which there is nothing yet, from such a copy;
     * `file` NULL: from a backup of other tools, which have put it there. */
    bool (*restore)(const char *url, const char *file, struct mb_error *err);
    /** For a game that nobody keeps, not started. */
    struct store *(*memory)(void);
};

typedef int cmd_fn(const struct arguments *arguments, const struct cmd_stores *stores);

cmd_fn cmd_cards;
cmd_fn cmd_check;
cmd_fn cmd_commands;
cmd_fn cmd_discord;
cmd_fn cmd_matrix;
cmd_fn cmd_play;
cmd_fn cmd_run;
cmd_fn cmd_scenario;
cmd_fn cmd_simulate;
cmd_fn cmd_soak;
cmd_fn cmd_store;
cmd_fn cmd_table;
cmd_fn cmd_user;

#endif
