/*
 * Inside of the store in SQLite: for adapters/store/sqlite/ only.
 *
 * sqlite_store.c is the engine and its threads, sqlite_memory.c the one in memory; sqlite_open.c a
 * file that becomes a store; sqlite_db.c a connection, which runs what ../plan.c asks;
 * sqlite_functions.c what statements call.
 *
 * A connection is one thread's. What goes wrong on it stays noted (`failed`), and nothing more is
 * done until that is taken note of.
 */
#ifndef ADAPTERS_STORE_SQLITE_SQLITE_IMPL_H
#define ADAPTERS_STORE_SQLITE_SQLITE_IMPL_H

#include <stdint.h>

#include <pthread.h>

#include <sqlite3.h>

#include "core/base/error.h"

#include "adapters/store/jobs.h"
#include "adapters/store/plan.h"
#include "adapters/store/sqlite/sqlite_store.h"

/*
 * What living processes hold: a lock on one byte of a file beside the store, which the system takes
 * back from a process that has ended in whatever way. Two words may share a byte: one of them is
 * then held by who holds the other. A process holds a byte of its own as well: so the others know
 * that it lives.
 */

struct hold {
    int fd;     /**< -1: it is closed */
    int64_t me; /**< this process among those that serve the store */
};

bool hold_open(struct hold *hold, const char *store, struct mb_error *err);
/** Whether no other living process holds it; it is this one's then. */
bool hold_take(const struct hold *hold, const char *word);
/** Whether a process lives; this one does. */
bool hold_lives(const struct hold *hold, int64_t process);
/** Whether any other one does. */
bool hold_is_shared(const struct hold *hold);
void hold_close(struct hold *hold);

enum {
    SQLITE_ROW_MAX = 1 << 24,   /* bytes of the biggest row */
    SQLITE_LOG_PAGES = 4096,    /* of the log, from which on it is copied into the file */
    SQLITE_LOG_PAGES_MAX = 8192 /* from which on commits wait for that for a moment */
};

/* sqlite_db.c */

/** Statements of the driver's own, behind those of the plan. */
enum {
    DB_BEGIN = QUERY_COUNT,
    DB_BEGIN_READING,
    DB_COMMIT,
    DB_ROLLBACK,
    DB_STEP_BEGIN,
    DB_STEP_END,
    DB_STEP_UNDO,
    DB_SECRET,
    DB_SECRET_KEEP,
    DB_COUNT
};

enum {
    DB_VALUES_MAX = 16 /* of a statement, each in every type it is named with */
};

struct db {
    sqlite3 *handle;
    sqlite3_stmt *statements[DB_COUNT];
    unsigned char numbers[DB_COUNT][DB_VALUES_MAX + 1]; /* whose value each takes, up to 0 */
    int failed;   /* the first code that was not well, or SQLITE_OK */
    bool refused; /* a condition of the last request did not hold */
};

/** The handle may be NULL. */
void db_close(struct db *db);
/** A statement with its values, before its first row; NULL when something has failed or there is
 * nothing to do. */
sqlite3_stmt *db_ask(struct db *db, unsigned query, const struct db_value *values);
/** Runs one of the driver's own. */
void db_run(struct db *db, unsigned query, const struct db_value *values);
/** Answers a request; when one has `failed` or is `refused`, what it has changed is left to be
 * undone. */
struct store_answer *db_answer(struct db *db, const struct store_request *request, int64_t me,
                               const uint8_t *secret);
/** The same, and undoes that: nothing has happened then. */
struct store_answer *db_step(struct db *db, const struct store_request *request, int64_t me,
                             const uint8_t *secret);
/** Whether a transaction is open. */
bool db_is_open(const struct db *db);

/* sqlite_functions.c */

typedef void sqlite_function(sqlite3_context *context, int count, sqlite3_value **values);

/** What the plan's statements call; `lives` and `hold` are given `user`. */
bool sqlite_functions(struct db *db, void *user, sqlite_function *lives, sqlite_function *hold);
/** Those of a file: `user` is a struct hold. */
void sqlite_lives(sqlite3_context *context, int count, sqlite3_value **values);
void sqlite_hold(sqlite3_context *context, int count, sqlite3_value **values);

/* sqlite_open.c */

extern const struct migration SQLITE_MIGRATIONS[];
extern const size_t SQLITE_MIGRATION_COUNT;

/** Opens the file, makes it if need be, and brings it up to date. */
bool sqlite_open(struct db *db, const char *path, struct mb_error *err);
/** Opens a store in memory. */
bool sqlite_open_memory(struct db *db, struct mb_error *err);
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

/* sqlite_memory.c */

enum { SQLITE_DOORS_MAX = 16 };

/** What several doors lead to: a process has one. */
struct sqlite_memory {
    struct db db;
    uint8_t secret[STORE_SECRET_SIZE];
    int64_t doors;                      /* made so far */
    int64_t asks;                       /* the door whose request is done, from 1 on */
    int64_t lives_ms[SQLITE_DOORS_MAX]; /* by door, from 0 on: until when */
    int64_t now_ms;
    struct held_word *held;
    unsigned users; /* doors that are there */
};

struct sqlite_memory *sqlite_memory_of(struct store *store);

#endif
