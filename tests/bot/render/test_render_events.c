/* Narration: what the table hears, and what only one player does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

#include "tests/support/fixture.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static const char CARDS[] =
    "[{\"name\": \"Test Ogre\", \"kind\": \"monster\", \"level\": 3, \"treasures\": 1},"
    " {\"name\": \"Test Mouse\", \"kind\": \"monster\", \"level\": 1, \"treasures\": 1},"
    " {\"name\": \"Test Rake\", \"kind\": \"item\", \"slot\": \"hand\", \"bonus\": 2, \"gold\": "
    "700},"
    " {\"name\": \"Test Spade\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "400},"
    " {\"name\": \"Test Council\", \"kind\": \"door\", \"play\": [\"peace\"], \"rows\": "
    "[{\"when\": \"play\", \"do\": \"show_hand\", \"who\": \"everyone\"}]},"
    " {\"name\": \"Test Sock\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"lose\", \"amount\": 1, \"chooser\": \"victim\", \"cards\": {\"place\": \"table\", \"item\": "
    "\"any\"}}]},"
    " {\"name\": \"Test Banana\", \"kind\": \"treasure\", \"play\": [\"any_time\"], \"rows\": "
    "[{\"when\": \"play\", \"do\": \"lasting\", \"effect\": \"fail_next_roll\", \"amount\": 1, "
    "\"until\": \"next_roll\"}]},"
    " {\"name\": \"Test Squire\", \"kind\": \"follower\", \"sort\": \"hireling\", \"bonus\": 2},"
    " {\"name\": \"Test Bribe\", \"kind\": \"curse\", \"play\": [\"fight\"], \"rows\": "
    "[{\"when\": \"strike\", \"do\": \"turn_follower\"}]},"
    " {\"name\": \"Test Ferret\", \"kind\": \"one_shot\", \"gold\": 200, \"rows\": [{\"when\": "
    "\"play\", "
    "\"do\": \"remove_monster\", \"outcome\": \"kill\", \"target\": \"monster\"}]},"
    " {\"name\": \"Test Flood\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"level\", "
    "\"who\": \"everyone\", \"amount\": -1}]},"
    " {\"name\": \"Test Suit\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"level\", "
    "\"who\": \"everyone_with\", \"amount\": -1, \"if\": [{\"level_min\": 2}]}]},"
    " {\"name\": \"Test Gossip\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"level\", "
    "\"who\": \"others\", \"amount\": -1}]},"
    " {\"name\": \"Test Tale\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"level\", "
    "\"who\": \"highest\", \"amount\": -1}]},"
    " {\"name\": \"Test Clogs\", \"kind\": \"item\", \"slot\": \"footgear\", \"gold\": 100, "
    "\"rows\": [{\"do\": \"run_bonus\", \"amount\": -5}]},"
    " {\"name\": \"Test Bomb\", \"kind\": \"one_shot\", \"bonus\": 5, \"gold\": 100}]";

static int open_table(void **state)
{
    struct fixture *const fixture = malloc(sizeof *fixture);
    fixture_open(fixture, CARDS);
    *state = fixture;
    return 0;
}

static int close_table(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static void act(struct fixture *fixture, unsigned seat, const char *line)
{
    struct refusal why;
    if (!fixture_do(fixture, seat, line, &why)) {
        fail_msg("\"%s\" is refused: %s", line, refusal_name(why.code));
    }
}

static void assert_said(const struct fixture *fixture, unsigned seat, const char *part)
{
    const char *const said = fixture_said(fixture, seat);
    if (strstr(said, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, said);
    }
}

static void assert_told(const struct fixture *fixture, unsigned seat, enum text_id id,
                        const struct text_arg *args)
{
    assert_says(fixture_said(fixture, seat), id, args);
}

static void assert_not_said(const struct fixture *fixture, unsigned seat, const char *part)
{
    const char *const said = fixture_said(fixture, seat);
    if (strstr(said, part) != NULL) {
        fail_msg("\"%s\" is said in:\n%s", part, said);
    }
}

static void a_kicked_monster_is_named_and_weighed(void **state)
{
    struct fixture *const fixture = *state;
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    assert_said(fixture, NO_SEAT, ": Test Ogre! Monster, Level 3, 1 Treasure.\n");
    assert_said(fixture, NO_SEAT, "Ann 1 against Test Ogre 3: the monsters are winning by 2.");
    assert_string_equal(fixture_said(fixture, FIXTURE_ANN), "");
}

static void loot_is_named_to_its_finder_only(void **state)
{
    struct fixture *const fixture = *state;
    fixture_next(fixture, PILE_DOOR_DECK, "Test Mouse");
    assert_true(arrange_finish(fixture->game, &fixture->box, FIXTURE_ANN, PHASE_OPENED, NULL));
    act(fixture, FIXTURE_ANN, "loot");
    assert_told(fixture, NO_SEAT, TEXT_MOVE_LOOTED_ROOM, TEXT_ARGS(text_str("taker", "Ann")));
    assert_not_said(fixture, NO_SEAT, "Test Mouse");
    assert_told(fixture, FIXTURE_ANN, TEXT_YOU_DRAW, TEXT_ARGS(text_str("cards", "Test Mouse")));
    assert_string_equal(fixture_said(fixture, FIXTURE_BOB), "");
}

// One table's news: `told` outlives the fixture that lends its game.
static void tells(struct fixture *fixture, struct table_told *told)
{
    fixture->told = told;
    fixture->telling = (struct narration){.seat = NO_SEAT};
    fixture_begin(fixture);
}

static void what_a_player_does_in_one_go_is_one_line(void **state)
{
    static const char *const CARDS_OF_ANN[] = {"Test Rake", "Test Spade", "Test Clogs",
                                               "Test Bomb"};
    struct fixture *const fixture = *state;
    struct table_told told = {.fight = false};
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    for (size_t i = 0; i < 4; i++) {
        (void)fixture_card(fixture, CARDS_OF_ANN[i], pile_hand(FIXTURE_ANN), 0);
    }
    tells(fixture, &told);
    act(fixture, FIXTURE_ANN, "play Test Rake");
    act(fixture, FIXTURE_ANN, "play Test Spade");
    act(fixture, FIXTURE_ANN, "play Test Clogs");
    act(fixture, FIXTURE_ANN, "lay Test Bomb");
    assert_string_equal(fixture_said(fixture, NO_SEAT),
                        "Ann equips Test Rake, Test Spade and Test Clogs and lays Test Bomb on the "
                        "table.\n");
    act(fixture, FIXTURE_ANN, "kick"); // a door begins a line of its own
    assert_said(fixture, NO_SEAT, "table.\n");
    assert_said(fixture, NO_SEAT, "Test Ogre! Monster, Level 3, 1 Treasure.\n");
}

static void a_turns_heading_begins_the_line_that_tells_of_it_first(void **state)
{
    struct fixture *const fixture = *state;
    struct table_told told = {.turn = FIXTURE_ANN, .round = 4}; // of a bot player, before this step
    fixture_card(fixture, "Test Rake", pile_hand(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Spade");
    tells(fixture, &told);
    act(fixture, FIXTURE_ANN, "play Test Rake");
    assert_string_equal(fixture_said(fixture, NO_SEAT),
                        "-- Ann's turn, round 4. -- Ann equips Test Rake.\n");
    assert_int_equal(told.round, 0);
}

// A person is waited for and reads of it now; a bot player does something first.
static void a_bot_players_heading_waits_for_its_line(void **state)
{
    for (unsigned bots = 0; bots < 2; bots++) {
        struct fixture *const fixture = *state;
        struct table_told told = {.fight = false};
        fixture->bots = bots == 0 ? 0 : seat_bit(FIXTURE_BOB);
        fixture->told = &told;
        assert_true(arrange_finish(fixture->game, &fixture->box, FIXTURE_ANN, PHASE_OPENED, NULL));
        act(fixture, FIXTURE_ANN, "loot");
        act(fixture, FIXTURE_ANN, "done");
        if (bots == 0) {
            assert_said(fixture, NO_SEAT, "-- Bob's turn, round 1. --\n");
            assert_int_equal(told.round, 0);
            assert_int_equal(close_table(state), 0);
            assert_int_equal(open_table(state), 0);
        } else {
            assert_not_said(fixture, NO_SEAT, "Bob's turn");
            assert_int_equal(told.turn, FIXTURE_BOB);
            assert_int_equal(told.round, 1);
        }
    }
}

static void what_a_card_says_is_told_once_a_game(void **state)
{
    struct table_told told = {.fight = false};
    for (unsigned time = 0; time < 2; time++) {
        struct fixture *const fixture = *state;
        fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
        tells(fixture, &told);
        act(fixture, FIXTURE_ANN, "kick");
        assert_said(fixture, NO_SEAT, "Test Ogre!");
        if (time == 0) {
            assert_said(fixture, NO_SEAT, "Test Ogre! Monster, Level 3");
            assert_int_equal(close_table(state), 0);
            assert_int_equal(open_table(state), 0);
        } else {
            assert_not_said(fixture, NO_SEAT, "Level 3");
        }
    }
}

static void what_is_behind_a_door_is_the_end_of_its_line(void **state)
{
    static const char *const HELD[] = {"Test Bomb", "Test Spade"};
    for (unsigned count = 0; count <= 2; count++) { // so that it is said in each of its ways
        struct fixture *const fixture = *state;
        struct table_told told = {.fight = false};
        memset(told.cards, 0xFF, sizeof told.cards); // no text of a card comes between
        fixture_next(fixture, PILE_DOOR_DECK, "Elf");
        (void)fixture_card(fixture, "Test Rake", pile_hand(FIXTURE_ANN), 0);
        for (unsigned i = 0; i < count; i++) {
            (void)fixture_card(fixture, HELD[i], pile_hand(FIXTURE_BOB), 0);
        }
        tells(fixture, &told);
        act(fixture, FIXTURE_ANN, "kick");
        act(fixture, FIXTURE_ANN, "play Test Rake");
        assert_said(fixture, NO_SEAT, ": Elf!\nAnn ");
        assert_int_equal(close_table(state), 0);
        assert_int_equal(open_table(state), 0);
    }
}

static void a_sale_is_one_line(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Rake", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Test Spade", pile_table(FIXTURE_ANN), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "sell Test Rake, Test Spade");
    assert_string_equal(fixture_said(fixture, NO_SEAT),
                        "Ann sells Test Rake and Test Spade for 1 Level (Level 2 now).\n");
}

static void equipping_says_so(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Rake", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "play Test Rake");
    assert_told(fixture, NO_SEAT, TEXT_EQUIPS,
                TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Rake")));
    act(fixture, FIXTURE_ANN, "unequip Test Rake");
    assert_told(fixture, NO_SEAT, TEXT_TAKES_OFF,
                TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Rake")));
}

static void a_one_shot_turns_the_fight(void **state)
{
    struct fixture *const fixture = *state;
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_card(fixture, "Test Bomb", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_ANN, "play Test Bomb for players");
    assert_told(fixture, NO_SEAT, TEXT_PLAYS_FOR_PLAYERS,
                TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Bomb")));
    assert_said(fixture, NO_SEAT,
                "Ann 1 + Test Bomb 5 = 6 against Test Ogre 3: "
                "the players are winning by 3.");
    assert_told(fixture, NO_SEAT, TEXT_WINDOW_OPENS,
                TEXT_ARGS(text_str("who", "Ann"), text_num("fighters", 1)));
    act(fixture, FIXTURE_BOB, "pass");
    act(fixture, FIXTURE_CY, "pass");
    assert_told(fixture, NO_SEAT, TEXT_NOTE_FIGHT_WON,
                TEXT_ARGS(text_num("n", 6), text_num("m", 3)));
    assert_told(fixture, NO_SEAT, TEXT_LEVEL_KILL,
                TEXT_ARGS(text_str("who", "Ann"), text_num("gain", 1), text_num("n", 2)));
    assert_told(fixture, NO_SEAT, TEXT_MOVE_TREASURE, TEXT_ARGS(text_str("taker", "Ann")));
    assert_told(fixture, FIXTURE_ANN, TEXT_YOU_DRAW, NULL);
}

// It waits for an answer before it counts; what is added to it belongs to what one answers.
static void a_roll_that_waits_is_told_with_its_bonus(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Clogs", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(fixture, "Emergency Mousehole", pile_hand(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_ANN, "run");
    assert_told(fixture, NO_SEAT, TEXT_ROLLS_FLIGHT_BONUS,
                TEXT_ARGS(text_str("who", "Ann"), text_num("bonus", -5)));
}

static void a_roll_that_fails_by_itself_says_why(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Banana", pile_hand(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_ANN, "play Test Banana");
    act(fixture, FIXTURE_ANN, "run");
    assert_told(
        fixture, NO_SEAT, TEXT_NOTE_ROLL_FAILS,
        TEXT_ARGS(text_str("who", "Ann"), text_str("card", "Test Banana"), text_num("c", 1)));
}

// Nobody answers what is about to act: what the last of them hears.
static void let_act(struct fixture *fixture)
{
    struct refusal why;
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        (void)fixture_do(fixture, seat, "pass", &why);
    }
}

static void a_follower_that_turns_says_on_whom_and_why(void **state)
{
    struct fixture *const fixture = *state;
    (void)fixture_card(fixture, "Test Squire", pile_table(FIXTURE_ANN), 0);
    (void)fixture_card(fixture, "Test Bribe", pile_hand(FIXTURE_BOB), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_BOB, "play Test Bribe on Ann");
    let_act(fixture);
    assert_told(fixture, NO_SEAT, TEXT_TURNS_COAT_FOR,
                TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Squire"),
                          text_str("card", "Test Bribe"), text_num("c", 1)));
}

static void a_card_that_kills_is_named_with_what_it_kills(void **state)
{
    struct fixture *const fixture = *state;
    (void)fixture_card(fixture, "Test Ferret", pile_hand(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_ANN, "play Test Ferret on Test Ogre");
    assert_told(fixture, NO_SEAT, TEXT_NOTE_MONSTER_KILLED_BY,
                TEXT_ARGS(text_str("who", "Ann"), text_str("card", "Test Ogre"),
                          text_str("card2", "Test Ferret"), text_num("c2", 1)));
}

static void a_curse_says_whom_it_strikes(void **state)
{
    static const struct {
        const char *play, *card;
        enum text_id told;
    } CURSES[] = {
        {"play Test Flood on Cy", "Test Flood", TEXT_NOTE_CURSED_ALL_BY},
        {"play Test Suit on Cy", "Test Suit", TEXT_NOTE_CURSED_ALL_BY},
        {"play Test Gossip on Cy", "Test Gossip", TEXT_NOTE_CURSED_OTHERS_BY},
        {"play Test Tale on Cy", "Test Tale", TEXT_NOTE_CURSED_HIGHEST_BY},
    };
    struct fixture *const fixture = *state;
    for (size_t i = 0; i < sizeof CURSES / sizeof *CURSES; i++) {
        (void)fixture_card(fixture, CURSES[i].card, pile_hand(FIXTURE_BOB), 0);
    }
    fixture_begin(fixture);
    for (size_t i = 0; i < sizeof CURSES / sizeof *CURSES; i++) {
        act(fixture, FIXTURE_BOB, CURSES[i].play);
        assert_told(fixture, NO_SEAT, CURSES[i].told,
                    TEXT_ARGS(text_str("who", "Cy"), text_str("other", "Bob"),
                              text_str("card", CURSES[i].card), text_num("c", 1)));
        let_act(fixture);
    }
}

static void a_kicked_curse_says_whom_it_strikes(void **state)
{
    struct fixture *const fixture = *state;
    fixture_next(fixture, PILE_DOOR_DECK, "Test Tale");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    assert_told(
        fixture, NO_SEAT, TEXT_KICKED_CURSE_HIGHEST,
        TEXT_ARGS(text_str("who", "Ann"), text_str("cards", "Test Tale"), text_num("n", 1)));
}

// Who is asked sees the question; nobody else reads along where bots take the other seats.
static void a_lone_player_is_not_told_of_the_own_question(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Rake", pile_table(FIXTURE_ANN), 0);
    fixture_card(fixture, "Test Spade", pile_table(FIXTURE_ANN), 0);
    fixture_next(fixture, PILE_DOOR_DECK, "Test Sock");
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_ANN, "pass");
    assert_told(fixture, NO_SEAT, TEXT_WAITS_FOR_CHOICE, TEXT_ARGS(text_num("n", 1)));
    struct table_words words = fixture_words(fixture, NO_SEAT);
    words.bots = (uint8_t)(seat_bit(FIXTURE_BOB) | seat_bit(FIXTURE_CY));
    message_list_clear(&fixture->said);
    render_events(&words, (const struct game *const *)fixture->views, fixture->events.items,
                  fixture->events.count, &fixture->said);
    assert_says_not(fixture_said(fixture, NO_SEAT), TEXT_WAITS_FOR_CHOICE,
                    TEXT_ARGS(text_num("n", 1)));
}

static void an_offer_is_told_with_its_number(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Spade", pile_table(FIXTURE_ANN), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "give Test Spade to Bob");
    assert_said(fixture, NO_SEAT, "Ann offers Bob a gift: Test Spade (offer 1).");
    act(fixture, FIXTURE_BOB, "accept");
    assert_told(fixture, NO_SEAT, TEXT_MOVE_GIVEN,
                TEXT_ARGS(text_str("giver", "Ann"), text_str("cards", "Test Spade"),
                          text_str("taker", "Bob")));
}

static void what_is_put_down_at_once_is_told_once(void **state)
{
    struct fixture *const fixture = *state;
    fixture_card(fixture, "Test Spade", pile_table(FIXTURE_ANN), 0);
    fixture_card(fixture, "Cheat!", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "play Cheat! with Test Spade");
    const char *const told = strstr(fixture_said(fixture, NO_SEAT), "Ann plays Cheat!");
    assert_non_null(told);
    assert_null(strstr(told + 1, "Ann plays Cheat!"));
}

static void a_second_pass_changes_nothing(void **state)
{
    struct fixture *const fixture = *state;
    fixture_next(fixture, PILE_DOOR_DECK, "Test Ogre");
    fixture_begin(fixture);
    arrange_seat(fixture->game, FIXTURE_ANN, 8, true, false, true);
    act(fixture, FIXTURE_ANN, "kick");
    act(fixture, FIXTURE_BOB, "pass");
    assert_true(fixture->events.count > 0);
    const uint64_t passed = game_digest(fixture->game);
    act(fixture, FIXTURE_BOB, "pass");
    assert_int_equal(fixture->events.count, 0);
    assert_int_equal(game_digest(fixture->game), passed);
}

static void each_shows_the_own_hand_only(void **state)
{
    struct fixture *const fixture = *state;
    (void)fixture_card(fixture, "Test Council", pile_hand(FIXTURE_ANN), 0);
    (void)fixture_card(fixture, "Test Rake", pile_hand(FIXTURE_ANN), 0);
    (void)fixture_card(fixture, "Test Spade", pile_hand(FIXTURE_BOB), 0);
    (void)fixture_card(fixture, "Test Bomb", pile_hand(FIXTURE_CY), 0);
    fixture_begin(fixture);
    act(fixture, FIXTURE_ANN, "play Test Council");
    assert_said(fixture, NO_SEAT, "Ann shows everybody: Test Rake.\n");
    assert_said(fixture, NO_SEAT, "Bob shows everybody: Test Spade.\n");
    assert_said(fixture, NO_SEAT, "Cy shows everybody: Test Bomb.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_shows_the_own_hand_only, open_table, close_table),
        cmocka_unit_test_setup_teardown(a_roll_that_waits_is_told_with_its_bonus, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_roll_that_fails_by_itself_says_why, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_follower_that_turns_says_on_whom_and_why, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_card_that_kills_is_named_with_what_it_kills, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_curse_says_whom_it_strikes, open_table, close_table),
        cmocka_unit_test_setup_teardown(a_kicked_curse_says_whom_it_strikes, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_lone_player_is_not_told_of_the_own_question, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_kicked_monster_is_named_and_weighed, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(loot_is_named_to_its_finder_only, open_table, close_table),
        cmocka_unit_test_setup_teardown(what_a_player_does_in_one_go_is_one_line, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(what_a_card_says_is_told_once_a_game, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_sale_is_one_line, open_table, close_table),
        cmocka_unit_test_setup_teardown(equipping_says_so, open_table, close_table),
        cmocka_unit_test_setup_teardown(what_is_behind_a_door_is_the_end_of_its_line, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_turns_heading_begins_the_line_that_tells_of_it_first,
                                        open_table, close_table),
        cmocka_unit_test_setup_teardown(a_bot_players_heading_waits_for_its_line, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_one_shot_turns_the_fight, open_table, close_table),
        cmocka_unit_test_setup_teardown(an_offer_is_told_with_its_number, open_table, close_table),
        cmocka_unit_test_setup_teardown(a_second_pass_changes_nothing, open_table, close_table),
        cmocka_unit_test_setup_teardown(what_is_put_down_at_once_is_told_once, open_table,
                                        close_table),
    };
    return cmocka_run_group_tests_name("render_events", tests, NULL, NULL);
}
