/*
 * Inside of the store in SQLite: for adapters/store/sqlite/ only.
 *
 * sqlite_store.c is the engine and its threads; sqlite_open.c a file that becomes a store;
 * sqlite_db.c a connection and its statements, which are all in sqlite_sql.c; sqlite_read.c answers
 * questions, sqlite_commit.c changes tables, sqlite_people.c directories, sqlite_away.c what is
 * away.
 *
 * A connection is one thread's. What goes wrong on it stays noted (`failed`), and nothing more is
 * done until that is taken note of: so what follows may be written without a look at each line.
 */
#ifndef ADAPTERS_STORE_SQLITE_SQLITE_IMPL_H
#define ADAPTERS_STORE_SQLITE_SQLITE_IMPL_H

#include <pthread.h>

#include <sqlite3.h>

#include "bot/store_impl.h"

#include "adapters/store/jobs.h"
#include "adapters/store/migration.h"
#include "adapters/store/pad.h"
#include "adapters/store/sqlite/hold.h"
#include "adapters/store/sqlite/sqlite_sql.h"
#include "adapters/store/sqlite/sqlite_store.h"
#include "adapters/store/value.h"

enum {
    SQLITE_STEPS = 16,          /* of a table: the latest are known again */
    SQLITE_ROW_MAX = 1 << 24,   /* bytes of the biggest row */
    SQLITE_LOG_PAGES = 4096,    /* of the log, from which on it is copied into the file */
    SQLITE_LOG_PAGES_MAX = 8192 /* from which on commits wait for that for a moment */
};

/* sqlite_db.c */

struct db {
    sqlite3 *handle;
    sqlite3_stmt *statements[SQL_COUNT];
    int failed; /* the first code that was not well, or SQLITE_OK */
};

/** The handle may be NULL. */
void db_close(struct db *db);
/** A statement with its values, before its first row; NULL when something has failed. */
sqlite3_stmt *db_ask(struct db *db, enum sql sql, const struct db_value *values);
/** The next row; false: there is none, and the statement is over. A NULL statement has none. */
bool db_row(struct db *db, sqlite3_stmt *statement);
/** Ends a statement of which no more rows are wanted. */
void db_over(sqlite3_stmt *statement);
/** Runs it to its end; how many rows have changed. */
int db_run(struct db *db, enum sql sql, const struct db_value *values);
/** The first column of the first row; false: there is no row. */
bool db_find(struct db *db, enum sql sql, const struct db_value *values, int64_t *out);
/** Notes a code that is not SQLITE_OK. */
void db_note(struct db *db, int code);

/* sqlite_open.c */

extern const struct migration SQLITE_MIGRATIONS[];
extern const size_t SQLITE_MIGRATION_COUNT;

/** Opens the file, makes it if need be, and brings it up to date. */
bool sqlite_open(struct db *db, const char *path, struct mb_error *err);
/** One more connection to a file that has been opened. */
bool sqlite_connect(struct db *db, const char *path, struct mb_error *err);

/* sqlite_store.c */

struct sqlite_store {
    struct store store;
    char *path;
    bool waits, started;
    uint8_t secret[STORE_SECRET_SIZE];
    struct jobs jobs;
    struct db writer, reader, copier;
    struct hold hold;
    pthread_t threads[3];
    unsigned thread_count;
    pthread_mutex_t log_lock;
    pthread_cond_t log_grown;
    int log_pages; /* when it was last written to */
    bool log_stop;
};

/** Statements of a connection may ask whether a process lives: lives(number). */
bool sqlite_knows_who_lives(struct db *db, struct hold *hold);

/* sqlite_commit.c */

/** What a step has to know of a table. */
struct game {
    int64_t id;       /* its number in this file */
    uint64_t version; /* 0: there is none */
    uint64_t earlier; /* that undo goes back to; 0: none */
    int64_t since_ms;
    bool held; /* by this process */
};

/** What a commit needs to know; `gone` is where its answer's table lies. */
struct committing {
    struct db *db;
    const struct store_commit *commit;
    const uint8_t *secret;
    int64_t now_ms;
    int64_t me;       /* this process */
    struct game game; /* before */
    char gone[STORE_TABLE_SIZE];
};

void sqlite_commit(struct committing *committing, struct store_answer *answer);
enum store_result sqlite_confirm(struct db *db, const struct store_request *request);
/** `table` NULL: none. */
struct game sqlite_look(struct db *db, const char *table, int64_t me);
/** Whether a step was committed, and the version it made of a table that is now as `game` says. */
bool sqlite_step(struct db *db, const char *table, const struct game *game, struct chat_key step,
                 uint64_t *version);
/** Forgets a table with all that belongs to it. */
void sqlite_drop(struct db *db, const char *table);

/* sqlite_archive.c */

/** Card files that a commit's table plays with. */
void sqlite_use_cards(struct db *db, const struct store_commit *commit);
/** What is left of a table that is about to go, if it has a journal. */
void sqlite_put_away(struct db *db, const char *table);
/** A table that is opened takes back what is left of it; `journal`: its journal too. */
void sqlite_take_out(struct db *db, const char *table, bool journal);

/* sqlite_away.c */

/** STORE_STAND. */
void sqlite_stand(struct db *db, const struct store_request *request, int64_t me);
/** All that is away. */
void sqlite_aways(struct db *db, struct pad *pad, struct store_answer *answer);

/* sqlite_people.c */

bool sqlite_places_are_free(struct db *db, const struct store_commit *commit);
bool sqlite_people_find_room(struct db *db, const struct store_commit *commit);
/** Places, who sits where, and statistics; `there`: the commit has a table. */
void sqlite_change_directories(struct db *db, const struct store_commit *commit, bool there);
/** STORE_FORGET. */
void sqlite_forget(struct db *db, const struct store_request *request);

/* sqlite_read.c */

struct reading {
    struct db *db;
    const uint8_t *secret;
    const struct hold *hold;
    struct pad pad;
    int64_t now_ms;
};

/** A word of a row. */
const char *sqlite_text(struct pad *pad, sqlite3_stmt *row, int column);
/** Pieces of a journal that is put away (sqlite_archive.c). */
void sqlite_read_archived(struct reading *reading, const struct store_request *request,
                          struct store_answer *answer);
/** STORE_DUE that claims, on a connection that writes. NULL without memory. */
struct store_answer *sqlite_claim(struct reading *reading, const struct store_request *request);
/** The answer with all that is away; NULL without memory. */
struct store_answer *sqlite_answer_aways(struct reading *reading, struct store_answer *answer);
/** NULL without memory. */
struct store_answer *sqlite_read(struct reading *reading, const struct store_request *request);

#endif
