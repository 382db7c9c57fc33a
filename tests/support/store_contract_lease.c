// Several processes on one store: who sends what a table says, and who comes after one that is
// dead.
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

static struct store *second(const struct bench *bench)
{
    struct store *const other = bench->contract->again(bench->rig);
    greet(bench->store);
    greet(other);
    return other;
}

static enum store_result beat(struct store *store, int64_t ms)
{
    const struct store_request request = {.kind = STORE_BEAT, .ms = ms};
    const struct store_answer *const answer = store_talk(store, &request);
    assert_true(answer->now_ms >= ms);
    return answer->result;
}

// A commit with something to be said to all, in a network.
static struct store_commit speech(uint64_t expected, const struct store_message *message)
{
    static struct store_place place;
    struct store_commit commit = store_change("t1", expected, "word");
    place = contract_place("cellar");
    commit.places = &place;
    commit.place_count = 1;
    commit.messages = message;
    commit.message_count = 1;
    commit.sends = true;
    return commit;
}

// Commits it; whether the table's messages are this process's.
static bool speak(struct store *store, uint64_t expected, bool answer)
{
    const struct store_message message = {
        .key = {.epoch = 7, .number = expected}, .answer = answer, .bytes = store_word("Hello.")};
    const struct store_commit commit = speech(expected, &message);
    const struct store_answer *const done = store_talk_commit(store, &commit);
    assert_int_equal(done->result, STORE_DONE);
    const bool held = done->held;
    // The same step again, as when the answer was lost.
    assert_int_equal(store_talk_commit(store, &commit)->held, held);
    const struct store_request step = {.kind = STORE_STEP, .table = "t1", .key = commit.step};
    assert_int_equal(store_talk(store, &step)->held, held);
    return held;
}

static void confirm(struct store *store, uint64_t number)
{
    const struct store_request request = {
        .kind = STORE_CONFIRM, .table = "t1", .key = {.epoch = 7, .number = number}, .id = "m"};
    assert_int_equal(store_talk(store, &request)->result, STORE_DONE);
}

static size_t claim(struct store *store, int64_t ms, const char *networks)
{
    const struct store_request request = {
        .kind = STORE_DUE, .ms = ms, .unsent = true, .claims = true, .networks = networks};
    const struct store_answer *const answer = store_talk(store, &request);
    assert_int_equal(answer->result, STORE_DONE);
    assert_true(answer->count == 0 || strcmp(answer->texts[0], "t1") == 0);
    return answer->count;
}

static size_t watch(struct store *store, uint64_t version)
{
    const struct store_seen seen[] = {{.table = "t1", .version = version}};
    const struct store_request request = {.kind = STORE_WATCH, .seen = seen, .seen_count = 1};
    const struct store_answer *const answer = store_talk(store, &request);
    assert_int_equal(answer->result, STORE_DONE);
    assert_true(answer->count == 0 || strcmp(answer->texts[0], "t1") == 0);
    return answer->count;
}

static const struct store_answer *look(struct store *store)
{
    const struct store_request request = {.kind = STORE_LOOK, .table = "t1"};
    return store_talk(store, &request);
}

void a_table_is_looked_at(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    assert_int_equal(look(bench->store)->result, STORE_NOTHING);
    struct store_commit commit = store_change("t1", 0, "word");
    commit.since_ms = 17;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    const struct store_answer *const answer = look(bench->store);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 1);
    assert_int_equal(answer->since_ms, 17);
    assert_false(answer->held); // it was not said that it could be sent
    assert_true(speak(bench->store, 1, false));
    assert_true(look(bench->store)->held);
    assert_int_equal(watch(bench->store, 2), 0);
    assert_int_equal(watch(bench->store, 1), 1);
    commit = store_change("t1", 2, NULL);
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    assert_int_equal(watch(bench->store, 2), 1);
}

void many_tables_are_watched_at_once(void **state)
{
    struct bench *const bench = *state;
    const struct store_seen seen[] = {{.table = "t1", .version = 1},
                                      {.table = "no,such\"\\{table", .version = 1}};
    struct store_request request = {.kind = STORE_WATCH, .seen = seen, .seen_count = 2};
    greet(bench->store);
    assert_true(speak(bench->store, 0, false));
    const struct store_answer *answer = store_talk(bench->store, &request);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], seen[1].table);
    request.seen_count = 0;
    answer = store_talk(bench->store, &request);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->count, 0);
}

void one_process_sends_what_a_table_says(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = second(bench);
    assert_true(store_shared(bench->store));
    assert_true(speak(bench->store, 0, false));
    assert_false(speak(other, 1, false)); // the first is at it
    assert_int_equal(watch(bench->store, 1), 1);
    assert_int_equal(watch(bench->store, 2), 0);
    assert_int_equal(watch(other, 2), 1);
    assert_true(store_talk_load(bench->store, "t1")->held);
    const struct store_answer *const answer = store_talk_load(other, "t1");
    assert_false(answer->held);
    assert_int_equal(answer->message_count, 2);
    assert_int_equal(claim(other, 0, NULL), 0);
    confirm(bench->store, 0);
    assert_false(speak(other, 2, false));
    confirm(bench->store, 1);
    confirm(bench->store, 2);
    assert_true(speak(other, 3, false)); // nothing is under way: whoever comes first
    assert_false(look(bench->store)->held);
    assert_int_equal(watch(bench->store, 4), 1);
}

void answers_go_out_where_the_line_was_heard(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = second(bench);
    assert_true(speak(bench->store, 0, false));
    assert_false(speak(other, 1, true));
    const struct store_answer *answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 1);
    assert_false(answer->messages[0].answer);
    answer = store_talk_load(other, "t1");
    assert_int_equal(answer->message_count, 2);
    assert_true(answer->messages[1].answer);
    confirm(bench->store, 0);
    // An answer alone keeps nobody from speaking.
    assert_int_equal(claim(bench->store, 0, NULL), 0);
    assert_true(speak(bench->store, 2, false));
    store_talk_end();
    store_stop(other);
    assert_int_equal(claim(bench->store, 0, NULL), 1);
    answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 2); // nobody else would send it
    assert_true(answer->messages[0].answer);
}

void what_is_due_is_told_to_one(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = second(bench);
    struct store_commit commit = store_change("t1", 0, "word");
    commit.due_ms = 100;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    assert_int_equal(claim(bench->store, 99, NULL), 0);
    assert_int_equal(claim(bench->store, 200, NULL), 1);
    assert_int_equal(claim(other, 200, NULL), 0);
    assert_int_equal(claim(bench->store, 200, NULL), 1); // its own
    assert_true(look(bench->store)->held);
    for (int64_t ms = 0; ms <= STORE_MARK_MS; ms += STORE_MARK_MS / 2) { // both live
        assert_int_equal(beat(bench->store, ms), STORE_DONE);
        assert_int_equal(beat(other, ms), STORE_DONE);
    }
    assert_int_equal(claim(other, 200, NULL), 1); // it took too long
    assert_int_equal(claim(bench->store, 200, NULL), 0);
    // What was dealt with is nobody's.
    commit = store_change("t1", 1, "word");
    commit.due_ms = 50;
    assert_int_equal(contract_commit(other, &commit), STORE_DONE);
    assert_int_equal(claim(bench->store, 200, NULL), 1);
}

void only_what_lies_in_a_network_is_claimed(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    struct store_message message = {.key = {.epoch = 7, .number = 1},
                                    .bytes = store_word("Hello.")};
    struct store_commit commit = speech(0, &message);
    commit.sends = false;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    assert_int_equal(claim(bench->store, 0, " "), 0);
    assert_int_equal(claim(bench->store, 0, " fak ake "), 0);
    assert_int_equal(claim(bench->store, 0, " other fake "), 1);
}

// A process that has ended is succeeded at once.
void who_comes_after_has_what_was_not_sent(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    assert_true(speak(bench->store, 0, false));
    assert_true(speak(bench->store, 1, true));
    bench->store = bench->contract->reopen(bench->rig);
    greet(bench->store);
    assert_int_equal(claim(bench->store, 0, NULL), 1);
    const struct store_answer *const answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->message_count, 2);
    assert_true(answer->held);
}

// One that stands still is given up where nothing else says whether it lives.
void who_does_not_beat_is_succeeded(void **state)
{
    struct bench *const bench = *state;
    struct store *const other = second(bench);
    assert_true(speak(bench->store, 0, false));
    assert_int_equal(beat(bench->store, 1000), STORE_DONE);
    assert_int_equal(beat(other, STORE_LEASE_MS - 1), STORE_DONE);
    assert_int_equal(claim(other, 0, NULL), 0);
    const bool lapses = bench->contract->lapses;
    assert_int_equal(beat(other, STORE_LEASE_MS + 1000), STORE_DONE);
    assert_int_equal(claim(other, 0, NULL), lapses ? 1 : 0);
    assert_int_equal(beat(bench->store, 0), lapses ? STORE_NOTHING : STORE_DONE);
    assert_int_equal(beat(bench->store, 0), STORE_DONE); // it lives again
    assert_int_equal(watch(bench->store, 1), lapses ? 1 : 0);
    assert_int_equal(store_talk_load(bench->store, "t1")->held, !lapses);
    assert_int_equal(claim(bench->store, 0, NULL), lapses ? 0 : 1);
}

static enum store_result hold_for(struct store *store, const char *word, int64_t for_ms)
{
    const struct store_request request = {.kind = STORE_HOLD, .word = word, .for_ms = for_ms};
    return store_talk(store, &request)->result;
}

// By any process, and by one that comes later. What counts is the store's time: a process whose
// store has failed lags behind it.
void a_word_is_held_until_a_time(void **state)
{
    struct bench *const bench = *state;
    greet(bench->store);
    assert_int_equal(beat(bench->store, 900), STORE_DONE);
    assert_int_equal(hold_for(bench->store, "net/a", 500), STORE_DONE);
    assert_int_equal(beat(bench->store, 1399), STORE_DONE);
    assert_int_equal(hold_for(bench->store, "net/a", 5000), STORE_CONFLICT);
    assert_int_equal(hold_for(bench->store, "net/b", 5000), STORE_DONE);
    assert_int_equal(beat(bench->store, 1400), STORE_DONE);
    assert_int_equal(hold_for(bench->store, "net/a", 3000), STORE_DONE);
    bench->store = bench->contract->reopen(bench->rig);
    greet(bench->store);
    assert_int_equal(beat(bench->store, 4399), STORE_DONE);
    assert_int_equal(hold_for(bench->store, "net/a", 5000), STORE_CONFLICT);
    assert_int_equal(beat(bench->store, 4400), STORE_DONE);
    assert_int_equal(hold_for(bench->store, "net/a", 5000), STORE_DONE);
}

void a_word_is_one_process_s_as_long_as_it_lives(void **state)
{
    struct bench *const bench = *state;
    const struct store_request hold = {.kind = STORE_HOLD, .word = "net/a"};
    const struct store_request another = {.kind = STORE_HOLD, .word = "net/b"};
    struct store *const other = second(bench);
    assert_int_equal(store_talk(bench->store, &hold)->result, STORE_DONE);
    assert_int_equal(store_talk(other, &hold)->result, STORE_CONFLICT);
    assert_int_equal(store_talk(other, &another)->result, STORE_DONE);
    bench->store = bench->contract->reopen(bench->rig);
    greet(bench->store);
    assert_int_equal(store_talk(other, &hold)->result, STORE_DONE);
    assert_int_equal(store_talk(bench->store, &another)->result, STORE_CONFLICT);
}
