// Clocks, reminders, stand-ins, standing orders: time is the test's.
#include <string.h>

#include "core/state/refusal.h"

#include "tests/support/talk.h"
#include "tests/support/test.h"

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)

static void the_absent_are_reminded_twice_and_stood_in_for(void **state)
{
    struct talk *const t = *state;
    const unsigned turn = talk_first_turn(t, "turn=4m", 3);
    const char *const name = solo_seat_name(t->solo, turn);
    const char *const other = solo_seat_name(t->solo, (turn + 1) % 3);
    talk_forget(t);
    talk_wait(t, 2 * MINUTE_MS - 1);
    assert_int_equal(t->heard_count, 0);
    talk_wait(t, 1);
    assert_true(talk_heard(t, name, "still your move. In 2 minutes"));
    assert_false(talk_heard(t, other, "still your move"));
    assert_false(talk_heard(t, NULL, "waiting"));
    talk_wait(t, MINUTE_MS - 1);
    assert_int_equal(t->heard_count, 1);
    talk_wait(t, 1);
    assert_true(talk_heard(t, NULL, "Still waiting for"));
    assert_true(talk_heard(t, NULL, "in 60 seconds"));
    const uint32_t version = query_version(talk_game(t));
    talk_wait(t, MINUTE_MS);
    assert_true(talk_heard(t, NULL, "a stand-in acts"));
    assert_true(query_version(talk_game(t)) > version);
}

static void the_stand_in_does_not_wait_each_time(void **state)
{
    struct talk *const t = *state;
    const unsigned turn = talk_first_turn(t, "turn=4m decision=4m", 3);
    talk_wait(t, 4 * MINUTE_MS);
    // From here on the seat acts at the instants of bot players: long before another clock of four
    // minutes could be over, others are waited for.
    const uint32_t version = query_version(talk_game(t));
    talk_wait(t, 3 * MINUTE_MS);
    assert_true(query_version(talk_game(t)) > version);
    assert_int_equal(solo_due(t->solo).seats & seat_bit(turn), 0);
    talk_forget(t);
    talk_do(t, solo_seat_name(t->solo, turn), "orders clear");
    assert_true(talk_heard(t, NULL, "is back and plays again"));
}

static void a_word_brings_one_back(void **state)
{
    struct talk *const t = *state;
    const unsigned turn = talk_first_turn(t, "turn=1m", 5);
    const char *const name = solo_seat_name(t->solo, turn);
    talk_wait(t, MINUTE_MS);
    (void)talk_code(t, name, "status"); // looking takes nothing back
    assert_false(talk_heard(t, NULL, "is back"));
    (void)talk_code(t, name, "loot");
    assert_true(talk_heard(t, NULL, "is back and plays again"));
}

static void the_set_up_waits_for_nobody_for_ever(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 6);
    talk_do(t, "Ann", "done");
    talk_wait(t, 3 * MINUTE_MS);
    assert_true(talk_heard(t, NULL, "Bob and Cy do not answer"));
    assert_int_equal(query_phase(talk_game(t)), PHASE_START);
}

// A game that rests goes on with any word of the game.
static void wake(struct talk *t)
{
    if (solo_state(t->solo) == TABLE_RUNNING && solo_due(t->solo).kind == TABLE_DUE_NEVER) {
        talk_do(t, "Ann", "orders clear");
    }
}

static void a_game_that_nobody_comes_to_rests(void **state)
{
    enum { DAY_MS = 86400000 };
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 8);
    const unsigned round = query_round(talk_game(t));
    talk_wait(t, DAY_MS);
    assert_true(talk_heard(t, NULL, "not answer: a stand-in plays")); // stood in for, for a while
    assert_true(query_round(talk_game(t)) > round);
    assert_true(query_round(talk_game(t)) <= round + 4);
    assert_true(talk_heard(t, NULL, "Nobody has played for two rounds"));
    assert_int_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    const uint64_t digest = game_digest(talk_game(t));
    const size_t said = t->heard_count;
    talk_wait(t, DAY_MS);
    assert_true(game_digest(talk_game(t)) == digest);
    assert_int_equal(t->heard_count, said);
    talk_do(t, "Ann", "status"); // who only looks does not play
    assert_true(talk_heard(t, "Ann", "On hold: any player's next game command continues it."));
    assert_int_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    talk_do(t, "Ann", "pause");
    talk_do(t, "Ann", "resume"); // who says so is there
    assert_true(talk_heard(t, NULL, "Ann is back and plays again"));
    assert_int_not_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    talk_wait(t, DAY_MS);
    assert_int_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    talk_do(t, "Bob", "orders clear");
    assert_true(talk_heard(t, NULL, "Bob is back and plays again"));
    assert_int_not_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
}

// Nobody is ever there: what the stand-in does must never be what it never does.
static void stand_ins_do_the_least(void **state)
{
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 8);
    for (unsigned i = 0;
         i < 4000 && solo_state(t->solo) == TABLE_RUNNING && query_round(talk_game(t)) < 12; i++) {
        talk_wait(t, solo_due(t->solo).ms);
        wake(t);
    }
    assert_true(query_round(talk_game(t)) >= 12);
    const struct journal *const journal = solo_journal(t->solo);
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_entry *const entry = &journal->entries[i];
        const unsigned verb = entry->command.verb;
        if (entry->kind == JOURNAL_COMMAND && i > 3) {
            assert_true(verb != VERB_SELL && verb != VERB_OFFER && verb != VERB_GIVE &&
                        verb != VERB_PLAY && verb != VERB_USE && verb != VERB_ASK &&
                        verb != VERB_VOLUNTEER && verb != VERB_ACCEPT && verb != VERB_HOLD);
        }
    }
}

static void orders_are_shown_set_and_bounded(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 7);
    talk_do(t, "Ann", "orders");
    assert_true(talk_heard(t, "Ann", "You have no standing orders"));
    assert_int_equal(talk_code(t, "Ann", "orders pass below 999"), REFUSAL_BAD_ARGUMENTS);
    assert_true(talk_heard(t, "Ann", "a Level from 2 to 10"));
    assert_int_equal(talk_code(t, "Ann", "orders pass below 1"), REFUSAL_BAD_ARGUMENTS);
    talk_do(t, "Ann", "orders pass below 7");
    talk_forget(t);
    talk_do(t, "Ann", "orders");
    assert_true(talk_heard(t, "Ann", "would not reach Level 7"));
    assert_false(talk_heard(t, NULL, "Level 7")); // private
    talk_do(t, "Ann", "orders ask always");
    talk_forget(t);
    talk_do(t, "Ann", "orders");
    assert_true(talk_heard(t, "Ann", "You have no standing orders"));
    assert_int_equal(talk_code(t, "Dot", "orders clear"), REFUSAL_NOT_AT_TABLE);
}

static void an_order_until_ones_turn_ends_with_it(void **state)
{
    struct talk *const t = *state;
    const unsigned first = talk_first_turn(t, "", 7);
    const unsigned next = (first + 1) % 3;
    const char *const mine = solo_seat_name(t->solo, first);
    const char *const name = solo_seat_name(t->solo, next);
    talk_do(t, name, "orders pass until my turn");
    talk_do(t, mine, "orders pass until my turn"); // in one's own turn: until the one after it
    for (unsigned i = 0; i < 400 && query_turn(talk_game(t)) == first; i++) {
        talk_forget(t);
        talk_do(t, name, "orders");
        assert_true(talk_heard(t, name, "until your next turn"));
        talk_wait(t, solo_due(t->solo).ms);
    }
    assert_int_equal(query_turn(talk_game(t)), next);
    talk_forget(t);
    talk_do(t, name, "orders");
    talk_do(t, mine, "orders");
    assert_true(talk_heard(t, name, "You have no standing orders"));
    assert_true(talk_heard(t, mine, "until your next turn"));
}

static void who_comes_back_has_the_order_of_the_pace(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "pace=async", 7);
    talk_do(t, "Bob", "leave");
    talk_do(t, "Bob", "join");
    talk_do(t, "Bob", "orders");
    assert_true(talk_heard(t, "Bob", "would not reach Level 7"));
}

static void the_async_pace_announces_its_default_order(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "pace=async", 7);
    assert_true(
        talk_heard(t, NULL, "By default I pass for everybody when a win would not reach Level 7"));
    talk_do(t, "Bob", "orders");
    assert_true(talk_heard(t, "Bob", "would not reach Level 7"));
}

static void statistics_count_finished_games_only(void **state)
{
    struct talk *const t = *state;
    struct deed_stats line;
    talk_start(t, "", 1);
    talk_do(t, "Ann", "end");
    talk_do(t, "Ann", "end");
    assert_false(solo_stats(t->solo, "Ann", &line));
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    for (unsigned i = 0; i < 200000 && solo_state(t->solo) == TABLE_RUNNING; i++) {
        talk_wait(t, solo_due(t->solo).ms);
        wake(t);
        talk_forget(t);
    }
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
    assert_true(solo_stats(t->solo, "Ann", &line));
    assert_int_equal(line.games, 1);
    assert_false(solo_stats(t->solo, "Mildred", &line)); // bots have no record
    talk_do(t, "Ann", "stats");
    assert_true(talk_heard(t, "Ann", "Ann: 1 game finished"));
    talk_do(t, "Bob", "stats");
    assert_true(talk_heard_text(t, "Bob", TEXT_STATS_NONE, TEXT_ARGS(text_str("who", "Bob"))));
    talk_do(t, "Ann", "stats forget");
    assert_false(solo_stats(t->solo, "Ann", &line));
    talk_do(t, "Ann", "stats forget");
    assert_true(talk_heard(t, "Ann", "no statistics to delete"));
}

int main(void)
{
#define TALK(name) cmocka_unit_test_setup_teardown(name, talk_set_up, talk_tear_down)
    const struct CMUnitTest tests[] = {
        TALK(the_absent_are_reminded_twice_and_stood_in_for),
        TALK(the_stand_in_does_not_wait_each_time),
        TALK(a_word_brings_one_back),
        TALK(the_set_up_waits_for_nobody_for_ever),
        TALK(a_game_that_nobody_comes_to_rests),
        TALK(stand_ins_do_the_least),
        TALK(orders_are_shown_set_and_bounded),
        TALK(an_order_until_ones_turn_ends_with_it),
        TALK(who_comes_back_has_the_order_of_the_pace),
        TALK(the_async_pace_announces_its_default_order),
        TALK(statistics_count_finished_games_only),
    };
#undef TALK
    return cmocka_run_group_tests_name("table_time", tests, NULL, NULL);
}
