// A file becomes a store: it is looked at before anything in it is touched, then brought up to
// date.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/store/sqlite/sqlite_impl.h"

enum {
    APPLICATION = 0x6d6e6368, // "mnch", in the file's head
    BUSY_MS = 1000,
    PRAGMA_SIZE = 64,
    CHECKED_PAGES = 4096,
    OTHERS = S_IRWXG | S_IRWXO
};

// In KiB: about what the tables need of the file that are played at. Twice as much makes a command
// with 10,000 stored a fifteenth cheaper and each service 2 MiB bigger (bench_store). Readers have
// less: their cache is empty again after each commit.
static const char WRITER_CACHE[] = "cache_size=-2048";

/* One sentence each, the path last: it may be long. */

static bool fail_to_open(const char *path, int code, struct mb_error *err)
{
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return mb_fail(err, MB_ERR_INPUT,
                       "this file is not a munchbot store: name another one, or move it away (%s)",
                       path);
    case SQLITE_CORRUPT:
        return mb_fail(err, MB_ERR_IO,
                       "the store is damaged: restore a backup, or name another store (%s)", path);
    case SQLITE_FULL:
        return mb_fail(err, MB_ERR_IO, "the disk is full: make room and start again (%s)", path);
    case SQLITE_READONLY:
        return mb_fail(err, MB_ERR_IO,
                       "cannot write the store: change its permissions, or name another one (%s)",
                       path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return mb_fail(err, MB_ERR_RETRY, "another program locks the store: stop it, or wait (%s)",
                       path);
    case SQLITE_NOMEM:
        return mb_fail(err, MB_ERR_LIMIT, "there is not enough memory");
    default:
        return mb_fail(err, MB_ERR_IO,
                       "cannot use the store (%s): check its disk, or name another one (%s)",
                       sqlite3_errstr(code), path);
    }
}

// The file is there, an ordinary one, and ours to write. It is never opened here: to close it again
// would end locks that another connection of this process holds.
static bool look_at_file(const char *path, struct mb_error *err)
{
    struct stat is;
    if (stat(path, &is) != 0 && errno == ENOENT) {
        const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (fd < 0 && errno == ENOENT) {
            return mb_fail(err, MB_ERR_IO,
                           "the store's folder does not exist: create it first (%s)", path);
        }
        if (fd < 0 && errno != EEXIST) {
            return mb_fail(err, MB_ERR_IO, "cannot create the store (%s): name another path (%s)",
                           strerror(errno), path);
        }
        (void)close(fd);
        return true;
    }
    if (access(path, R_OK | W_OK) != 0) {
        return mb_fail(
            err, MB_ERR_IO,
            "cannot open the store (%s): change its permissions, or name another one (%s)",
            strerror(errno), path);
    }
    return S_ISREG(is.st_mode) ||
           mb_fail(err, MB_ERR_INPUT, "this is not a file: name a file for the store (%s)", path);
}

static int pragma(struct db *db, const char *words)
{
    char text[PRAGMA_SIZE];
    (void)snprintf(text, sizeof text, "PRAGMA %s", words);
    return sqlite3_exec(db->handle, text, NULL, NULL, NULL);
}

static int pragma_number(struct db *db, const char *name, int *out)
{
    char text[PRAGMA_SIZE];
    sqlite3_stmt *statement = NULL;
    (void)snprintf(text, sizeof text, "PRAGMA %s", name);
    int code = sqlite3_prepare_v2(db->handle, text, -1, &statement, NULL);
    code = code == SQLITE_OK ? sqlite3_step(statement) : code;
    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int(statement, 0);
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(statement);
    return code;
}

bool sqlite_connect(struct db *db, const char *path, struct mb_error *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    *db = (struct db){.handle = NULL};
    int code = sqlite3_open_v2(path, &db->handle, flags, NULL);
    if (code != SQLITE_OK) {
        return fail_to_open(path, code, err);
    }
    (void)sqlite3_busy_timeout(db->handle, BUSY_MS);
    (void)sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, SQLITE_ROW_MAX);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    static const char *const WAYS[] = {
        "synchronous=FULL", "wal_autocheckpoint=0",
        "temp_store=MEMORY", // what a step would undo else goes to a folder that may have no room
    };
    for (size_t i = 0; code == SQLITE_OK && i < sizeof WAYS / sizeof WAYS[0]; i++) {
        code = pragma(db, WAYS[i]);
    }
    return code == SQLITE_OK || fail_to_open(path, code, err);
}

static int latest_version(void)
{
    return SQLITE_MIGRATIONS[SQLITE_MIGRATION_COUNT - 1].version;
}

// Whether it is ours, or empty; the version of its schema.
static bool look_inside(struct db *db, const char *path, int *version, struct mb_error *err)
{
    int application = 0;
    int changes = 0;
    int code = pragma_number(db, "application_id", &application);
    if (code == SQLITE_OK) {
        code = pragma_number(db, "user_version", version);
    }
    if (code == SQLITE_OK) {
        code = pragma_number(db, "schema_version", &changes);
    }
    if (code != SQLITE_OK) {
        return fail_to_open(path, code, err);
    }
    if (sqlite3_db_readonly(db->handle, "main") == 1) {
        return fail_to_open(path, SQLITE_READONLY, err);
    }
    if (application != APPLICATION && (application != 0 || changes != 0)) {
        return fail_to_open(path, SQLITE_NOTADB, err);
    }
    if (*version > latest_version()) {
        return mb_fail(err, MB_ERR_STATE,
                       "the store was made by a newer munchbot (format %d, this one knows %d): use "
                       "that one, or another store (%s)",
                       *version, latest_version(), path);
    }
    return true;
}

// Everything up to the next version, in one transaction.
static int migrate_once(struct db *db)
{
    int version = 0;
    int code = sqlite3_exec(db->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        code = pragma_number(db, "user_version", &version); // another process may have been faster
    }
    for (size_t i = 0; code == SQLITE_OK && i < SQLITE_MIGRATION_COUNT; i++) {
        if (SQLITE_MIGRATIONS[i].version == version + 1) {
            code = sqlite3_exec(db->handle, SQLITE_MIGRATIONS[i].sql, NULL, NULL, NULL);
        }
    }
    if (code == SQLITE_OK && version < latest_version()) {
        char words[PRAGMA_SIZE];
        (void)snprintf(words, sizeof words, "application_id=%d", APPLICATION);
        code = pragma(db, words);
        (void)snprintf(words, sizeof words, "user_version=%d", version + 1);
        code = code == SQLITE_OK ? pragma(db, words) : code;
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);
    }
    if (code != SQLITE_OK) {
        (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

static bool migrate(struct db *db, const char *path, struct mb_error *err)
{
    int version = 0;
    int code = pragma(db, "journal_mode=WAL");
    for (int i = 0; code == SQLITE_OK && i < latest_version(); i++) {
        code = pragma_number(db, "user_version", &version);
        if (code == SQLITE_OK && version < latest_version()) {
            code = migrate_once(db);
        }
    }
    return code == SQLITE_OK || fail_to_open(path, code, err);
}

// What is damaged is found now where that is soon done: a big store is not read from end to end.
static bool is_sound(struct db *db, const char *path, struct mb_error *err)
{
    sqlite3_stmt *statement = NULL;
    int pages = 0;
    int code = pragma_number(db, "page_count", &pages);
    if (code == SQLITE_OK && pages <= CHECKED_PAGES) {
        code = sqlite3_prepare_v2(db->handle, "PRAGMA quick_check(1)", -1, &statement, NULL);
    }
    code = code == SQLITE_OK && statement != NULL ? sqlite3_step(statement) : code;
    if (code == SQLITE_ROW) {
        const char *const said = (const char *)sqlite3_column_text(statement, 0);
        code = said != NULL && strcmp(said, "ok") == 0 ? SQLITE_OK : SQLITE_CORRUPT;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_OK || fail_to_open(path, code, err);
}

// What was made by a hand that let others read it.
static void keep_to_oneself(const char *path)
{
    struct stat is;
    if (stat(path, &is) == 0 && (is.st_mode & OTHERS) != 0) {
        (void)chmod(path, is.st_mode & (mode_t)~OTHERS);
    }
}

// Whether a file could be made there.
static bool look_at_folder(const char *path, struct mb_error *err)
{
    char *const folder = mb_text(path);
    char *const slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0'; // the root keeps its own
    }
    const char *const name = slash != NULL ? folder : ".";
    const bool there = access(name, F_OK) == 0;
    const bool ours = there && access(name, W_OK | X_OK) == 0;
    const char *const why = strerror(errno);
    free(folder);
    if (!there) {
        return mb_fail(err, MB_ERR_IO, "the store's folder does not exist: create it first (%s)",
                       path);
    }
    return ours || mb_fail(err, MB_ERR_IO, "cannot create the store (%s): name another path (%s)",
                           why, path);
}

bool sqlite_store_check(const char *path, struct mb_error *err)
{
    struct db db = {.handle = NULL};
    struct stat is;
    int version = 0;
    if (stat(path, &is) != 0 && errno == ENOENT) {
        return look_at_folder(path, err);
    }
    const bool good = look_at_file(path, err) && sqlite_connect(&db, path, err) &&
                      look_inside(&db, path, &version, err) && is_sound(&db, path, err);
    if (db.handle != NULL) {
        (void)sqlite3_db_config(db.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
    db_close(&db);
    return good;
}

bool sqlite_open(struct db *db, const char *path, struct mb_error *err)
{
    int version = 0;
    if (!look_at_file(path, err) || !sqlite_connect(db, path, err)) {
        return false;
    }
    if (!look_inside(db, path, &version, err) || !is_sound(db, path, err)) {
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        return false;
    }
    keep_to_oneself(path);
    (void)pragma(db, WRITER_CACHE);
    return migrate(db, path, err);
}

bool sqlite_open_memory(struct db *db, struct mb_error *err)
{
    static const char PATH[] = ":memory:";
    return sqlite_connect(db, PATH, err) && migrate(db, PATH, err);
}
