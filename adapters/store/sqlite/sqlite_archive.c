// What is left of tables that are gone, and the card files that tables play with.
#include "core/codec/parcel.h"

#include "adapters/store/sqlite/sqlite_impl.h"

static struct store_bytes bytes_of(sqlite3_stmt *row, int column)
{
    const void *const at = sqlite3_column_blob(row, column);
    return (struct store_bytes){.at = at, .size = (size_t)sqlite3_column_bytes(row, column)};
}

/* Card files. */

// What nobody plays with goes.
static void stop_using(struct db *db, const char *table)
{
    if (db_run(db, SQL_CARDS_UNUSE, DB(db_text(table))) > 0) {
        (void)db_run(db, SQL_CARDS_TIDY, NULL);
    }
}

void sqlite_use_cards(struct db *db, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    if (commit->card_count == 0) {
        return;
    }
    const int before = db_run(db, SQL_CARDS_UNUSE, DB(table));
    for (size_t i = 0; i < commit->card_count; i++) {
        const struct db_value word = db_text(commit->cards[i].word);
        (void)db_run(db, SQL_CARD_KEEP, DB(word, db_bytes(commit->cards[i].bytes)));
        (void)db_run(db, SQL_CARD_USE, DB(table, word));
    }
    if (before > 0) {
        (void)db_run(db, SQL_CARDS_TIDY, NULL);
    }
}

/* The archive. */

// Of a community's tables the one that was put away first is forgotten.
static void make_room(struct db *db, const char *table)
{
    int64_t count = 0;
    if (!db_find(db, SQL_ARCHIVE_COUNT, DB(db_text(table)), &count) ||
        count <= STORE_ARCHIVE_OF_COMMUNITY) {
        return;
    }
    struct pad pad = {.first = NULL};
    sqlite3_stmt *const row = db_ask(db, SQL_ARCHIVE_FIRST, DB(db_text(table)));
    const char *const first = db_row(db, row) ? sqlite_text(&pad, row, 0) : NULL;
    db_over(row);
    if (first != NULL) {
        (void)db_run(db, SQL_ARCHIVE_DROP, DB(db_text(first)));
        stop_using(db, first);
    }
    if (pad.failed) {
        db_note(db, SQLITE_NOMEM);
    }
    pad_empty(&pad);
}

void sqlite_put_away(struct db *db, const char *table)
{
    struct parcel parcel = {.at = NULL};
    sqlite3_stmt *const row =
        db_ask(db, SQL_JOURNAL, DB(db_text(table), db_number(0), db_number(INT64_MAX)));
    while (db_row(db, row)) {
        const struct store_bytes piece = bytes_of(row, 0);
        parcel_add(&parcel, piece.at, piece.size);
    }
    if (parcel.count == 0) {
        stop_using(db, table);
        return;
    }
    if (!parcel_close(&parcel)) {
        db_note(db, SQLITE_NOMEM);
    }
    (void)db_run(
        db, SQL_ARCHIVE_KEEP,
        DB(db_text(table), db_bytes((struct store_bytes){.at = parcel.at, .size = parcel.used})));
    parcel_finish(&parcel);
    make_room(db, table);
}

// The journal that was put away, plain; false: there is none, or it is damaged.
static bool open_journal(struct db *db, const char *table, struct parcel *parcel)
{
    sqlite3_stmt *const row = db_ask(db, SQL_ARCHIVE_JOURNAL, DB(db_text(table)));
    if (!db_row(db, row)) {
        return false;
    }
    const struct store_bytes kept = bytes_of(row, 0);
    const bool opened = parcel_open(parcel, kept.at, kept.size);
    db_over(row);
    if (!opened) {
        db_note(db, SQLITE_CORRUPT);
    }
    return opened;
}

void sqlite_take_out(struct db *db, const char *table, bool journal)
{
    struct parcel parcel;
    struct store_bytes piece;
    size_t offset = 0;
    if (!open_journal(db, table, &parcel)) {
        return;
    }
    while (journal && parcel_next(&parcel, &offset, &piece.at, &piece.size)) {
        (void)db_run(db, SQL_JOURNAL_KEEP, DB(db_text(table), db_bytes(piece)));
    }
    parcel_finish(&parcel);
    (void)db_run(db, SQL_ARCHIVE_DROP, DB(db_text(table)));
}

void sqlite_read_archived(struct reading *reading, const struct store_request *request,
                          struct store_answer *answer)
{
    struct pad *const pad = &reading->pad;
    struct parcel parcel;
    struct store_bytes piece;
    struct store_bytes *list = NULL;
    size_t offset = 0;
    const size_t most = request->count < STORE_JOURNAL_MAX ? request->count : STORE_JOURNAL_MAX;
    if (!open_journal(reading->db, request->table, &parcel)) {
        answer->result = STORE_NOTHING;
        return;
    }
    for (size_t i = 0;
         answer->count < most && parcel_next(&parcel, &offset, &piece.at, &piece.size); i++) {
        list = i >= request->from ? pad_more(pad, list, answer->count, sizeof *list) : list;
        if (i >= request->from && list != NULL) {
            list[answer->count++] =
                (struct store_bytes){.at = pad_copy(pad, piece.at, piece.size), .size = piece.size};
        }
    }
    parcel_finish(&parcel);
    answer->pieces = list;
}
