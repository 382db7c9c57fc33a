#include "adapters/store/store_url.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sys/statvfs.h>
#include <unistd.h>

#include "bot/cards_dir.h"

#include "adapters/store/postgres/postgres_store.h"
#include "adapters/store/sqlite/sqlite_store.h"

static const char SQLITE[] = "sqlite:";
static const char FILE_NAME[] = "/tables.db";

enum { LINGER_MS = 100 };

bool store_url_default(char out[STORE_URL_SIZE], struct mb_error *err)
{
    const size_t start = sizeof SQLITE - 1;
    memcpy(out, SQLITE, sizeof SQLITE);
    if (!own_dir(out + start, STORE_URL_SIZE - start - sizeof FILE_NAME, err)) {
        return false;
    }
    memcpy(out + strlen(out), FILE_NAME, sizeof FILE_NAME);
    return true;
}

static bool is_postgres(const char *url)
{
    static const char *const HEADS[] = {"postgresql://", "postgres://"};
    return strncmp(url, HEADS[0], strlen(HEADS[0])) == 0 ||
           strncmp(url, HEADS[1], strlen(HEADS[1])) == 0;
}

static bool is_sqlite(const char *url)
{
    const char *const path = url + sizeof SQLITE - 1;
    // SQLite's own word for a database in memory, which keeps nothing, would be the name of a file.
    return strncmp(url, SQLITE, sizeof SQLITE - 1) == 0 && path[0] != '\0' &&
           strcmp(path, ":memory:") != 0;
}

static bool is_none(struct mb_error *err)
{
    // Not what was said: it may hold a password.
    return mb_fail(err, MB_ERR_INPUT,
                   "this is not a store: use \"sqlite:PATH\" or \"postgresql://...\"");
}

static struct store *make_store(const char *url, bool waits, struct mb_error *err)
{
    if (is_postgres(url)) {
        return postgres_store_create(&(struct postgres_setup){.url = url, .waits = waits});
    }
    if (is_sqlite(url)) {
        const struct sqlite_setup setup = {
            .path = url + sizeof SQLITE - 1, .waits = waits, .linger_ms = LINGER_MS};
        return sqlite_store_create(&setup);
    }
    (void)is_none(err);
    return NULL;
}

struct store *store_url_create(const char *url, struct mb_error *err)
{
    return make_store(url, false, err);
}

bool store_url_check(const char *url, struct mb_error *err)
{
    if (is_postgres(url)) {
        return postgres_store_check(url, err);
    }
    return is_sqlite(url) ? sqlite_store_check(url + sizeof SQLITE - 1, err) : is_none(err);
}

struct store *store_url_open(const char *url, struct mb_error *err)
{
    struct store *const store = make_store(url, true, err);
    if (store != NULL && !store_start(store, err)) {
        store_destroy(store);
        return NULL;
    }
    return store;
}

struct store *store_url_find(const char *url, struct mb_error *err)
{
    const size_t start = sizeof SQLITE - 1;
    if (strncmp(url, SQLITE, start) == 0 && access(url + start, F_OK) != 0) {
        (void)mb_fail(err, MB_ERR_INPUT, "there is no store (%s): name one with --store",
                      url + start);
        return NULL;
    }
    return store_url_open(url, err);
}

// The path of a store in one file; NULL with an error.
static const char *path_of(const char *url, struct mb_error *err)
{
    if (is_postgres(url)) {
        (void)mb_fail(
            err, MB_ERR_INPUT,
            "use PostgreSQL's own tools for that: pg_dump and pg_restore, or a base backup");
        return NULL;
    }
    if (strncmp(url, SQLITE, sizeof SQLITE - 1) == 0 && url[sizeof SQLITE - 1] != '\0') {
        return url + sizeof SQLITE - 1;
    }
    (void)mb_fail(err, MB_ERR_INPUT, "this is not a store in a file: use \"sqlite:PATH\"");
    return NULL;
}

int64_t store_url_free(const char *url)
{
    struct statvfs about;
    const bool told =
        url != NULL && is_sqlite(url) && statvfs(url + sizeof SQLITE - 1, &about) == 0;
    return told ? (int64_t)about.f_bavail * (int64_t)about.f_frsize : -1;
}

bool store_url_backup(const char *url, const char *file, struct mb_error *err)
{
    const char *const path = path_of(url, err);
    return path != NULL && sqlite_copy(path, file, err);
}

static bool note_restored(const char *url, struct mb_error *err)
{
    enum { NUMBER_SIZE = 24, MS = 1000, NS_PER_MS = 1000000 };
    char now[NUMBER_SIZE];
    struct timespec at = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &at);
    (void)snprintf(now, sizeof now, "%" PRId64, (int64_t)at.tv_sec * MS + at.tv_nsec / NS_PER_MS);
    const struct store_request keep = {
        .kind = STORE_KEEP,
        .word = STORE_RESTORED,
        .bytes = {.at = (const unsigned char *)now, .size = strlen(now)}};
    struct store *const store = store_url_find(url, err);
    const bool noted = store != NULL && (store_call_result(store, &keep) == STORE_DONE ||
                                         mb_fail(err, MB_ERR_IO,
                                                 "the store does not answer: check "
                                                 "its disk or server"));
    store_destroy(store);
    return noted;
}

bool store_url_restore(const char *url, const char *file, struct mb_error *err)
{
    const char *const path = file != NULL ? path_of(url, err) : url;
    return path != NULL && (file == NULL || sqlite_copy(file, path, err)) &&
           note_restored(url, err);
}
