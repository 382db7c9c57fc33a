/*
 * The program's subcommands, one function each: `munchbot play --watch` calls cmd_play with
 * argv[0] = "play". `--help` never reaches them. They return the process's exit status.
 *
 * A command writes its result to stdout and its complaints to stderr, one clear line that says what
 * and what to do. cmd_play lives in adapters/console/, cmd_soak in adapters/soak/, cmd_run,
 * cmd_check, cmd_discord and cmd_matrix in adapters/service/, cmd_commands in adapters/discord/,
 * the others in bot/.
 */
#ifndef BOT_CMD_CMD_H
#define BOT_CMD_CMD_H

#include <stdbool.h>

enum {
    CMD_DONE = 0,
    CMD_FAILED = 1,     /**< one line on stderr said why */
    CMD_WRONG_USAGE = 2 /**< likewise: the arguments make no sense */
};

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
    /** The store of a URL (NULL: as for find()), of which there is nothing yet, from such a copy.
     */
    bool (*restore)(const char *url, const char *file, struct mb_error *err);
    /** For a game that nobody keeps, not started; NULL without memory. */
    struct store *(*memory)(void);
};

int cmd_cards(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_commands(int argc, char **argv);
int cmd_discord(int argc, char **argv);
int cmd_matrix(int argc, char **argv);
int cmd_play(int argc, char **argv, const struct cmd_stores *stores);
int cmd_run(int argc, char **argv);
int cmd_scenario(int argc, char **argv, const struct cmd_stores *stores);
int cmd_simulate(int argc, char **argv);
int cmd_soak(int argc, char **argv, const struct cmd_stores *stores);

int cmd_store(int argc, char **argv, const struct cmd_stores *stores);
int cmd_user(int argc, char **argv, const struct cmd_stores *stores);
int cmd_table(int argc, char **argv, const struct cmd_stores *stores);

#endif
