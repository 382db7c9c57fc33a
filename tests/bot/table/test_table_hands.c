// Whole games of people who type, at two tables: at one, rows that were worded before are kept; the
// other is made from its bytes each time and words all anew. Nobody can tell the two apart, and
// each hand that was shown says what it would say now.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seen/moves.h"

#include "bot/chat.h"
#include "bot/parse/parse.h"
#include "bot/policy/policy.h"
#include "bot/table/table_codec.h"
#include "bot/table/value/value.h"
#include "bot/table/workspace.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { ACTS_MAX = 700, PEOPLE = 4, BOTH = 2, LINE_SIZE = 512, WAIT_MS = 5000, TEXT_SIZE = 16384 };

static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};

struct game_case {
    const char *name;
    const char *options;
    uint64_t seed;
    uint32_t caps; // beyond those of every chat with buttons
};

static const struct game_case CASES[] = {
    {"classic", "new sets=classic", 1, 0},
    {"slow", "new sets=classic pace=slow", 2, 0},
    {"shared", "new sets=classic variant=shared", 3, CHAT_CAP_BUTTONS},
    {"epic", "new sets=classic variant=epic", 4, 0},
    {"async", "new sets=classic pace=async", 5, CHAT_CAP_BUTTONS},
    {"classic again", "new sets=classic", 6, CHAT_CAP_BUTTONS},
    {"shared again", "new sets=classic variant=shared", 7, 0},
    {"numbers", "new sets=classic", 8, CHAT_CAP_NUMBERS},
};

/** A table with its outcome. */
struct twin {
    struct table_workspace *ws;
    struct table *table;
    struct table_outcome outcome;
    uint64_t stamp;
    unsigned char bytes[TABLE_BYTES_MAX];
    size_t size;
};

struct hands {
    struct catalog *catalog;
    struct library *library;
    struct twin sides[BOTH];
    struct move_list moves;
    struct mb_rng rng;
    uint32_t caps;
    unsigned long hands;           // that were shown
    char shown[PEOPLE][TEXT_SIZE]; // the latest of each
};

static void set_up(struct hands *f, uint64_t seed, uint32_t caps)
{
    uint8_t key[32];
    memset(f, 0, sizeof *f);
    f->caps = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | caps;
    f->catalog = given_catalog();
    f->library = library_create(f->catalog);
    f->moves.items = calloc(MB_MOVES_MAX, sizeof *f->moves.items);
    f->moves.capacity = MB_MOVES_MAX;
    assert_non_null(f->moves.items);
    for (unsigned i = 0; i < BOTH; i++) {
        struct twin *const side = &f->sides[i];
        side->ws = table_workspace_create(f->library);
        side->table = calloc(1, table_size());
        assert_non_null(side->table);
        table_outcome_init(&side->outcome);
        table_workspace_chat(side->ws, "fake", f->caps);
        table_init(side->table, "t");
        table_add_site(side->table, "fake", "room", "room");
        side->stamp = table_workspace_stamp(side->ws);
    }
    mb_rng_seed_u64(key, seed);
    mb_rng_init(&f->rng, key);
}

static void tear_down(struct hands *f)
{
    for (unsigned i = 0; i < BOTH; i++) {
        table_outcome_finish(&f->sides[i].outcome);
        table_workspace_destroy(f->sides[i].ws);
        free(f->sides[i].table);
    }
    free(f->moves.items);
    library_destroy(f->library);
    catalog_destroy(f->catalog);
    free(f);
}

// Made from its bytes, and with no row that was worded before.
static void forget(struct twin *side)
{
    struct mb_error err = {0};
    if (side->size > 0 && !table_decode(side->bytes, side->size, side->ws, side->table, &err)) {
        fail_msg("%s", err.text);
    }
    side->stamp = table_workspace_stamp(side->ws);
    row_memo_empty(&side->ws->rows);
}

static void decide(struct twin *side, const struct deed *deed)
{
    if (table_decide(side->table, side->stamp, deed, side->ws, &side->outcome) == TABLE_CHANGED) {
        table_show(side->ws, &side->outcome);
        struct table *const before = side->table;
        side->table = side->outcome.after;
        side->outcome.after = before;
        side->stamp = side->outcome.stamp;
    }
}

static void compare_controls(const struct message *a, const struct message *b)
{
    assert_int_equal(a->control_count, b->control_count);
    for (size_t i = 0; i < a->control_count; i++) {
        const struct chat_control *const one = &a->controls[i];
        const struct chat_control *const other = &b->controls[i];
        assert_string_equal(one->label, other->label);
        assert_string_equal(one->line, other->line);
        assert_int_equal(one->choice_count, other->choice_count);
        for (size_t j = 0; j < one->choice_count; j++) {
            assert_string_equal(one->choices[j].label, other->choices[j].label);
            assert_string_equal(one->choices[j].line, other->choices[j].line);
            assert_string_equal(one->choices[j].leads, other->choices[j].leads);
        }
    }
}

static void compare(struct hands *f)
{
    const struct message_list *const said = &f->sides[0].outcome.said;
    const struct message_list *const again = &f->sides[1].outcome.said;
    assert_int_equal(said->count, again->count);
    for (size_t i = 0; i < said->count; i++) {
        assert_string_equal(said->items[i].text, again->items[i].text);
        assert_int_equal(said->items[i].to, again->items[i].to);
        assert_int_equal(said->items[i].seat, again->items[i].seat);
        assert_int_equal(said->items[i].version, again->items[i].version);
        assert_int_equal(said->items[i].decision, again->items[i].decision);
        compare_controls(&said->items[i], &again->items[i]);
        f->hands += said->items[i].to == MESSAGE_HAND ? 1 : 0;
    }
    for (unsigned i = 0; i < BOTH; i++) {
        struct twin *const side = &f->sides[i];
        side->size = table_encode(side->table, side->bytes, sizeof side->bytes);
        assert_true(side->size > 0);
    }
    assert_int_equal(f->sides[0].size, f->sides[1].size);
    assert_memory_equal(f->sides[0].bytes, f->sides[1].bytes, f->sides[0].size);
}

// What each was shown last is what they would be shown now.
static void check_shown(struct hands *f)
{
    struct twin *const side = &f->sides[0];
    for (size_t i = 0; i < side->outcome.said.count; i++) {
        const struct message *const message = &side->outcome.said.items[i];
        if (message->to == MESSAGE_HAND) {
            (void)snprintf(f->shown[message->seat], TEXT_SIZE, "%s", message->text);
        }
    }
    for (unsigned seat = 0; seat < PEOPLE && table_state(side->table) == TABLE_RUNNING; seat++) {
        struct message_list said = {.items = NULL};
        assert_true(
            table_show_again(side->ws, side->table, side->stamp, MESSAGE_HAND, seat, &said));
        assert_int_equal(said.count, 1);
        assert_string_equal(said.items[0].text, f->shown[seat]);
        message_list_finish(&said);
    }
}

static void both(struct hands *f, const struct deed *deed)
{
    forget(&f->sides[1]);
    for (unsigned i = 0; i < BOTH; i++) {
        decide(&f->sides[i], deed);
    }
    compare(f);
    check_shown(f);
}

static void say(struct hands *f, unsigned seat, const char *line)
{
    uint8_t chance[TABLE_CHANCE_SIZE];
    mb_rng_seed_u64(chance, 7);
    const struct deed deed = {.kind = DEED_LINE,
                              .person = {.network = "fake", .id = NAMES[seat], .name = NAMES[seat]},
                              .line = line,
                              .chance = chance};
    both(f, &deed);
}

static bool table_is_running(const struct hands *f)
{
    return table_state(f->sides[0].table) == TABLE_RUNNING;
}

// A random legal command of a seat, as a line.
static bool say_a_move(struct hands *f, unsigned seat)
{
    struct twin *const side = &f->sides[0];
    struct table_words words;
    struct command command;
    char line[LINE_SIZE];
    assert_true(table_words(side->table, side->stamp, side->ws, seat, &words));
    f->moves.count = 0;
    f->moves.overflow = false;
    moves_list(words.view, words.box, seat, &f->moves);
    const struct policy_input input = {
        .view = words.view, .box = words.box, .moves = &f->moves, .seat = seat, .rng = &f->rng};
    if (f->moves.count == 0 || !POLICY_RANDOM.choose(&input, &command)) {
        return false;
    }
    (void)parse_format(&words, &command, line, sizeof line);
    say(f, seat, line);
    return true;
}

static void act(struct hands *f)
{
    const struct table_due due = table_due(f->sides[0].table);
    const unsigned seat = mb_rng_below(&f->rng, PEOPLE);
    const bool asked = (due.seats & seat_bit(seat)) != 0;
    if (mb_rng_below(&f->rng, 40) == 0) {
        say(f, seat, "undo");
    } else if ((!asked && mb_rng_below(&f->rng, 6) != 0) || !say_a_move(f, seat)) {
        const bool waits = due.kind != TABLE_DUE_NEVER && due.seats == 0;
        const struct deed deed = {.kind = DEED_TIME, .passed_ms = waits ? due.ms : WAIT_MS};
        both(f, &deed);
    }
}

static void hands_say_what_they_would_say_made_anew(void **state)
{
    const struct game_case *const c = *state;
    struct hands *const f = malloc(sizeof *f);
    uint8_t chance[TABLE_CHANCE_SIZE];
    assert_non_null(f);
    mb_rng_seed_u64(chance, 7);
    set_up(f, c->seed, c->caps);
    say(f, 0, c->options);
    for (unsigned i = 1; i < PEOPLE; i++) {
        say(f, i, "join");
    }
    say(f, 0, "start");
    both(f, &(struct deed){.kind = DEED_DEAL, .delivered = "m1", .chance = chance});
    for (unsigned i = 0; i < ACTS_MAX && table_is_running(f); i++) {
        act(f);
    }
    assert_true(f->hands > PEOPLE);
    tear_down(f);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = hands_say_what_they_would_say_made_anew,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    return cmocka_run_group_tests_name("table_hands", tests, NULL, NULL);
}
