#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/policy/policy.h"

#include "tests/support/talk.h"
#include "tests/support/test.h"

static void say(struct talk *t, const char *person, const char *line)
{
    talk_say(t, person, line);
}

static unsigned code_of(struct talk *t, const char *person, const char *line)
{
    return talk_code(t, person, line);
}

static void seat_three(struct talk *t)
{
    say(t, "Ann", "new sets=classic");
    say(t, "Bob", "join male");
    say(t, "Cy", "join female");
    assert_int_equal(solo_seat_count(t->solo), 3);
}

static void a_table_is_opened_and_filled_in_chat(void **state)
{
    struct talk *const t = *state;
    assert_int_equal(solo_state(t->solo), TABLE_EMPTY);
    seat_three(t);
    assert_int_equal(solo_state(t->solo), TABLE_LOBBY);
    assert_true(talk_heard(t, NULL, "Cy sits down"));
    say(t, "Ann", "start");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_int_equal(query_phase(solo_game(t->solo)), PHASE_SETUP);
}

static void the_lobby_refuses_with_codes(void **state)
{
    struct talk *const t = *state;
    assert_int_equal(code_of(t, "Ann", "start"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(t, "Ann", "join"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(t, "Ann", "kick"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(t, "Ann", "status"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(t, "Ann", "new sets=clasic"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(t, "Ann", "new sets=classic players=3"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Bob", "new"), REFUSAL_TABLE_RUNNING);
    assert_true(talk_heard(t, "Bob", "A table is already open here"));
    assert_int_equal(code_of(t, "Ann", "start"), REFUSAL_TOO_FEW_PLAYERS);
    assert_int_equal(code_of(t, "Bob", "start"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(t, "Bob", "leave"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(t, "Bob", "join"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Bob", "start"), REFUSAL_NOT_HOST);
    assert_int_equal(code_of(t, "Bob", "add-bot clever"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(t, "Bob", "add-bot"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Cy", "join"), REFUSAL_TABLE_FULL);
    assert_int_equal(code_of(t, "Ann", "start"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Ann", "start"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(t, "Dot", "done"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(code_of(t, "Dot", "new"), REFUSAL_TABLE_RUNNING);
    assert_false(talk_heard(t, "Dot", "A table is already open here"));
    assert_int_equal(code_of(t, "Ann", "dance"), REFUSAL_UNKNOWN_COMMAND);
}

static void the_host_changes_a_table_that_has_not_begun(void **state)
{
    struct talk *const t = *state;
    assert_int_equal(code_of(t, "Ann", "add-bot"), REFUSAL_NO_TABLE);
    assert_int_equal(code_of(t, "Ann", "new sets=classic pace=slow"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Bob", "join"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Cy", "join"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Ann", "new"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(t, "Bob", "new players=4"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(t, "Dot", "new players=4"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(code_of(t, "Ann", "new players=2"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(t, "Ann", "new sets=clasic"), REFUSAL_BAD_ARGUMENTS);
    assert_int_equal(code_of(t, "Ann", "new players=3"), REFUSAL_NONE);
    assert_true(talk_heard(t, NULL, "Ann has changed the table: players=3."));
    assert_int_equal(code_of(t, "Dot", "join"), REFUSAL_TABLE_FULL);
    assert_int_equal(code_of(t, "Ann", "new players=4 sets=legends"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Dot", "join"), REFUSAL_NONE);
    assert_true(talk_heard(t, NULL, "players=4 sets=legends."));
    assert_int_equal(solo_seat_count(t->solo), 4);
    assert_int_equal(code_of(t, "Ann", "start"), REFUSAL_NONE);
    assert_int_equal(code_of(t, "Ann", "new players=5"), REFUSAL_TABLE_RUNNING);
}

static void the_host_passes_on(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "leave");
    assert_true(talk_heard(t, NULL, "Bob is the host"));
    assert_int_equal(solo_seat_count(t->solo), 2);
    assert_int_equal(talk_seat(t, "cy"), 1);
}

static void who_leaves_a_game_may_come_back(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "start");
    say(t, "Bob", "leave");
    assert_true(solo_seat_is_bot(t->solo, 1));
    assert_int_equal(code_of(t, "Dot", "join"), REFUSAL_TABLE_FULL);
    assert_true(talk_heard(t, "Dot", "No seat is free here now"));
    say(t, "Bob", "join");
    assert_false(solo_seat_is_bot(t->solo, 1));
}

static void a_paused_table_rests(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "start");
    say(t, "Ann", "status");
    assert_false(talk_heard(t, "Ann", "The table is paused"));
    say(t, "Ann", "pause");
    say(t, "Bob", "status");
    assert_true(talk_heard(t, "Bob", "The table is paused; the host can"));
    assert_int_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    const uint64_t digest = game_digest(solo_game(t->solo));
    talk_wait(t, 1000000000);
    assert_int_equal(game_digest(solo_game(t->solo)), digest);
    assert_int_not_equal(code_of(t, "Ann", "done"), REFUSAL_NONE);
    say(t, "Ann", "resume");
    assert_int_equal(code_of(t, "Ann", "done"), REFUSAL_NONE);
}

static void hands_are_told_to_their_owners_only(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "start");
    struct card_list hand;
    query_pile(solo_game(t->solo), pile_hand(1), &hand);
    assert_int_not_equal(hand.count, 0); // eight, but for cards that act when they are drawn
    talk_forget(t);
    say(t, "Bob", "hand");
    for (unsigned i = 0; i < hand.count; i++) {
        const unsigned def = solo_box(t->solo)->card_def[hand.cards[i]];
        const char *const name = catalog_name(t->catalog, def);
        assert_true(talk_heard(t, "Bob", name));
        assert_false(talk_heard(t, NULL, name));
        assert_false(talk_heard(t, "Ann", name));
    }
}

static void a_refusal_changes_nothing_and_is_private(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "start");
    const uint64_t digest = game_digest(solo_game(t->solo));
    talk_forget(t);
    say(t, "Bob", "loot");
    assert_int_equal(game_digest(solo_game(t->solo)), digest);
    assert_int_equal(t->heard_count, 1);
    assert_string_equal(t->heard[0].person, "Bob");
}

static void looking_answers(void **state)
{
    struct talk *const t = *state;
    const char *const lines[] = {"status",    "hand",     "score",        "help",
                                 "help kick", "log",      "log 3",        "rules",
                                 "why done",  "why loot", "orders clear", "card Net Troll"};
    seat_three(t);
    say(t, "Ann", "start");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const uint64_t digest = game_digest(solo_game(t->solo));
        talk_forget(t);
        say(t, "Bob", lines[i]);
        assert_int_equal(t->heard_count, 1);
        assert_string_equal(t->heard[0].person, "Bob");
        assert_true(strlen(t->heard[0].text) > 0);
        assert_int_equal(game_digest(solo_game(t->solo)), digest);
    }
}

static void bots_play_to_the_end_by_themselves(void **state)
{
    struct talk *const t = *state;
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    table_options_init(&options);
    assert_true(table_options_words(&options, t->catalog, "sets=classic", &err));
    static const struct solo_seat SEATS[] = {{"Ada", true, &POLICY_RANDOM},
                                             {"Ben", false, &POLICY_RANDOM},
                                             {"Cleo", true, &POLICY_RANDOM}};
    mb_rng_seed_u64(seed, 11);
    assert_true(solo_begin(t->solo, &options, SEATS, 3, seed));
    for (unsigned i = 0; i < 200000 && solo_state(t->solo) == TABLE_RUNNING; i++) {
        const struct table_due due = solo_due(t->solo);
        assert_int_not_equal(due.kind, TABLE_DUE_NEVER);
        solo_advance(t->solo, due.ms);
        message_list_clear(solo_outbox(t->solo));
    }
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
    assert_int_not_equal(query_winners(solo_game(t->solo)), 0);
    struct refusal why = {0};
    assert_false(solo_line(t->solo, 0, "kick", &why));
    assert_int_equal(why.code, REFUSAL_NOT_AT_TABLE);
    // Who has the name of a bot player does not play its cards.
    assert_int_equal(code_of(t, "Ada", "kick"), REFUSAL_NOT_AT_TABLE);
}

static void what_people_type_makes_no_marks(void **state)
{
    struct talk *const t = *state;
    solo_marks(t->solo, true);
    say(t, "A\x10nn\033[2J", "new sets=classic");
    say(t, "Bob", "join male");
    say(t, "Cy", "join female");
    assert_string_equal(solo_seat_name(t->solo, 0), "Ann 2J");
    say(t, "A\x10nn\033[2J", "start");
    const struct message_list *const outbox = solo_outbox(t->solo);
    const char *const lines[] = {"help \x14red", "rules \x14red", "\x14red", "card \x14red",
                                 "kick \x14red"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        message_list_clear(solo_outbox(t->solo));
        (void)solo_person_line(t->solo, "Bob", lines[i], NULL);
        assert_int_equal(outbox->count, 1);
        const char *const red = strstr(outbox->items[0].text, "red");
        assert_true(red == NULL || red[-1] != '\x14');
    }
    // Marks of the bot's own are there all the same.
    message_list_clear(solo_outbox(t->solo));
    (void)solo_person_line(t->solo, "Bob", "status", NULL);
    assert_non_null(strstr(outbox->items[0].text, "\x13"
                                                  "Bob\x17"));
}

static void a_silent_table_goes_on_by_its_clocks(void **state)
{
    struct talk *const t = *state;
    seat_three(t);
    say(t, "Ann", "start");
    // Nobody ever says a word; every clock takes the default. Nothing gets stuck before it rests.
    struct table_due due = solo_due(t->solo);
    for (unsigned i = 0; i < 1000 && due.kind != TABLE_DUE_NEVER; i++) {
        talk_wait(t, due.ms);
        due = solo_due(t->solo);
    }
    assert_true(talk_heard(t, NULL, "Nobody has played for two rounds"));
    assert_true(query_round(solo_game(t->solo)) > 3);
}

static void a_restart_changes_nothing(void **state)
{
    struct talk *const t = *state;
    struct mb_error err = {0};
    seat_three(t);
    say(t, "Ann", "start");
    const uint64_t digest = game_digest(solo_game(t->solo));
    assert_true(solo_restart(t->solo, &err));
    assert_int_equal(game_digest(solo_game(t->solo)), digest);
    say(t, "Ann", "done");
    assert_int_not_equal(game_digest(solo_game(t->solo)), digest);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, talk_set_up, talk_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_table_is_opened_and_filled_in_chat),
        CASE(the_lobby_refuses_with_codes),
        CASE(the_host_changes_a_table_that_has_not_begun),
        CASE(the_host_passes_on),
        CASE(who_leaves_a_game_may_come_back),
        CASE(a_paused_table_rests),
        CASE(hands_are_told_to_their_owners_only),
        CASE(a_refusal_changes_nothing_and_is_private),
        CASE(looking_answers),
        CASE(bots_play_to_the_end_by_themselves),
        CASE(what_people_type_makes_no_marks),
        CASE(a_silent_table_goes_on_by_its_clocks),
        CASE(a_restart_changes_nothing),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
