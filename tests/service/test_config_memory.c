// A configuration that is read while memory runs out: it is said, and nothing leaks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/service/config.h"

#include "tests/support/failing_alloc.h"
#include "tests/support/test.h"

static const char TEXT[] = "[munchbot]\nstore = sqlite:/x\nprefix = mb\nlog = debug\n[discord]\n"
                           "application_id = 123456789012345678\ntoken_file = /t\nshards = 2\n";

static bool attempt(void *user)
{
    static struct problems problems;
    struct config config;
    char copy[sizeof TEXT];
    (void)user;
    memcpy(copy, TEXT, sizeof TEXT);
    FILE *const file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(file);
    problems.count = 0;
    config_read(&config, file, "f", &problems);
    (void)fclose(file);
    const bool good = problems.count == 0;
    if (good) {
        assert_string_equal(config_store(&config), "sqlite:/x");
        assert_int_equal(config_shards(&config), 2);
    } else {
        assert_string_equal(problems.lines[0], "there is not enough memory");
    }
    config_finish(&config);
    return good;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_int_equal(unsetenv("MUNCHBOT_STORE"), 0);
    assert_int_equal(failing_alloc_each(attempt, NULL), 6); // a value each
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests_name("config without memory", tests, NULL, NULL);
}
