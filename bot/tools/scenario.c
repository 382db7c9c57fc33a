/*
 * One run of a scenario: load, check, set up, do, report. And `munchbot scenario`, which prints TAP
 * version 13.
 */
#include "bot/tools/scenario.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"
#include "core/game.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/parse/parse.h"
#include "bot/store.h"
#include "bot/tools/scenario_impl.h"

/* Steps: commands, waiting, restarts; and what must hold after each of them. */

enum { CLOCKS_MAX = 256, SECOND_MS = 1000 };

static const json_t *step_at(const struct scenario *scenario, size_t index)
{
    return json_array_get(scenario->steps, index);
}

static const char *word_of(const json_t *step, const char *key)
{
    return json_string_value(json_object_get(step, key));
}

/* Answer moments. */

static bool is_answer(struct scenario *scenario, unsigned seat, const char *line)
{
    struct table_words words;
    struct request request = {0};
    struct parse_error error = {0};
    solo_words(scenario->solo, seat, &words);
    if (!parse_request(&words, line, &request, &error) || request.kind != REQUEST_GAME) {
        return false;
    }
    struct command command = request.command;
    command.seat = (uint8_t)seat;
    const struct game *const game = solo_game(scenario->solo);
    if (command.verb == VERB_PASS) {
        // A pass is for the moment only if it is waited for there and there is no window beneath.
        const struct pause moment = query_pause(game, PAUSE_ANSWER);
        return (moment.waited & seat_bit(seat)) != 0 &&
               query_pause(game, PAUSE_WIN).kind == PAUSE_NONE;
    }
    struct refusal why = {0};
    return (command.verb == VERB_PLAY || command.verb == VERB_USE) &&
           game_check(game, scenario->box, &command, &why);
}

// Whether the next step answers the open moment (it is then left open).
static bool next_answers(struct scenario *scenario)
{
    const json_t *const next = step_at(scenario, scenario->begun ? scenario->at + 1 : 0);
    const char *const by = word_of(next, "by");
    const char *const line = word_of(next, "do");
    if (by == NULL || line == NULL || json_object_get(next, "refused") != NULL) {
        return false;
    }
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        if (strcmp(scenario->names[seat], by) == 0) {
            return is_answer(scenario, seat, line);
        }
    }
    return false;
}

static bool skip_moment(void *user, const struct solo *solo)
{
    struct scenario *const scenario = user;
    const struct pause moment = query_pause(solo_game(solo), PAUSE_ANSWER);
    if (scenario->ask && moment.waited != 0) {
        return false;
    }
    return !next_answers(scenario);
}

/* Watching every command. */

static void trace_said(struct scenario *scenario)
{
    const struct message_list *const said = solo_outbox(scenario->solo);
    for (size_t i = 0; scenario->mode->trace != NULL && i < said->count; i++) {
        const struct message *const message = &said->items[i];
        const char *to = "table";
        if (message->to != MESSAGE_TABLE) {
            to = solo_seat_name(scenario->solo, message->seat);
        }
        for (const char *line = message->text; *line != '\0';) {
            const size_t length = strcspn(line, "\n");
            (void)fprintf(scenario->mode->trace, "#     %s: %.*s\n", to, (int)length, line);
            line += length + (line[length] == '\n' ? 1 : 0);
        }
    }
}

static void watch_step(void *user, const struct table_step *step)
{
    struct scenario *const scenario = user;
    invariants_command(scenario->invariants, step, 0);
}

static void check_views(struct scenario *scenario)
{
    const struct game *const game = solo_game(scenario->solo);
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        scenario_list_moves(scenario, seat);
        invariants_view(scenario->invariants, game, seat, &scenario->moves);
    }
}

/* Commands. */

static bool is_expected(const json_t *refused, const char *code)
{
    if (json_is_string(refused)) {
        return strcmp(json_string_value(refused), code) == 0;
    }
    for (size_t i = 0; i < json_array_size(refused); i++) {
        if (strcmp(json_string_value(json_array_get(refused, i)), code) == 0) {
            return true;
        }
    }
    return false;
}

static const char *last_reply(struct scenario *scenario)
{
    const struct message_list *const said = solo_outbox(scenario->solo);
    for (size_t i = said->count; i > 0; i--) {
        if (said->items[i - 1].to == MESSAGE_REPLY) {
            return said->items[i - 1].text;
        }
    }
    return "";
}

static bool known_codes(struct scenario *scenario, const json_t *refused)
{
    const size_t count = json_is_string(refused) ? 1 : json_array_size(refused);
    for (size_t i = 0; i < count; i++) {
        const char *const word =
            json_string_value(json_is_string(refused) ? refused : json_array_get(refused, i));
        bool known = false;
        for (unsigned code = REFUSAL_NONE + 1; code < REFUSAL_TOTAL && !known; code++) {
            known = strcmp(refusal_name(code), word) == 0;
        }
        if (!known) {
            return scenario_fail(scenario, "there is no refusal code \"%s\"", word);
        }
    }
    return true;
}

static bool do_command(struct scenario *scenario, const json_t *step)
{
    const json_t *const refused = json_object_get(step, "refused");
    const unsigned seat = scenario_seat(scenario, word_of(step, "by"), "by");
    if (seat == NO_SEAT || (refused != NULL && !known_codes(scenario, refused))) {
        return false;
    }
    const uint64_t before = game_digest(solo_game(scenario->solo));
    struct refusal why = {0};
    message_list_clear(solo_outbox(scenario->solo));
    const bool accepted = solo_line(scenario->solo, seat, word_of(step, "do"), &why);
    char text[SCENARIO_VALUE_SIZE];
    if (accepted && refused != NULL) {
        (void)scenario_dump(refused, text, sizeof text);
        return scenario_differs(scenario, "the command", text, "accepted");
    }
    if (!accepted && refused == NULL) {
        (void)snprintf(text, sizeof text, "%s: %s", refusal_name(why.code), last_reply(scenario));
        return scenario_differs(scenario, "the command", "accepted", text);
    }
    if (!accepted && !is_expected(refused, refusal_name(why.code))) {
        char found[SCENARIO_VALUE_SIZE];
        (void)snprintf(found, sizeof found, "%s: %s", refusal_name(why.code), last_reply(scenario));
        (void)scenario_dump(refused, text, sizeof text);
        return scenario_differs(scenario, "the refusal", text, found);
    }
    if (!accepted && game_digest(solo_game(scenario->solo)) != before) {
        return scenario_fail(scenario, "the refused command changed the state");
    }
    return true;
}

/* Waiting. */

static struct pause innermost_window(const struct scenario *scenario, unsigned *kind)
{
    const struct game *const game = solo_game(scenario->solo);
    const struct pause moment = query_pause(game, PAUSE_ANSWER);
    *kind = moment.kind != PAUSE_NONE ? PAUSE_ANSWER : PAUSE_WIN;
    return query_pause(game, *kind);
}

// Lets clocks run out until the innermost window has closed or begun anew; false if none was open.
static bool run_window_out(struct scenario *scenario)
{
    unsigned kind = PAUSE_NONE;
    const struct pause open = innermost_window(scenario, &kind);
    if (open.kind == PAUSE_NONE) {
        return false;
    }
    for (unsigned i = 0; i < CLOCKS_MAX; i++) {
        const struct pause now = query_pause(solo_game(scenario->solo), kind);
        if (now.kind == PAUSE_NONE || now.restarts != open.restarts) {
            return true;
        }
        const struct table_due due = solo_due(scenario->solo);
        if (due.kind == TABLE_DUE_NEVER) {
            return scenario_fail(scenario, "a window is open and no clock runs");
        }
        solo_advance(scenario->solo, due.ms);
    }
    return scenario_fail(scenario, "a window does not run out");
}

static bool do_wait(struct scenario *scenario, const json_t *step)
{
    const json_t *const wait = json_object_get(step, "wait");
    message_list_clear(solo_outbox(scenario->solo));
    if (json_is_number(wait)) {
        const double seconds = json_number_value(wait);
        if (seconds < 0 || seconds > 1e9) {
            return scenario_fail(scenario, "wait is a number of seconds from 0");
        }
        solo_advance(scenario->solo, (int64_t)(seconds * (double)SECOND_MS));
        return true;
    }
    const char *const word = json_string_value(wait);
    if (strcmp(word, "window") == 0) {
        (void)run_window_out(scenario);
    } else if (strcmp(word, "quiet") == 0) {
        for (unsigned i = 0; i < CLOCKS_MAX && run_window_out(scenario); i++) {
        }
    } else {
        return scenario_fail(scenario, "wait is window, quiet or a number of seconds, not \"%s\"",
                             word);
    }
    return !scenario->report->failed;
}

static bool do_restart(struct scenario *scenario)
{
    struct mb_error err = {0};
    message_list_clear(solo_outbox(scenario->solo));
    const uint64_t before = game_digest(solo_game(scenario->solo));
    if (!solo_restart(scenario->solo, &err)) {
        return scenario_fail(scenario, "the table does not come back: %s", err.text);
    }
    return game_digest(solo_game(scenario->solo)) == before ||
           scenario_fail(scenario, "the table comes back as another");
}

static bool do_step(struct scenario *scenario, const json_t *step)
{
    if (json_object_get(step, "expect") != NULL) {
        return scenario_expect(scenario, json_object_get(step, "expect"));
    }
    bool done = true;
    if (json_object_get(step, "wait") != NULL) {
        done = do_wait(scenario, step);
    } else if (json_object_get(step, "restart") != NULL) {
        done = !json_is_true(json_object_get(step, "restart")) || do_restart(scenario);
    } else {
        done = do_command(scenario, step);
    }
    const char *const lost = solo_restart_failed(scenario->solo);
    done = done && (lost == NULL || scenario_fail(scenario, "a restart loses the table: %s", lost));
    trace_said(scenario);
    if (done) {
        check_views(scenario);
    }
    return done && !scenario->report->failed;
}

static bool run_steps(struct scenario *scenario)
{
    struct scenario_report *const report = scenario->report;
    struct mb_error err = {0};
    const struct solo_watcher watcher = {
        .step = watch_step, .skip_moment = skip_moment, .user = scenario};
    invariants_state(scenario->invariants, solo_game(scenario->solo));
    invariants_encoding(scenario->invariants, solo_game(scenario->solo));
    if (scenario->mode->store != NULL && !solo_keep(scenario->solo, scenario->mode->store, &err)) {
        return scenario_fail(scenario, "the store does not keep the table: %s", err.text);
    }
    if (scenario->mode->restart) {
        solo_restart_always(scenario->solo);
    }
    solo_watch(scenario->solo, &watcher);
    scenario->begun = true;
    for (size_t i = 0; i < json_array_size(scenario->steps) && !report->failed; i++) {
        const json_t *const step = step_at(scenario, i);
        scenario->at = i;
        report->step = (unsigned)i + 1;
        (void)scenario_dump(step, report->step_text, sizeof report->step_text);
        if (scenario->mode->trace != NULL) {
            (void)fprintf(scenario->mode->trace, "# step %u: %s\n", report->step,
                          report->step_text);
        }
        if (!do_step(scenario, step)) {
            report->failed = true;
        }
    }
    return !report->failed;
}

/* A run. */

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
        (void)run_steps(&scenario);
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

// Runs a file.
static void scenario_run_file(const char *path, struct catalog *catalog,
                              const struct scenario_mode *mode, struct scenario_report *report)
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

static void print_difference(const struct scenario_difference *difference, FILE *to)
{
    (void)fprintf(to, "  - ");
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
            print_difference(&report->differences[i], to);
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
