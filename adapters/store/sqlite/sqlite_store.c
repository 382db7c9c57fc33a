#include "adapters/store/sqlite/sqlite_store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "adapters/store/sqlite/sqlite_impl.h"

enum { TRIES = 3, READS_TOGETHER = 16 };
enum { READS, WRITES }; // sides

static bool sqlite_start(struct store *store, struct mb_error *err);
static bool sqlite_ask(struct store *store, struct store_request *request);
static struct store_answer *sqlite_take(struct store *store);
static bool sqlite_shared(const struct store *store);
static void sqlite_stop(struct store *store);
static void sqlite_destroy(struct store *store);

static const struct store_ops OPS = {
    .name = "sqlite",
    .start = sqlite_start,
    .ask = sqlite_ask,
    .take = sqlite_take,
    .shared = sqlite_shared,
    .stop = sqlite_stop,
    .destroy = sqlite_destroy,
};

static struct sqlite_store *sqlite_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct sqlite_store *)store;
}

static void route(struct job *job)
{
    const struct store_request *const request = job->request;
    job->side = READS;
    job->lane = JOBS_LANE_NONE;
    switch (request->kind) {
    case STORE_BEAT:
    case STORE_STAND:
        job->side = WRITES;
        break;
    case STORE_FORGET:
        job->side = WRITES;
        job->lane = JOBS_LANE_DIRECTORIES;
        break;
    case STORE_COMMIT:
        job->side = WRITES;
        job->lane =
            request->commit.directories ? JOBS_LANE_DIRECTORIES : jobs_lane(request->commit.table);
        break;
    case STORE_CONFIRM:
        job->side = WRITES;
        job->lane = jobs_lane(request->table);
        job->lingers = true; // what it says was known to be on its way
        break;
    case STORE_LOAD:
    case STORE_LOOK:
    case STORE_EARLIER:
    case STORE_LOG:
    case STORE_JOURNAL:
    case STORE_STEP:
        job->lane = jobs_lane(request->table);
        break;
    case STORE_PERSON:
    case STORE_STATISTICS:
    case STORE_KEPT:
    case STORE_KNOWN:
        job->lane = JOBS_LANE_DIRECTORIES;
        break;
    case STORE_KEEP:
        job->side = WRITES;
        job->lane = JOBS_LANE_DIRECTORIES;
        break;
    case STORE_DUE:
        job->side = request->claims ? WRITES : READS;
        break;
    case STORE_HOLD:
        job->side = request->for_ms > 0 ? WRITES : READS;
        break;
    case STORE_HELLO:
    case STORE_PLACE:
    case STORE_WATCH:
    case STORE_CARD:
    case STORE_LIST:
        break;
    }
}

/* The writer. */

// A lock of somebody else's is waited for, some seconds in all.
static bool begin_transaction(struct sqlite_store *sqlite, struct db *db)
{
    for (unsigned i = 0; i < TRIES && (i == 0 || !jobs_stopping(&sqlite->jobs)); i++) {
        int moved = 0;
        db->failed = SQLITE_OK;
        // What is written to a file that was taken away would be lost with it.
        (void)sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
        if (moved != 0) {
            return false;
        }
        db_run(db, DB_BEGIN, NULL);
        if (db->failed != SQLITE_BUSY) {
            return db->failed == SQLITE_OK;
        }
    }
    return false;
}

// Ends a transaction, or what is left of it; whether all of it is kept.
static bool end_transaction(struct db *db)
{
    const bool whole = db->failed == SQLITE_OK && db_is_open(db);
    if (whole) {
        db_run(db, DB_COMMIT, NULL);
    }
    const bool kept = whole && db->failed == SQLITE_OK;
    db->failed = SQLITE_OK;
    if (db_is_open(db)) {
        db_run(db, DB_ROLLBACK, NULL);
    }
    return kept;
}

static void tell_answers(struct sqlite_store *sqlite, struct job *list)
{
    jobs_answer(&sqlite->jobs, list);
    store_wake(&sqlite->store);
}

static void *write_all(void *user)
{
    struct sqlite_store *const sqlite = user;
    struct db *const db = &sqlite->writer;
    for (;;) {
        struct job *const list = jobs_claim(&sqlite->jobs, WRITES, STORE_QUEUE_MAX);
        if (list == NULL) {
            return NULL;
        }
        bool kept = begin_transaction(sqlite, db);
        for (struct job *job = list; kept && job != NULL; job = job->next) {
            job->answer = db_step(db, job->request, sqlite->hold.me, sqlite->secret);
            kept = db_is_open(db);
        }
        if (!end_transaction(db) || !kept) {
            jobs_fail(list);
        }
        tell_answers(sqlite, list);
    }
}

/* The reader. */

static void *read_all(void *user)
{
    struct sqlite_store *const sqlite = user;
    struct db *const db = &sqlite->reader;
    for (;;) {
        struct job *const list = jobs_claim(&sqlite->jobs, READS, READS_TOGETHER);
        if (list == NULL) {
            return NULL;
        }
        db_run(db, DB_BEGIN_READING, NULL);
        for (struct job *job = list; job != NULL; job = job->next) {
            job->answer = db_answer(db, job->request, sqlite->hold.me, sqlite->secret);
        }
        (void)end_transaction(db);
        tell_answers(sqlite, list);
    }
}

/* The copier: from the log into the file. */

// Called by the writer's connection after a commit.
static int note_log(void *user, sqlite3 *handle, const char *name, int pages)
{
    struct sqlite_store *const sqlite = user;
    (void)handle;
    (void)name;
    (void)pthread_mutex_lock(&sqlite->log_lock);
    sqlite->log_pages = pages;
    if (pages >= SQLITE_LOG_PAGES) {
        (void)pthread_cond_signal(&sqlite->log_grown);
    }
    (void)pthread_mutex_unlock(&sqlite->log_lock);
    return SQLITE_OK;
}

// Waits until the log has grown; false: it is to stop.
static bool log_has_grown(struct sqlite_store *sqlite)
{
    (void)pthread_mutex_lock(&sqlite->log_lock);
    while (!sqlite->log_stop && sqlite->log_pages < SQLITE_LOG_PAGES) {
        (void)pthread_cond_wait(&sqlite->log_grown, &sqlite->log_lock);
    }
    sqlite->log_pages = 0; // until the next commit says so again
    const bool grown = !sqlite->log_stop;
    (void)pthread_mutex_unlock(&sqlite->log_lock);
    return grown;
}

// Commits go on while it copies, so the log is begun anew only when they leave it a moment; where
// they never do, they wait for what little has come meanwhile.
static void *copy_log(void *user)
{
    struct sqlite_store *const sqlite = user;
    sqlite3 *const handle = sqlite->copier.handle;
    while (log_has_grown(sqlite)) {
        int pages = 0;
        const int code =
            sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, NULL);
        if (code == SQLITE_OK && pages > SQLITE_LOG_PAGES_MAX) {
            (void)sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_RESTART, NULL, NULL);
        }
    }
    return NULL;
}

/* Life. */

struct store *sqlite_store_create(const struct sqlite_setup *setup)
{
    struct sqlite_store *const sqlite = mb_new(1, sizeof *sqlite);
    // Nobody reads how much memory SQLite has; to count it takes a lock at each piece. Refused once
    // it is in use, which changes nothing.
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite->store.ops = &OPS;
    sqlite->hold.fd = -1;
    sqlite->waits = setup->waits;
    sqlite->path = mb_text(setup->path);
    jobs_init(&sqlite->jobs, route, setup->linger_ms);
    sqlite->jobs.gathers[WRITES] = true;
    (void)pthread_mutex_init(&sqlite->log_lock, NULL);
    (void)pthread_cond_init(&sqlite->log_grown, NULL);
    return &sqlite->store;
}

// The store's secret; a new store has a new one.
static bool fetch_secret(struct sqlite_store *sqlite, struct mb_error *err)
{
    struct db *const db = &sqlite->writer;
    uint8_t fresh[STORE_SECRET_SIZE];
    for (unsigned i = 0; i < 2 && db->failed == SQLITE_OK; i++) {
        sqlite3_stmt *const row = db_ask(db, DB_SECRET, NULL);
        const bool there = row != NULL && sqlite3_step(row) == SQLITE_ROW &&
                           sqlite3_column_bytes(row, 0) == STORE_SECRET_SIZE;
        if (there) {
            memcpy(sqlite->secret, sqlite3_column_blob(row, 0), sizeof sqlite->secret);
        }
        (void)sqlite3_reset(row);
        if (there) {
            return true;
        }
        randombytes_buf(fresh, sizeof fresh);
        db_run(db, DB_SECRET_KEEP,
               DB(db_bytes((struct store_bytes){.at = fresh, .size = sizeof fresh})));
    }
    return mb_fail(err, MB_ERR_IO, "cannot write a secret to the store (%s): check its disk (%s)",
                   sqlite3_errstr(db->failed), sqlite->path);
}

static bool start_threads(struct sqlite_store *sqlite)
{
    void *(*const mains[])(void *) = {write_all, read_all, copy_log};
    enum { COUNT = sizeof mains / sizeof mains[0] };
    while (sqlite->thread_count < COUNT && jobs_thread(&sqlite->threads[sqlite->thread_count],
                                                       mains[sqlite->thread_count], sqlite)) {
        sqlite->thread_count++;
    }
    return sqlite->thread_count == COUNT;
}

static void stop_threads(struct sqlite_store *sqlite)
{
    jobs_stop(&sqlite->jobs, true);
    (void)pthread_mutex_lock(&sqlite->log_lock);
    sqlite->log_stop = true;
    (void)pthread_cond_signal(&sqlite->log_grown);
    (void)pthread_mutex_unlock(&sqlite->log_lock);
    while (sqlite->thread_count > 0) {
        (void)pthread_join(sqlite->threads[--sqlite->thread_count], NULL);
    }
    jobs_stop(&sqlite->jobs, false);
    sqlite->log_stop = false;
    sqlite->log_pages = 0;
}

static void disconnect(struct sqlite_store *sqlite)
{
    hold_close(&sqlite->hold);
    db_close(&sqlite->copier);
    db_close(&sqlite->reader);
    db_close(&sqlite->writer);
}

static bool has_functions(struct sqlite_store *sqlite, struct db *db)
{
    return sqlite_functions(db, &sqlite->hold, sqlite_lives, sqlite_hold);
}

static bool sqlite_start(struct store *store, struct mb_error *err)
{
    struct sqlite_store *const sqlite = sqlite_of(store);
    if (sqlite->started) {
        return true;
    }
    if (!sqlite_open(&sqlite->writer, sqlite->path, err) || !fetch_secret(sqlite, err) ||
        !hold_open(&sqlite->hold, sqlite->path, err) ||
        !sqlite_connect(&sqlite->reader, sqlite->path, err) ||
        !sqlite_connect(&sqlite->copier, sqlite->path, err)) {
        disconnect(sqlite);
        return false;
    }
    if (!has_functions(sqlite, &sqlite->writer) || !has_functions(sqlite, &sqlite->reader)) {
        disconnect(sqlite);
        return mb_fail(err, MB_ERR_LIMIT, "there is not enough memory");
    }
    (void)sqlite3_wal_hook(sqlite->writer.handle, note_log, sqlite);
    if (!start_threads(sqlite)) {
        stop_threads(sqlite);
        disconnect(sqlite);
        return mb_fail(err, MB_ERR_LIMIT, "cannot start another thread");
    }
    sqlite->started = true;
    return true;
}

static bool sqlite_ask(struct store *store, struct store_request *request)
{
    struct sqlite_store *const sqlite = sqlite_of(store);
    return sqlite->started && jobs_ask(&sqlite->jobs, request);
}

static struct store_answer *sqlite_take(struct store *store)
{
    struct sqlite_store *const sqlite = sqlite_of(store);
    return jobs_take(&sqlite->jobs, sqlite->waits && sqlite->started);
}

static bool sqlite_shared(const struct store *store)
{
    assert(store->ops == &OPS);
    return hold_is_shared(&((const struct sqlite_store *)store)->hold);
}

static void sqlite_stop(struct store *store)
{
    struct sqlite_store *const sqlite = sqlite_of(store);
    if (sqlite->started) {
        stop_threads(sqlite);
        disconnect(sqlite);
        jobs_forget(&sqlite->jobs);
        sqlite->started = false;
    }
}

static void sqlite_destroy(struct store *store)
{
    struct sqlite_store *const sqlite = sqlite_of(store);
    sqlite_stop(store);
    jobs_finish(&sqlite->jobs);
    (void)pthread_cond_destroy(&sqlite->log_grown);
    (void)pthread_mutex_destroy(&sqlite->log_lock);
    free(sqlite->path);
    free(sqlite);
}

enum { PAGES = 256, PAUSE_MS = 10, TRIES_MAX = 3000 };

// From one connection to another; what is locked for a moment is waited for.
static int copy(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *const backup = sqlite3_backup_init(to, "main", from, "main");
    int code = backup != NULL ? SQLITE_OK : sqlite3_errcode(to);
    unsigned waited = 0;
    while (code == SQLITE_OK ||
           ((code == SQLITE_BUSY || code == SQLITE_LOCKED) && waited < TRIES_MAX)) {
        if (code != SQLITE_OK) {
            (void)sqlite3_sleep(PAUSE_MS);
            waited++;
        }
        code = sqlite3_backup_step(backup, PAGES);
    }
    if (backup != NULL) {
        (void)sqlite3_backup_finish(backup);
    }
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

// A file that is nobody's yet, for its owner's eyes alone.
static bool open_copy(const char *path, sqlite3 **out, struct mb_error *err)
{
    if (access(path, F_OK) == 0) {
        return mb_fail(err, MB_ERR_INPUT, "the file already exists: name another one (%s)", path);
    }
    const mode_t mask = umask(S_IRWXG | S_IRWXO);
    const int code = sqlite3_open_v2(
        path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    (void)umask(mask);
    return code == SQLITE_OK ||
           mb_fail(err, MB_ERR_IO, "cannot write the file (%s): change its permissions (%s)",
                   sqlite3_errstr(code), path);
}

bool sqlite_copy(const char *from, const char *to, struct mb_error *err)
{
    struct db source = {.handle = NULL};
    sqlite3 *target = NULL;
    if (access(from, F_OK) != 0) {
        return mb_fail(err, MB_ERR_INPUT, "there is no such file (%s)", from);
    }
    bool done = sqlite_open(&source, from, err) && open_copy(to, &target, err);
    if (done) {
        const int code = copy(source.handle, target);
        // What is copied is a store by itself, without a log beside it.
        const bool plain = code == SQLITE_OK && sqlite3_exec(target, "PRAGMA journal_mode=DELETE",
                                                             NULL, NULL, NULL) == SQLITE_OK;
        done = plain || mb_fail(err, MB_ERR_IO, "cannot write the copy (%s): check the disk",
                                sqlite3_errstr(code));
        (void)sqlite3_close(target);
        target = NULL;
        if (!done) {
            (void)unlink(to);
        }
    }
    (void)sqlite3_close(target);
    db_close(&source);
    return done;
}
