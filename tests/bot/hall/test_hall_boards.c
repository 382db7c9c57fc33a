// Cards and hands on their way: one row each without a word of theirs, one message each whatever
// dies in between, and only what the table shows now.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/text/text.h"

#include "tests/support/chance.h"
#include "tests/support/stage.h"
#include "tests/support/store_talk.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";

static struct catalog *catalog;

static int set_up(void **state)
{
    static struct stage stage;
    chance_fix();
    stage_open(&stage, catalog);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    stage_close(*state);
    return 0;
}

// What the store keeps of the table's messages without outcome.
static const struct store_answer *kept(struct stage *stage)
{
    return store_talk_load(stage->store, store_talk_place(stage->store, PLACE)->table);
}

// The newest row of a board; NULL.
static const struct store_message *row_of(struct stage *stage, uint8_t board, size_t *count)
{
    const struct store_answer *const answer = kept(stage);
    const struct store_message *newest = NULL;
    *count = 0;
    for (size_t i = 0; i < answer->message_count; i++) {
        if (answer->messages[i].board == board) {
            newest = &answer->messages[i];
            ++*count;
        }
    }
    return newest;
}

// What is on its way arrives, or not, and nobody is told; then another process goes on.
static void die(struct stage *stage, unsigned arrive)
{
    struct mb_error err = {0};
    chat_listen(stage->chat, NULL, NULL);
    for (unsigned i = 0; i < arrive; i++) {
        assert_true(fake_deliver(stage->chat, NULL));
    }
    chat_stop(stage->chat); // the rest is lost
    fake_hold(stage->chat, false);
    assert_true(chat_start(stage->chat, &err));
    stage_again(stage);
    stage_pass(stage, 1000);
}

static size_t count_made(const struct stage *stage, enum chat_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        count += message->kind == kind && message->replaces[0] == '\0' ? 1 : 0;
    }
    return count;
}

static const struct fake_message *card(const struct stage *stage)
{
    const struct fake_message *const message = fake_newest(stage->chat, CHAT_CARD, PLACE, NULL);
    assert_non_null(message);
    return message;
}

static void assert_card_is_current(const struct stage *stage)
{
    assert_int_equal(card(stage)->bond.version, table_card_version(stage_table(stage, PLACE), 0));
}

static void a_card_that_arrived_unheard_is_not_posted_again(void **state)
{
    struct stage *const stage = *state;
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    const unsigned all = (unsigned)fake_waiting(stage->chat);
    die(stage, all);
    assert_int_equal(count_made(stage, CHAT_CARD), 1);
    assert_int_equal(stage_unsent(stage), 0);
    stage_say(stage, PLACE, "Bob", "join");
    assert_int_equal(count_made(stage, CHAT_CARD), 1);
    assert_non_null(strstr(card(stage)->text, "Bob"));
    assert_card_is_current(stage);
}

static void a_card_that_was_lost_is_posted_as_the_table_is_now(void **state)
{
    struct stage *const stage = *state;
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    size_t count = 0;
    const struct chat_key newest = row_of(stage, 1, &count)->key;
    assert_int_equal(count, 2); // the one that makes the message, and what it should show by now
    die(stage, 0);
    assert_int_equal(count_made(stage, CHAT_CARD), 1);
    assert_non_null(strstr(card(stage)->text, "Bob"));
    assert_int_equal(card(stage)->key.number, newest.number);
    assert_int_equal(stage_unsent(stage), 0);
    assert_card_is_current(stage);
}

/* Hands before the deal. */

static const struct fake_message *hand_of(const struct stage *stage, const char *person)
{
    const struct fake_message *const message = fake_newest(stage->chat, CHAT_HAND, PLACE, person);
    assert_non_null(message);
    return message;
}

static size_t hands_made_for(const struct stage *stage, const char *person)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        const struct fake_message *const message = fake_message(stage->chat, i);
        count += message->kind == CHAT_HAND && strcmp(message->person, person) == 0 &&
                         message->replaces[0] == '\0'
                     ? 1
                     : 0;
    }
    return count;
}

static void open_lobby(struct stage *stage)
{
    static const char *const PEOPLE[] = {"Bob", "Cy", "Dot"};
    fake_can(stage->chat, FAKE_CAPS_ALL);
    stage_again(stage);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    for (unsigned i = 0; i < 3; i++) {
        stage_say(stage, PLACE, PEOPLE[i], "join");
    }
}

static void assert_all_have_one_hand(const struct stage *stage, const char *words)
{
    static const char *const PEOPLE[] = {"Ann", "Cy", "Dot"};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(hands_made_for(stage, PEOPLE[i]), 1);
        assert_non_null(strstr(hand_of(stage, PEOPLE[i])->text, words));
    }
}

static void who_sits_down_is_shown_where_the_hand_will_be_and_it_comes_there(void **state)
{
    struct stage *const stage = *state;
    open_lobby(stage);
    const struct fake_message *const hand = hand_of(stage, "Cy");
    assert_string_equal(hand->prompt, text_sentence(TEXT_PANEL_WAITING_PUSH));
    assert_int_equal(hand->control_count, 3);
    stage_say(stage, PLACE, "Bob", "leave"); // and the others move up
    assert_all_have_one_hand(stage, text_sentence(TEXT_PANEL_WAITING_HOW));
    stage_say(stage, PLACE, "Eve", "join"); // on the number that Dot had
    stage_say(stage, PLACE, "Ann", "start");
    stage_wait(stage, PLACE);
    assert_all_have_one_hand(stage, "Your hand: 8 cards");
    assert_int_equal(hands_made_for(stage, "Bob"), 1);
    assert_int_equal(hands_made_for(stage, "Eve"), 1);
    assert_int_equal(stage_unsent(stage), 0);
}

static void a_hand_before_the_deal_outlives_who_moves_and_who_dies(void **state)
{
    struct stage *const stage = *state;
    open_lobby(stage);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Bob", "leave");
    die(stage, 0);
    stage_say(stage, PLACE, "Ann", "start");
    stage_wait(stage, PLACE);
    assert_all_have_one_hand(stage, "Your hand: 8 cards");
    assert_int_equal(stage_unsent(stage), 0);
}

static void a_first_hand_on_its_way_is_not_posted_twice_for_who_moves(void **state)
{
    struct stage *const stage = *state;
    fake_can(stage->chat, FAKE_CAPS_ALL);
    stage_again(stage);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join");
    stage_say(stage, PLACE, "Cy", "join");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Dot", "join"); // her hand is on its way
    stage_say(stage, PLACE, "Bob", "leave");
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, 1000);
    assert_all_have_one_hand(stage, text_sentence(TEXT_PANEL_WAITING_HOW));
    assert_int_equal(stage_unsent(stage), 0);
}

static void who_asks_before_the_deal_is_shown_that_place_again(void **state)
{
    struct stage *const stage = *state;
    open_lobby(stage);
    const size_t before = fake_count_of(stage->chat, CHAT_HAND);
    const size_t whispers = fake_count_of(stage->chat, CHAT_WHISPER);
    stage_say(stage, PLACE, "Cy", "dm");
    assert_int_equal(fake_count_of(stage->chat, CHAT_HAND), before + 1);
    assert_true(fake_newest(stage->chat, CHAT_HAND, PLACE, "Cy")->retries);
    assert_int_equal(fake_count_of(stage->chat, CHAT_WHISPER), whispers);
}

static void the_one_that_makes_a_card_is_found_behind_newer_ones(void **state)
{
    static const char *const PEOPLE[] = {"Bob", "Cy", "Dot"};
    struct stage *const stage = *state;
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    const unsigned first = (unsigned)fake_waiting(stage->chat);
    for (unsigned i = 0; i < 3; i++) {
        stage_say(stage, PLACE, PEOPLE[i], "join");
    }
    size_t count = 0;
    const struct chat_key newest = row_of(stage, 1, &count)->key;
    assert_int_equal(count, 2);
    die(stage, first);
    assert_int_equal(count_made(stage, CHAT_CARD), 1);
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 2);
    assert_int_equal(card(stage)->key.epoch, newest.epoch); // the key it had before
    assert_int_equal(card(stage)->key.number, newest.number);
    assert_non_null(strstr(card(stage)->text, "Dot"));
    assert_card_is_current(stage);
}

// An edit under its old key; its text is made anew.
static void a_hand_is_made_anew_under_its_key(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const struct table *const table = stage_table(stage, PLACE);
    const unsigned seat = query_turn(table_game(table));
    char name[64];
    (void)snprintf(name, sizeof name, "%s", table_seat_name(table, seat));
    fake_forget(stage->chat);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, name, "kick");
    size_t count = 0;
    const uint8_t board = (uint8_t)(1 + TABLE_SITES_MAX + seat);
    const struct store_message *const row = row_of(stage, board, &count);
    assert_int_equal(count, 1);
    const struct chat_key key = row->key;
    const uint64_t version = hall_version(stage->hall, stage->chat, PLACE);
    die(stage, 0);
    const struct fake_message *const hand = fake_newest(stage->chat, CHAT_HAND, PLACE, name);
    assert_non_null(hand);
    assert_int_equal(hand->key.number, key.number);
    assert_int_equal(hand->key.epoch, key.epoch);
    assert_string_not_equal(hand->replaces, "");
    assert_int_equal(count_made(stage, CHAT_HAND), 0);
    assert_int_equal(hall_version(stage->hall, stage->chat, PLACE), version); // without a commit
    assert_int_equal(stage_unsent(stage), 0);
    const struct chat_in in = {.place = name,
                               .person = name,
                               .line = "",
                               .direct = true,
                               .path = hand->path,
                               .pressed = 1};
    stage_press(stage, stage->chat, hand, &in);
    assert_int_equal(hall_stats(stage->hall)->stale, 0); // it is the hand of this state
}

static void superseded_boards_vanish(void **state)
{
    static const char *const PEOPLE[] = {"Bob", "Cy", "Dot", "Eve"};
    struct stage *const stage = *state;
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    fake_forget(stage->chat);
    fake_fail_to(stage->chat, NULL, MB_ERR_RETRY);
    for (unsigned i = 0; i < 4; i++) {
        size_t count = 0;
        stage_say(stage, PLACE, PEOPLE[i], "join");
        (void)row_of(stage, 1, &count);
        assert_int_equal(count, 1);
    }
    fake_fail_to(stage->chat, NULL, MB_OK);
    stage_pass(stage, HALL_RETRY_LAST_MS);
    assert_int_equal(fake_count_of(stage->chat, CHAT_CARD), 1);
    assert_int_equal(fake_count_of(stage->chat, CHAT_NARRATION), 4);
    assert_non_null(strstr(card(stage)->text, "Eve"));
    assert_card_is_current(stage);
    assert_int_equal(stage_unsent(stage), 0);
}

// Boards are no bytes in the store, and a narration is kept once.
static void rows_hold_no_words_of_boards(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    const struct table *const table = stage_table(stage, PLACE);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, table_seat_name(table, query_turn(table_game(table))), "kick");
    const struct store_answer *const answer = kept(stage);
    unsigned boards = 0;
    unsigned narrations = 0;
    for (size_t i = 0; i < answer->message_count; i++) {
        const struct store_message *const message = &answer->messages[i];
        boards += message->board != 0 ? 1 : 0;
        assert_true(message->board == 0 || message->bytes.size == 0);
        if (message->narration != NULL) {
            narrations++; // its bytes say to whom it goes
            assert_true(message->bytes.size < strlen(message->narration));
        }
    }
    assert_true(boards >= 2);
    assert_int_equal(narrations, 1);
}

// Bob's hand could not be sent; by the time it can be, it is not his any more.
static void a_hand_is_shown_to_nobody_who_has_left(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    fake_fail_to(stage->chat, "Bob", MB_ERR_RETRY);
    fake_forget(stage->chat);
    for (unsigned i = 0; i < 50 && stage_unsent(stage) == 0; i++) {
        stage_wait(stage, PLACE);
    }
    size_t count = 0;
    const unsigned seat = 1;
    (void)row_of(stage, (uint8_t)(1 + TABLE_SITES_MAX + seat), &count);
    assert_int_equal(count, 1);
    stage_say(stage, PLACE, "Bob", "leave");
    stage_say(stage, PLACE, "Bob", "leave");
    assert_int_equal(table_people_seats(stage_table(stage, PLACE)) >> seat & 1u, 0);
    fake_forget(stage->chat);
    fake_fail_to(stage->chat, "Bob", MB_OK);
    stage_pass(stage, HALL_RETRY_LAST_MS);
    assert_null(fake_find(stage->chat, "Bob", "Your hand"));
    assert_int_equal(stage_unsent(stage), 0);
}

// It is told in the hand's place, once, whatever dies in between.
static void a_hand_says_that_it_is_nobodys_any_more(void **state)
{
    struct stage *const stage = *state;
    open_lobby(stage);
    stage_say(stage, PLACE, "Ann", "start");
    stage_wait(stage, PLACE);
    const size_t made = hands_made_for(stage, "Bob");
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Bob", "leave");
    die(stage, 0);
    const struct fake_message *const hand = hand_of(stage, "Bob");
    assert_string_equal(hand->text, text_sentence(TEXT_HAND_LEFT));
    assert_int_equal(hand->control_count, 0);
    assert_string_not_equal(hand->replaces, "");
    assert_int_equal(hands_made_for(stage, "Bob"), made);
    assert_non_null(strstr(hand_of(stage, "Cy")->text, "Your hand: "));
    assert_int_equal(stage_unsent(stage), 0);
    stage_say(stage, PLACE, "Bob", "join");
    assert_non_null(strstr(hand_of(stage, "Bob")->text, "Your hand: "));
    stage_say(stage, PLACE, "Ann", "end");
    stage_say(stage, PLACE, "Ann", "end");
    assert_string_equal(hand_of(stage, "Cy")->text, text_sentence(TEXT_HAND_OVER));
    assert_int_equal(hand_of(stage, "Cy")->control_count, 0);
    assert_int_equal(stage_unsent(stage), 0);
}

// Who has not acted yet knows their cards: the end is no reason to tell them once more.
static void what_a_hand_has_told_is_not_told_at_the_end(void **state)
{
    struct stage *const stage = *state;
    open_lobby(stage);
    stage_say(stage, PLACE, "Ann", "start");
    stage_wait(stage, PLACE);
    assert_null(strstr(hand_of(stage, "Cy")->text, "You are dealt")); // it shows them
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Ann", "end");
    stage_say(stage, PLACE, "Ann", "end");
    assert_string_equal(hand_of(stage, "Cy")->text, text_sentence(TEXT_HAND_OVER));
    assert_null(fake_newest(stage->chat, CHAT_WHISPER, PLACE, "Cy"));
    assert_null(fake_find(stage->chat, "Cy", "You are dealt"));
}

// The message of an older game is no board of the next one.
static void a_card_of_the_old_game_is_nobodys(void **state)
{
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 1, 2);
    fake_hold(stage->chat, true);
    stage_say(stage, PLACE, "Ann", "end");
    stage_say(stage, PLACE, "Ann", "end");
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_OVER);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    fake_forget(stage->chat);
    fake_hold(stage->chat, false);
    while (fake_deliver(stage->chat, NULL)) {
    }
    stage_pass(stage, HALL_RETRY_LAST_MS);
    assert_int_equal(table_state(stage_table(stage, PLACE)), TABLE_LOBBY);
    assert_string_equal(card(stage)->bond.table, table_id(stage_table(stage, PLACE)));
    assert_string_equal(card(stage)->replaces, "");
    stage_say(stage, PLACE, "Bob", "join");
    assert_string_not_equal(card(stage)->replaces, "");
    assert_int_equal(stage_unsent(stage), 0);
}

/* What is longer than a message can show. */

static void what_is_too_long_is_cut_and_says_so(void **state)
{
    enum { SHORT = 200 };
    struct stage *const stage = *state;
    fake_show_at_most(stage->chat, SHORT);
    stage_start(stage, PLACE, 3, 0);
    const struct table *const table = stage_table(stage, PLACE);
    char name[64];
    (void)snprintf(name, sizeof name, "%s", table_seat_name(table, query_turn(table_game(table))));
    stage_say(stage, PLACE, name, "hand");
    assert_int_equal(hall_stats(stage->hall)->undeliverable, 0);
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        assert_true(strlen(fake_message(stage->chat, i)->text) <= SHORT);
    }
    const struct fake_message *const hand = fake_newest(stage->chat, CHAT_HAND, PLACE, name);
    assert_non_null(hand);
    assert_non_null(fake_find(stage->chat, NULL, text_sentence(TEXT_HALL_MORE_CARD)));
    assert_non_null(strstr(hand->text, text_sentence(TEXT_HALL_MORE_HAND)));
}

// The log has all of a narration, and an answer that nothing keeps comes in parts.
static void the_log_tells_what_was_cut(void **state)
{
    enum { SHORT = 200 };
    static char whole[1 << 14];
    static char parts[1 << 14];
    struct stage *const stage = *state;
    stage_start(stage, PLACE, 3, 0);
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Eve", "log 20");
    (void)snprintf(whole, sizeof whole, "%s", fake_message(stage->chat, 0)->text);
    assert_int_equal(fake_count(stage->chat), 1);
    assert_true(strlen(whole) > (size_t)2 * SHORT);
    fake_show_at_most(stage->chat, SHORT);
    fake_forget(stage->chat);
    stage_say(stage, PLACE, "Eve", "log 20");
    size_t used = 0;
    for (size_t i = 0; i < fake_count(stage->chat); i++) {
        used += (size_t)snprintf(parts + used, sizeof parts - used, "%s",
                                 fake_message(stage->chat, i)->text);
    }
    assert_true(fake_count(stage->chat) > 2);
    assert_string_equal(parts, whole);
}

static void a_deleted_hand_of_who_changed_seats_is_posted_anew(void **state)
{
    enum { PIECES = 12, CALLS = 200 };
    struct stage *const stage = *state;
    stage->pieces = PIECES; // so that a call ends, whatever happens
    stage_again(stage);
    stage_say(stage, PLACE, "Ann", "new sets=classic");
    stage_say(stage, PLACE, "Bob", "join male");
    char id[CHAT_TABLE_SIZE];
    (void)snprintf(id, sizeof id, "%s", fake_newest(stage->chat, CHAT_HAND, PLACE, "Bob")->id);
    fake_remove(stage->chat, id);
    const uint64_t sent = hall_stats(stage->hall)->sent;
    assert_true(fake_hear(stage->chat, PLACE, "Ann", "leave"));
    for (unsigned i = 0; i < CALLS; i++) {
        hall_hear(stage->hall);
    }
    assert_in_range(hall_stats(stage->hall)->sent - sent, 1, PIECES);
    assert_string_not_equal(fake_newest(stage->chat, CHAT_HAND, PLACE, "Bob")->id, id);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_card_that_arrived_unheard_is_not_posted_again),
        CASE(a_card_that_was_lost_is_posted_as_the_table_is_now),
        CASE(who_sits_down_is_shown_where_the_hand_will_be_and_it_comes_there),
        CASE(a_hand_before_the_deal_outlives_who_moves_and_who_dies),
        CASE(a_first_hand_on_its_way_is_not_posted_twice_for_who_moves),
        CASE(who_asks_before_the_deal_is_shown_that_place_again),
        CASE(the_one_that_makes_a_card_is_found_behind_newer_ones),
        CASE(a_hand_is_made_anew_under_its_key),
        CASE(superseded_boards_vanish),
        CASE(rows_hold_no_words_of_boards),
        CASE(a_hand_is_shown_to_nobody_who_has_left),
        CASE(a_deleted_hand_of_who_changed_seats_is_posted_anew),
        CASE(a_hand_says_that_it_is_nobodys_any_more),
        CASE(what_a_hand_has_told_is_not_told_at_the_end),
        CASE(a_card_of_the_old_game_is_nobodys),
        CASE(what_is_too_long_is_cut_and_says_so),
        CASE(the_log_tells_what_was_cut),
    };
#undef CASE
    catalog = given_catalog();
    const int failed = cmocka_run_group_tests_name("hall_boards", tests, NULL, NULL);
    catalog_destroy(catalog);
    return failed;
}
