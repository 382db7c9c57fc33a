// A database becomes a store: it is looked at, then brought up to date.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <poll.h>

#include <sodium.h>

#include "adapters/store/postgres/postgres_impl.h"

enum {
    NAME_MAX_SHOWN = 40,
    DIAGNOSE_MS = 3000,
    WORDS_SIZE = 128,
    PATIENCE_MS = 10000, /* for a server that starts, is promoted or is too busy for a moment */
    PAUSE_MS = 200
};

/* One sentence each. Nothing of libpq's goes into one: it may quote the URL, and so a password. */

static const char *or_none(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : "?";
}

static bool fail_to_open(PGconn *handle, const char *state, struct mb_error *err)
{
    const char *const user = or_none(PQuser(handle));
    const char *const base = or_none(PQdb(handle));
    const char *const host = or_none(PQhost(handle));
    if (state == NULL || strncmp(state, "08", 2) == 0) {
        return mb_fail(err, MB_ERR_IO,
                       "no database server answers at %.*s: start it, or change the store's URL",
                       NAME_MAX_SHOWN, host);
    }
    if (strncmp(state, "28", 2) == 0) {
        return mb_fail(
            err, MB_ERR_INPUT,
            "the database server rejected \"%.*s\": check user and password in the store's URL",
            NAME_MAX_SHOWN, user);
    }
    if (strcmp(state, "3D000") == 0) {
        return mb_fail(
            err, MB_ERR_INPUT,
            "there is no database \"%.*s\": create it (createdb), or change the store's URL",
            NAME_MAX_SHOWN, base);
    }
    if (strcmp(state, "42501") == 0) {
        return mb_fail(err, MB_ERR_INPUT,
                       "\"%.*s\" has no rights in database \"%.*s\": make it the owner, or grant "
                       "connect and create",
                       NAME_MAX_SHOWN, user, NAME_MAX_SHOWN, base);
    }
    if (strcmp(state, "53300") == 0) {
        return mb_fail(err, MB_ERR_RETRY,
                       "the database server takes no more connections: allow %d more",
                       POSTGRES_WORKERS + 1);
    }
    if (strncmp(state, "57P", 3) == 0) {
        return mb_fail(err, MB_ERR_RETRY,
                       "the database server is starting or stopping: wait and try again");
    }
    if (strcmp(state, "25006") == 0) {
        return mb_fail(
            err, MB_ERR_RETRY,
            "no server in the store's URL accepts writes: promote one, or change the URL");
    }
    return mb_fail(
        err, MB_ERR_IO,
        "cannot use database \"%.*s\" (SQLSTATE %.5s): check it, or change the store's URL",
        NAME_MAX_SHOWN, base, state);
}

// The first word that is an SQLSTATE behind a severity: "FATAL:  28P01".
static bool find_state(const char *said, char out[6])
{
    enum { STATE_SIZE = 5 };
    static const char LETTERS[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *at = said; (at = strstr(at, ":  ")) != NULL;) {
        at += strlen(":  ");
        if (strspn(at, LETTERS) == STATE_SIZE) {
            memcpy(out, at, STATE_SIZE);
            out[STATE_SIZE] = '\0';
            return true;
        }
    }
    return false;
}

// Why a connection cannot be had, in no language: only so does libpq tell an SQLSTATE then. Whether
// waiting may help: a server answers and takes no writes yet, or has no time to answer.
static bool diagnose(const char *url, struct mb_error *err)
{
    static const char *const WORDS[] = {"dbname", NULL};
    const char *const values[] = {url, NULL};
    const int64_t until = jobs_now_ms() + DIAGNOSE_MS;
    char state[6];
    PGconn *const handle = PQconnectStartParams(WORDS, values, 1);
    (void)PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE);
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;
    while (PQstatus(handle) != CONNECTION_BAD && status != PGRES_POLLING_FAILED &&
           status != PGRES_POLLING_OK && jobs_now_ms() < until) {
        struct pollfd socket = {.fd = PQsocket(handle),
                                .events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT};
        (void)poll(&socket, 1, DIAGNOSE_MS);
        status = PQconnectPoll(handle);
    }
    const bool answered = status == PGRES_POLLING_OK; // but not one that takes writes
    const bool found = find_state(PQerrorMessage(handle), state);
    (void)fail_to_open(handle, found ? state : answered ? "25006" : NULL, err);
    PQfinish(handle);
    return answered || (found ? strncmp(state, "57P", 3) == 0 : jobs_now_ms() >= until);
}

bool postgres_reach(struct conn *conn, const char *url, bool patient, struct mb_error *err)
{
    static const struct timespec PAUSE = {.tv_nsec = PAUSE_MS * INT64_C(1000000)};
    const int64_t until = jobs_now_ms() + PATIENCE_MS;
    bool waits = true;
    // A busy server may miss the first attempt's time.
    for (unsigned tries = 0;
         tries == 0 || (patient && (tries < 2 || (waits && jobs_now_ms() < until))); tries++) {
        if (conn_connect(conn, url)) {
            *err = (struct mb_error){.code = MB_OK};
            return true;
        }
        conn_close(conn);
        *err = (struct mb_error){.code = MB_OK};
        waits = diagnose(url, err);
        if (waits && patient) {
            (void)nanosleep(&PAUSE, NULL);
        }
    }
    return false;
}

/* Statements before those of a store. */

struct opening {
    struct conn conn;
    struct mb_error *err;
    bool failed;
};

// Rows of it, or NULL once anything has failed.
static PGresult *run(struct opening *opening, const char *sql)
{
    if (opening->failed) {
        return NULL;
    }
    PGresult *const result = PQexecParams(opening->conn.handle, sql, 0, NULL, NULL, NULL, NULL, 1);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        return result;
    }
    opening->failed = true;
    (void)fail_to_open(opening->conn.handle, PQresultErrorField(result, PG_DIAG_SQLSTATE),
                       opening->err);
    PQclear(result);
    return NULL;
}

static void run_all(struct opening *opening, const char *sql)
{
    if (!opening->failed) {
        PGresult *const result = PQexec(opening->conn.handle, sql);
        if (PQresultStatus(result) != PGRES_COMMAND_OK &&
            PQresultStatus(result) != PGRES_TUPLES_OK) {
            opening->failed = true;
            (void)fail_to_open(opening->conn.handle, PQresultErrorField(result, PG_DIAG_SQLSTATE),
                               opening->err);
        }
        PQclear(result);
    }
}

static int64_t run_number(struct opening *opening, const char *sql)
{
    PGresult *const result = run(opening, sql);
    const int64_t number = PQntuples(result) > 0 ? conn_value(result, 0, 0).number : 0;
    PQclear(result);
    return number;
}

static int latest_version(void)
{
    return POSTGRES_MIGRATIONS[POSTGRES_MIGRATION_COUNT - 1].version;
}

// The version of its schema; 0: it has none yet.
static int64_t version_of(struct opening *opening)
{
    return run_number(opening,
                      "SELECT 1::bigint WHERE to_regclass('munchbot.migration') IS NOT NULL")
               ? run_number(opening, "SELECT max(version) FROM munchbot.migration")
               : 0;
}

static bool refuse_newer(struct opening *opening, int64_t version)
{
    if (!opening->failed && version > latest_version()) {
        opening->failed = true;
        return mb_fail(opening->err, MB_ERR_STATE,
                       "the store was made by a newer munchbot (format %d, this one knows %d): use "
                       "that one, or another store",
                       (int)version, latest_version());
    }
    return !opening->failed;
}

// All that is missing, in one transaction; processes that start together do it one by one.
static void migrate(struct opening *opening)
{
    int64_t version = version_of(opening);
    if (!refuse_newer(opening, version) || version == latest_version()) {
        return;
    }
    run_all(opening, "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('munchbot', 0));"
                     "CREATE SCHEMA IF NOT EXISTS munchbot;"
                     "CREATE TABLE IF NOT EXISTS munchbot.migration (version bigint PRIMARY KEY)");
    version = run_number(opening, "SELECT coalesce(max(version), 0) FROM munchbot.migration");
    (void)refuse_newer(opening, version);
    for (size_t i = 0; !opening->failed && i < POSTGRES_MIGRATION_COUNT; i++) {
        char words[WORDS_SIZE];
        if (POSTGRES_MIGRATIONS[i].version <= version) {
            continue;
        }
        run_all(opening, POSTGRES_MIGRATIONS[i].sql);
        (void)snprintf(words, sizeof words,
                       "INSERT INTO munchbot.migration VALUES (%d) ON CONFLICT DO NOTHING",
                       POSTGRES_MIGRATIONS[i].version);
        run_all(opening, words);
    }
    run_all(opening, "COMMIT");
}

// The store's secret; a new store has a new one.
static void fetch_secret(struct opening *opening, uint8_t secret[STORE_SECRET_SIZE])
{
    uint8_t fresh[STORE_SECRET_SIZE];
    char hex[2 * STORE_SECRET_SIZE + 1];
    char words[WORDS_SIZE];
    for (unsigned i = 0; i < 2 && !opening->failed; i++) {
        PGresult *const result = run(opening, "SELECT secret FROM store");
        const bool there = PQntuples(result) > 0 && PQgetlength(result, 0, 0) == STORE_SECRET_SIZE;
        if (there) {
            memcpy(secret, PQgetvalue(result, 0, 0), STORE_SECRET_SIZE);
        }
        PQclear(result);
        if (there) {
            return;
        }
        randombytes_buf(fresh, sizeof fresh);
        (void)sodium_bin2hex(hex, sizeof hex, fresh, sizeof fresh);
        (void)snprintf(words, sizeof words,
                       "INSERT INTO store (id, secret, now_ms) VALUES (1, '\\x%s', 0)"
                       " ON CONFLICT DO NOTHING",
                       hex);
        run_all(opening, words);
    }
    if (!opening->failed) {
        opening->failed = true;
        (void)mb_fail(opening->err, MB_ERR_IO,
                      "cannot write a secret to the store: check its database");
    }
}

bool postgres_store_check(const char *url, struct mb_error *err)
{
    PQconninfoOption *const options = PQconninfoParse(url, NULL);
    PQconninfoFree(options);
    return options != NULL ||
           mb_fail(
               err, MB_ERR_INPUT,
               "the store's URL is not a PostgreSQL URL: use \"postgresql://USER@HOST/DATABASE\"");
}

bool postgres_open(const char *url, bool patient, uint8_t secret[STORE_SECRET_SIZE],
                   struct mb_error *err)
{
    struct opening opening = {.err = err};
    if (!postgres_store_check(url, err)) {
        return false;
    }
    if (!postgres_reach(&opening.conn, url, patient, err)) {
        return false;
    }
    const char *const encoding = PQparameterStatus(opening.conn.handle, "server_encoding");
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        conn_close(&opening.conn);
        return mb_fail(
            err, MB_ERR_INPUT,
            "the database is not in UTF8: create one that is (createdb -E UTF8 -T template0)");
    }
    migrate(&opening);
    fetch_secret(&opening, secret);
    conn_close(&opening.conn);
    return !opening.failed;
}
