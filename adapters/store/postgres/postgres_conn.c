// A connection: statements go out one behind the other, results come in the same order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <poll.h>

#include "adapters/store/postgres/postgres_impl.h"

enum {
    VALUES_MAX = 10,
    SENT_FIRST = 256,
    LOOK_MS = 100,   // so often a wait looks whether it is to end
    GRACE_LOOKS = 10 // so many times it goes on nevertheless
};

// A server that is gone is missed in ten seconds. What the URL says goes before.
static const char *const WORDS[] = {"connect_timeout",           "keepalives_idle",
                                    "keepalives_interval",       "keepalives_count",
                                    "tcp_user_timeout",          "target_session_attrs",
                                    "fallback_application_name", "dbname",
                                    "client_encoding",           NULL};

// Waiting for a lock may end, waiting for the standby must not: what was committed here alone would
// be answered as if it were safe. So no other time-out of the database's counts.
static const char SESSION[] =
    "SELECT set_config('search_path', 'munchbot', false);"
    "SELECT set_config('lock_timeout', '5000', false);"
    "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout',"
    " 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout');"
    "SELECT set_config(name, 'read committed', false) FROM pg_settings"
    " WHERE name = 'default_transaction_isolation';"
    "SELECT set_config(name, 'on', false) FROM pg_settings"
    " WHERE name = 'synchronous_commit' AND setting IN ('off', 'local')";
_Static_assert((int)POSTGRES_LOCK_MS == 5000, "as SESSION says");

// A commit that somebody made give up its wait for the standby says so with a warning.
static void note_warning(void *user, const PGresult *result)
{
    struct conn *const conn = user;
    const char *const severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    conn->warned = conn->warned || (severity != NULL && strcmp(severity, "WARNING") == 0);
}

bool conn_connect(struct conn *conn, const char *url)
{
    const char *const values[] = {"3",          "5",        "2", "3",    "10000",
                                  "read-write", "munchbot", url, "UTF8", NULL};
    conn->handle = PQconnectdbParams(WORDS, values, 1);
    if (PQstatus(conn->handle) != CONNECTION_OK) {
        return false;
    }
    (void)PQsetNoticeReceiver(conn->handle, note_warning, conn);
    PGresult *const result = PQexec(conn->handle, SESSION);
    const bool done = PQresultStatus(result) == PGRES_TUPLES_OK;
    PQclear(result);
    conn->warned = false;
    return done;
}

void conn_close(struct conn *conn)
{
    PQfinish(conn->handle);
    conn->handle = NULL;
    free(conn->sent);
    conn->sent = NULL;
    conn->first = conn->count = conn->room = 0;
    conn->warned = false;
}

static const char *const OWN[CONN_SYNC - QUERY_COUNT] = {
    [CONN_FENCE - QUERY_COUNT] = "SELECT pg_advisory_lock(hashtextextended($1::bigint::text, $2))",
    [CONN_LET_GO - QUERY_COUNT] = "SELECT pg_advisory_unlock_all()",
    [CONN_LEAVE - QUERY_COUNT] = "DELETE FROM process WHERE id = $1",
};

static const char *words_of(unsigned query)
{
    return query < QUERY_COUNT ? QUERIES[query][PLAN_POSTGRES] : OWN[query - QUERY_COUNT];
}

enum { NAME_SIZE = 8 };

static void name_of(unsigned query, char out[NAME_SIZE])
{
    (void)snprintf(out, NAME_SIZE, "q%u", query);
}

static void note_sent(struct conn *conn, unsigned query)
{
    if (conn->count == conn->room) {
        const size_t room = conn->room == 0 ? SENT_FIRST : 2 * conn->room;
        unsigned *const more = mb_new(room, sizeof *more);
        for (size_t i = 0; i < conn->count; i++) {
            more[i] = conn->sent[(conn->first + i) % conn->room];
        }
        free(conn->sent);
        conn->sent = more;
        conn->first = 0;
        conn->room = room;
    }
    conn->sent[(conn->first + conn->count++) % conn->room] = query;
}

bool conn_prepare(struct conn *conn)
{
    bool sound = PQenterPipelineMode(conn->handle) == 1;
    for (unsigned query = 0; sound && query < CONN_SYNC; query++) {
        char name[NAME_SIZE];
        name_of(query, name);
        sound = PQsendPrepare(conn->handle, name, words_of(query), 0, NULL) == 1;
        note_sent(conn, query);
    }
    if (!sound) {
        conn_close(conn);
        return false;
    }
    conn_sync(conn);
    unsigned query = CONN_SYNC;
    do {
        PGresult *const result = conn_next(conn, &query);
        sound = sound && (query == CONN_SYNC || PQresultStatus(result) == PGRES_COMMAND_OK);
        PQclear(result);
    } while (query != CONN_SYNC);
    return sound && conn->handle != NULL;
}

static void to_eight_bytes(int64_t number, unsigned char out[8])
{
    enum { BYTES = 8 };
    for (unsigned i = 0; i < BYTES; i++) {
        out[i] = (unsigned char)((uint64_t)number >> (BYTES * (BYTES - 1 - i)));
    }
}

void conn_send(struct conn *conn, unsigned query, const struct db_value *values)
{
    enum { NUMBER_SIZE = 8 };
    const char *at[VALUES_MAX] = {NULL};
    int sizes[VALUES_MAX] = {0};
    int formats[VALUES_MAX] = {0};
    unsigned char numbers[VALUES_MAX][NUMBER_SIZE];
    int count = 0;
    char name[NAME_SIZE];
    for (; values != NULL && values[count].kind != DB_END; count++) {
        const struct db_value *const value = &values[count];
        at[count] = value->at;
        if (value->kind == DB_NUMBER) {
            to_eight_bytes(value->number, numbers[count]);
            at[count] = (const char *)numbers[count];
            sizes[count] = NUMBER_SIZE;
        } else if (value->kind == DB_BYTES) {
            at[count] = value->at != NULL ? value->at : "";
            sizes[count] = (int)value->size;
        }
        formats[count] = value->kind == DB_NUMBER || value->kind == DB_BYTES;
    }
    name_of(query, name);
    note_sent(conn, query);
    if (PQsendQueryPrepared(conn->handle, name, count, at, sizes, formats, 1) != 1) {
        conn_close(conn);
    }
}

void conn_sync(struct conn *conn)
{
    if (conn->handle != NULL) {
        note_sent(conn, CONN_SYNC);
        if (PQpipelineSync(conn->handle) != 1) {
            conn_close(conn);
        }
    }
}

// Waits for what comes; false: it has failed, or is to end and nothing comes.
static bool wait_for_result(struct conn *conn)
{
    unsigned looks = 0;
    while (PQisBusy(conn->handle) == 1) {
        struct pollfd socket = {.fd = PQsocket(conn->handle), .events = POLLIN};
        const int left = PQflush(conn->handle);
        if (left > 0) {
            socket.events |= POLLOUT;
        }
        if (left < 0 || socket.fd < 0) {
            return false;
        }
        if (poll(&socket, 1, LOOK_MS) == 0 && jobs_stopping(conn->jobs) && ++looks > GRACE_LOOKS) {
            return false;
        }
        if (PQconsumeInput(conn->handle) != 1) {
            return false;
        }
    }
    return true;
}

PGresult *conn_next(struct conn *conn, unsigned *query)
{
    *query = CONN_SYNC;
    for (unsigned nothing = 0; conn->handle != NULL && nothing < 2;) {
        PGresult *const result = wait_for_result(conn) ? PQgetResult(conn->handle) : NULL;
        if (result == NULL) {
            nothing++; // once behind every result
            continue;
        }
        if (conn->count == 0) {
            PQclear(result);
            break;
        }
        *query = conn->sent[conn->first];
        conn->first = (conn->first + 1) % conn->room;
        conn->count--;
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            return NULL;
        }
        if (*query != CONN_SYNC) {
            return result;
        }
        PQclear(result); // the connection broke, or the commit itself failed
        break;
    }
    *query = CONN_SYNC;
    conn_close(conn);
    return NULL;
}

void conn_flush(struct conn *conn)
{
    if (conn->handle != NULL && PQflush(conn->handle) < 0) {
        conn_close(conn);
    }
}

bool conn_stands(struct conn *conn)
{
    if (conn->handle == NULL) {
        return false;
    }
    // A server that has ended has said so, and then closed the connection.
    struct pollfd socket = {.fd = PQsocket(conn->handle), .events = POLLIN};
    bool stands = socket.fd >= 0 && PQstatus(conn->handle) == CONNECTION_OK;
    while (stands && poll(&socket, 1, 0) > 0) {
        stands = PQconsumeInput(conn->handle) == 1;
    }
    if (!stands) {
        conn_close(conn);
    }
    return stands;
}

bool conn_ask(struct conn *conn, unsigned query, const struct db_value *values, int64_t *out)
{
    bool done = false;
    unsigned of = query;
    conn_send(conn, query, values);
    conn_sync(conn);
    while (of != CONN_SYNC) {
        PGresult *const result = conn_next(conn, &of);
        if (of == query && PQresultStatus(result) == PGRES_TUPLES_OK) {
            done = true;
            if (out != NULL && PQntuples(result) > 0) {
                *out = conn_value(result, 0, 0).number;
            }
        }
        done = done || (of == query && PQresultStatus(result) == PGRES_COMMAND_OK);
        PQclear(result);
    }
    return done && conn->handle != NULL;
}

struct db_value conn_value(const PGresult *result, int row, int column)
{
    enum { BOOL = 16, BYTES = 17, INT8 = 20, INT4 = 23, BITS = 8 }; // the server's numbers of types
    struct db_value value = {.kind = DB_NONE};
    if (PQgetisnull(result, row, column) == 1) {
        return value;
    }
    const unsigned type = PQftype(result, column);
    value.at = PQgetvalue(result, row, column);
    value.size = (size_t)PQgetlength(result, row, column);
    value.kind = type == BYTES ? DB_BYTES : DB_TEXT;
    if (type == BOOL || type == INT8 || type == INT4) {
        const unsigned char *const at = value.at;
        uint64_t number = type == INT4 && (at[0] >> (BITS - 1)) != 0 ? UINT64_MAX : 0;
        for (size_t i = 0; i < value.size; i++) {
            number = number << BITS | at[i];
        }
        value = db_number((int64_t)number);
    }
    return value;
}
