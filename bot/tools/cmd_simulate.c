/*
 * `munchbot simulate`: whole games without chat.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/table/options.h"
#include "bot/tools/simulate.h"

enum { LIST_SIZE = 256 };

static bool read_policies(const struct arguments *arguments, struct simulate_setup *setup)
{
    const char *const words =
        arguments->value[OPTION_POLICY] != NULL ? arguments->value[OPTION_POLICY] : "random";
    char list[LIST_SIZE];
    unsigned count = 0;
    struct mb_error err = {0};
    (void)snprintf(list, sizeof list, "%s", words);
    char *rest = NULL;
    for (char *word = strtok_r(list, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        const struct policy *const policy = policy_find(word, &err);
        if (policy == NULL) {
            return arguments_wrong(arguments, OPTION_POLICY, err.text);
        }
        if (count < setup->players) {
            setup->policies[count] = policy;
        }
        count++;
    }
    if (count != 1 && count != setup->players) {
        return arguments_wrong(arguments, OPTION_POLICY,
                               "name one policy for all seats, or one per seat");
    }
    for (unsigned i = count; i < setup->players; i++) {
        setup->policies[i] = setup->policies[0];
    }
    return true;
}

static bool read_setup(const struct arguments *arguments, struct simulate_setup *setup)
{
    const char *const check = arguments->value[OPTION_CHECK];
    uint64_t players = 0;
    uint64_t games = 0;
    setup->seed = 1;
    if (arguments->value[OPTION_SET] == NULL || arguments->value[OPTION_PLAYERS] == NULL ||
        arguments->value[OPTION_GAMES] == NULL) {
        return arguments_lack(arguments, "--set, --players and --games");
    }
    if (!arguments_number(arguments, OPTION_PLAYERS, MB_SEATS_MIN, MB_SEATS_MAX, &players) ||
        !arguments_number(arguments, OPTION_GAMES, 1, 100000000, &games) ||
        !arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, &setup->seed)) {
        return false;
    }
    setup->players = (unsigned)players;
    setup->games = (unsigned long)games;
    if (check != NULL && check[0] != '\0' && strcmp(check, "sample") != 0) {
        return arguments_wrong(arguments, OPTION_CHECK, "only \"sample\" may stand there");
    }
    if (check != NULL) {
        setup->check = check[0] == '\0' ? SIMULATE_CHECK_ALL : SIMULATE_CHECK_SAMPLE;
    }
    return read_policies(arguments, setup);
}

static bool read_table(const struct arguments *arguments, const struct catalog *catalog,
                       struct box *box, struct mb_error *err)
{
    struct table_options options;
    enum option_id option;
    table_options_init(&options);
    return arguments_table(arguments, catalog, &options, &option, err) &&
           table_options_box(&options, catalog, box, err);
}

static int finish(const struct simulate_result *result)
{
    if (result->violations > 0 || result->finished < result->games) {
        (void)fprintf(stderr, "munchbot simulate: %lu violations; see above for the seeds\n",
                      result->violations);
        return CMD_FAILED;
    }
    return CMD_DONE;
}

// Plays and prints; the balance is counted if it is asked for.
static void play(const struct arguments *arguments, struct simulate_setup *setup,
                 struct simulate_result *result)
{
    struct balance balance = {0};
    if (arguments->value[OPTION_REPORT] != NULL) {
        balance_init(&balance, setup->box, setup->players, setup->games);
        setup->balance = &balance;
    }
    simulate_run(setup, result);
    simulate_print(setup, result, arguments->value[OPTION_JSON] != NULL, stdout);
    balance_finish(&balance);
    setup->balance = NULL;
}

int cmd_simulate(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct simulate_setup setup = {.complaints = stderr};
    struct mb_error err = {0};
    struct box box;
    struct simulate_result result;
    (void)stores;
    if (!read_setup(arguments, &setup)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    struct catalog *const catalog = cards_load(arguments->value[OPTION_SETS_PATH], &err);
    setup.catalog = catalog;
    setup.box = &box;
    const bool done = catalog != NULL && read_table(arguments, catalog, &box, &err);
    if (done) {
        play(arguments, &setup, &result);
    }
    catalog_destroy(catalog);
    if (!done) {
        (void)fprintf(stderr, "munchbot simulate: %s\n", err.text);
        return err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED;
    }
    return finish(&result);
}
