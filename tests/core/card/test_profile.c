#include "core/card/profile.h"

#include "tests/support/test.h"

static unsigned bit(enum edition edition)
{
    return 1u << edition;
}

struct mix_case {
    const char *name;
    unsigned editions;
    enum edition house;
    enum profile_flag flag;
    bool on;
};

static const struct mix_case MIX_CASES[] = {
    {"removal pays in super", 1u << EDITION_SUPER, EDITION_SUPER, FLAG_REMOVAL_PAYS, true},
    {"removal does not pay in classic", 1u << EDITION_CLASSIC, EDITION_CLASSIC, FLAG_REMOVAL_PAYS,
     false},
    {"contradicting rules follow the house", 1u << EDITION_CLASSIC | 1u << EDITION_SUPER,
     EDITION_CLASSIC, FLAG_REMOVAL_PAYS, false},
    {"and the other house", 1u << EDITION_CLASSIC | 1u << EDITION_SUPER, EDITION_SUPER,
     FLAG_REMOVAL_PAYS, true},
    {"lettered rules hold with any set", 1u << EDITION_CLASSIC | 1u << EDITION_PATHFINDER,
     EDITION_CLASSIC, FLAG_TAG_GOBLIN, true},
    {"and not without it", 1u << EDITION_CLASSIC, EDITION_CLASSIC, FLAG_TAG_GOBLIN, false},
    {"a house that is left out counts as in", 0, EDITION_SUPER, FLAG_SPECIAL_ANY_TIME, true},
};

static void test_mix(void **state)
{
    const struct mix_case *c = *state;
    struct profile profile;
    profile_make(&profile, c->editions, c->house);
    assert_int_equal(profile.flag[c->flag], c->on);
    assert_int_equal(profile.house, c->house);
}

static void test_big_limit_holds_with_any_set_that_has_one(void **state)
{
    (void)state;
    struct profile profile;
    profile_make(&profile, bit(EDITION_CLASSIC), EDITION_CLASSIC);
    assert_int_equal(profile.constant[PROFILE_BIG_LIMIT], 1);
    profile_make(&profile, bit(EDITION_CLASSIC) | bit(EDITION_SUPER), EDITION_CLASSIC);
    assert_int_equal(profile.constant[PROFILE_BIG_LIMIT], 1);
    profile_make(&profile, bit(EDITION_SUPER), EDITION_SUPER);
    assert_int_equal(profile.constant[PROFILE_BIG_LIMIT], 255);
}

static void test_slots_say_what_death_leaves(void **state)
{
    (void)state;
    struct profile profile;
    profile_make(&profile, bit(EDITION_SUPER), EDITION_SUPER);
    assert_int_equal(profile.slots[KIND_CLASS].capacity, 1);
    assert_int_equal(profile.slots[KIND_BIRTHRIGHT].capacity, 2);
    assert_true(profile.slots[KIND_POWER].ranked && profile.slots[KIND_POWER].kept_on_death);
    assert_false(profile.slots[KIND_ORIGIN].kept_on_death || profile.slots[KIND_ORIGIN].at_will);
    assert_true(profile.slots[KIND_SECOND].kept_on_death);
    assert_int_equal(profile.slots[KIND_ITEM].capacity, 0);
}

static void test_names_are_found_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        assert_int_equal(profile_flag_find(profile_flag_name(i)), i);
    }
    for (unsigned i = 0; i < EDITION_TOTAL; i++) {
        assert_int_equal(edition_find(edition_name(i)), i);
    }
    assert_int_equal(profile_flag_find("no_such_flag"), FLAG_TOTAL);
    assert_int_equal(edition_find("baroque"), EDITION_TOTAL);
    assert_string_equal(profile_constant_name(PROFILE_GOAL), "goal");
    assert_string_equal(profile_constant_name(PROFILE_CONSTANT_TOTAL), "?");
}

int main(void)
{
    enum { CASES = sizeof MIX_CASES / sizeof MIX_CASES[0] };
    struct CMUnitTest tests[CASES + 3];
    for (size_t i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){.name = MIX_CASES[i].name,
                                       .test_func = test_mix,
                                       .initial_state = (void *)(uintptr_t)&MIX_CASES[i]};
    }
    tests[CASES] =
        (struct CMUnitTest)cmocka_unit_test(test_big_limit_holds_with_any_set_that_has_one);
    tests[CASES + 1] = (struct CMUnitTest)cmocka_unit_test(test_slots_say_what_death_leaves);
    tests[CASES + 2] = (struct CMUnitTest)cmocka_unit_test(test_names_are_found_again);
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
