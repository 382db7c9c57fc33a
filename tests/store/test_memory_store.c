// The store in memory fails as it is told to.
#include <stdlib.h>
#include <string.h>

#include "tests/support/memory_store.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static int set_up(void **state)
{
    struct mb_error err = {0};
    struct store *const store = memory_store_create();
    assert_non_null(store);
    assert_true(store_start(store, &err));
    *state = store;
    return 0;
}

static int tear_down(void **state)
{
    store_talk_end();
    store_destroy(*state);
    return 0;
}

static uint64_t version_of(struct store *store)
{
    const struct store_answer *const answer = store_talk_load(store, "t1");
    return answer->result == STORE_DONE ? answer->version : 0;
}

static void it_fails_before_or_after_taking_effect(void **state)
{
    struct store *const store = *state;
    const struct store_commit commit = store_change("t1", 0, "first");
    faulty_store_fault(store, FAULT_BEFORE, 1);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    assert_int_equal(version_of(store), 0);
    faulty_store_fault(store, FAULT_AFTER, 1);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    assert_int_equal(version_of(store), 1);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE); // the same step
    assert_int_equal(version_of(store), 1);
}

static size_t take_all(struct store *store)
{
    size_t count = 0;
    for (struct store_answer *answer = store_take(store); answer != NULL;
         answer = store_take(store)) {
        store_answer_free(answer);
        count++;
    }
    return count;
}

static void answers_are_forgotten_late_or_twice(void **state)
{
    static const struct {
        enum fault fault;
        size_t now, later;
    } CASES[] = {
        {FAULT_NONE, 1, 0}, {FAULT_FORGETS, 0, 0}, {FAULT_LATE, 0, 1}, {FAULT_TWICE, 2, 0}};
    struct store *const store = *state;
    uint64_t ticket = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct store_request request = {.kind = STORE_COMMIT,
                                              .commit = store_change("t1", i, "word")};
        faulty_store_fault(store, CASES[i].fault, 1);
        assert_true(store_ask(store, &request, &ticket));
        assert_int_equal(take_all(store), CASES[i].now);
        faulty_store_release(store);
        assert_int_equal(take_all(store), CASES[i].later);
        assert_int_equal(version_of(store), i + 1);
    }
}

static void what_is_down_does_nothing(void **state)
{
    struct store *const store = *state;
    const struct store_commit commit = store_change("t1", 0, "first");
    faulty_store_down(store, true);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    assert_int_equal(store_talk_load(store, "t1")->result, STORE_FAILED);
    faulty_store_down(store, false);
    assert_int_equal(version_of(store), 0);
}

static void count_calls(void *user)
{
    ++*(unsigned *)user;
}

static void who_waits_is_woken(void **state)
{
    struct store *const store = *state;
    const struct store_request request = {.kind = STORE_HELLO};
    unsigned calls = 0;
    uint64_t ticket = 0;
    store_on_wake(store, count_calls, &calls);
    faulty_store_hold(store, true);
    assert_true(store_ask(store, &request, &ticket));
    assert_int_equal(calls, 1);
    assert_int_equal(take_all(store), 0);
    faulty_store_hold(store, false);
    assert_int_equal(take_all(store), 1);
}

static void it_outlives_who_asked(void **state)
{
    struct store *const store = *state;
    struct mb_error err = {0};
    uint64_t ticket = 0;
    const struct store_commit commit = store_change("t1", 0, "first");
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    const struct store_request request = {.kind = STORE_LOAD, .table = "t1"};
    assert_true(store_ask(store, &request, &ticket));
    store_talk_end();
    store_stop(store);
    store_stop(store);
    assert_false(store_ask(store, &request, &ticket));
    assert_null(store_take(store));
    assert_true(store_start(store, &err));
    assert_int_equal(version_of(store), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(it_fails_before_or_after_taking_effect),
        CASE(answers_are_forgotten_late_or_twice),
        CASE(what_is_down_does_nothing),
        CASE(who_waits_is_woken),
        CASE(it_outlives_who_asked),
    };
    return cmocka_run_group_tests_name("memory_store", tests, NULL, NULL);
}
