// Rooms that an answer lacks: whose turn it is, and how often.
#include <stdio.h>
#include <string.h>

#include "adapters/matrix/listen/ration.h"

#include "tests/support/test.h"

static void note(struct cuts *cuts, const char *json, const char *since)
{
    json_t *const answer = json_loads(json, 0, NULL);
    assert_non_null(answer);
    cuts_note(cuts, answer, since, false);
    json_decref(answer);
}

static void each_is_asked_for_from_where_it_was_lacked_first(void **state)
{
    struct cuts cuts = {0};
    (void)state;
    note(&cuts, "{\"rooms\":{\"join\":{\"!a\":false,\"!b\":{},\"!c\":null}}}", "s1");
    note(&cuts, "{\"rooms\":{\"invite\":{\"!d\":false},\"join\":{\"!a\":false}}}", "s2");
    assert_int_equal(cuts.count, 2);
    assert_string_equal(cuts.first->room, "!a");
    assert_string_equal(cuts.first->since, "s1");
    cuts_told(&cuts);
    assert_string_equal(cuts.first->room, "!d");
    assert_string_equal(cuts.first->since, "s2");
    cuts_told(&cuts);
    assert_null(cuts.first);
}

static void one_that_is_not_told_comes_behind_the_others_some_times(void **state)
{
    struct cuts cuts = {0};
    (void)state;
    note(&cuts, "{\"rooms\":{\"join\":{\"!a\":false,\"!b\":false}}}", "s1");
    for (unsigned i = 0; i < CUTS_TRIES; i++) {
        assert_string_equal(cuts.first->room, "!a");
        cuts_again(&cuts);
        assert_string_equal(cuts.first->room, "!b");
        cuts_again(&cuts);
    }
    assert_null(cuts.first);
    assert_int_equal(cuts.count, 0);
}

static void so_many_wait_and_no_more(void **state)
{
    struct cuts cuts = {0};
    (void)state;
    for (unsigned i = 0; i < 2 * CUTS_MAX; i++) {
        char json[64];
        (void)snprintf(json, sizeof json, "{\"rooms\":{\"join\":{\"!%u\":false}}}", i);
        note(&cuts, json, "s1");
    }
    assert_int_equal(cuts.count, CUTS_MAX);
    cuts_clear(&cuts);
    assert_null(cuts.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_asked_for_from_where_it_was_lacked_first),
        cmocka_unit_test(one_that_is_not_told_comes_behind_the_others_some_times),
        cmocka_unit_test(so_many_wait_and_no_more),
    };
    return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
