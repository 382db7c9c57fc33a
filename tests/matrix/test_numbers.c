// A number means what stood under the hand when it was said.
#include <stdio.h>

#include "adapters/matrix/say/numbers.h"

#include "tests/support/test.h"

static const char ROOM[] = "!hand";

static int make(void **state)
{
    *state = numbers_create();
    return 0;
}

static int finish(void **state)
{
    numbers_destroy(*state);
    return 0;
}

// A hand of two numbers, the second of which is always "done".
static void sent(struct numbers *numbers, const char *table, const char *event, uint32_t version,
                 char *first)
{
    char done[] = "done";
    char *const lines[] = {first, done};
    struct numbers_hand hand = {.room = ROOM,
                                .event = event,
                                .board = table,
                                .bond = {.on = CHAT_ON_HAND, .version = version},
                                .lines = lines,
                                .line_count = 2};
    (void)snprintf(hand.bond.table, sizeof hand.bond.table, "%s", table);
    numbers_sent(numbers, &hand);
}

static void shown(struct numbers *numbers, const char *event, uint32_t version, char *first,
                  int64_t ms)
{
    sent(numbers, "t1", event, version, first);
    numbers_stands(numbers, event, ms);
}

static char kick[] = "kick", loot[] = "loot";

static void it_means_the_hand_that_stood_there(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    shown(numbers, "$1", 1, kick, 1000);
    shown(numbers, "$2", 2, loot, 20000);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 15000, NULL, &meant), NUMBERS_MEANT);
    assert_string_equal(meant.line, "kick");
    assert_int_equal(meant.bond.version, 1);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 30000, NULL, &meant), NUMBERS_MEANT);
    assert_string_equal(meant.line, "loot");
    assert_int_equal(meant.bond.version, 2);
}

static void what_it_meant_a_moment_ago_makes_it_doubtful(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    shown(numbers, "$1", 1, kick, 1000);
    shown(numbers, "$2", 2, loot, 20000);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 22000, NULL, &meant), NUMBERS_DOUBTFUL);
    assert_string_equal(meant.before, "kick");
    assert_string_equal(meant.line, "loot");
    // Who is told so looks at the hand, but not at once.
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 23000, NULL, &meant), NUMBERS_DOUBTFUL);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 24000, NULL, &meant), NUMBERS_MEANT);
    assert_int_equal(numbers_mean(numbers, ROOM, 2, 22000, NULL, &meant), NUMBERS_MEANT);
}

// It may stand under another number by now, or nowhere.
static void what_was_doubtful_may_have_moved(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    char *lines[] = {kick, loot};
    shown(numbers, "$1", 1, loot, 1000); // and "done"
    struct numbers_hand hand = {
        .room = ROOM, .event = "$2", .board = "t1", .lines = lines, .line_count = 2};
    hand.bond = (struct chat_bond){.on = CHAT_ON_HAND, .version = 2, .table = "t1"};
    numbers_sent(numbers, &hand);
    numbers_stands(numbers, "$2", 20000);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 22000, NULL, &meant), NUMBERS_DOUBTFUL);
    assert_int_equal(meant.now, 2);
    hand.event = "$3";
    hand.line_count = 1;
    numbers_sent(numbers, &hand);
    numbers_stands(numbers, "$3", 40000);
    assert_int_equal(numbers_mean(numbers, ROOM, 2, 42000, NULL, &meant), NUMBERS_DOUBTFUL);
    assert_null(meant.line);
    assert_int_equal(meant.now, 0);
    assert_int_equal(numbers_mean(numbers, ROOM, 3, 42000, NULL, &meant), NUMBERS_UNKNOWN);
}

static void what_does_not_stand_there_yet_is_not_meant(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    shown(numbers, "$1", 1, kick, 1000);
    sent(numbers, "t1", "$2", 2, loot); // on its way
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, NULL, &meant), NUMBERS_MEANT);
    assert_string_equal(meant.line, "kick");
}

static void the_room_may_tell_before_the_answer(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    numbers_stands(numbers, "$1", 1000);
    sent(numbers, "t1", "$1", 1, kick);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, NULL, &meant), NUMBERS_MEANT);
}

static void of_two_tables_the_one_replied_to_is_meant(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    shown(numbers, "$1", 1, kick, 1000);
    sent(numbers, "t2", "$2", 7, loot);
    numbers_stands(numbers, "$2", 2000);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, NULL, &meant), NUMBERS_UNKNOWN);
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, "t1", &meant), NUMBERS_MEANT);
    assert_string_equal(meant.line, "kick");
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, "t2", &meant), NUMBERS_MEANT);
    assert_int_equal(meant.bond.version, 7);
}

static void what_nobody_has_shown_is_unknown(void **state)
{
    struct numbers *const numbers = *state;
    struct numbers_meant meant;
    assert_int_equal(numbers_mean(numbers, ROOM, 1, 9000, NULL, &meant), NUMBERS_UNKNOWN);
    shown(numbers, "$1", 1, kick, 1000);
    assert_int_equal(numbers_mean(numbers, ROOM, 3, 9000, NULL, &meant), NUMBERS_UNKNOWN);
    assert_int_equal(numbers_mean(numbers, "!other", 1, 9000, NULL, &meant), NUMBERS_UNKNOWN);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, make, finish)
    const struct CMUnitTest tests[] = {
        CASE(it_means_the_hand_that_stood_there),
        CASE(what_it_meant_a_moment_ago_makes_it_doubtful),
        CASE(what_was_doubtful_may_have_moved),
        CASE(what_does_not_stand_there_yet_is_not_meant),
        CASE(the_room_may_tell_before_the_answer),
        CASE(of_two_tables_the_one_replied_to_is_meant),
        CASE(what_nobody_has_shown_is_unknown),
    };
#undef CASE
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}
