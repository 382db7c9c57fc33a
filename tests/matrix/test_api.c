// What answers say of asking again, and when.
#include <limits.h>
#include <string.h>

#include "adapters/matrix/client/api.h"

#include "tests/support/test.h"

enum { MINUTE_MS = 60000, HOUR_MS = 60 * MINUTE_MS };

// A server that is gone for an hour is asked seldom, and soon after it is back.
static void an_hour_of_silence_makes_no_wait_longer_than_a_minute(void **state)
{
    const struct api_answer none = {.errcode = "", .why = ""};
    int64_t passed = 0;
    unsigned tries = 0;
    (void)state;
    while (passed < HOUR_MS) {
        const int64_t wait = api_wait_ms(&none, tries++);
        assert_in_range(wait, 1, MINUTE_MS);
        passed += wait;
    }
    assert_in_range(tries, 60, 80);
    assert_int_equal(api_wait_ms(&none, UINT_MAX), MINUTE_MS);
}

static void a_server_that_says_when_is_obeyed(void **state)
{
    const struct api_answer busy = {.status = 429, .errcode = "", .why = "", .retry_ms = 90000};
    (void)state;
    assert_int_equal(api_wait_ms(&busy, 0), 90000);
    assert_int_equal(api_wait_ms(&busy, 20), 90000);
}

static void what_says_nothing_of_the_question_is_asked_again(void **state)
{
    static const int LATER[] = {0, 401, 429, 500, 502, 503, 504, 520};
    static const int ANSWERS[] = {200, 400, 403, 404, 405, 413};
    (void)state;
    for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++) {
        assert_true(api_is_later(&(const struct api_answer){.status = LATER[i]}));
    }
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) {
        assert_false(api_is_later(&(const struct api_answer){.status = ANSWERS[i]}));
    }
}

// A refusal and a server's own trouble were looked at; so may have been what no answer came to.
static void what_nobody_has_looked_at_is_told_from_what_failed(void **state)
{
    static const int UNSEEN[] = {0, 401, 429};
    static const int SEEN[] = {200, 400, 403, 404, 405, 413, 500, 502, 503, 520};
    (void)state;
    for (size_t i = 0; i < sizeof UNSEEN / sizeof *UNSEEN; i++) {
        assert_true(api_is_unseen(&(const struct api_answer){.status = UNSEEN[i]}));
    }
    for (size_t i = 0; i < sizeof SEEN / sizeof *SEEN; i++) {
        assert_false(api_is_unseen(&(const struct api_answer){.status = SEEN[i]}));
    }
    assert_false(api_is_unseen(&(const struct api_answer){.unknown = true}));
}

// An id may hold anything, and be as long as ids are.
static void ids_are_escaped_or_there_is_no_path(void **state)
{
    static char path[API_PATH_SIZE];
    static char id[API_PATH_SIZE];
    (void)state;
    assert_true(api_path(path, "/rooms/", "!a/../b?c#d e:hs", "/send"));
    assert_string_equal(path, "/rooms/%21a%2F..%2Fb%3Fc%23d%20e%3Ahs/send");
    assert_true(api_path(path, "/", "\xC3\xA9\"\n", ""));
    assert_string_equal(path, "/%C3%A9%22%0A");
    memset(id, '!', sizeof id - 1);
    assert_false(api_path(path, "/rooms/", id, "/send"));
}

enum { RESTS = 50 };

static void rest_again_and_again(struct fibre *fibre, void *user)
{
    for (unsigned i = 0; i < RESTS && api_sleep(fibre, user, 0); i++) {
    }
}

static void count_turn(uv_prepare_t *prepare)
{
    ++*(unsigned *)prepare->data;
}

// A long walk that rests lets everything else that the loop has to do come between.
static void who_rests_lets_the_loop_turn(void **state)
{
    unsigned turns = 0;
    uv_loop_t loop;
    uv_prepare_t prepare;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct api *const api =
        api_create(&(const struct api_setup){.loop = &loop, .homeserver = "", .token = ""});
    struct fibres *const fibres = fibres_create();
    (void)uv_prepare_init(&loop, &prepare);
    prepare.data = &turns;
    (void)uv_prepare_start(&prepare, count_turn);
    uv_unref((uv_handle_t *)&prepare);
    fibres_start(fibres, rest_again_and_again, api);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(turns >= RESTS);
    uv_close((uv_handle_t *)&prepare, NULL);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    fibres_destroy(fibres);
    api_destroy(api);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_of_silence_makes_no_wait_longer_than_a_minute),
        cmocka_unit_test(a_server_that_says_when_is_obeyed),
        cmocka_unit_test(what_says_nothing_of_the_question_is_asked_again),
        cmocka_unit_test(what_nobody_has_looked_at_is_told_from_what_failed),
        cmocka_unit_test(ids_are_escaped_or_there_is_no_path),
        cmocka_unit_test(who_rests_lets_the_loop_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
