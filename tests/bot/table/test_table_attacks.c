// What people did to spoil a table for others, and what the table makes of it.
#include <stdio.h>
#include <string.h>

#include "core/state/refusal.h"

#include "tests/support/fixture.h"
#include "tests/support/says.h"
#include "tests/support/talk.h"
#include "tests/support/test.h"

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)

enum { ANN = FIXTURE_ANN, BOB = FIXTURE_BOB, CY = FIXTURE_CY, OFFERS = 20 };

struct arranged {
    struct fixture fixture;
    struct solo *solo;
};

static int arrange(void **state)
{
    static struct arranged arranged;
    struct arranged *const a = &arranged;
    memset(a, 0, sizeof *a);
    fixture_open(&a->fixture, NULL);
    (void)fixture_card(&a->fixture, "Flaming Armor", pile_table(BOB), 0);
    arrange_seat(a->fixture.game, ANN, 9, false, false, true);
    *state = a;
    return 0;
}

static int clear_away(void **state)
{
    struct arranged *const a = *state;
    solo_destroy(a->solo);
    fixture_close(&a->fixture);
    return 0;
}

// Ann's turn is to come, with this card on top of the Door deck.
static void sit_down(struct arranged *a, const char *door)
{
    static const char *const NAMES[] = {"Ann", "Bob", "Cy"};
    fixture_next(&a->fixture, PILE_DOOR_DECK, door);
    fixture_begin(&a->fixture);
    a->solo = solo_create(a->fixture.catalog);
    solo_adopt(a->solo, &a->fixture.box, a->fixture.game, NAMES, PACE_LIVE);
}

static void does(struct arranged *a, unsigned seat, const char *line)
{
    message_list_clear(solo_outbox(a->solo));
    if (!solo_line(a->solo, seat, line, NULL)) {
        fail_msg("\"%s\" is refused: %s", line, solo_outbox(a->solo)->items[0].text);
    }
}

static unsigned code(struct arranged *a, unsigned seat, const char *line)
{
    struct refusal why = {0};
    message_list_clear(solo_outbox(a->solo));
    assert_false(solo_line(a->solo, seat, line, &why));
    return why.code;
}

static unsigned moderators_code(struct arranged *a, const char *line)
{
    struct refusal why = {0};
    return solo_moderator_line(a->solo, "Mod", line, &why) ? REFUSAL_NONE : why.code;
}

static bool told(struct arranged *a, enum text_id id, const struct text_arg *args)
{
    const struct message_list *const outbox = solo_outbox(a->solo);
    bool found = false;
    for (size_t i = 0; i < outbox->count; i++) {
        found = found || says(outbox->items[i].text, id, args);
    }
    return found;
}

static void nobody_haggles_without_end(void **state)
{
    struct arranged *const a = *state;
    sit_down(a, "Elf");
    for (unsigned i = 0; i < OFFERS; i++) {
        does(a, BOB, "give Flaming Armor to Ann");
        does(a, BOB, "withdraw");
    }
    assert_int_equal(code(a, BOB, "give Flaming Armor to Ann"), REFUSAL_LIMIT_REACHED);
    assert_true(told(a, TEXT_SESSION_OFFERS_MANY, NULL));
    does(a, ANN, "kick");
    does(a, ANN, "loot");
    does(a, ANN, "done");
    does(a, BOB, "give Flaming Armor to Ann"); // another turn
}

// Whoever is away with too many cards loses cards of the hand: a Class in play makes no room there.
static void a_stand_in_discards_from_the_hand(void **state)
{
    static const char *const HAND[] = {"Net Troll",          "Magic Missile",   "Pre-Owned Grenade",
                                       "Thirty Angry Geese", "Staff of Napalm", "Vegan Werewolf"};
    struct arranged *const a = *state;
    arrange_seat(a->fixture.game, ANN, 1, false, false, true);
    (void)fixture_card(&a->fixture, "Warrior", pile_table(ANN), 0);
    for (size_t i = 0; i < sizeof HAND / sizeof HAND[0]; i++) {
        (void)fixture_card(&a->fixture, HAND[i], pile_hand(ANN), 0);
    }
    sit_down(a, "Elf");
    does(a, ANN, "kick");
    does(a, ANN, "loot");
    does(a, ANN, "done");
    solo_let_stand_in(a->solo);
    for (unsigned i = 0; i < 10 && query_count(solo_game(a->solo), pile_hand(ANN)) > 5; i++) {
        solo_advance(a->solo, 10 * MINUTE_MS);
    }
    assert_int_equal(query_count(solo_game(a->solo), pile_hand(ANN)), 5);
    assert_int_equal(query_count(solo_game(a->solo), pile_table(ANN)), 1);
}

static void no_undo_catches_what_was_meant_for_a_deal(void **state)
{
    struct arranged *const a = *state;
    sit_down(a, "Elf");
    assert_int_equal(code(a, CY, "accept undo"), REFUSAL_NO_OFFER);
    does(a, BOB, "give Flaming Armor to Cy");
    does(a, ANN, "undo");
    assert_int_equal(code(a, CY, "accept"), REFUSAL_AMBIGUOUS_NAME);
    assert_true(
        told(a, TEXT_UNDO_OR_DEAL, TEXT_ARGS(text_str("verb", "accept"), text_num("n", 1))));
    assert_int_equal(code(a, CY, "refuse"), REFUSAL_AMBIGUOUS_NAME);
    assert_true(
        told(a, TEXT_UNDO_OR_DEAL, TEXT_ARGS(text_str("verb", "refuse"), text_num("n", 1))));
    does(a, CY, "accept undo");
    assert_int_equal(code(a, CY, "accept undo"), REFUSAL_NO_OFFER); // once is enough
    does(a, BOB, "refuse"); // nobody offers Bob anything: there is but one question
    assert_true(told(a, TEXT_UNDO_REFUSED, TEXT_ARGS(text_str("who", "Bob"))));
    does(a, CY, "accept"); // and so it is for Cy now
    assert_int_equal(query_count(solo_game(a->solo), pile_table(CY)), 1);
}

static void a_deal_is_answered_by_its_number(void **state)
{
    struct arranged *const a = *state;
    sit_down(a, "Elf");
    does(a, BOB, "give Flaming Armor to Cy");
    does(a, ANN, "undo");
    does(a, CY, "accept 1");
    assert_int_equal(query_count(solo_game(a->solo), pile_table(CY)), 1);
    assert_true(told(a, TEXT_UNDO_LAPSES, NULL));
}

static void nobody_is_robbed_of_a_win(void **state)
{
    struct arranged *const a = *state;
    sit_down(a, "Kobold Intern");
    does(a, ANN, "kick");
    assert_int_equal(solo_due(a->solo).clock, CLOCK_WINDOW);
    assert_int_equal(moderators_code(a, "end"), REFUSAL_WRONG_PHASE);
    assert_int_equal(moderators_code(a, "end"), REFUSAL_WRONG_PHASE);
    assert_int_equal(code(a, ANN, "remove Bob"), REFUSAL_WRONG_PHASE);
    assert_int_equal(code(a, ANN, "pause"), REFUSAL_WRONG_PHASE); // nor put off (G-4.4)
    solo_advance(a->solo, MINUTE_MS);
    assert_int_equal(query_phase(solo_game(a->solo)), PHASE_OVER);
}

// Once all others have the window is over.
static bool has_passed(const struct arranged *a, unsigned seat)
{
    const struct pause window = query_pause(solo_game(a->solo), PAUSE_WIN);
    return window.kind == PAUSE_NONE || (window.passed & seat_bit(seat)) != 0;
}

// Ann is about to win Level 4; Bob leaves his order so late after the window has opened, and Cy has
// one or not. When Bob has passed, in ms after the window has opened; a pause in it takes no time.
static int64_t passes_after(struct arranged *a, int64_t late_ms, bool paused, bool other)
{
    enum { TICK_MS = 100 };
    int64_t ms = late_ms;
    arrange_seat(a->fixture.game, ANN, 3, false, false, true);
    sit_down(a, "Kobold Intern");
    if (other) {
        does(a, CY, "orders pass below 10");
    }
    does(a, ANN, "kick");
    assert_int_equal(solo_due(a->solo).clock, CLOCK_WINDOW);
    if (paused) {
        does(a, ANN, "pause");
        does(a, ANN, "resume");
    }
    solo_advance(a->solo, late_ms);
    does(a, BOB, "orders pass below 10");
    for (; ms < MINUTE_MS && !has_passed(a, BOB); ms += TICK_MS) {
        solo_advance(a->solo, TICK_MS);
    }
    return ms;
}

// An order acts at the instant of bot players, and at once behind it (attack G-4.7).
static void an_order_does_not_tell_of_another(void **state)
{
    static const struct {
        int64_t late_ms, passes_ms;
        bool paused;
    } CASES[] = {{0, 2 * SECOND_MS, false},
                 {SECOND_MS, 2 * SECOND_MS, false},
                 {SECOND_MS, 2 * SECOND_MS, true},
                 {3 * SECOND_MS, 3 * SECOND_MS, false},
                 {4 * SECOND_MS, 4 * SECOND_MS, true}};
    for (size_t i = 0; i < 2 * sizeof CASES / sizeof CASES[0]; i++) {
        if (i > 0) {
            (void)clear_away(state);
            (void)arrange(state);
        }
        assert_int_equal(
            passes_after(*state, CASES[i / 2].late_ms, CASES[i / 2].paused, i % 2 == 0),
            CASES[i / 2].passes_ms);
    }
}

// Cy takes a hold back after that instant, and with it what Bob's order did.
static void nor_after_an_undo(void **state)
{
    for (unsigned i = 0; i < 2; i++) {
        if (i > 0) {
            (void)clear_away(state);
            (void)arrange(state);
        }
        struct arranged *const a = *state;
        arrange_seat(a->fixture.game, ANN, 3, false, false, true);
        sit_down(a, "Kobold Intern");
        does(a, BOB, i == 0 ? "orders clear" : "orders pass below 10");
        does(a, ANN, "kick");
        solo_advance(a->solo, SECOND_MS);
        does(a, CY, "hold");
        solo_advance(a->solo, 2 * SECOND_MS);
        assert_true(has_passed(a, BOB) == (i != 0));
        does(a, CY, "undo");
        solo_advance(a->solo, SECOND_MS);
        does(a, CY, "orders pass below 10");
        assert_true(has_passed(a, CY));
        assert_true(has_passed(a, BOB) == (i != 0));
    }
}

// An Item or anything else that the seat may put down, as a line; false if there is none.
static bool wears_something(struct talk *t, const char *name, char item[128])
{
    struct card_list hand;
    query_pile(talk_game(t), pile_hand(talk_seat(t, name)), &hand);
    for (unsigned i = 0; i < hand.count; i++) {
        const unsigned def = solo_box(t->solo)->card_def[hand.cards[i]];
        char line[160];
        (void)snprintf(item, 128, "%s", catalog_name(t->catalog, def));
        (void)snprintf(line, sizeof line, "play %s", item);
        if (talk_code(t, name, line) == REFUSAL_NONE) {
            (void)snprintf(line, sizeof line, "unequip %s", item);
            if (talk_code(t, name, line) == REFUSAL_NONE) {
                return true;
            }
        }
    }
    return false;
}

static void what_changes_nothing_stretches_no_turn(void **state)
{
    struct talk *const t = *state;
    char item[128];
    char line[160];
    const unsigned turn = talk_first_turn(t, "", 2);
    const char *const name = solo_seat_name(t->solo, turn);
    assert_true(wears_something(t, name, item));
    for (unsigned i = 0; i < 4 && query_turn(talk_game(t)) == turn; i++) {
        talk_wait(t, 170 * SECOND_MS);
        (void)snprintf(line, sizeof line, "%s %s", i % 2 == 0 ? "equip" : "unequip", item);
        talk_say(t, name, line);
    }
    assert_int_not_equal(query_turn(talk_game(t)), turn);
}

static void a_pause_is_no_lock(void **state)
{
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 2);
    talk_do(t, "Ann", "pause");
    assert_int_equal(talk_code(t, "Bob", "resume"), REFUSAL_NOT_HOST);
    assert_int_equal(talk_code(t, "Bob", "end"), REFUSAL_NOT_HOST);
    talk_wait(t, 6 * MINUTE_MS);
    assert_int_equal(talk_code(t, "Eve", "resume"), REFUSAL_NOT_AT_TABLE);
    talk_do(t, "Bob", "resume");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_int_equal(talk_code(t, "Bob", "end"), REFUSAL_NOT_HOST);
    assert_int_equal(talk_code(t, "Ann", "pause"), REFUSAL_WRONG_PHASE); // just resumed by Bob
    assert_true(talk_heard_text(t, "Ann", TEXT_SESSION_PAUSE_SOON, TEXT_ARGS(text_num("n", 6))));
    talk_wait(t, 5 * MINUTE_MS);
    assert_int_equal(talk_code(t, "Ann", "pause"), REFUSAL_WRONG_PHASE);
    talk_wait(t, MINUTE_MS);
    talk_do(t, "Ann", "pause"); // from now on it counts anew
    assert_int_equal(talk_code(t, "Bob", "resume"), REFUSAL_NOT_HOST);
    talk_wait(t, INT64_C(1440) * MINUTE_MS);
    talk_do(t, "Cy", "end");
    talk_do(t, "Cy", "end");
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
}

// Who presses [End the game] and [Yes, really] has been asked.
static void end_asks_once_however_it_is_said(void **state)
{
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 2);
    talk_do(t, "Ann", "end");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    talk_do(t, "Ann", "status"); // thought better of it
    talk_do(t, "Ann", "end now");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_int_equal(talk_code(t, "Bob", "end yes"), REFUSAL_NOT_HOST);
    talk_do(t, "Ann", "end yes");
    assert_int_equal(solo_state(t->solo), TABLE_OVER);
}

static unsigned public_lines(const struct talk *t)
{
    unsigned lines = 0;
    for (size_t i = 0; i < t->heard_count; i++) {
        lines += t->heard[i].person[0] == '\0' ? 1 : 0;
    }
    return lines;
}

// Two pauses are the host's own, one more is the table's to allow (attack G-4.4).
static void a_third_pause_asks_the_table(void **state)
{
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 2);
    for (unsigned i = 0; i < 2; i++) {
        talk_do(t, "Ann", "pause");
        assert_int_equal(solo_state(t->solo), TABLE_PAUSED);
        talk_do(t, "Ann", "resume");
    }
    assert_int_equal(talk_code(t, "Bob", "pause"), REFUSAL_NOT_HOST);
    talk_forget(t);
    talk_do(t, "Ann", "pause");
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_true(talk_heard_text(t, "", TEXT_SESSION_PAUSE_ASKS, TEXT_ARGS(text_str("who", "Ann"))));
    talk_forget(t);
    talk_do(t, "Ann", "pause"); // once is enough, and she cannot agree herself
    assert_int_equal(solo_state(t->solo), TABLE_RUNNING);
    assert_int_equal(public_lines(t), 0);
    assert_int_equal(talk_code(t, "Eve", "pause"), REFUSAL_NOT_AT_TABLE);
    talk_do(t, "Bob", "pause");
    assert_int_equal(solo_state(t->solo), TABLE_PAUSED);
    talk_do(t, "Ann", "resume");
    assert_int_equal(talk_code(t, "Bob", "pause"), REFUSAL_NOT_HOST); // that was for one pause
    talk_do(t, "Ann", "leave");
    talk_do(t, "Bob", "pause"); // another host
    assert_int_equal(solo_state(t->solo), TABLE_PAUSED);
}

static void ask_for_a_third_pause(struct arranged *a)
{
    arrange_seat(a->fixture.game, ANN, 1, false, false, true);
    sit_down(a, "Elf");
    for (unsigned i = 0; i < 2; i++) {
        does(a, ANN, "pause");
        does(a, ANN, "resume");
    }
    does(a, ANN, "pause");
}

// What a host has asked is not the next host's wish.
static void nobody_agrees_to_a_pause_that_a_host_who_is_away_wanted(void **state)
{
    struct arranged *const a = *state;
    ask_for_a_third_pause(a);
    assert_true(told(a, TEXT_SESSION_PAUSE_ASKS, TEXT_ARGS(text_str("who", "Ann"))));
    solo_let_stand_in(a->solo);
    for (unsigned i = 0; i < 60 && !told(a, TEXT_SESSION_HOST, TEXT_ARGS(text_str("who", "Bob")));
         i++) {
        solo_advance(a->solo, 10 * SECOND_MS);
    }
    assert_int_equal(code(a, CY, "pause"), REFUSAL_NOT_HOST);
    does(a, BOB, "pause");
}

static void what_a_host_wanted_in_another_turn_is_forgotten(void **state)
{
    static const char *const TURN[] = {"kick", "loot", "done"};
    struct arranged *const a = *state;
    ask_for_a_third_pause(a);
    for (size_t i = 0; i < sizeof TURN / sizeof TURN[0]; i++) {
        does(a, ANN, TURN[i]);
    }
    assert_int_equal(query_turn(solo_game(a->solo)), BOB);
    assert_int_equal(code(a, CY, "pause"), REFUSAL_NOT_HOST);
}

static void whoever_was_removed_stays_away(void **state)
{
    struct talk *const t = *state;
    (void)talk_first_turn(t, "", 2);
    talk_do(t, "Ann", "remove Bob");
    assert_true(talk_heard_text(t, NULL, TEXT_SESSION_REMOVED, TEXT_ARGS(text_str("who", "Bob"))));
    talk_forget(t);
    assert_int_equal(talk_code(t, "Bob", "join"), REFUSAL_TABLE_RUNNING);
    assert_int_equal(talk_code(t, "Bob", "leave"), REFUSAL_NOT_AT_TABLE);
    assert_int_equal(talk_code(t, "Bob", "join female"), REFUSAL_TABLE_RUNNING);
    assert_true(talk_heard_text(t, "Bob", TEXT_SESSION_WAS_REMOVED, NULL));
    assert_int_equal(public_lines(t), 0);
}

// Ann plays with two bot players; somebody's turn is under way.
static void play_with_bots(struct talk *t)
{
    talk_do(t, "Ann", "new pace=live");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    talk_do(t, "Ann", "done");
    for (unsigned i = 0; i < 600; i++) {
        const unsigned phase = query_phase(talk_game(t));
        if (phase != PHASE_SETUP && phase != PHASE_START) {
            return;
        }
        if (phase == PHASE_START && query_turn(talk_game(t)) == 0) {
            talk_do(t, "Ann", "kick");
        } else {
            talk_wait(t, solo_due(t->solo).ms);
        }
    }
    fail_msg("no turn begins");
}

static void who_comes_and_goes_is_no_news(void **state)
{
    struct talk *const t = *state;
    play_with_bots(t);
    talk_forget(t);
    for (unsigned i = 0; i < 5; i++) {
        talk_do(t, "Troll", "join");
        talk_do(t, "Troll", "leave");
    }
    assert_int_equal(public_lines(t), 0);
}

static void who_comes_late_is_told_what_they_play(void **state)
{
    struct talk *const t = *state;
    play_with_bots(t);
    const bool female = query_female(talk_game(t), 1); // the first bot player
    talk_do(t, "Dot", female ? "join male" : "join female");
    assert_true(talk_heard_text(t, "Dot",
                                female ? TEXT_SESSION_STAYS_WOMAN : TEXT_SESSION_STAYS_MAN, NULL));
    talk_do(t, "Eve", query_female(talk_game(t), 2) ? "join female" : "join male");
    assert_false(talk_heard_text(t, "Eve", TEXT_SESSION_STAYS_WOMAN, NULL));
    assert_false(talk_heard_text(t, "Eve", TEXT_SESSION_STAYS_MAN, NULL));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, arrange, clear_away)
#define TALK(name) cmocka_unit_test_setup_teardown(name, talk_set_up, talk_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(nobody_haggles_without_end),
        CASE(a_stand_in_discards_from_the_hand),
        CASE(no_undo_catches_what_was_meant_for_a_deal),
        CASE(a_deal_is_answered_by_its_number),
        CASE(nobody_is_robbed_of_a_win),
        CASE(an_order_does_not_tell_of_another),
        CASE(nor_after_an_undo),
        CASE(nobody_agrees_to_a_pause_that_a_host_who_is_away_wanted),
        CASE(what_a_host_wanted_in_another_turn_is_forgotten),
        TALK(what_changes_nothing_stretches_no_turn),
        TALK(a_pause_is_no_lock),
        TALK(end_asks_once_however_it_is_said),
        TALK(a_third_pause_asks_the_table),
        TALK(whoever_was_removed_stays_away),
        TALK(who_comes_and_goes_is_no_news),
        TALK(who_comes_late_is_told_what_they_play),
    };
#undef CASE
#undef TALK
    return cmocka_run_group_tests_name("table_attacks", tests, NULL, NULL);
}
