// What an account sends next: order, what is awaited most, the server's pace.
#include <stdio.h>

#include "adapters/matrix/say/outlet.h"

#include "tests/support/test.h"

static struct chat_figures figures(const struct outlet *outlet)
{
    struct chat_figures out = {.away = NULL};
    outlet_figures(outlet, 0, &out);
    return out;
}

static int make(void **state)
{
    *state = outlet_create();
    return 0;
}

static int finish(void **state)
{
    outlet_destroy(*state);
    return 0;
}

static uint64_t add(struct outlet *outlet, uint64_t number, const char *room,
                    enum outlet_urgency urgency)
{
    uint64_t gone = 0;
    const struct outlet_item item = {.number = number, .room = room, .urgency = urgency};
    outlet_add(outlet, &item, 0, &gone);
    return gone;
}

// Of a table at which a game goes on.
static void add_live(struct outlet *outlet, uint64_t number, const char *room,
                     enum outlet_urgency urgency)
{
    uint64_t gone = 0;
    const struct outlet_item item = {
        .number = number, .room = room, .urgency = urgency, .live = true};
    outlet_add(outlet, &item, 0, &gone);
}

static void in_order_within_a_room_one_at_a_time(void **state)
{
    struct outlet *const outlet = *state;
    add(outlet, 1, "!a", OUTLET_TABLE);
    add(outlet, 2, "!a", OUTLET_PROMPT);
    add(outlet, 3, "!b", OUTLET_OTHER);
    assert_int_equal(outlet_next(outlet, 0), 1); // it is in the way of what asks somebody
    assert_int_equal(outlet_next(outlet, 0), 3);
    assert_int_equal(outlet_next(outlet, 0), 0);
    outlet_done(outlet, 1, OUTLET_SENT, 0, 0);
    assert_int_equal(outlet_next(outlet, 0), 2);
    outlet_done(outlet, 2, OUTLET_SENT, 0, 0);
    outlet_done(outlet, 3, OUTLET_SENT, 0, 0);
    assert_int_equal(figures(outlet).waiting, 0);
    assert_int_equal(outlet_due_ms(outlet, 0), -1);
}

static void what_is_awaited_goes_first(void **state)
{
    struct outlet *const outlet = *state;
    add(outlet, 1, "!a", OUTLET_OTHER);
    add(outlet, 2, "!b", OUTLET_TABLE);
    add(outlet, 3, "!c", OUTLET_REPLY);
    add(outlet, 4, "!d", OUTLET_AWAITED);
    add(outlet, 5, "!e", OUTLET_PROMPT);
    for (uint64_t wanted = 5; wanted > 0; wanted--) {
        assert_int_equal(outlet_next(outlet, 0), wanted);
    }
}

static void an_old_hand_that_is_awaited_goes_before_all(void **state)
{
    struct outlet *const outlet = *state;
    add(outlet, 1, "!a", OUTLET_AWAITED);
    add(outlet, 2, "!b", OUTLET_PROMPT);
    assert_int_equal(outlet_next(outlet, 8000), 1);
}

static void a_newer_form_takes_the_place_of_one_never_tried(void **state)
{
    struct outlet *const outlet = *state;
    uint64_t gone = 0;
    struct outlet_item item = {
        .number = 1, .room = "!a", .replaces = "$card", .urgency = OUTLET_PROMPT};
    outlet_add(outlet, &item, 0, &gone);
    item.number = 2;
    item.urgency = OUTLET_TABLE;
    outlet_add(outlet, &item, 0, &gone);
    assert_int_equal(gone, 1);
    assert_int_equal(outlet_next(outlet, 0), 2);
    item.number = 3;
    outlet_add(outlet, &item, 0, &gone); // 2 may have been shown
    assert_int_equal(gone, 0);
    assert_int_equal(figures(outlet).waiting, 2);
}

static void too_many_rests_the_account_and_teaches_a_pace(void **state)
{
    struct outlet *const outlet = *state;
    int64_t now = 1000;
    add(outlet, 1, "!a", OUTLET_TABLE);
    add(outlet, 2, "!b", OUTLET_TABLE);
    assert_int_equal(outlet_next(outlet, now), 1);
    assert_int_equal(figures(outlet).limited, 0);
    outlet_done(outlet, 1, OUTLET_TOO_MANY, 4000, now);
    assert_int_equal(figures(outlet).limited, 1);
    assert_int_equal(outlet_next(outlet, now), 0);
    now = outlet_due_ms(outlet, now);
    assert_int_equal(now, 5000);
    assert_int_equal(outlet_next(outlet, now), 1);
    outlet_done(outlet, 1, OUTLET_SENT, 0, now);
    assert_int_equal(outlet_next(outlet, now), 0);
    now = outlet_due_ms(outlet, now);
    assert_in_range(now, 5001, 12000);
    assert_int_equal(outlet_next(outlet, now - 1), 0);
    assert_int_equal(outlet_next(outlet, now), 2);
}

// What was on its way when the server said it says nothing more of the pace.
static void too_many_at_once_are_one_lesson(void **state)
{
    struct outlet *const outlet = *state;
    add(outlet, 1, "!a", OUTLET_PROMPT);
    add(outlet, 2, "!b", OUTLET_PROMPT);
    add(outlet, 3, "!c", OUTLET_PROMPT);
    assert_int_equal(outlet_next(outlet, 0), 1);
    assert_int_equal(outlet_next(outlet, 0), 2);
    assert_int_equal(outlet_next(outlet, 0), 3);
    outlet_done(outlet, 1, OUTLET_TOO_MANY, 5000, 100);
    outlet_done(outlet, 2, OUTLET_TOO_MANY, 4950, 150);
    outlet_done(outlet, 3, OUTLET_TOO_MANY, 5900, 200); // the longer rest counts
    assert_int_equal(outlet_due_ms(outlet, 200), 6100);
    for (unsigned i = 1; i <= 3; i++) {
        const int64_t now = 6100 + (int64_t)(i - 1) * 5000;
        assert_int_equal(outlet_next(outlet, now - 1), 0);
        assert_int_equal(outlet_next(outlet, now), i);
        outlet_done(outlet, i, OUTLET_SENT, 0, now);
    }
}

static void what_failed_goes_again_before_others_of_its_room(void **state)
{
    struct outlet *const outlet = *state;
    add(outlet, 1, "!a", OUTLET_TABLE);
    add(outlet, 2, "!a", OUTLET_TABLE);
    assert_int_equal(outlet_next(outlet, 0), 1);
    outlet_done(outlet, 1, OUTLET_AGAIN, 1000, 0);
    assert_int_equal(outlet_next(outlet, 999), 0);
    assert_int_equal(outlet_due_ms(outlet, 0), 1000);
    assert_int_equal(outlet_next(outlet, 1000), 1);
}

// One event for what is said to one person in one moment; sent again it is the same.
static void what_joins_goes_together(void **state)
{
    struct outlet *const outlet = *state;
    uint64_t numbers[OUTLET_TOGETHER_MAX];
    uint64_t gone = 0;
    for (uint64_t number = 1; number <= 3; number++) {
        const struct outlet_item item = {.number = number,
                                         .room = number == 2 ? "!b" : "!a",
                                         .urgency = OUTLET_REPLY,
                                         .joins = true};
        outlet_add(outlet, &item, 0, &gone);
    }
    assert_int_equal(outlet_next(outlet, 0), 1);
    assert_int_equal(outlet_together(outlet, 1, numbers), 2);
    assert_int_equal(numbers[0], 1);
    assert_int_equal(numbers[1], 3);
    assert_int_equal(outlet_next(outlet, 0), 2);
    outlet_done(outlet, 1, OUTLET_AGAIN, 1000, 0);
    const struct outlet_item later = {
        .number = 4, .room = "!a", .urgency = OUTLET_REPLY, .joins = true};
    outlet_add(outlet, &later, 500, &gone);
    assert_int_equal(outlet_next(outlet, 1000), 1);
    assert_int_equal(outlet_together(outlet, 1, numbers), 2); // not the one that came later
    outlet_done(outlet, 1, OUTLET_SENT, 0, 1000);
    assert_int_equal(outlet_next(outlet, 1000), 4);
}

// A server that lets one event go each five seconds, and none is left.
static int64_t make_scarce(struct outlet *outlet)
{
    add(outlet, 100, "!first", OUTLET_TABLE);
    assert_int_equal(outlet_next(outlet, 0), 100);
    outlet_done(outlet, 100, OUTLET_TOO_MANY, 5000, 0);
    assert_int_equal(outlet_next(outlet, 5000), 100);
    outlet_done(outlet, 100, OUTLET_SENT, 0, 5000);
    return 5000;
}

static void other_hands_wait_for_what_is_to_spare(void **state)
{
    struct outlet *const outlet = *state;
    const int64_t now = make_scarce(outlet);
    add(outlet, 1, "!a", OUTLET_OTHER);
    add(outlet, 2, "!b", OUTLET_AWAITED);
    assert_int_equal(outlet_next(outlet, now + 5000), 2);
    outlet_done(outlet, 2, OUTLET_SENT, 0, now + 5000);
    assert_int_equal(outlet_next(outlet, now + 15000), 0);
    const int64_t due = outlet_due_ms(outlet, now + 15000);
    assert_in_range(due, now + 20000, now + 45000);
    assert_int_equal(outlet_next(outlet, due), 1);
}

// It has waited since somebody waits for it: a new prompt goes before it.
static void a_hand_that_comes_to_be_awaited_is_not_old(void **state)
{
    struct outlet *const outlet = *state;
    const int64_t now = make_scarce(outlet);
    add(outlet, 1, "!a", OUTLET_OTHER);
    add(outlet, 2, "!b", OUTLET_TABLE);
    assert_int_equal(outlet_next(outlet, now), 0);
    outlet_hasten(outlet, "!a", now + 9500);
    add(outlet, 3, "!c", OUTLET_PROMPT);
    assert_int_equal(outlet_next(outlet, now + 9500), 3);
    assert_int_equal(outlet_next(outlet, now + 10000), 1);
}

static void a_table_that_asks_nobody_anew_waits_for_its_next_form(void **state)
{
    struct outlet *const outlet = *state;
    uint64_t gone = 0;
    const int64_t now = make_scarce(outlet);
    struct outlet_item item = {
        .number = 1, .room = "!a", .replaces = "$card", .urgency = OUTLET_TABLE};
    outlet_add(outlet, &item, now, &gone);
    assert_int_equal(outlet_next(outlet, now + 5000), 0);
    assert_int_equal(outlet_due_ms(outlet, now + 5000), now + 10000);
    item.number = 2;
    outlet_add(outlet, &item, now + 6000, &gone);
    assert_int_equal(gone, 1);
    assert_int_equal(outlet_next(outlet, now + 9999), 0);
    assert_int_equal(outlet_next(outlet, now + 10000), 2); // no longer than the first could
    outlet_done(outlet, 2, OUTLET_SENT, 0, now + 10000);
    item.number = 3;
    outlet_add(outlet, &item, now + 20000, &gone); // events enough for both
    assert_int_equal(outlet_next(outlet, now + 20000), 3);
}

static void a_reply_waits_for_the_hand_that_goes_with_it(void **state)
{
    struct outlet *const outlet = *state;
    uint64_t numbers[OUTLET_TOGETHER_MAX];
    uint64_t gone = 0;
    int64_t now = make_scarce(outlet) + 5000;
    const struct outlet_item reply = {
        .number = 1, .room = "!a", .urgency = OUTLET_REPLY, .joins = true};
    outlet_add(outlet, &reply, now, &gone);
    assert_int_equal(outlet_next(outlet, now), 0);
    assert_int_equal(outlet_due_ms(outlet, now), now + OUTLET_TOGETHER_MS);
    now += 1000;
    const struct outlet_item hand = {
        .number = 2, .room = "!a", .urgency = OUTLET_AWAITED, .joins = true};
    outlet_add(outlet, &hand, now, &gone);
    assert_int_equal(outlet_next(outlet, now), 1);
    assert_int_equal(outlet_together(outlet, 1, numbers), 2);
}

static void many_tables_change_only_when_somebody_is_asked(void **state)
{
    struct outlet *const outlet = *state;
    const int64_t now = make_scarce(outlet);
    add(outlet, 3, "!lobby", OUTLET_PROMPT); // costs others little: somebody may open as many
    assert_int_equal(outlet_next(outlet, now + 5000), 3);
    outlet_done(outlet, 3, OUTLET_SENT, 0, now);
    add_live(outlet, 4, "!a", OUTLET_PROMPT);
    assert_int_equal(outlet_next(outlet, now + 10000), 4);
    outlet_done(outlet, 4, OUTLET_SENT, 0, now);
    add_live(outlet, 1, "!b", OUTLET_TABLE);
    assert_false(outlet_is_crowded(outlet, now));
    add_live(outlet, 2, "!c", OUTLET_PROMPT);
    assert_true(outlet_is_crowded(outlet, now));
    assert_int_equal(outlet_next(outlet, now + 15000), 2);
    outlet_done(outlet, 2, OUTLET_SENT, 0, now + 15000);
    assert_int_equal(outlet_next(outlet, now + 20000), 0);
    assert_int_equal(outlet_next(outlet, now + 55000), 1);
}

/* Shares. */

// Says of what account the next event is.
struct said {
    uint64_t number;
    const char *room, *share, *cause;
    enum outlet_urgency urgency;
    bool live, apart;
};

static void put(struct outlet *outlet, const struct said *said, int64_t now_ms)
{
    uint64_t gone = 0;
    const struct outlet_item item = {.number = said->number,
                                     .room = said->room,
                                     .share = said->share,
                                     .cause = said->cause,
                                     .urgency = said->urgency,
                                     .live = said->live,
                                     .apart = said->apart};
    outlet_add(outlet, &item, now_ms, &gone);
}

// What goes at the given time, and is delivered at once.
static uint64_t take(struct outlet *outlet, int64_t now_ms)
{
    const uint64_t number = outlet_next(outlet, now_ms);
    if (number != 0) {
        outlet_done(outlet, number, OUTLET_SENT, 0, now_ms);
    }
    return number;
}

// One event each five seconds, until that one has gone: how many went before it.
static unsigned until(struct outlet *outlet, uint64_t number, int64_t *now_ms)
{
    unsigned before = 0;
    for (;;) {
        *now_ms += 5000;
        const uint64_t next = take(outlet, *now_ms);
        if (next == number) {
            return before;
        }
        before += next != 0 ? 1 : 0;
        assert_true(before < 1000);
    }
}

static void a_flood_in_a_room_does_not_hold_up_what_is_said_elsewhere(void **state)
{
    struct outlet *const outlet = *state;
    int64_t now = make_scarce(outlet);
    for (uint64_t i = 1; i <= 118; i++) {
        put(outlet, &(const struct said){.number = i, .room = "!own", .share = "@eve"}, now);
    }
    now += 60000; // all of that is old, and more was sent
    for (unsigned i = 0; i < 12; i++) {
        assert_int_not_equal(take(outlet, now), 0);
        now += 5000;
    }
    put(outlet,
        &(const struct said){.number = 200, .room = "!b", .share = "@ann", .urgency = OUTLET_REPLY},
        now);
    assert_true(until(outlet, 200, &now) <= OUTLET_AHEAD + 1);
}

static void live_tables_go_first_and_one_event_in_four_is_for_others(void **state)
{
    struct outlet *const outlet = *state;
    int64_t now = make_scarce(outlet);
    unsigned others = 0;
    for (uint64_t i = 1; i <= 45; i++) {
        char room[8];
        (void)snprintf(room, sizeof room, "!%u", (unsigned)i);
        put(outlet, &(const struct said){.number = i, .room = room, .urgency = OUTLET_OTHER}, now);
    }
    for (uint64_t i = 101; i <= 140; i++) { // as fast as the account may, somebody is asked
        put(outlet,
            &(const struct said){
                .number = i, .room = "!t", .share = "t", .urgency = OUTLET_PROMPT, .live = true},
            now);
        const unsigned before = until(outlet, i, &now);
        assert_true(before <= 1);
        others += before;
    }
    assert_in_range(others, 10, 14); // a third more: within 1.5 times
}

static void at_a_table_nobody_gets_ahead_of_the_others(void **state)
{
    struct outlet *const outlet = *state;
    int64_t now = make_scarce(outlet);
    for (uint64_t i = 1; i <= 30; i++) {
        put(outlet,
            &(const struct said){.number = i,
                                 .room = "!hand of Eve",
                                 .share = "t",
                                 .cause = "@eve",
                                 .urgency = OUTLET_REPLY,
                                 .live = true},
            now);
    }
    for (unsigned i = 0; i < 10; i++) {
        now += 5000;
        assert_int_not_equal(take(outlet, now), 0);
    }
    put(outlet,
        &(const struct said){.number = 50,
                             .room = "!hand of Ann",
                             .share = "t",
                             .cause = "@ann",
                             .urgency = OUTLET_REPLY,
                             .live = true},
        now);
    assert_true(until(outlet, 50, &now) <= OUTLET_AHEAD + 1);
}

// Answers to somebody who looks on stand in the room, but not in the way.
static void what_is_apart_waits_for_nothing_else_of_its_room(void **state)
{
    struct outlet *const outlet = *state;
    int64_t now = make_scarce(outlet);
    for (uint64_t i = 1; i <= 10; i++) {
        put(outlet,
            &(const struct said){
                .number = i, .room = "!t", .share = "@eve", .urgency = OUTLET_REPLY, .apart = true},
            now);
    }
    put(outlet,
        &(const struct said){
            .number = 50, .room = "!t", .share = "t", .urgency = OUTLET_PROMPT, .live = true},
        now);
    assert_int_equal(until(outlet, 50, &now), 0);
    assert_int_equal(until(outlet, 10, &now), 9); // in their own order
}

static void a_share_has_a_bound(void **state)
{
    struct outlet *const outlet = *state;
    const int64_t now = make_scarce(outlet);
    for (uint64_t i = 1; i <= OUTLET_OTHER_MAX; i++) {
        assert_false(outlet_is_full(outlet, "@eve", false));
        put(outlet, &(const struct said){.number = i, .room = "!own", .share = "@eve"}, now);
    }
    assert_true(outlet_is_full(outlet, "@eve", false));
    assert_false(outlet_is_full(outlet, "@ann", false));
    assert_false(outlet_is_full(outlet, "@eve", true));
    assert_int_not_equal(take(outlet, now + 20000), 0);
    assert_false(outlet_is_full(outlet, "@eve", false));
}

// The card of a lobby waits among what its host causes, that of its game among tables.
static void a_card_changes_its_share_when_its_game_begins(void **state)
{
    struct outlet *const outlet = *state;
    const int64_t now = make_scarce(outlet);
    struct outlet_item item = {
        .number = 1, .room = "!a", .replaces = "$card", .share = "@ann", .urgency = OUTLET_TABLE};
    uint64_t gone = 0;
    outlet_add(outlet, &item, now, &gone);
    for (uint64_t i = 2; i <= OUTLET_OTHER_MAX; i++) {
        put(outlet, &(const struct said){.number = i, .room = "!own", .share = "@ann"}, now);
    }
    assert_true(outlet_is_full(outlet, "@ann", false));
    item.number = OUTLET_OTHER_MAX + 1;
    item.share = "table";
    item.live = true;
    outlet_add(outlet, &item, now, &gone);
    assert_int_equal(gone, 1);
    assert_false(outlet_is_full(outlet, "@ann", false));
    for (uint64_t i = 1; i < OUTLET_LIVE_MAX; i++) {
        item.number++;
        item.replaces = NULL;
        assert_false(outlet_is_full(outlet, "table", true));
        outlet_add(outlet, &item, now, &gone);
    }
    assert_true(outlet_is_full(outlet, "table", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_joins_goes_together, make, finish),
        cmocka_unit_test_setup_teardown(a_flood_in_a_room_does_not_hold_up_what_is_said_elsewhere,
                                        make, finish),
        cmocka_unit_test_setup_teardown(live_tables_go_first_and_one_event_in_four_is_for_others,
                                        make, finish),
        cmocka_unit_test_setup_teardown(at_a_table_nobody_gets_ahead_of_the_others, make, finish),
        cmocka_unit_test_setup_teardown(what_is_apart_waits_for_nothing_else_of_its_room, make,
                                        finish),
        cmocka_unit_test_setup_teardown(a_share_has_a_bound, make, finish),
        cmocka_unit_test_setup_teardown(a_card_changes_its_share_when_its_game_begins, make,
                                        finish),
        cmocka_unit_test_setup_teardown(other_hands_wait_for_what_is_to_spare, make, finish),
        cmocka_unit_test_setup_teardown(a_reply_waits_for_the_hand_that_goes_with_it, make, finish),
        cmocka_unit_test_setup_teardown(many_tables_change_only_when_somebody_is_asked, make,
                                        finish),
        cmocka_unit_test_setup_teardown(in_order_within_a_room_one_at_a_time, make, finish),
        cmocka_unit_test_setup_teardown(what_is_awaited_goes_first, make, finish),
        cmocka_unit_test_setup_teardown(an_old_hand_that_is_awaited_goes_before_all, make, finish),
        cmocka_unit_test_setup_teardown(a_newer_form_takes_the_place_of_one_never_tried, make,
                                        finish),
        cmocka_unit_test_setup_teardown(too_many_rests_the_account_and_teaches_a_pace, make,
                                        finish),
        cmocka_unit_test_setup_teardown(too_many_at_once_are_one_lesson, make, finish),
        cmocka_unit_test_setup_teardown(a_hand_that_comes_to_be_awaited_is_not_old, make, finish),
        cmocka_unit_test_setup_teardown(a_table_that_asks_nobody_anew_waits_for_its_next_form, make,
                                        finish),
        cmocka_unit_test_setup_teardown(what_failed_goes_again_before_others_of_its_room, make,
                                        finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
