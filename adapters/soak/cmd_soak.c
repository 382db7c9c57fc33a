#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>

#include <getopt.h>
#include <jansson.h>
#include <math.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/table/options.h"

#include "adapters/soak/soak.h"

enum { TABLES_DEFAULT = 64, TABLES_MAX = 20000, LIST_SIZE = 256 };

struct arguments {
    struct soak_setup setup;
    const char *store;
    const char *own; // --sets-path, or NULL
    bool json;
};

static bool usage(const char *complaint, const char *word)
{
    (void)fprintf(stderr, "munchbot soak: %s%s; see \"munchbot soak --help\"\n", complaint, word);
    return false;
}

static bool read_number(const char *word, double most, double *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtod(word, &end);
    return errno == 0 && end != word && *end == '\0' && *out > 0 && *out <= most
               ? true
               : usage("not a valid number: ", word);
}

static bool read_policies(const char *words, struct soak_setup *setup)
{
    char copy[LIST_SIZE];
    char *rest = NULL;
    setup->policy_count = 0;
    if (snprintf(copy, sizeof copy, "%s", words) >= (int)sizeof copy) {
        return usage("too many policies: ", words);
    }
    for (char *word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        struct mb_error err = {0};
        const struct policy *const policy = policy_find(word, &err);
        if (policy == NULL || setup->policy_count == SOAK_POLICIES_MAX) {
            return usage(policy == NULL ? err.text : "too many policies: ", "");
        }
        setup->policies[setup->policy_count++] = policy;
    }
    return setup->policy_count > 0 || usage("--policy names no policy", "");
}

static bool read_option(int option, const char *word, struct arguments *out)
{
    double number = 0;
    switch (option) {
    case 's':
        out->store = word;
        return true;
    case 't':
        if (!read_number(word, TABLES_MAX, &number)) {
            return false;
        }
        out->setup.tables = (unsigned)number;
        return true;
    case 'g':
        if (!read_number(word, UINT32_MAX, &number)) {
            return false;
        }
        out->setup.games = (unsigned long)number;
        return true;
    case 'r':
        return read_number(word, 1e9, &out->setup.rate);
    case 'T':
        return read_number(word, 1e9, &out->setup.seconds);
    case 'x':
        if (!read_number(word, 9007199254740992.0, &number)) {
            return false;
        }
        out->setup.seed = (uint64_t)number;
        return true;
    case 'p':
        return read_policies(word, &out->setup);
    case 'S':
        return read_number(word, 1000, &out->setup.speed);
    case 'n':
        if (!read_number(word, UINT32_MAX, &number)) {
            return false;
        }
        out->setup.first = (unsigned long)number;
        return true;
    case 'v':
        out->setup.verify = true;
        return true;
    case 'c':
        out->setup.sets = word;
        return true;
    case 'o':
        out->own = word;
        return true;
    case 'f':
        out->setup.platform = word;
        return true;
    case 'j':
        out->json = true;
        return true;
    default:
        return usage("unknown option, or a value is missing", "");
    }
}

static bool read_arguments(int argc, char **argv, struct arguments *out)
{
    static const struct option OPTIONS[] = {{"store", required_argument, NULL, 's'},
                                            {"tables", required_argument, NULL, 't'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"seconds", required_argument, NULL, 'T'},
                                            {"games", required_argument, NULL, 'g'},
                                            {"seed", required_argument, NULL, 'x'},
                                            {"policy", required_argument, NULL, 'p'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"set", required_argument, NULL, 'c'},
                                            {"sets-path", required_argument, NULL, 'o'},
                                            {"platform", required_argument, NULL, 'f'},
                                            {"speed", required_argument, NULL, 'S'},
                                            {"first", required_argument, NULL, 'n'},
                                            {"verify", no_argument, NULL, 'v'},
                                            {NULL, 0, NULL, 0}};
    *out = (struct arguments){.setup = {.sets = "classic",
                                        .tables = TABLES_DEFAULT,
                                        .seed = 1,
                                        .policies = {policy_default()},
                                        .policy_count = 1}};
    opterr = 0;
    optind = 1;
    for (int option = getopt_long(argc, argv, "", OPTIONS, NULL); option != -1;
         option = getopt_long(argc, argv, "", OPTIONS, NULL)) {
        if (!read_option(option, optarg, out)) {
            return false;
        }
    }
    if (optind < argc) {
        return usage("unknown argument ", argv[optind]);
    }
    if (out->store == NULL) {
        return usage("name a store with --store sqlite:PATH", "");
    }
    if (out->setup.games > 0 && out->setup.games < out->setup.tables) {
        out->setup.tables = (unsigned)out->setup.games;
    }
    return out->setup.games > 0 || out->setup.seconds > 0 || usage("set --games or --seconds", "");
}

static long resident_kib(void)
{
    struct rusage usage_now;
    return getrusage(RUSAGE_SELF, &usage_now) == 0 ? usage_now.ru_maxrss : 0;
}

static double rounded(double value)
{
    const double parts = 1000;
    return round(value * parts) / parts;
}

static void print_json(const struct arguments *arguments, const struct soak_report *report)
{
    json_t *const games = json_object();
    for (size_t i = 0; i < report->game_count; i++) {
        const struct soak_game *const game = &report->games[i];
        char number[24];
        (void)snprintf(number, sizeof number, "%lu", game->number);
        (void)json_object_set_new(games, number,
                                  json_pack("{s:s, s:i, s:I, s:s}", "winner", game->winner,
                                            "rounds", (int)game->rounds, "commands",
                                            (json_int_t)game->commands, "digest", game->digest));
    }
    json_t *const all =
        json_pack("{s:i, s:I, s:I, s:I, s:I, s:f, s:I, s:f, s:f, s:I, s:I, s:f, s:o, "
                  "s:{s:I, s:I, s:I}}",
                  "tables", (int)arguments->setup.tables, "verified", (json_int_t)report->verified,
                  "conflicts", (json_int_t)report->conflicts, "repeated",
                  (json_int_t)report->repeated, "commands", (json_int_t)report->commands,
                  "commands_per_second", rounded((double)report->commands / report->seconds),
                  "commits", (json_int_t)report->commits, "p50_ms", rounded(report->p50_ms),
                  "p99_ms", rounded(report->p99_ms), "finished", (json_int_t)report->finished,
                  "resident_kib", (json_int_t)resident_kib(), "seconds", rounded(report->seconds),
                  "games", games, "messages", "confirmed", (json_int_t)report->confirmed, "doubled",
                  (json_int_t)report->doubled, "lost", (json_int_t)report->lost);
    char *const text = all != NULL ? json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    (void)puts(text != NULL ? text : "{}");
    free(text);
    json_decref(all);
}

static void print_words(const struct soak_report *report)
{
    (void)printf("%lu commands in %.1f s: %.0f/s; p50 %.1f ms, p99 %.1f ms; %lu commits\n"
                 "%lu games finished; %lu messages confirmed, %lu doubled, %lu lost; %ld KiB\n",
                 report->commands, report->seconds, (double)report->commands / report->seconds,
                 report->p50_ms, report->p99_ms, report->commits, report->finished,
                 report->confirmed, report->doubled, report->lost, resident_kib());
}

// Whether tables can be opened with the sets; else soak would say the same line for ever.
static bool sets_fit(const struct arguments *arguments, const struct catalog *catalog,
                     struct mb_error *err)
{
    struct table_options options;
    struct box box;
    table_options_init(&options);
    return strchr(arguments->setup.sets, ' ') == NULL
               ? table_options_sets(&options, catalog, arguments->setup.sets, err) &&
                     table_options_box(&options, catalog, &box, err)
               : mb_fail(err, MB_ERR_INPUT, "expected sets with commas and no spaces, found \"%s\"",
                         arguments->setup.sets);
}

static int play(struct arguments *arguments, const struct cmd_stores *stores, struct mb_error *err)
{
    struct soak_report report;
    struct catalog *const catalog = cards_load(arguments->own, err);
    const bool fits = catalog != NULL && sets_fit(arguments, catalog, err);
    struct store *const store = fits ? stores->open(arguments->store, err) : NULL;
    if (store == NULL) {
        catalog_destroy(catalog);
        return CMD_FAILED;
    }
    arguments->setup.catalog = catalog;
    arguments->setup.store = store;
    const bool good = soak_run(&arguments->setup, &report, err);
    if (good && arguments->json) {
        print_json(arguments, &report);
    } else if (good) {
        print_words(&report);
    }
    soak_finish(&report);
    store_destroy(store);
    catalog_destroy(catalog);
    return good ? CMD_DONE : CMD_FAILED;
}

int cmd_soak(int argc, char **argv, const struct cmd_stores *stores)
{
    struct arguments arguments;
    struct mb_error err = {0};
    if (!read_arguments(argc, argv, &arguments)) {
        return CMD_WRONG_USAGE;
    }
    const int status = play(&arguments, stores, &err);
    if (status == CMD_FAILED) {
        (void)fprintf(stderr, "munchbot soak: %s\n", err.text);
    }
    return status;
}
