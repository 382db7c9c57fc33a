// When a message is looked for in its room before it is sent once more.
#include "adapters/matrix/letter.h"

#include "tests/support/test.h"

static const int64_t HOUR_MS = INT64_C(3600) * 1000;

static struct letter *make(bool again)
{
    const struct chat_out out = {
        .kind = CHAT_NARRATION, .place = "!a", .text = "It rains.", .again = again};
    struct letter *const letter = letter_make(&out, false, "munch");
    assert_non_null(letter);
    return letter;
}

static void what_was_never_tried_is_not_looked_for(void **state)
{
    struct letter *const letter = make(false);
    (void)state;
    assert_false(letter_is_doubtful(letter, 100 * HOUR_MS));
    letter_free(letter);
}

static void what_an_earlier_process_may_have_sent_is_looked_for_once(void **state)
{
    struct letter *const letter = make(true);
    (void)state;
    assert_true(letter_is_doubtful(letter, 0));
    letter->tried_ms = letter->looked_ms = 0;
    assert_false(letter_is_doubtful(letter, 11 * HOUR_MS));
    letter_free(letter);
}

// A server that is away for days may take it each time without saying so.
static void half_a_day_behind_each_look_it_is_looked_for_again(void **state)
{
    struct letter *const letter = make(false);
    (void)state;
    letter->tried_ms = HOUR_MS;
    assert_false(letter_is_doubtful(letter, 12 * HOUR_MS));
    assert_true(letter_is_doubtful(letter, 13 * HOUR_MS));
    letter->looked_ms = 13 * HOUR_MS;
    assert_false(letter_is_doubtful(letter, 24 * HOUR_MS));
    assert_true(letter_is_doubtful(letter, 25 * HOUR_MS));
    letter->looked_ms = 25 * HOUR_MS;
    assert_false(letter_is_doubtful(letter, 26 * HOUR_MS));
    letter_free(letter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_never_tried_is_not_looked_for),
        cmocka_unit_test(what_an_earlier_process_may_have_sent_is_looked_for_once),
        cmocka_unit_test(half_a_day_behind_each_look_it_is_looked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
