// A network that cannot be heard: its tables' clocks stand, whoever dies meanwhile, and show what
// is left once it is back.
#include <string.h>

#include "tests/support/stage_case.h"
#include "tests/support/test.h"

enum { PEOPLE = 3, TRIES = 400, SECOND_MS = 1000, WHILE_MS = 3000, LEAST_MS = 10000 };
#define HOUR_MS INT64_C(3600000)

static const char PLACE[] = "tavern";
static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy"};

static void tell(struct stage *stage, enum chat_in_kind kind, const char *communities)
{
    const struct chat_in in = {.kind = kind, .communities = communities};
    assert_true(fake_news(stage->chat, &in));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

// The network is lost, or found again.
static void tie(struct stage *stage, bool back)
{
    assert_true(fake_link(stage->chat, back));
    hall_hear(stage->hall);
    stage_pass(stage, 0);
}

static int set_up_on(void **state, enum stage_engine engine)
{
    (void)stage_case_open_on(state, engine);
    struct stage *const stage = stage_of(state);
    fake_can(stage->chat, FAKE_CAPS_ALL | CHAT_CAP_AFAR);
    stage_again(stage);
    tie(stage, true);
    return 0;
}

static int set_up(void **state)
{
    return set_up_on(state, STAGE_MEMORY);
}

static int set_up_sqlite(void **state)
{
    return set_up_on(state, STAGE_SQLITE);
}

static void start_at(struct stage *stage, const char *place, const char *community)
{
    static const char *const LINES[] = {"new sets=classic pace=slow", "join", "join", "start"};
    for (unsigned i = 0; i < PEOPLE + 1u; i++) {
        const struct chat_in in = {.place = place,
                                   .community = community,
                                   .person = NAMES[i % PEOPLE],
                                   .line = LINES[i],
                                   .open = true};
        stage_pass(stage, SECOND_MS);
        stage_hear(stage, stage->chat, &in);
    }
}

static int64_t left_at(struct stage *stage, const char *place)
{
    stage_say(stage, place, "Bob",
              stage->lines % 2 == 0 ? "orders pass below 5" : "orders pass below 6");
    return table_due(stage_table(stage, place)).clock_ms;
}

static void clocks_stand_while_it_is_away(void **state)
{
    struct stage *const stage = stage_of(state);
    start_at(stage, PLACE, "");
    const int64_t before = left_at(stage, PLACE);
    stage_pass(stage, HOUR_MS);
    fake_forget(stage->chat);
    tie(stage, false);
    stage_pass(stage, 20 * HOUR_MS);
    stage_restart(stage);
    stage_pass(stage, 20 * HOUR_MS);
    tie(stage, true);
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 1); // the time that is left
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 0);
    const int64_t after = left_at(stage, PLACE);
    assert_in_range(before - after, HOUR_MS, HOUR_MS + WHILE_MS);
    stage_pass(stage, HOUR_MS);
    assert_in_range(after - left_at(stage, PLACE), HOUR_MS, HOUR_MS + WHILE_MS);
}

static void a_process_that_starts_counts_as_away(void **state)
{
    struct stage *const stage = stage_of(state);
    start_at(stage, PLACE, "");
    const int64_t before = left_at(stage, PLACE);
    fake_forget(stage->chat);
    for (unsigned i = 0; i < 3; i++) { // it never gets as far as its network
        stage_restart(stage);
        stage_pass(stage, 20 * HOUR_MS);
    }
    assert_int_equal(fake_count(stage->chat), 0);
    tie(stage, true);
    assert_in_range(before - left_at(stage, PLACE), 0, WHILE_MS);
}

// What is played meanwhile, from where it is heard nevertheless, costs no time either.
static void who_is_heard_nevertheless_plays_on(void **state)
{
    struct stage *const stage = stage_of(state);
    start_at(stage, PLACE, "");
    const int64_t before = left_at(stage, PLACE);
    tell(stage, CHAT_IN_AWAY, "");
    stage_pass(stage, 20 * HOUR_MS);
    const int64_t meanwhile = left_at(stage, PLACE);
    assert_in_range(before - meanwhile, 0, WHILE_MS);
    stage_pass(stage, 20 * HOUR_MS);
    tell(stage, CHAT_IN_BACK, "");
    assert_in_range(meanwhile - left_at(stage, PLACE), 0, WHILE_MS);
}

static void a_community_stands_by_itself(void **state)
{
    struct stage *const stage = stage_of(state);
    start_at(stage, PLACE, "red");
    start_at(stage, "cellar", "blue");
    const int64_t red = left_at(stage, PLACE);
    const int64_t blue = left_at(stage, "cellar");
    tell(stage, CHAT_IN_AWAY, "green red ");
    stage_pass(stage, HOUR_MS);
    assert_in_range(blue - left_at(stage, "cellar"), HOUR_MS, HOUR_MS + WHILE_MS);
    assert_in_range(red - left_at(stage, PLACE), 0, WHILE_MS);
    stage_restart(stage);
    tie(stage, true);
    stage_pass(stage, HOUR_MS);
    tell(stage, CHAT_IN_BACK, "green red");
    assert_in_range(red - left_at(stage, PLACE), 0, 2 * WHILE_MS);
    // Nobody has told that it is back, but somebody speaks there.
    tell(stage, CHAT_IN_AWAY, "red");
    stage_pass(stage, HOUR_MS);
    const struct chat_in in = {
        .place = PLACE, .community = "red", .person = "Zoe", .line = "status", .open = true};
    stage_hear(stage, stage->chat, &in);
    const int64_t again = left_at(stage, PLACE);
    assert_in_range(red - again, 0, 3 * WHILE_MS);
    stage_pass(stage, HOUR_MS);
    assert_in_range(again - left_at(stage, PLACE), HOUR_MS, HOUR_MS + WHILE_MS);
}

/* Windows. */

static void open_window(struct stage *stage)
{
    struct mb_rng rng;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    stage_start(stage, PLACE, PEOPLE, 0);
    for (unsigned i = 0; i < TRIES; i++) {
        const struct table_due due = table_due(stage_table(stage, PLACE));
        if (due.clock == CLOCK_WINDOW && due.clock_ms > LEAST_MS) {
            return;
        }
        stage_go_on(stage, PLACE, &rng);
    }
    fail_msg("no window opens");
}

static bool is_window(const struct stage *stage)
{
    return table_due(stage_table(stage, PLACE)).clock == CLOCK_WINDOW;
}

static void leave_in_a_window(struct stage *stage)
{
    open_window(stage);
    stage_pass(stage, table_due(stage_table(stage, PLACE)).clock_ms - 2 * (int64_t)SECOND_MS);
    assert_true(is_window(stage));
    fake_forget(stage->chat);
    tie(stage, false);
}

static void come_back(struct stage *stage)
{
    stage_pass(stage, HOUR_MS);
    tie(stage, true);
    assert_true(is_window(stage));
    assert_int_equal(table_due(stage_table(stage, PLACE)).clock_ms, LEAST_MS);
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 1);
    stage_pass(stage, LEAST_MS - SECOND_MS);
    assert_true(is_window(stage));
    stage_pass(stage, 2 * (int64_t)SECOND_MS);
    assert_false(is_window(stage));
}

static void a_window_is_open_long_enough_to_be_read(void **state)
{
    struct stage *const stage = stage_of(state);
    leave_in_a_window(stage);
    come_back(stage);
}

static void and_so_it_is_when_another_process_comes_back(void **state)
{
    struct stage *const stage = stage_of(state);
    leave_in_a_window(stage);
    stage_restart(stage);
    come_back(stage);
}

// A moment without the network is no news where no clock runs.
static void a_lobby_hears_nothing_of_it(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    fake_forget(stage->chat);
    tie(stage, false);
    tie(stage, true);
    assert_int_equal(fake_count(stage->chat), 0);
}

#define CASE(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, stage_case_close),                               \
        cmocka_unit_test_setup_teardown(test, set_up_sqlite, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(clocks_stand_while_it_is_away),
        CASE(a_process_that_starts_counts_as_away),
        CASE(who_is_heard_nevertheless_plays_on),
        CASE(a_community_stands_by_itself),
        CASE(a_window_is_open_long_enough_to_be_read),
        CASE(and_so_it_is_when_another_process_comes_back),
        CASE(a_lobby_hears_nothing_of_it),
    };
    return cmocka_run_group_tests_name("hall_away", tests, NULL, NULL);
}
