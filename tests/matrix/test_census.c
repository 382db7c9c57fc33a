// Which rooms the bot is in: what it knows, what the list says, what the sync tells.
#include <stdio.h>
#include <string.h>

#include "adapters/matrix/listen/ration.h"

#include "tests/support/test.h"

struct told {
    struct rooms *rooms;
    char ids[64];
};

static void tell_gone(struct told *told, const json_t *joined, const json_t *sync)
{
    json_t *const gone = census_gone(told->rooms, joined, sync);
    for (size_t i = 0; i < json_array_size(gone); i++) {
        const char *const room = json_string_value(json_array_get(gone, i));
        const size_t length = strlen(told->ids);
        (void)snprintf(told->ids + length, sizeof told->ids - length, "%s ", room);
        rooms_forget(told->rooms, room);
    }
    json_decref(gone);
}

static struct rooms *rooms_of(const char *const *ids)
{
    struct rooms *const rooms = rooms_create("@bot:hs");
    for (size_t i = 0; ids[i] != NULL; i++) {
        assert_non_null(rooms_get(rooms, ids[i]));
    }
    return rooms;
}

static void what_neither_list_nor_sync_has_is_gone_and_nothing_else(void **state)
{
    struct rooms *const rooms =
        rooms_of((const char *const[]){"!gone", "!listed", "!told", "!left", "!asked", NULL});
    struct told told = {.rooms = rooms};
    json_t *const joined = json_pack("[s, s, i]", "!listed", "!new", 7);
    json_t *const sync = json_pack("{s:{s:{s:{}}, s:{s:{}}, s:{s:{}}}}", "rooms", "join", "!told",
                                   "leave", "!left", "invite", "!asked");
    (void)state;
    assert_int_equal(census_untold(rooms, joined, sync), 1);
    tell_gone(&told, joined, sync);
    assert_string_equal(told.ids, "!gone ");
    assert_null(rooms_find(rooms, "!gone"));
    assert_non_null(rooms_find(rooms, "!listed"));
    json_decref(joined);
    json_decref(sync);
    rooms_destroy(rooms);
}

static void a_sync_that_tells_of_no_room_takes_none_that_is_listed(void **state)
{
    struct rooms *const rooms = rooms_of((const char *const[]){"!a", "!b", NULL});
    struct told told = {.rooms = rooms};
    json_t *const joined = json_pack("[s, s]", "!a", "!b");
    json_t *const sync = json_pack("{s:s}", "next_batch", "s1");
    (void)state;
    tell_gone(&told, joined, sync);
    assert_string_equal(told.ids, "");
    assert_int_equal(census_untold(rooms, joined, sync), 0);
    json_decref(joined);
    json_decref(sync);
    rooms_destroy(rooms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_neither_list_nor_sync_has_is_gone_and_nothing_else),
        cmocka_unit_test(a_sync_that_tells_of_no_room_takes_none_that_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
