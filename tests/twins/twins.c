// The program: plays pairs by number and says what ended them.
#include "tests/twins/twins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/codec/catalog.h"

#include "tests/twins/plant.h"

enum { SHARE_MIXED = 4, COMMANDS_MAX = 300 };

static const char USAGE[] =
    "usage: twins [--pairs N] [--first NUMBER] [--step N] [--commands N] [--sets S,...] [--talk]\n"
    "             [--plant NAME]\n"
    "Plays pairs of games that differ only in one seat's hidden cards; exit 0 if nobody else can\n"
    "tell them apart. Without --sets every fourth pair mixes all five sets, the others are "
    "classic.\n"
    "--plant spoils a secret on purpose and expects that it is noticed.\n";

static const char *const ENDS[TWINS_ENDS] = {
    [TWINS_GOES_ON] = "unfinished",
    [TWINS_OVER] = "game over",
    [TWINS_DRAWN] = "drawn by another",
    [TWINS_OPENED] = "laid open by the rules",
    [TWINS_SHOWN] = "shown",
    [TWINS_CORNERED] = "only a differing card to name",
    [TWINS_LONG] = "long enough",
    [TWINS_SAME] = "nothing to differ in",
    [TWINS_BROKEN] = "BROKEN",
};

struct options {
    unsigned long pairs, first, step, commands;
    const char *sets, *plant;
    bool talk;
};

static bool number(const char *text, unsigned long *out)
{
    char *end;
    *out = strtoul(text, &end, 10);
    return *text != '\0' && *end == '\0';
}

static bool read_options(int argc, char **argv, struct options *out)
{
    *out = (struct options){.pairs = 100, .first = 1, .step = 1, .commands = COMMANDS_MAX};
    for (int i = 1; i < argc; i++) {
        const char *const value = i + 1 < argc ? argv[i + 1] : "";
        bool good = true;
        if (strcmp(argv[i], "--talk") == 0) {
            out->talk = true;
            continue;
        }
        if (strcmp(argv[i], "--pairs") == 0) {
            good = number(value, &out->pairs);
        } else if (strcmp(argv[i], "--first") == 0) {
            good = number(value, &out->first);
        } else if (strcmp(argv[i], "--step") == 0) {
            good = number(value, &out->step) && out->step > 0;
        } else if (strcmp(argv[i], "--commands") == 0) {
            good = number(value, &out->commands);
        } else if (strcmp(argv[i], "--sets") == 0) {
            out->sets = value;
        } else if (strcmp(argv[i], "--plant") == 0) {
            out->plant = value;
        } else {
            good = false;
        }
        if (!good) {
            return false;
        }
        i++;
    }
    return true;
}

static double seconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0
               ? (double)now.tv_sec + (double)now.tv_nsec / 1e9
               : 0;
}

struct totals {
    unsigned long ends[TWINS_ENDS], commands, probes, differ, drawn;
    unsigned long pairs; // that differed in something
};

// The pairs asked for; stops at the first broken one when something is planted.
static bool play(const struct options *options, const struct catalog *catalog, struct totals *sum)
{
    unsigned long number = options->first;
    for (; sum->pairs < options->pairs; number += options->step) {
        const bool mixed = number % SHARE_MIXED == 0;
        const char *const usual = mixed ? "classic,legends,pathfinder,super,conan" : "classic";
        const struct twins_setup setup = {.catalog = catalog,
                                          .sets = options->sets != NULL ? options->sets : usual,
                                          .number = number,
                                          .commands_max = options->commands,
                                          .talk = options->talk};
        struct twins_result result;
        if (!twins_play(&setup, &result)) {
            (void)fprintf(stderr, "twins: not enough memory, or no such sets: %s\n", result.what);
            return false;
        }
        sum->ends[result.end]++;
        sum->pairs += result.end != TWINS_SAME ? 1 : 0;
        sum->commands += result.commands;
        sum->probes += result.probes;
        sum->differ += result.differ;
        sum->drawn += result.drawn;
        if (result.end == TWINS_BROKEN) {
            (void)printf("pair %lu (%s), command %lu: %s\n", number, setup.sets, result.commands,
                         result.what);
            if (options->plant != NULL) {
                return true;
            }
        }
    }
    return true;
}

static void print(const struct totals *sum, double time)
{
    (void)printf("%lu pairs, %lu commands in both, %lu looks and wrong commands, %.1f s\n",
                 sum->pairs, sum->commands, sum->probes, time);
    (void)printf("%.1f cards differed a pair; %lu of them were drawn unseen\n",
                 sum->pairs > 0 ? (double)sum->differ / (double)sum->pairs : 0, sum->drawn);
    for (unsigned i = 0; i < TWINS_ENDS; i++) {
        if (sum->ends[i] > 0) {
            (void)printf("%8lu %s\n", sum->ends[i], ENDS[i]);
        }
    }
}

int main(int argc, char **argv)
{
    struct options options;
    if (!read_options(argc, argv, &options)) {
        (void)fputs(USAGE, stderr);
        return 2;
    }
    if (options.plant != NULL && !plant(options.plant)) {
        (void)fprintf(stderr, "twins: nothing can be planted as \"%s\" here\n", options.plant);
        return 2;
    }
    struct catalog *const catalog = catalog_load("cards", NULL);
    if (catalog == NULL) {
        (void)fputs("twins: no card sets; run it in the repository's root\n", stderr);
        return 1;
    }
    struct totals sum = {0};
    const double start = seconds();
    const bool played = play(&options, catalog, &sum);
    print(&sum, seconds() - start);
    catalog_destroy(catalog);
    const bool noticed = sum.ends[TWINS_BROKEN] > 0;
    return played && noticed == (options.plant != NULL) ? 0 : 1;
}
