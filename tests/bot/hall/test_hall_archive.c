// Tables that nobody comes to: after thirty days of store time they are put away, their places are
// free, and a control of their last card brings them back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/chance.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";
enum { DAY_H = 24, A_MINUTE_MS = 60000 };

struct fixture {
    struct catalog *catalog;
    struct stage stage;
    char id[TABLE_ID_SIZE];
    struct fake_message card; // the last one, kept: its words are the chat's
    size_t pieces;            // of the journal
};

static size_t pieces(struct fixture *f)
{
    const struct store_request request = {
        .kind = STORE_JOURNAL, .table = f->id, .count = STORE_JOURNAL_MAX};
    return store_talk(f->stage.store, &request)->count;
}

// A game is paused in its first turn.
static int set_up_on(void **state, enum stage_engine engine)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    chance_fix();
    f->catalog = given_catalog();
    stage_open_on(&f->stage, f->catalog, engine);
    stage_start(&f->stage, PLACE, 3, 0);
    stage_say(&f->stage, PLACE, "Ann", "pause");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_PAUSED);
    const struct fake_message *const card = fake_newest(f->stage.chat, CHAT_CARD, PLACE, NULL);
    assert_non_null(card);
    f->card = *card;
    (void)snprintf(f->id, sizeof f->id, "%s", table_id(stage_table(&f->stage, PLACE)));
    f->pieces = pieces(f);
    assert_true(f->pieces > 0);
    *state = f;
    return 0;
}

static int set_up(void **state)
{
    return set_up_on(state, STAGE_MEMORY);
}

static int set_up_sqlite(void **state)
{
    return set_up_on(state, STAGE_SQLITE);
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void pass_days(struct fixture *f, int64_t days)
{
    stage_pass(&f->stage, days * DAY_H * HALL_HOUR_MS);
}

static bool is_put_away(struct fixture *f)
{
    const struct store_answer *const answer = store_talk_load(f->stage.store, f->id);
    return answer->result == STORE_DONE && answer->version == 0;
}

static void press(struct fixture *f, const char *person)
{
    const struct chat_in in = {.place = PLACE, .person = person, .line = "status"};
    stage_press(&f->stage, f->stage.chat, &f->card, &in);
    stage_pass(&f->stage, 0);
}

static void put_away(struct fixture *f)
{
    pass_days(f, 29);
    assert_false(is_put_away(f));
    pass_days(f, 2);
    assert_true(is_put_away(f));
    assert_non_null(shown(f->stage.chat, NULL, TEXT_HALL_PUT_AWAY, NULL));
    assert_null(stage_table(&f->stage, PLACE));
    assert_int_equal(store_talk_place(f->stage.store, PLACE)->result, STORE_NOTHING);
    assert_int_equal(store_talk_person(f->stage.store, "Ann")->count, 0);
    assert_int_equal(pieces(f), f->pieces);
}

static void is_back(struct fixture *f)
{
    assert_false(is_put_away(f));
    assert_string_equal(table_id(stage_table(&f->stage, PLACE)), f->id);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_PAUSED);
    assert_string_equal(store_talk_place(f->stage.store, PLACE)->table, f->id);
    assert_int_equal(store_talk_person(f->stage.store, "Ann")->count, 1);
    assert_int_equal(pieces(f), f->pieces);
    stage_say(&f->stage, PLACE, "Ann", "resume");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_RUNNING);
    char who[64];
    const struct table *const table = stage_table(&f->stage, PLACE);
    (void)snprintf(who, sizeof who, "%s", table_seat_name(table, query_turn(table_game(table))));
    stage_say(&f->stage, PLACE, who, "kick");
    assert_true(pieces(f) > f->pieces);
}

static void a_control_of_the_last_card_brings_it_back(void **state)
{
    struct fixture *const f = *state;
    put_away(f);
    press(f, "Bob");
    assert_non_null(shown(f->stage.chat, NULL, TEXT_HALL_BACK, NULL));
    is_back(f);
}

static void another_process_brings_it_back_too(void **state)
{
    struct fixture *const f = *state;
    stage_restart(&f->stage); // which finds it resting
    put_away(f);
    stage_restart(&f->stage);
    pass_days(f, 400);
    press(f, "Zoe"); // who does not sit there
    is_back(f);
}

static void its_place_is_free_and_may_be_taken(void **state)
{
    struct fixture *const f = *state;
    put_away(f);
    stage_say(&f->stage, PLACE, "Dot", "new sets=classic");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_LOBBY);
    press(f, "Bob");
    assert_non_null(shown(f->stage.chat, "Bob", TEXT_HALL_NO_WAY_BACK, NULL));
    assert_true(is_put_away(f));
    assert_string_not_equal(table_id(stage_table(&f->stage, PLACE)), f->id);
    stage_say(&f->stage, PLACE, "Dot", "end");
    press(f, "Bob");
    is_back(f);
}

static void it_is_put_away_again(void **state)
{
    struct fixture *const f = *state;
    put_away(f);
    press(f, "Bob");
    assert_false(is_put_away(f));
    fake_forget(f->stage.chat);
    put_away(f);
    stage_restart(&f->stage);
    press(f, "Cy");
    is_back(f);
}

// Nobody can tell who had pressed what: a control somewhere else, or of a game that is over, is
// none.
static void nothing_else_brings_it_back(void **state)
{
    struct fixture *const f = *state;
    put_away(f);
    const struct chat_in elsewhere = {.place = "attic", .person = "Ann", .line = "status"};
    stage_press(&f->stage, f->stage.chat, &f->card, &elsewhere);
    stage_pass(&f->stage, 0);
    assert_true(is_put_away(f));
    stage_say(&f->stage, PLACE, "Ann", "status");
    stage_say(&f->stage, PLACE, "Ann", "resume");
    assert_true(is_put_away(f));
    press(f, "Ann");
    stage_say(&f->stage, PLACE, "Ann", "end");
    stage_say(&f->stage, PLACE, "Ann", "end");
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_OVER);
    pass_days(f, 1);
    assert_true(is_put_away(f)); // its journal is
    press(f, "Ann");
    assert_true(is_put_away(f));
    assert_non_null(shown(f->stage.chat, "Ann", TEXT_HALL_ENDED, NULL));
}

// The store fails when it is to be put away, and when it is to come back.
static void a_failing_store_loses_nothing(void **state)
{
    struct fixture *const f = *state;
    pass_days(f, 29);
    faulty_store_down(f->stage.store, true);
    pass_days(f, 2);
    faulty_store_down(f->stage.store, false);
    stage_pass(&f->stage, A_MINUTE_MS);
    pass_days(f, 2);
    assert_true(is_put_away(f));
    faulty_store_fault(f->stage.store, FAULT_AFTER, 2); // the load, then the commit
    press(f, "Bob");
    stage_pass(&f->stage, A_MINUTE_MS);
    is_back(f);
}

#define CASE(test)  cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define CASES(test) CASE(test), cmocka_unit_test_setup_teardown(test, set_up_sqlite, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASES(a_control_of_the_last_card_brings_it_back),
        CASES(another_process_brings_it_back_too),
        CASES(its_place_is_free_and_may_be_taken),
        CASES(it_is_put_away_again),
        CASES(nothing_else_brings_it_back),
        CASE(a_failing_store_loses_nothing),
    };
    return cmocka_run_group_tests_name("tables that are put away", tests, NULL, NULL);
}
