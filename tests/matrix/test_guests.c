// Whose invitations are taken, and how many a day; who is to come into a room; when one is left.
#include <string.h>

#include "adapters/matrix/rooms/guests.h"
#include "adapters/matrix/rooms/makes.h"
#include "adapters/matrix/rooms/stay.h"

#include "tests/support/test.h"

static const int64_t HOUR_MS = INT64_C(60) * 60 * 1000;

static void lists_name_people_and_servers(void **state)
{
    (void)state;
    assert_true(chat_list_names("@ada:hs, other.example", "@ada:hs"));
    assert_true(chat_list_names("@ada:hs, other.example", "@bob:other.example"));
    assert_false(chat_list_names("@ada:hs, other.example", "@bob:hs"));
    assert_false(chat_list_names("@ada:hs, other.example", "@ada:hs2"));
    assert_false(chat_list_names("example", "@bob:other.example"));
    assert_true(chat_list_names("hs:8448", "@bob:hs:8448"));
    assert_false(chat_list_names(" , ", "@bob"));
    assert_false(chat_list_names(NULL, "@bob:hs"));
    assert_true(chat_list_names("!room:hs", "!room:hs"));
    assert_false(chat_list_names("hs", "!room:hs")); // anybody may name a room so
}

static bool takes(const struct guests_rules *rules, const char *person)
{
    struct guests *const guests = guests_create(rules);
    assert_non_null(guests);
    const bool taken = guests_take(guests, person, "!room:elsewhere", 0);
    guests_destroy(guests);
    return taken;
}

static void who_is_blocked_stays_so(void **state)
{
    const struct guests_rules rules = {
        .allow = "hs", .block = "@eve:hs", .person_max = 1, .day_max = 1};
    const struct guests_rules open = {.block = "bad.example", .person_max = 1, .day_max = 1};
    (void)state;
    assert_true(takes(&rules, "@ada:hs"));
    assert_false(takes(&rules, "@eve:hs"));
    assert_false(takes(&rules, "@bob:elsewhere"));
    const struct guests_rules room = {
        .allow = "!room:elsewhere", .block = "hs", .person_max = 1, .day_max = 1};
    assert_true(takes(&room, "@bob:elsewhere"));
    assert_false(takes(&room, "@ada:hs"));
    assert_true(takes(&open, "@bob:elsewhere"));
    assert_false(takes(&open, "@bob:bad.example"));
}

static void so_many_a_day_of_one_and_of_all(void **state)
{
    const struct guests_rules rules = {.person_max = 2, .day_max = 3};
    struct guests *const guests = guests_create(&rules);
    (void)state;
    assert_non_null(guests);
    assert_true(guests_take(guests, "@ada:hs", "!room:elsewhere", 0));
    assert_true(guests_take(guests, "@ada:hs", "!room:elsewhere", HOUR_MS));
    assert_false(guests_take(guests, "@ada:hs", "!room:elsewhere", 2 * HOUR_MS));
    assert_true(guests_take(guests, "@bob:hs", "!room:elsewhere", 2 * HOUR_MS));
    assert_false(guests_take(guests, "@cem:hs", "!room:elsewhere", 3 * HOUR_MS));
    assert_true(guests_take(guests, "@cem:hs", "!room:elsewhere",
                            24 * HOUR_MS)); // Ada's first is a day old
    assert_false(guests_take(guests, "@dee:hs", "!room:elsewhere", 24 * HOUR_MS));
    assert_true(guests_take(guests, "@ada:hs", "!room:elsewhere", 25 * HOUR_MS));
    guests_destroy(guests);
}

static void a_room_has_a_name_and_people(void **state)
{
    const char *people = NULL;
    char person[CHAT_ID_SIZE];
    size_t length = 0;
    (void)state;
    assert_true(makes_read("Night with friends with @ann:hs,@bob:hs", &length, &people));
    assert_int_equal(length, strlen("Night with friends"));
    people = makes_person(people, person);
    assert_string_equal(person, "@ann:hs");
    people = makes_person(people, person);
    assert_string_equal(person, "@bob:hs");
    assert_null(makes_person(people, person));
    assert_true(makes_read("with @ann:hs", &length, &people));
    assert_int_equal(length, 0);
    assert_false(makes_read("Night", &length, &people));
    assert_false(makes_read("Night with ", &length, &people));
    assert_false(makes_read("with , ,", &length, &people));
    static const char *const NOBODY[] = {"ann", "@ann", "@:hs", "@ann:"};
    for (size_t i = 0; i < sizeof NOBODY / sizeof *NOBODY; i++) {
        assert_non_null(makes_person(NOBODY[i], person));
        assert_string_equal(person, "");
    }
}

static void a_room_is_left_after_a_week(void **state)
{
    (void)state;
    assert_false(stay_is_long_unused(0, INT64_C(7) * 24 * HOUR_MS - 1));
    assert_true(stay_is_long_unused(0, INT64_C(7) * 24 * HOUR_MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_name_people_and_servers),
        cmocka_unit_test(who_is_blocked_stays_so),
        cmocka_unit_test(a_room_has_a_name_and_people),
        cmocka_unit_test(a_room_is_left_after_a_week),
        cmocka_unit_test(so_many_a_day_of_one_and_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
