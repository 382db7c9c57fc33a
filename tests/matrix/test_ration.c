// How much a sync is asked for, behind answers that were too long.
#include <string.h>

#include "adapters/matrix/listen/ration.h"

#include "tests/support/test.h"

enum { MIB = 1024 * 1024, WAIT_MS = 30000 };

static const struct ration_ask NEWS = {.since = "s1", .wait_ms = WAIT_MS};

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

static void each_cut_asks_for_less_or_reads_more_and_behind_the_last_it_waits(void **state)
{
    static const char *const SAID[] = {"asking for less", "reading up to 64 MiB", "no end",
                                       "no end"};
    static const size_t MOST[] = {16 * (size_t)MIB, 64 * (size_t)MIB, 64 * (size_t)MIB,
                                  64 * (size_t)MIB};
    static char path[API_PATH_SIZE];
    struct api_call call;
    struct ration ration = {0};
    (void)state;
    assert_true(ration_call(&ration, &NEWS, path, &call));
    assert_non_null(strstr(path, "%22limit%22%3A20%2C"));
    assert_int_equal(call.body_max, 16 * MIB);
    for (size_t i = 0; i < sizeof SAID / sizeof *SAID; i++) {
        struct told told = {.text = ""};
        assert_int_equal(ration_is_least(&ration), i >= 2);
        const int64_t wait = ration_cut(&ration, keep, &told);
        assert_non_null(strstr(told.text, SAID[i]));
        assert_int_equal(told.level, i < 2 ? NET_LOG_WARN : NET_LOG_ERROR);
        assert_true(i < 2 ? wait == 0 : wait >= WAIT_MS);
        assert_true(ration_call(&ration, &NEWS, path, &call));
        assert_non_null(strstr(path, "%22limit%22%3A1%2C"));
        assert_int_equal(call.body_max, MOST[i]);
    }
}

static void all_rooms_are_asked_for_at_once_news_are_waited_for(void **state)
{
    static char path[API_PATH_SIZE];
    static char token[API_PATH_SIZE];
    struct api_call all;
    struct api_call call;
    const struct ration ration = {0};
    (void)state;
    assert_true(
        ration_call(&ration, &(const struct ration_ask){.since = "", .all = true}, path, &all));
    assert_non_null(strstr(path, "&timeout=0&full_state=true"));
    assert_non_null(strstr(path, "%22limit%22%3A1%2C"));
    assert_null(strstr(path, "since"));
    assert_true(ration_call(&ration, &(const struct ration_ask){.since = "s/1", .wait_ms = WAIT_MS},
                            path, &call));
    assert_non_null(strstr(path, "&timeout=30000&since=s%2F1"));
    assert_null(strstr(path, "full_state"));
    assert_true(all.part_max > 0 && all.part_max < call.part_max);
    memset(token, 'x', sizeof token - 1);
    assert_false(ration_call(&ration, &(const struct ration_ask){.since = token}, path, &call));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cut_asks_for_less_or_reads_more_and_behind_the_last_it_waits),
        cmocka_unit_test(all_rooms_are_asked_for_at_once_news_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
