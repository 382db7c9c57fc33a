// How much a sync is asked for, behind answers that were too long.
#include <string.h>

#include "adapters/matrix/ration.h"

#include "tests/support/test.h"

enum { MIB = 1024 * 1024, WAIT_MS = 30000 };

struct told {
    enum net_log_level level;
    const char *text;
};

static void keep(void *user, enum net_log_level level, const char *event, const char *text)
{
    struct told *const told = user;
    assert_string_equal(event, "sync-too-long");
    *told = (struct told){.level = level, .text = text};
}

static void each_cut_asks_for_less_or_reads_more_and_the_last_says_what_helps(void **state)
{
    static const char *const SAID[] = {"exceeds 16 MiB: asking", "reading up to 64 MiB",
                                       "largest rooms", "largest rooms"};

    static const size_t MOST[] = {16 * (size_t)MIB, 64 * (size_t)MIB, 64 * (size_t)MIB,
                                  64 * (size_t)MIB};
    static char path[API_PATH_SIZE];
    struct ration ration = {0};
    (void)state;
    assert_true(ration_path(&ration, "s1", false, WAIT_MS, path));
    assert_non_null(strstr(path, "%22limit%22%3A50%7D"));
    assert_int_equal(ration_body_max(&ration), 16 * MIB);
    for (size_t i = 0; i < sizeof SAID / sizeof *SAID; i++) {
        struct told told = {.text = ""};
        const int64_t wait = ration_cut(&ration, keep, &told);
        assert_non_null(strstr(told.text, SAID[i]));
        assert_int_equal(told.level, i < 2 ? NET_LOG_WARN : NET_LOG_ERROR);
        assert_true(i < 2 ? wait == 0 : wait >= WAIT_MS);
        assert_true(ration_path(&ration, "s1", false, WAIT_MS, path));
        assert_non_null(strstr(path, "%22limit%22%3A1%7D"));
        assert_int_equal(ration_body_max(&ration), MOST[i]);
    }
}

static void all_rooms_are_asked_for_at_once_news_are_waited_for(void **state)
{
    static char path[API_PATH_SIZE];
    static char token[API_PATH_SIZE];
    const struct ration ration = {0};
    (void)state;
    assert_true(ration_path(&ration, "", true, WAIT_MS, path));
    assert_non_null(strstr(path, "&timeout=0&full_state=true"));
    assert_null(strstr(path, "since"));
    assert_true(ration_path(&ration, "s/1", false, WAIT_MS, path));
    assert_non_null(strstr(path, "&timeout=30000&since=s%2F1"));
    assert_null(strstr(path, "full_state"));
    memset(token, 'x', sizeof token - 1);
    assert_false(ration_path(&ration, token, false, WAIT_MS, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cut_asks_for_less_or_reads_more_and_the_last_says_what_helps),
        cmocka_unit_test(all_rooms_are_asked_for_at_once_news_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
