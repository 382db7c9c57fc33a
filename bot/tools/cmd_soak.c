#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>

#include <jansson.h>

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/table/options.h"
#include "bot/tools/soak.h"

enum { TABLES_DEFAULT = 64, TABLES_MAX = 20000, LIST_SIZE = 256 };

static bool read_policies(const struct arguments *arguments, struct soak_setup *setup)
{
    char copy[LIST_SIZE];
    char *rest = NULL;
    setup->policies[0] = policy_default();
    setup->policy_count = 1;
    if (arguments->value[OPTION_POLICY] == NULL) {
        return true;
    }
    setup->policy_count = 0;
    (void)snprintf(copy, sizeof copy, "%s", arguments->value[OPTION_POLICY]);
    for (char *word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        struct mb_error err = {0};
        const struct policy *const policy = policy_find(word, &err);
        if (policy == NULL || setup->policy_count == SOAK_POLICIES_MAX) {
            return arguments_wrong(arguments, OPTION_POLICY,
                                   policy == NULL ? err.text : "these are too many");
        }
        setup->policies[setup->policy_count++] = policy;
    }
    return setup->policy_count > 0 || arguments_wrong(arguments, OPTION_POLICY, "name one");
}

static bool read_setup(const struct arguments *arguments, struct soak_setup *setup)
{
    const char *const sets = arguments->value[OPTION_SET];
    uint64_t tables = TABLES_DEFAULT;
    uint64_t games = 0;
    uint64_t first = 0;
    *setup = (struct soak_setup){.sets = sets != NULL ? sets : "classic",
                                 .seed = 1,
                                 .verify = arguments->value[OPTION_VERIFY] != NULL,
                                 .platform = arguments->value[OPTION_PLATFORM]};
    if (!arguments_number(arguments, OPTION_TABLES, 1, TABLES_MAX, &tables) ||
        !arguments_number(arguments, OPTION_GAMES, 1, UINT32_MAX, &games) ||
        !arguments_number(arguments, OPTION_FIRST, 1, UINT32_MAX, &first) ||
        !arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, &setup->seed) ||
        !arguments_real(arguments, OPTION_RATE, 1e9, &setup->rate) ||
        !arguments_real(arguments, OPTION_SECONDS, 1e9, &setup->seconds) ||
        !arguments_real(arguments, OPTION_SPEED, 1000, &setup->speed) ||
        !read_policies(arguments, setup)) {
        return false;
    }
    if (arguments->value[OPTION_STORE] == NULL) {
        return arguments_lack(arguments, "--store");
    }
    if (games == 0 && !(setup->seconds > 0)) {
        return arguments_lack(arguments, "--games or --seconds");
    }
    setup->tables = (unsigned)(games > 0 && games < tables ? games : tables);
    setup->games = (unsigned long)games;
    setup->first = (unsigned long)first;
    return true;
}

static long resident_kib(void)
{
    struct rusage usage_now;
    return getrusage(RUSAGE_SELF, &usage_now) == 0 ? usage_now.ru_maxrss : 0;
}

static double rounded(double value)
{
    const double parts = 1000;
    return (double)(int64_t)(value * parts + 0.5) / parts;
}

static void print_json(const struct soak_setup *setup, const struct soak_report *report)
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
                  "tables", (int)setup->tables, "verified", (json_int_t)report->verified,
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
static bool sets_fit(const char *sets, const struct catalog *catalog, struct mb_error *err)
{
    struct table_options options;
    struct box box;
    table_options_init(&options);
    return strchr(sets, ' ') == NULL
               ? table_options_sets(&options, catalog, sets, err) &&
                     table_options_box(&options, catalog, &box, err)
               : mb_fail(err, MB_ERR_INPUT, "expected sets with commas and no spaces, found \"%s\"",
                         sets);
}

static bool play(const struct arguments *arguments, const struct cmd_stores *stores,
                 struct soak_setup *setup, struct mb_error *err)
{
    struct soak_report report;
    struct catalog *const catalog = cards_load(arguments->value[OPTION_SETS_PATH], err);
    const bool fits = catalog != NULL && sets_fit(setup->sets, catalog, err);
    struct store *const store = fits ? stores->open(arguments->value[OPTION_STORE], err) : NULL;
    if (store == NULL) {
        catalog_destroy(catalog);
        return false;
    }
    setup->catalog = catalog;
    setup->store = store;
    const bool good = soak_run(setup, &report, err);
    if (good && arguments->value[OPTION_JSON] != NULL) {
        print_json(setup, &report);
    } else if (good) {
        print_words(&report);
    }
    soak_finish(&report);
    store_destroy(store);
    catalog_destroy(catalog);
    return good;
}

int cmd_soak(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct soak_setup setup;
    struct mb_error err = {0};
    if (!read_setup(arguments, &setup)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    if (!play(arguments, stores, &setup, &err)) {
        (void)fprintf(stderr, "munchbot soak: %s\n", err.text);
        return CMD_FAILED;
    }
    return CMD_DONE;
}
