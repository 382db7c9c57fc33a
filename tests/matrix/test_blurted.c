// Who names a card of theirs before all is told so once a game.
#include "core/state/refusal.h"

#include "adapters/matrix/listen/listen.h"

#include "tests/support/test.h"

static int make(void **state)
{
    *state = blurted_create();
    return 0;
}

static int finish(void **state)
{
    blurted_destroy(*state);
    return 0;
}

static void it_is_told_once_a_game(void **state)
{
    struct blurted *const blurted = *state;
    blurted_said(blurted, "!a", "@ann", "$1", "play Net Troll");
    blurted_said(blurted, "!a", "@ann", "$2", "play Net Troll");
    blurted_said(blurted, "!a", "@bob", "$3", "play Mace");
    assert_true(blurted_refused(blurted, "$1", REFUSAL_WRONG_PHASE));
    assert_false(blurted_refused(blurted, "$1", REFUSAL_WRONG_PHASE)); // the same line
    assert_false(blurted_refused(blurted, "$2", REFUSAL_WRONG_PHASE));
    assert_true(blurted_refused(blurted, "$3", REFUSAL_RESTRICTED));
    blurted_said(blurted, "!a", "@bob", "$4", "new sets=classic");
    blurted_said(blurted, "!a", "@ann", "$5", "play Mace");
    assert_true(blurted_refused(blurted, "$5", REFUSAL_WRONG_PHASE));
}

static void what_shows_no_card_is_not_told(void **state)
{
    struct blurted *const blurted = *state;
    blurted_said(blurted, "!a", "@ann", "$1", "kick");
    blurted_said(blurted, "!a", "@ann", "$2", "play Mace");
    blurted_said(blurted, "!a", "@ann", "$3", "play Nonsense");
    assert_false(blurted_refused(blurted, "$1", REFUSAL_WRONG_PHASE));
    assert_false(blurted_refused(blurted, "$2", REFUSAL_NOT_IN_HAND));
    assert_false(blurted_refused(blurted, "$3", REFUSAL_NO_SUCH_CARD));
    assert_false(blurted_refused(blurted, "$9", REFUSAL_WRONG_PHASE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_told_once_a_game, make, finish),
        cmocka_unit_test_setup_teardown(what_shows_no_card_is_not_told, make, finish),
    };
    return cmocka_run_group_tests_name("blurted", tests, NULL, NULL);
}
