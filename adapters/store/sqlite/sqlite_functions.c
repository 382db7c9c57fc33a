// What the plan's statements call: conditions, who lives, and pieces of journals as one value.
#include <stdio.h>
#include <string.h>

#include "core/codec/parcel.h"

#include "adapters/store/sqlite/sqlite_impl.h"

static void refuse_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    enum { SAID_SIZE = 64 };
    char said[SAID_SIZE];
    (void)count;
    (void)snprintf(said, sizeof said, "%s %s", (const char *)sqlite3_value_text(values[0]),
                   (const char *)sqlite3_value_text(values[1]));
    sqlite3_result_error(context, said, -1);
}

void sqlite_lives(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const struct hold *const hold = sqlite3_user_data(context);
    sqlite3_result_int(context, hold_lives(hold, sqlite3_value_int64(values[0])));
}

void sqlite_hold(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const struct hold *const hold = sqlite3_user_data(context);
    sqlite3_result_int(context, hold_take(hold, (const char *)sqlite3_value_text(values[0])));
}

/* Pieces of a journal as one value. */

static void add_piece(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct parcel *const parcel = sqlite3_aggregate_context(context, sizeof *parcel);
    (void)count;
    if (parcel != NULL) {
        const void *const piece = sqlite3_value_blob(values[0]);
        parcel_add(parcel, piece, (size_t)sqlite3_value_bytes(values[0]));
    }
}

static void close_parcel(sqlite3_context *context)
{
    struct parcel *const parcel = sqlite3_aggregate_context(context, 0);
    if (parcel == NULL || !parcel_close(parcel)) {
        sqlite3_result_error_nomem(context);
    } else {
        sqlite3_result_blob64(context, parcel->at, parcel->used, SQLITE_TRANSIENT);
    }
    if (parcel != NULL) {
        parcel_finish(parcel);
    }
}

/* ... and one by one again: pieces_of(pieces) is a table of them. */

enum { PIECES_N, PIECES_PIECE, PIECES_OF };

struct pieces {
    sqlite3_vtab_cursor cursor;
    struct parcel parcel;
    size_t offset, size;
    const unsigned char *piece;
    int64_t n;
    bool there;
};

static int pieces_connect(sqlite3 *handle, void *user, int count, const char *const *words,
                          sqlite3_vtab **out, char **error)
{
    (void)user;
    (void)count;
    (void)words;
    (void)error;
    *out = sqlite3_malloc(sizeof **out);
    if (*out == NULL) {
        return SQLITE_NOMEM;
    }
    memset(*out, 0, sizeof **out);
    return sqlite3_declare_vtab(handle, "CREATE TABLE x (n, piece, pieces HIDDEN)");
}

static int pieces_disconnect(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

// There is one way: from the first piece on, of a value that is given.
static int pieces_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn == PIECES_OF &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ) {
            if (info->aConstraint[i].usable == 0) {
                return SQLITE_CONSTRAINT;
            }
            info->aConstraintUsage[i].argvIndex = 1;
            info->aConstraintUsage[i].omit = 1;
        }
    }
    return SQLITE_OK;
}

static int pieces_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    struct pieces *const pieces = sqlite3_malloc(sizeof *pieces);
    if (pieces == NULL) {
        return SQLITE_NOMEM;
    }
    *pieces = (struct pieces){.there = false};
    *out = &pieces->cursor;
    return SQLITE_OK;
}

static int pieces_close(sqlite3_vtab_cursor *cursor)
{
    struct pieces *const pieces = (struct pieces *)cursor;
    parcel_finish(&pieces->parcel);
    sqlite3_free(pieces);
    return SQLITE_OK;
}

static int pieces_next(sqlite3_vtab_cursor *cursor)
{
    struct pieces *const pieces = (struct pieces *)cursor;
    pieces->n++;
    pieces->there = parcel_next(&pieces->parcel, &pieces->offset, &pieces->piece, &pieces->size);
    return SQLITE_OK;
}

static int pieces_first(sqlite3_vtab_cursor *cursor, int plan, const char *words, int count,
                        sqlite3_value **values)
{
    struct pieces *const pieces = (struct pieces *)cursor;
    (void)plan;
    (void)words;
    parcel_finish(&pieces->parcel);
    pieces->offset = 0;
    pieces->n = -1;
    const void *const bytes = count > 0 ? sqlite3_value_blob(values[0]) : NULL;
    const size_t size = count > 0 ? (size_t)sqlite3_value_bytes(values[0]) : 0;
    return bytes != NULL && parcel_open(&pieces->parcel, bytes, size) ? pieces_next(cursor)
                                                                      : SQLITE_CORRUPT;
}

static int pieces_over(sqlite3_vtab_cursor *cursor)
{
    return !((struct pieces *)cursor)->there;
}

static int pieces_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const struct pieces *const pieces = (const struct pieces *)cursor;
    if (column == PIECES_N) {
        sqlite3_result_int64(context, pieces->n);
    } else if (column == PIECES_PIECE) {
        sqlite3_result_blob64(context, pieces->piece, pieces->size, SQLITE_TRANSIENT);
    }
    return SQLITE_OK;
}

static int pieces_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((const struct pieces *)cursor)->n;
    return SQLITE_OK;
}

static const sqlite3_module PIECES = {.xConnect = pieces_connect,
                                      .xBestIndex = pieces_plan,
                                      .xDisconnect = pieces_disconnect,
                                      .xOpen = pieces_open,
                                      .xClose = pieces_close,
                                      .xFilter = pieces_first,
                                      .xNext = pieces_next,
                                      .xEof = pieces_over,
                                      .xColumn = pieces_column,
                                      .xRowid = pieces_row};

bool sqlite_functions(struct db *db, void *user, sqlite_function *lives, sqlite_function *hold)
{
    const struct {
        const char *name;
        int count;
        sqlite_function *one, *step;
        void (*end)(sqlite3_context *context);
    } ALL[] = {{.name = "refuse", .count = 2, .one = refuse_step},
               {.name = "lives", .count = 1, .one = lives},
               {.name = "hold", .count = 1, .one = hold},
               {.name = "parcel", .count = 1, .step = add_piece, .end = close_parcel}};
    int code = sqlite3_create_module(db->handle, "pieces_of", &PIECES, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof ALL / sizeof ALL[0]; i++) {
        code = sqlite3_create_function_v2(db->handle, ALL[i].name, ALL[i].count,
                                          SQLITE_UTF8 | SQLITE_DIRECTONLY, user, ALL[i].one,
                                          ALL[i].step, ALL[i].end, NULL);
    }
    return code == SQLITE_OK;
}
