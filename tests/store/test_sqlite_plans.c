// How SQLite goes about each statement: what is in a command's way looks nothing through and sorts
// nothing.
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "adapters/store/sqlite/sqlite_impl.h"

#include "tests/support/folder.h"
#include "tests/support/test.h"

// What may be looked through or sorted: rows that are few, and what comes seldom.
static const enum query LEFT[] = {
    /* What goes with one table, tables of one person, of an opener, of a community, what is due. */
    QUERY_LOAD, QUERY_SITTINGS, QUERY_ROOM_OPENER, QUERY_ROOM_COMMUNITY, QUERY_DUE,
    QUERY_DUE_UNSENT,
    /* Messages that are on their way, once a second, where several processes serve a store. */
    QUERY_CLAIM_UNSENT,
    /* Pieces of one journal that was put away. */
    QUERY_JOURNAL_AWAY,
    /* When a table is opened its index is counted, when one goes its card files are. */
    QUERY_ROOM_ALL, QUERY_CARDS_TIDY,
    /* Communities of tables that go: one or two. */
    QUERY_UNUSE_OLD, QUERY_ARCHIVE_TIDY,
    /* A community that is new in the statistics, a network that is back, an adapter that starts. */
    QUERY_COMMUNITY_LEAVE, QUERY_COMMUNITY_TIDY, QUERY_AWAY_SHIFT, QUERY_KEPT,
    /* People who ask what is known of them, or to be forgotten. */
    QUERY_COMMUNITIES, QUERY_FORGET_RECORDS, QUERY_FORGET_MESSAGES, QUERY_FORGET_BOARDS};

static bool is_left(size_t query)
{
    for (size_t i = 0; i < sizeof LEFT / sizeof LEFT[0]; i++) {
        if (LEFT[i] == query) {
            return true;
        }
    }
    return false;
}

static bool is_slow(const char *detail)
{
    static const char *const SMALL[] = {"SCAN store", "SCAN away", "SCAN CONSTANT ROW",
                                        "SCAN known", "SCAN its"};
    for (size_t i = 0; i < sizeof SMALL / sizeof SMALL[0]; i++) {
        if (strncmp(detail, SMALL[i], strlen(SMALL[i])) == 0) {
            return false;
        }
    }
    return strncmp(detail, "SCAN ", 5) == 0 || strstr(detail, "TEMP B-TREE") != NULL;
}

static unsigned slow_steps(sqlite3 *handle, size_t query)
{
    char words[4096];
    sqlite3_stmt *statement = NULL;
    unsigned slow = 0;
    if (QUERIES[query][PLAN_SQLITE][0] == '\0') {
        return 0;
    }
    (void)snprintf(words, sizeof words, "EXPLAIN QUERY PLAN %s", QUERIES[query][PLAN_SQLITE]);
    if (sqlite3_prepare_v2(handle, words, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", words, sqlite3_errmsg(handle));
    }
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *const detail = (const char *)sqlite3_column_text(statement, 3);
        if (is_slow(detail)) {
            slow++;
        }
        if (query == QUERY_HEARD && strstr(detail, " step ") != NULL &&
            strstr(detail, "event=?") == NULL) {
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
    struct db db;
    struct hold hold = {.fd = -1};
    (void)state;
    folder_make(folder);
    folder_in(folder, "tables.db", path);
    assert_true(sqlite_open(&db, path, &err));
    assert_true(sqlite_functions(&db, &hold, sqlite_lives, sqlite_hold));
    for (size_t query = 0; query < QUERY_COUNT; query++) {
        const unsigned steps = slow_steps(db.handle, query);
        if ((steps > 0) != is_left(query)) { // what has become better goes out of the list
            fail_msg("%u slow steps: %s", steps, QUERIES[query][PLAN_SQLITE]);
        }
    }
    db_close(&db);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_looked_through),
    };
    return cmocka_run_group_tests_name("sqlite_plans", tests, NULL, NULL);
}
