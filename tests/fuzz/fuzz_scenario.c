/*
 * Fuzzes scenario files: any text is a scenario that passes or fails with one clean sentence, as
 * it is and with its table made anew from its bytes; and the card sets are as they were.
 */
#include "bot/tools/scenario.h"

#include "tests/fuzz/fuzz.h"

static void run(const char *text, size_t size, bool restart)
{
    struct scenario_report report;
    const struct scenario_mode mode = {.restart = restart};
    struct catalog *const catalog = fuzz_catalog();
    const size_t sets = catalog_set_count(catalog);
    const size_t defs = catalog_def_count(catalog);
    scenario_run_text(text, size, catalog, &mode, &report);
    if (catalog_set_count(catalog) != sets || catalog_def_count(catalog) != defs) {
        fuzz_fail("a scenario has left cards behind");
    }
    if (report.failed != (report.message[0] != '\0')) {
        fuzz_fail("failed without a sentence, or passed with one: \"%s\"", report.message);
    }
    if (report.breaks_invariant) {
        fuzz_fail("%s", report.message);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run((const char *)data, size, size % 2 == 1);
    return 0;
}
