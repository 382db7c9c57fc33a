// Directories: which table lies at a place, who sits where, and how people played.
#include <stdio.h>
#include <string.h>

#include "adapters/store/sqlite/sqlite_impl.h"

static const char *word(const char *text)
{
    return text != NULL ? text : "";
}

bool sqlite_places_are_free(struct db *db, const struct store_commit *commit)
{
    bool done = true;
    for (size_t i = 0; done && i < commit->place_count; i++) {
        const struct store_place *const change = &commit->places[i];
        sqlite3_stmt *const row =
            db_ask(db, SQL_PLACE, DB(db_text(change->network), db_text(change->place)));
        if (change->taken && db_row(db, row)) {
            const char *const table = (const char *)sqlite3_column_text(row, 0);
            done = table != NULL && (strcmp(table, word(commit->table)) == 0 ||
                                     strcmp(table, word(commit->from)) == 0);
        }
        db_over(row);
    }
    return done;
}

bool sqlite_people_find_room(struct db *db, const struct store_commit *commit)
{
    int64_t found = 0;
    for (size_t i = 0; i < commit->sit_count; i++) {
        const struct store_sit *const sit = &commit->sits[i];
        const struct db_value network = db_text(sit->network);
        const struct db_value person = db_text(sit->person);
        if (sit->what == STORE_SITS && db_find(db, SQL_SIT_COUNT, DB(network, person), &found) &&
            found >= STORE_TABLES_OF_PERSON &&
            !db_find(db, SQL_SIT_FIND, DB(network, person, db_text(commit->table)), &found)) {
            return false;
        }
    }
    return true;
}

static void change_place(struct db *db, const char *table, const struct store_place *change)
{
    const struct db_value *const values =
        DB(db_text(change->network), db_text(change->place), db_text(table),
           db_text(word(change->name)), db_text(word(change->community)));
    if (!change->taken) {
        (void)db_run(db, SQL_PLACE_LEAVE,
                     DB(db_text(change->network), db_text(change->place), db_text(table)));
    } else if (db_run(db, SQL_PLACE_KEEP, values) == 0) {
        (void)db_run(db, SQL_PLACE_TAKE, values);
    }
}

static void change_sit(struct db *db, const char *table, const struct store_sit *sit)
{
    static const enum sql HOW[] = {
        [STORE_SITS] = SQL_SIT_DOWN, [STORE_LEAVES] = SQL_SIT_UP, [STORE_CHOOSES] = SQL_SIT_CHOOSE};
    (void)db_run(db, HOW[sit->what],
                 DB(db_text(sit->network), db_text(sit->person), db_text(table)));
}

// Room for the record of a community, and in it: what was silent longest is forgotten.
static void make_room(struct db *db, const char *community)
{
    int64_t count = 0;
    if (db_run(db, SQL_COMMUNITY_ADD, DB(db_text(community))) > 0 &&
        db_find(db, SQL_COMMUNITIES, NULL, &count) && count > STORE_COMMUNITIES_MAX) {
        (void)db_run(db, SQL_COMMUNITY_DROP_RECORDS, NULL);
        (void)db_run(db, SQL_COMMUNITY_DROP_OLDEST, NULL);
    }
    if (db_find(db, SQL_RECORD_COUNT, DB(db_text(community)), &count) &&
        count > STORE_PEOPLE_OF_COMMUNITY) {
        (void)db_run(db, SQL_RECORD_DROP_OLDEST, DB(db_text(community)));
    }
}

static void change_record(struct db *db, const struct store_record *record)
{
    const struct db_value community = db_text(record->community);
    const struct db_value network = db_text(record->network);
    const struct db_value person = db_text(record->person);
    if (record->forget) {
        (void)db_run(db, SQL_RECORD_FORGET, DB(community, network, person));
        return;
    }
    (void)db_run(db, SQL_RECORD_ADD,
                 DB(community, network, person, db_number(record->line.games),
                    db_number(record->line.wins), db_number(record->line.kills),
                    db_number(record->line.deaths)));
    make_room(db, record->community);
}

// What goes is put away first, and goes from there.
static void purge(struct db *db, const char *community)
{
    static const enum sql ALL[] = {SQL_PURGE_CARDS, SQL_PURGE_ARCHIVE, SQL_PURGE_RECORDS,
                                   SQL_PURGE_COMMUNITY};
    const struct db_value its = db_text(community);
    char table[STORE_TABLE_SIZE];
    sqlite3_stmt *row = db_ask(db, SQL_PURGE_NEXT, DB(its));
    while (db_row(db, row)) {
        (void)snprintf(table, sizeof table, "%s", (const char *)sqlite3_column_text(row, 0));
        db_over(row);
        sqlite_drop(db, table);
        row = db_ask(db, SQL_PURGE_NEXT, DB(its));
    }
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
        (void)db_run(db, ALL[i], DB(its));
    }
    (void)db_run(db, SQL_CARDS_TIDY, NULL);
}

void sqlite_forget(struct db *db, const struct store_request *request)
{
    static const enum sql OF_PERSON[] = {SQL_FORGET_RECORDS, SQL_FORGET_SITS, SQL_FORGET_OPENER};
    static const enum sql OF_READER[] = {SQL_FORGET_MESSAGES, SQL_FORGET_BOARDS};
    if (request->person == NULL) {
        purge(db, request->community);
        return;
    }
    for (size_t i = 0; i < sizeof OF_PERSON / sizeof OF_PERSON[0]; i++) {
        (void)db_run(db, OF_PERSON[i], DB(db_text(request->network), db_text(request->person)));
    }
    for (size_t i = 0; i < sizeof OF_READER / sizeof OF_READER[0]; i++) {
        (void)db_run(db, OF_READER[i], DB(db_text(request->word)));
    }
}

void sqlite_change_directories(struct db *db, const struct store_commit *commit, bool there)
{
    for (size_t i = 0; there && i < commit->place_count; i++) {
        change_place(db, commit->table, &commit->places[i]);
    }
    for (size_t i = 0; there && i < commit->sit_count; i++) {
        change_sit(db, commit->table, &commit->sits[i]);
    }
    for (size_t i = 0; i < commit->record_count; i++) {
        change_record(db, &commit->records[i]);
    }
}
