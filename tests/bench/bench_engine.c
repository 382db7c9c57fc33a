/*
 * What needs no hall: loading all card sets; decisions a second with the moves of all seats listed,
 * beside copies of 16 KiB of the same run; and how long bot players of each level think. Processor
 * time of the thread, whole games of four.
 *
 * Ends with status 1 if a bound does not hold.
 * usage, in the repository's root: bench_engine [SETS [PLAYERS [GAMES]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/table/options.h"
#include "bot/tools/simulate.h"

#include "tests/bench/rows.h"

enum { BLOCK = 16384, COPIES = 200000, LOADS = 20, MS = 1000, US = 1000000 };

/* Card sets. */

static bool measure_load(void)
{
    double best = 1;
    for (unsigned i = 0; i < LOADS; i++) {
        const double start = row_thread_s();
        struct catalog *const catalog = catalog_load("cards", NULL);
        const double s = row_thread_s() - start;
        catalog_destroy(catalog);
        best = s < best ? s : best;
    }
    return row_at_most("all card sets loaded", best * MS, "ms", 40);
}

/* Decisions. */

static double copies_per_second(void)
{
    static unsigned char from[BLOCK];
    static unsigned char to[BLOCK];
    unsigned sum = 0;
    const double start = row_thread_s();
    for (unsigned i = 0; i < COPIES; i++) {
        from[i % BLOCK]++;
        memcpy(to, from, sizeof to);
        sum += to[(i * 7) % BLOCK]; // so that no copy can be left out
    }
    const double seconds = row_thread_s() - start;
    return sum == 0 ? 0 : COPIES / seconds;
}

static void measure_decisions(struct simulate_setup *setup)
{
    struct simulate_result result;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        setup->policies[i] = &POLICY_RANDOM;
    }
    const double before = copies_per_second();
    const double start = row_thread_s();
    simulate_run(setup, &result);
    const double decisions = (double)result.decisions / (row_thread_s() - start);
    const double copies = (before + copies_per_second()) / 2;
    row("engine: decisions with all moves listed", decisions, "/s");
    row("engine: moves listed a decision", (double)result.moves / (double)result.decisions, "");
    row("engine: a decision, in copies of 16 KiB", copies / decisions, "copies");
}

/* Bot players. A policy has no room for what watches it. */

static struct {
    const struct policy *level;
    unsigned long decisions;
    double total_s, longest_s;
} measured;

static bool choose(const struct policy_input *input, struct command *out)
{
    const double start = row_thread_s();
    const bool chosen = measured.level->choose(input, out);
    const double s = row_thread_s() - start;
    measured.decisions += chosen;
    measured.total_s += s;
    measured.longest_s = s > measured.longest_s ? s : measured.longest_s;
    return chosen;
}

static bool measure_level(struct simulate_setup *setup, const struct policy *level)
{
    static const struct policy WATCHED = {.name = "watched", .looks = true, .choose = choose};
    struct simulate_result result;
    char what[64];
    measured.level = level;
    measured.decisions = 0;
    measured.total_s = 0;
    measured.longest_s = 0;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        setup->policies[i] = &WATCHED;
    }
    simulate_run(setup, &result);
    (void)snprintf(what, sizeof what, "bot player (%s): a decision, on the average", level->name);
    const double mean_s = measured.total_s / (double)measured.decisions;
    const bool good = row_at_most(what, mean_s * US, "us", 500);
    (void)snprintf(what, sizeof what, "bot player (%s): the longest decision", level->name);
    return row_at_most(what, measured.longest_s * MS, "ms", 50) && good;
}

int main(int argc, char **argv)
{
    struct mb_error err = {0};
    struct table_options options;
    struct box box;
    struct catalog *const catalog = catalog_load("cards", NULL);
    table_options_init(&options);
    if (catalog == NULL ||
        !table_options_sets(&options, catalog, argc > 1 ? argv[1] : "classic", &err) ||
        !table_options_box(&options, catalog, &box, &err)) {
        (void)fprintf(stderr, "bench_engine: %s\n", catalog != NULL ? err.text : "no cards/");
        return 1;
    }
    struct simulate_setup setup = {.catalog = catalog,
                                   .box = &box,
                                   .players = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 4,
                                   .games = argc > 3 ? strtoul(argv[3], NULL, 10) : 50,
                                   .seed = 1,
                                   .complaints = stderr};
    static const struct policy *const LEVELS[] = {&POLICY_RANDOM, &POLICY_ROOKIE, &POLICY_REGULAR,
                                                  &POLICY_RUTHLESS};
    bool good = measure_load();
    measure_decisions(&setup);
    for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++) {
        good = measure_level(&setup, LEVELS[i]) && good;
    }
    catalog_destroy(catalog);
    return good ? 0 : 1;
}
