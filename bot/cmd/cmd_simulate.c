/*
 * `munchbot simulate`: whole games without chat.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/simulate/simulate.h"
#include "bot/table/options.h"

enum { LIST_SIZE = 256 };

struct arguments {
    const char *sets, *house, *variants, *preset, *flags, *policies;
    const char *players, *games, *seed, *check, *own;
    bool json, report;
};

static bool usage(const char *complaint, const char *word)
{
    (void)fprintf(stderr, "munchbot simulate: %s%s; see \"munchbot simulate --help\"\n", complaint,
                  word);
    return false;
}

static const char **value_of(struct arguments *arguments, const char *name, size_t length)
{
    const struct {
        const char *name;
        const char **value;
    } options[] = {
        {"--set", &arguments->sets},         {"--house", &arguments->house},
        {"--variant", &arguments->variants}, {"--flag", &arguments->flags},
        {"--preset", &arguments->preset},    {"--policy", &arguments->policies},
        {"--players", &arguments->players},  {"--games", &arguments->games},
        {"--seed", &arguments->seed},        {"--sets-path", &arguments->own},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) {
            return options[i].value;
        }
    }
    return NULL;
}

static bool read_arguments(int argc, char **argv, struct arguments *out)
{
    for (int i = 1; i < argc; i++) {
        const char *const word = argv[i];
        const size_t length = strcspn(word, "=");
        const char **const value = value_of(out, word, length);
        if (strcmp(word, "--json") == 0) {
            out->json = true;
        } else if (strcmp(word, "--report") == 0) {
            out->report = true;
        } else if (strcmp(word, "--check") == 0) {
            out->check = "all";
        } else if (strcmp(word, "--check=sample") == 0) {
            out->check = "sample";
        } else if (value == NULL) {
            return usage("unknown option ", word);
        } else if (word[length] == '=') {
            *value = word + length + 1;
        } else if (i + 1 == argc) {
            return usage("a value is missing after ", word);
        } else {
            *value = argv[++i];
        }
    }
    if (out->sets == NULL || out->players == NULL || out->games == NULL) {
        return usage("set --set, --players and --games", "");
    }
    return true;
}

static bool read_number(const char *word, unsigned long long most, unsigned long long *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(word, &end, 10);
    return *word >= '0' && *word <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

static bool read_policies(const char *words, struct simulate_setup *setup)
{
    char list[LIST_SIZE];
    unsigned count = 0;
    struct mb_error err = {0};
    if (strlen(words) >= sizeof list) {
        return usage("the list of policies is too long: ", words);
    }
    memcpy(list, words, strlen(words) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(list, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        const struct policy *const policy = policy_find(word, &err);
        if (policy == NULL) {
            (void)fprintf(stderr, "munchbot simulate: %s\n", err.text);
            return false;
        }
        if (count < setup->players) {
            setup->policies[count] = policy;
        }
        count++;
    }
    if (count != 1 && count != setup->players) {
        return usage("--policy must name one policy for all seats, or one per seat, not ", words);
    }
    for (unsigned i = count; i < setup->players; i++) {
        setup->policies[i] = setup->policies[0];
    }
    return true;
}

static bool read_setup(const struct arguments *arguments, struct simulate_setup *setup)
{
    unsigned long long number = 0;
    if (!read_number(arguments->players, MB_SEATS_MAX, &number) || number < MB_SEATS_MIN) {
        return usage("--players must be 3 to 6, not ", arguments->players);
    }
    setup->players = (unsigned)number;
    if (!read_number(arguments->games, 100000000, &number) || number == 0) {
        return usage("--games must be a number from 1, not ", arguments->games);
    }
    setup->games = (unsigned long)number;
    number = 1;
    if (arguments->seed != NULL && !read_number(arguments->seed, UINT64_MAX, &number)) {
        return usage("--seed must be a decimal number of 64 bits, not ", arguments->seed);
    }
    setup->seed = number;
    if (arguments->check != NULL) {
        setup->check =
            strcmp(arguments->check, "all") == 0 ? SIMULATE_CHECK_ALL : SIMULATE_CHECK_SAMPLE;
    }
    return read_policies(arguments->policies != NULL ? arguments->policies : "random", setup);
}

static bool read_table(const struct arguments *arguments, const struct catalog *catalog,
                       struct box *box, struct mb_error *err)
{
    struct table_options options;
    table_options_init(&options);
    return table_options_sets(&options, catalog, arguments->sets, err) &&
           (arguments->house == NULL || table_options_house(&options, arguments->house, err)) &&
           (arguments->variants == NULL ||
            table_options_variants(&options, arguments->variants, err)) &&
           (arguments->preset == NULL || table_options_preset(&options, arguments->preset, err)) &&
           (arguments->flags == NULL || table_options_flags(&options, arguments->flags, err)) &&
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
    if (arguments->report) {
        balance_init(&balance, setup->box, setup->players, setup->games);
        setup->balance = &balance;
    }
    simulate_run(setup, result);
    simulate_print(setup, result, arguments->json, stdout);
    balance_finish(&balance);
    setup->balance = NULL;
}

int cmd_simulate(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct simulate_setup setup = {.complaints = stderr};
    if (!read_arguments(argc, argv, &arguments) || !read_setup(&arguments, &setup)) {
        return CMD_WRONG_USAGE;
    }
    struct mb_error err = {0};
    struct catalog *const catalog = cards_load(arguments.own, &err);
    struct box box;
    struct simulate_result result;
    setup.catalog = catalog;
    setup.box = &box;
    const bool done = catalog != NULL && read_table(&arguments, catalog, &box, &err);
    if (done) {
        play(&arguments, &setup, &result);
    }
    catalog_destroy(catalog);
    if (!done) {
        (void)fprintf(stderr, "munchbot simulate: %s\n", err.text);
        return err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED;
    }
    return finish(&result);
}
