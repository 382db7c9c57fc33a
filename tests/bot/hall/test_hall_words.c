// What comes and goes between a hall and its chats: whose it is, and what is known of it
// afterwards.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/chance.h"
#include "tests/support/stage_case.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { A_MINUTE_MS = 60000 };

static const char PLACE[] = "tavern";
static const char OTHER[] = "cellar";

static uint64_t digest(const struct stage *stage)
{
    return game_digest(table_game(stage_table(stage, PLACE)));
}

static const char *turn(const struct stage *stage)
{
    const struct table *const table = stage_table(stage, PLACE);
    return table_seat_name(table, query_turn(table_game(table)));
}

/* What is told of a table before its cards are dealt. */

static void a_start_names_what_its_sheet_does_not_say(void **state)
{
    struct stage *const stage = stage_of(state);
    static const char *const LINES[] = {"new sets=classic preset=marathon flag=removal_pays",
                                        "add-bot", "add-bot", "start"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        stage_say(stage, PLACE, "Ann", LINES[i]);
    }
    assert_non_null(fake_find(
        stage->chat, NULL, "Rules: classic. Goal: Level 20. House rules: epic and removal_pays."));
}

/* Two networks at one table. */

static void two_networks_may_have_equal_event_ids(void **state)
{
    struct stage *const stage = stage_of(state);
    const struct chat_in said[] = {
        {.place = PLACE, .person = "Ann", .line = "new sets=classic", .event = "one"},
        {.place = PLACE, .person = "Bob", .line = "join", .event = "two"},
        {.place = OTHER, .person = "Cy", .line = "join", .event = "two"},
        {.place = OTHER, .person = "Cy", .line = "join", .event = "two"}};
    stage_hear(stage, stage->chat, &said[0]);
    stage_bridge(stage, PLACE, OTHER);
    stage_hear(stage, stage->chat, &said[1]);
    stage_again(stage); // what was dealt with before is known from the store
    stage_hear(stage, stage->other, &said[2]);
    assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 3);
    assert_int_equal(hall_stats(stage->hall)->repeated, 0);
    stage_hear(stage, stage->other, &said[3]);
    assert_int_equal(hall_stats(stage->hall)->repeated, 1);
}

static void a_table_at_two_places_is_found_once(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_bridge(stage, PLACE, OTHER);
    const unsigned long requests = faulty_store_requests(stage->store);
    for (unsigned i = 0; i < 10; i++) {
        const struct chat_in in = {.place = OTHER, .person = "Cy", .line = "status"};
        stage_say(stage, PLACE, "Ann", "status");
        stage_hear(stage, stage->other, &in);
    }
    // Nothing but beats.
    assert_in_range(faulty_store_requests(stage->store) - requests, 0, 8);
    assert_int_equal(hall_live_count(stage->hall), 1);
}

static void boards_are_known_by_network_and_reader(void **state)
{
    struct stage *const stage = stage_of(state);
    char id[TABLE_ID_SIZE];
    stage_start(stage, PLACE, 2, 1);
    (void)snprintf(id, sizeof id, "%s", table_id(stage_table(stage, PLACE)));
    const struct store_answer *const answer = store_talk_load(stage->store, id);
    assert_true(answer->board_count > 1);
    for (size_t i = 0; i < answer->board_count; i++) {
        assert_int_equal(strncmp(answer->boards[i].reader, "fake\n", 5), 0);
    }
}

/* What cannot be said now. */

static void time_runs_when_the_last_word_to_all_is_given_up(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 3, 0);
    stage_bridge(stage, PLACE, OTHER);
    stage_say(stage, PLACE, "Bob", "orders pass below 6"); // its card is there now
    assert_int_equal(fake_count_of(stage->other, CHAT_CARD), 1);
    fake_lose(stage->other, true);
    fake_fail_to(stage->chat, "Bob", MB_ERR_RETRY);
    char who[32];
    (void)snprintf(who, sizeof who, "%s", turn(stage));
    stage_say(stage, PLACE, who, "kick");
    const uint64_t before = digest(stage);
    for (unsigned i = 0; hall_stats(stage->hall)->undeliverable == 0; i++) {
        assert_true(i < 100);
        char line[32];
        (void)snprintf(line, sizeof line, "orders pass below %u", i % 2 + 5);
        stage_say(stage, PLACE, "Bob", line);
    }
    assert_int_equal(digest(stage), before);
    fake_lose(stage->other, false);
    fake_fail_to(stage->chat, NULL, MB_OK);
    stage_pass(stage, (int64_t)10 * A_MINUTE_MS);
    assert_int_not_equal(digest(stage), before);
}

// A hand of the old game does not arrive while the new one is being opened by somebody else.
static void who_was_not_reached_at_the_old_game_is_nobody_at_the_new_one(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Ann", "add-bot");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "start");
    while (table_state(stage_table(stage, PLACE)) == TABLE_LOBBY) {
        assert_true(fake_deliver(stage->chat, NULL));
        stage_pass(stage, 0);
    }
    stage_say(stage, PLACE, "Ann", "end");
    stage_say(stage, PLACE, "Ann", "end");
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_OVER);
    faulty_store_hold(stage->store, true);
    stage_say(stage, PLACE, "Bob", "new");
    assert_true(fake_refuse(stage->chat, "Ann", CHAT_UNREACHABLE)); // her hand
    fake_hold(stage->chat, false);
    faulty_store_hold(stage->store, false);
    stage_pass(stage, A_MINUTE_MS);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, A_MINUTE_MS);
    assert_string_equal(table_seat_name(stage_table(stage, PLACE), 0), "Bob");
    assert_null(fake_find(stage->chat, NULL, "Bob, I cannot write"));
}

// Somebody who was away is there again with the line, so the refusal is committed.
static void a_refusal_that_is_committed_says_why(void **state)
{
    struct stage *const stage = stage_of(state);
    stage_start(stage, PLACE, 3, 0);
    char who[32];
    (void)snprintf(who, sizeof who, "%s", turn(stage));
    const uint64_t before = digest(stage);
    for (unsigned i = 0; digest(stage) == before; i++) {
        assert_true(i < 100);
        stage_pass(stage, A_MINUTE_MS / 2); // until a stand-in acts for them
    }
    fake_forget(stage->chat);
    const unsigned long steps = hall_stats(stage->hall)->steps;
    stage_say(stage, PLACE, who, "accept 7");
    assert_int_equal(hall_stats(stage->hall)->steps, steps + 1);
    const struct fake_message *const reply = fake_newest(stage->chat, CHAT_REPLY, PLACE, who);
    assert_non_null(reply);
    assert_int_not_equal(reply->refusal.code, REFUSAL_NONE);
}

// The same when the process dies before the reply is out.
static void a_refusal_still_says_why_after_a_restart(void **state)
{
    struct stage *const stage = stage_of(state);
    struct mb_error err = {0};
    stage_start(stage, PLACE, 3, 0);
    char who[32];
    (void)snprintf(who, sizeof who, "%s", turn(stage));
    const uint64_t before = digest(stage);
    for (unsigned i = 0; digest(stage) == before; i++) {
        assert_true(i < 100);
        stage_pass(stage, A_MINUTE_MS / 2);
    }
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, who, "accept 7");
    chat_stop(stage->chat); // what was under way is lost with the process
    assert_true(chat_start(stage->chat, &err));
    fake_hold(stage->chat, false);
    fake_forget(stage->chat);
    stage_again(stage);
    stage_pass(stage, 0);
    const struct fake_message *const reply = fake_newest(stage->chat, CHAT_REPLY, PLACE, who);
    assert_non_null(reply);
    assert_int_not_equal(reply->refusal.code, REFUSAL_NONE);
}

/* A game starts when the message that says so has got its id. */

static void open_lobby(struct stage *stage)
{
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    assert_non_null(fake_find(stage->chat, NULL, "fingerprint "));
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Ann", "add-bot");
}

static enum table_state state_of(const struct stage *stage)
{
    return table_state(stage_table(stage, PLACE));
}

static void nothing_changes_between_start_and_deal(void **state)
{
    static const char *const LINES[] = {"join female", "leave", "add-bot", "remove Bob", "start"};
    struct stage *const stage = stage_of(state);
    open_lobby(stage);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "start");
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        stage_say(stage, PLACE, "Ann", LINES[i]);
        assert_true(table_is_starting(stage_table(stage, PLACE)));
        assert_int_equal(table_seat_count(stage_table(stage, PLACE)), 3);
    }
    fake_hold(stage->chat, false);
    stage_again(stage); // and nothing of it is lost with a process
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, A_MINUTE_MS);
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_false(table_is_starting(stage_table(stage, PLACE)));
    assert_non_null(fake_find(stage->chat, NULL, "Ann, Bob and "));
}

// The same secret and seats under another id, if somebody else has said something before.
static uint64_t dealt_behind(struct stage *stage, unsigned others)
{
    const struct chat_out out = {.kind = CHAT_NARRATION, .place = OTHER, .text = "hum"};
    const struct catalog *const catalog = stage->catalog;
    struct mb_error err = {0};
    stage_close(stage);
    chance_fix();
    stage_open(stage, catalog);
    for (unsigned i = 0; i < others; i++) {
        assert_true(chat_send(stage->chat, &out, &err));
    }
    open_lobby(stage);
    stage_say(stage, PLACE, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    return digest(stage);
}

static void cards_are_dealt_by_the_id_of_the_message(void **state)
{
    struct stage *const stage = stage_of(state);
    const uint64_t one = dealt_behind(stage, 0);
    assert_int_not_equal(dealt_behind(stage, 1), one);
    assert_int_equal(dealt_behind(stage, 0), one);
}

// The digits behind the newest of some words that all have read.
static void digits_behind(const struct stage *stage, const char *words, char out[17])
{
    out[0] = '\0';
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        const char *const at = strstr(message->text, words);
        if (message->kind == CHAT_NARRATION && at != NULL) {
            (void)snprintf(out, 17, "%s", at + strlen(words));
        }
    }
}

// A start names the fingerprint under which it deals: two starts under one are seen (G-4.5).
static void names_its_fingerprint(const struct stage *stage, char fingerprint[17])
{
    char start[17];
    digits_behind(stage, "fingerprint ", fingerprint);
    digits_behind(stage, "Fingerprint: ", start);
    assert_int_equal(strspn(start, "0123456789abcdef"), 16);
    assert_string_equal(start, fingerprint);
}

static void a_start_that_never_arrives_is_none(void **state)
{
    struct stage *const stage = stage_of(state);
    char fingerprints[2][17];
    open_lobby(stage);
    digits_behind(stage, "fingerprint ", fingerprints[0]);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "start");
    assert_true(fake_refuse(stage->chat, "", CHAT_REFUSED));
    fake_hold(stage->chat, false);
    stage_pass(stage, 0);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, A_MINUTE_MS);
    assert_int_equal(state_of(stage), TABLE_LOBBY);
    assert_false(table_is_starting(stage_table(stage, PLACE)));
    const struct fake_message *const said = fake_newest(stage->chat, CHAT_NARRATION, PLACE, NULL);
    assert_non_null(said);
    assert_non_null(strstr(said->text, "got lost"));
    assert_int_equal(stage_unsent(stage), 0);
    stage_say(stage, PLACE, "Ann", "start");
    assert_int_equal(state_of(stage), TABLE_RUNNING);
    assert_int_equal(stage_unsent(stage), 0);
    names_its_fingerprint(stage, fingerprints[1]);
    assert_string_not_equal(fingerprints[0], fingerprints[1]);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, stage_case_open, stage_case_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_start_names_what_its_sheet_does_not_say),
        CASE(two_networks_may_have_equal_event_ids),
        CASE(a_table_at_two_places_is_found_once),
        CASE(boards_are_known_by_network_and_reader),
        CASE(time_runs_when_the_last_word_to_all_is_given_up),
        CASE(who_was_not_reached_at_the_old_game_is_nobody_at_the_new_one),
        CASE(a_refusal_that_is_committed_says_why),
        CASE(a_refusal_still_says_why_after_a_restart),
        CASE(nothing_changes_between_start_and_deal),
        CASE(cards_are_dealt_by_the_id_of_the_message),
        CASE(a_start_that_never_arrives_is_none),
    };
    return cmocka_run_group_tests_name("hall_words", tests, NULL, NULL);
}
