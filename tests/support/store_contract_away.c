// Networks and communities that cannot be heard: their tables' time stands, whoever serves the
// store.
#include <string.h>

#include "tests/support/store_contract.h"
#include "tests/support/store_contract_impl.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static void greet(struct store *store)
{
    const struct store_request hello = {.kind = STORE_HELLO};
    assert_int_equal(store_talk(store, &hello)->result, STORE_DONE);
}

// A table of "town" that lies in a network; its time runs since then, and something falls due 100
// later.
static void put(struct store *store, const char *table, const char *network, int64_t since_ms)
{
    const struct store_place place = {
        .network = network, .place = table, .name = table, .community = "town", .taken = true};
    struct store_commit commit = store_change(table, 0, "word");
    commit.places = &place;
    commit.place_count = 1;
    commit.since_ms = since_ms;
    commit.due_ms = 100;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

static int64_t since(struct store *store, const char *table)
{
    const struct store_request request = {.kind = STORE_LOOK, .table = table};
    return store_talk(store, &request)->since_ms;
}

static size_t due(struct store *store, int64_t ms)
{
    const struct store_request request = {.kind = STORE_DUE, .ms = ms, .claims = true};
    return store_talk(store, &request)->count;
}

// How much is away then.
static size_t stand(struct store *store, const char *community, bool back, int64_t ms)
{
    const struct store_request request = {.kind = STORE_STAND,
                                          .network = "fake",
                                          .communities = &community,
                                          .community_count = community != NULL ? 1 : 0,
                                          .back = back,
                                          .ms = ms};
    const struct store_answer *const answer = store_talk(store, &request);
    assert_int_equal(answer->result, STORE_DONE);
    return answer->away_count;
}

static size_t beat(struct store *store, int64_t ms)
{
    const struct store_request request = {.kind = STORE_BEAT, .ms = ms};
    return store_talk(store, &request)->away_count;
}

void what_is_away_stands_until_it_is_back(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    put(bench->store, "t1", "fake", 10);
    put(bench->store, "t2", "other", 10);
    put(bench->store, "t3", "fake", STORE_NEVER);
    assert_int_equal(stand(bench->store, NULL, false, 50), 1);
    assert_int_equal(stand(bench->store, NULL, false, 70), 1); // it is away already
    put(bench->store, "t4", "fake", 60);
    const struct store_request request = {.kind = STORE_BEAT, .ms = 80};
    const struct store_answer *const answer = store_talk(bench->store, &request);
    assert_int_equal(answer->away_count, 1);
    assert_string_equal(answer->aways[0].network, "fake");
    assert_string_equal(answer->aways[0].community, "");
    assert_int_equal(answer->aways[0].ms, 50);
    assert_int_equal(due(bench->store, 1000), 1); // the other network's
    assert_int_equal(stand(bench->store, NULL, true, 200), 0);
    assert_int_equal(since(bench->store, "t1"), 160); // 40 have passed at it
    assert_int_equal(since(bench->store, "t2"), 10);
    assert_int_equal(since(bench->store, "t3"), STORE_NEVER);
    assert_int_equal(since(bench->store, "t4"), 200);
    assert_int_equal(due(bench->store, 259), 1);
    assert_int_equal(due(bench->store, 260), 2);
    assert_int_equal(stand(bench->store, NULL, true, 300), 0); // it was back
    assert_int_equal(since(bench->store, "t1"), 160);
}

// Of two things that are away at once a table stands as long as either is.
void what_is_away_twice_is_counted_once(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    put(bench->store, "t1", "fake", 10);
    assert_int_equal(stand(bench->store, "elsewhere", false, 20), 0); // no table is there
    assert_int_equal(stand(bench->store, NULL, false, 50), 1);
    assert_int_equal(stand(bench->store, "town", false, 60), 2);
    assert_int_equal(stand(bench->store, NULL, true, 80), 1);
    assert_int_equal(due(bench->store, 1000), 0);
    assert_int_equal(stand(bench->store, "town", true, 100), 0);
    assert_int_equal(since(bench->store, "t1"), 60); // 50 to 100
    assert_int_equal(stand(bench->store, "town", false, 110), 1);
    assert_int_equal(stand(bench->store, NULL, false, 120), 2);
    assert_int_equal(stand(bench->store, "town", true, 130), 1);
    assert_int_equal(stand(bench->store, NULL, true, 140), 0);
    assert_int_equal(since(bench->store, "t1"), 90); // 110 to 140
}

void what_is_away_is_so_for_who_comes_after(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    put(bench->store, "t1", "fake", 10);
    assert_int_equal(stand(bench->store, NULL, false, 50), 1);
    bench->store = bench->contract->reopen(bench->rig);
    const struct store_request hello = {.kind = STORE_HELLO};
    const struct store_answer *const answer = store_talk(bench->store, &hello);
    assert_int_equal(answer->away_count, 1);
    assert_int_equal(answer->aways[0].ms, 50);
    assert_int_equal(due(bench->store, 1000), 0);
    assert_int_equal(stand(bench->store, NULL, true, 90), 0);
    assert_int_equal(since(bench->store, "t1"), 50);
}

// A network that one process has is away for none; what only a dead one had is.
void a_network_is_away_when_nobody_has_it(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = bench->contract->again(bench->rig);
    greet(bench->store);
    greet(other);
    put(bench->store, "t1", "fake", 10);
    assert_int_equal(stand(bench->store, NULL, false, 20), 1);
    assert_int_equal(stand(other, NULL, true, 30), 0);
    assert_int_equal(stand(bench->store, NULL, false, 40), 0);
    assert_int_equal(since(bench->store, "t1"), 20);
    assert_int_equal(stand(bench->store, NULL, true, 50), 0);
    assert_int_equal(stand(other, NULL, false, 60), 0);
    assert_int_equal(beat(other, 70), 0);
    assert_int_equal(stand(other, NULL, true, 70), 0);
    store_talk_end();
    store_stop(other);
    assert_int_equal(stand(bench->store, NULL, false, 80), 1);
}
