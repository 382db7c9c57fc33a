// How SQLite goes about each statement: what is in a command's way looks nothing through and sorts
// nothing.
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "adapters/store/sqlite/sqlite_impl.h"
#include "adapters/store/sqlite/sqlite_sql.h"

#include "tests/support/folder.h"
#include "tests/support/test.h"

// What may be looked through or sorted: rows that are few, and what comes seldom.
static const enum sql LEFT[] = {
    /* The 64 latest, tables of one person, of one opener, of a community, what is due now. */
    SQL_NARRATIONS, SQL_SITTINGS, SQL_OPENER_OLDEST, SQL_COMMUNITY_OLDEST, SQL_DUE,
    /* Messages that are on their way, once a second, where several processes serve a store. */
    SQL_DUE_CLAIM,
    /* When a table is opened its index is counted, when one goes its card files are. */
    SQL_GAME_COUNT, SQL_CARDS_TIDY,
    /* A community that is new in the statistics, a network that is back, an adapter that starts. */
    SQL_COMMUNITIES, SQL_COMMUNITY_DROP_RECORDS, SQL_AWAY_SHIFT, SQL_KEPT,
    /* People who ask what is known of them, or to be forgotten. */
    SQL_KNOWN, SQL_FORGET_RECORDS, SQL_FORGET_MESSAGES, SQL_FORGET_BOARDS};

static bool is_left(size_t sql)
{
    for (size_t i = 0; i < sizeof LEFT / sizeof LEFT[0]; i++) {
        if (LEFT[i] == sql) {
            return true;
        }
    }
    return false;
}

static void lives(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_int(context, 1);
}

static bool is_slow(const char *detail)
{
    static const char *const SMALL[] = {"SCAN store", "SCAN away", "SCAN CONSTANT ROW"};
    for (size_t i = 0; i < sizeof SMALL / sizeof SMALL[0]; i++) {
        if (strncmp(detail, SMALL[i], strlen(SMALL[i])) == 0) {
            return false;
        }
    }
    return strncmp(detail, "SCAN ", 5) == 0 || strstr(detail, "TEMP B-TREE") != NULL;
}

static unsigned slow_steps(sqlite3 *handle, size_t sql)
{
    char words[4096];
    sqlite3_stmt *statement = NULL;
    unsigned slow = 0;
    (void)snprintf(words, sizeof words, "EXPLAIN QUERY PLAN %s", SQL[sql]);
    if (sqlite3_prepare_v2(handle, words, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", words, sqlite3_errmsg(handle));
    }
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *const detail = (const char *)sqlite3_column_text(statement, 3);
        if (is_slow(detail)) {
            slow++;
        }
        if (sql == SQL_EVENT_FIND && strstr(detail, "event=?") == NULL) {
            fail_msg("not one event is looked up: %s", detail);
        }
    }
    (void)sqlite3_finalize(statement);
    return slow;
}

static void nothing_is_looked_through(void **state)
{
    char folder[FOLDER_PATH_SIZE];
    char path[FOLDER_PATH_SIZE];
    struct mb_error err = {0};
    sqlite3 *handle = NULL;
    (void)state;
    folder_make(folder);
    folder_in(folder, "tables.db", path);
    struct store *const store = sqlite_store_create(&(struct sqlite_setup){.path = path});
    assert_non_null(store);
    assert_true(store_start(store, &err));
    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    assert_int_equal(
        sqlite3_create_function(handle, "lives", 1, SQLITE_UTF8, NULL, lives, NULL, NULL),
        SQLITE_OK);
    for (size_t sql = 0; sql < SQL_COUNT; sql++) {
        const unsigned steps = slow_steps(handle, sql);
        if ((steps > 0) != is_left(sql)) { // what has become better goes out of the list
            fail_msg("%u slow steps: %s", steps, SQL[sql]);
        }
    }
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    store_destroy(store);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_looked_through),
    };
    return cmocka_run_group_tests_name("sqlite_plans", tests, NULL, NULL);
}
