/*
 * `munchbot scenario [--verbose] [--restart[=URL]] [--sets-path DIR] FILE...`: runs scenario files
 * and prints TAP version 13.
 */
#include <stdio.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/store.h"
#include "bot/tools/scenario.h"

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

int cmd_scenario(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const char *const restart = arguments->value[OPTION_RESTART];
    const bool stored = restart != NULL && restart[0] != '\0';
    struct scenario_mode mode = {.trace = arguments->value[OPTION_VERBOSE] != NULL ? stdout : NULL,
                                 .restart = restart != NULL};
    struct mb_error err = {0};
    struct catalog *const catalog = cards_load(arguments->value[OPTION_SETS_PATH], &err);
    mode.store = catalog != NULL && stored ? stores->open(restart, &err) : NULL;
    if (catalog == NULL || (stored && mode.store == NULL)) {
        (void)fprintf(stderr, "munchbot scenario: %s\n", err.text);
        catalog_destroy(catalog);
        return CMD_FAILED;
    }
    const unsigned failed = run_all(arguments->count, arguments->operands, catalog, &mode);
    store_destroy(mode.store);
    catalog_destroy(catalog);
    if (failed > 0) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "munchbot scenario: %u of %d files failed\n", failed,
                      arguments->count);
        return CMD_FAILED;
    }
    return CMD_DONE;
}
