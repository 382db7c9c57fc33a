// Steps of a hall and their commits: what is answered when, and what becomes of a step whose commit
// fails, is overtaken or cannot be written.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/table/value/value.h"

#include "tests/support/seats.h"
#include "tests/support/shown.h"
#include "tests/support/stage_case.h"
#include "tests/support/store_talk.h"
#include "tests/support/test.h"

enum { A_MINUTE_MS = 60000 };

static const char PLACE[] = "tavern";

static const char *turn(const struct stage *stage)
{
    const struct table *const table = stage_table(stage, PLACE);
    return table_seat_name(table, query_turn(table_game(table)));
}

static uint64_t digest(const struct stage *stage)
{
    return game_digest(table_game(stage_table(stage, PLACE)));
}

/* Commits of directories alone. */

static void record_game(struct stage *stage, const char *person)
{
    const struct store_record record = {
        .community = PLACE, .network = "fake", .person = person, .line = {.games = 1}};
    struct store_commit commit = store_change("", 0, NULL);
    commit.directories = true;
    commit.records = &record;
    commit.record_count = 1;
    assert_int_equal(store_talk_commit(stage->store, &commit)->result, STORE_DONE);
}

static uint32_t games(struct stage *stage, const char *person)
{
    const struct store_request request = {
        .kind = STORE_STATISTICS, .network = "fake", .person = person, .community = PLACE};
    return store_talk(stage->store, &request)->line.games;
}

static void who_is_forgotten_hears_so_afterwards(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    for (unsigned fault = FAULT_BEFORE; fault <= FAULT_FORGETS; fault++) {
        record_game(stage, "Bob");
        stage_pass(stage, HALL_PERSON_REFILL_MS);
        fake_forget(stage->chat);
        faulty_store_fault(stage->store, (enum fault)fault, 2); // after the statistics
        const struct chat_in in = {.place = PLACE, .person = "Bob", .line = "stats forget"};
        stage_hear(stage, stage->chat, &in);
        assert_int_equal(fake_count(stage->chat), 0);
        stage_pass(stage, HALL_ANSWER_MS);
        assert_int_equal(fake_count(stage->chat), 1);
        assert_non_null(shown(stage->chat, "Bob", TEXT_STATS_FORGOTTEN, NULL));
        assert_int_equal(games(stage, "Bob"), 0);
    }
}

static void who_chooses_a_table_hears_so_afterwards(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, "cellar", "Ann", "new sets=classic");
    for (unsigned fault = FAULT_BEFORE; fault <= FAULT_FORGETS; fault++) {
        const bool second = fault % 2 == 0;
        const struct chat_in in = {.place = "Ann's room",
                                   .person = "Ann",
                                   .line = second ? "at 2" : "at 1",
                                   .direct = true};
        stage_pass(stage, HALL_PERSON_REFILL_MS);
        fake_forget(stage->chat);
        faulty_store_fault(stage->store, (enum fault)fault, 2); // after where she sits
        stage_hear(stage, stage->chat, &in);
        assert_int_equal(fake_count(stage->chat), 0);
        stage_pass(stage, HALL_ANSWER_MS);
        assert_int_equal(fake_count(stage->chat), 1);
        assert_non_null(shown(stage->chat, "Ann", TEXT_HALL_CHOSEN,
                              TEXT_ARGS(text_str("what", second ? "cellar" : "tavern"))));
        const struct store_answer *const answer = store_talk_person(stage->store, "Ann");
        assert_int_equal(answer->sittings[0].chosen, !second);
        assert_int_equal(answer->sittings[1].chosen, second);
    }
}

// What is said again and is so already changes nothing.
static void who_waits_and_says_so_again_changes_nothing(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 2, 1);
    stage_say(stage, PLACE, turn(stage), "kick"); // in the middle of a turn
    stage_say(stage, PLACE, "Dot", "join");
    assert_true(waits_named(stage_table(stage, PLACE), "Dot"));
    stage_pass(stage, 3000); // the bot player has thought about the fight
    const unsigned long steps = hall_stats(stage->hall)->steps;
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Dot", "join");
    stage_say(stage, PLACE, "Dot", "join");
    assert_int_equal(fake_count_of(stage->chat, CHAT_REPLY), 2);
    assert_int_equal(hall_stats(stage->hall)->steps, steps);
    stage_say(stage, PLACE, "Dot", "leave");
    assert_int_equal(hall_stats(stage->hall)->steps, steps + 1);
    assert_false(waits_named(stage_table(stage, PLACE), "Dot"));
}

/* Time. */

static int64_t served_ms(struct stage *stage)
{
    const struct store_request hello = {.kind = STORE_HELLO};
    return store_talk(stage->store, &hello)->now_ms;
}

// An hour without a store takes nobody's turn, at no table, whether it refuses or is silent.
static void an_outage_takes_nobodys_time(void **state)
{
    struct stage *const stage = stage_of(state);
    void (*const breaks[])(struct store *, bool) = {faulty_store_down, faulty_store_hold};
    stage_start(stage, PLACE, 3, 0);
    stage_start(stage, "cellar", 3, 0);
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        const uint64_t other = game_digest(table_game(stage_table(stage, "cellar")));
        const int64_t before = served_ms(stage);
        const unsigned long steps = hall_stats(stage->hall)->steps;
        breaks[i](stage->store, true);
        stage_say(stage, PLACE, "Ann", i == 0 ? "orders pass below 6" : "orders pass below 5");
        stage_pass(stage, (int64_t)60 * A_MINUTE_MS);
        breaks[i](stage->store, false);
        stage_pass(stage, 2000);
        assert_int_equal(hall_stats(stage->hall)->steps, steps + 1);
        assert_int_equal(game_digest(table_game(stage_table(stage, "cellar"))), other);
        stage_pass(stage, HALL_BEAT_MS);
        assert_in_range(served_ms(stage) - before, 0, 12000);
    }
    const uint64_t other = game_digest(table_game(stage_table(stage, "cellar")));
    stage_pass(stage, (int64_t)10 * A_MINUTE_MS); // and then time runs as ever
    assert_int_not_equal(game_digest(table_game(stage_table(stage, "cellar"))), other);
}

/* Commits that come to nothing. */

static void who_is_overtaken_again_and_again_is_told_once(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 3, 0);
    const uint64_t before = digest(stage);
    char who[32];
    (void)snprintf(who, sizeof who, "%s", turn(stage));
    fake_forget(stage->chat);
    faulty_store_overtake(stage->store, HALL_ATTEMPTS_MAX);
    stage_say(stage, PLACE, who, "kick");
    assert_int_equal(hall_stats(stage->hall)->conflicts, HALL_ATTEMPTS_MAX);
    assert_int_equal(fake_count(stage->chat), 1);
    assert_non_null(shown(stage->chat, who, TEXT_HALL_OVERTAKEN, NULL));
    assert_int_equal(digest(stage), before);
    fake_forget(stage->chat);
    faulty_store_overtake(stage->store, HALL_ATTEMPTS_MAX - 1);
    stage_say(stage, PLACE, who, "kick");
    assert_int_not_equal(digest(stage), before);
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 1);
    assert_int_equal(fake_count_of(stage->chat, CHAT_REPLY), 0);
}

static void a_table_that_cannot_be_written_stays_as_it_was(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 3, 0);
    const uint64_t before = digest(stage);
    char who[32];
    (void)snprintf(who, sizeof who, "%s", turn(stage));
    // As if somewhere there were a mistake.
    struct table *const table = (struct table *)(uintptr_t)stage_table(stage, PLACE);
    table->highlights.trick.kind = UINT8_MAX;
    fake_forget(stage->chat);
    stage_say(stage, PLACE, who, "kick");
    assert_int_equal(fake_count(stage->chat), 1);
    assert_non_null(shown(stage->chat, who, TEXT_HALL_NOT_KEPT, NULL));
    stage_pass(stage, (int64_t)10 * A_MINUTE_MS); // nor does anything by itself
    assert_int_equal(digest(stage), before);
    assert_int_equal(fake_count(stage->chat), 1);
    table->highlights.trick.kind = 0;
    stage_say(stage, PLACE, who, "kick");
    assert_int_not_equal(digest(stage), before);
}

// The same where nobody speaks: everybody is told once, and it is tried when somebody does.
static void what_falls_due_and_cannot_be_written_is_told_once(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 3, 0);
    const uint64_t before = digest(stage);
    struct table *const table = (struct table *)(uintptr_t)stage_table(stage, PLACE);
    table->highlights.trick.kind = UINT8_MAX;
    fake_forget(stage->chat);
    stage_pass(stage, (int64_t)10 * A_MINUTE_MS);
    assert_int_equal(digest(stage), before);
    assert_int_equal(fake_count(stage->chat), 1);
    assert_non_null(shown(stage->chat, NULL, TEXT_HALL_NOT_KEPT, NULL));
    assert_int_equal(hall_due_ms(stage->hall), -1);
    table->highlights.trick.kind = 0;
    stage_say(stage, PLACE, "Ann", "status");
    stage_pass(stage, (int64_t)10 * A_MINUTE_MS);
    assert_int_not_equal(digest(stage), before);
}

/* A hall beside others. */

static void another_hall(struct stage *stage, bool alone)
{
    struct mb_error err = {0};
    hall_destroy(stage->hall);
    stage->hall = hall_create(
        &(struct hall_setup){.catalog = stage->catalog, .store = stage->store, .alone = alone});
    assert_non_null(stage->hall);
    assert_true(hall_add_chat(stage->hall, stage->chat, &err));
    fake_forget(stage->chat);
    stage_pass(stage, 10 * (int64_t)A_MINUTE_MS);
}

static void a_hall_that_is_alone_serves_what_it_is_shown(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 1, 2);
    another_hall(stage, true); // what falls due is another's
    assert_int_equal(hall_live_count(stage->hall), 0);
    assert_int_equal(fake_count(stage->chat), 0);
    assert_true(hall_show(stage->hall, stage->chat, PLACE));
    stage_pass(stage, 0);
    assert_non_null(stage_table(stage, PLACE));
    assert_non_null(fake_newest(stage->chat, CHAT_CARD, PLACE, ""));
    assert_non_null(fake_newest(stage->chat, CHAT_HAND, PLACE, "Ann"));
    assert_false(hall_waits(stage->hall));
    faulty_store_hold(stage->store, true);
    assert_true(hall_show(stage->hall, stage->chat, "cellar"));
    assert_true(hall_waits(stage->hall));
    faulty_store_hold(stage->store, false);
    stage_pass(stage, 0);
    assert_false(hall_waits(stage->hall));
    assert_null(stage_table(stage, "cellar"));
    another_hall(stage, false);
    assert_int_equal(hall_live_count(stage->hall), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, stage_case_open, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(who_is_forgotten_hears_so_afterwards),
        CASE(who_chooses_a_table_hears_so_afterwards),
        CASE(who_waits_and_says_so_again_changes_nothing),
        CASE(an_outage_takes_nobodys_time),
        CASE(who_is_overtaken_again_and_again_is_told_once),
        CASE(a_table_that_cannot_be_written_stays_as_it_was),
        CASE(what_falls_due_and_cannot_be_written_is_told_once),
        CASE(a_hall_that_is_alone_serves_what_it_is_shown),
    };
    return cmocka_run_group_tests_name("hall_steps", tests, NULL, NULL);
}
