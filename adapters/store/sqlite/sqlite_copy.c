// A store as one file that nobody serves: SQLite's online backup, page by page, while others write.
#include <stdio.h>

#include <sys/stat.h>
#include <unistd.h>

#include "adapters/store/sqlite/sqlite_impl.h"

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
