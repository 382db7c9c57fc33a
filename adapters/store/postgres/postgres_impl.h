/*
 * Inside of the store in PostgreSQL: for adapters/store/postgres/ only.
 *
 * postgres_store.c is the engine and its threads; postgres_open.c a database that becomes a store;
 * postgres_conn.c a connection, which sends what ../plan.c asks.
 *
 * A connection is one thread's. Statements are sent one behind the other, a step ends with
 * CONN_SYNC; results come in the same order. When a statement of a step fails, what follows up to
 * its end does not happen, and what went before is undone.
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
    POSTGRES_LOCK_MS = 5000 /* another's lock is waited for so long */
};

/* postgres_conn.c */

/** Statements of the driver's own, behind those of the plan. */
enum {
    CONN_FENCE = QUERY_COUNT,
    CONN_LET_GO,
    CONN_LEAVE,
    CONN_SYNC /* the end of a step */
};

struct conn {
    PGconn *handle;    /* NULL: there is none */
    struct jobs *jobs; /* whose end ends a wait */
    unsigned *sent;    /* what has no result yet, a ring */
    size_t first, count, room;
    bool warned; /* by the server, in this step */
};

/** A connection as the URL says, ready for statements but those of a store (conn_prepare). */
bool conn_connect(struct conn *conn, const char *url);
bool conn_prepare(struct conn *conn);
/** It may be closed already. */
void conn_close(struct conn *conn);
/** Whether it still stands, as far as is known. */
bool conn_stands(struct conn *conn);
/** Sends a statement with its values; once it has failed there is no connection any more. */
void conn_send(struct conn *conn, unsigned query, const struct db_value *values);
/** Ends a step. */
void conn_sync(struct conn *conn);
void conn_flush(struct conn *conn);
/** The next result, and whose it is; of CONN_SYNC and without a connection it is NULL. */
PGresult *conn_next(struct conn *conn, unsigned *query);
/** A step of one statement; false: it failed. `out` may be NULL. */
bool conn_ask(struct conn *conn, unsigned query, const struct db_value *values, int64_t *out);
struct db_value conn_value(const PGresult *result, int row, int column);

/* postgres_open.c */

extern const struct migration POSTGRES_MIGRATIONS[];
extern const size_t POSTGRES_MIGRATION_COUNT;

/** A connection as a start needs it: with patience for a server that starts, is promoted or is
 * busy; false with the reason why there is none. */
bool postgres_reach(struct conn *conn, const char *url, struct mb_error *err);
/** Brings the database up to date and fetches the store's secret. */
bool postgres_open(const char *url, uint8_t secret[STORE_SECRET_SIZE], struct mb_error *err);

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
    struct held *held; /* what is this process's own, by the session of the first worker */
    int64_t try_ms;    /* when a server is looked for again */
    int64_t wait_ms;   /* how long that took the last time */
    pthread_t thread;
};

struct postgres_store {
    struct store store;
    char *url;
    bool waits, started;
    uint8_t secret[STORE_SECRET_SIZE];
    int64_t me;       /* this process among those that serve the store; not 0 */
    atomic_bool lost; /* a word that was held is another process's now: the next beat says so */
    struct jobs jobs;
    struct worker workers[POSTGRES_WORKERS];
    unsigned thread_count;
};

#endif
