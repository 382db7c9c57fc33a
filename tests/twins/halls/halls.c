// Pairs of halls that differ in one secret of one seat (tests/twins/halls/pair.h).
//   twin_halls [--pairs N] [--first N] [--kind hand|pass|order|look|call|choice] [--plant FAULT]
//   [--talk yes]
//     [--discord yes]
// With --discord what others are told is compared as Discord's bodies, too, and of a hand that
// differs all moments of a game must have been told of.
// Exit 0: no pair differed; with a fault planted (twin_halls_planted): one did.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/chance.h"
#include "tests/support/test.h"
#include "tests/twins/halls/pair.h"
#include "tests/twins/plant.h"

enum { IDLE_MAX = 20 };

static const struct pair_kind *const KINDS[] = {&PAIR_HAND, &PAIR_PASS, &PAIR_ORDER,
                                                &PAIR_LOOK, &PAIR_CALL, &PAIR_CHOICE};

struct figures {
    unsigned long played, idle, differ, steps, moments[PAIR_MOMENTS];
};

struct how {
    bool talks, discord;
};

// One pair, from its opening to where others may know.
static void play(const struct catalog *catalog, const struct pair_kind *kind, uint64_t number,
                 struct how how, struct figures *figures)
{
    static struct pair pair;
    uint8_t seed[32];
    pair =
        (struct pair){.number = number, .kind = kind, .talks = how.talks, .discord = how.discord};
    mb_rng_seed_u64(seed, number);
    mb_rng_init(&pair.rng, seed);
    pair_open(&pair, catalog);
    const bool begun = pair_runs(&pair) && kind->begin(&pair);
    bool goes_on = begun && kind->keeps(&pair);
    if (goes_on) {
        pair_compare(&pair);
    }
    while (goes_on && !pair.differs && !pair.over && pair.steps < PAIR_STEPS_MAX &&
           pair_runs(&pair)) {
        goes_on = pair_step(&pair) && kind->keeps(&pair);
        if (goes_on) {
            pair_compare(&pair);
        }
    }
    if (how.discord && goes_on && !pair.differs && kind == &PAIR_HAND && pair_runs(&pair)) {
        pair_end(&pair);
    }
    for (unsigned i = 0; i < PAIR_MOMENTS; i++) {
        figures->moments[i] += pair.moments[i];
    }
    figures->played += begun && pair.steps > 0 ? 1 : 0;
    figures->idle += begun && pair.steps > 0 ? 0 : 1;
    figures->differ += pair.differs ? 1 : 0;
    figures->steps += pair.steps;
    pair_close(&pair);
}

static const struct pair_kind *kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcmp(KINDS[i]->name, name) == 0) {
            return KINDS[i];
        }
    }
    (void)fprintf(stderr, "twin_halls: no kind \"%s\"\n", name);
    exit(2);
}

static bool all_moments(const struct figures *figures)
{
    static const char *const NAMES[PAIR_MOMENTS] = {"lobby", "turn", "fight", "question", "end"};
    bool all = true;
    for (unsigned i = 0; i < PAIR_MOMENTS; i++) {
        (void)printf("  %s: told on Discord %lu times\n", NAMES[i], figures->moments[i]);
        all = all && figures->moments[i] > 0;
    }
    return all;
}

int main(int argc, char **argv)
{
    static const char *const DIRS[] = {"cards/classic", "tests/data/levies"};
    unsigned long pairs = 20;
    uint64_t number = 1;
    const struct pair_kind *kind = &PAIR_HAND;
    const char *fault = NULL;
    struct how how = {0};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0) {
            pairs = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--first") == 0) {
            number = strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--kind") == 0) {
            kind = kind_named(argv[i + 1]);
        } else if (strcmp(argv[i], "--plant") == 0) {
            fault = argv[i + 1];
        } else if (strcmp(argv[i], "--talk") == 0) {
            how.talks = true;
        } else if (strcmp(argv[i], "--discord") == 0) {
            how.discord = true;
        }
    }
    if (fault != NULL && !plant(fault)) {
        (void)fprintf(stderr, "twin_halls: nothing can be planted as \"%s\" here\n", fault);
        return 2;
    }
    chance_fix(); // what libsodium draws once, when it begins, it has drawn now
    struct catalog *const catalog = catalog_load_sets(DIRS, sizeof DIRS / sizeof DIRS[0], NULL);
    assert_non_null(catalog);
    struct figures figures = {0};
    while (figures.played < pairs && figures.idle < IDLE_MAX * pairs &&
           (fault == NULL || figures.differ == 0)) {
        play(catalog, kind, number++, how, &figures);
    }
    catalog_destroy(catalog);
    (void)printf("%s: %lu pairs, %lu steps, %lu came to nothing, %lu differ\n", kind->name,
                 figures.played, figures.steps, figures.idle, figures.differ);
    const bool noticed = figures.differ > 0;
    if (how.discord && kind == &PAIR_HAND && fault == NULL && !all_moments(&figures)) {
        return 1;
    }
    return noticed == (fault != NULL) && (fault != NULL || figures.played == pairs) ? 0 : 1;
}
