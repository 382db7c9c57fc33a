/*
 * Fuzzes the decoder of stored tables: any bytes are refused with a sentence, or are a table that
 * is encoded as the same bytes again and that survives whatever people, bot players and clocks do
 * next.
 *
 * The input is an encoded table without magic and check sums, which are made here: the length of
 * the record before the snapshot, the record, and the snapshot without its check sum.
 */
#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/memory.h"
#include "core/loop/query.h"

#include "bot/table/table_codec.h"
#include "bot/table/value/value.h"
#include "bot/text/text.h"

#include "tests/fuzz/fuzz.h"

enum { MAGIC_SIZE = 4, LENGTH_AT = 8, HEAD = 12, CHECK = 4, MOVES_MAX = 4 };

static struct library *library;
static struct table_workspace *workspace;
static struct table *table;
static struct table_outcome outcome;

static void close_all(void)
{
    table_outcome_finish(&outcome);
    free(table);
    table_workspace_destroy(workspace);
    library_destroy(library);
}

static void open_once(void)
{
    if (table != NULL) {
        return;
    }
    library = library_create(fuzz_catalog());
    workspace = table_workspace_create(library);
    table = mb_new(1, table_size());
    table_outcome_init(&outcome);
    table_workspace_chat(workspace, "solo", UINT32_MAX);
    (void)atexit(close_all);
}

// Puts magic and check sums where they belong; the length of the whole.
static size_t frame(const uint8_t *data, size_t size, unsigned char *bytes)
{
    static const unsigned char MAGIC[MAGIC_SIZE] = {'M', 'B', 'T', TABLE_FORM};
    memcpy(bytes, MAGIC, MAGIC_SIZE);
    memcpy(bytes + LENGTH_AT, data, size);
    size_t end = LENGTH_AT + size;
    const size_t record = HEAD + (size_t)coder_load_u32(bytes + LENGTH_AT);
    if (record < end) {
        coder_store_u32(bytes + end, coder_sum(bytes + record, end - record));
        end += CHECK;
    }
    coder_store_u32(bytes + MAGIC_SIZE, coder_sum(bytes + LENGTH_AT, end - LENGTH_AT));
    return end;
}

static void check_said(void)
{
    for (size_t i = 0; i < outcome.said.count; i++) {
        text_strip(outcome.said.items[i].text);
        fuzz_check_text(outcome.said.items[i].text);
    }
}

// What is decided can be stored and read again.
static void check_stored(void)
{
    static unsigned char bytes[TABLE_BYTES_MAX];
    struct mb_error err = {0};
    const size_t size = table_encode(outcome.after, bytes, sizeof bytes);
    struct table *const read = malloc(table_size());
    if (read == NULL || size == 0) {
        fuzz_fail("a table that was made of an accepted one cannot be stored");
    }
    if (!table_decode(bytes, size, workspace, read, &err)) {
        fuzz_fail("a table that was made of an accepted one is refused: %s", err.text);
    }
    free(read);
}

static void decide(const struct deed *first)
{
    static const uint8_t chance[TABLE_CHANCE_SIZE] = {1, 2, 3};
    static const struct deed_fetched fetched = {.what = FETCH_LOG | FETCH_STATS | FETCH_EARLIER};
    struct deed deed = *first;
    deed.chance = chance;
    deed.fetched = &fetched;
    enum table_answer answer = table_decide(table, 0, &deed, workspace, &outcome);
    for (unsigned i = 0; i < MOVES_MAX && answer == TABLE_CHANGED && table_goes_on(outcome.after);
         i++) {
        deed = (struct deed){.kind = DEED_GO_ON};
        answer = table_decide(outcome.after, outcome.stamp, &deed, workspace, &outcome);
    }
    if (answer == TABLE_CHANGED) {
        if (table_state(outcome.after) != TABLE_EMPTY) { // else it is gone, and is not stored
            table_show(workspace, &outcome);
            check_stored();
        }
    }
    check_said();
}

static void say(const struct person *person, const char *line)
{
    const struct deed deed = {.kind = DEED_LINE,
                              .person = *person,
                              .line = line,
                              .passed_ms = (int64_t)strlen(line) * 100};
    decide(&deed);
}

// Lines that look, that change who sits here, that play: a few of them, by what the table is like.
static void say_some(unsigned which)
{
    static const char *const LINES[] = {
        "status", "hand",  "moves",  "undo",  "pass",  "done", "kick", "run",        "end",
        "leave",  "join",  "stats",  "log 5", "start", "why",  "hold", "resume",     "pause",
        "loot",   "rules", "accept", "agree", "help",  "kick", "look", "order pass",
    };
    enum { LINE_COUNT = sizeof LINES / sizeof LINES[0], SOME = 4 };
    const struct person stranger = {.network = "solo", .id = "stranger", .name = "Stranger"};
    struct person person;
    for (unsigned seat = 0; seat < table_seat_count(table); seat++) {
        for (unsigned i = 0; i < SOME && table_seat_person(table, seat, false, &person); i++) {
            say(&person, LINES[(which + seat * SOME + i) % LINE_COUNT]);
        }
    }
    say(&stranger, LINES[which % LINE_COUNT]);
    say(&stranger, "join");
}

static void look(void)
{
    for (unsigned seat = 0; seat <= table_seat_count(table); seat++) {
        struct table_words words;
        const unsigned viewer = seat < table_seat_count(table) ? seat : (unsigned)NO_SEAT;
        if (!table_words(table, table_workspace_stamp(workspace), workspace, viewer, &words)) {
            fuzz_fail("an accepted table has no words for seat %u", viewer);
        }
    }
}

static void survive(unsigned which)
{
    look();
    const struct table_due due = table_due(table);
    const struct deed time = {.kind = DEED_TIME, .passed_ms = due.ms};
    const struct deed close = {.kind = DEED_CLOSE};
    const struct deed elapse = {.kind = DEED_ELAPSE};
    if (due.kind != TABLE_DUE_NEVER) {
        decide(&time);
    }
    if (table_goes_on(table)) {
        const struct deed go_on = {.kind = DEED_GO_ON};
        decide(&go_on);
    }
    decide(&elapse);
    say_some(which);
    decide(&close);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[TABLE_BYTES_MAX];
    static unsigned char again[TABLE_BYTES_MAX];
    struct mb_error err = {0};
    if (size < HEAD - LENGTH_AT || size + LENGTH_AT + CHECK > sizeof bytes) {
        return 0;
    }
    open_once();
    const size_t length = frame(data, size, bytes);
    if (!table_decode(bytes, length, workspace, table, &err)) {
        if (err.code == MB_OK || err.text[0] == '\0') {
            fuzz_fail("refused without a reason");
        }
        return 0;
    }
    if (table_encode(table, again, sizeof again) != length || memcmp(bytes, again, length) != 0) {
        fuzz_fail("what was decoded is encoded as other bytes");
    }
    survive((unsigned)(coder_sum(data, size) % 97));
    return 0;
}
