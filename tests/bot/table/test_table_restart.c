// Whole games of bot players and people who type, played twice: as they are, and with the table
// made anew from its bytes after every deed. Nobody can tell the two apart.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/journal.h"
#include "core/seen/moves.h"

#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/table/table_codec.h"
#include "bot/tools/solo.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { ACTS_MAX = 1500, LINE_SIZE = 512, BOTH = 2 };

struct game_case {
    const char *name;
    const char *options;
    uint64_t seed;
};

static const struct game_case CASES[] = {
    {"live", "sets=classic pace=live", 1},
    {"slow", "sets=classic pace=slow turn=5m", 2},
    {"async", "sets=classic pace=async", 3},
    {"at a terminal", "sets=classic variant=shared pace=terminal", 4},
    {"epic", "sets=classic variant=epic pace=live", 5},
};

struct fixture {
    struct catalog *catalog;
    struct solo *solo[BOTH]; // the second is the one that is restarted
    struct move_list moves;
    struct mb_rng rng;
    unsigned char bytes[BOTH][TABLE_BYTES_MAX];
};

static struct solo *open_table(const struct fixture *f, const struct game_case *c)
{
    struct solo *const solo = solo_create(f->catalog);
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    assert_non_null(solo);
    solo_keep_journal(solo);
    solo_marks(solo, true);
    table_options_init(&options);
    assert_true(table_options_words(&options, f->catalog, c->options, &err));
    static const struct solo_seat SEATS[] = {{"Ann", true, NULL},
                                             {"Ruth", true, &POLICY_RUTHLESS},
                                             {"Ben", false, NULL},
                                             {"Ran", false, &POLICY_RANDOM}};
    mb_rng_seed_u64(seed, c->seed);
    assert_true(solo_begin(solo, &options, SEATS, 4, seed));
    return solo;
}

static void set_up(struct fixture *f, const struct game_case *c)
{
    uint8_t seed[32];
    memset(f, 0, sizeof *f);
    f->catalog = given_catalog();
    f->moves.items = calloc(MB_MOVES_MAX, sizeof *f->moves.items);
    f->moves.capacity = MB_MOVES_MAX;
    assert_non_null(f->moves.items);
    for (unsigned i = 0; i < BOTH; i++) {
        f->solo[i] = open_table(f, c);
    }
    solo_restart_always(f->solo[1]);
    mb_rng_seed_u64(seed, ~c->seed);
    mb_rng_init(&f->rng, seed);
}

static void tear_down(struct fixture *f)
{
    for (unsigned i = 0; i < BOTH; i++) {
        solo_destroy(f->solo[i]);
    }
    free(f->moves.items);
    catalog_destroy(f->catalog);
    free(f);
}

static void compare_said(struct fixture *f)
{
    struct message_list *const said = solo_outbox(f->solo[0]);
    struct message_list *const again = solo_outbox(f->solo[1]);
    assert_int_equal(said->count, again->count);
    for (size_t i = 0; i < said->count; i++) {
        assert_string_equal(said->items[i].text, again->items[i].text);
        assert_int_equal(said->items[i].to, again->items[i].to);
        assert_int_equal(said->items[i].seat, again->items[i].seat);
        assert_int_equal(said->items[i].pings, again->items[i].pings);
        assert_int_equal(said->items[i].refusal.code, again->items[i].refusal.code);
    }
    message_list_clear(said);
    message_list_clear(again);
}

// State, people, clocks, news and all: the bytes of the two are the same.
static void compare(struct fixture *f)
{
    if (solo_restart_failed(f->solo[1]) != NULL) {
        fail_msg("%s", solo_restart_failed(f->solo[1]));
    }
    compare_said(f);
    const size_t size = table_encode(solo_table(f->solo[0]), f->bytes[0], sizeof f->bytes[0]);
    assert_true(size > 0);
    assert_int_equal(table_encode(solo_table(f->solo[1]), f->bytes[1], sizeof f->bytes[1]), size);
    assert_memory_equal(f->bytes[0], f->bytes[1], size);
    const struct table_due due = solo_due(f->solo[0]);
    const struct table_due again = solo_due(f->solo[1]);
    assert_int_equal(due.kind, again.kind);
    assert_int_equal(due.ms, again.ms);
    assert_int_equal(due.clock_ms, again.clock_ms);
}

static void say(struct fixture *f, unsigned seat, const char *line)
{
    bool accepted[BOTH];
    for (unsigned i = 0; i < BOTH; i++) {
        accepted[i] = solo_line(f->solo[i], seat, line, NULL);
    }
    assert_int_equal(accepted[0], accepted[1]);
}

static void wait_for(struct fixture *f, int64_t ms)
{
    for (unsigned i = 0; i < BOTH; i++) {
        solo_advance(f->solo[i], ms);
    }
}

// A move that the person has, in the words that they would type.
static bool type_a_move(struct fixture *f, unsigned seat)
{
    struct table_words words;
    struct command command;
    char line[LINE_SIZE];
    solo_words(f->solo[0], seat, &words);
    f->moves.count = 0;
    f->moves.overflow = false;
    moves_list_own(words.view, words.box, seat, &f->moves);
    if (f->moves.count == 0) {
        return false;
    }
    const uint32_t which = mb_rng_below(&f->rng, f->moves.count);
    move_sample(words.view, words.box, &f->moves.items[which], &f->rng, &command);
    (void)parse_format(&words, &command, line, sizeof line);
    say(f, seat, line);
    return true;
}

static void act(struct fixture *f)
{
    static const char *const LINES[] = {"status", "hand", "moves", "log 5",  "undo",  "accept",
                                        "undo",   "hold", "pause", "resume", "stats", "table"};
    enum { LINE_COUNT = sizeof LINES / sizeof LINES[0], SMALL_MS = 700 };
    const unsigned seat = mb_rng_below(&f->rng, 2) * 2;
    const uint32_t what = mb_rng_below(&f->rng, 12);
    const struct table_due due = solo_due(f->solo[0]);
    if (what == 0) {
        say(f, seat, LINES[mb_rng_below(&f->rng, LINE_COUNT)]);
    } else if (what == 1) {
        wait_for(f, SMALL_MS);
    } else if (what < 8 && solo_state(f->solo[0]) == TABLE_RUNNING && type_a_move(f, seat)) {
        return;
    } else if (due.kind != TABLE_DUE_NEVER) {
        wait_for(f, due.ms);
    } else {
        say(f, seat, "resume");
    }
}

static void compare_journals(struct fixture *f)
{
    struct mb_error err = {0};
    char *text[BOTH];
    for (unsigned i = 0; i < BOTH; i++) {
        text[i] = journal_export(solo_journal(f->solo[i]), solo_game(f->solo[i]), &err);
        assert_non_null(text[i]);
    }
    assert_string_equal(text[0], text[1]);
    for (unsigned i = 0; i < BOTH; i++) {
        free(text[i]);
    }
}

static void a_table_made_from_its_bytes_goes_on_the_same(void **state)
{
    struct fixture *const f = malloc(sizeof *f);
    assert_non_null(f);
    set_up(f, *state);
    compare(f);
    for (unsigned i = 0; i < ACTS_MAX && solo_state(f->solo[0]) != TABLE_OVER; i++) {
        act(f);
        compare(f);
    }
    say(f, 0, "end");
    say(f, 0, "end");
    compare(f);
    compare_journals(f);
    tear_down(f);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = a_table_made_from_its_bytes_goes_on_the_same,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    return cmocka_run_group_tests_name("table_restart", tests, NULL, NULL);
}
