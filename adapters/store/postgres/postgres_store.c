#include "adapters/store/postgres/postgres_store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "adapters/store/postgres/postgres_impl.h"

enum {
    TOGETHER = 16,      // requests that go down a connection at once
    AGAIN_MAX = 8,      // so often a step is tried that meets others
    WAIT_FIRST_MS = 50, // until a server is looked for again ...
    WAIT_MAX_MS = 2000  // ... at most
};

/** The first worker's: directories are its, and what one session must do. */
enum { FIRST_WORKER = 0 };

static bool postgres_start(struct store *store, struct mb_error *err);
static bool postgres_ask(struct store *store, struct store_request *request);
static struct store_answer *postgres_take(struct store *store);
static bool postgres_shared(const struct store *store);
static void postgres_stop(struct store *store);
static void postgres_destroy(struct store *store);

static const struct store_ops OPS = {
    .name = "postgres",
    .start = postgres_start,
    .ask = postgres_ask,
    .take = postgres_take,
    .shared = postgres_shared,
    .stop = postgres_stop,
    .destroy = postgres_destroy,
};

static struct postgres_store *postgres_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct postgres_store *)store;
}

/* Who does what. */

// A worker does all of a table in the order it was asked for, so no lane is needed.
static void route(struct job *job)
{
    const struct store_request *const request = job->request;
    const char *table = request->table;
    job->lane = JOBS_LANE_NONE;
    switch (request->kind) {
    case STORE_COMMIT:
        table = request->commit.directories ? NULL : request->commit.table;
        break;
    case STORE_PLACE:
        table = request->place;
        break;
    case STORE_LOAD:
    case STORE_LOOK:
    case STORE_EARLIER:
    case STORE_LOG:
    case STORE_JOURNAL:
    case STORE_STEP:
    case STORE_CONFIRM:
        break;
    default:
        table = NULL;
        break;
    }
    job->side = table != NULL ? jobs_lane(table) % POSTGRES_WORKERS : FIRST_WORKER;
}

/* A worker's connection. */

// What was this process's own on the connection that broke, unless another one was faster: the next
// beat says so.
static void hold_again(struct worker *worker)
{
    for (struct held **at = &worker->held; *at != NULL;) {
        struct held *const held = *at;
        int64_t ours = 0;
        if (conn_ask(&worker->conn, QUERY_HOLD, DB(db_text(held->word)), &ours) && ours == 0) {
            *at = held->next;
            free(held);
            atomic_store(&worker->postgres->lost, true);
        } else {
            at = &held->next;
        }
    }
}

static void note_held(struct worker *worker, const char *word)
{
    for (const struct held *held = worker->held; held != NULL; held = held->next) {
        if (strcmp(held->word, word) == 0) {
            return;
        }
    }
    struct held *const held = mb_new(1, sizeof *held + strlen(word) + 1);
    memcpy(held->word, word, strlen(word) + 1);
    held->next = worker->held;
    worker->held = held;
}

static void forget_held(struct worker *worker)
{
    while (worker->held != NULL) {
        struct held *const held = worker->held;
        worker->held = held->next;
        free(held);
    }
}

// What a broken connection has sent may still be under way. Nothing is asked before that has ended:
// the new session waits for a lock that the old one keeps as long as it lives.
static bool begin_session(struct worker *worker)
{
    struct conn *const conn = &worker->conn;
    if (!conn_prepare(conn) ||
        !conn_ask(conn, CONN_FENCE,
                  DB(db_number(worker->postgres->me), db_number((int64_t)worker->side + 5)),
                  NULL)) {
        return false;
    }
    hold_again(worker);
    return conn_stands(conn);
}

static bool is_ready(struct worker *worker)
{
    if (conn_stands(&worker->conn)) {
        return true;
    }
    if (jobs_now_ms() < worker->try_ms) {
        return false;
    }
    if (conn_connect(&worker->conn, worker->postgres->url) && begin_session(worker)) {
        worker->wait_ms = 0;
        return true;
    }
    conn_close(&worker->conn);
    worker->wait_ms = worker->wait_ms == 0 ? WAIT_FIRST_MS : 2 * worker->wait_ms;
    worker->wait_ms = worker->wait_ms > WAIT_MAX_MS ? WAIT_MAX_MS : worker->wait_ms;
    worker->try_ms = jobs_now_ms() + worker->wait_ms;
    return false;
}

/* A worker's jobs. */

static void tell_answers(struct worker *worker, struct job *list)
{
    if (list != NULL) {
        jobs_answer(&worker->postgres->jobs, list);
        store_wake(&worker->postgres->store);
    }
}

static void send_query(void *user, enum query query, const struct db_value *values)
{
    if (QUERIES[query][PLAN_POSTGRES][0] != '\0') {
        conn_send(user, query, values);
    }
}

static void send_job(struct worker *worker, const struct job *job)
{
    const struct plan plan = {.me = worker->postgres->me,
                              .secret = worker->postgres->secret,
                              .run = send_query,
                              .user = &worker->conn};
    plan_ask(&plan, job->request);
    conn_sync(&worker->conn);
}

// What a step has come to, besides its answer.
struct step {
    struct reading reading;
    bool again; // it met another one: it may be tried again
    bool sick;  // the server is no good any more
};

static void note_error(struct step *step, const PGresult *result)
{
    // It met another step: serialization failure, deadlock, what another has made or taken just
    // now.
    static const char *const AGAIN[] = {"40001", "40P01", "23505"};
    // It ends or takes no writes any more.
    static const char *const SICK[] = {"57P", "25006", "08"};
    const char *const field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *const what = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const char *const state = field != NULL ? field : "";
    reading_refused(&step->reading, state, what != NULL ? what : "");
    for (size_t i = 0; i < sizeof AGAIN / sizeof AGAIN[0]; i++) {
        step->again = step->again || strcmp(state, AGAIN[i]) == 0;
    }
    for (size_t i = 0; i < sizeof SICK / sizeof SICK[0]; i++) {
        step->sick = step->sick || strncmp(state, SICK[i], strlen(SICK[i])) == 0;
    }
}

static void note_result(struct step *step, unsigned query, const PGresult *result)
{
    enum { COLUMNS_MAX = 16 };
    struct db_value row[COLUMNS_MAX];
    const ExecStatusType status = PQresultStatus(result);
    for (int i = 0; i < PQntuples(result); i++) {
        for (int column = 0; column < PQnfields(result) && column < COLUMNS_MAX; column++) {
            row[column] = conn_value(result, i, column);
        }
        reading_row(&step->reading, (enum query)query, row);
    }
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        const char *const rows = PQcmdTuples((PGresult *)(uintptr_t)result);
        reading_over(&step->reading, (enum query)query, rows[0] != '\0' && strcmp(rows, "0") != 0);
    } else if (status != PGRES_PIPELINE_ABORTED) { // what went before that has failed
        note_error(step, result);
    }
}

// The results of one step; whether it should be tried again.
static bool receive_job(struct worker *worker, struct job *job, bool *sick)
{
    struct conn *const conn = &worker->conn;
    struct step step = {.again = false};
    unsigned query = CONN_SYNC;
    reading_begin(&step.reading, job->request, worker->postgres->secret);
    conn->warned = false;
    do {
        PGresult *const result = conn_next(conn, &query);
        if (query != CONN_SYNC) {
            note_result(&step, query, result);
        }
        PQclear(result);
    } while (query != CONN_SYNC);
    store_answer_free(job->answer);
    job->answer = reading_end(&step.reading);
    if (conn->handle == NULL || conn->warned) {
        store_answer_free(job->answer);
        job->answer = store_answer_failed(job->request);
        return false;
    }
    if (job->request->kind == STORE_HOLD && job->request->for_ms == 0 &&
        job->answer->result == STORE_DONE) {
        note_held(worker, job->request->word);
    }
    if (job->request->kind == STORE_BEAT && job->answer->result == STORE_DONE &&
        atomic_exchange(&worker->postgres->lost, false)) {
        job->answer->result = STORE_NOTHING;
    }
    *sick = *sick || step.sick;
    return step.again;
}

// Alone, until it meets nobody any more.
static void do_again(struct worker *worker, struct job *job, bool *sick)
{
    bool again = true;
    for (unsigned i = 0; again && i < AGAIN_MAX && worker->conn.handle != NULL; i++) {
        send_job(worker, job);
        again = receive_job(worker, job, sick);
    }
}

// Answers are given as they come, but in order: what comes behind a step that is tried again waits.
static void do_jobs(struct worker *worker, struct job *list)
{
    bool again[TOGETHER] = {false};
    bool waits = false;
    bool sick = false;
    unsigned count = 0;
    unsigned first = 0;
    for (const struct job *job = list; job != NULL; job = job->next) {
        send_job(worker, job);
    }
    conn_flush(&worker->conn);
    struct job *rest = list; // what has no answer yet, from its `first` job on
    for (struct job *job = list; job != NULL; count++) {
        struct job *const next = job->next;
        again[count] = receive_job(worker, job, &sick);
        waits = waits || again[count];
        if (!waits) {
            job->next = NULL;
            tell_answers(worker, job);
            rest = next;
            first = count + 1;
        }
        job = next;
    }
    for (struct job *job = rest; job != NULL; job = job->next, first++) {
        if (again[first]) {
            do_again(worker, job, &sick);
        }
    }
    tell_answers(worker, rest);
    if (sick) {
        conn_close(&worker->conn);
    }
}

// What it sends and sees to is anybody's, what it has held too.
static void take_leave(struct worker *worker)
{
    if (worker->side == FIRST_WORKER && conn_stands(&worker->conn)) {
        (void)conn_ask(&worker->conn, CONN_LEAVE, DB(db_number(worker->postgres->me)), NULL);
    }
    if (conn_stands(&worker->conn)) {
        (void)conn_ask(&worker->conn, CONN_LET_GO, NULL, NULL);
    }
}

static void *run_worker(void *user)
{
    struct worker *const worker = user;
    for (;;) {
        struct job *const list = jobs_claim(&worker->postgres->jobs, worker->side, TOGETHER);
        if (list == NULL) {
            take_leave(worker);
            return NULL;
        }
        if (is_ready(worker)) {
            do_jobs(worker, list);
            continue;
        }
        jobs_fail(list);
        tell_answers(worker, list);
    }
}

/* Life. */

struct store *postgres_store_create(const struct postgres_setup *setup)
{
    struct postgres_store *const postgres = mb_new(1, sizeof *postgres);
    postgres->store.ops = &OPS;
    postgres->waits = setup->waits;
    postgres->url = mb_text(setup->url);
    jobs_init(&postgres->jobs, route, 0);
    for (unsigned i = 0; i < POSTGRES_WORKERS; i++) {
        postgres->workers[i] =
            (struct worker){.postgres = postgres, .side = i, .conn = {.jobs = &postgres->jobs}};
    }
    return &postgres->store;
}

static bool start_threads(struct postgres_store *postgres)
{
    while (postgres->thread_count < POSTGRES_WORKERS) {
        struct worker *const worker = &postgres->workers[postgres->thread_count];
        if (!jobs_thread(&worker->thread, run_worker, worker)) {
            return false;
        }
        postgres->thread_count++;
    }
    return true;
}

static void stop_threads(struct postgres_store *postgres)
{
    jobs_stop(&postgres->jobs, true);
    while (postgres->thread_count > 0) {
        (void)pthread_join(postgres->workers[--postgres->thread_count].thread, NULL);
    }
    jobs_stop(&postgres->jobs, false);
}

static void disconnect(struct postgres_store *postgres)
{
    for (unsigned i = 0; i < POSTGRES_WORKERS; i++) {
        struct worker *const worker = &postgres->workers[i];
        conn_close(&worker->conn);
        forget_held(worker);
        worker->try_ms = worker->wait_ms = 0;
    }
}

static bool postgres_start(struct store *store, struct mb_error *err)
{
    struct postgres_store *const postgres = postgres_of(store);
    if (postgres->started) {
        return true;
    }
    randombytes_buf(&postgres->me, sizeof postgres->me);
    postgres->me |= 1u; // 0 is nobody
    if (!postgres_open(postgres->url, postgres->waits, postgres->secret, err)) {
        return false;
    }
    for (unsigned i = 0; i < POSTGRES_WORKERS; i++) {
        struct worker *const worker = &postgres->workers[i];
        if (!postgres_reach(&worker->conn, postgres->url, postgres->waits, err)) {
            disconnect(postgres);
            return false;
        }
        if (!begin_session(worker)) {
            disconnect(postgres);
            return mb_fail(err, MB_ERR_RETRY,
                           "the database server closed the connection: check it, and start again");
        }
    }
    if (!start_threads(postgres)) {
        stop_threads(postgres);
        disconnect(postgres);
        return mb_fail(err, MB_ERR_LIMIT, "cannot start another thread");
    }
    postgres->started = true;
    return true;
}

static bool postgres_ask(struct store *store, struct store_request *request)
{
    struct postgres_store *const postgres = postgres_of(store);
    return postgres->started && jobs_ask(&postgres->jobs, request);
}

static struct store_answer *postgres_take(struct store *store)
{
    struct postgres_store *const postgres = postgres_of(store);
    return jobs_take(&postgres->jobs, postgres->waits && postgres->started);
}

// Another one may come at any time.
static bool postgres_shared(const struct store *store)
{
    (void)store;
    return true;
}

static void postgres_stop(struct store *store)
{
    struct postgres_store *const postgres = postgres_of(store);
    if (postgres->started) {
        stop_threads(postgres);
        disconnect(postgres);
        jobs_forget(&postgres->jobs);
        postgres->started = false;
    }
}

static void postgres_destroy(struct store *store)
{
    struct postgres_store *const postgres = postgres_of(store);
    postgres_stop(store);
    jobs_finish(&postgres->jobs);
    free(postgres->url);
    free(postgres);
}
