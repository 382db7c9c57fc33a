/*
 * How long bot players think: mean, 99th per cent and longest decision of each level, in processor
 * time of the thread, over whole games of four of them. The bounds are half a millisecond on the
 * average and 50 ms at most, for the ruthless.
 *
 * usage, in the repository's root: bench_policy [SETS [PLAYERS [GAMES]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bot/table/options.h"
#include "bot/tools/simulate.h"

enum { BUCKETS = 4000, BUCKET_US = 5, PER_CENT = 100 };

// Of the level that is measured: a policy has no room for what watches it.
static struct {
    const struct policy *level;
    unsigned long calls, decisions;
    double total_us, longest_us;
    unsigned long buckets[BUCKETS + 1];
} measured;

static double now_us(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool choose(const struct policy_input *input, struct command *out)
{
    const double start = now_us();
    const bool chosen = measured.level->choose(input, out);
    const double us = now_us() - start;
    const double bucket = us / BUCKET_US;
    measured.calls++;
    measured.decisions += chosen;
    measured.total_us += us;
    measured.longest_us = us > measured.longest_us ? us : measured.longest_us;
    measured.buckets[bucket < BUCKETS ? (unsigned)bucket : BUCKETS]++;
    return chosen;
}

static double share_us(unsigned per_cent)
{
    unsigned long seen = 0;
    for (unsigned i = 0; i <= BUCKETS; i++) {
        seen += measured.buckets[i];
        if (seen * PER_CENT >= measured.calls * per_cent) {
            return (double)(i + 1) * BUCKET_US;
        }
    }
    return measured.longest_us;
}

static void measure(struct simulate_setup *setup, const struct policy *level)
{
    static const struct policy WATCHED = {.name = "watched", .looks = true, .choose = choose};
    struct simulate_result result;
    measured.level = level;
    measured.calls = 0;
    measured.decisions = 0;
    measured.total_us = 0;
    measured.longest_us = 0;
    for (unsigned i = 0; i <= BUCKETS; i++) {
        measured.buckets[i] = 0;
    }
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        setup->policies[i] = &WATCHED;
    }
    simulate_run(setup, &result);
    printf("%s: %lu times asked, %lu decisions; a decision takes %.1f us on the average "
           "(when asked: %.1f us), 99%% within %.0f us, the longest %.2f ms\n",
           level->name, measured.calls, measured.decisions,
           measured.total_us / (double)measured.decisions,
           measured.total_us / (double)measured.calls, share_us(PER_CENT - 1),
           measured.longest_us / 1e3);
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
        (void)fprintf(stderr, "bench_policy: %s\n", catalog != NULL ? err.text : "no cards/");
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
    for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++) {
        measure(&setup, LEVELS[i]);
    }
    catalog_destroy(catalog);
    return 0;
}
