#include <stdio.h>
#include <string.h>

#include "tests/bot/parse/parse_table.h"
#include "tests/support/test.h"

struct choose_case {
    const char *name;
    unsigned kind; // enum decision_kind
    unsigned count;
    uint16_t options[4]; // no cards
    bool may_pass;
    const char *line, *means;
};

static const struct choose_case CASES[] = {
    {"yes", DECIDE_YES_NO, 2, {1, 0}, false, "choose yes", "choose list[1]"},
    {"no", DECIDE_YES_NO, 2, {1, 0}, false, "choose No", "choose list[0]"},
    {"second of yes and no", DECIDE_YES_NO, 2, {1, 0}, false, "choose 2", "choose list[0]"},
    {"yes alone", DECIDE_YES_NO, 2, {1, 0}, false, "yes", "choose list[1]"},
    {"no alone", DECIDE_YES_NO, 2, {1, 0}, false, "N", "choose list[0]"},
    {"no number of anything", DECIDE_YES_NO, 2, {1, 0}, false, "0", "unknown_command: 0 (help)"},
    {"no is no number", DECIDE_NUMBER, 3, {0, 2, 4}, false, "no", "unknown_command: no (help)"},
    {"what is given away has no numbers",
     DECIDE_CHARITY,
     0,
     {0},
     false,
     "1, 4",
     "unknown_command: 1, 4 (help)"},
    {"a number alone", DECIDE_NUMBER, 3, {0, 2, 4}, false, "2", "choose list[2]"},
    {"yes or no is no name",
     DECIDE_YES_NO,
     2,
     {1, 0},
     false,
     "choose maybe",
     "bad_arguments: maybe (\"yes\" or \"no\")"},
    {"a number is the number itself",
     DECIDE_NUMBER,
     3,
     {0, 2, 4},
     false,
     "choose 2",
     "choose list[2]"},
    {"an option's number of numbers",
     DECIDE_NUMBER,
     3,
     {0, 2, 4},
     false,
     "choose #2",
     "choose list[2]"},
    {"a number in words", DECIDE_NUMBER, 3, {0, 2, 4}, false, "choose four", "choose list[4]"},
    {"a number not offered",
     DECIDE_NUMBER,
     3,
     {0, 2, 4},
     false,
     "choose 3",
     "bad_arguments: 3 (one of the numbers offered)"},
    {"a player by name", DECIDE_CHOOSE_PLAYER, 2, {1, 3}, false, "choose ada", "choose list[3]"},
    {"a player by number", DECIDE_CHOOSE_PLAYER, 2, {1, 3}, false, "choose 2", "choose list[3]"},
    {"a player who is no option",
     DECIDE_CHOOSE_PLAYER,
     2,
     {1, 3},
     false,
     "choose Cy",
     "choose list[2]"},
    {"nobody",
     DECIDE_CHOOSE_PLAYER,
     2,
     {1, 3},
     false,
     "choose Zed",
     "no_such_player: Zed (a player of this table)"},
    {"a number beyond",
     DECIDE_CHOOSE_PLAYER,
     2,
     {1, 3},
     false,
     "choose 3",
     "bad_arguments: 3 (the number of an option)"},
    {"who accepted", DECIDE_ASK_HELP, 2, {1, 3}, false, "choose bob", "choose list[1]"},
    {"nothing, where that is no answer",
     DECIDE_CHOOSE_PLAYER,
     2,
     {1, 3},
     false,
     "choose nothing",
     "bad_arguments: nothing (one of the options, by number or name)"},
    {"nothing, where it is", DECIDE_CHOOSE_PLAYER, 2, {1, 3}, true, "choose none", "choose"},
    {"no words",
     DECIDE_CHOOSE_PLAYER,
     2,
     {1, 3},
     false,
     "choose",
     "bad_arguments:  (one of the options, by number or name)"},
    {"order",
     DECIDE_CHOOSE_PLAYER,
     3,
     {1, 3, 2},
     false,
     "choose 3, 1, Ada",
     "choose list[2, 1, 3]"},
    {"no question", DECIDE_TOTAL, 0, {0}, false, "choose anything", "choose"},
    {"no question, a player", DECIDE_TOTAL, 0, {0}, false, "choose Bob", "choose list[1]"},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static struct parse_table usual; // laid out once; each test works on a copy

static void test_choose(void **state)
{
    const struct choose_case *row = *state;
    struct parse_table table = usual;
    char means[512];
    table.words.view = &table.game;
    table.words.box = &table.box;
    if (row->kind < DECIDE_TOTAL) {
        parse_table_ask(&table, row->kind, row->options, row->count);
    }
    table.game.decision.may_pass = row->may_pass;
    parse_table_try(&table, row->line, means, sizeof means);
    assert_string_equal(means, row->means);
}

static uint16_t card_of(const struct parse_table *table, unsigned pile, unsigned at)
{
    uint16_t card = table->game.piles[pile].first;
    for (; at > 0; at--) {
        card = table->game.cards[card].next;
    }
    return card;
}

static void expect(const struct parse_table *table, const char *line, const char *expected)
{
    char means[512];
    parse_table_try(table, line, means, sizeof means);
    assert_string_equal(means, expected);
}

static void cards_are_chosen_by_number_and_name(void **state)
{
    struct parse_table table = usual;
    (void)state;
    table.words.view = &table.game;
    table.words.box = &table.box;
    // Options are listed in the order of the cards: Doors, then Treasures.
    uint16_t cards[] = {card_of(&table, PILE_HAND, 2), card_of(&table, PILE_HAND, 3),
                        card_of(&table, PILE_TABLE, 0), card_of(&table, PILE_TABLE + 1, 2),
                        card_of(&table, PILE_TABLE + 2, 0)};
    parse_table_ask_cards(&table, cards, 5);
    expect(&table, "choose boots", "choose list[Boots of Butt-Kicking@t0*]");
    expect(&table, "choose Thief, Thief", "choose list[Thief@h0, Thief@h0+2]");
    expect(&table, "choose Thief #2", "choose list[Thief@h0+2]");
    expect(&table, "choose 1, 5", "choose list[Thief@h0, Boots of Butt-Kicking@t0*]");
    expect(&table, "choose Elf of Cy", "choose list[Elf@t2]");
    expect(&table, "choose Bob's Elf", "choose list[Elf@t1]");
    expect(&table, "choose Elf",
           "ambiguous_name: Elf (more of the name, or \"of\" and a player) 2");
    expect(&table, "choose Siege Ladder", "choose list[Siege Ladder@t0]");
    expect(&table, "choose Nonsense",
           "no_such_card: Nonsense (one of the options, by number or name)");
    expect(&table, "choose boots in hand",
           "bad_arguments: boots in hand (one of the options, by number or name)");
}

static void monsters_are_chosen_by_name(void **state)
{
    struct parse_table table = usual;
    (void)state;
    table.words.view = &table.game;
    table.words.box = &table.box;
    uint16_t monsters[] = {card_of(&table, PILE_FIGHT, 0), card_of(&table, PILE_FIGHT, 1),
                           card_of(&table, PILE_FIGHT, 2)};
    parse_table_ask(&table, DECIDE_CHOOSE_MONSTER, monsters, 3);
    expect(&table, "choose troll", "choose list[Net Troll@f]");
    expect(&table, "choose Net Troll (Mate)", "choose list[Mate@f]");
    expect(&table, "choose 2", "choose list[Tenured Skeleton@f]");
}

int main(void)
{
    static struct CMUnitTest tests[CASE_COUNT + 2];
    if (!parse_table_open(&usual)) {
        return 1;
    }
    parse_table_usual(&usual);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = test_choose,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(cards_are_chosen_by_number_and_name);
    tests[CASE_COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(monsters_are_chosen_by_name);
    int failed = cmocka_run_group_tests_name("parse_choose", tests, NULL, NULL);
    parse_table_close(&usual);
    return failed;
}
