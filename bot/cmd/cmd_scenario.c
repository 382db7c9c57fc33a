/*
 * `munchbot scenario [--verbose] [--restart] FILE...`: runs scenario files and prints TAP
 * version 13.
 */
#include <stdio.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/scenario/scenario.h"

int cmd_scenario(int argc, char **argv)
{
    struct scenario_mode mode = {.trace = NULL};
    int first = 1;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
        if (strcmp(argv[first], "--") == 0) {
            first++;
            break;
        }
        if (strcmp(argv[first], "--verbose") == 0) {
            mode.trace = stdout;
        } else if (strcmp(argv[first], "--restart") == 0) {
            mode.restart = true;
        } else {
            (void)fprintf(stderr,
                          "munchbot scenario: there is no option %s; "
                          "\"munchbot scenario --help\" shows what there is\n",
                          argv[first]);
            return CMD_WRONG_USAGE;
        }
    }
    if (first == argc) {
        (void)fputs("munchbot scenario: name at least one file\n", stderr);
        return CMD_WRONG_USAGE;
    }
    struct mb_error err = {0};
    struct catalog *const catalog = cards_load(&err);
    if (catalog == NULL) {
        (void)fprintf(stderr, "munchbot scenario: %s\n", err.text);
        return CMD_FAILED;
    }
    unsigned failed = 0;
    printf("TAP version 13\n1..%d\n", argc - first);
    for (int i = first; i < argc; i++) {
        struct scenario_report report;
        scenario_run_file(argv[i], catalog, &mode, &report);
        scenario_print(&report, (unsigned)(i - first) + 1, argv[i], stdout);
        failed += report.failed ? 1 : 0;
    }
    catalog_destroy(catalog);
    if (failed > 0) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "munchbot scenario: %u of %d files failed\n", failed, argc - first);
        return CMD_FAILED;
    }
    return CMD_DONE;
}
