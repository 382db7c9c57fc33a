/*
 * Inside of the store in PostgreSQL: for adapters/store/postgres/ only.
 *
 * postgres_store.c is the engine and its threads; postgres_open.c a database that becomes a store;
 * postgres_conn.c a connection, which sends what ../plan.c asks.
 *
 * One thread uses a connection. It sends statements without waiting; a step ends with CONN_SYNC.
 * Results come in the same order. If a statement of a step fails, the whole step changes nothing.
 */
#ifndef ADAPTERS_STORE_POSTGRES_POSTGRES_IMPL_H
#define ADAPTERS_STORE_POSTGRES_POSTGRES_IMPL_H

#include <pthread.h>

#include <libpq-fe.h>
#include <stdatomic.h>

#include "adapters/store/jobs.h"
#include "adapters/store/plan.h"
#include "adapters/store/postgres/postgres_store.h"

enum {
    POSTGRES_WORKERS = JOBS_SIDES,
    POSTGRES_LOCK_MS = 5000 /* how long a lock of another is waited for */
};

/* postgres_conn.c */

/** Statements of the driver's own, after those of the plan. */
enum {
    CONN_FENCE = QUERY_COUNT,
    CONN_LET_GO,
    CONN_LEAVE,
    CONN_SYNC /* the end of a step */
};

struct conn {
    PGconn *handle;    /* NULL: there is none */
    struct jobs *jobs; /* a wait ends when these stop */
    unsigned *sent;    /* statements without a result, a ring */
    size_t first, count, room;
    bool warned; /* the server has warned in this step */
};

/** Connects as the URL says; conn_prepare() then prepares the store's statements. */
bool conn_connect(struct conn *conn, const char *url);
bool conn_prepare(struct conn *conn);
/** Closes the connection; it may be closed already. */
void conn_close(struct conn *conn);
/** Whether the connection still works, as far as known. */
bool conn_stands(struct conn *conn);
/** Sends a statement with its values; after a failure the connection is closed. */
void conn_send(struct conn *conn, unsigned query, const struct db_value *values);
/** Ends a step. */
void conn_sync(struct conn *conn);
void conn_flush(struct conn *conn);
/** Returns the next result and its statement; NULL: CONN_SYNC's, or there is no connection. */
PGresult *conn_next(struct conn *conn, unsigned *query);
/** Runs a step of one statement; false: it failed. `out` may be NULL. */
bool conn_ask(struct conn *conn, unsigned query, const struct db_value *values, int64_t *out);
struct db_value conn_value(const PGresult *result, int row, int column);

/* postgres_open.c */

extern const struct migration POSTGRES_MIGRATIONS[];
extern const size_t POSTGRES_MIGRATION_COUNT;

/** Connects at a start. With patience it waits for a server that starts, is promoted or is busy;
 * a host with a loop tries again itself, and may be told to end meanwhile. False with the reason.
 */
bool postgres_reach(struct conn *conn, const char *url, bool patient, struct mb_error *err);
/** Brings the database up to date and fetches the store's secret. */
bool postgres_open(const char *url, bool patient, uint8_t secret[STORE_SECRET_SIZE],
                   struct mb_error *err);

/* postgres_store.c */

struct postgres_store;

struct held {
    struct held *next;
    char word[];
};

struct worker {
    struct postgres_store *postgres;
    unsigned side;
    struct conn conn;
    struct held *held; /* words that this process holds, on the first worker's session */
    int64_t try_ms;    /* when it tries to connect again */
    int64_t wait_ms;   /* the wait before the next try */
    pthread_t thread;
};

struct postgres_store {
    struct store store;
    char *url;
    bool waits, started;
    uint8_t secret[STORE_SECRET_SIZE];
    int64_t me;       /* this process among those that serve the store; not 0 */
    atomic_bool lost; /* another process may hold a word of this one: the next beat says so */
    struct jobs jobs;
    struct worker workers[POSTGRES_WORKERS];
    unsigned thread_count;
};

#endif
