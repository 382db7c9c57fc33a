// What is asked without waiting, by two processes, and before the store is opened anew.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/support/store_contract.h"
#include "tests/support/store_contract_impl.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

// The next answer, waited for; the caller's.
static struct store_answer *next_answer(struct store *store)
{
    enum { TRIES = 20000 };
    static const struct timespec BREATH = {.tv_nsec = 500000};
    for (unsigned i = 0; i < TRIES; i++) {
        struct store_answer *const answer = store_take(store);
        if (answer != NULL) {
            return answer;
        }
        (void)nanosleep(&BREATH, NULL);
    }
    fail_msg("no answer");
    return NULL;
}

static uint64_t ask(struct store *store, const struct store_request *request)
{
    uint64_t ticket = 0;
    assert_true(store_ask(store, request, &ticket));
    return ticket;
}

static uint64_t ask_commit(struct store *store, const struct store_commit *commit)
{
    const struct store_request request = {.kind = STORE_COMMIT, .commit = *commit};
    return ask(store, &request);
}

void answers_about_a_table_come_in_order(void **state)
{
    enum { ROUNDS = 50, KINDS = 4 };
    struct bench *const bench = *state;
    static uint64_t tickets[ROUNDS * KINDS];
    const struct store_request load = {.kind = STORE_LOAD, .table = "t1"};
    for (size_t i = 0; i < ROUNDS; i++) {
        const struct store_message message = {.key = {.epoch = 9, .number = i},
                                              .bytes = store_word("Hello.")};
        struct store_commit commit = store_change("t1", i, "word");
        commit.messages = &message;
        commit.message_count = 1;
        const struct store_request confirm = {
            .kind = STORE_CONFIRM, .table = "t1", .key = message.key, .id = "m"};
        tickets[i * KINDS] = ask_commit(bench->store, &commit);
        tickets[i * KINDS + 1] = ask(bench->store, &load);
        tickets[i * KINDS + 2] = ask(bench->store, &confirm);
        tickets[i * KINDS + 3] = ask(bench->store, &load);
    }
    for (size_t i = 0; i < (size_t)ROUNDS * KINDS; i++) {
        struct store_answer *const answer = next_answer(bench->store);
        assert_int_equal(answer->ticket, tickets[i]);
        assert_int_equal(answer->result, STORE_DONE);
        if (answer->kind == STORE_LOAD) { // it knows what was asked before it
            assert_int_equal(answer->version, i / KINDS + 1);
            assert_int_equal(answer->message_count, i % KINDS == 1 ? 1 : 0);
        }
        store_answer_free(answer);
    }
}

// Directories have an order of their own: "at 2", and at once what is said there.
void what_is_chosen_is_known_at_once(void **state)
{
    enum { TURNS = 40 };
    static const char *const TABLES[] = {"t0", "t1"};
    struct bench *const bench = *state;
    struct store_sit sit = {.network = "fake", .person = "Bob", .what = STORE_SITS};
    for (unsigned i = 0; i < 2; i++) {
        struct store_commit commit = store_change(TABLES[i], 0, "word");
        commit.sits = &sit;
        commit.sit_count = 1;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    sit.what = STORE_CHOOSES;
    const struct store_request person = {.kind = STORE_PERSON, .network = "fake", .person = "Bob"};
    for (unsigned i = 0; i < TURNS; i++) {
        struct store_commit commit = store_change(TABLES[i % 2], 0, NULL);
        commit.directories = true;
        commit.sits = &sit;
        commit.sit_count = 1;
        (void)ask_commit(bench->store, &commit);
        const uint64_t ticket = ask(bench->store, &person);
        store_answer_free(next_answer(bench->store));
        struct store_answer *const answer = next_answer(bench->store);
        assert_int_equal(answer->ticket, ticket);
        assert_int_equal(answer->count, 2);
        assert_int_equal(answer->sittings[0].chosen, i % 2 == 0);
        assert_int_equal(answer->sittings[1].chosen, i % 2 == 1);
        store_answer_free(answer);
    }
}

// Of what is committed together each stands or falls by itself.
void what_waits_together_fails_alone(void **state)
{
    enum { TABLES = 60 };
    struct bench *const bench = *state;
    static uint64_t tickets[TABLES];
    static char tables[TABLES][STORE_TABLE_SIZE];
    size_t winner = TABLES;
    for (size_t i = 0; i < TABLES; i++) {
        (void)snprintf(tables[i], sizeof tables[i], "t%zu", i);
        struct store_commit commit = store_change(tables[i], i % 3 == 1 ? 7 : 0, "word");
        struct store_place place = contract_place("cellar");
        commit.opener = tables[i];
        commit.narration = "Once.";
        commit.places = &place;
        commit.place_count = i % 3 == 2 ? 1 : 0; // one of these has it, whichever
        tickets[i] = ask_commit(bench->store, &commit);
    }
    for (size_t i = 0; i < TABLES; i++) {
        struct store_answer *const answer = next_answer(bench->store);
        size_t which = 0;
        while (which < TABLES && tickets[which] != answer->ticket) {
            which++;
        }
        const bool wins = which % 3 == 2 && answer->result == STORE_DONE;
        assert_false(wins && winner < TABLES);
        winner = wins ? which : winner;
        assert_int_equal(answer->result, which % 3 == 0 || wins ? STORE_DONE : STORE_CONFLICT);
        store_answer_free(answer);
    }
    assert_true(winner < TABLES);
    for (size_t i = 0; i < TABLES; i++) {
        assert_int_equal(store_talk_load(bench->store, tables[i])->result,
                         i % 3 == 0 || i == winner ? STORE_DONE : STORE_NOTHING);
    }
    assert_string_equal(store_talk_place(bench->store, "cellar")->table, tables[winner]);
}

/* What adapters keep. */

static void keep(struct store *store, const char *word, const char *bytes)
{
    const struct store_request request = {
        .kind = STORE_KEEP,
        .word = word,
        .bytes = bytes != NULL ? store_word(bytes) : (struct store_bytes){.at = NULL}};
    assert_int_equal(store_talk(store, &request)->result, STORE_DONE);
}

static const struct store_answer *kept(struct store *store, const char *word)
{
    const struct store_request request = {.kind = STORE_KEPT, .word = word};
    return store_talk(store, &request);
}

void what_adapters_keep_is_kept(void **state)
{
    static const char *const WORDS[] = {"net/a", "net/c", "net/b"};
    struct bench *const bench = *state;
    assert_int_equal(kept(bench->store, "")->count, 0);
    keep(bench->store, "net/a", "one");
    keep(bench->store, "net/b", "two");
    keep(bench->store, "net/c", "");
    keep(bench->store, "nett", "other");
    keep(bench->store, "net/c", "three");
    keep(bench->store, "net/a", "four"); // it is the last one now
    keep(bench->store, "net/d", "five");
    keep(bench->store, "net/d", NULL);
    keep(bench->store, "net/e", NULL);
    bench->store = bench->contract->reopen(bench->rig);
    const struct store_answer *const answer = kept(bench->store, "net/");
    assert_int_equal(answer->count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(answer->texts[i], WORDS[i]);
    }
    assert_memory_equal(answer->pieces[0].at, "four", answer->pieces[0].size);
    assert_int_equal(answer->pieces[1].size, strlen("three"));
    assert_int_equal(kept(bench->store, "")->count, 4);
    assert_int_equal(kept(bench->store, "NET")->count, 0);
}

void what_is_ones_own_may_be_held(void **state)
{
    struct bench *const bench = *state;
    const struct store_request hold = {.kind = STORE_HOLD, .word = "net/a"};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(store_talk(bench->store, &hold)->result, STORE_DONE);
        assert_int_equal(store_talk(bench->store, &hold)->result, STORE_DONE);
        bench->store = bench->contract->reopen(bench->rig);
    }
}

/* Opened anew. */

static void remember(struct store *store, uint8_t secret[STORE_SECRET_SIZE], uint64_t *epoch)
{
    const struct store_request hello = {.kind = STORE_HELLO};
    const struct store_answer *const answer = store_talk(store, &hello);
    memcpy(secret, answer->secret, STORE_SECRET_SIZE);
    *epoch = answer->epoch;
}

void all_is_there_when_it_is_opened_anew(void **state)
{
    struct bench *const bench = *state;
    uint8_t secret[STORE_SECRET_SIZE];
    uint8_t same[STORE_SECRET_SIZE];
    uint64_t epoch = 0;
    uint64_t other = 0;
    const struct store_request beat = {.kind = STORE_BEAT, .ms = 5000};
    remember(bench->store, secret, &epoch);
    assert_int_equal(store_talk(bench->store, &beat)->result, STORE_DONE);
    contract_put(bench->store, "t1", 0, "first");
    struct store_commit commit = contract_whole("t1", 1, 1);
    commit.keep_earlier = true;
    commit.due_ms = 100;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);

    bench->store = bench->contract->reopen(bench->rig);
    remember(bench->store, same, &other);
    assert_memory_equal(secret, same, sizeof secret);
    assert_true(epoch != other);
    const struct store_answer *answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->version, 2);
    assert_int_equal(answer->message_count, 1);
    assert_int_equal(answer->event_count, 1);
    assert_int_equal(answer->due_ms, 100);
    assert_string_equal(store_talk_place(bench->store, "cellar")->table, "t1");
    assert_int_equal(store_talk_person(bench->store, "Bob")->count, 1);
    assert_int_equal(contract_statistics(bench->store, "Bob")->line.games, 1);
    assert_int_equal(store_talk_commit(bench->store, &commit)->version, 2); // the same step
    commit = store_change("t1", 2, "third");
    commit.event = "e1";
    assert_int_equal(contract_commit(bench->store, &commit), STORE_REPEATED);
    const struct store_request requests[] = {
        {.kind = STORE_LOG, .table = "t1", .count = 9},
        {.kind = STORE_JOURNAL, .table = "t1", .count = 9},
        {.kind = STORE_DUE, .ms = 5000},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        assert_int_equal(store_talk(bench->store, &requests[i])->count, 1);
    }
    const struct store_request earlier = {.kind = STORE_EARLIER, .table = "t1"};
    assert_int_equal(store_talk(bench->store, &earlier)->version, 1);
    const struct store_request hello = {.kind = STORE_HELLO};
    assert_int_equal(store_talk(bench->store, &hello)->now_ms, 5000);
}

/* Two processes. */

void two_processes_cannot_both_advance_a_table(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = bench->contract->again(bench->rig);
    contract_put(bench->store, "t1", 0, "first");
    assert_int_equal(store_talk_load(other, "t1")->version, 1);
    contract_put(other, "t1", 1, "theirs");
    const struct store_commit mine = store_change("t1", 1, "mine");
    assert_int_equal(contract_commit(bench->store, &mine), STORE_CONFLICT);
    assert_memory_equal(store_talk_load(bench->store, "t1")->bytes.at, "theirs", 6);
}

// Both want every version at the same moment: each is one's.
void two_processes_race_for_every_version(void **state)
{
    enum { VERSIONS = 100 };
    struct bench *const bench = *state;
    struct store *const stores[] = {bench->store, bench->contract->again(bench->rig)};
    for (uint64_t version = 0; version < VERSIONS; version++) {
        unsigned done = 0;
        for (unsigned i = 0; i < 2; i++) {
            const struct store_commit commit = store_change("t1", version, i == 0 ? "ha" : "ho");
            (void)ask_commit(stores[i], &commit);
        }
        for (unsigned i = 0; i < 2; i++) {
            struct store_answer *const answer = next_answer(stores[i]);
            assert_true(answer->result == STORE_DONE || answer->result == STORE_CONFLICT);
            done += answer->result == STORE_DONE ? 1 : 0;
            store_answer_free(answer);
        }
        assert_int_equal(done, 1);
        assert_int_equal(store_talk_load(bench->store, "t1")->version, version + 1);
    }
}
