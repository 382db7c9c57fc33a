// How far boards have scrolled up, by what is known of the messages below them.
#include <stdio.h>

#include "adapters/discord/say/below.h"

#include "tests/support/test.h"

static const char CHANNEL[] = "7";
enum { TURN = 20 };

static struct below *begin(void)
{
    struct below *const below = below_create();
    assert_non_null(below);
    below_posted(below, CHANNEL, "100", "", UINT32_MAX);
    return below;
}

static void say(struct below *below, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char id[24];
        (void)snprintf(id, sizeof id, "%u", from + i);
        below_said(below, CHANNEL, id);
    }
}

static void own_messages_are_counted_once(void **state)
{
    struct below *const below = begin();
    (void)state;
    say(below, 101, BELOW_FAR - 1);
    say(below, 90, 5);             // above it
    say(below, 101, 5);            // told twice
    below_said(below, "8", "999"); // elsewhere
    assert_false(below_is_far(below, CHANNEL, "100", TURN));
    assert_false(below_asks(below, CHANNEL, "100", TURN));
    say(below, 200, 1);
    assert_true(below_is_far(below, CHANNEL, "100", TURN));
    below_destroy(below);
}

static void a_board_is_posted_anew_once_a_turn(void **state)
{
    struct below *const below = begin();
    (void)state;
    say(below, 101, BELOW_FAR);
    below_posted(below, CHANNEL, "120", "100", TURN);
    assert_false(below_is_far(below, CHANNEL, "120", TURN));
    say(below, 121, BELOW_FAR);
    assert_false(below_is_far(below, CHANNEL, "120", TURN));
    assert_true(below_is_far(below, CHANNEL, "120", TURN + 1));
    below_destroy(below);
}

static void what_others_wrote_is_asked_for_once_a_turn(void **state)
{
    struct below *const below = begin();
    (void)state;
    below_heard(below, CHANNEL, "100"); // the board itself
    assert_false(below_asks(below, CHANNEL, "100", TURN));
    below_heard(below, CHANNEL, "150");
    assert_true(below_asks(below, CHANNEL, "100", TURN));
    below_counted(below, CHANNEL, "100", 3, "150");
    assert_false(below_is_far(below, CHANNEL, "100", TURN));
    below_heard(below, CHANNEL, "150"); // known by now
    assert_false(below_asks(below, CHANNEL, "100", TURN + 1));
    below_heard(below, CHANNEL, "160");
    assert_false(below_asks(below, CHANNEL, "100", TURN));
    assert_true(below_asks(below, CHANNEL, "100", TURN + 1));
    below_counted(below, CHANNEL, "100", BELOW_FAR, "160");
    assert_true(below_is_far(below, CHANNEL, "100", TURN + 1));
    below_destroy(below);
}

static void of_an_unknown_board_everything_is_asked(void **state)
{
    struct below *const below = begin();
    (void)state;
    assert_false(below_is_far(below, CHANNEL, "55", TURN));
    assert_true(below_asks(below, CHANNEL, "55", TURN));
    below_destroy(below);
}

static void the_oldest_make_room(void **state)
{
    struct below *const below = begin();
    (void)state;
    for (unsigned i = 0; i < BELOW_MAX + 10; i++) {
        char id[24];
        (void)snprintf(id, sizeof id, "%u", 1000 + i);
        below_posted(below, id, id, "", UINT32_MAX);
    }
    below_destroy(below);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_messages_are_counted_once),
        cmocka_unit_test(a_board_is_posted_anew_once_a_turn),
        cmocka_unit_test(what_others_wrote_is_asked_for_once_a_turn),
        cmocka_unit_test(of_an_unknown_board_everything_is_asked),
        cmocka_unit_test(the_oldest_make_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
