/*
 * `munchbot scenario [--verbose] [--restart[=URL]] [--sets-path DIR] FILE...`: runs scenario files
 * and prints TAP version 13.
 */
#include <stdio.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/scenario/scenario.h"
#include "bot/store.h"

// False: what is there is no option.
static bool read_option(const char *word, struct scenario_mode *mode, const char **url,
                        const char **own)
{
    static const char RESTART[] = "--restart=";
    static const char OWN[] = "--sets-path=";
    if (strncmp(word, OWN, sizeof OWN - 1) == 0) {
        *own = word + sizeof OWN - 1;
        return true;
    }
    if (strcmp(word, "--verbose") == 0) {
        mode->trace = stdout;
        return true;
    }
    *url = strncmp(word, RESTART, sizeof RESTART - 1) == 0 ? word + sizeof RESTART - 1 : *url;
    mode->restart = mode->restart || *url != NULL || strcmp(word, "--restart") == 0;
    return *url != NULL || strcmp(word, "--restart") == 0;
}

static unsigned run_all(int count, char **paths, struct catalog *catalog,
                        const struct scenario_mode *mode)
{
    unsigned failed = 0;
    printf("TAP version 13\n1..%d\n", count);
    for (int i = 0; i < count; i++) {
        struct scenario_report report;
        scenario_run_file(paths[i], catalog, mode, &report);
        scenario_print(&report, (unsigned)i + 1, paths[i], stdout);
        failed += report.failed ? 1 : 0;
    }
    return failed;
}

int cmd_scenario(int argc, char **argv, const struct cmd_stores *stores)
{
    struct scenario_mode mode = {.trace = NULL};
    const char *url = NULL;
    const char *own = NULL;
    int first = 1;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
        if (strcmp(argv[first], "--") == 0) {
            first++;
            break;
        }
        if (strcmp(argv[first], "--sets-path") == 0 && first + 1 < argc) {
            own = argv[++first];
        } else if (!read_option(argv[first], &mode, &url, &own)) {
            (void)fprintf(
                stderr, "munchbot scenario: unknown option %s; see \"munchbot scenario --help\"\n",
                argv[first]);
            return CMD_WRONG_USAGE;
        }
    }
    if (first == argc) {
        (void)fputs("munchbot scenario: name at least one file\n", stderr);
        return CMD_WRONG_USAGE;
    }
    struct mb_error err = {0};
    struct catalog *const catalog = cards_load(own, &err);
    mode.store = catalog != NULL && url != NULL ? stores->open(url, &err) : NULL;
    if (catalog == NULL || (url != NULL && mode.store == NULL)) {
        (void)fprintf(stderr, "munchbot scenario: %s\n", err.text);
        catalog_destroy(catalog);
        return CMD_FAILED;
    }
    const unsigned failed = run_all(argc - first, argv + first, catalog, &mode);
    store_destroy(mode.store);
    catalog_destroy(catalog);
    if (failed > 0) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "munchbot scenario: %u of %d files failed\n", failed, argc - first);
        return CMD_FAILED;
    }
    return CMD_DONE;
}
