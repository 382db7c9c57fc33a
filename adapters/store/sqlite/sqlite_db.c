// A connection: statements prepared once, values bound, what goes wrong noted.
#include "adapters/store/sqlite/sqlite_impl.h"

void db_note(struct db *db, int code)
{
    if (db->failed == SQLITE_OK) {
        db->failed = code & 0xff;
    }
}

void db_close(struct db *db)
{
    for (size_t i = 0; i < SQL_COUNT; i++) {
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

sqlite3_stmt *db_ask(struct db *db, enum sql sql, const struct db_value *values)
{
    sqlite3_stmt **const statement = &db->statements[sql];
    if (db->failed == SQLITE_OK && *statement == NULL) {
        db_note(db, sqlite3_prepare_v3(db->handle, SQL[sql], -1, SQLITE_PREPARE_PERSISTENT,
                                       statement, NULL));
    }
    for (int i = 0; db->failed == SQLITE_OK && values != NULL && values[i].kind != DB_END; i++) {
        db_note(db, bind(*statement, i + 1, &values[i]));
    }
    return db->failed == SQLITE_OK ? *statement : NULL;
}

bool db_row(struct db *db, sqlite3_stmt *statement)
{
    if (statement == NULL) {
        return false;
    }
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code != SQLITE_DONE) {
        db_note(db, code);
    }
    db_over(statement);
    return false;
}

void db_over(sqlite3_stmt *statement)
{
    (void)sqlite3_reset(statement); // NULL is fine; what went wrong was told by the step
}

int db_run(struct db *db, enum sql sql, const struct db_value *values)
{
    sqlite3_stmt *const statement = db_ask(db, sql, values);
    if (statement == NULL) {
        return 0;
    }
    while (db_row(db, statement)) {
        // nobody wants the rows
    }
    return db->failed == SQLITE_OK ? sqlite3_changes(db->handle) : 0;
}

bool db_find(struct db *db, enum sql sql, const struct db_value *values, int64_t *out)
{
    sqlite3_stmt *const statement = db_ask(db, sql, values);
    if (!db_row(db, statement)) {
        return false;
    }
    *out = sqlite3_column_int64(statement, 0);
    db_over(statement);
    return true;
}
