// A table carried by hand that a store keeps: undo, log and the table itself come out of it, and
// what is not there is missed.
#include <stdlib.h>
#include <string.h>

#include "bot/table/table_codec.h"
#include "bot/tools/solo.h"

#include "tests/support/memory_store.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct store *store;
    struct solo *solo;
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    struct mb_error err = {0};
    assert_non_null(f);
    f->catalog = given_catalog();
    f->store = memory_store_create();
    f->solo = solo_create(f->catalog);
    assert_true(f->store != NULL && store_start(f->store, &err));
    assert_true(solo_keep(f->solo, f->store, &err));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    solo_destroy(f->solo);
    store_talk_end();
    store_destroy(f->store);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void say(struct fixture *f, const char *person, const char *line)
{
    if (!solo_person_line(f->solo, person, line, NULL)) {
        fail_msg("%s may not say %s", person, line);
    }
}

// The one table of the store.
static const struct store_answer *kept(struct fixture *f, const char **id)
{
    const struct store_request list = {.kind = STORE_LIST};
    const struct store_answer *const answer = store_talk(f->store, &list);
    static char name[STORE_TABLE_SIZE];
    assert_int_equal(answer->count, 1);
    (void)strncpy(name, answer->texts[0], sizeof name - 1);
    *id = name;
    return store_talk_load(f->store, name);
}

static void the_table_comes_out_of_the_store(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    const char *id = NULL;
    say(f, "Ann", "new sets=classic");
    say(f, "Bob", "join");
    assert_true(kept(f, &id)->version > 1);
    assert_true(solo_restart(f->solo, &err));
    assert_int_equal(solo_seat_count(f->solo), 2);
    message_list_clear(solo_outbox(f->solo));
    say(f, "Ann", "log 20");
    const struct message *const said = &solo_outbox(f->solo)->items[0];
    assert_non_null(strstr(said->text, "Bob"));
}

static void another_table_is_missed(void **state)
{
    struct fixture *const f = *state;
    struct mb_error err = {0};
    const char *id = NULL;
    say(f, "Ann", "new sets=classic");
    const struct store_answer *const answer = kept(f, &id);
    struct store_commit change = store_change(id, answer->version, "another");
    assert_int_equal(store_talk_commit(f->store, &change)->result, STORE_DONE);
    assert_false(solo_restart(f->solo, &err));
    // Nor is what happens then taken for kept.
    solo_restart_always(f->solo);
    (void)solo_person_line(f->solo, "Bob", "join", NULL);
    assert_non_null(solo_restart_failed(f->solo));
}

static void nothing_is_left_in_the_end(void **state)
{
    struct fixture *const f = *state;
    const struct store_request list = {.kind = STORE_LIST};
    say(f, "Ann", "new sets=classic");
    solo_destroy(f->solo);
    f->solo = NULL;
    assert_int_equal(store_talk(f->store, &list)->count, 0);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(the_table_comes_out_of_the_store),
        CASE(another_table_is_missed),
        CASE(nothing_is_left_in_the_end),
    };
#undef CASE
    return cmocka_run_group_tests_name("solo_store", tests, NULL, NULL);
}
