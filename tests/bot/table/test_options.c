#include <string.h>

#include "bot/policy/policy.h"
#include "bot/table/options.h"
#include "bot/table/pace.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct refusal_case {
    const char *name;
    const char *words;
    const char *says; // part of the sentence; NULL: accepted
};

static const struct refusal_case CASES[] = {
    {"all the words are understood",
     "sets=classic,conan players=5 pace=async variant=listen,epic house=conan "
     "flag=removal_pays,helper_levels=off",
     NULL},
    {"no words are fine", "  ", NULL},
    {"values say which option they are of", "classic, conan 5 slow quick", NULL},
    {"a number alone is of players", "7", "3 to 6 seats"},
    {"of sets alone an unknown one is named", "classic,clasic", "no set \"clasic\""},
    {"a set alone that stands twice is refused", "classic classic", "twice"},
    {"what is no option is told to the end", "abcdefghijklmnopqrstuvwxyz", "players=4"},
    {"an unknown key is named", "colour=blue", "\"colour\" is not an option"},
    {"all keys are told", "abcdefghijklmnopqrstuvwxyz=1", "flag, thread"},
    {"a word without a value is named", "fast", "\"fast\" is not an option"},
    {"an unknown set is named", "sets=clasic", "no set \"clasic\""},
    {"no set at all is refused", "sets=", "name a set"},
    {"a set twice is refused", "sets=classic,classic", "twice"},
    {"two players are too few", "players=2", "3 to 6 seats"},
    {"seven players are too many", "players=7", "3 to 6 seats"},
    {"players is a number", "players=4x", "3 to 6 seats"},
    {"a clock of no length is refused", "turn=soon", "from 5s to 30d"},
    {"a clock is not too short", "window=4s", "from 5s to 30d"},
    {"a clock is not too long", "turn=31d", "from 5s to 30d"},
    {"a clock is not out of bounds", "turn=999999d", "from 5s to 30d"},
    {"a clock has one unit", "ask=5mm", "from 5s to 30d"},
    {"an unknown pace is named", "pace=brisk", "no pace \"brisk\""},
    {"an unknown variant is named", "variant=loud", "no variant \"loud\""},
    {"a preset is understood", "preset=quick flag=shared=off", NULL},
    {"an unknown preset is named", "preset=slow", "presets are quick, gentle, strict, marathon"},
    {"an unknown house is named", "house=mansion", "no edition \"mansion\""},
    {"an unknown flag is named", "flag=waves", "no flag \"waves\""},
    {"a flag is on or off", "flag=removal_pays=maybe", "on\" or \"off"},
};

static void reads_words(void **state)
{
    const struct refusal_case *const c = *state;
    struct catalog *const catalog = given_catalog();
    struct table_options options;
    struct mb_error err = {0};
    table_options_init(&options);
    const bool read = table_options_words(&options, catalog, c->words, &err);
    assert_int_equal(read, c->says == NULL);
    if (c->says != NULL) {
        assert_non_null(strstr(err.text, c->says));
    }
    catalog_destroy(catalog);
}

static void a_value_alone_is_its_option(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct table_options whole;
    struct table_options alone;
    struct mb_error err = {0};
    table_options_init(&whole);
    table_options_init(&alone);
    assert_true(table_options_words(&whole, catalog,
                                    "sets=classic,conan players=5 pace=slow preset=quick", &err));
    assert_true(table_options_words(&alone, catalog, "5 classic, conan quick slow", &err));
    assert_memory_equal(&whole, &alone, sizeof whole);
    table_options_init(&alone);
    assert_true(table_options_words(&alone, catalog, "slow classic 5 conan quick", &err));
    assert_memory_equal(&whole, &alone, sizeof whole);
    catalog_destroy(catalog);
}

static void words_that_are_written_are_read_as_the_same(void **state)
{
    static const char WORDS[] = "sets=classic,conan players=5 pace=async house=conan "
                                "variant=listen,shared,epic flag=removal_pays,helper_levels=off "
                                "turn=90 window=20 quiet=22-8 zone=-5 thread=off";
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct table_options options;
    struct table_options again;
    struct mb_error err = {0};
    char words[sizeof WORDS + 64];
    table_options_init(&options);
    assert_true(table_options_words(&options, catalog, WORDS, &err));
    assert_true(table_options_format(&options, catalog, words, sizeof words));
    table_options_init(&again);
    assert_true(table_options_words(&again, catalog, words, &err));
    assert_memory_equal(&options, &again, sizeof options);
    assert_string_equal(words, WORDS);
    assert_false(table_options_format(&options, catalog, words, 64));
    catalog_destroy(catalog);
}

static void makes_the_box_it_says(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct table_options options;
    struct mb_error err = {0};
    struct box box;
    table_options_init(&options);
    assert_true(table_options_words(&options, catalog,
                                    "sets=classic variant=listen,shared,epic "
                                    "flag=removal_pays,promise_hand=off",
                                    &err));
    assert_true(table_options_box(&options, catalog, &box, &err));
    assert_int_equal(box.profile.house, EDITION_CLASSIC);
    assert_int_equal(box.profile.constant[PROFILE_GOAL], 20);
    assert_true(box.profile.flag[FLAG_LISTEN]);
    assert_true(box.profile.flag[FLAG_SHARED_VICTORY]);
    assert_true(box.profile.flag[FLAG_REMOVAL_PAYS]);
    assert_false(box.profile.flag[FLAG_PROMISE_HAND]);
    catalog_destroy(catalog);
}

static void a_flag_said_singly_beats_its_preset(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"sets=classic preset=quick flag=shared=off",
                                        "sets=classic flag=shared=off preset=quick"};
    struct catalog *const catalog = given_catalog();
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        struct table_options options;
        struct mb_error err = {0};
        struct box box;
        table_options_init(&options);
        assert_true(table_options_words(&options, catalog, WORDS[i], &err));
        assert_true(table_options_box(&options, catalog, &box, &err));
        assert_true(box.profile.flag[FLAG_LISTEN]);
        assert_false(box.profile.flag[FLAG_SHARED_VICTORY]);
    }
    catalog_destroy(catalog);
}

static void every_preset_is_a_rule_or_more(void **state)
{
    (void)state;
    static const char *const WORDS[] = {
#define PRESET(id, name, variants, flags) "sets=classic preset=" #name,
#include "bot/text/presets.def"
#undef PRESET
    };
    struct catalog *const catalog = given_catalog();
    struct profile sheet;
    profile_make(&sheet, 1u << EDITION_CLASSIC, EDITION_CLASSIC);
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        struct table_options options;
        struct mb_error err = {0};
        struct box box;
        table_options_init(&options);
        assert_true(table_options_words(&options, catalog, WORDS[i], &err));
        assert_true(table_options_box(&options, catalog, &box, &err));
        assert_memory_not_equal(&box.profile, &sheet, sizeof sheet);
    }
    catalog_destroy(catalog);
}

static void without_a_set_there_is_no_box(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct table_options options;
    struct mb_error err = {0};
    struct box box;
    table_options_init(&options);
    assert_false(table_options_box(&options, catalog, &box, &err));
    catalog_destroy(catalog);
}

static int64_t window_ms(enum pace pace, unsigned level, int goal)
{
    struct table_options options;
    table_options_init(&options);
    options.pace = (uint8_t)pace;
    return pace_window_ms(&options, level, goal);
}

static void single_clocks_are_set_by_words(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct table_options options;
    struct mb_error err = {0};
    table_options_init(&options);
    assert_true(table_options_words(
        &options, catalog, "pace=slow turn=5m decision=90 ask=45s answer=1h window=2d", &err));
    assert_int_equal(pace_clock_ms(&options, CLOCK_TURN), 300000);
    assert_int_equal(pace_clock_ms(&options, CLOCK_DECISION), 90000);
    assert_int_equal(pace_clock_ms(&options, CLOCK_ASK), 45000);
    assert_int_equal(pace_clock_ms(&options, CLOCK_ANSWER), 3600000);
    assert_int_equal(pace_window_ms(&options, 5, 10), INT64_C(2) * 86400 * 1000);
    assert_int_equal(pace_window_ms(&options, 4, 10), INT64_C(86400) * 1000);
    catalog_destroy(catalog);
}

static void stakes_change_the_window(void **state)
{
    (void)state;
    assert_int_equal(window_ms(PACE_LIVE, 4, 10), 10000);
    assert_int_equal(window_ms(PACE_LIVE, 5, 10), 20000);
    assert_int_equal(window_ms(PACE_LIVE, 10, 10), 40000);
    assert_int_equal(window_ms(PACE_LIVE, 10, 20), 20000);
    assert_int_equal(window_ms(PACE_TERMINAL, 5, 10), 10000);
    assert_int_equal(window_ms(PACE_TERMINAL, 2, 10), 10000); // two lines are to be read in it
    assert_int_equal(window_ms(PACE_SLOW, 5, 10), 180000);
    assert_int_equal(window_ms(PACE_ASYNC, 5, 10), 4 * 3600 * 1000);
}

static void levels_are_found_by_name(void **state)
{
    (void)state;
    const struct policy *const policies[] = {&POLICY_RANDOM, &POLICY_ROOKIE, &POLICY_REGULAR,
                                             &POLICY_RUTHLESS};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct mb_error none = {0};
        assert_ptr_equal(policy_find(policies[i]->name, &none), policies[i]);
    }
    assert_ptr_equal(policy_default(), &POLICY_REGULAR);
    struct mb_error err = {0};
    assert_null(policy_find("clever", &err));
    assert_non_null(strstr(err.text, "no policy \"clever\""));
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[CASE_COUNT + 9];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = reads_words,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(makes_the_box_it_says);
    tests[CASE_COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(without_a_set_there_is_no_box);
    tests[CASE_COUNT + 2] = (struct CMUnitTest)cmocka_unit_test(stakes_change_the_window);
    tests[CASE_COUNT + 3] = (struct CMUnitTest)cmocka_unit_test(levels_are_found_by_name);
    tests[CASE_COUNT + 4] = (struct CMUnitTest)cmocka_unit_test(single_clocks_are_set_by_words);
    tests[CASE_COUNT + 5] =
        (struct CMUnitTest)cmocka_unit_test(a_flag_said_singly_beats_its_preset);
    tests[CASE_COUNT + 6] = (struct CMUnitTest)cmocka_unit_test(every_preset_is_a_rule_or_more);
    tests[CASE_COUNT + 7] = (struct CMUnitTest)cmocka_unit_test(a_value_alone_is_its_option);
    tests[CASE_COUNT + 8] =
        (struct CMUnitTest)cmocka_unit_test(words_that_are_written_are_read_as_the_same);
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
