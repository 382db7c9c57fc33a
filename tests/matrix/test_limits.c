// Turns at what a homeserver counts apart from messages.
#include "adapters/matrix/client/api.h"

#include "tests/support/test.h"

enum { SECOND_MS = 1000, RETRY_MS = 10 * SECOND_MS, MANY = 12, NOW_MS = 5000 };

static const struct api_answer GOOD = {.status = 200, .errcode = "", .why = ""};
static const struct api_answer REFUSED = {.status = 403, .errcode = "M_FORBIDDEN", .why = ""};
static const struct api_answer MANY_429 = {
    .status = 429, .errcode = "M_LIMIT_EXCEEDED", .why = "", .retry_ms = RETRY_MS};

static void while_the_server_says_nothing_all_go_at_once(void **state)
{
    struct limits limits = {0};
    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        struct limits_turn turn = {0};
        assert_int_equal(limits_wait_ms(&limits, LIMITS_JOIN, &turn, NOW_MS), 0);
        assert_false(limits_again(&limits, LIMITS_JOIN, &turn, i % 2 == 0 ? &GOOD : &REFUSED, 0));
    }
}

// One 429 holds for all: those who have not been refused wait, too, and one goes at a time.
static void behind_too_many_the_kind_rests_and_its_turns_are_apart(void **state)
{
    struct limits limits = {0};
    struct limits_turn turns[MANY] = {0};
    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], NOW_MS), 0);
    }
    assert_true(limits_again(&limits, LIMITS_ROOM, &turns[0], &MANY_429, NOW_MS));
    for (unsigned i = 0; i < MANY; i++) {
        const int64_t wait = limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], NOW_MS);
        assert_int_equal(wait, (i + 1) * RETRY_MS);
        assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], NOW_MS), wait);
    }
    assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[2], NOW_MS + 3 * RETRY_MS), 0);
}

static void several_that_were_refused_at_once_are_one_lesson(void **state)
{
    struct limits limits = {0};
    struct limits_turn turns[3] = {0};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], NOW_MS), 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_true(limits_again(&limits, LIMITS_ROOM, &turns[i], &MANY_429, NOW_MS));
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], NOW_MS),
                         (i + 1) * RETRY_MS);
    }
}

static void each_kind_has_its_own(void **state)
{
    enum { JOIN_MS = 30000 }; // it costs messages, too
    struct limits limits = {0};
    struct limits_turn turn = {0};
    struct limits_turn other = {0};
    (void)state;
    assert_int_equal(limits_wait_ms(&limits, LIMITS_JOIN, &turn, NOW_MS), 0);
    assert_true(limits_again(&limits, LIMITS_JOIN, &turn, &MANY_429, NOW_MS));
    assert_int_equal(limits_wait_ms(&limits, LIMITS_INVITE, &other, NOW_MS), 0);
    assert_int_equal(limits_wait_ms(&limits, LIMITS_JOIN, &turn, NOW_MS), JOIN_MS);
}

static void when_it_was_calm_for_long_they_go_at_once_again(void **state)
{
    struct limits limits = {0};
    struct limits_turn turns[3] = {0};
    (void)state;
    assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[0], NOW_MS), 0);
    assert_true(limits_again(&limits, LIMITS_ROOM, &turns[0], &MANY_429, NOW_MS));
    const int64_t later = NOW_MS + 10 * RETRY_MS;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(limits_wait_ms(&limits, LIMITS_ROOM, &turns[i], later), 0);
    }
}

// Signed out, or the server away: asked again, less and less often, for as long as it takes.
static void what_nobody_has_looked_at_is_never_given_up(void **state)
{
    static const struct api_answer UNSEEN[] = {{.status = 401, .errcode = "", .why = ""},
                                               {.status = 0, .errcode = "", .why = ""}};
    struct limits limits = {0};
    struct limits_turn turn = {0};
    int64_t now = NOW_MS;
    int64_t last = 0;
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(limits_wait_ms(&limits, LIMITS_JOIN, &turn, now), 0);
        assert_true(limits_again(&limits, LIMITS_JOIN, &turn, &UNSEEN[i % 2], now));
        const int64_t wait = limits_wait_ms(&limits, LIMITS_JOIN, &turn, now);
        assert_in_range(wait, last > 0 ? last : 1, 60 * SECOND_MS);
        now += wait;
        last = wait;
    }
    assert_int_equal(last, 60 * SECOND_MS);
    assert_false(limits_again(&limits, LIMITS_JOIN, &turn, &GOOD, now));
    assert_int_equal(limits_wait_ms(&limits, LIMITS_JOIN, &turn, now), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_the_server_says_nothing_all_go_at_once),
        cmocka_unit_test(behind_too_many_the_kind_rests_and_its_turns_are_apart),
        cmocka_unit_test(several_that_were_refused_at_once_are_one_lesson),
        cmocka_unit_test(each_kind_has_its_own),
        cmocka_unit_test(when_it_was_calm_for_long_they_go_at_once_again),
        cmocka_unit_test(what_nobody_has_looked_at_is_never_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
