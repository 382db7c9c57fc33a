/*
 * How fast the core decides, against what the machine can copy: decisions a second with all moves
 * of all seats listed, beside copies of 16 KiB a second in the same run.
 *
 * usage, in the repository's root: bench_simulate [SETS [PLAYERS [GAMES]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bot/table/options.h"
#include "bot/tools/simulate.h"

enum { BLOCK = 16384, COPIES = 200000 };

static double now_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double copies_per_second(void)
{
    static unsigned char from[BLOCK];
    static unsigned char to[BLOCK];
    unsigned sum = 0;
    const double start = now_seconds();
    for (unsigned i = 0; i < COPIES; i++) {
        from[i % BLOCK]++;
        memcpy(to, from, sizeof to);
        sum += to[(i * 7) % BLOCK]; // so that no copy can be left out
    }
    const double seconds = now_seconds() - start;
    return sum == 0 ? 0 : COPIES / seconds;
}

int main(int argc, char **argv)
{
    struct mb_error err = {0};
    struct table_options options;
    struct box box;
    struct simulate_result result;
    struct catalog *const catalog = catalog_load("cards", NULL);
    table_options_init(&options);
    if (catalog == NULL ||
        !table_options_sets(&options, catalog, argc > 1 ? argv[1] : "classic", &err) ||
        !table_options_box(&options, catalog, &box, &err)) {
        (void)fprintf(stderr, "bench_simulate: %s\n", catalog != NULL ? err.text : "no cards/");
        return 1;
    }
    struct simulate_setup setup = {.catalog = catalog,
                                   .box = &box,
                                   .players = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 4,
                                   .games = argc > 3 ? strtoul(argv[3], NULL, 10) : 50,
                                   .seed = 1,
                                   .complaints = stderr};
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        setup.policies[i] = &POLICY_RANDOM;
    }
    const double before = copies_per_second();
    simulate_run(&setup, &result);
    const double copies = (before + copies_per_second()) / 2;
    const double decisions = (double)result.decisions / result.seconds;
    printf("%.0f decisions/s, %.1f moves listed a decision, %.0f copies of 16 KiB/s: "
           "one decision = %.1f copies\n",
           decisions, (double)result.moves / (double)result.decisions, copies, copies / decisions);
    catalog_destroy(catalog);
    return 0;
}
