// What tests look sentences up with (tests/support/says.h) tells one from another.
#include "tests/support/says.h"
#include "tests/support/test.h"

static const char SAID[] = "Kick!\nAnn equips Test Rake.\nNobody moved.\n";

static void test_whole_sentences(void **state)
{
    (void)state;
    assert_says(SAID, TEXT_EQUIPS,
                TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Rake")));
    assert_says_not(SAID, TEXT_EQUIPS, TEXT_ARGS(text_str("who", "Bob")));
    assert_says_not(SAID, TEXT_EQUIPS, TEXT_ARGS(text_str("cards", "Test")));
    assert_says_not(SAID, TEXT_TAKES_OFF, NULL);
}

static void test_values_that_do_not_matter(void **state)
{
    (void)state;
    assert_says(SAID, TEXT_EQUIPS, NULL);
    assert_says(SAID, TEXT_EQUIPS, TEXT_ARGS(text_str("cards", "Test Rake")));
    assert_says_not("Ann equips\nnothing at all.", TEXT_EQUIPS, NULL); // not over two lines
    assert_says_not("", TEXT_EQUIPS, NULL);
}

static void test_every_way_of_saying_it(void **state)
{
    (void)state;
    static const char *const SAYING[] = {"Ann loots 2 Doors from the room.",
                                         "Ann finds 2 Doors in the room."};
    for (unsigned i = 0; i < 2; i++) {
        assert_says(SAYING[i], TEXT_MOVE_LOOTED_ROOM, TEXT_ARGS(text_str("taker", "Ann")));
        assert_says_not(SAYING[i], TEXT_MOVE_LOOTED_ROOM, TEXT_ARGS(text_str("taker", "Cy")));
    }
}

static void test_a_part_of_a_line(void **state)
{
    (void)state;
    static const char LINE[] =
        "Bob runs.\nAnn equips Hood, loots a Door from the room and is ready.\n";
    assert_says(LINE, TEXT_EQUIPS, TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Hood")));
    assert_says(LINE, TEXT_MOVE_LOOTED_ROOM, TEXT_ARGS(text_str("cards", "a Door")));
    assert_says(LINE, TEXT_READY, TEXT_ARGS(text_str("who", "Ann")));
    assert_says_not(LINE, TEXT_READY, TEXT_ARGS(text_str("who", "Bob")));
    assert_says_not(LINE, TEXT_MOVE_LAID, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_sentences),
        cmocka_unit_test(test_values_that_do_not_matter),
        cmocka_unit_test(test_every_way_of_saying_it),
        cmocka_unit_test(test_a_part_of_a_line),
    };
    return cmocka_run_group_tests_name("says", tests, NULL, NULL);
}
