#include "tests/support/store_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/store_contract_impl.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static const struct store_contract *contract_now;

static int set_up(void **state)
{
    struct bench *const bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->contract = contract_now;
    bench->rig = contract_now->open(&bench->store);
    assert_non_null(bench->store);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *const bench = *state;
    store_talk_end();
    contract_now->close(bench->rig);
    free(bench);
    return 0;
}

static bool is_word(struct store_bytes bytes, const char *word)
{
    return bytes.at != NULL && bytes.size == strlen(word) &&
           memcmp(bytes.at, word, bytes.size) == 0;
}

enum store_result contract_commit(struct store *store, const struct store_commit *commit)
{
    return store_talk_commit(store, commit)->result;
}

void contract_put(struct store *store, const char *table, uint64_t expected, const char *word)
{
    const struct store_commit commit = store_change(table, expected, word);
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

struct store_place contract_place(const char *place)
{
    return (struct store_place){
        .network = "fake", .place = place, .name = place, .community = "town", .taken = true};
}

static void every_hello_is_another_epoch(void **state)
{
    struct bench *const bench = *state;
    const struct store_request hello = {.kind = STORE_HELLO};
    const struct store_request beat = {.kind = STORE_BEAT, .ms = 5000};
    const struct store_request back = {.kind = STORE_BEAT, .ms = 4000};
    const struct store_request keep = {.kind = STORE_KEEP,
                                       .word = STORE_RESTORED,
                                       .bytes = {.at = (const unsigned char *)"7", .size = 1}};
    uint8_t secret[STORE_SECRET_SIZE];
    const struct store_answer *answer = store_talk(bench->store, &hello);
    assert_int_equal(answer->count, 0);
    const uint64_t epoch = answer->epoch;
    assert_int_equal(answer->now_ms, 0);
    memcpy(secret, answer->secret, sizeof secret);
    assert_int_equal(store_talk(bench->store, &beat)->result, STORE_DONE);
    assert_int_equal(store_talk(bench->store, &back)->result, STORE_DONE);
    assert_int_equal(store_talk(bench->store, &keep)->result, STORE_DONE);
    answer = store_talk(bench->store, &hello);
    assert_true(answer->epoch != epoch);
    assert_memory_equal(answer->secret, secret, sizeof secret);
    assert_int_equal(answer->now_ms, 5000);
    assert_int_equal(answer->count, 1);
    assert_memory_equal(answer->pieces[0].at, keep.bytes.at, keep.bytes.size);
}

static void an_empty_store_knows_nothing(void **state)
{
    struct bench *const bench = *state;
    const struct store_request requests[] = {
        {.kind = STORE_PLACE, .network = "fake", .place = "tavern"},
        {.kind = STORE_PERSON, .network = "fake", .person = "Ann"},
        {.kind = STORE_LOAD, .table = "t1"},
        {.kind = STORE_EARLIER, .table = "t1"},
        {.kind = STORE_LOG, .table = "t1", .count = 5},
        {.kind = STORE_JOURNAL, .table = "t1", .count = 5},
        {.kind = STORE_STATISTICS, .network = "fake", .person = "Ann", .community = "town"},
        {.kind = STORE_STEP, .table = "t1", .key = {.epoch = 3, .number = 4}},
        {.kind = STORE_CONFIRM, .table = "t1", .key = {.epoch = 3, .number = 4}, .id = "m1"},
        {.kind = STORE_CARD, .word = "a"},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        const struct store_answer *const answer = store_talk(bench->store, &requests[i]);
        assert_int_equal(answer->result, STORE_NOTHING);
        assert_int_equal(answer->kind, requests[i].kind);
        assert_int_equal(answer->count, 0);
    }
    const struct store_request lists[] = {
        {.kind = STORE_LIST},
        {.kind = STORE_LIST, .archived = true},
        {.kind = STORE_KNOWN, .network = "fake", .person = "Ann"},
        {.kind = STORE_FORGET, .network = "fake", .person = "Ann", .word = "fake Ann"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct store_answer *const answer = store_talk(bench->store, &lists[i]);
        assert_int_equal(answer->result, STORE_DONE);
        assert_int_equal(answer->count, 0);
    }
    const struct store_request due = {.kind = STORE_DUE, .ms = 1000, .unsent = true};
    const struct store_answer *const answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 0);
    assert_int_equal(answer->next_ms, STORE_NEVER);
}

static void a_table_is_kept_as_it_was_committed(void **state)
{
    struct bench *const bench = *state;
    struct store_commit commit = store_change("t1", 0, "first");
    commit.since_ms = 20;
    commit.due_ms = 300;
    commit.until_ms = 4000;
    const struct store_answer *answer = store_talk_commit(bench->store, &commit);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 1);
    assert_null(answer->table);
    answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 1);
    assert_true(is_word(answer->bytes, "first"));
    assert_int_equal(answer->since_ms, 20);
    assert_int_equal(answer->due_ms, 300);
    assert_int_equal(answer->until_ms, 4000);
    assert_string_equal(answer->community, "town");
    assert_int_equal(answer->board_count, 0);
    assert_int_equal(answer->message_count, 0);
    contract_put(bench->store, "t1", 1, "second");
    answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->version, 2);
    assert_true(is_word(answer->bytes, "second"));
    assert_int_equal(store_talk_load(bench->store, "t")->result, STORE_NOTHING);
}

static size_t unsent(struct store *store, const char *table)
{
    return store_talk_load(store, table)->message_count;
}

static struct store_message message(uint64_t number, uint8_t board, const char *word)
{
    return (struct store_message){.key = {.epoch = 9, .number = number},
                                  .board = board,
                                  .reader = board != 0 ? "Ann" : NULL,
                                  .bytes = store_word(word)};
}

const struct store_answer *contract_statistics(struct store *store, const char *person)
{
    const struct store_request request = {
        .kind = STORE_STATISTICS, .network = "fake", .person = person, .community = "town"};
    return store_talk(store, &request);
}

struct store_commit contract_whole(const char *table, uint64_t expected, uint64_t number)
{
    static struct store_message one;
    static struct store_place place;
    static const struct store_sit SIT = {.network = "fake", .person = "Bob", .what = STORE_SITS};
    static const struct store_record RECORD = {
        .community = "town", .network = "fake", .person = "Bob", .line = {.games = 1}};
    static struct store_bytes piece;
    one = message(number, 0, "Hello.");
    place = contract_place("cellar");
    piece = store_word("kick");
    struct store_commit commit = store_change(table, expected, "other");
    commit.event = "e1";
    commit.narration = "Once.";
    commit.journal = &piece;
    commit.journal_count = 1;
    commit.messages = &one;
    commit.message_count = 1;
    commit.places = &place;
    commit.place_count = 1;
    commit.sits = &SIT;
    commit.sit_count = 1;
    commit.records = &RECORD;
    commit.record_count = 1;
    return commit;
}

static size_t log_count(struct store *store, const char *table)
{
    const struct store_request request = {
        .kind = STORE_LOG, .table = table, .count = STORE_LOG_MAX};
    return store_talk(store, &request)->count;
}

static size_t journal_count(struct store *store, const char *table)
{
    const struct store_request request = {
        .kind = STORE_JOURNAL, .table = table, .count = STORE_JOURNAL_MAX};
    return store_talk(store, &request)->count;
}

static void assert_untouched(struct store *store)
{
    assert_true(is_word(store_talk_load(store, "t1")->bytes, "first"));
    assert_int_equal(unsent(store, "t1"), 0);
    assert_int_equal(store_talk_place(store, "cellar")->result, STORE_NOTHING);
    assert_int_equal(store_talk_person(store, "Bob")->count, 0);
    assert_int_equal(contract_statistics(store, "Bob")->result, STORE_NOTHING);
    assert_int_equal(log_count(store, "t1"), 0);
    assert_int_equal(journal_count(store, "t1"), 0);
}

static void another_version_changes_nothing(void **state)
{
    struct bench *const bench = *state;
    contract_put(bench->store, "t1", 0, "first");
    const uint64_t wrong[] = {0, 2, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct store_commit commit = contract_whole("t1", wrong[i], 1);
        assert_int_equal(contract_commit(bench->store, &commit), STORE_CONFLICT);
        assert_untouched(bench->store);
    }
    const struct store_commit missing = contract_whole("t2", 1, 1);
    assert_int_equal(contract_commit(bench->store, &missing), STORE_CONFLICT);
    assert_untouched(bench->store);
    const struct store_commit right = contract_whole("t1", 1, 1);
    assert_int_equal(contract_commit(bench->store, &right), STORE_DONE);
    assert_int_equal(unsent(bench->store, "t1"), 1);
    assert_string_equal(store_talk_place(bench->store, "cellar")->table, "t1");
    assert_string_equal(store_talk_place(bench->store, "cellar")->community, "town");
    assert_int_equal(contract_statistics(bench->store, "Bob")->line.games, 1);
}

static void a_step_is_committed_once(void **state)
{
    struct bench *const bench = *state;
    contract_put(bench->store, "t1", 0, "first");
    const struct store_commit commit = contract_whole("t1", 1, 1);
    for (unsigned i = 0; i < 3; i++) {
        const struct store_answer *const answer = store_talk_commit(bench->store, &commit);
        assert_int_equal(answer->result, STORE_DONE);
        assert_int_equal(answer->version, 2);
    }
    assert_int_equal(unsent(bench->store, "t1"), 1);
    assert_int_equal(log_count(bench->store, "t1"), 1);
    assert_int_equal(journal_count(bench->store, "t1"), 1);
    assert_int_equal(contract_statistics(bench->store, "Bob")->line.games, 1);
    struct store_request step = {.kind = STORE_STEP, .table = "t1", .key = commit.step};
    const struct store_answer *answer = store_talk(bench->store, &step);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 2);
    step.key.number += 1000;
    assert_int_equal(store_talk(bench->store, &step)->result, STORE_NOTHING);
    // A conflict is no commit: the same step may be decided anew.
    struct store_commit late = contract_whole("t1", 1, 2);
    late.event = "";
    assert_int_equal(contract_commit(bench->store, &late), STORE_CONFLICT);
    step.key = late.step;
    assert_int_equal(store_talk(bench->store, &step)->result, STORE_NOTHING);
    late.expected = 2;
    answer = store_talk_commit(bench->store, &late);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 3);
}

static void an_event_is_dealt_with_once_an_hour(void **state)
{
    struct bench *const bench = *state;
    contract_put(bench->store, "t1", 0, "first");
    struct store_commit commit = store_change("t1", 1, "second");
    commit.event = "e1";
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    commit = store_change("t1", 2, "third");
    commit.event = "e1";
    assert_int_equal(contract_commit(bench->store, &commit), STORE_REPEATED);
    assert_true(is_word(store_talk_load(bench->store, "t1")->bytes, "second"));
    commit.event = "e2";
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    const struct store_request beat = {.kind = STORE_BEAT, .ms = STORE_EVENT_MS + 1};
    assert_int_not_equal(store_talk(bench->store, &beat)->result, STORE_FAILED);
    commit = store_change("t1", 3, "fourth");
    commit.event = "e1";
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
}

static enum store_result take_place(struct store *store, const char *table, uint64_t expected,
                                    const struct store_place *place)
{
    struct store_commit commit = store_change(table, expected, "word");
    commit.places = place;
    commit.place_count = 1;
    return contract_commit(store, &commit);
}

static void a_place_has_one_table(void **state)
{
    struct bench *const bench = *state;
    struct store_place place = contract_place("tavern");
    assert_int_equal(take_place(bench->store, "t1", 0, &place), STORE_DONE);
    assert_int_equal(take_place(bench->store, "t2", 0, &place), STORE_CONFLICT);
    assert_int_equal(store_talk_load(bench->store, "t2")->result, STORE_NOTHING);
    assert_int_equal(take_place(bench->store, "t1", 1, &place), STORE_DONE); // it is its own
    place.taken = false;                                                     // it is not t2's
    assert_int_equal(take_place(bench->store, "t2", 0, &place), STORE_DONE);
    assert_string_equal(store_talk_place(bench->store, "tavern")->table, "t1");
    assert_int_equal(take_place(bench->store, "t1", 2, &place), STORE_DONE);
    assert_int_equal(store_talk_place(bench->store, "tavern")->result, STORE_NOTHING);
    const struct store_request other = {.kind = STORE_PLACE, .network = "other", .place = "tavern"};
    place = contract_place("tavern");
    assert_int_equal(take_place(bench->store, "t1", 3, &place), STORE_DONE);
    assert_int_equal(store_talk(bench->store, &other)->result, STORE_NOTHING);
}

// A table is opened where another is over: that one goes, if it is still as it was known to be.
static void a_table_gives_way_to_the_next_one(void **state)
{
    struct bench *const bench = *state;
    const struct store_place place = contract_place("cellar");
    struct store_commit old = contract_whole("t1", 0, 1);
    old.journal_count = 0; // of which something would be left
    assert_int_equal(contract_commit(bench->store, &old), STORE_DONE);
    struct store_commit commit = store_change("t2", 0, "next");
    commit.places = &place;
    commit.place_count = 1;
    const char *const froms[] = {NULL, "t9", "t1", "t1", "t1"};
    const uint64_t versions[] = {0, 1, 0, 2, 1};
    for (size_t i = 0; i < sizeof froms / sizeof froms[0]; i++) {
        commit.from = froms[i];
        commit.from_version = versions[i];
        assert_int_equal(contract_commit(bench->store, &commit),
                         i < 4 ? STORE_CONFLICT : STORE_DONE);
        assert_string_equal(store_talk_place(bench->store, "cellar")->table, i < 4 ? "t1" : "t2");
        assert_int_equal(store_talk_person(bench->store, "Bob")->count, i < 4 ? 1 : 0);
    }
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE); // the same step
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_NOTHING);
    assert_true(is_word(store_talk_load(bench->store, "t2")->bytes, "next"));
}

static enum store_result confirm(struct store *store, uint64_t number, const char *id, bool forget)
{
    const struct store_request request = {.kind = STORE_CONFIRM,
                                          .table = "t1",
                                          .key = {.epoch = 9, .number = number},
                                          .id = id,
                                          .forget_board = forget ? 7 : 0};
    return store_talk(store, &request)->result;
}

static void messages_are_kept_until_their_outcome(void **state)
{
    struct bench *const bench = *state;
    const struct store_message messages[] = {message(1, 0, "one"), message(2, 7, ""),
                                             message(3, 0, "three")};
    struct store_commit commit = store_change("t1", 0, "first");
    commit.messages = messages;
    commit.message_count = 3;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    const struct store_answer *answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(answer->messages[i].key.number, i + 1);
        assert_int_equal(answer->messages[i].board, messages[i].board);
    }
    assert_true(is_word(answer->messages[2].bytes, "three"));
    assert_string_equal(answer->messages[1].reader, "Ann");
    assert_int_equal(confirm(bench->store, 1, "m1", false), STORE_DONE);
    assert_int_equal(confirm(bench->store, 1, "m1", false), STORE_NOTHING);
    assert_int_equal(confirm(bench->store, 99, "m1", false), STORE_NOTHING);
    assert_int_equal(confirm(bench->store, 2, "m2", false), STORE_DONE);
    assert_int_equal(confirm(bench->store, 3, NULL, false), STORE_DONE);
    answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 0);
    assert_int_equal(answer->version, 1); // confirming is no change
    assert_int_equal(answer->board_count, 1);
    assert_int_equal(answer->boards[0].board, 7);
    assert_string_equal(answer->boards[0].reader, "Ann");
    assert_string_equal(answer->boards[0].id, "m2");
}

static void a_board_that_is_gone_is_forgotten(void **state)
{
    struct bench *const bench = *state;
    const char *const ids[] = {"m1", "m2", NULL, NULL};
    for (uint64_t i = 0; i < 4; i++) {
        const struct store_message one = message(i, 7, "");
        struct store_commit commit = store_change("t1", i, "word");
        commit.messages = &one;
        commit.message_count = 1;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
        assert_int_equal(confirm(bench->store, i, ids[i], i == 3), STORE_DONE);
        const struct store_answer *const answer = store_talk_load(bench->store, "t1");
        assert_int_equal(answer->board_count, i < 3 ? 1 : 0);
        if (i < 3) {
            assert_string_equal(answer->boards[0].id, i == 0 ? "m1" : "m2");
        }
    }
}

static void assert_boards(struct store *store, const uint64_t *numbers, size_t count)
{
    const struct store_answer *const answer = store_talk_load(store, "t1");
    assert_int_equal(answer->message_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(answer->messages[i].key.number, numbers[i]);
    }
}

static void put_board(struct store *store, uint64_t number, const char *reader)
{
    struct store_message messages[] = {message(number, 7, ""), message(100 + number, 8, "")};
    messages[0].reader = reader;
    struct store_commit commit = store_change("t1", number - 1, "word");
    commit.messages = messages;
    commit.message_count = number == 1 ? 2 : 1;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

// A newer board takes the place of those that wait; but not of the one that makes the message, for
// it may be on its way, nor of other boards. Another reader has nothing to do with any of them.
static void a_newer_board_takes_the_place_of_older_ones(void **state)
{
    struct bench *const bench = *state;
    struct store *const store = bench->store;
    put_board(store, 1, "Ann");
    put_board(store, 2, "Ann");
    put_board(store, 3, "Ann");
    assert_boards(store, (const uint64_t[]){1, 101, 3}, 3);
    assert_int_equal(confirm(store, 2, "m9", false), STORE_NOTHING);
    assert_int_equal(store_talk_load(store, "t1")->board_count, 0);
    assert_int_equal(confirm(store, 1, "m1", false), STORE_DONE);
    assert_string_equal(store_talk_load(store, "t1")->boards[0].id, "m1");
    put_board(store, 4, "Ann");
    assert_boards(store, (const uint64_t[]){101, 4}, 2);
    // An older edit says that the message is gone: the newer one makes it.
    assert_int_equal(confirm(store, 3, NULL, true), STORE_NOTHING);
    assert_int_equal(store_talk_load(store, "t1")->board_count, 0);
    put_board(store, 5, "Ann");
    put_board(store, 6, "Ann");
    assert_boards(store, (const uint64_t[]){101, 4, 6}, 3);
    put_board(store, 7, "Bob");
    assert_boards(store, (const uint64_t[]){101, 7}, 2);
    put_board(store, 8, "Bob");
    assert_boards(store, (const uint64_t[]){101, 7, 8}, 3);
}

static void a_narration_is_kept_until_it_is_told(void **state)
{
    struct bench *const bench = *state;
    struct store_message told = message(1, 0, "head");
    for (uint64_t i = 0; i < 2 * (uint64_t)STORE_LOG_MAX; i++) {
        struct store_commit commit = store_change("t1", i, "word");
        told.narrates = true;
        commit.narration = i == 3 ? "The third." : "Another.";
        commit.messages = &told;
        commit.message_count = i == 3 ? 1 : 0;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    const struct store_answer *const answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 1);
    assert_string_equal(answer->messages[0].narration, "The third.");
    assert_true(is_word(answer->messages[0].bytes, "head"));
    assert_int_equal(log_count(bench->store, "t1"), STORE_LOG_MAX);
    assert_int_equal(confirm(bench->store, 1, "m1", false), STORE_DONE);
    assert_int_equal(store_talk_load(bench->store, "t1")->message_count, 0);
}

static void time_begins_when_it_is_confirmed(void **state)
{
    struct bench *const bench = *state;
    const struct store_message one = message(1, 0, "one");
    struct store_commit commit = store_change("t1", 0, "first");
    commit.since_ms = STORE_NEVER;
    commit.due_ms = 500;
    commit.messages = &one;
    commit.message_count = 1;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    struct store_request due = {.kind = STORE_DUE, .ms = 1000000};
    assert_int_equal(store_talk(bench->store, &due)->count, 0);
    const struct store_request starts = {.kind = STORE_CONFIRM,
                                         .table = "t1",
                                         .key = one.key,
                                         .id = "m1",
                                         .starts = true,
                                         .ms = 2000};
    assert_int_equal(store_talk(bench->store, &starts)->result, STORE_DONE);
    assert_int_equal(store_talk_load(bench->store, "t1")->since_ms, 2000);
    due.ms = 2499;
    const struct store_answer *answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 0);
    assert_int_equal(answer->next_ms, 2500);
    due.ms = 2500;
    answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], "t1");
    assert_int_equal(answer->next_ms, STORE_NEVER);
}

static void what_falls_due_is_found(void **state)
{
    struct bench *const bench = *state;
    static const int64_t DUES[] = {300, STORE_NEVER, 100, 900};
    for (unsigned i = 0; i < 4; i++) {
        char table[STORE_TABLE_SIZE];
        (void)snprintf(table, sizeof table, "t%u", i);
        struct store_commit commit = store_change(table, 0, "word");
        commit.due_ms = i < 3 ? DUES[i] : STORE_NEVER;
        commit.until_ms = i == 3 ? DUES[i] : 10000;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    struct store_request due = {.kind = STORE_DUE, .ms = 300};
    const struct store_answer *answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 2);
    assert_string_not_equal(answer->texts[0], answer->texts[1]);
    assert_int_equal(answer->next_ms, 900);
    // What was put off is not due any more.
    struct store_commit later = store_change("t2", 1, "word");
    later.due_ms = 20000;
    later.until_ms = 30000;
    assert_int_equal(contract_commit(bench->store, &later), STORE_DONE);
    answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], "t0");
    // Nor is what has gone; but what has not been said is asked for at the start.
    const struct store_message one = message(1, 0, "one");
    struct store_commit says = store_change("t1", 1, "word");
    says.messages = &one;
    says.message_count = 1;
    assert_int_equal(contract_commit(bench->store, &says), STORE_DONE);
    contract_put(bench->store, "t0", 1, NULL);
    due.unsent = true;
    answer = store_talk(bench->store, &due);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], "t1");
}

static void what_falls_due_comes_page_by_page(void **state)
{
    enum { MORE = 44 };
    struct bench *const bench = *state;
    char id[STORE_TABLE_SIZE] = "";
    for (unsigned i = 0; i <= STORE_DUE_MAX + MORE; i++) {
        (void)snprintf(id, sizeof id, "t%u", i * 7919 % 1000);
        struct store_commit commit = store_change(id, 0, "word");
        commit.opener = id;
        commit.due_ms = i <= MORE ? 100 : 200;
        commit.due_ms = i == 0 ? 900 : commit.due_ms;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    struct store_request due = {.kind = STORE_DUE, .ms = 300};
    id[0] = '\0';
    for (unsigned page = 0; page < 3; page++) {
        static const size_t COUNTS[] = {STORE_DUE_MAX, MORE, 0};
        const struct store_answer *const answer = store_talk(bench->store, &due);
        assert_int_equal(answer->count, COUNTS[page]);
        assert_int_equal(answer->next_ms, 900);
        for (size_t i = 0; i < answer->count; i++) {
            assert_true(strcmp(id, answer->texts[i]) < 0);
            (void)snprintf(id, sizeof id, "%s", answer->texts[i]);
        }
        due.after = id;
    }
}

static void the_earlier_version_is_kept(void **state)
{
    struct bench *const bench = *state;
    const struct store_request request = {.kind = STORE_EARLIER, .table = "t1"};
    contract_put(bench->store, "t1", 0, "first");
    assert_int_equal(store_talk(bench->store, &request)->result, STORE_NOTHING);
    struct store_commit commit = store_change("t1", 1, "second");
    commit.keep_earlier = true;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    contract_put(bench->store, "t1", 2, "third");
    const struct store_answer *const answer = store_talk(bench->store, &request);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 1);
    assert_true(is_word(answer->bytes, "first"));
}

static void the_latest_narrations_are_the_log(void **state)
{
    struct bench *const bench = *state;
    char text[32];
    for (unsigned i = 0; i < STORE_LOG_MAX + 10; i++) {
        (void)snprintf(text, sizeof text, "line %u", i);
        struct store_commit commit = store_change("t1", i, "word");
        commit.narration = text;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    struct store_request request = {.kind = STORE_LOG, .table = "t1", .count = 3};
    const struct store_answer *answer = store_talk(bench->store, &request);
    assert_int_equal(answer->count, 3);
    for (unsigned i = 0; i < 3; i++) {
        (void)snprintf(text, sizeof text, "line %u", STORE_LOG_MAX + 7 + i);
        assert_string_equal(answer->texts[i], text);
    }
    request.count = 1000;
    answer = store_talk(bench->store, &request);
    assert_int_equal(answer->count, STORE_LOG_MAX);
    assert_string_equal(answer->texts[0], "line 10");
}

static void a_journal_is_kept_piece_by_piece(void **state)
{
    struct bench *const bench = *state;
    const struct store_bytes pieces[] = {store_word("head"), store_word("one"), store_word("two")};
    for (unsigned i = 0; i < 2; i++) {
        struct store_commit commit = store_change("t1", i, "word");
        commit.journal = &pieces[i];
        commit.journal_count = 2;
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    }
    struct store_request request = {
        .kind = STORE_JOURNAL, .table = "t1", .from = 1, .count = STORE_JOURNAL_MAX};
    const struct store_answer *answer = store_talk(bench->store, &request);
    assert_int_equal(answer->count, 3);
    assert_true(is_word(answer->pieces[0], "one") && is_word(answer->pieces[1], "one") &&
                is_word(answer->pieces[2], "two"));
    request.from = 4;
    assert_int_equal(store_talk(bench->store, &request)->count, 0);
}

static void what_is_gone_leaves_nothing(void **state)
{
    struct bench *const bench = *state;
    struct store_commit full = contract_whole("t1", 0, 1);
    full.journal_count = 0; // of which something would be left
    assert_int_equal(contract_commit(bench->store, &full), STORE_DONE);
    const struct store_commit gone = store_change("t1", 1, NULL);
    const struct store_commit again = gone;
    assert_int_equal(contract_commit(bench->store, &gone), STORE_DONE);
    assert_int_equal(contract_commit(bench->store, &again), STORE_DONE); // the same step
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_NOTHING);
    assert_int_equal(store_talk_place(bench->store, "cellar")->result, STORE_NOTHING);
    assert_int_equal(store_talk_person(bench->store, "Bob")->count, 0);
    assert_int_equal(contract_statistics(bench->store, "Bob")->line.games,
                     1); // it was played, though
    assert_int_equal(log_count(bench->store, "t1"), 0);
    contract_put(bench->store, "t1", 0, "anew");
    assert_int_equal(unsent(bench->store, "t1"), 0);
}

static void the_longest_ids_are_kept_whole(void **state)
{
    struct bench *const bench = *state;
    char id[CHAT_ID_SIZE];
    char other[CHAT_ID_SIZE];
    memset(id, 'i', sizeof id);
    id[CHAT_ID_SIZE - 1] = '\0';
    memcpy(other, id, sizeof other);
    other[CHAT_ID_SIZE - 2] = 'j';
    struct store_place place = contract_place(id);
    const struct store_sit change = {.network = "fake", .person = id, .what = STORE_SITS};
    struct store_commit commit = store_change("t1", 0, "word");
    commit.opener = id;
    commit.community = id;
    commit.event = id;
    commit.places = &place;
    commit.place_count = 1;
    commit.sits = &change;
    commit.sit_count = 1;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    assert_string_equal(store_talk_place(bench->store, id)->table, "t1");
    assert_int_equal(store_talk_place(bench->store, other)->result, STORE_NOTHING);
    assert_int_equal(store_talk_person(bench->store, id)->count, 1);
    assert_int_equal(store_talk_person(bench->store, other)->count, 0);
}

static void the_queue_is_bounded_and_answers_each_once(void **state)
{
    struct bench *const bench = *state;
    enum { MANY = 2 * STORE_QUEUE_MAX };
    static uint64_t tickets[MANY];
    size_t asked = 0;
    size_t answered = 0;
    char table[] = "t1";
    contract_put(bench->store, "t1", 0, "first");
    const struct store_request request = {.kind = STORE_LOAD, .table = table};
    while (asked < MANY && store_ask(bench->store, &request, &tickets[asked])) {
        assert_int_not_equal(tickets[asked], 0);
        asked++;
    }
    assert_true(asked >= STORE_QUEUE_MAX);
    table[0] = 'x'; // the store has a copy
    while (answered < asked) {
        struct store_answer *const answer = store_take(bench->store);
        if (answer != NULL) {
            assert_int_equal(answer->ticket, tickets[answered]); // of one table in order
            assert_int_equal(answer->result, STORE_DONE);
            store_answer_free(answer);
            answered++;
        }
    }
    assert_null(store_take(bench->store));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int store_contract_run(const struct store_contract *contract)
{
    const struct CMUnitTest tests[] = {
        CASE(every_hello_is_another_epoch),
        CASE(an_empty_store_knows_nothing),
        CASE(a_table_is_kept_as_it_was_committed),
        CASE(another_version_changes_nothing),
        CASE(a_step_is_committed_once),
        CASE(an_event_is_dealt_with_once_an_hour),
        CASE(a_place_has_one_table),
        CASE(a_table_gives_way_to_the_next_one),
        CASE(a_person_sits_at_few_tables),
        CASE(messages_are_kept_until_their_outcome),
        CASE(a_board_that_is_gone_is_forgotten),
        CASE(a_newer_board_takes_the_place_of_older_ones),
        CASE(a_narration_is_kept_until_it_is_told),
        CASE(time_begins_when_it_is_confirmed),
        CASE(what_falls_due_is_found),
        CASE(what_falls_due_comes_page_by_page),
        CASE(the_earlier_version_is_kept),
        CASE(the_latest_narrations_are_the_log),
        CASE(a_journal_is_kept_piece_by_piece),
        CASE(statistics_go_by_exact_ids),
        CASE(statistics_are_bounded),
        CASE(one_person_opens_so_many_tables_only),
        CASE(one_community_has_so_many_tables_only),
        CASE(what_is_gone_leaves_nothing),
        CASE(the_longest_ids_are_kept_whole),
        CASE(the_queue_is_bounded_and_answers_each_once),
        CASE(answers_about_a_table_come_in_order),
        CASE(what_is_chosen_is_known_at_once),
        CASE(what_waits_together_fails_alone),
        CASE(what_adapters_keep_is_kept),
        CASE(what_is_ones_own_may_be_held),
        CASE(what_goes_with_a_journal_is_put_away),
        CASE(what_is_put_away_can_be_taken_out_again),
        CASE(what_gives_way_is_put_away),
        CASE(a_community_has_so_many_put_away),
        CASE(what_is_put_away_grows_old),
        CASE(all_tables_are_listed),
        CASE(journal_and_log_can_be_written_anew),
        CASE(card_files_are_kept_while_somebody_plays_with_them),
        CASE(card_files_are_kept_for_journals),
        CASE(a_community_is_purged),
        CASE(a_person_is_forgotten_everywhere),
        CASE(all_is_there_when_it_is_opened_anew),
        CASE(a_table_is_looked_at),
        CASE(many_tables_are_watched_at_once),
        CASE(only_what_lies_in_a_network_is_claimed),
        CASE(who_comes_after_has_what_was_not_sent),
        CASE(what_is_away_stands_until_it_is_back),
        CASE(what_is_away_twice_is_counted_once),
        CASE(what_is_away_is_so_for_who_comes_after),
    };
    const struct CMUnitTest together[] = {
        CASE(two_processes_cannot_both_advance_a_table),
        CASE(two_processes_race_for_every_version),
        CASE(one_process_sends_what_a_table_says),
        CASE(answers_go_out_where_the_line_was_heard),
        CASE(what_is_due_is_told_to_one),
        CASE(who_does_not_beat_is_succeeded),
        CASE(a_network_is_away_when_nobody_has_it),
        CASE(a_word_is_one_process_s_as_long_as_it_lives),
        CASE(a_word_is_held_until_a_time),
    };
    contract_now = contract;
    int failed = cmocka_run_group_tests_name(contract->name, tests, NULL, NULL);
    if (contract->again != NULL) {
        failed += cmocka_run_group_tests_name(contract->name, together, NULL, NULL);
    }
    return failed;
}
