// Plays a soak's games by processes that die by SIGKILL at a boundary of a commit or of an outcome,
// each a little later than the one before, until the games are over: so the game has seen a death
// at every one of them. The platform (a file) and the store outlive them.
//
// usage: boundaries STORE PLATFORM GAMES DEATH, DEATH one of "none", "commit-before",
// "commit-after", "outcome-before", "outcome-after". Ends with the line "N deaths"; exit status 0
// if the games are over.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/cards_dir.h"
#include "bot/tools/soak.h"

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/support/disk.h"
#include "tests/support/faulty_store.h"

enum { ARGUMENTS = 5, DEATHS_MAX = 100000 };

struct way {
    const char *name;
    struct death death;
};

// Each process takes the game one commit further, or dies as soon as it has.
static const struct way WAYS[] = {
    {"none", {.kind = STORE_COMMIT, .commits = UINT32_MAX}},
    {"commit-before", {.kind = STORE_COMMIT, .commits = 1}},
    {"commit-after", {.kind = STORE_COMMIT, .after = true}},
    {"outcome-before", {.kind = STORE_CONFIRM, .commits = 1}},
    {"outcome-after", {.kind = STORE_CONFIRM, .commits = 1, .after = true}},
};

static const struct way *find_way(const char *name)
{
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        if (strcmp(WAYS[i].name, name) == 0) {
            return &WAYS[i];
        }
    }
    return NULL;
}

// Never returns but by its exit status.
static void live(char **argv, const struct catalog *catalog, const struct way *way)
{
    struct mb_error err = {0};
    struct soak_report report = {.commands = 0};
    disk_install();
    disk_hurry(); // a process dies, and no machine
    struct store *const store = faulty_store_create(
        sqlite_store_create(&(struct sqlite_setup){.path = argv[1], .waits = true}));
    const struct soak_setup setup = {.catalog = catalog,
                                     .sets = "classic",
                                     .store = store,
                                     .tables = 1,
                                     .games = strtoul(argv[3], NULL, 10),
                                     .seed = 1,
                                     .policies = {&POLICY_REGULAR, &POLICY_ROOKIE},
                                     .policy_count = 2,
                                     .platform = argv[2]};
    if (store == NULL) {
        _exit(2);
    }
    faulty_store_die(store, &way->death);
    if (!store_start(store, &err) || !soak_run(&setup, &report, &err)) {
        (void)fprintf(stderr, "boundaries: %s\n", err.text);
        _exit(1);
    }
    for (size_t i = 0; i < report.game_count; i++) {
        printf("game %lu %s %lu %s\n", report.games[i].number, report.games[i].winner,
               report.games[i].commands, report.games[i].digest);
    }
    (void)fflush(stdout);
    soak_finish(&report);
    store_destroy(store);
    _exit(report.lost > 0 ? 1 : 0);
}

int main(int argc, char **argv)
{
    struct mb_error err = {0};
    const struct way *const way = argc == ARGUMENTS ? find_way(argv[4]) : NULL;
    struct catalog *const catalog = way != NULL ? cards_load(NULL, &err) : NULL;
    if (catalog == NULL) {
        (void)fputs("usage: boundaries STORE PLATFORM GAMES DEATH\n", stderr);
        return 2;
    }
    for (unsigned deaths = 0; deaths < DEATHS_MAX; deaths++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) {
            live(argv, catalog, way);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) {
            break;
        }
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
            printf("%u deaths\n", deaths);
            catalog_destroy(catalog);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        }
    }
    (void)fputs("boundaries: it never ends\n", stderr);
    catalog_destroy(catalog);
    return 1;
}
