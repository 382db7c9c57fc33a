/* What is typed means what can be done now: abbreviated words against the moves of whoever types.
 * What a line means is written as parse_format() writes it, or as "code: words (expected)". */
#include <stdio.h>
#include <string.h>

#include "core/loop/arrange.h"

#include "bot/parse/parse.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

static const char CARDS[] =
    "[{\"name\": \"Quick Quokka\", \"kind\": \"monster\", \"level\": 3, \"treasures\": 2},"
    " {\"name\": \"Mumbling Quokkas in a Coat\", \"kind\": \"monster\", \"level\": 2,"
    "  \"treasures\": 1},"
    " {\"name\": \"Zealous Parrot\", \"kind\": \"monster\", \"level\": 2, \"treasures\": 1},"
    " {\"name\": \"Squirrel Zeppelin\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1,"
    "  \"gold\": 300},"
    " {\"name\": \"Zither of Zest\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1,"
    "  \"gold\": 300},"
    " {\"name\": \"Rusty Xylophone\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1,"
    "  \"gold\": 300},"
    " {\"name\": \"Xylophone of the Lost\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1,"
    "  \"gold\": 300},"
    " {\"name\": \"Quiet Yawn\", \"kind\": \"one_shot\", \"bonus\": 2, \"gold\": 100},"
    " {\"name\": \"Yawning Gate\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1,"
    "  \"gold\": 300}]";

enum moment { BEFORE_DOOR, IN_FIGHT, ASKED, IN_WINDOW, SHARING, CHARITY };

struct legal_case {
    enum moment moment;
    unsigned seat;
    const char *line, *means;
};

static void to_charity(struct fixture *fixture)
{
    struct refusal why;
    assert_true(fixture_do(fixture, FIXTURE_ANN, "loot", &why));
    assert_true(fixture_do(fixture, FIXTURE_ANN, "done", &why));
}

/* Ann holds, Bob owns; behind the door stands a Quick Quokka with two Treasures. */
static void open_table(struct fixture *fixture, enum moment moment)
{
    struct refusal why;
    fixture_open(fixture, CARDS);
    fixture_card(fixture, "Mumbling Quokkas in a Coat", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Squirrel Zeppelin", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Rusty Xylophone", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Quiet Yawn", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Xylophone of the Lost", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(fixture, "Yawning Gate", pile_table(FIXTURE_BOB), CARD_EQUIPPED);
    fixture_next(fixture, PILE_TREASURE_DECK, "Zither of Zest");
    fixture_next(fixture, PILE_DOOR_DECK, moment == CHARITY ? "Warrior" : "Quick Quokka");
    if (moment == CHARITY) {
        fixture_card(fixture, "Thief", pile_hand(FIXTURE_ANN), 0);
        fixture_card(fixture, "Elf", pile_hand(FIXTURE_ANN), 0);
        arrange_seat(fixture->game, FIXTURE_ANN, 3, true, false, true);
        arrange_seat(fixture->game, FIXTURE_CY, 2, true, false, true);
    }
    fixture_begin(fixture);
    if (moment != BEFORE_DOOR) {
        assert_true(fixture_do(fixture, FIXTURE_ANN, "kick", &why));
    }
    if (moment == ASKED || moment == IN_WINDOW || moment == SHARING) {
        assert_true(fixture_do(fixture, FIXTURE_ANN, "ask Bob offering 1 treasure", &why));
    }
    if (moment == IN_WINDOW || moment == SHARING) {
        assert_true(fixture_do(fixture, FIXTURE_BOB, "accept", &why));
    }
    if (moment == SHARING) {
        assert_true(fixture_do(fixture, FIXTURE_ANN, "pass", &why));
        assert_true(fixture_do(fixture, FIXTURE_CY, "pass", &why));
    }
    if (moment == CHARITY) {
        to_charity(fixture);
    }
}

static const struct legal_case CASES[] = {
    // Any word's beginning, of what lies where the verb takes it from, before all cards.
    {BEFORE_DOOR, FIXTURE_ANN, "why fight quok", "fight Mumbling Quokkas in a Coat"},
    {BEFORE_DOOR, FIXTURE_ANN, "lay zepp", "lay Squirrel Zeppelin"},
    {BEFORE_DOOR, FIXTURE_ANN, "lay in a co", "lay Mumbling Quokkas in a Coat"},
    // What can be done comes before what begins so.
    {BEFORE_DOOR, FIXTURE_ANN, "play xyl", "play Rusty Xylophone"},
    {BEFORE_DOOR, FIXTURE_ANN, "unequip xyl", "unequip Xylophone of the Lost"},
    {BEFORE_DOOR, FIXTURE_ANN, "play Xylophone of the Lost", "play Xylophone of the Lost"},
    {BEFORE_DOOR, FIXTURE_ANN, "sell xyl of",
     "no_such_card: xyl of (the name of a card of this game)"},
    {BEFORE_DOOR, FIXTURE_BOB, "unequip ya", "unequip Yawning Gate"},
    {IN_FIGHT, FIXTURE_ANN, "play q for m", "play Quiet Yawn for monsters"},
    // A side goes by whoever stands on it.
    {IN_FIGHT, FIXTURE_ANN, "play q on me", "play Quiet Yawn for players"},
    {IN_FIGHT, FIXTURE_ANN, "play q on quok", "play Quiet Yawn for monsters"},
    {IN_FIGHT, FIXTURE_ANN, "play q for me", "play Quiet Yawn for players"},
    {IN_FIGHT, FIXTURE_ANN, "play q for quok", "play Quiet Yawn for monsters"},
    {IN_FIGHT, FIXTURE_ANN, "play q for Bob", "bad_arguments: Bob (\"players\" or \"monsters\")"},
    {IN_FIGHT, FIXTURE_ANN, "play q on Bob", "play Quiet Yawn on Bob"},
    {IN_WINDOW, FIXTURE_ANN, "play q on Bob", "play Quiet Yawn for players"},
    {BEFORE_DOOR, FIXTURE_ANN, "play q on me", "play Quiet Yawn on Ann"},
    // Nothing fits there: the nearest, for the rules to refuse.
    {BEFORE_DOOR, FIXTURE_ANN, "unequip zepp", "unequip Squirrel Zeppelin"},
    {BEFORE_DOOR, FIXTURE_BOB, "sell xyl", "sell Xylophone of the Lost"},
    {BEFORE_DOOR, FIXTURE_CY, "sell parrot", "sell Zealous Parrot"},
    {BEFORE_DOOR, FIXTURE_CY, "sell qqq", "no_such_card: qqq (the name of a card of this game)"},
    // Looking: own cards, what is offered, the fight, the tables, all cards.
    {BEFORE_DOOR, FIXTURE_ANN, "card quok", "card Mumbling Quokkas in a Coat"},
    {BEFORE_DOOR, FIXTURE_CY, "card xyl", "card Xylophone of the Lost"},
    {BEFORE_DOOR, FIXTURE_ANN, "card xyl", "card Xylophone of the Lost"},
    {BEFORE_DOOR, FIXTURE_CY, "card zepp", "card Squirrel Zeppelin"},
    {IN_FIGHT, FIXTURE_CY, "card quok", "card Quick Quokka"},
    {SHARING, FIXTURE_ANN, "card zest", "card Zither of Zest"},
    {SHARING, FIXTURE_ANN, "card ze", "card Squirrel Zeppelin"},
    {SHARING, FIXTURE_ANN, "card 1", "card Zither of Zest"},
    {SHARING, FIXTURE_ANN, "card #1", "card Zither of Zest"},
    {SHARING, FIXTURE_ANN, "card 3", "no_such_card: 3 (the name of a card of this game)"},
    {SHARING, FIXTURE_CY, "card 2", "no_such_card: 2 (the name of a card of this game)"},
    {SHARING, FIXTURE_ANN, "ch zest", "choose Zither of Zest"},
    // A number alone answers the question that is open, for whom it is open.
    {SHARING, FIXTURE_ANN, "1", "choose Zither of Zest"},
    {SHARING, FIXTURE_ANN, "#1", "choose Zither of Zest"},
    {SHARING, FIXTURE_ANN, "3", "bad_arguments: 3 (the number of an option)"},
    {SHARING, FIXTURE_CY, "1", "unknown_command: 1 (help)"},
    {BEFORE_DOOR, FIXTURE_ANN, "yes", "unknown_command: yes (help)"},
    {BEFORE_DOOR, FIXTURE_ANN, "no", "unknown_command: no (help)"},
    // Where an offer waits for whoever types, a yes is to that, and "no" is no beginning of a word.
    {ASKED, FIXTURE_BOB, "yes", "accept"},
    {ASKED, FIXTURE_BOB, "no", "refuse"},
    {ASKED, FIXTURE_CY, "yes", "unknown_command: yes (help)"},
    // A word that begins several commands means the only one that is legal.
    {BEFORE_DOOR, FIXTURE_ANN, "p zepp", "play Squirrel Zeppelin"},
    {BEFORE_DOOR, FIXTURE_ANN, "han", "request 15"},
    {BEFORE_DOOR, FIXTURE_ANN, "h", "unknown_command: h (hand or help)"},
    {BEFORE_DOOR, FIXTURE_CY, "p", "unknown_command: p (play, pass, pause or privacy)"},
    {BEFORE_DOOR, FIXTURE_ANN, "why k", "kick"},
    {IN_WINDOW, FIXTURE_CY, "p", "pass"},
    {IN_WINDOW, FIXTURE_ANN, "p", "unknown_command: p (play or pass)"},
    {IN_FIGHT, FIXTURE_ANN, "p yawn", "play Quiet Yawn"},
    {IN_WINDOW, FIXTURE_ANN, "h", "unknown_command: h (hold, hand or help)"},
    {IN_WINDOW, FIXTURE_CY, "why h", "hold"},
    {CHARITY, FIXTURE_ANN, "ch elf", "charity Elf to Bob"},
    {CHARITY, FIXTURE_ANN, "charity zepp", "charity Squirrel Zeppelin to Bob"},
    {CHARITY, FIXTURE_CY, "charity zepp", "bad_arguments:  (\"to\" and a player)"},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static void write_error(const struct parse_error *error, char *out, size_t size)
{
    (void)snprintf(out, size, "%s: %s (%s)", refusal_name(error->why.code), error->words,
                   error->expected);
}

static void test_legal(void **state)
{
    const struct legal_case *const row = *state;
    struct fixture fixture;
    struct request request;
    struct parse_error error;
    char means[1024];
    open_table(&fixture, row->moment);
    const struct table_words words = fixture_words(&fixture, row->seat);
    if (!parse_request(&words, row->line, &request, &error)) {
        write_error(&error, means, sizeof means);
    } else if (request.kind == REQUEST_CARD) {
        (void)snprintf(means, sizeof means, "card %s", catalog_name(words.catalog, request.card));
    } else if (request.kind == REQUEST_GAME || request.kind == REQUEST_WHY) {
        (void)parse_format(&words, &request.command, means, sizeof means);
    } else {
        (void)snprintf(means, sizeof means, "request %d", (int)request.kind);
    }
    fixture_close(&fixture);
    assert_string_equal(means, row->means);
}

int main(void)
{
    static struct CMUnitTest tests[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].line,
                                       .test_func = test_legal,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    return cmocka_run_group_tests_name("parse_legal", tests, NULL, NULL);
}
