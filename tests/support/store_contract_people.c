// Who sits where, who has played how, and how much of the room is whose.
#include <stdio.h>
#include <string.h>

#include "tests/support/store_contract_impl.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static enum store_result sit(struct store *store, const char *table, uint64_t expected,
                             const char *person, bool sits)
{
    const struct store_sit change = {
        .network = "fake", .person = person, .what = sits ? STORE_SITS : STORE_LEAVES};
    struct store_place place = contract_place(table);
    struct store_commit commit = store_change(table, expected, "word");
    commit.opener = table; // everybody has opened one
    commit.community = table;
    commit.places = &place;
    commit.place_count = 1;
    commit.sits = &change;
    commit.sit_count = 1;
    return contract_commit(store, &commit);
}

static void choose(struct store *store, const char *table, const char *person)
{
    const struct store_sit change = {.network = "fake", .person = person, .what = STORE_CHOOSES};
    struct store_commit commit = store_change(table, 0, NULL);
    commit.directories = true;
    commit.sits = &change;
    commit.sit_count = 1;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

void a_person_sits_at_few_tables(void **state)
{
    struct bench *const bench = *state;
    char table[STORE_TABLE_SIZE];
    for (unsigned i = 0; i <= STORE_TABLES_OF_PERSON; i++) {
        (void)snprintf(table, sizeof table, "t%u", i);
        assert_int_equal(sit(bench->store, table, 0, "Bob", true),
                         i < STORE_TABLES_OF_PERSON ? STORE_DONE : STORE_TOO_MANY);
    }
    assert_int_equal(store_talk_load(bench->store, table)->result, STORE_NOTHING);
    assert_int_equal(sit(bench->store, "t3", 1, "Bob", true), STORE_DONE); // sits there already
    choose(bench->store, "t3", "Bob");
    choose(bench->store, "nowhere", "Bob");
    const struct store_answer *answer = store_talk_person(bench->store, "Bob");
    assert_int_equal(answer->count, STORE_TABLES_OF_PERSON);
    for (unsigned i = 0; i < answer->count; i++) {
        (void)snprintf(table, sizeof table, "t%u", i);
        assert_string_equal(answer->sittings[i].table, table);
        assert_string_equal(answer->sittings[i].place_name, table);
        assert_string_equal(answer->sittings[i].community, table);
        assert_int_equal(answer->sittings[i].chosen, i == 3);
    }
    assert_int_equal(sit(bench->store, "t3", 2, "Bob", false), STORE_DONE);
    answer = store_talk_person(bench->store, "Bob");
    assert_int_equal(answer->count, STORE_TABLES_OF_PERSON - 1);
    for (unsigned i = 0; i < answer->count; i++) {
        assert_false(answer->sittings[i].chosen);
        assert_string_not_equal(answer->sittings[i].table, "t3");
    }
    assert_int_equal(store_talk_person(bench->store, "bob")->count, 0); // another person
}

static void record(struct store *store, const char *person, uint32_t wins, bool forget)
{
    const struct store_record change = {.community = "town",
                                        .network = "fake",
                                        .person = person,
                                        .line = {.games = 1, .wins = wins},
                                        .forget = forget};
    struct store_commit commit = store_change("", 0, NULL);
    commit.directories = true;
    commit.records = &change;
    commit.record_count = 1;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
    assert_int_equal(contract_commit(store, &commit), STORE_DONE); // the same step: once
}

void statistics_go_by_exact_ids(void **state)
{
    struct bench *const bench = *state;
    record(bench->store, "Ann", 1, false);
    record(bench->store, "Ann", 0, false);
    record(bench->store, "ann", 1, false);
    const struct store_answer *answer = contract_statistics(bench->store, "Ann");
    assert_int_equal(answer->line.games, 2);
    assert_int_equal(answer->line.wins, 1);
    assert_int_equal(answer->people, 2);
    assert_int_equal(answer->total.games, 3);
    record(bench->store, "ann", 0, true);
    assert_int_equal(contract_statistics(bench->store, "ann")->result, STORE_NOTHING);
    answer = contract_statistics(bench->store, "Ann");
    assert_int_equal(answer->line.games, 2);
    assert_int_equal(answer->people, 1);
    const struct store_request other = {
        .kind = STORE_STATISTICS, .network = "fake", .person = "Ann", .community = "village"};
    assert_int_equal(store_talk(bench->store, &other)->result, STORE_NOTHING);
}

void statistics_are_bounded(void **state)
{
    struct bench *const bench = *state;
    record(bench->store, "first", 1, false);
    for (unsigned i = 0; i < STORE_PEOPLE_OF_COMMUNITY; i++) {
        char person[32];
        (void)snprintf(person, sizeof person, "p%u", i);
        record(bench->store, person, 0, false);
    }
    assert_int_equal(contract_statistics(bench->store, "first")->result, STORE_NOTHING);
    assert_int_equal(contract_statistics(bench->store, "p0")->people, STORE_PEOPLE_OF_COMMUNITY);
    assert_int_equal(contract_statistics(bench->store, "p0")->result, STORE_DONE);
}

static enum store_result open_by(struct store *store, unsigned number, const char *opener,
                                 bool rests, char gone[STORE_TABLE_SIZE])
{
    char table[STORE_TABLE_SIZE];
    (void)snprintf(table, sizeof table, "t%u", number);
    struct store_place place = contract_place(table);
    struct store_commit commit = store_change(table, 0, "word");
    commit.opener = opener;
    commit.rests = rests;
    commit.places = &place;
    commit.place_count = 1;
    const struct store_answer *const answer = store_talk_commit(store, &commit);
    (void)snprintf(gone, STORE_TABLE_SIZE, "%s", answer->table != NULL ? answer->table : "");
    return answer->result;
}

void one_person_opens_so_many_tables_only(void **state)
{
    struct bench *const bench = *state;
    char gone[STORE_TABLE_SIZE];
    for (unsigned i = 0; i < STORE_TABLES_OF_OPENER; i++) {
        assert_int_equal(open_by(bench->store, i, "Mallory", i == 2 || i == 4, gone), STORE_DONE);
        assert_string_equal(gone, "");
    }
    contract_put(bench->store, "t2", 1, "word"); // somebody plays there now
    struct store_commit rests = store_change("t2", 2, "word");
    rests.rests = true; // and not any more: it is the younger of the two
    assert_int_equal(contract_commit(bench->store, &rests), STORE_DONE);
    assert_int_equal(open_by(bench->store, 100, "Mallory", false, gone), STORE_DONE);
    assert_string_equal(gone, "t4");
    assert_int_equal(store_talk_load(bench->store, "t4")->result, STORE_NOTHING);
    assert_int_equal(store_talk_place(bench->store, "t4")->result, STORE_NOTHING);
    assert_int_equal(open_by(bench->store, 101, "Mallory", false, gone), STORE_DONE);
    assert_string_equal(gone, "t2");
    assert_int_equal(open_by(bench->store, 102, "Mallory", false, gone), STORE_FULL);
    assert_int_equal(store_talk_load(bench->store, "t102")->result, STORE_NOTHING);
    assert_int_equal(open_by(bench->store, 103, "mallory", false, gone), STORE_DONE);
    contract_put(bench->store, "t0", 1, NULL); // one has gone, so there is room for one
    assert_int_equal(open_by(bench->store, 104, "Mallory", false, gone), STORE_DONE);
    struct store_commit next = store_change("t105", 0, "word");
    next.opener = "Mallory";
    assert_int_equal(contract_commit(bench->store, &next), STORE_FULL);
    next.from = "t104"; // which makes the room itself
    next.from_version = 1;
    const struct store_answer *const answer = store_talk_commit(bench->store, &next);
    assert_int_equal(answer->result, STORE_DONE);
    assert_null(answer->table);
}

void one_community_has_so_many_tables_only(void **state)
{
    struct bench *const bench = *state;
    char gone[STORE_TABLE_SIZE];
    char opener[32];
    for (unsigned i = 0; i < STORE_TABLES_OF_COMMUNITY; i++) {
        (void)snprintf(opener, sizeof opener, "p%u", i);
        assert_int_equal(open_by(bench->store, i, opener, i == 300, gone), STORE_DONE);
        assert_string_equal(gone, "");
    }
    assert_int_equal(open_by(bench->store, 1000, "Zoe", false, gone), STORE_DONE);
    assert_string_equal(gone, "t300");
    assert_int_equal(open_by(bench->store, 1001, "Yan", false, gone), STORE_FULL);
    struct store_commit elsewhere = store_change("t1002", 0, "word");
    elsewhere.opener = "Yan";
    elsewhere.community = "village";
    assert_int_equal(contract_commit(bench->store, &elsewhere), STORE_DONE);
}
