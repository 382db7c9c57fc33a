// What is left of tables that are gone, card files, and what is known of a person.
#include <stdio.h>
#include <string.h>

#include "tests/support/store_contract.h"
#include "tests/support/store_contract_impl.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

static bool is_word(struct store_bytes bytes, const char *word)
{
    return bytes.at != NULL && bytes.size == strlen(word) &&
           memcmp(bytes.at, word, bytes.size) == 0;
}

/* Tables that are put away. */

static const struct store_answer *journal(struct store *store, const char *table, size_t from,
                                          size_t count)
{
    const struct store_request request = {
        .kind = STORE_JOURNAL, .table = table, .from = from, .count = count};
    return store_talk(store, &request);
}

// A table with everything, at version 2, with three pieces in its journal; then it goes.
static void put_away(struct store *store, const char *table)
{
    const struct store_bytes pieces[] = {store_word("head"), store_word(""), store_word("two")};
    struct store_commit first = contract_whole(table, 0, 1);
    first.journal = pieces;
    first.journal_count = 2;
    assert_int_equal(contract_commit(store, &first), STORE_DONE);
    struct store_commit second = store_change(table, 1, "last");
    second.journal = &pieces[2];
    second.journal_count = 1;
    assert_int_equal(contract_commit(store, &second), STORE_DONE);
    contract_put(store, table, 2, NULL);
}

void what_goes_with_a_journal_is_put_away(void **state)
{
    struct bench *const bench = *state;
    put_away(bench->store, "t1");
    const struct store_answer *answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->version, 0);
    assert_true(is_word(answer->bytes, "last"));
    assert_string_equal(answer->community, "town");
    assert_int_equal(answer->due_ms, STORE_NEVER);
    assert_int_equal(answer->until_ms, STORE_NEVER);
    assert_int_equal(answer->message_count + answer->board_count + answer->event_count, 0);
    answer = journal(bench->store, "t1", 1, 10);
    assert_int_equal(answer->result, STORE_DONE);
    assert_int_equal(answer->count, 2);
    assert_true(is_word(answer->pieces[0], ""));
    assert_true(is_word(answer->pieces[1], "two"));
    assert_int_equal(journal(bench->store, "t1", 0, 1)->count, 1);
    assert_int_equal(journal(bench->store, "t1", 3, 10)->count, 0);
    assert_int_equal(store_talk_place(bench->store, "cellar")->result, STORE_NOTHING);
    assert_int_equal(store_talk_person(bench->store, "Bob")->count, 0);
    const struct store_request due = {.kind = STORE_DUE, .ms = INT64_MAX / 2, .unsent = true};
    assert_int_equal(store_talk(bench->store, &due)->count, 0);
    bench->store = bench->contract->reopen(bench->rig);
    assert_true(is_word(store_talk_load(bench->store, "t1")->bytes, "last"));
}

void what_is_put_away_can_be_taken_out_again(void **state)
{
    struct bench *const bench = *state;
    const struct store_bytes piece = store_word("three");
    put_away(bench->store, "t1");
    contract_put(bench->store, "t2", 0, "word");
    struct store_commit back = contract_whole("t1", 0, 9);
    back.journal = &piece;
    back.journal_count = 1;
    back.expected = 2;
    assert_int_equal(contract_commit(bench->store, &back), STORE_CONFLICT);
    back.expected = 0;
    assert_int_equal(contract_commit(bench->store, &back), STORE_DONE);
    const struct store_answer *answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->version, 1);
    answer = journal(bench->store, "t1", 0, 10);
    assert_int_equal(answer->count, 4);
    assert_true(is_word(answer->pieces[0], "head"));
    assert_true(is_word(answer->pieces[3], "three"));
    const struct store_request archived = {.kind = STORE_LIST, .archived = true};
    assert_int_equal(store_talk(bench->store, &archived)->count, 0);
    contract_put(bench->store, "t1", 1, NULL);
    assert_int_equal(journal(bench->store, "t1", 0, 10)->count, 4);
}

void what_gives_way_is_put_away(void **state)
{
    struct bench *const bench = *state;
    const struct store_bytes piece = store_word("head");
    struct store_commit old = store_change("t1", 0, "old");
    old.journal = &piece;
    old.journal_count = 1;
    assert_int_equal(contract_commit(bench->store, &old), STORE_DONE);
    struct store_commit next = store_change("t2", 0, "new");
    next.from = "t1";
    next.from_version = 1;
    assert_int_equal(contract_commit(bench->store, &next), STORE_DONE);
    assert_true(is_word(store_talk_load(bench->store, "t1")->bytes, "old"));
    assert_int_equal(journal(bench->store, "t1", 0, 10)->count, 1);
    assert_int_equal(store_talk_load(bench->store, "t2")->version, 1);
}

void a_community_has_so_many_put_away(void **state)
{
    struct bench *const bench = *state;
    const struct store_bytes piece = store_word("head");
    char table[STORE_TABLE_SIZE];
    for (unsigned i = 0; i <= STORE_ARCHIVE_OF_COMMUNITY + 1; i++) {
        (void)snprintf(table, sizeof table, "t%u", i);
        struct store_commit commit = store_change(table, 0, "word");
        commit.journal = &piece;
        commit.journal_count = 1;
        commit.community = i == 0 ? "village" : "town";
        assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
        contract_put(bench->store, table, 1, NULL);
    }
    assert_int_equal(store_talk_load(bench->store, "t0")->result, STORE_DONE);
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_NOTHING);
    assert_int_equal(store_talk_load(bench->store, "t2")->result, STORE_DONE);
}

void what_is_put_away_grows_old(void **state)
{
    enum { KEPT_MS = 5000, LATER_MS = 3000 };
    struct bench *const bench = *state;
    struct store_request beat = {.kind = STORE_BEAT, .ms = LATER_MS, .for_ms = KEPT_MS};
    put_away(bench->store, "t1"); // at 0
    (void)store_talk(bench->store, &beat);
    put_away(bench->store, "t2");
    beat.ms = KEPT_MS;
    (void)store_talk(bench->store, &beat);
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_DONE);
    beat.ms = KEPT_MS + 1;
    beat.for_ms = 0; // for ever
    (void)store_talk(bench->store, &beat);
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_DONE);
    beat.for_ms = KEPT_MS;
    (void)store_talk(bench->store, &beat);
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_NOTHING);
    assert_int_equal(store_talk_load(bench->store, "t2")->result, STORE_DONE);
    beat.ms = LATER_MS + KEPT_MS + 1;
    (void)store_talk(bench->store, &beat);
    assert_int_equal(store_talk_load(bench->store, "t2")->result, STORE_NOTHING);
}

void all_tables_are_listed(void **state)
{
    struct bench *const bench = *state;
    struct store_request all = {.kind = STORE_LIST};
    const struct store_request archived = {.kind = STORE_LIST, .archived = true};
    put_away(bench->store, "t1");
    contract_put(bench->store, "t3", 0, "word");
    contract_put(bench->store, "t2", 0, "word");
    const struct store_answer *answer = store_talk(bench->store, &all);
    assert_int_equal(answer->count, 2);
    assert_string_equal(answer->texts[0], "t2");
    assert_string_equal(answer->texts[1], "t3");
    all.after = "t2";
    answer = store_talk(bench->store, &all);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], "t3");
    answer = store_talk(bench->store, &archived);
    assert_int_equal(answer->count, 1);
    assert_string_equal(answer->texts[0], "t1");
}

void journal_and_log_can_be_written_anew(void **state)
{
    struct bench *const bench = *state;
    static const char *const LOG[] = {"one", "two"};
    const struct store_bytes pieces[] = {store_word("HEAD"), store_word("ONE")};
    struct store_commit first = contract_whole("t1", 0, 1);
    first.journal = pieces;
    first.journal_count = 1;
    assert_int_equal(contract_commit(bench->store, &first), STORE_DONE);
    struct store_commit second = store_change("t1", 1, "word");
    second.keep_earlier = true;
    assert_int_equal(contract_commit(bench->store, &second), STORE_DONE);
    struct store_commit anew = store_change("t1", 2, "word");
    anew.anew = true;
    anew.journal = pieces;
    anew.journal_count = 2;
    anew.log = LOG;
    anew.log_count = 2;
    anew.narration = "three";
    assert_int_equal(contract_commit(bench->store, &anew), STORE_DONE);
    assert_int_equal(journal(bench->store, "t1", 0, 10)->count, 2);
    const struct store_request earlier = {.kind = STORE_EARLIER, .table = "t1"};
    assert_int_equal(store_talk(bench->store, &earlier)->result, STORE_NOTHING);
    const struct store_request log = {.kind = STORE_LOG, .table = "t1", .count = 9};
    const struct store_answer *answer = store_talk(bench->store, &log);
    assert_int_equal(answer->count, 3);
    assert_string_equal(answer->texts[0], "one");
    assert_string_equal(answer->texts[2], "three");
    contract_put(bench->store, "t1", 3, NULL);
    struct store_commit back = store_change("t1", 0, "word");
    back.anew = true;
    back.journal = &pieces[1];
    back.journal_count = 1;
    assert_int_equal(contract_commit(bench->store, &back), STORE_DONE);
    answer = journal(bench->store, "t1", 0, 10);
    assert_int_equal(answer->count, 1);
    assert_true(is_word(answer->pieces[0], "ONE"));
}

/* Card files. */

static bool has_card(struct store *store, const char *word, const char *bytes)
{
    const struct store_request request = {.kind = STORE_CARD, .word = word};
    const struct store_answer *const answer = store_talk(store, &request);
    return answer->result == STORE_DONE && is_word(answer->bytes, bytes);
}

static void plays_with(struct store *store, const char *table, uint64_t expected, const char *one,
                       const char *other)
{
    const struct store_card cards[] = {{.word = one, .bytes = store_word("first")},
                                       {.word = other, .bytes = store_word("second")}};
    struct store_commit commit = store_change(table, expected, "word");
    commit.cards = cards;
    commit.card_count = 2;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

void card_files_are_kept_while_somebody_plays_with_them(void **state)
{
    struct bench *const bench = *state;
    assert_false(has_card(bench->store, "a", "first"));
    plays_with(bench->store, "t1", 0, "a", "b");
    plays_with(bench->store, "t2", 0, "c", "a"); // kept already, as it was
    assert_true(has_card(bench->store, "a", "first"));
    assert_true(has_card(bench->store, "b", "second"));
    assert_true(has_card(bench->store, "c", "first"));
    contract_put(bench->store, "t1", 1, "word"); // plays on with both
    assert_true(has_card(bench->store, "b", "second"));
    plays_with(bench->store, "t1", 2, "a", "d");
    assert_false(has_card(bench->store, "b", "second"));
    contract_put(bench->store, "t1", 3, NULL);
    assert_false(has_card(bench->store, "d", "second"));
    assert_true(has_card(bench->store, "a", "first"));
    bench->store = bench->contract->reopen(bench->rig);
    assert_true(has_card(bench->store, "c", "first"));
    contract_put(bench->store, "t2", 1, NULL);
    assert_false(has_card(bench->store, "a", "first"));
}

void card_files_are_kept_for_journals(void **state)
{
    struct bench *const bench = *state;
    const struct store_bytes piece = store_word("head");
    plays_with(bench->store, "t1", 0, "a", "b");
    struct store_commit commit = store_change("t1", 1, "word");
    commit.journal = &piece;
    commit.journal_count = 1;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    contract_put(bench->store, "t1", 2, NULL);
    assert_true(has_card(bench->store, "a", "first"));
    contract_put(bench->store, "t1", 0, "word");
    assert_true(has_card(bench->store, "b", "second"));
    struct store_commit anew = store_change("t1", 1, "word");
    anew.anew = true;
    assert_int_equal(contract_commit(bench->store, &anew), STORE_DONE);
    contract_put(bench->store, "t1", 2, NULL);
    assert_false(has_card(bench->store, "a", "first"));
    assert_int_equal(store_talk_load(bench->store, "t1")->result, STORE_NOTHING);
}

/* People. */

static void play_in(struct store *store, const char *community, const char *person)
{
    const struct store_record change = {
        .community = community, .network = "fake", .person = person, .line = {.games = 1}};
    struct store_commit commit = store_change("", 0, NULL);
    commit.directories = true;
    commit.records = &change;
    commit.record_count = 1;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

static size_t known(struct store *store, const char *person)
{
    const struct store_request request = {.kind = STORE_KNOWN, .network = "fake", .person = person};
    return store_talk(store, &request)->count;
}

void a_person_is_forgotten_everywhere(void **state)
{
    struct bench *const bench = *state;
    const struct store_message messages[] = {
        {.key = {9, 1}, .board = 3, .reader = "fake\nBob", .bytes = store_word("")},
        {.key = {9, 2}, .board = 4, .reader = "fake\nBob", .bytes = store_word("")},
        {.key = {9, 3}, .board = 5, .reader = "fake\nAnn", .bytes = store_word("")}};
    const struct store_sit sits[] = {{.network = "fake", .person = "Ann", .what = STORE_SITS},
                                     {.network = "fake", .person = "Bob", .what = STORE_SITS}};
    struct store_commit commit = store_change("t1", 0, "word");
    commit.opener = "Bob";
    commit.messages = messages;
    commit.message_count = 3;
    commit.sits = sits;
    commit.sit_count = 2;
    assert_int_equal(contract_commit(bench->store, &commit), STORE_DONE);
    const struct store_request shown = {
        .kind = STORE_CONFIRM, .table = "t1", .key = {9, 1}, .id = "m1"};
    assert_int_equal(store_talk(bench->store, &shown)->result, STORE_DONE);
    play_in(bench->store, "village", "Bob");
    play_in(bench->store, "town", "Bob");
    play_in(bench->store, "town", "Ann");
    const struct store_request request = {.kind = STORE_KNOWN, .network = "fake", .person = "Bob"};
    const struct store_answer *answer = store_talk(bench->store, &request);
    assert_int_equal(answer->count, 2);
    assert_string_equal(answer->texts[0], "town");
    assert_string_equal(answer->texts[1], "village");
    const struct store_request forget = {
        .kind = STORE_FORGET, .network = "fake", .person = "Bob", .word = "fake\nBob"};
    assert_int_equal(store_talk(bench->store, &forget)->result, STORE_DONE);
    assert_int_equal(known(bench->store, "Bob"), 0);
    assert_int_equal(known(bench->store, "Ann"), 1);
    assert_int_equal(store_talk_person(bench->store, "Bob")->count, 0);
    assert_int_equal(store_talk_person(bench->store, "Ann")->count, 1);
    answer = store_talk_load(bench->store, "t1");
    assert_int_equal(answer->version, 1);
    assert_int_equal(answer->board_count, 0);
    assert_int_equal(answer->message_count, 1);
    assert_string_equal(answer->messages[0].reader, "fake\nAnn");
    for (unsigned i = 0; i < STORE_TABLES_OF_OPENER; i++) { // all of the share is left
        char table[STORE_TABLE_SIZE];
        (void)snprintf(table, sizeof table, "b%u", i);
        struct store_commit open = store_change(table, 0, "word");
        open.opener = "Bob";
        assert_int_equal(contract_commit(bench->store, &open), STORE_DONE);
    }
}

static bool is_listed(struct store *store, const char *table, bool archived)
{
    const struct store_request request = {.kind = STORE_LIST, .archived = archived};
    const struct store_answer *const answer = store_talk(store, &request);
    for (size_t i = 0; i < answer->count; i++) {
        if (strcmp(answer->texts[i], table) == 0) {
            return true;
        }
    }
    return false;
}

// A table of a community with a journal, which plays with a card file of its own.
static void open_in(struct store *store, const char *table, const char *community)
{
    const struct store_bytes piece = store_word("head");
    const struct store_card card = {.word = table, .bytes = store_word("card")};
    const struct store_sit sit = {.network = "fake", .person = table, .what = STORE_SITS};
    struct store_commit commit = store_change(table, 0, "word");
    commit.community = community;
    commit.journal = &piece;
    commit.journal_count = 1;
    commit.cards = &card;
    commit.card_count = 1;
    commit.sits = &sit;
    commit.sit_count = 1;
    assert_int_equal(contract_commit(store, &commit), STORE_DONE);
}

void a_community_is_purged(void **state)
{
    struct bench *const bench = *state;
    open_in(bench->store, "live", "village");
    open_in(bench->store, "old", "village");
    open_in(bench->store, "other", "town");
    contract_put(bench->store, "old", 1, NULL);
    assert_true(is_listed(bench->store, "old", true));
    play_in(bench->store, "village", "Bob");
    play_in(bench->store, "town", "Bob");
    const struct store_request purge = {.kind = STORE_FORGET, .community = "village"};
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(store_talk(bench->store, &purge)->result, STORE_DONE);
        assert_int_equal(store_talk_load(bench->store, "live")->result, STORE_NOTHING);
        assert_int_equal(store_talk_load(bench->store, "old")->result, STORE_NOTHING);
        assert_false(is_listed(bench->store, "live", true));
        assert_false(is_listed(bench->store, "old", true));
        assert_false(has_card(bench->store, "live", "card"));
        assert_int_equal(store_talk_person(bench->store, "live")->count, 0);
        assert_int_equal(known(bench->store, "Bob"), 1);
    }
    assert_int_equal(store_talk_load(bench->store, "other")->result, STORE_DONE);
    assert_true(has_card(bench->store, "other", "card"));
    assert_int_equal(store_talk_person(bench->store, "other")->count, 1);
    open_in(bench->store, "new", "village"); // they are back
    assert_int_equal(store_talk_load(bench->store, "new")->version, 1);
}
