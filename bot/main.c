/*
 * The program: finds the subcommand in one table and calls it. Everything else is elsewhere.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "core/codec/memory.h"
#include "core/codec/suggest.h"

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/service/config.h"
#include "adapters/store/sqlite/sqlite_store.h"
#include "adapters/store/store_url.h"

static struct store *open_store(const char *url, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    if (url != NULL) {
        return store_url_open(url, err);
    }
    return store_url_default(own, err) ? store_url_open(own, err) : NULL;
}

// Named, else the environment's, the service's if that is there or is to be restored there, or
// one's own.
static const char *choose_store(const char *url, char own[STORE_URL_SIZE], struct mb_error *err)
{
    static const char SCHEME[] = "sqlite:";
    const char *const named = url != NULL ? url : getenv("MUNCHBOT_STORE");
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    if (access(&CONFIG_STORE[sizeof SCHEME - 1], F_OK) == 0 || access(CONFIG_FOLDER, W_OK) == 0) {
        return CONFIG_STORE;
    }
    return store_url_default(own, err) ? own : NULL;
}

static struct store *find_store(const char *url, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL ? store_url_find(chosen, err) : NULL;
}

static bool backup_store(const char *url, const char *file, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL && store_url_backup(chosen, file, err);
}

static bool restore_store(const char *url, const char *file, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL && store_url_restore(chosen, file, err);
}

static const struct cmd_stores STORES = {.open = open_store,
                                         .find = find_store,
                                         .backup = backup_store,
                                         .restore = restore_store,
                                         .memory = sqlite_memory_create};

static cmd_fn *const RUN[COMMAND_TOTAL] = {
    [COMMAND_PLAY] = cmd_play,         [COMMAND_RUN] = cmd_run,
    [COMMAND_CHECK] = cmd_check,       [COMMAND_CARDS] = cmd_cards,
    [COMMAND_SCENARIO] = cmd_scenario, [COMMAND_SIMULATE] = cmd_simulate,
    [COMMAND_SOAK] = cmd_soak,         [COMMAND_TABLE] = cmd_table,
    [COMMAND_USER] = cmd_user,         [COMMAND_STORE] = cmd_store,
    [COMMAND_MATRIX] = cmd_matrix,     [COMMAND_DISCORD] = cmd_discord,
    [COMMAND_COMMANDS] = cmd_commands,
};

static int turn_down(const char *name)
{
    const char *nearest = command_id_name(COMMAND_PLAY);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        const char *const other = command_id_name((enum command_id)id);
        if (suggest_distance(name, other) < suggest_distance(name, nearest)) {
            nearest = other;
        }
    }
    (void)fprintf(stderr, "munchbot: there is no command \"%s\"; did you mean \"%s\"?\n", name,
                  nearest);
    return CMD_WRONG_USAGE;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    char complaint[ARGUMENTS_COMPLAINT_SIZE];
    struct arguments arguments;
    mb_json_memory();
    if (argc < 2) {
        arguments_overview(stderr);
        return CMD_WRONG_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("munchbot " MB_VERSION);
        return CMD_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        arguments_overview(stdout);
        return CMD_DONE;
    }
    const enum command_id command = command_id_of(argv[1]);
    if (command == COMMAND_TOTAL) {
        return turn_down(argv[1]);
    }
    if (wants_help(argc - 1, argv + 1)) {
        arguments_help(command, stdout);
        return CMD_DONE;
    }
    if (!arguments_read(command, argc - 1, argv + 1, complaint, &arguments)) {
        (void)fprintf(stderr, "%s\n", complaint);
        return CMD_WRONG_USAGE;
    }
    return RUN[command](&arguments, &STORES);
}
