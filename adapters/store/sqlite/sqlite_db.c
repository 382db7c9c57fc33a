// A connection: statements prepared once, values bound by name, rows handed on.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/store/sqlite/sqlite_impl.h"

static const char *const OWN[DB_COUNT - QUERY_COUNT] = {
    [DB_BEGIN - QUERY_COUNT] = "BEGIN IMMEDIATE",
    [DB_BEGIN_READING - QUERY_COUNT] = "BEGIN",
    [DB_COMMIT - QUERY_COUNT] = "COMMIT",
    [DB_ROLLBACK - QUERY_COUNT] = "ROLLBACK",
    [DB_STEP_BEGIN - QUERY_COUNT] = "SAVEPOINT step",
    [DB_STEP_END - QUERY_COUNT] = "RELEASE step",
    [DB_STEP_UNDO - QUERY_COUNT] = "ROLLBACK TO step",
    [DB_SECRET - QUERY_COUNT] = "SELECT secret FROM store",
    [DB_SECRET_KEEP - QUERY_COUNT] =
        "INSERT OR IGNORE INTO store (id, secret, now_ms) VALUES (1, $1, 0)",
};

static void note_error(struct db *db, int code)
{
    if (db->failed == SQLITE_OK) {
        db->failed = code & 0xff;
    }
}

void db_close(struct db *db)
{
    for (size_t i = 0; i < DB_COUNT; i++) {
        (void)sqlite3_finalize(db->statements[i]);
        db->statements[i] = NULL;
    }
    (void)sqlite3_close(db->handle);
    db->handle = NULL;
    db->failed = SQLITE_OK;
}

// Words and bytes are the request's, which outlives the statement's run.
static int bind(sqlite3_stmt *statement, int at, const struct db_value *value)
{
    switch (value->kind) {
    case DB_NUMBER:
        return sqlite3_bind_int64(statement, at, value->number);
    case DB_TEXT:
        return sqlite3_bind_text(statement, at, value->at, -1, SQLITE_STATIC);
    case DB_BYTES:
        return value->size == 0
                   ? sqlite3_bind_zeroblob(statement, at, 0)
                   : sqlite3_bind_blob64(statement, at, value->at, value->size, SQLITE_STATIC);
    case DB_NONE:
    case DB_END:
        break;
    }
    return sqlite3_bind_null(statement, at);
}

// "$2", or "$2::bigint": the second value.
static void note_names(sqlite3_stmt *statement, unsigned char numbers[DB_VALUES_MAX + 1])
{
    const int count = sqlite3_bind_parameter_count(statement);
    assert(count <= DB_VALUES_MAX);
    for (int i = 0; i < count; i++) {
        numbers[i] =
            (unsigned char)strtoul(sqlite3_bind_parameter_name(statement, i + 1) + 1, NULL, 10);
    }
}

sqlite3_stmt *db_ask(struct db *db, unsigned query, const struct db_value *values)
{
    const char *const words =
        query < QUERY_COUNT ? QUERIES[query][PLAN_SQLITE] : OWN[query - QUERY_COUNT];
    sqlite3_stmt **const statement = &db->statements[query];
    if (db->failed != SQLITE_OK || words[0] == '\0') {
        return NULL;
    }
    if (*statement == NULL) {
        const unsigned way = SQLITE_PREPARE_PERSISTENT;
        note_error(db, sqlite3_prepare_v3(db->handle, words, -1, way, statement, NULL));
        note_names(*statement, db->numbers[query]);
    }
    for (int i = 0; db->failed == SQLITE_OK && values != NULL && db->numbers[query][i] != 0; i++) {
        note_error(db, bind(*statement, i + 1, &values[db->numbers[query][i] - 1]));
    }
    return db->failed == SQLITE_OK ? *statement : NULL;
}

void db_run(struct db *db, unsigned query, const struct db_value *values)
{
    sqlite3_stmt *const statement = db_ask(db, query, values);
    const int code = statement != NULL ? sqlite3_step(statement) : SQLITE_DONE;
    if (code != SQLITE_DONE) {
        note_error(db, code);
    }
    (void)sqlite3_reset(statement); // what went wrong was told by the step
}

/* A request. */

struct running {
    struct db *db;
    struct reading reading;
};

static void hand_on(struct running *running, enum query query, sqlite3_stmt *row)
{
    enum { COLUMNS_MAX = 16 };
    struct db_value values[COLUMNS_MAX];
    const int count = sqlite3_column_count(row);
    for (int i = 0; i < count && i < COLUMNS_MAX; i++) {
        const int type = sqlite3_column_type(row, i);
        values[i] = (struct db_value){.kind = DB_NONE};
        if (type == SQLITE_INTEGER) {
            values[i] = db_number(sqlite3_column_int64(row, i));
        } else if (type == SQLITE_TEXT) {
            values[i] = db_text((const char *)sqlite3_column_text(row, i));
        } else if (type == SQLITE_BLOB) {
            values[i].kind = DB_BYTES;
            values[i].at = sqlite3_column_blob(row, i);
        }
        values[i].size = type != SQLITE_INTEGER ? (size_t)sqlite3_column_bytes(row, i) : 0;
    }
    reading_row(&running->reading, query, values);
}

// "MB003 version", as refuse() says it.
static bool is_refused(struct running *running)
{
    enum { CODE_SIZE = 6 };
    const char *const said = sqlite3_errmsg(running->db->handle);
    char code[CODE_SIZE] = "";
    if (strncmp(said, "MB", 2) != 0 || strlen(said) < CODE_SIZE) {
        return false;
    }
    memcpy(code, said, CODE_SIZE - 1);
    reading_refused(&running->reading, code, said + CODE_SIZE);
    running->db->refused = true;
    return true;
}

static void run(void *user, enum query query, const struct db_value *values)
{
    struct running *const running = user;
    struct db *const db = running->db;
    sqlite3_stmt *const statement = db->refused ? NULL : db_ask(db, query, values);
    if (statement == NULL) {
        return;
    }
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        hand_on(running, query, statement);
    }
    if (code == SQLITE_DONE) {
        reading_over(&running->reading, query, sqlite3_changes(db->handle) > 0);
    } else if (code != SQLITE_ERROR || !is_refused(running)) {
        note_error(db, code);
    }
    (void)sqlite3_reset(statement);
}

struct store_answer *db_answer(struct db *db, const struct store_request *request, int64_t me,
                               const uint8_t *secret)
{
    struct running running = {.db = db};
    db->refused = false;
    reading_begin(&running.reading, request, secret);
    plan_ask(&(struct plan){.me = me, .secret = secret, .run = run, .user = &running}, request);
    if (db->failed != SQLITE_OK) {
        reading_refused(&running.reading, "", "");
    }
    return reading_end(&running.reading);
}

bool db_is_open(const struct db *db)
{
    return sqlite3_get_autocommit(db->handle) == 0;
}

struct store_answer *db_step(struct db *db, const struct store_request *request, int64_t me,
                             const uint8_t *secret)
{
    db_run(db, DB_STEP_BEGIN, NULL);
    struct store_answer *const answer = db_answer(db, request, me, secret);
    if (db->failed != SQLITE_OK || db->refused) {
        db->failed = db_is_open(db) ? SQLITE_OK : db->failed;
        db_run(db, DB_STEP_UNDO, NULL);
    }
    db_run(db, DB_STEP_END, NULL);
    return answer;
}
