/*
 * Fuzzes what people type: any lines at tables in the middle of games, through the session.
 *
 * The first byte picks the table, the second who types; the rest are lines. Whatever they are: a
 * refused line changes nothing, has a code and is answered; an accepted one keeps the invariants;
 * everything said is clean text; a command that was understood is understood again as it is worded.
 */
#include <stdlib.h>
#include <string.h>

#include "core/loop/query.h"

#include "bot/parse/parse.h"
#include "bot/tools/invariants.h"
#include "bot/tools/solo.h"

#include "tests/fuzz/fuzz.h"

enum { TABLES = 24, LINES_MAX = 4, LINE_SIZE = 4096, WORDS_SIZE = 8192, STEP_MS = 500 };

static const char *const NAMES[MB_SEATS_MAX] = {"Ann", "Bob", "Cy", "Dot", "Eli", "Fay"};

static struct solo *session;
static struct game *tables[TABLES];
static struct invariants *checks[2]; // by box

static void complain(void *user, const char *what)
{
    (void)user;
    fuzz_fail("%s", what);
}

static bool mixed(unsigned table)
{
    return table % 3 == 2;
}

static void close_all(void)
{
    solo_destroy(session);
    for (unsigned i = 0; i < TABLES; i++) {
        free(tables[i]);
    }
    invariants_destroy(checks[0]);
    invariants_destroy(checks[1]);
}

static void watch(void *user, const struct table_step *step)
{
    const unsigned *const table = user;
    struct invariants *const check = checks[mixed(*table)];
    invariants_step(check, step->before, step->after, step->events);
    invariants_state(check, step->after);
}

static void open_once(void)
{
    if (session != NULL) {
        return;
    }
    session = solo_create(fuzz_catalog());
    const struct invariants_sink sink = {.report = complain};
    checks[0] = invariants_create(fuzz_box(false), &sink);
    checks[1] = invariants_create(fuzz_box(true), &sink);
    (void)atexit(close_all);
}

// Made when first wanted: all at once would be one slow input.
static const struct game *table_of(unsigned i)
{
    if (tables[i] == NULL) {
        tables[i] = calloc(1, game_size());
        if (session == NULL || tables[i] == NULL) {
            fuzz_fail("not enough memory");
        }
        fuzz_game(tables[i], fuzz_box(mixed(i)), 3 + i % 4, i * 16, i + 1);
    }
    return tables[i];
}

static void forget_said(void)
{
    struct message_list *const said = solo_outbox(session);
    for (size_t i = 0; i < said->count; i++) {
        fuzz_check_text(said->items[i].text);
    }
    message_list_clear(said);
}

// Hidden cards shape no refusal: the same one on the view.
static void check_refusal(const struct table_words *words, const struct command *command,
                          const char *text)
{
    struct refusal why = {0};
    struct refusal seen = {0};
    const bool legal = game_check(solo_game(session), words->box, command, &why);
    const bool looks = game_check(words->view, words->box, command, &seen);
    if (legal != looks || why.code != seen.code) {
        fuzz_fail("\"%s\" is refused as %s, on the view as %s", text, refusal_name(why.code),
                  refusal_name(seen.code));
    }
}

// What is understood is worded, and understood again as the same verb.
static void check_words(unsigned seat, const char *line)
{
    static struct request request;
    static struct request again;
    static char text[WORDS_SIZE];
    struct parse_error error = {0};
    struct table_words words;
    solo_words(session, seat, &words);
    if (!parse_request(&words, line, &request, &error)) {
        if (error.why.code == REFUSAL_NONE) {
            fuzz_fail("not understood, and no code says why: %s", line);
        }
        return;
    }
    if (request.kind != REQUEST_GAME) {
        return;
    }
    request.command.seat = (uint8_t)seat;
    const size_t length = parse_format(&words, &request.command, text, sizeof text);
    if (length >= sizeof text || text[0] == '\0') {
        fuzz_fail("no words for what was understood: %s", line);
    }
    fuzz_check_text(text);
    // A card that lies nowhere the verb looks has no words of its own; the verb always has.
    if (parse_request(&words, text, &again, &error) &&
        (again.kind != REQUEST_GAME || again.command.verb != request.command.verb)) {
        fuzz_fail("\"%s\" means something else than \"%s\"", text, line);
    }
    check_refusal(&words, &request.command, text);
}

static void type(unsigned seat, const char *line)
{
    if (solo_state(session) != TABLE_RUNNING) {
        return;
    }
    check_words(seat, line);
    const uint64_t before = game_digest(solo_game(session));
    struct refusal why = {0};
    const bool accepted = solo_line(session, seat, line, &why);
    const size_t said = solo_outbox(session)->count;
    if (!accepted && (why.code == REFUSAL_NONE || why.code >= REFUSAL_TOTAL || said == 0)) {
        fuzz_fail("refused with code %u and %zu messages: %s", why.code, said, line);
    }
    if (!accepted && game_digest(solo_game(session)) != before) {
        fuzz_fail("refused, yet something has changed: %s", line);
    }
    forget_said();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char line[LINE_SIZE];
    if (size < 2) {
        return 0;
    }
    open_once();
    unsigned table = data[0] % TABLES;
    unsigned seat = data[1];
    solo_adopt(session, fuzz_box(mixed(table)), table_of(table), NAMES, PACE_LIVE);
    const struct solo_watcher watcher = {.step = watch, .user = &table};
    solo_watch(session, &watcher);
    message_list_clear(solo_outbox(session));
    size_t at = 2;
    for (unsigned i = 0; i < LINES_MAX && at < size; i++) {
        size_t length = 0;
        for (; at < size && data[at] != '\n'; at++) {
            if (length + 1 < sizeof line && data[at] != '\0') {
                line[length++] = (char)data[at];
            }
        }
        at++;
        line[length] = '\0';
        type(seat++ % solo_seat_count(session), line);
        solo_advance(session, STEP_MS);
        forget_said();
    }
    const struct solo_watcher nobody = {0};
    solo_watch(session, &nobody);
    return 0;
}
