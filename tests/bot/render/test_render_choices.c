/* What decides is said where one chooses: in the hand, in questions, when a card is put down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/arrange.h"

#include "bot/table/panel/controls.h"

#include "tests/support/fixture.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 16384 };

static const char CARDS[] =
    "[{\"name\": \"Small Yak\", \"kind\": \"monster\", \"level\": 2, \"treasures\": 2},"
    " {\"name\": \"Reed Harp\", \"kind\": \"item\", \"slot\": \"hand\", \"bonus\": 2, \"gold\": "
    "300,"
    "  \"needs\": [{\"trait\": \"Elf\"}]},"
    " {\"name\": \"Big Drum\", \"kind\": \"item\", \"slot\": \"two_hands\", \"bonus\": 3, "
    "\"gold\": "
    "300},"
    " {\"name\": \"Tin Lute\", \"kind\": \"item\", \"slot\": \"hand\", \"bonus\": 1, \"gold\": "
    "300},"
    " {\"name\": \"Old Flute\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "300}]";

static const char LOSSES[] =
    "[{\"name\": \"Wet Sock\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"lose\", \"amount\": 1, \"chooser\": \"victim\", \"cards\": {\"place\": \"table\", \"item\": "
    "\"any\"}}]},"
    " {\"name\": \"Big Drum\", \"kind\": \"item\", \"slot\": \"two_hands\", \"bonus\": 3, "
    "\"gold\": 300},"
    " {\"name\": \"Old Flute\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "200}]";

static const char VERSE[] =
    "[{\"name\": \"Loud Verse\", \"kind\": \"curse\", \"rows\": ["
    "  {\"when\": \"strike\", \"do\": \"show_hand\"},"
    "  {\"when\": \"strike\", \"do\": \"lose\", \"amount\": 1, \"chooser\": \"left\","
    "   \"cards\": {\"place\": \"hand\"}}]}]";

static char out[OUT_SIZE];

static void says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, text);
    }
}

static void keeps_silent(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("\"%s\" is said in:\n%s", part, text);
    }
}

static void after(const char *text, const char *first, const char *second)
{
    says(text, first);
    says(text, second);
    if (strstr(text, first) > strstr(text, second)) {
        fail_msg("\"%s\" is said before \"%s\" in:\n%s", second, first, text);
    }
}

// Where cards are picked to be read and played, each is one line.
static void a_small_hand_is_a_line_a_card(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Reed Harp", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Old Flute", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&fixture);
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    words.small = true;
    (void)render_hand(see(&words, SAYS_OWN), out, sizeof out);
    assert_string_equal(out, "Your hand: 2 cards.\n"
                             "You could play now:\n1. Old Flute: +1\n"
                             "You could carry:\n2. Reed Harp: +2, 1 Hand\n");
    fixture_close(&fixture);
}

// Whoever would turn the fight can be asked by one press, for half of what lies there; the sums are
// those that come of it.
static void what_would_turn_the_fight_is_said(void **state)
{
    struct fixture fixture;
    struct refusal why;
    static struct control_list controls;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Big Drum", pile_table(FIXTURE_BOB), CARD_EQUIPPED);
    fixture_card(&fixture, "Up Past Its Bedtime", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Magic Missile", pile_hand(FIXTURE_ANN), 0);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    words.small = true;
    (void)render_hand(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "1. Up Past Its Bedtime: Monster Enhancer, -5 (1 to 1)\n");
    says(out, "2. Magic Missile: one-shot Item, +5: for players (6 to 2, you win), for "
              "monsters (1 to 7)\n");
    controls_begin(&controls);
    controls_helpers(see(&words, SAYS_NOTHING), &controls);
    assert_int_equal(controls.count, 1); // Cy and Ann tie with the Small Yak, which is not enough
    assert_string_equal(controls.items[0].label, "Ask Bob, 1 Treasure (5 to 2)");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, controls.items[0].line, &why));
    assert_true(fixture_do(&fixture, FIXTURE_BOB, "accept", &why));
    struct query_fight fight;
    query_fight(fixture.game, &fixture.box, &fight);
    assert_int_equal(fight.players, 5);
    assert_int_equal(fight.monsters, 2);
    words = fixture_words(&fixture, FIXTURE_ANN);
    controls_begin(&controls);
    controls_helpers(see(&words, SAYS_NOTHING), &controls);
    assert_int_equal(controls.count, 0); // it is won
    fixture_close(&fixture);
}

static bool has_line(const struct control_list *controls, const char *line)
{
    bool has = false;
    for (size_t i = 0; i < controls->count; i++) {
        has = has || strcmp(controls->items[i].line, line) == 0;
    }
    return has;
}

// What a seat could say by numbers.
static const struct control_list *number(struct fixture *fixture, unsigned seat)
{
    static struct control_list controls;
    const struct table_words words = fixture_words(fixture, seat);
    struct numbered numbered;
    controls_begin(&controls);
    controls_numbered(see(&words, SAYS_OWN), &controls, &numbered);
    return &controls;
}

static const char *label_of(const struct control_list *controls, const char *line)
{
    for (size_t i = 0; i < controls->count; i++) {
        if (strcmp(controls->items[i].line, line) == 0) {
            return controls->items[i].label;
        }
    }
    return "";
}

// By numbers all are asked for help, who has answered is asked no more, and a helper is picked by
// name.
static void numbers_answer_what_is_asked(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_false(has_line(number(&fixture, FIXTURE_BOB), "pass"));
    assert_true(has_line(number(&fixture, FIXTURE_ANN), "ask all"));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "ask all", &why));
    assert_true(has_line(number(&fixture, FIXTURE_BOB), "accept 1"));
    assert_true(fixture_do(&fixture, FIXTURE_BOB, "accept 1", &why));
    assert_false(has_line(number(&fixture, FIXTURE_BOB), "accept"));
    assert_false(has_line(number(&fixture, FIXTURE_BOB), "refuse"));
    assert_true(fixture_do(&fixture, FIXTURE_CY, "accept 1", &why));
    const struct control_list *const controls = number(&fixture, FIXTURE_ANN);
    assert_int_equal(controls->count, 2);
    assert_string_equal(controls->items[0].line, "choose Bob");
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    words.numbers = true;
    (void)render_question(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "Say its number.");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, controls->items[1].line, &why));
    assert_int_equal(query_helper(fixture.game), FIXTURE_CY);
    fixture_close(&fixture);
}

// What must go has a number a card, which one says as often as something must.
static void numbers_say_what_must_go(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    static const char *const NAMES[] = {"Reed Harp",    "Old Flute", "Tin Lute",
                                        "Big Drum",     "Small Yak", "Up Past Its Bedtime",
                                        "Magic Missile"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        fixture_card(&fixture, NAMES[i], pile_hand(FIXTURE_ANN), 0);
    }
    fixture_begin(&fixture);
    assert_true(arrange_finish(fixture.game, &fixture.box, FIXTURE_ANN, PHASE_CHARITY, NULL));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "done", &why));
    const struct control_list *const controls = number(&fixture, FIXTURE_ANN);
    unsigned told = 0;
    for (size_t i = 0; i < controls->count; i++) {
        told += strncmp(controls->items[i].line, "discard ", strlen("discard ")) == 0 ? 1 : 0;
        assert_string_not_equal(controls->items[i].line, "discard");
    }
    assert_int_equal(told, sizeof NAMES / sizeof NAMES[0]);
    assert_string_equal(label_of(controls, "discard Old Flute"), "Old Flute: +1, 300 Gold Pieces");
    fixture_close(&fixture);
}

// A number that plays a Class says which one goes for it.
static void a_number_says_what_its_card_replaces(void **state)
{
    struct fixture fixture;
    struct control_list controls;
    struct numbered numbered;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Thief", pile_table(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Warrior", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&fixture);
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    words.numbers = true;
    controls_begin(&controls);
    struct scene *const scene = see(&words, SAYS_OWN);
    controls_numbered(scene, &controls, &numbered);
    (void)render_hand(scene, out, sizeof out);
    says(out, ". Warrior: Class replacing Thief");
    unsigned plays = 0;
    for (size_t i = 0; i < controls.count; i++) {
        plays += strcmp(controls.items[i].label, "play Warrior replacing Thief") == 0 ? 1 : 0;
    }
    assert_int_equal(plays, 1); // the words are not said twice
    fixture_close(&fixture);
}

// What each Item is worth, and the Level that they bring together, by number and typed.
static void a_sale_says_its_prices(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_open(&fixture, CARDS);
    static const char *const NAMES[] = {"Reed Harp", "Old Flute", "Tin Lute", "Big Drum"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        fixture_card(&fixture, NAMES[i], pile_table(FIXTURE_ANN), 0);
    }
    fixture_begin(&fixture);
    const struct control_list *const controls = number(&fixture, FIXTURE_ANN);
    const char *sale = "";
    for (size_t i = 0; i < controls->count; i++) {
        const bool sells = strncmp(controls->items[i].line, "sell ", strlen("sell ")) == 0;
        sale = sells ? controls->items[i].label : sale;
    }
    says(sale, "sell for 1 Level: ");
    says(sale, " 300, ");
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_help(&words, NULL, out, sizeof out);
    says(out, "Big Drum 300");
    says(out, "Old Flute 300");
    fixture_close(&fixture);
}

// Who runs fights no more.
static void who_runs_is_said(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    struct table_words words = fixture_words(&fixture, NO_SEAT);
    words.small = words.asked = true;
    (void)render_table(see(&words, SAYS_NOTHING), out, sizeof out);
    says(out, "Fight: Ann against Small Yak.");
    assert_null(strstr(out, "winning by")); // what she is asked tells both sums
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "ask Bob", &why));
    assert_true(fixture_do(&fixture, FIXTURE_BOB, "accept", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "run", &why));
    words = fixture_words(&fixture, NO_SEAT);
    words.small = words.asked = true;
    (void)render_table(see(&words, SAYS_NOTHING), out, sizeof out);
    says(out, "Ann and Bob run from Small Yak.");
    assert_null(strstr(out, "At stake"));
    fixture_close(&fixture);
}

static void what_is_only_carried_says_why(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Tin Lute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(&fixture, "Reed Harp", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Big Drum", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Old Flute", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&fixture);
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_hand(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "You could play now:\n1. Old Flute:");
    after(out, "play Old Flute\n", "You could carry:\n2. Reed Harp:");
    says(out, "play Reed Harp (only to carry: not for the likes of you)\n");
    says(out, "play Big Drum (only to carry: no hand is free)\n");
    keeps_silent(out, "For later");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "play Big Drum", &why));
    says(fixture_said(&fixture, NO_SEAT), "Ann carries Big Drum (no hand is free).\n");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "play Reed Harp", &why));
    says(fixture_said(&fixture, NO_SEAT), "Ann carries Reed Harp (not for the likes of Ann).\n");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "play Old Flute", &why));
    says(fixture_said(&fixture, NO_SEAT), "Ann equips Old Flute.\n");
    fixture_close(&fixture);
}

// Who picks is not who loses.
static void whose_card_is_lost_is_said(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, VERSE);
    fixture_card(&fixture, "Loud Verse", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Elf", pile_hand(FIXTURE_BOB), 0);
    fixture_card(&fixture, "Dwarf", pile_hand(FIXTURE_BOB), 0);
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "play Loud Verse on Bob", &why));
    const struct table_words bob = fixture_words(&fixture, FIXTURE_BOB);
    if (query_pause(bob.view, PAUSE_ANSWER).kind != PAUSE_NONE) {
        assert_true(fixture_do(&fixture, FIXTURE_BOB, "pass", &why));
    }
    const struct table_words words = fixture_words(&fixture, FIXTURE_CY);
    (void)render_question(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "Choose a card that Bob will lose to Loud Verse.\n");
    fixture_close(&fixture);
}

static void treasures_to_pick_say_what_they_do(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Old Flute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_next(&fixture, PILE_TREASURE_DECK, "Reed Harp");
    fixture_next(&fixture, PILE_TREASURE_DECK, "Ring of Second Thoughts");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "ask Bob offering 1 treasure", &why));
    assert_true(fixture_do(&fixture, FIXTURE_BOB, "accept", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "pass", &why));
    assert_true(fixture_do(&fixture, FIXTURE_CY, "pass", &why));
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_question(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "Reed Harp (Item, +2, 1 Hand, 300 Gold Pieces), only to carry: not for the likes of");
    says(out, "Ring of Second Thoughts (one-shot Item, 500 Gold Pieces). Cancels any Curse");
    fixture_close(&fixture);
}

static void losses_to_choose_from_say_what_they_are_worth(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, LOSSES);
    fixture_card(&fixture, "Big Drum", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(&fixture, "Old Flute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_next(&fixture, PILE_DOOR_DECK, "Wet Sock");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "pass", &why));
    const struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_question(see(&words, SAYS_OWN), out, sizeof out);
    says(out, "Choose a card to lose to Wet Sock.\n");
    says(out, "Big Drum (Item, +3, 2 Hands, 300 Gold Pieces)\n");
    says(out, "Old Flute (Item, +1, No slot, 200 Gold Pieces)\n");
    (void)render_verbs(see(&words, SAYS_ALL), out, sizeof out);
    assert_string_equal(out, ""); // the question says how to answer
    fixture_close(&fixture);
}

static void an_offer_is_answered_first(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Old Flute", pile_table(FIXTURE_BOB), CARD_EQUIPPED);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "ask Bob", &why));
    const struct table_words words = fixture_words(&fixture, FIXTURE_BOB);
    (void)render_verbs(see(&words, SAYS_ALL), out, sizeof out);
    says(out, "You can: accept, refuse, ");
    fixture_close(&fixture);
}

static void open_charity(struct fixture *fixture, unsigned hand, bool cy_is_low)
{
    static const char *const HAND[] = {"Warrior",   "Thief",    "Elf",      "Dwarf",
                                       "Reed Harp", "Big Drum", "Tin Lute", "Old Flute"};
    struct refusal why;
    fixture_open(fixture, CARDS);
    for (unsigned i = 0; i < hand; i++) {
        fixture_card(fixture, HAND[i], pile_hand(FIXTURE_ANN), 0);
    }
    arrange_seat(fixture->game, FIXTURE_ANN, 3, true, false, true);
    arrange_seat(fixture->game, FIXTURE_CY, cy_is_low ? 1 : 2, true, false, true);
    fixture_next(fixture, PILE_DOOR_DECK, "Wizard");
    fixture_begin(fixture);
    assert_true(fixture_do(fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(fixture, FIXTURE_ANN, "play Wizard", &why));
    assert_true(fixture_do(fixture, FIXTURE_ANN, "loot", &why));
    assert_true(fixture_do(fixture, FIXTURE_ANN, "done", &why));
}

static void ask_ann(struct fixture *fixture)
{
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    (void)render_question(see(&words, SAYS_OWN), out, sizeof out);
}

static void charity_names_who_may_get_the_next(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    open_charity(&fixture, 6, true);
    ask_ann(&fixture);
    says(out, "Give to the lowest (Bob and Cy): charity <card>, ... to Bob\n");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "charity Elf to Bob", &why));
    ask_ann(&fixture);
    says(out, "Shares stay even: the next goes to Cy. Say: charity <card>\n");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "charity Dwarf", &why));
    fixture_close(&fixture);
    open_charity(&fixture, 6, false);
    ask_ann(&fixture);
    says(out, "Give to the lowest (Bob): charity <card>, ...\n");
    fixture_close(&fixture);
}

static void a_card_turned_face_up_shows_its_text(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_next(&fixture, PILE_DOOR_DECK, "Warrior");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    after(fixture_said(&fixture, NO_SEAT), "Warrior!", " Class. You win ties.");
    fixture_close(&fixture);
}

// Nothing more is printed on it than its kind and figures: those are told.
static void a_card_without_text_shows_its_figures(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, "[{\"name\": \"Plain Elbow\", \"kind\": \"power\", \"rank\": 1, "
                           "\"bonus\": 2}]");
    fixture_next(&fixture, PILE_DOOR_DECK, "Plain Elbow");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    says(fixture_said(&fixture, NO_SEAT), "Plain Elbow! Power, Rank 1, +2.\n");
    fixture_close(&fixture);
}

// Looted unseen by the others, it acts at once: everybody hears what it says.
static void a_card_that_acts_as_it_is_drawn_shows_its_text(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_next(&fixture, PILE_DOOR_DECK, "Pickpocket Holiday");
    fixture_next(&fixture, PILE_DOOR_DECK, "Warrior");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "loot", &why));
    after(fixture_said(&fixture, NO_SEAT), "Pickpocket Holiday in the room.",
          " Door card. As soon as it is drawn: every Thief gains 1 Level.");
    fixture_close(&fixture);
}

static void a_window_names_the_cards(void **state)
{
    struct fixture fixture;
    struct refusal why;
    (void)state;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Old Flute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(&fixture, "Tin Lute", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(&fixture, "Magic Missile", pile_hand(FIXTURE_BOB), 0);
    fixture_card(&fixture, "Enraged", pile_hand(FIXTURE_BOB), 0);
    fixture_next(&fixture, PILE_DOOR_DECK, "Small Yak");
    fixture_begin(&fixture);
    struct table_words words = fixture_words(&fixture, FIXTURE_ANN);
    (void)render_verbs(see(&words, SAYS_ALL), out, sizeof out);
    assert_string_equal(out, "You can: kick, unequip or give.\n");
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    words = fixture_words(&fixture, FIXTURE_BOB);
    (void)render_verbs(see(&words, SAYS_ALL), out, sizeof out);
    assert_string_equal(
        out, "You can: play Magic Missile ..., play Enraged on Small Yak, pass or hold.\n");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_hand_is_a_line_a_card),
        cmocka_unit_test(what_would_turn_the_fight_is_said),
        cmocka_unit_test(numbers_answer_what_is_asked),
        cmocka_unit_test(numbers_say_what_must_go),
        cmocka_unit_test(a_number_says_what_its_card_replaces),
        cmocka_unit_test(a_sale_says_its_prices),
        cmocka_unit_test(who_runs_is_said),
        cmocka_unit_test(what_is_only_carried_says_why),
        cmocka_unit_test(whose_card_is_lost_is_said),
        cmocka_unit_test(treasures_to_pick_say_what_they_do),
        cmocka_unit_test(losses_to_choose_from_say_what_they_are_worth),
        cmocka_unit_test(an_offer_is_answered_first),
        cmocka_unit_test(a_card_turned_face_up_shows_its_text),
        cmocka_unit_test(a_card_without_text_shows_its_figures),
        cmocka_unit_test(a_card_that_acts_as_it_is_drawn_shows_its_text),
        cmocka_unit_test(a_window_names_the_cards),
        cmocka_unit_test(charity_names_who_may_get_the_next),
    };
    return cmocka_run_group_tests_name("render_choices", tests, NULL, NULL);
}
