/*
 * One run of a scenario: load, check, set up, do, report. And `munchbot scenario`, which prints TAP
 * version 13.
 */
#include "bot/tools/scenario.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"
#include "core/game.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/store.h"
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

void scenario_list_moves(struct scenario *scenario, unsigned seat)
{
    scenario->moves.count = 0;
    scenario->moves.overflow = false;
    moves_list(solo_game(scenario->solo), scenario->box, seat, &scenario->moves);
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

static void end_run(struct scenario *scenario)
{
    solo_destroy(scenario->solo);
    invariants_destroy(scenario->invariants);
    free(scenario->moves.items);
    free(scenario->game);
    free(scenario->box);
}

static void run_once(json_t *root, const char *edition, struct catalog *catalog,
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
    end_run(&scenario);
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
        run_once(root, json_string_value(json_array_get(editions, next)), catalog, mode, report);
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

/* One test point a file; a failure says where it was and what differed, as YAML. */

// A JSON string is a YAML string.
static void print_quoted(const char *key, const char *value, FILE *to)
{
    json_t *const string = json_string_nocheck(value);
    char *const text = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    (void)fprintf(to, "%s: %s\n", key, text != NULL ? text : "\"?\"");
    free(text);
    json_decref(string);
}

static void print_difference(const struct scenario_difference *difference, const char *indent,
                             FILE *to)
{
    (void)fprintf(to, "%s", indent);
    print_quoted("at", difference->at, to);
    (void)fprintf(to, "    ");
    print_quoted("expected", difference->expected, to);
    (void)fprintf(to, "    ");
    print_quoted("found", difference->found, to);
}

void scenario_print(const struct scenario_report *report, unsigned number, const char *path,
                    FILE *to)
{
    (void)fprintf(to, "%s %u - %s", report->failed ? "not ok" : "ok", number, path);
    if (report->name[0] != '\0') {
        (void)fputs(": ", to);
        for (const char *at = report->name; *at != '\0'; at++) {
            // "#" would begin a directive, a line end the next test point.
            (void)fputc(*at == '#' || (unsigned char)*at < ' ' ? '?' : *at, to);
        }
    }
    (void)fputc('\n', to);
    if (!report->failed) {
        return;
    }
    (void)fputs("  ---\n  ", to);
    print_quoted("message", report->message, to);
    (void)fputs("  ", to);
    print_quoted("file", path, to);
    (void)fprintf(to, "  step: %u\n", report->step);
    if (report->step_text[0] != '\0') {
        (void)fputs("  ", to);
        print_quoted("does", report->step_text, to);
    }
    if (report->count > 0) {
        (void)fputs("  differences:\n", to);
        for (unsigned i = 0; i < report->count; i++) {
            print_difference(&report->differences[i], "  - ", to);
        }
    }
    (void)fputs("  ...\n", to);
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
