/* Hints for newcomers: each at its moment, each once, to those whom it concerns. */
#include <string.h>

#include "bot/render/guide.h"

#include "tests/support/fixture.h"
#include "tests/support/says.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { HINTS_SIZE = 8192 };

static struct guide ann, bob;

static const char *hints(struct fixture *fixture, unsigned seat)
{
    static char text[HINTS_SIZE];
    const struct table_words words = fixture_words(fixture, seat);
    (void)guide_next(seat == FIXTURE_ANN ? &ann : &bob, &words, text, sizeof text);
    return text;
}

static void act(struct fixture *fixture, unsigned seat, const char *line)
{
    struct refusal why = {0};
    if (!fixture_do(fixture, seat, line, &why)) {
        fail_msg("\"%s\" is refused: %s", line, refusal_name(why.code));
    }
}

static int open_table(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    ann = (struct guide){0};
    bob = (struct guide){0};
    fixture_open(&fixture, NULL);
    (void)fixture_card(&fixture, "Magic Missile", pile_hand(0), 0);
    *state = &fixture;
    return 0;
}

static int close_table(void **state)
{
    fixture_close(*state);
    return 0;
}

// Each edition in its own words: the house's.
static void the_guide_speaks_the_words_of_the_house(void **state)
{
    struct fixture *const f = *state;
    static const struct {
        enum edition house;
        const char *setup, *door;
    } HOUSES[] = {{EDITION_CLASSIC, "a Class or a Race in front", "a Curse to suffer"},
                  {EDITION_PATHFINDER, "a Class or a Faction in front", "a Curse to suffer"},
                  {EDITION_SUPER, "a Class or a Power in front", "a Trap to suffer"},
                  {EDITION_CONAN, "a Class, a Race or a Birthright in front", "a Curse to suffer"}};
    static const unsigned PHASES[] = {PHASE_SETUP, PHASE_START};
    for (size_t i = 0; i < 2 * sizeof HOUSES / sizeof HOUSES[0]; i++) {
        char text[HINTS_SIZE];
        struct guide guide = {0};
        struct box box = f->box;
        struct table_words words = fixture_words(f, FIXTURE_ANN);
        assert_true(arrange_finish(f->game, &f->box, FIXTURE_ANN, PHASES[i % 2], NULL));
        box.profile.house = (uint8_t)HOUSES[i / 2].house;
        words.box = &box;
        words.view = f->game;
        (void)guide_next(&guide, &words, text, sizeof text);
        assert_non_null(strstr(text, i % 2 == 0 ? HOUSES[i / 2].setup : HOUSES[i / 2].door));
    }
}

static void a_won_fight_is_explained_step_by_step(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Net Troll");
    (void)fixture_card(f, "Cleric", pile_table(0), 0);
    (void)fixture_card(f, "Mace of Sharpness", pile_table(0), CARD_EQUIPPED);
    (void)fixture_card(f, "Flaming Armor", pile_table(0), CARD_EQUIPPED);
    fixture_begin(f);
    const char *said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_PROMPT, NULL);
    assert_says(said, TEXT_GUIDE_KICK, NULL);
    assert_string_equal(hints(f, FIXTURE_ANN), ""); // once
    said = hints(f, FIXTURE_BOB);
    assert_says(said, TEXT_GUIDE_PROMPT, NULL);
    assert_says_not(said, TEXT_GUIDE_KICK, NULL);
    act(f, FIXTURE_ANN, "kick");
    said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_LOSING, TEXT_ARGS(text_num("n", 7), text_num("m", 10)));
    assert_string_equal(hints(f, FIXTURE_BOB), "");
    act(f, FIXTURE_ANN, "play Magic Missile for players");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_WINNING,
                TEXT_ARGS(text_num("n", 12), text_num("m", 10)));
    said = hints(f, FIXTURE_BOB);
    assert_says(said, TEXT_GUIDE_WINDOW, TEXT_ARGS(text_str("who", "Ann")));
    assert_says_not(said, TEXT_GUIDE_WINNING, NULL);
    act(f, FIXTURE_BOB, "pass");
    assert_string_equal(hints(f, FIXTURE_BOB), "");
    act(f, FIXTURE_CY, "pass");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_CHARITY, NULL);
    act(f, FIXTURE_ANN, "done");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_BYE, NULL);
    assert_string_equal(hints(f, FIXTURE_ANN), "");
}

static void a_flight_is_explained(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Net Troll");
    fixture_begin(f);
    act(f, FIXTURE_ANN, "kick");
    const char *said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_LOSING, NULL);
    assert_says_not(said, TEXT_GUIDE_RUN, NULL);
    act(f, FIXTURE_ANN, "ask Bob");
    assert_says(hints(f, FIXTURE_BOB), TEXT_GUIDE_OFFER, NULL);
    assert_string_equal(hints(f, FIXTURE_ANN), "");
}

static void a_tie_is_lost_but_nobody_is_ahead(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Net Troll");
    (void)fixture_card(f, "Mace of Sharpness", pile_table(0), CARD_EQUIPPED);
    fixture_begin(f);
    act(f, FIXTURE_ANN, "kick");
    const char *const said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_LOSING, NULL);
    assert_null(strstr(said, "ahead"));
}

static void no_hint_runs_ahead_of_what_must_be_settled_first(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Expired Dice Permit");
    fixture_begin(f);
    (void)hints(f, FIXTURE_ANN);
    act(f, FIXTURE_ANN, "kick");
    const char *said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_ANSWER, NULL);
    assert_says_not(said, TEXT_GUIDE_OPENED, NULL);
    act(f, FIXTURE_ANN, "pass");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_OPENED, NULL);
}

static void a_question_comes_before_the_win(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Lost Tour Group");
    (void)fixture_card(f, "Cleric", pile_table(0), 0);
    (void)fixture_card(f, "Mace of Sharpness", pile_table(0), CARD_EQUIPPED);
    fixture_begin(f);
    (void)hints(f, FIXTURE_ANN);
    act(f, FIXTURE_ANN, "kick");
    const char *said = hints(f, FIXTURE_ANN);
    assert_says(said, TEXT_GUIDE_CHOICE, NULL);
    assert_says_not(said, TEXT_GUIDE_WINNING, NULL);
    char question[HINTS_SIZE];
    const struct table_words words = fixture_words(f, FIXTURE_ANN);
    (void)render_question(see(&words, SAYS_OWN), question, sizeof question);
    assert_non_null(strstr(question, "\"no\" lets it go in peace"));
    act(f, FIXTURE_ANN, "choose yes");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_WINNING,
                TEXT_ARGS(text_num("n", 5), text_num("m", 4)));
}

static void treasures_to_pick_are_shown_with_their_figures(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_TREASURE_DECK, "Tin Hat of Certainty");
    fixture_next(f, PILE_DOOR_DECK, "Net Troll");
    (void)fixture_card(f, "Cleric", pile_table(FIXTURE_BOB), 0);
    (void)fixture_card(f, "Mace of Sharpness", pile_table(FIXTURE_BOB), CARD_EQUIPPED);
    (void)fixture_card(f, "Flaming Armor", pile_table(FIXTURE_BOB), CARD_EQUIPPED);
    fixture_begin(f);
    act(f, FIXTURE_ANN, "kick");
    act(f, FIXTURE_ANN, "ask Bob offering 1 treasure");
    act(f, FIXTURE_BOB, "accept");
    act(f, FIXTURE_ANN, "play Magic Missile for players");
    act(f, FIXTURE_BOB, "pass");
    act(f, FIXTURE_CY, "pass");
    char question[HINTS_SIZE];
    const struct table_words words = fixture_words(f, FIXTURE_ANN);
    (void)render_question(see(&words, SAYS_OWN), question, sizeof question);
    assert_non_null(strstr(question, "Tin Hat of Certainty (Item, +1, Headgear"));
}

static void an_empty_room_is_explained(void **state)
{
    struct fixture *const f = *state;
    fixture_next(f, PILE_DOOR_DECK, "Wizard");
    fixture_begin(f);
    (void)hints(f, FIXTURE_ANN);
    act(f, FIXTURE_ANN, "kick");
    assert_says(hints(f, FIXTURE_ANN), TEXT_GUIDE_OPENED, NULL);
    assert_string_equal(hints(f, NO_SEAT), ""); // an onlooker is told nothing
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_guide_speaks_the_words_of_the_house, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_won_fight_is_explained_step_by_step, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(a_flight_is_explained, open_table, close_table),
        cmocka_unit_test_setup_teardown(a_tie_is_lost_but_nobody_is_ahead, open_table, close_table),
        cmocka_unit_test_setup_teardown(no_hint_runs_ahead_of_what_must_be_settled_first,
                                        open_table, close_table),
        cmocka_unit_test_setup_teardown(a_question_comes_before_the_win, open_table, close_table),
        cmocka_unit_test_setup_teardown(treasures_to_pick_are_shown_with_their_figures, open_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(an_empty_room_is_explained, open_table, close_table),
    };
    return cmocka_run_group_tests_name("guide", tests, NULL, NULL);
}
