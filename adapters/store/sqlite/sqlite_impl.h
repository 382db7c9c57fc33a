/*
 * Inside of the store in SQLite: for adapters/store/sqlite/ only.
 *
 * sqlite_store.c is the engine and its threads, sqlite_memory.c the one in memory; sqlite_open.c a
 * file that becomes a store; sqlite_db.c a connection, which runs what ../plan.c asks;
 * sqlite_functions.c what statements call.
 *
 * One thread uses a connection. An error stays in `failed`, and the connection does nothing more
 * until somebody clears it.
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

/* What living processes hold: a lock on one byte of a file beside the store. The system frees it
 * when the process ends, however it ends. Two words may share a byte: then one process holds both.
 * Each process also holds a byte of its own, so the others know that it lives. */

struct hold {
    int fd;     /**< -1: closed */
    int64_t me; /**< this process among those that serve the store */
};

bool hold_open(struct hold *hold, const char *store, struct mb_error *err);
/** Takes a word; false: another living process holds it. */
bool hold_take(const struct hold *hold, const char *word);
/** Whether a process lives; this one does. */
bool hold_lives(const struct hold *hold, int64_t process);
/** Whether any other process lives. */
bool hold_is_shared(const struct hold *hold);
void hold_close(struct hold *hold);

enum {
    SQLITE_ROW_MAX = 1 << 24,   /* bytes of the biggest row */
    SQLITE_LOG_PAGES = 4096,    /* a log of this many is copied into the file */
    SQLITE_LOG_PAGES_MAX = 8192 /* commits then wait a moment for the copy */
};

/* sqlite_db.c */

/** Statements of the driver's own, after those of the plan. */
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
    DB_VALUES_MAX = 16 /* of a statement, once for each type that it has */
};

struct db {
    sqlite3 *handle;
    sqlite3_stmt *statements[DB_COUNT];
    unsigned char numbers[DB_COUNT][DB_VALUES_MAX + 1]; /* the number of each value, ended by 0 */
    int failed;                                         /* the first error, or SQLITE_OK */
    bool refused; /* a condition of the last request did not hold */
};

/** The handle may be NULL. */
void db_close(struct db *db);
/** Returns a statement with its values, before its first row; NULL: the connection has failed, or
 * there is nothing to do. */
sqlite3_stmt *db_ask(struct db *db, unsigned query, const struct db_value *values);
/** Runs one of the driver's own. */
void db_run(struct db *db, unsigned query, const struct db_value *values);
/** Answers a request. If it `failed` or was `refused`, the caller must undo its changes. */
struct store_answer *db_answer(struct db *db, const struct store_request *request, int64_t me,
                               const uint8_t *secret);
/** The same, and undoes such changes. */
struct store_answer *db_step(struct db *db, const struct store_request *request, int64_t me,
                             const uint8_t *secret);
/** Whether a transaction is open. */
bool db_is_open(const struct db *db);

/* sqlite_functions.c */

typedef void sqlite_function(sqlite3_context *context, int count, sqlite3_value **values);

/** Registers what the plan's statements call; `lives` and `hold` get `user`. */
bool sqlite_functions(struct db *db, void *user, sqlite_function *lives, sqlite_function *hold);
/** Those of a file; `user` is a struct hold. */
void sqlite_lives(sqlite3_context *context, int count, sqlite3_value **values);
void sqlite_hold(sqlite3_context *context, int count, sqlite3_value **values);

/* sqlite_open.c */

extern const struct migration SQLITE_MIGRATIONS[];
extern const size_t SQLITE_MIGRATION_COUNT;

/** Opens the file, makes it if missing, and brings it up to date. */
bool sqlite_open(struct db *db, const char *path, struct mb_error *err);
/** Opens a store in memory. */
bool sqlite_open_memory(struct db *db, struct mb_error *err);
/** Opens one more connection to an open file. */
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
    int log_pages; /* after the last write */
    bool log_stop;
};

/* sqlite_memory.c */

enum { SQLITE_DOORS_MAX = 16 };

/** One store in memory; each door stands for a process that uses it. */
struct sqlite_memory {
    struct db db;
    uint8_t secret[STORE_SECRET_SIZE];
    int64_t doors;                      /* made so far */
    int64_t asks;                       /* the door whose request is done, from 1 on */
    int64_t lives_ms[SQLITE_DOORS_MAX]; /* by door, from 0: until when it lives */
    int64_t now_ms;
    struct held_word *held;
    unsigned users; /* open doors */
};

struct sqlite_memory *sqlite_memory_of(struct store *store);

#endif
