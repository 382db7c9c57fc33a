// Who sits at a table and who may say so: whole conversations of lobbies and of running games.
#include <string.h>

#include "core/state/refusal.h"

#include "bot/parse/verb.h"

#include "tests/support/talk.h"
#include "tests/support/test.h"

static void the_last_to_leave_closes_the_lobby(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Bob", "join");
    talk_do(t, "Ann", "leave");
    assert_true(talk_heard(t, NULL, "Bob is the host now"));
    assert_int_equal(solo_state(t->solo), TABLE_LOBBY);
    talk_do(t, "Bob", "leave");
    assert_true(talk_heard(t, NULL, "the table is closed"));
    assert_int_equal(solo_state(t->solo), TABLE_EMPTY);
    assert_int_equal(talk_code(t, "Cy", "join"), REFUSAL_NO_TABLE);
    talk_do(t, "Cy", "new players=4");
    assert_int_equal(solo_seat_count(t->solo), 1);
}

static void joining_again_changes_the_sex_only_when_said(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "join female");
    assert_true(talk_heard(t, "Ann", "You play a woman"));
    talk_do(t, "Ann", "join");
    assert_true(talk_heard(t, "Ann", "You already sit here, and play a woman"));
    assert_false(talk_heard(t, "Ann", "You play a man"));
    talk_do(t, "Ann", "join male");
    assert_true(talk_heard(t, "Ann", "You play a man"));
}

static void the_lobby_tells_what_its_sheet_does_not(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "status");
    assert_false(talk_heard(t, "Ann", "  + "));
    talk_do(t, "Ann", "end");
    talk_do(t, "Ann", "new sets=classic,legends house=legends preset=strict flag=promise_hand=on");
    talk_do(t, "Ann", "status");
    assert_true(talk_heard(t, "Ann", "  + The rules are those of the legends sheet."));
    assert_true(talk_heard(t, "Ann", "  + An Elf who helps gains no Level."));
    assert_false(talk_heard(t, "Ann", "promised")); // as the sheet has it
}

static void strangers_add_no_bots(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new players=3");
    assert_int_equal(talk_code(t, "Eve", "add-bot"), REFUSAL_NOT_AT_TABLE);
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "add-bot");
    assert_int_equal(talk_code(t, "Ann", "add-bot"), REFUSAL_TABLE_FULL);
    assert_int_equal(talk_code(t, "Ann", "remove Nobody"), REFUSAL_NO_SUCH_PLAYER);
    talk_do(t, "Ann", "remove Norbert");
    assert_int_equal(solo_seat_count(t->solo), 2);
}

// Commands could tell neither of the two from the other.
static void no_bot_is_called_like_a_person(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "MILDRED!", "new players=3");
    talk_do(t, "MILDRED!", "add-bot");
    assert_string_equal(solo_seat_name(t->solo, 1), "Norbert");
    talk_do(t, "norbert.", "join"); // and who comes later is told apart
    assert_string_equal(solo_seat_name(t->solo, 2), "norbert. 2");
}

static void the_host_passes_on_while_the_game_runs(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 3);
    assert_int_equal(talk_code(t, "Bob", "pause"), REFUSAL_NOT_HOST);
    talk_do(t, "Ann", "leave");
    assert_true(talk_heard(t, NULL, "a bot player takes over"));
    assert_true(talk_heard(t, NULL, "Bob is the host now"));
    talk_do(t, "Bob", "pause");
    talk_do(t, "Bob", "resume");
    talk_do(t, "Ann", "join");
    assert_true(talk_heard(t, NULL, "Ann is back"));
    assert_int_equal(talk_code(t, "Ann", "pause"), REFUSAL_NOT_HOST);
    assert_int_equal(talk_code(t, "Ann", "join"), REFUSAL_TABLE_RUNNING);
}

static void before_the_game_and_twice_paused_the_sentence_fits(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    assert_int_equal(talk_code(t, "Ann", "kick"), REFUSAL_NO_TABLE);
    assert_true(talk_heard(t, "Ann", "game has not begun"));
    assert_int_equal(talk_code(t, "Ann", "hand"), REFUSAL_NO_TABLE);
    assert_false(talk_heard(t, "Ann", "There is no table here"));
    talk_do(t, "Bob", "join");
    talk_do(t, "Cy", "join");
    talk_do(t, "Ann", "start");
    talk_forget(t);
    assert_int_equal(talk_code(t, "Ann", "resume"), REFUSAL_WRONG_PHASE);
    assert_true(talk_heard(t, "Ann", "The table is not paused"));
    talk_do(t, "Ann", "pause");
    talk_forget(t);
    assert_int_equal(talk_code(t, "Ann", "pause"), REFUSAL_WRONG_PHASE);
    assert_true(talk_heard(t, "Ann", "The table is paused; the host can"));
}

static void a_deserted_game_waits(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 4);
    talk_do(t, "Cy", "leave");
    talk_do(t, "Bob", "leave");
    talk_do(t, "Ann", "leave");
    assert_true(talk_heard(t, NULL, "Nobody is left: the game waits"));
    assert_int_equal(solo_due(t->solo).kind, TABLE_DUE_NEVER);
    assert_int_equal(talk_code(t, "Dot", "join"), REFUSAL_TABLE_FULL);
    talk_do(t, "Cy", "join");
    assert_true(talk_heard(t, NULL, "Cy is the host now"));
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    talk_do(t, "Cy", "leave");
    talk_do(t, "Dot", "new");
    assert_true(talk_heard_kind(t, NULL, TEXT_SEED_REVEALED));
    assert_int_equal(solo_state(t->solo), TABLE_LOBBY);
    assert_int_equal(solo_seat_count(t->solo), 1);
}

static void late_joiners_sit_down_between_turns(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new pace=live");
    talk_do(t, "Bob", "join");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    talk_do(t, "Ann", "done");
    talk_do(t, "Bob", "done");
    for (unsigned i = 0; i < 600; i++) { // into the middle of somebody's turn
        const unsigned phase = query_phase(talk_game(t));
        if (phase != PHASE_SETUP && phase != PHASE_START) {
            break;
        }
        const struct table_due due = solo_due(t->solo);
        talk_wait(t, due.ms);
    }
    assert_int_not_equal(query_phase(talk_game(t)), PHASE_START);
    talk_do(t, "Dot", "join");
    assert_true(talk_heard_text(t, "Dot", TEXT_SESSION_WAITS, NULL));
    assert_false(talk_heard(t, NULL, "Dot")); // no news for the table
    assert_true(solo_seat_is_bot(t->solo, 2));
    talk_do(t, "Dot", "join");
    assert_true(talk_heard(t, "Dot", "I'm keeping a seat for you"));
    assert_int_equal(talk_code(t, "Eve", "join"), REFUSAL_TABLE_FULL);
    assert_int_equal(talk_code(t, "Dot", "kick"), REFUSAL_NOT_AT_TABLE);
    for (unsigned i = 0; i < 600 && solo_seat_is_bot(t->solo, 2); i++) {
        talk_wait(t, solo_due(t->solo).ms);
    }
    assert_true(talk_heard(t, NULL, "Dot takes Mildred's seat"));
    assert_int_equal(talk_seat(t, "dot"), 2);
    talk_do(t, "Dot", "hand");
    // A person has held it now: it is Dot's alone.
    talk_do(t, "Dot", "leave");
    assert_int_equal(talk_code(t, "Eve", "join"), REFUSAL_TABLE_FULL);
    talk_do(t, "Dot", "join");
    assert_false(solo_seat_is_bot(t->solo, 2));
}

static void who_waits_for_a_seat_may_think_better_of_it(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Bob", "join");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    assert_int_equal(query_phase(talk_game(t)), PHASE_SETUP);
    talk_do(t, "Dot", "join");
    assert_true(talk_heard_text(t, "Dot", TEXT_SESSION_WAITS, NULL));
    talk_do(t, "Dot", "hand"); // no look before the game
    assert_true(talk_heard_text(t, "Dot", TEXT_HAND_ONLOOKER, NULL));
    talk_do(t, "Dot", "leave");
    assert_true(talk_heard_text(t, "Dot", TEXT_SESSION_WAITS_NOT, NULL));
    assert_int_equal(talk_code(t, "Eve", "leave"), REFUSAL_NOT_AT_TABLE);
    talk_do(t, "Dot", "join");
    talk_do(t, "Ann", "done");
    talk_do(t, "Bob", "done");
    for (unsigned i = 0; i < 20 && query_phase(talk_game(t)) == PHASE_SETUP; i++) {
        talk_wait(t, solo_due(t->solo).ms);
    }
    assert_true(talk_heard(t, NULL, "Dot takes Mildred's seat"));
}

static void ending_asks_once(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 5);
    assert_int_equal(talk_code(t, "Bob", "end"), REFUSAL_NOT_HOST);
    talk_do(t, "Ann", "end");
    assert_true(talk_heard(t, "Ann", "say \"end\" once more"));
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    talk_do(t, "Ann", "status"); // thought better of it
    talk_do(t, "Ann", "end");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    talk_do(t, "Ann", "end");
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
    assert_false(talk_heard_kind(t, NULL, TEXT_SEED_REVEALED));
    talk_do(t, "Cy", "rules fair");
    assert_true(talk_heard_kind(t, "Cy", TEXT_SEED_REVEALED));
    assert_int_equal(talk_code(t, "Ann", "kick"), REFUSAL_GAME_OVER);
    assert_int_equal(talk_code(t, "Ann", "leave"), REFUSAL_NO_TABLE);
}

static void a_moderator_ends_what_is_not_theirs(void **state)
{
    struct talk *const t = *state;
    struct refusal why = {0};
    talk_start(t, "", 6);
    assert_false(solo_person_line(t->solo, "Mod", "end", &why));
    assert_int_equal(why.code, REFUSAL_NOT_AT_TABLE);
    assert_true(solo_moderator_line(t->solo, "Mod", "end", &why));
    assert_true(solo_moderator_line(t->solo, "Mod", "end", &why));
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
    assert_false(solo_moderator_line(t->solo, "Mod", "start", &why));
}

static void the_next_table_has_the_same_settings(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "players=3 variant=epic pace=slow", 7);
    talk_do(t, "Ann", "end");
    talk_do(t, "Ann", "end");
    talk_do(t, "Bob", "new");
    assert_int_equal(solo_box(t->solo)->profile.constant[PROFILE_GOAL], PROFILE_EPIC_GOAL);
    assert_int_equal(solo_seat_count(t->solo), 3);
    talk_do(t, "Bob", "end"); // a lobby closes at once
    assert_int_equal(solo_state(t->solo), TABLE_EMPTY);
}

static void who_played_is_asked_to_play_again(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new players=4");
    talk_do(t, "Bob", "join female");
    talk_do(t, "Cy", "join");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    talk_do(t, "Ann", "end");
    talk_do(t, "Ann", "end");
    talk_forget(t);
    talk_do(t, "Bob", "new");
    assert_true(talk_heard(t, NULL, "Bob wants to play again"));
    assert_true(talk_heard(t, NULL, "Mildred comes along"));
    assert_true(talk_heard(t, NULL, "Ann and Cy: are you in?"));
    assert_int_equal(solo_seat_count(t->solo), 4);
    assert_int_equal(talk_code(t, "Dot", "join"), REFUSAL_TABLE_FULL); // their seats are held
    assert_int_equal(talk_code(t, "Bob", "start"), REFUSAL_TOO_FEW_PLAYERS);
    assert_true(talk_heard(t, "Bob", "Ann and Cy have not said \"join\" yet"));
    talk_do(t, "Cy", "new"); // as good as "join"
    assert_true(talk_heard(t, NULL, "Cy is in"));
    talk_do(t, "Bob", "start");
    assert_true(talk_heard(t, NULL, "Ann has not answered"));
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_int_equal(solo_seat_count(t->solo), 3);
    assert_true(solo_seat_is_bot(t->solo, 1) || solo_seat_is_bot(t->solo, 2));
}

static void who_is_asked_is_nobodys_host(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 7);
    talk_do(t, "Ann", "end");
    talk_do(t, "Ann", "end");
    talk_do(t, "Bob", "new");
    talk_do(t, "Cy", "leave"); // no
    assert_int_equal(solo_seat_count(t->solo), 2);
    talk_do(t, "Bob", "leave"); // nobody is there who has agreed
    assert_int_equal(solo_state(t->solo), TABLE_EMPTY);
}

static void a_bots_name_opens_no_hand(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    talk_forget(t);
    assert_int_equal(talk_code(t, "Mildred", "done"), REFUSAL_NOT_AT_TABLE);
    struct card_list hand;
    query_pile(talk_game(t), pile_hand(1), &hand);
    (void)talk_code(t, "Mildred", "hand");
    for (unsigned i = 0; i < hand.count; i++) {
        const unsigned def = solo_box(t->solo)->card_def[hand.cards[i]];
        assert_false(talk_heard(t, "Mildred", catalog_name(t->catalog, def)));
    }
}

static void setup_ends_when_all_are_done(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 8);
    talk_do(t, "Ann", "done");
    assert_true(talk_heard(t, "Ann", "you may still put cards in play"));
    assert_int_equal(query_phase(talk_game(t)), PHASE_SETUP);
    talk_do(t, "Bob", "done");
    talk_do(t, "Cy", "done");
    assert_int_equal(query_phase(talk_game(t)), PHASE_START);
}

static void removed_players_are_replaced(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 9);
    assert_int_equal(talk_code(t, "Bob", "remove Cy"), REFUSAL_NOT_HOST);
    talk_do(t, "Ann", "remove Cy");
    assert_true(solo_seat_is_bot(t->solo, 2));
    assert_int_equal(talk_code(t, "Ann", "remove Cy"), REFUSAL_ILLEGAL_TARGET);
}

static void every_look_is_answered(void **state)
{
    struct talk *const t = *state;
    const struct verb_entry *entry = NULL;
    talk_start(t, "", 3);
    while ((entry = verb_next(entry)) != NULL) {
        if (entry->group == VERBS_LOOK || entry->group == VERBS_OWN) {
            talk_forget(t);
            talk_say(t, "Cy", entry->word);
            assert_int_not_equal(t->heard_count, 0);
        }
    }
}

int main(void)
{
#define TALK(name) cmocka_unit_test_setup_teardown(name, talk_set_up, talk_tear_down)
    const struct CMUnitTest tests[] = {
        TALK(the_last_to_leave_closes_the_lobby),
        TALK(joining_again_changes_the_sex_only_when_said),
        TALK(the_lobby_tells_what_its_sheet_does_not),
        TALK(strangers_add_no_bots),
        TALK(no_bot_is_called_like_a_person),
        TALK(the_host_passes_on_while_the_game_runs),
        TALK(before_the_game_and_twice_paused_the_sentence_fits),
        TALK(a_deserted_game_waits),
        TALK(late_joiners_sit_down_between_turns),
        TALK(who_waits_for_a_seat_may_think_better_of_it),
        TALK(ending_asks_once),
        TALK(a_moderator_ends_what_is_not_theirs),
        TALK(the_next_table_has_the_same_settings),
        TALK(who_played_is_asked_to_play_again),
        TALK(who_is_asked_is_nobodys_host),
        TALK(a_bots_name_opens_no_hand),
        TALK(setup_ends_when_all_are_done),
        TALK(removed_players_are_replaced),
        TALK(every_look_is_answered),
    };
#undef TALK
    return cmocka_run_group_tests_name("table_seats", tests, NULL, NULL);
}
