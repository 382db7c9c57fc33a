/*
 * One run of a scenario: load, check, set up, do, report.
 */
#include "bot/tools/scenario.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"
#include "core/game.h"

#include "bot/tools/scenario_impl.h"

bool scenario_fail(struct scenario *scenario, const char *format, ...)
{
    struct scenario_report *const report = scenario->report;
    if (report->message[0] == '\0') {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(report->message, sizeof report->message, format, args);
        va_end(args);
    }
    report->failed = true;
    return false;
}

bool scenario_differs(struct scenario *scenario, const char *at, const char *expected,
                      const char *found)
{
    struct scenario_report *const report = scenario->report;
    if (report->count < SCENARIO_DIFFERENCES_MAX) {
        struct scenario_difference *const difference = &report->differences[report->count++];
        (void)snprintf(difference->at, sizeof difference->at, "%s", at);
        (void)snprintf(difference->expected, sizeof difference->expected, "%s", expected);
        (void)snprintf(difference->found, sizeof difference->found, "%s", found);
    }
    return scenario_fail(scenario, "%s is not as expected", at);
}

const char *scenario_dump(const struct json_t *value, char *out, size_t size)
{
    const size_t length = json_dumpb(value, out, size - 1, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    if (length < size) {
        out[length] = '\0';
        return out;
    }
    (void)snprintf(out, size, "(a long value)");
    return out;
}

unsigned scenario_seat(struct scenario *scenario, const char *name, const char *at)
{
    for (unsigned i = 0; i < scenario->seat_count; i++) {
        if (strcmp(scenario->names[i], name) == 0) {
            return i;
        }
    }
    (void)scenario_fail(scenario, "%s: there is no player \"%s\"", at, name);
    return NO_SEAT;
}

static void report_violation(void *user, const char *what)
{
    struct scenario *const scenario = user;
    scenario->report->breaks_invariant = true;
    (void)scenario_fail(scenario, "an invariant is broken: %s", what);
}

static void make_room(struct scenario *scenario)
{
    scenario->box = mb_new(1, sizeof *scenario->box);
    scenario->game = mb_new(1, game_size());
    scenario->solo = solo_create(scenario->catalog);
    scenario->moves.items = mb_new(MB_MOVES_MAX, sizeof *scenario->moves.items);
    scenario->moves.capacity = MB_MOVES_MAX;
    const struct invariants_sink sink = {.report = report_violation, .user = scenario};
    scenario->invariants = invariants_create(scenario->box, &sink);
}

static void finish(struct scenario *scenario)
{
    solo_destroy(scenario->solo);
    invariants_destroy(scenario->invariants);
    free(scenario->moves.items);
    free(scenario->game);
    free(scenario->box);
}

static void run(json_t *root, const char *edition, struct catalog *catalog,
                const struct scenario_mode *mode, struct scenario_report *report)
{
    struct scenario scenario = {.root = root,
                                .steps = json_object_get(root, "steps"),
                                .edition = edition,
                                .catalog = catalog,
                                .report = report,
                                .mode = mode};
    const uint8_t own_sets = (uint8_t)catalog_set_count(catalog);
    const char *const name = json_string_value(json_object_get(root, "name"));
    (void)snprintf(report->name, sizeof report->name, "%s", name != NULL ? name : "");
    make_room(&scenario);
    if (scenario_check_keys(&scenario) && scenario_set_up(&scenario)) {
        (void)scenario_run_steps(&scenario);
    }
    finish(&scenario);
    if (catalog_set_count(catalog) > own_sets) {
        catalog_rewind(catalog, own_sets);
    }
}

static void run_loaded(json_t *root, const json_error_t *error, struct catalog *catalog,
                       const struct scenario_mode *mode, struct scenario_report *report)
{
    if (root == NULL) {
        report->failed = true;
        (void)snprintf(report->message, sizeof report->message, "no JSON: line %d, column %d: %s",
                       error->line, error->column, error->text);
        return;
    }
    const json_t *const editions = json_object_get(root, "editions");
    size_t next = 0;
    do {
        run(root, json_string_value(json_array_get(editions, next)), catalog, mode, report);
        next++;
    } while (!report->failed && next < json_array_size(editions));
    const char *const last = json_string_value(json_array_get(editions, next - 1));
    if (report->failed && last != NULL) {
        const size_t length = strlen(report->name);
        (void)snprintf(report->name + length, sizeof report->name - length, " (%s)", last);
    }
    json_decref(root);
}

void scenario_run_file(const char *path, struct catalog *catalog, const struct scenario_mode *mode,
                       struct scenario_report *report)
{
    memset(report, 0, sizeof *report);
    json_error_t error;
    json_t *const root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    run_loaded(root, &error, catalog, mode, report);
}

void scenario_run_text(const char *text, size_t size, struct catalog *catalog,
                       const struct scenario_mode *mode, struct scenario_report *report)
{
    memset(report, 0, sizeof *report);
    json_error_t error;
    json_t *const root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    run_loaded(root, &error, catalog, mode, report);
}
