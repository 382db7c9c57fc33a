// Quiet hours: a table's clocks rest at night, nobody is called, and who is awake goes on; by a
// wall clock of the test's.

#include "bot/table/value/value.h"

#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/test.h"

enum { A_SECOND = 1, A_MINUTE = 60, AN_HOUR = 3600, A_DAY = 86400, SECOND_MS = 1000, DAYS = 20000 };

static const char PLACE[] = "tavern";
static const char *const NIGHTS = "new sets=classic pace=slow quiet=22-8 zone=+2";

static int set_up_on(void **state, enum stage_engine engine)
{
    (void)stage_case_open_on(state, engine);
    struct stage *const stage = stage_of(state);
    stage->wall_s =
        (int64_t)DAYS * A_DAY + (int64_t)19 * AN_HOUR + (int64_t)30 * A_MINUTE; // 21:30 in the zone
    stage_again(stage);
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

static void pass(struct stage *stage, int64_t seconds)
{
    stage->wall_s += seconds;
    stage_pass(stage, seconds * SECOND_MS);
}

static void start(struct stage *stage)
{
    static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
    stage_say(stage, PLACE, NAMES[0], NIGHTS);
    stage_say(stage, PLACE, NAMES[1], "join");
    stage_say(stage, PLACE, NAMES[2], "join");
    stage_say(stage, PLACE, NAMES[0], "start");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        stage_say(stage, PLACE, NAMES[i], "done");
    }
}

// What is left on the clock, counted with a line that winds none.
static int64_t left_ms(struct stage *stage)
{
    stage_say(stage, PLACE, "Bob",
              stage->lines % 2 == 0 ? "orders pass below 5" : "orders pass below 6");
    return table_due(stage_table(stage, PLACE)).clock_ms;
}

static bool tells(const struct stage *stage, enum text_id id)
{
    return shown(stage->chat, NULL, id, TEXT_ARGS(text_num("n", 8))) != NULL;
}

static size_t pings(const struct stage *stage)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        count += fake_message(stage->chat, i)->ping_count;
    }
    return count;
}

static void at_night_clocks_rest_and_who_is_awake_goes_on(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    const int64_t evening = left_ms(stage);
    fake_forget(stage->chat);
    pass(stage, 40 * (int64_t)A_MINUTE);
    assert_true(tells(stage, TEXT_HALL_QUIET));
    fake_forget(stage->chat);
    pass(stage, 5 * (int64_t)AN_HOUR);
    assert_int_equal(fake_count(stage->chat), 0);
    const int64_t night = left_ms(stage); // what has passed until ten is counted
    assert_in_range(evening - night, 29 * A_MINUTE * SECOND_MS, 31 * A_MINUTE * SECOND_MS);
    const struct table *const table = stage_table(stage, PLACE);
    const unsigned long steps = hall_stats(stage->hall)->steps;
    stage_say(stage, PLACE, table_seat_name(table, query_turn(table_game(table))), "kick");
    assert_int_equal(hall_stats(stage->hall)->steps, steps + 1);
    assert_int_equal(pings(stage), 0);
    const int64_t awake = left_ms(stage);
    pass(stage, AN_HOUR);
    assert_int_equal(left_ms(stage), awake);

    // Another process goes on, and nobody says a word: at ten past eight clocks have run since
    // eight.
    fake_forget(stage->chat);
    stage_restart(stage);
    pass(stage, 3 * (int64_t)AN_HOUR);
    assert_int_equal(fake_count(stage->chat), 0);
    pass(stage, AN_HOUR);
    assert_true(tells(stage, TEXT_HALL_QUIET_OVER));
    assert_false(tells(stage, TEXT_HALL_QUIET));
    assert_in_range(awake - left_ms(stage), 8 * A_MINUTE * SECOND_MS, 12 * A_MINUTE * SECOND_MS);
    fake_forget(stage->chat);
    pass(stage, 10 * (int64_t)A_MINUTE);
    assert_false(tells(stage, TEXT_HALL_QUIET_OVER));
}

static void where_no_clock_runs_night_falls_in_silence(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", NIGHTS);
    fake_forget(stage->chat);
    pass(stage, 2 * (int64_t)AN_HOUR);
    assert_int_equal(fake_count(stage->chat), 0);
}

static void a_wall_clock_that_jumps_takes_nobodys_time(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    const int64_t left = left_ms(stage);
    fake_forget(stage->chat);
    stage->wall_s += A_DAY;
    pass(stage, A_MINUTE);
    stage->wall_s -= 2 * (int64_t)A_DAY;
    pass(stage, A_MINUTE);
    assert_int_equal(fake_count(stage->chat), 0);
    pass(stage, 40 * (int64_t)A_MINUTE);
    assert_in_range(left - left_ms(stage), 28 * A_MINUTE * SECOND_MS, 35 * A_MINUTE * SECOND_MS);
}

static void without_a_wall_clock_it_is_never_quiet(void **state)
{
    struct stage *const stage = stage_of(state);
    start(stage);
    stage->wall_s = 0;
    stage_again(stage);
    fake_forget(stage->chat);
    stage_pass(stage, 40 * (int64_t)A_MINUTE * SECOND_MS);
    assert_false(tells(stage, TEXT_HALL_QUIET));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(at_night_clocks_rest_and_who_is_awake_goes_on),
        cmocka_unit_test_setup_teardown(at_night_clocks_rest_and_who_is_awake_goes_on,
                                        set_up_sqlite, stage_case_close),
        CASE(where_no_clock_runs_night_falls_in_silence),
        CASE(a_wall_clock_that_jumps_takes_nobodys_time),
        CASE(without_a_wall_clock_it_is_never_quiet),
    };
    return cmocka_run_group_tests_name("hall_quiet", tests, NULL, NULL);
}
