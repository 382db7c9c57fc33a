// The store in PostgreSQL whose connections are cut and whose database is locked; what is due and
// two processes ask for; what the start says where it cannot.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/store/postgres/postgres_impl.h"

#include "tests/support/cluster.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static const char DATABASE[] = "faults";

static int set_up(void **state)
{
    (void)state;
    cluster_empty(DATABASE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    store_talk_end();
    return 0;
}

static struct store *open_store(void)
{
    char url[CLUSTER_URL_SIZE];
    struct mb_error err = {0};
    cluster_url(DATABASE, url);
    struct store *const store =
        postgres_store_create(&(struct postgres_setup){.url = url, .waits = true});
    assert_non_null(store);
    if (!store_start(store, &err)) {
        fail_msg("%s", err.text);
    }
    return store;
}

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

// The same step again and again, as a hall does that does not know what has become of it.
static uint64_t commit_at_last(struct store *store, const struct store_commit *commit)
{
    enum { TRIES = 200 };
    for (unsigned i = 0; i < TRIES; i++) {
        const struct store_answer *const answer = store_talk_commit(store, commit);
        if (answer->result != STORE_FAILED) {
            assert_int_equal(answer->result, STORE_DONE);
            return answer->version;
        }
        pause_ms(20);
    }
    fail_msg("the store does not come back");
    return 0;
}

static struct store_commit change(const char *table, uint64_t version)
{
    static struct store_bytes piece;
    piece = store_word("kick");
    struct store_commit commit = store_change(table, version, "word");
    commit.opener = table;
    commit.journal = &piece;
    commit.journal_count = 1;
    return commit;
}

static size_t pieces_of(struct store *store, const char *table)
{
    const struct store_request request = {
        .kind = STORE_JOURNAL, .table = table, .count = STORE_JOURNAL_MAX};
    return store_talk(store, &request)->count;
}

static PGconn *lock_games(void)
{
    char url[CLUSTER_URL_SIZE];
    cluster_url(DATABASE, url);
    PGconn *const handle = PQconnectdb(url);
    PGresult *const result = PQexec(handle, "BEGIN; LOCK TABLE munchbot.game");
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    return handle;
}

static void wait_for_a_commit_that_waits(void)
{
    while (cluster_number(DATABASE, "SELECT count(*) FROM pg_locks"
                                    " WHERE relation = 'munchbot.game'::regclass"
                                    " AND NOT granted") == 0) {
        pause_ms(5);
    }
}

/* Connections. */

static void a_cut_connection_is_made_anew(void **state)
{
    (void)state;
    struct store *const store = open_store();
    for (uint64_t version = 0; version < 10; version++) {
        const struct store_commit commit = change("t1", version);
        assert_int_equal(commit_at_last(store, &commit), version + 1);
        cluster_cut(DATABASE);
    }
    const struct store_commit last = change("t1", 10);
    assert_int_equal(commit_at_last(store, &last), 11);
    assert_int_equal(pieces_of(store, "t1"), 11);
    store_destroy(store);
}

// The database ends the connection while it does a commit.
static void a_connection_cut_in_a_commit_changes_nothing(void **state)
{
    enum { VERSIONS = 5 };
    (void)state;
    struct store *const store = open_store();
    cluster_sql(DATABASE,
                "SET search_path = munchbot;"
                "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
                "CREATE TRIGGER cut AFTER INSERT ON step FOR EACH ROW EXECUTE FUNCTION cut();"
                "ALTER TABLE step DISABLE TRIGGER cut");
    for (uint64_t version = 0; version < VERSIONS; version++) {
        const struct store_commit commit = change("t1", version);
        const struct store_request step = {.kind = STORE_STEP, .table = "t1", .key = commit.step};
        cluster_sql(DATABASE, "ALTER TABLE munchbot.step ENABLE TRIGGER cut");
        assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
        assert_int_equal(store_talk(store, &step)->result, STORE_NOTHING);
        cluster_sql(DATABASE, "ALTER TABLE munchbot.step DISABLE TRIGGER cut");
        assert_int_equal(commit_at_last(store, &commit), version + 1);
        assert_int_equal(store_talk(store, &step)->version, version + 1);
    }
    assert_int_equal(pieces_of(store, "t1"), VERSIONS);
    store_destroy(store);
}

// Answers are lost under load, first in a commit that is held up, then at random moments: each step
// counts once, whatever was heard of it.
static void an_answer_that_is_lost_is_known_again(void **state)
{
    enum { TABLES = 8, ROUNDS = 12 };
    (void)state;
    struct store *const store = open_store();
    static char names[TABLES][STORE_TABLE_SIZE];
    struct store_commit *const commits = calloc(TABLES, sizeof *commits);
    assert_non_null(commits);
    unsigned failed = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        PGconn *const lock = round == 0 ? lock_games() : NULL;
        for (unsigned i = 0; i < TABLES; i++) {
            uint64_t ticket = 0;
            (void)snprintf(names[i], sizeof names[i], "t%u", i);
            commits[i] = change(names[i], round);
            const struct store_request request = {.kind = STORE_COMMIT, .commit = commits[i]};
            assert_true(store_ask(store, &request, &ticket));
        }
        if (lock != NULL) {
            wait_for_a_commit_that_waits();
        }
        cluster_cut(DATABASE);
        PQfinish(lock);
        for (unsigned i = 0; i < TABLES; i++) {
            struct store_answer *const answer = store_take(store);
            assert_non_null(answer);
            assert_true(answer->result == STORE_DONE || answer->result == STORE_FAILED);
            failed += answer->result == STORE_FAILED ? 1 : 0;
            store_answer_free(answer);
        }
        for (unsigned i = 0; i < TABLES; i++) {
            assert_int_equal(commit_at_last(store, &commits[i]), round + 1);
        }
    }
    for (unsigned i = 0; i < TABLES; i++) {
        assert_int_equal(pieces_of(store, names[i]), ROUNDS);
    }
    assert_true(failed > 0); // else nothing was tried here
    free(commits);
    store_destroy(store);
}

/* Locks. */

static void a_short_lock_is_waited_for(void **state)
{
    (void)state;
    struct store *const store = open_store();
    PGconn *const handle = lock_games();
    const struct store_commit commit = change("t1", 0);
    const struct store_request request = {.kind = STORE_COMMIT, .commit = commit};
    uint64_t ticket = 0;
    assert_true(store_ask(store, &request, &ticket));
    pause_ms(300);
    PQfinish(handle);
    struct store_answer *const answer = store_take(store);
    assert_int_equal(answer->result, STORE_DONE);
    store_answer_free(answer);
    store_destroy(store);
}

static void a_long_lock_is_a_failure(void **state)
{
    (void)state;
    struct store *const store = open_store();
    PGconn *const handle = lock_games();
    const struct store_commit commit = change("t1", 0);
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_FAILED);
    PQfinish(handle);
    assert_int_equal(pieces_of(store, "t1"), 0);
    assert_int_equal(commit_at_last(store, &commit), 1);
    store_destroy(store);
}

static void it_stops_while_it_is_locked(void **state)
{
    (void)state;
    struct store *const store = open_store();
    PGconn *const handle = lock_games();
    const struct store_commit commit = change("t1", 0);
    const struct store_request request = {.kind = STORE_COMMIT, .commit = commit};
    uint64_t ticket = 0;
    assert_true(store_ask(store, &request, &ticket));
    pause_ms(50);
    const time_t before = time(NULL);
    store_destroy(store);
    assert_true(time(NULL) - before < 4);
    PQfinish(handle);
}

/* Two processes. */

static void what_the_living_hold_is_theirs(void **state)
{
    (void)state;
    const struct store_request hold = {.kind = STORE_HOLD, .word = "net/a"};
    struct store *const one = open_store();
    struct store *const other = open_store();
    assert_int_equal(store_talk(one, &hold)->result, STORE_DONE);
    assert_int_equal(store_talk(other, &hold)->result, STORE_CONFLICT);
    store_destroy(one);
    assert_int_equal(store_talk(other, &hold)->result, STORE_DONE);
    store_destroy(other);
}

// A step after which something falls due at once, and is said before.
static struct store_commit speech(uint64_t version, struct store_message *message)
{
    struct store_commit commit = change("t1", version);
    *message =
        (struct store_message){.key = {.epoch = 7, .number = version}, .bytes = store_word("Hm.")};
    commit.messages = message;
    commit.message_count = 1;
    commit.sends = true;
    commit.since_ms = 0;
    commit.due_ms = 1;
    commit.until_ms = STORE_NEVER;
    return commit;
}

// Whoever asks who lives waits for the lock: what is due is looked for meanwhile.
static PGconn *slow_down(void)
{
    char url[CLUSTER_URL_SIZE];
    cluster_url(DATABASE, url);
    cluster_sql(DATABASE, "SET search_path = munchbot;"
                          "CREATE OR REPLACE FUNCTION lives(process bigint) RETURNS boolean"
                          " LANGUAGE plpgsql STABLE AS $$ BEGIN"
                          " PERFORM pg_advisory_xact_lock_shared(7); RETURN true; END $$;");
    PGconn *const handle = PQconnectdb(url);
    PGresult *const result = PQexec(handle, "SELECT pg_advisory_lock(7)");
    assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
    PQclear(result);
    return handle;
}

// One looks for what is due and has found a table, another takes it further before it is marked.
static void what_somebody_speaks_at_meanwhile_is_not_taken(void **state)
{
    (void)state;
    const struct store_request hello = {.kind = STORE_HELLO};
    const struct store_request claim = {.kind = STORE_DUE, .claims = true, .ms = 1000000};
    struct store *const one = open_store();
    struct store *const other = open_store();
    struct store_message message;
    uint64_t ticket = 0;
    assert_int_equal(store_talk(one, &hello)->result, STORE_DONE);
    assert_int_equal(store_talk(other, &hello)->result, STORE_DONE);
    const struct store_commit first = speech(0, &message);
    assert_true(store_talk_commit(one, &first)->held);
    const struct store_request told = {
        .kind = STORE_CONFIRM, .table = "t1", .key = message.key, .id = "m1"};
    assert_int_equal(store_talk(one, &told)->result, STORE_DONE);
    PGconn *const handle = slow_down();
    assert_true(store_ask(other, &claim, &ticket));
    while (cluster_number(DATABASE, "SELECT count(*) FROM pg_locks"
                                    " WHERE locktype = 'advisory' AND NOT granted") == 0) {
        pause_ms(10);
    }
    const struct store_commit second = speech(1, &message);
    assert_true(store_talk_commit(one, &second)->held);
    PQfinish(handle);
    struct store_answer *const due = store_take(other);
    assert_int_equal(due->result, STORE_DONE);
    assert_int_equal(due->count, 0);
    store_answer_free(due);
    store_destroy(other);
    store_destroy(one);
}

// Steps of two processes that touch the same directories in other orders: all of them are done.
static void directories_are_changed_without_a_deadlock(void **state)
{
    enum { ROUNDS = 40, PEOPLE = 6 };
    (void)state;
    struct store *const stores[] = {open_store(), open_store()};
    static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cid", "Dee", "Eve", "Fay"};
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < 2; i++) {
            struct store_record records[PEOPLE];
            uint64_t ticket = 0;
            for (unsigned j = 0; j < PEOPLE; j++) {
                records[j] = (struct store_record){.community = "town",
                                                   .network = "fake",
                                                   .person = NAMES[i == 0 ? j : PEOPLE - 1 - j],
                                                   .line = {.games = 1}};
            }
            struct store_commit commit = store_change("", 0, NULL);
            commit.directories = true;
            commit.records = records;
            commit.record_count = PEOPLE;
            const struct store_request request = {.kind = STORE_COMMIT, .commit = commit};
            assert_true(store_ask(stores[i], &request, &ticket));
        }
    }
    for (unsigned i = 0; i < 2 * ROUNDS; i++) {
        struct store_answer *const answer = store_take(stores[i % 2]);
        assert_int_equal(answer->result, STORE_DONE);
        store_answer_free(answer);
    }
    assert_int_equal(cluster_number(DATABASE, "SELECT sum(games) FROM munchbot.record"),
                     2 * ROUNDS * PEOPLE);
    assert_int_equal(cluster_number("", "SELECT deadlocks FROM pg_stat_database"
                                        " WHERE datname = 'faults'"),
                     0);
    store_destroy(stores[0]);
    store_destroy(stores[1]);
}

/* The start. */

static void refuses(const char *url, const char *why)
{
    struct mb_error err = {0};
    struct store *const store = postgres_store_create(&(struct postgres_setup){.url = url});
    assert_non_null(store);
    assert_false(store_start(store, &err));
    if (strstr(err.text, why) == NULL || strstr(err.text, "secret") != NULL) {
        fail_msg("%s", err.text);
    }
    store_destroy(store);
}

static void url_for(const char *user, char out[CLUSTER_URL_SIZE])
{
    cluster_url(DATABASE, out);
    char *const at = strstr(out, "user=");
    assert_non_null(at);
    (void)snprintf(at, CLUSTER_URL_SIZE - (size_t)(at - out), "%s", user);
}

static void what_cannot_be_used_is_refused_with_a_sentence(void **state)
{
    (void)state;
    char url[CLUSTER_URL_SIZE];
    cluster_url("nowhere", url);
    refuses(url, "there is no database \"nowhere\"");
    refuses("postgresql://ann:secret@127.0.0.1:1/munchbot", "no database server answers");
    refuses("postgresql://ann:secret%zz@there/munchbot", "use \"postgresql://");
    cluster_sql("", "DROP ROLE IF EXISTS nobody; CREATE ROLE nobody LOGIN");
    url_for("user=nobody", url);
    refuses(url, "\"nobody\" has no rights");
    url_for("user=stranger&password=secret", url);
    refuses(url, "rejected \"stranger\"");
    cluster_sql("", "CREATE ROLE few LOGIN CONNECTION LIMIT 1; "
                    "GRANT ALL ON DATABASE faults TO few");
    url_for("user=few", url);
    refuses(url, "takes no more connections: allow 5 more");
    cluster_sql(DATABASE, "DROP OWNED BY few; DROP ROLE few");
}

static void a_newer_schema_is_refused(void **state)
{
    (void)state;
    char url[CLUSTER_URL_SIZE];
    cluster_url(DATABASE, url);
    store_destroy(open_store());
    cluster_sql(DATABASE, "INSERT INTO munchbot.migration VALUES (1000)");
    refuses(url, "newer munchbot (format 1000, this one knows ");
}

static void a_store_of_an_older_form_is_brought_up_to_date(void **state)
{
    enum { SQL_SIZE = 8192 };
    (void)state;
    char sql[SQL_SIZE];
    cluster_empty(DATABASE);
    cluster_sql(DATABASE, "CREATE SCHEMA munchbot; CREATE TABLE munchbot.migration (version bigint"
                          " PRIMARY KEY); INSERT INTO munchbot.migration VALUES (1)");
    for (size_t i = 0; i < POSTGRES_MIGRATION_COUNT && POSTGRES_MIGRATIONS[i].version == 1; i++) {
        (void)snprintf(sql, sizeof sql, "SET search_path TO munchbot; %s",
                       POSTGRES_MIGRATIONS[i].sql);
        cluster_sql(DATABASE, sql);
    }
    cluster_sql(
        DATABASE,
        "SET search_path TO munchbot; INSERT INTO kept (word, bytes) VALUES"
        " ('old', '\\x01'); INSERT INTO game (table_id, version, opener_network,"
        " opener, community, since_ms, due_ms, until_ms, bytes)"
        " VALUES ('t1', 3, 'net', 'ann', 'town', 10, 20, 30, 'three');"
        " INSERT INTO store (id, secret, now_ms) VALUES (1, decode(repeat('00', 16), 'hex'), 40);"
        " INSERT INTO archive (table_id, community, bytes, pieces) VALUES"
        " ('t0', 'town', '', '{}')");
    struct store *const store = open_store();
    assert_int_equal(store_talk_load(store, "t1")->version, 3);
    const struct store_commit commit = store_change("t1", 3, "word");
    assert_int_equal(store_talk_commit(store, &commit)->result, STORE_DONE);
    store_destroy(store);
    assert_int_equal(cluster_number(DATABASE, "SELECT max(version) FROM munchbot.migration"), 2);
    assert_int_equal(cluster_number(DATABASE, "SELECT put_away_ms FROM munchbot.archive"), 40);
}

static void *open_in_thread(void *user)
{
    (void)user;
    return open_store();
}

// Each finds the schema missing; one makes it.
static void processes_that_start_together_make_one_store(void **state)
{
    enum { PROCESSES = 4 };
    (void)state;
    const struct store_request hello = {.kind = STORE_HELLO};
    uint8_t secrets[PROCESSES][STORE_SECRET_SIZE];
    pthread_t threads[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, open_in_thread, NULL), 0);
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        void *store = NULL;
        assert_int_equal(pthread_join(threads[i], &store), 0);
        memcpy(secrets[i], store_talk(store, &hello)->secret, STORE_SECRET_SIZE);
        assert_memory_equal(secrets[0], secrets[i], STORE_SECRET_SIZE);
        store_talk_end();
        store_destroy(store);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_cut_connection_is_made_anew),
        CASE(a_connection_cut_in_a_commit_changes_nothing),
        CASE(an_answer_that_is_lost_is_known_again),
        CASE(a_short_lock_is_waited_for),
        CASE(a_long_lock_is_a_failure),
        CASE(it_stops_while_it_is_locked),
        CASE(what_the_living_hold_is_theirs),
        CASE(what_somebody_speaks_at_meanwhile_is_not_taken),
        CASE(directories_are_changed_without_a_deadlock),
        CASE(what_cannot_be_used_is_refused_with_a_sentence),
        CASE(a_newer_schema_is_refused),
        CASE(a_store_of_an_older_form_is_brought_up_to_date),
        CASE(processes_that_start_together_make_one_store),
    };
    return cmocka_run_group_tests_name("postgres_store", tests, NULL, NULL);
}
