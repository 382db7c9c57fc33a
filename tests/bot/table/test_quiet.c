#include "bot/table/quiet.h"

#include "tests/support/test.h"

enum { HOUR_S = 3600, HOUR_MS = 3600000 };

static void words_of_hours(void **state)
{
    static const struct {
        const char *word;
        bool good;
        uint8_t from, to;
    } CASES[] = {{"22-8", true, 22, 8}, {"0-7", true, 0, 7},    {"24-6", true, 0, 6},
                 {"off", true, 0, 0},   {"8", false, 0, 0},     {"8-8", false, 0, 0},
                 {"25-3", false, 0, 0}, {"22-8x", false, 0, 0}, {"-8", false, 0, 0},
                 {"", false, 0, 0},     {"022-8", false, 0, 0}, {"0-24", false, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct quiet quiet = {.from = 1, .to = 2};
        struct mb_error err = {0};
        assert_int_equal(quiet_read(&quiet, CASES[i].word, &err), CASES[i].good);
        if (CASES[i].good) {
            assert_int_equal(quiet.from, CASES[i].from);
            assert_int_equal(quiet.to, CASES[i].to);
        } else {
            assert_int_equal(quiet.from, 1);
            assert_int_equal(err.code, MB_ERR_INPUT);
        }
    }
}

static void words_of_zones(void **state)
{
    static const char *const BAD[] = {"",    "+",   "x",   "+15",        "-13",
                                      "2.5", "+2h", "--2", "99999999999"};
    struct quiet quiet = {.zone = 0};
    struct mb_error err = {0};
    (void)state;
    assert_true(quiet_read_zone(&quiet, "+2", &err));
    assert_int_equal(quiet.zone, 2);
    assert_true(quiet_read_zone(&quiet, "-12", &err));
    assert_int_equal(quiet.zone, -12);
    assert_true(quiet_read_zone(&quiet, "0", &err));
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct mb_error bad = {0};
        assert_false(quiet_read_zone(&quiet, BAD[i], &bad));
        assert_int_equal(quiet.zone, 0);
    }
}

static void check(const struct quiet *quiet, int64_t utc_s, bool now, int64_t hours)
{
    int64_t ms = 0;
    assert_int_equal(quiet_at(quiet, utc_s, &ms), now);
    assert_int_equal(ms, hours * HOUR_MS);
}

static void a_night_goes_over_midnight(void **state)
{
    const struct quiet night = {.from = 22, .to = 8};
    (void)state;
    check(&night, (int64_t)21 * HOUR_S, false, 1);
    check(&night, (int64_t)22 * HOUR_S, true, 10);
    check(&night, 0, true, 8);
    check(&night, (int64_t)8 * HOUR_S, false, 14);
    check(&night, -HOUR_S, true, 9); // before 1970, as a clock may be set
}

static void hours_are_those_of_the_zone(void **state)
{
    const struct quiet day = {.from = 9, .to = 17, .zone = 2};
    (void)state;
    check(&day, (int64_t)7 * HOUR_S, true, 8);
    check(&day, (int64_t)6 * HOUR_S, false, 1);
    check(&day, (int64_t)15 * HOUR_S, false, 16);
}

static void without_hours_it_is_never_quiet(void **state)
{
    const struct quiet none = {.zone = 3};
    int64_t ms = 0;
    (void)state;
    assert_false(quiet_at(&none, 0, &ms));
    assert_int_equal(ms, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_hours),
        cmocka_unit_test(words_of_zones),
        cmocka_unit_test(a_night_goes_over_midnight),
        cmocka_unit_test(hours_are_those_of_the_zone),
        cmocka_unit_test(without_hours_it_is_never_quiet),
    };
    return cmocka_run_group_tests_name("quiet", tests, NULL, NULL);
}
