// What changes a table: a commit is checked, then written; and outcomes of messages.
#include <stdio.h>
#include <string.h>

#include "adapters/store/sqlite/sqlite_impl.h"

struct game sqlite_look(struct db *db, const char *table, int64_t me)
{
    struct game game = {0};
    sqlite3_stmt *const row = db_ask(db, SQL_GAME_LOOK, DB(db_text(table), db_number(me)));
    if (db_row(db, row)) {
        game.version = (uint64_t)sqlite3_column_int64(row, 0);
        game.since_ms = sqlite3_column_int64(row, 1);
        game.held = sqlite3_column_int(row, 2) != 0;
        game.earlier = (uint64_t)sqlite3_column_int64(row, 3);
        game.id = sqlite3_column_int64(row, 4);
        db_over(row);
    }
    return game;
}

bool sqlite_step(struct db *db, const char *table, const struct game *game, struct chat_key step,
                 uint64_t *version)
{
    const struct db_value epoch = db_big(step.epoch);
    const struct db_value number = db_big(step.number);
    int64_t found = 0;
    *version = 0;
    if (game->version > 0 &&
        db_find(db, SQL_STEP_FIND,
                DB(db_text(table), db_number((int64_t)game->version - SQLITE_STEPS), epoch, number),
                &found)) {
        *version = (uint64_t)found;
        return true;
    }
    return db_find(db, SQL_LOOSE_FIND, DB(epoch, number), &found);
}

void sqlite_drop(struct db *db, const char *table)
{
    static const enum sql ALL[] = {SQL_DROP_SNAPSHOTS, SQL_DROP_GAME,       SQL_DROP_STEPS,
                                   SQL_DROP_JOURNAL,   SQL_DROP_NARRATIONS, SQL_DROP_MESSAGES,
                                   SQL_DROP_BOARDS,    SQL_DROP_PLACES,     SQL_DROP_SITS};
    sqlite_put_away(db, table);
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
        (void)db_run(db, ALL[i], DB(db_text(table)));
    }
}

static struct db_value event_of(const struct committing *committing)
{
    const char *const event = committing->commit->event;
    return event != NULL && event[0] != '\0' ? db_big(store_event(committing->secret, event))
                                             : db_text(NULL);
}

/* Checks. */

static bool was_heard(const struct committing *committing)
{
    const struct db_value event = event_of(committing);
    int64_t found = 0;
    return event.kind == DB_NUMBER && db_find(committing->db, SQL_EVENT_FIND,
                                              DB(db_text(committing->commit->table), event,
                                                 db_number(committing->now_ms - STORE_EVENT_MS)),
                                              &found);
}

// The table nobody has touched for longest, of those at which nobody plays, makes room.
static bool makes_room(struct committing *committing, enum sql oldest,
                       const struct db_value *values)
{
    sqlite3_stmt *const row = db_ask(committing->db, oldest, values);
    if (!db_row(committing->db, row)) {
        return false;
    }
    (void)snprintf(committing->gone, sizeof committing->gone, "%s",
                   (const char *)sqlite3_column_text(row, 0));
    db_over(row);
    return true;
}

static bool share_is_left(struct committing *committing)
{
    const struct store_commit *const commit = committing->commit;
    const struct db_value from = db_text(commit->from);
    const struct {
        enum sql count, oldest;
        int64_t share;
        const struct db_value *values;
    } SHARES[] = {
        {SQL_OPENER_COUNT, SQL_OPENER_OLDEST, STORE_TABLES_OF_OPENER,
         DB(from, db_text(commit->opener_network), db_text(commit->opener))},
        {SQL_COMMUNITY_COUNT, SQL_COMMUNITY_OLDEST, STORE_TABLES_OF_COMMUNITY,
         DB(from, db_text(commit->community))},
        {SQL_GAME_COUNT, SQL_GAME_OLDEST, STORE_TABLES_MAX, DB(from)},
    };
    int64_t count = 0;
    for (size_t i = 0; i < sizeof SHARES / sizeof SHARES[0]; i++) {
        if (db_find(committing->db, SHARES[i].count, SHARES[i].values, &count) &&
            count >= SHARES[i].share) {
            return makes_room(committing, SHARES[i].oldest, SHARES[i].values);
        }
    }
    return true;
}

// The version of a table; 0: there is none.
static uint64_t version_of(struct db *db, const char *table)
{
    int64_t version = 0;
    if (table != NULL) {
        (void)db_find(db, SQL_GAME, DB(db_text(table)), &version);
    }
    return (uint64_t)version;
}

static enum store_result check(struct committing *committing)
{
    const struct store_commit *const commit = committing->commit;
    if (!commit->directories) {
        if (committing->game.version > 0 && was_heard(committing)) {
            return STORE_REPEATED;
        }
        if (committing->game.version != commit->expected ||
            version_of(committing->db, commit->from) != commit->from_version) {
            return STORE_CONFLICT;
        }
        if (committing->game.version == 0 && !share_is_left(committing)) {
            return STORE_FULL;
        }
    }
    if (!sqlite_places_are_free(committing->db, commit)) {
        return STORE_CONFLICT;
    }
    return sqlite_people_find_room(committing->db, commit) ? STORE_DONE : STORE_TOO_MANY;
}

/* Taking effect. */

static void keep_words(struct db *db, const struct store_commit *commit, int64_t me)
{
    const struct db_value table = db_text(commit->table);
    if (commit->anew) {
        (void)db_run(db, SQL_DROP_JOURNAL, DB(table));
        (void)db_run(db, SQL_DROP_NARRATIONS, DB(table));
    }
    for (size_t i = 0; commit->anew && i < commit->log_count; i++) {
        (void)db_run(db, SQL_NARRATION_KEEP, DB(table, db_text(commit->log[i])));
    }
    if (commit->narration != NULL) {
        (void)db_run(db, SQL_NARRATION_KEEP, DB(table, db_text(commit->narration)));
    }
    for (size_t i = 0; i < commit->journal_count; i++) {
        (void)db_run(db, SQL_JOURNAL_KEEP, DB(table, db_bytes(commit->journal[i])));
    }
    for (size_t i = 0; i < commit->message_count; i++) {
        const struct store_message *const message = &commit->messages[i];
        const struct db_value board = db_number(message->board);
        const struct db_value reader = db_text(message->reader);
        if (message->board != 0) {
            (void)db_run(db, SQL_MESSAGE_REPLACE, DB(table, board, reader));
        }
        (void)db_run(db, SQL_MESSAGE_KEEP,
                     DB(table, db_big(message->key.epoch), db_big(message->key.number), board,
                        reader, db_bytes(message->bytes), db_number(message->narrates),
                        db_number(message->answer ? me : 0)));
    }
}

static void keep_step(const struct committing *committing, uint64_t version)
{
    const struct store_commit *const commit = committing->commit;
    const struct db_value table = db_text(commit->table);
    (void)db_run(committing->db, SQL_STEP_KEEP,
                 DB(table, db_big(version), db_big(commit->step.epoch), db_big(commit->step.number),
                    event_of(committing), db_number(committing->now_ms)));
    if (version % SQLITE_STEPS == 0) {
        (void)db_run(committing->db, SQL_STEP_TIDY,
                     DB(table, db_number((int64_t)version - SQLITE_STEPS),
                        db_number(committing->now_ms - STORE_EVENT_MS)));
        (void)db_run(committing->db, SQL_NARRATION_TIDY, DB(table, db_number(STORE_LOG_MAX)));
    }
}

// The version that undo goes back to after it.
static struct db_value earlier_of(const struct committing *committing)
{
    const struct store_commit *const commit = committing->commit;
    const struct game *const game = &committing->game;
    const uint64_t version = commit->keep_earlier ? game->version : game->earlier;
    return version == 0 || commit->anew ? db_text(NULL) : db_big(version);
}

static void change_table(const struct committing *committing)
{
    struct db *const db = committing->db;
    const struct store_commit *const commit = committing->commit;
    const struct db_value version = db_big(commit->expected + 1);
    const struct db_value earlier = earlier_of(committing);
    int64_t id = committing->game.id;
    if (committing->game.version == 0) {
        (void)db_run(db, SQL_GAME_MAKE,
                     DB(db_text(commit->table), db_text(commit->opener_network),
                        db_text(commit->opener), db_text(commit->community)));
        id = sqlite3_last_insert_rowid(db->handle);
        sqlite_take_out(db, commit->table, !commit->anew);
    }
    (void)db_run(db, SQL_GAME_CHANGE,
                 DB(db_number(id), version, db_number(commit->since_ms), db_number(commit->due_ms),
                    db_number(commit->until_ms), db_number(commit->rests), db_number(commit->sends),
                    db_number(committing->me), earlier));
    (void)db_run(db, SQL_SNAPSHOT_KEEP, DB(db_number(id), version, db_bytes(commit->bytes)));
    (void)db_run(db, SQL_SNAPSHOT_TIDY, DB(db_number(id), version, earlier));
    keep_step(committing, commit->expected + 1);
    keep_words(db, commit, committing->me);
    sqlite_use_cards(db, commit);
}

static bool keeps_table(const struct store_commit *commit)
{
    return !commit->directories && commit->bytes.at != NULL;
}

static void apply(const struct committing *committing)
{
    struct db *const db = committing->db;
    const struct store_commit *const commit = committing->commit;
    const bool keeps = keeps_table(commit);
    if (keeps) {
        change_table(committing);
    } else {
        (void)db_run(db, SQL_LOOSE_KEEP,
                     DB(db_big(commit->step.epoch), db_big(commit->step.number),
                        db_number(committing->now_ms)));
    }
    if (commit->from != NULL && !commit->directories) {
        sqlite_drop(db, commit->from);
    }
    sqlite_change_directories(db, commit, keeps || committing->game.version > 0);
    if (!commit->directories && !keeps) {
        sqlite_drop(db, commit->table);
    }
    if (committing->gone[0] != '\0') {
        sqlite_drop(db, committing->gone);
    }
}

void sqlite_commit(struct committing *committing, struct store_answer *answer)
{
    const struct store_commit *const commit = committing->commit;
    committing->game = sqlite_look(committing->db, commit->table, committing->me);
    if (sqlite_step(committing->db, commit->table, &committing->game, commit->step,
                    &answer->version)) {
        answer->held = committing->game.held;
        return;
    }
    committing->gone[0] = '\0';
    answer->result = check(committing);
    if (answer->result == STORE_DONE) {
        apply(committing);
        answer->version = commit->directories ? 0 : commit->expected + 1;
        // What this process sends is not taken from it by what it commits.
        answer->held = (committing->game.held && keeps_table(commit)) ||
                       sqlite_look(committing->db, commit->table, committing->me).held;
        answer->table = committing->gone[0] != '\0' ? committing->gone : NULL;
    }
}

/* Outcomes. */

// The row of the message; its board is known by the platform's id from now on, or by none.
static bool drop_message(struct db *db, const struct store_request *request)
{
    const struct db_value table = db_text(request->table);
    sqlite3_stmt *const row = db_ask(
        db, SQL_MESSAGE_FIND, DB(table, db_big(request->key.epoch), db_big(request->key.number)));
    if (!db_row(db, row)) {
        return false;
    }
    const struct db_value line = db_number(sqlite3_column_int64(row, 0));
    const struct db_value board = db_number(sqlite3_column_int64(row, 1));
    const char *const reader = (const char *)sqlite3_column_text(row, 2);
    if (board.number != 0 && request->id != NULL) {
        (void)db_run(db, SQL_BOARD_KEEP,
                     DB(table, board, db_text(reader != NULL ? reader : ""), db_text(request->id)));
    }
    db_over(row);
    (void)db_run(db, SQL_MESSAGE_DROP, DB(table, line));
    return true;
}

enum store_result sqlite_confirm(struct db *db, const struct store_request *request)
{
    const struct db_value table = db_text(request->table);
    const bool dropped = drop_message(db, request);
    if (request->forget_board != 0) {
        (void)db_run(db, SQL_BOARD_DROP, DB(table, db_number(request->forget_board)));
    }
    if (request->starts) {
        (void)db_run(db, SQL_GAME_STARTS, DB(table, db_number(request->ms)));
    }
    const bool done = dropped || (request->starts && version_of(db, request->table) > 0);
    return done ? STORE_DONE : STORE_NOTHING;
}
