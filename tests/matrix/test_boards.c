// Boards are edited until their turn is over or too much lies below them.
#include "adapters/matrix/say/boards.h"

#include "tests/support/test.h"

enum { FAR = 3 };

static int make(void **state)
{
    *state = boards_create();
    return 0;
}

static int finish(void **state)
{
    boards_destroy(*state);
    return 0;
}

static void a_board_is_edited_while_its_turn_lasts(void **state)
{
    struct boards *const boards = *state;
    char name[BOARDS_NAME_SIZE];
    assert_true(boards_posted(boards, "!a", NULL, "$1", 7, name));
    assert_string_equal(name, "$1 7");
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "$1");
    assert_string_equal(boards_edited(boards, "!a", name, 8, FAR), "");
    assert_string_equal(boards_edited(boards, "!a", name, 0, FAR), "$1"); // the game is over
}

static void what_lies_below_moves_it_down(void **state)
{
    struct boards *const boards = *state;
    char name[BOARDS_NAME_SIZE];
    char newer[BOARDS_NAME_SIZE];
    assert_true(boards_posted(boards, "!a", NULL, "$1", 7, name));
    boards_said(boards, "!a", "$1"); // itself
    boards_said(boards, "!b", "$x"); // elsewhere
    boards_said(boards, "!a", "$2");
    boards_said(boards, "!a", "$3");
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "$1");
    boards_said(boards, "!a", "$4");
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "");
    assert_true(boards_posted(boards, "!a", name, "$5", 7, newer));
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "$5"); // by its old name, too
    assert_string_equal(boards_edited(boards, "!a", newer, 7, FAR), "$5");
}

static void what_was_deleted_is_posted_anew(void **state)
{
    struct boards *const boards = *state;
    char name[BOARDS_NAME_SIZE];
    char newer[BOARDS_NAME_SIZE];
    assert_true(boards_posted(boards, "!a", NULL, "$1", 7, name));
    boards_deleted(boards, "$another");
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "$1");
    boards_deleted(boards, "$1");
    boards_said(boards, "!a", "$2"); // however much lies below it
    assert_string_equal(boards_edited(boards, "!a", name, 7, FAR), "");
    assert_true(boards_posted(boards, "!a", name, "$3", 7, newer));
    assert_string_equal(boards_edited(boards, "!a", newer, 7, FAR), "$3");
}

static void of_an_earlier_process_its_turn_is_known(void **state)
{
    struct boards *const boards = *state;
    assert_false(boards_knows(boards, "$1 7"));
    assert_string_equal(boards_edited(boards, "!a", "$1 7", 7, FAR), "$1");
    assert_true(boards_knows(boards, "$1 7"));
    assert_string_equal(boards_edited(boards, "!a", "$1 7", 8, FAR), "");
    assert_string_equal(boards_edited(boards, "!h", "$2", 0, FAR), "$2");
}

static void what_a_board_asks_is_known_until_it_is_tried_anew(void **state)
{
    struct boards *const boards = *state;
    char name[BOARDS_NAME_SIZE];
    assert_true(boards_posted(boards, "!a", NULL, "$1", 3, name));
    const struct chat_question both = {.what = 7, .seats = 6};
    const struct chat_question one = {.what = 7, .seats = 4};
    const struct chat_question other = {.what = 7, .seats = 8};
    const struct chat_question otherwise = {.what = 8, .seats = 4};
    assert_false(boards_asks(boards, name, &both));
    boards_ask(boards, name, &both);
    assert_true(boards_asks(boards, name, &both));
    assert_true(boards_asks(boards, name, &one)); // who is left was asked already
    assert_false(boards_asks(boards, name, &other));
    assert_false(boards_asks(boards, name, &otherwise));
    boards_narrow(boards, name, &one); // never shown, but one of them has answered
    assert_true(boards_asks(boards, name, &one));
    assert_false(boards_asks(boards, name, &both)); // and is asked again
    boards_ask(boards, name, &both);
    boards_narrow(boards, name, &otherwise);
    assert_false(boards_asks(boards, name, &one));
    boards_ask(boards, name, &one);
    assert_false(boards_asks(boards, name, &both));
    boards_ask(boards, name, NULL);
    assert_false(boards_asks(boards, name, &one));
    assert_false(boards_asks(boards, "$other", &one));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_board_is_edited_while_its_turn_lasts, make, finish),
        cmocka_unit_test_setup_teardown(what_lies_below_moves_it_down, make, finish),
        cmocka_unit_test_setup_teardown(what_was_deleted_is_posted_anew, make, finish),
        cmocka_unit_test_setup_teardown(of_an_earlier_process_its_turn_is_known, make, finish),
        cmocka_unit_test_setup_teardown(what_a_board_asks_is_known_until_it_is_tried_anew, make,
                                        finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
