// How PostgreSQL goes about each statement once there are many tables: what is in a command's way
// reads no table from end to end.
//
// Statements are planned for values that are not known, but those that ask what is due: these as
// the server goes about them in the end. What calls a function of the schema is seen up to the
// call.
#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "adapters/store/postgres/postgres_impl.h"

#include "tests/support/cluster.h"
#include "tests/support/test.h"

static const char DATABASE[] = "plans";

// What may be read from end to end, but for tables themselves: rows that are few, and what comes
// seldom.
static const enum query LEFT[] = {
    /* Messages that are on their way, at a start and once a second, and places while a network is
     * away. */
    QUERY_DUE, QUERY_DUE_UNSENT, QUERY_CLAIM, QUERY_CLAIM_UNSENT,
    /* When a network is back, and when people ask to be forgotten. */
    QUERY_AWAY_SHIFT, QUERY_FORGET_RECORDS, QUERY_FORGET_MESSAGES, QUERY_FORGET_BOARDS,
    /* When a table is opened all are counted, when one goes card files are. */
    QUERY_GAMES_ALONE, QUERY_ROOM_ALL, QUERY_CARDS_ALONE, QUERY_CARDS_TIDY,
    /* A community that is new in the statistics. */
    QUERY_COMMUNITY_LEAVE, QUERY_COMMUNITY_TIDY,
    /* People who ask what is known of them; an adapter that starts. */
    QUERY_COMMUNITIES, QUERY_KEPT};

// Where it depends on them how many rows there are: values, of which few are due.
static const struct {
    enum query query;
    const char *values;
} ASKED[] = {
    {QUERY_DUE, "(5000, '', 64)"},
    {QUERY_DUE_UNSENT, "(5000, '', 64)"},
    {QUERY_CLAIM, "(5000, '', 64, 7, 1000, ' net ')"},
    {QUERY_CLAIM_UNSENT, "(5000, '', 64, 7, 1000, ' net ')"},
    {QUERY_DUE_NEXT, "(5000, 7)"},
    {QUERY_WATCH, "('{\"1\":2,\"2\":2}', 7)"},
    {QUERY_GAMES, "('', 64)"},
    {QUERY_UNUSE_AGED, "(5000)"},
    {QUERY_ARCHIVE_AGED, "(5000)"},
    {QUERY_ARCHIVED, "('', 64)"},
};

static const char *values_of(size_t query)
{
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; i++) {
        if (ASKED[i].query == query) {
            return ASKED[i].values;
        }
    }
    return NULL;
}

static bool is_left(size_t query)
{
    for (size_t i = 0; i < sizeof LEFT / sizeof LEFT[0]; i++) {
        if (LEFT[i] == query) {
            return true;
        }
    }
    return false;
}

static const char FILL[] =
    "SET search_path = munchbot;"
    "INSERT INTO game (table_id, version, opener_network, opener, community, since_ms, due_ms,"
    " until_ms, rested, bytes) SELECT n::text, 2, 'net', n::text, (n / 8)::text, 0, n * 1000, -1,"
    " n, ''"
    " FROM generate_series(1, 4000) AS n;"
    "INSERT INTO step SELECT table_id, v, 1, v, v, 0 FROM game, generate_series(1, 8) AS v;"
    "INSERT INTO journal SELECT table_id, v, '' FROM game, generate_series(1, 4) AS v;"
    "INSERT INTO narration SELECT table_id, v, '' FROM game, generate_series(1, 4) AS v;"
    "INSERT INTO message (table_id, line, epoch, number, board, reader, bytes)"
    " SELECT table_id, v, 1, v, v, v::text, '' FROM game, generate_series(1, 2) AS v;"
    "INSERT INTO board SELECT table_id, v, v::text, '' FROM game, generate_series(1, 4) AS v;"
    "INSERT INTO place (network, place, table_id, name, community)"
    " SELECT 'net', table_id, table_id, '', community FROM game;"
    "INSERT INTO sit (network, person, table_id, chosen)"
    " SELECT 'net', table_id || '/' || v, table_id, 0 FROM game, generate_series(1, 4) AS v;"
    "INSERT INTO community (name) SELECT table_id FROM game UNION SELECT community FROM game;"
    "INSERT INTO record (community, network, person, games, wins, kills, deaths)"
    " SELECT community, 'net', table_id, 1, 1, 1, 1 FROM game;"
    "INSERT INTO loose_step SELECT n, n, n FROM generate_series(1, 4000) AS n;"
    "INSERT INTO kept (word, bytes) SELECT table_id, '' FROM game;"
    "INSERT INTO archive (table_id, community, bytes, pieces, put_away_ms)"
    " SELECT 'gone ' || table_id, community, '', ARRAY['']::bytea[], since_ms + due_ms FROM game;"
    "INSERT INTO card_file SELECT table_id, '' FROM game;"
    "INSERT INTO card_use SELECT table_id, table_id FROM game;"
    "INSERT INTO away VALUES ('9', 'net', 0);"
    "ANALYZE";

// All but some have been delivered.
static const char DELIVER[] = "DELETE FROM munchbot.message WHERE table_id NOT LIKE '1__'";

static PGresult *asked(PGconn *handle, const char *sql)
{
    PGresult *const result = PQexec(handle, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", sql, PQerrorMessage(handle));
    }
    return result;
}

static bool has(const char *line, const char *words)
{
    return strstr(line, words) != NULL;
}

// Tables of a row a store, a process or a network.
static bool is_small(const char *line)
{
    static const char *const SMALL[] = {" on store", " on away", " on process", " on present"};
    for (size_t i = 0; i < sizeof SMALL / sizeof SMALL[0]; i++) {
        if (has(line, SMALL[i])) {
            return true;
        }
    }
    return false;
}

static void append(char *out, size_t size, const char *words)
{
    const size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", words);
}

// What lies behind a scan of an index in a plan says where it looks; else it looks at all of it.
static unsigned slow_steps(const PGresult *plan, char *out, size_t size)
{
    unsigned slow = 0;
    bool open = false;
    out[0] = '\0';
    for (int row = 0; row < PQntuples(plan); row++) {
        const char *const line = PQgetvalue(plan, row, 0);
        append(out, size, "\n");
        append(out, size, line);
        if (has(line, "Index Cond")) {
            open = false;
        } else if (has(line, "->") || has(line, "Plan ")) {
            slow += open ? 1 : 0;
            open = false;
        }
        if (has(line, "Seq Scan on ") && !is_small(line)) {
            slow++;
        }
        open = open ||
               ((has(line, "Index Scan ") || has(line, "Index Only Scan ")) && !is_small(line));
    }
    return slow + (open ? 1 : 0);
}

static const char AS_IT_LIKES[] = "SET plan_cache_mode = auto";
static const char FOR_ANY[] = "SET plan_cache_mode = force_generic_plan";

// Five times the server plans for the values; then it may have found that it need not.
static PGresult *plan_of(PGconn *handle, size_t query, const char *mode)
{
    enum { WORDS_SIZE = 256, TIMES = 6 };
    char words[WORDS_SIZE] = "EXPLAIN (COSTS OFF) EXECUTE its";
    const char *const values = values_of(query);
    PGresult *const prepared = PQprepare(handle, "its", QUERIES[query][PLAN_POSTGRES], 0, NULL);
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK) {
        fail_msg("%s: %s", QUERIES[query][PLAN_POSTGRES], PQerrorMessage(handle));
    }
    PQclear(prepared);
    PGresult *const its = PQdescribePrepared(handle, "its");
    for (int i = 0; values == NULL && i < PQnparams(its); i++) {
        append(words, sizeof words, i == 0 ? "(NULL" : ", NULL");
    }
    if (values != NULL || PQnparams(its) > 0) {
        append(words, sizeof words, values != NULL ? values : ")");
    }
    PQclear(its);
    PQclear(asked(handle, mode));
    for (unsigned i = 1; values != NULL && i < TIMES; i++) {
        PQclear(asked(handle, words));
    }
    PGresult *const plan = asked(handle, words);
    PQclear(asked(handle, "DEALLOCATE its"));
    return plan;
}

static void check(PGconn *handle, size_t query)
{
    enum { PLAN_SIZE = 16384 };
    char words[PLAN_SIZE];
    PGresult *const plan = plan_of(handle, query, values_of(query) != NULL ? AS_IT_LIKES : FOR_ANY);
    const unsigned steps = slow_steps(plan, words, sizeof words);
    PQclear(plan);
    if (steps > 0 && !is_left(query)) {
        fail_msg("%u slow steps: %s%s", steps, QUERIES[query][PLAN_POSTGRES], words);
    }
    if (query == QUERY_HEARD && !has(words, " AND (event = $2) AND (ms >= ")) {
        fail_msg("not one event is looked up: %s", words);
    }
}

// Whether tables are gone through one after the other, due or not.
static bool walks_games(const PGresult *plan)
{
    for (int row = 0; row < PQntuples(plan); row++) {
        const char *const line = PQgetvalue(plan, row, 0);
        const char *const next = row + 1 < PQntuples(plan) ? PQgetvalue(plan, row + 1, 0) : "";
        if (has(line, "Seq Scan on game") ||
            (has(line, "Scan using game_pkey") &&
             (!has(next, "Index Cond") || has(next, "table_id > ")))) {
            return true;
        }
    }
    return false;
}

// Thousands of tables have said something that nobody has delivered yet.
static void what_is_unsent_is_looked_up(PGconn *handle)
{
    enum { PLAN_SIZE = 16384 };
    char words[PLAN_SIZE];
    PGresult *const plan = plan_of(handle, QUERY_CLAIM_UNSENT, FOR_ANY);
    (void)slow_steps(plan, words, sizeof words);
    if (walks_games(plan)) {
        fail_msg("tables are gone through: %s", words);
    }
    PQclear(plan);
}

static void no_table_is_read_from_end_to_end(void **state)
{
    char url[CLUSTER_URL_SIZE];
    struct mb_error err = {0};
    (void)state;
    cluster_empty(DATABASE);
    cluster_url(DATABASE, url);
    struct store *const store = postgres_store_create(&(struct postgres_setup){.url = url});
    assert_non_null(store);
    assert_true(store_start(store, &err));
    store_destroy(store);
    PGconn *const handle = PQconnectdb(url);
    PQclear(asked(handle, FILL));
    for (size_t query = 0; query < QUERY_COUNT; query++) {
        if (values_of(query) == NULL) {
            check(handle, query);
        }
    }
    what_is_unsent_is_looked_up(handle);
    PQclear(asked(handle, DELIVER));
    PQclear(asked(handle, "VACUUM ANALYZE munchbot.message"));
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; i++) {
        check(handle, ASKED[i].query);
    }
    PQfinish(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_table_is_read_from_end_to_end),
    };
    return cmocka_run_group_tests_name("postgres_plans", tests, NULL, NULL);
}
