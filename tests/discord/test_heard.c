// What is kept of interactions, and how long.
#include <stdio.h>
#include <string.h>

#include "adapters/discord/wire/heard.h"

#include "tests/support/test.h"

static struct heards heards;

static struct heard *add(const char *id, const char *person, int64_t age_ms, int64_t now_ms)
{
    const struct interaction interaction = {
        .id = id, .token = id, .type = INTERACTION_COMMAND, .message = "", .person = person};
    return heards_add(&heards, &interaction, age_ms, now_ms);
}

static int finish(void **state)
{
    (void)state;
    heards_finish(&heards);
    return heards.count == 0 && heards.open.oldest == 0 && heards.past.oldest == 0 ? 0 : -1;
}

static void an_open_one_is_due_by_its_age(void **state)
{
    (void)state;
    assert_int_equal(heards_due_ms(&heards), -1);
    add("1", "7", 0, 1000);
    struct heard *const old = add("2", "8", 400, 1000);
    assert_int_equal(heards_due_ms(&heards), 1000 + HEARD_DEFER_MS - 400);
    heards_move(&heards, old, HEARD_ANSWERED);
    assert_int_equal(heards_due_ms(&heards), 1000 + HEARD_DEFER_MS);
    add("3", "8", HEARD_DEFER_MS + 1, 1200);
    assert_int_equal(heards_due_ms(&heards), 1200);
}

static void what_is_over_is_dropped(void **state)
{
    (void)state;
    heards_move(&heards, add("1", "7", 0, 0), HEARD_ANSWERED);
    heards_move(&heards, add("2", "7", 0, 5000), HEARD_DEFERRED);
    assert_int_equal(heards_due_ms(&heards), HEARD_LIVE_MS);
    heards_drop_past(&heards, HEARD_LIVE_MS - 1);
    assert_non_null(heards_find(&heards, "1"));
    heards_drop_past(&heards, HEARD_LIVE_MS);
    assert_null(heards_find(&heards, "1"));
    assert_null(heards_last(&heards, "7"));
    assert_non_null(heards_find(&heards, "2"));
    heards_drop_past(&heards, HEARD_LIVE_MS + 5000);
    assert_int_equal(heards.count, 0);
}

static void the_last_is_what_was_answered_last(void **state)
{
    (void)state;
    struct heard *const first = add("1", "7", 0, 0);
    struct heard *const second = add("2", "7", 0, 0);
    struct heard *const other = add("3", "8", 0, 0);
    assert_null(heards_last(&heards, "7"));
    heards_move(&heards, first, HEARD_DEFERRED);
    assert_null(heards_last(&heards, "7"));
    heards_move(&heards, second, HEARD_ANSWERED);
    heards_move(&heards, other, HEARD_ANSWERED);
    assert_ptr_equal(heards_last(&heards, "7"), second->caller);
    assert_string_equal(heards_last(&heards, "7")->token, "2");
    heards_move(&heards, first, HEARD_ANSWERED);
    assert_ptr_equal(heards_last(&heards, "7"), first->caller);
    assert_null(second->caller); // nobody needs it any more
    heards_move(&heards, first, HEARD_EDITED);
    assert_ptr_equal(heards_last(&heards, "7"), first->caller);
    assert_ptr_equal(heards_last(&heards, "8"), other->caller);
}

static void of_nobody_nothing_is_kept_to_tell_them_more(void **state)
{
    (void)state;
    struct heard *const heard = add("1", "", 0, 0);
    assert_non_null(heard->caller);
    heards_move(&heards, heard, HEARD_ANSWERED);
    assert_null(heard->caller);
    assert_ptr_equal(heards_find(&heards, "1"), heard);
}

static void the_oldest_go_when_there_are_too_many(void **state)
{
    char id[HEARD_ID_SIZE];
    (void)state;
    heards_move(&heards, add("2", "7", 0, 0), HEARD_ANSWERED);
    add("1", "7", 0, 0);
    for (unsigned i = 0; i < HEARD_MAX - 1; i++) {
        (void)snprintf(id, sizeof id, "%u", 10 + i);
        add(id, "7", 0, 0);
    }
    assert_int_equal(heards.count, HEARD_MAX);
    assert_null(heards_find(&heards, "2")); // it was answered
    assert_non_null(heards_find(&heards, "1"));
    add("3", "7", 0, 0);
    assert_null(heards_find(&heards, "1"));
    assert_non_null(heards_find(&heards, "10"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_open_one_is_due_by_its_age, finish),
        cmocka_unit_test_teardown(what_is_over_is_dropped, finish),
        cmocka_unit_test_teardown(the_last_is_what_was_answered_last, finish),
        cmocka_unit_test_teardown(of_nobody_nothing_is_kept_to_tell_them_more, finish),
        cmocka_unit_test_teardown(the_oldest_go_when_there_are_too_many, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
