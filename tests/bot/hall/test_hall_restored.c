// A restored backup under a chat that went on after the backup was made: what was said and shown
// meanwhile counts no more, and nothing of it is mistaken for what comes now.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "bot/text/text.h"

#include "adapters/store/sqlite/sqlite_store.h"
#include "adapters/store/store_url.h"

#include "tests/support/chance.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";
enum { AN_HOUR_S = 3600, A_MINUTE_S = 60, URL_SIZE = FOLDER_PATH_SIZE + 16 };
#define MS INT64_C(1000)

struct fixture {
    struct catalog *catalog;
    struct stage stage;
    char folder[FOLDER_PATH_SIZE], path[FOLDER_PATH_SIZE], copy[FOLDER_PATH_SIZE];
    bool restores;  // when the store is opened next
    size_t then;    // messages when the backup was made ...
    int64_t due_ms; // ... and what its clock had left
};

static struct fixture *fixture; // for make()

static void restore(const struct fixture *f)
{
    static const char *const NAMES[] = {"tables.db", "tables.db-wal", "tables.db-shm"};
    struct mb_error err = {0};
    char name[FOLDER_PATH_SIZE];
    char url[URL_SIZE];
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        folder_in(f->folder, NAMES[i], name);
        (void)unlink(name);
    }
    (void)snprintf(url, sizeof url, "sqlite:%s", f->path);
    if (!store_url_restore(url, f->copy, &err)) {
        fail_msg("%s", err.text);
    }
}

static struct store *make(void)
{
    if (fixture->restores) {
        restore(fixture);
    }
    fixture->restores = false;
    return sqlite_store_create(&(struct sqlite_setup){.path = fixture->path, .waits = true});
}

// A game in its first turn, of which there is a backup.
static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    struct mb_error err = {0};
    assert_non_null(f);
    fixture = f;
    chance_fix();
    f->catalog = given_catalog();
    folder_make(f->folder);
    folder_in(f->folder, "tables.db", f->path);
    folder_in(f->folder, "copy.db", f->copy);
    stage_open_made(&f->stage, f->catalog, make);
    stage_start(&f->stage, PLACE, 3, 0);
    assert_true(sqlite_copy(f->path, f->copy, &err));
    f->then = fake_count(f->stage.chat);
    f->due_ms = table_due(stage_table(&f->stage, PLACE)).clock_ms;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    stage_close(&f->stage);
    folder_remove(f->folder);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

// The backup takes the store's place; a minute later the bot is back.
static void go_back(struct fixture *f)
{
    f->restores = true;
    f->stage.wall_s = (int64_t)time(NULL) + A_MINUTE_S;
    stage_restart(&f->stage);
    stage_say(&f->stage, PLACE, "Eve", "status"); // the table is there
    assert_non_null(stage_table(&f->stage, PLACE));
}

static void say_late(struct fixture *f, const char *person, const char *line, int64_t age_ms)
{
    const struct chat_in in = {
        .place = PLACE, .person = person, .line = line, .age_ms = age_ms, .open = true};
    stage_hear(&f->stage, f->stage.chat, &in);
}

static size_t count_said(const struct fixture *f, enum text_id id)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(f->stage.chat); i++) {
        count += strstr(fake_message(f->stage.chat, i)->text, text_sentence(id)) != NULL ? 1 : 0;
    }
    return count;
}

static void no_key_is_used_twice_and_no_deadline_is_lost(void **state)
{
    struct fixture *const f = *state;
    for (unsigned i = 0; i < 8; i++) { // reminders, and a stand-in
        stage_wait(&f->stage, PLACE);
    }
    const size_t back = fake_count(f->stage.chat);
    assert_true(back > f->then);
    go_back(f);
    assert_int_equal(table_due(stage_table(&f->stage, PLACE)).clock_ms, f->due_ms);
    for (unsigned i = 0; i < 8; i++) {
        stage_wait(&f->stage, PLACE);
    }
    assert_true(fake_count(f->stage.chat) > back);
    for (size_t i = back; i < fake_count(f->stage.chat); i++) {
        const struct chat_key *const key = &fake_message(f->stage.chat, i)->key;
        for (size_t j = 0; j < back; j++) {
            assert_memory_not_equal(key, &fake_message(f->stage.chat, j)->key, sizeof *key);
        }
    }
}

static void what_was_said_before_counts_no_more(void **state)
{
    struct fixture *const f = *state;
    go_back(f);
    say_late(f, "Ann", "pause", (A_MINUTE_S + 30) * MS);
    say_late(f, "Ann", "pause", AN_HOUR_S * MS);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_RUNNING);
    assert_int_equal(count_said(f, TEXT_HALL_WAS_AWAY), 1);
    stage_restart(&f->stage); // which it has not forgotten
    say_late(f, "Ann", "pause", (A_MINUTE_S + 30) * MS);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_RUNNING);
    say_late(f, "Ann", "pause", 30 * MS);
    assert_int_equal(table_state(stage_table(&f->stage, PLACE)), TABLE_PAUSED);
}

// The card of the time that never was has the place in the count of cards that one of now has.
static void what_was_shown_before_is_stale(void **state)
{
    struct fixture *const f = *state;
    const struct chat_in in = {.place = PLACE, .person = "Bob", .pressed = 1};
    stage_say(&f->stage, PLACE, "Ann", "pause");
    const struct fake_message card = *fake_newest(f->stage.chat, CHAT_CARD, PLACE, NULL);
    assert_true(card.control_count > 0);
    go_back(f);
    const struct fake_message *const before = fake_newest(f->stage.chat, CHAT_CARD, PLACE, NULL);
    const struct table *const table = stage_table(&f->stage, PLACE);
    stage_say(&f->stage, PLACE, table_seat_name(table, query_turn(table_game(table))), "kick");
    assert_true(fake_newest(f->stage.chat, CHAT_CARD, PLACE, NULL) != before);
    stage_press(&f->stage, f->stage.chat, &card, &in);
    assert_int_equal(hall_stats(f->stage.hall)->stale, 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(no_key_is_used_twice_and_no_deadline_is_lost),
        CASE(what_was_said_before_counts_no_more),
        CASE(what_was_shown_before_is_stale),
    };
    return cmocka_run_group_tests_name("hall_restored", tests, NULL, NULL);
}
