// Who cannot be told a hand is not dealt in: named at the start, waited for if that helps.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";

#define SECOND_MS INT64_C(1000)

static int set_up(void **state)
{
    return stage_case_open(state);
}

static int set_up_sqlite(void **state)
{
    return stage_case_open_on(state, STAGE_SQLITE);
}

static void say(struct stage *stage, const char *person, const char *line)
{
    const struct chat_in in = {.place = PLACE, .person = person, .line = line, .open = true};
    stage_pass(stage, SECOND_MS);
    stage_hear(stage, stage->chat, &in);
}

static void open_lobby(struct stage *stage, bool dee)
{
    say(stage, "Ann", "new sets=classic");
    say(stage, "Bob", "join");
    say(stage, "Cy", "join");
    if (dee) {
        say(stage, "Dee", "join");
    }
    fake_forget(stage->chat);
}

static enum table_state state_of(struct stage *stage)
{
    const struct table *const table = stage_table(stage, PLACE);
    return table != NULL ? table_state(table) : TABLE_EMPTY;
}

static bool sits(struct stage *stage, const char *id)
{
    const struct person person = {.network = chat_name(stage->chat), .id = id};
    return table_seat_of(stage_table(stage, PLACE), &person) != NO_SEAT;
}

static void who_cannot_be_reached_is_named_and_not_dealt_in(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, true);
    fake_reach(stage->chat, "Bob", CHAT_REACH_NEVER);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_non_null(
        shown(stage->chat, NULL, TEXT_SESSION_UNREACHED, TEXT_ARGS(text_str("who", "Bob"))));
    assert_false(sits(stage, "Bob"));
    assert_true(sits(stage, "Dee"));
    assert_null(fake_find(stage->chat, "Bob", "Your hand"));
    assert_non_null(fake_find(stage->chat, "Dee", "Your hand"));
}

static void the_host_may_be_the_one(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, true);
    fake_reach(stage->chat, "Ann", CHAT_REACH_NEVER);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_false(sits(stage, "Ann"));
    assert_non_null(shown(stage->chat, NULL, TEXT_SESSION_HOST, TEXT_ARGS(text_str("who", "Bob"))));
}

static void too_few_are_told_who_is_missing(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, false);
    fake_reach(stage->chat, "Bob", CHAT_REACH_NEVER);
    fake_reach(stage->chat, "Cy", CHAT_REACH_NEVER);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    assert_non_null(shown(stage->chat, "Ann", TEXT_SESSION_UNREACHED_FEW,
                          TEXT_ARGS(text_str("who", "Bob and Cy"))));
    assert_true(sits(stage, "Bob"));
    fake_reach(stage->chat, "Bob", 0);
    fake_reach(stage->chat, "Cy", 0);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
}

// A room that is limited comes: it is said for how long that takes.
static void who_can_be_reached_soon_is_waited_for(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, false);
    fake_reach(stage->chat, "Bob", 40 * SECOND_MS - 1);
    fake_reach(stage->chat, "Cy", 1);
    say(stage, "Ann", "start");
    assert_non_null(shown(stage->chat, NULL, TEXT_SESSION_REACHING,
                          TEXT_ARGS(text_str("who", "Bob"), text_num("n", 40))));
    fake_reach(stage->chat, "Cy", 0);
    stage_pass(stage, 30 * SECOND_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    say(stage, "Ann", "start"); // it is dealing: once is enough
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    fake_reach(stage->chat, "Bob", 0);
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_true(sits(stage, "Bob"));
    assert_non_null(fake_newest(stage->chat, CHAT_HAND, PLACE, "Bob"));
}

// They have an invitation: they are named, and waited for until they come.
static void who_has_not_entered_their_hand_room_is_called(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, true);
    fake_reach(stage->chat, "Dee", CHAT_REACH_INVITED);
    say(stage, "Ann", "start");
    assert_non_null(
        shown(stage->chat, NULL, TEXT_SESSION_INVITED, TEXT_ARGS(text_str("who", "Dee"))));
    stage_pass(stage, 30 * SECOND_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    fake_reach(stage->chat, "Dee", 0);
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_true(sits(stage, "Dee"));
}

static void the_host_can_deal_without_them(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, true);
    fake_reach(stage->chat, "Dee", CHAT_REACH_INVITED);
    say(stage, "Ann", "start");
    say(stage, "Bob", "start"); // not the host
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    say(stage, "Ann", "start");
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_false(sits(stage, "Dee"));
    assert_non_null(
        shown(stage->chat, NULL, TEXT_SESSION_UNREACHED, TEXT_ARGS(text_str("who", "Dee"))));
}

static void a_short_wait_is_not_worth_a_word(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, false);
    fake_reach(stage->chat, "Bob", SECOND_MS);
    say(stage, "Ann", "start");
    assert_null(shown(stage->chat, NULL, TEXT_SESSION_REACHING, NULL));
    fake_reach(stage->chat, "Bob", 0);
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
}

static void nobody_is_waited_for_without_end(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, true);
    fake_reach(stage->chat, "Dee", SECOND_MS);
    say(stage, "Ann", "start");
    stage_pass(stage, HALL_REACH_MS - SECOND_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    stage_pass(stage, 2 * SECOND_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_non_null(
        shown(stage->chat, NULL, TEXT_SESSION_UNREACHED, TEXT_ARGS(text_str("who", "Dee"))));
    assert_false(sits(stage, "Dee"));
}

// Meanwhile the room was refused, and too few are left: nothing is dealt, and it can be tried
// again.
static void a_wait_in_vain_leaves_the_lobby(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, false);
    fake_reach(stage->chat, "Bob", SECOND_MS);
    fake_reach(stage->chat, "Cy", SECOND_MS);
    say(stage, "Ann", "start");
    fake_reach(stage->chat, "Bob", CHAT_REACH_NEVER);
    fake_reach(stage->chat, "Cy", CHAT_REACH_NEVER);
    stage_pass(stage, HALL_REACH_LOOK_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    assert_non_null(shown(stage->chat, NULL, TEXT_SESSION_UNREACHED_FEW,
                          TEXT_ARGS(text_str("who", "Bob and Cy"))));
    fake_reach(stage->chat, "Bob", 0);
    fake_reach(stage->chat, "Cy", 0);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
}

static void a_restart_in_between_deals_all_the_same(void **state)
{
    struct stage *const stage = stage_of(state);
    open_lobby(stage, false);
    fake_reach(stage->chat, "Bob", 40 * SECOND_MS);
    say(stage, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    stage_restart(stage);
    fake_reach(stage->chat, "Bob", 0);
    stage_pass(stage, 2 * SECOND_MS);
    say(stage, "Zoe", "status");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
}

#define CASE(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, stage_case_close),                               \
        cmocka_unit_test_setup_teardown(test, set_up_sqlite, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(who_cannot_be_reached_is_named_and_not_dealt_in),
        CASE(the_host_may_be_the_one),
        CASE(who_has_not_entered_their_hand_room_is_called),
        CASE(the_host_can_deal_without_them),
        CASE(too_few_are_told_who_is_missing),
        CASE(who_can_be_reached_soon_is_waited_for),
        CASE(a_short_wait_is_not_worth_a_word),
        CASE(nobody_is_waited_for_without_end),
        CASE(a_wait_in_vain_leaves_the_lobby),
        CASE(a_restart_in_between_deals_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
