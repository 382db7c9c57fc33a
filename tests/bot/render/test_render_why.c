/* What a command would do, and refusals as people read them: typed lines and what is answered. */
#include <stdlib.h>
#include <string.h>

#include "bot/parse/parse.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 16384 };

static const char CARDS[] =
    "[{\"name\": \"Test Itch\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"level\", \"amount\": -1}]},"
    " {\"name\": \"Test Ogre\", \"kind\": \"monster\", \"level\": 6, \"treasures\": 1},"
    " {\"name\": \"Test Hen\", \"kind\": \"monster\", \"level\": 1, \"treasures\": 1},"
    " {\"name\": \"Test Hammer\", \"kind\": \"item\", \"slot\": \"hand\", \"bonus\": 2,"
    "  \"gold\": 700},"
    " {\"name\": \"Test Pole\", \"kind\": \"item\", \"slot\": \"two_hands\", \"bonus\": 3,"
    "  \"gold\": 400, \"big\": true}]";

struct asking {
    struct fixture fixture;
    struct game *scratch;
    struct event_list events;
};

static char out[OUT_SIZE];

static int open_with(void **state, const char *door, bool monsters)
{
    static struct asking asking;
    struct fixture *const fixture = &asking.fixture;
    fixture_open(fixture, CARDS);
    fixture_card(fixture, "Test Hammer", pile_table(FIXTURE_ANN), CARD_EQUIPPED);
    fixture_card(fixture, "Test Pole", pile_table(FIXTURE_ANN), 0);
    fixture_card(fixture, "Warrior", pile_table(FIXTURE_ANN), 0);
    fixture_card(fixture, "Wizard", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Test Itch", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Tin Hat of Certainty", pile_hand(FIXTURE_ANN), 0);
    fixture_card(fixture, "Thief", pile_hand(FIXTURE_BOB), 0);
    if (monsters) {
        fixture_card(fixture, "Test Hen", pile_hand(FIXTURE_ANN), 0);
    }
    if (monsters && strcmp(door, "Test Ogre") != 0) {
        fixture_card(fixture, "Test Ogre", pile_hand(FIXTURE_ANN), 0);
    }
    fixture_next(fixture, PILE_DOOR_DECK, door);
    fixture_begin(fixture);
    asking.scratch = malloc(game_size());
    asking.events.items = calloc(MB_EVENTS_MAX, sizeof *asking.events.items);
    asking.events.capacity = MB_EVENTS_MAX;
    assert_non_null(asking.scratch);
    assert_non_null(asking.events.items);
    *state = &asking;
    return 0;
}

static int open_table(void **state)
{
    return open_with(state, "Test Ogre", true);
}

static int close_table(void **state)
{
    struct asking *const asking = *state;
    free(asking->events.items);
    free(asking->scratch);
    fixture_close(&asking->fixture);
    return 0;
}

struct answer {
    unsigned seat;
    const char *line;
    const char *said[3];
};

static void ask(struct asking *asking, const struct answer *answer)
{
    const struct table_words words = fixture_words(&asking->fixture, answer->seat);
    struct request request = {0};
    struct parse_error error = {0};
    if (!parse_request(&words, answer->line, &request, &error)) {
        fail_msg("\"%s\" is not understood", answer->line);
    }
    request.command.seat = (uint8_t)answer->seat;
    (void)render_why(&words, &request.command, asking->scratch, &asking->events, out, sizeof out);
}

static void assert_says(const char *line, const char *part)
{
    if (strstr(out, part) == NULL) {
        fail_msg("why %s: \"%s\" is not said in:\n%s", line, part, out);
    }
}

static void check(struct asking *asking, const struct answer *answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ask(asking, &answers[i]);
        for (size_t j = 0; j < 3 && answers[i].said[j] != NULL; j++) {
            assert_says(answers[i].line, answers[i].said[j]);
        }
    }
}

static void before_the_door(void **state)
{
    static const struct answer ANSWERS[] = {
        {FIXTURE_ANN,
         "play Tin Hat of Certainty",
         {"would be accepted", "Ann equips Tin Hat of Certainty.",
          "You would be Level 1 with strength 4; now Level 1 with strength 3."}},
        {FIXTURE_ANN,
         "play Test Itch",
         {"On whom or what? Add \"on Bob\", \"on Cy\" or \"on Ann\" after Test Itch."}},
        {FIXTURE_ANN, "kick", {"would be accepted", "Nobody knows what is behind the door"}},
        {FIXTURE_ANN,
         "equip Test Pole",
         {"no room for Test Pole: you use Test Hammer. Say \"unequip Test Hammer\" first.",
          "The rule: In use at once: one Headgear", "(rules hands)"}},
        {FIXTURE_ANN,
         "play Wizard",
         {"You already have Warrior: say \"play Wizard replacing Warrior\"."}},
        {FIXTURE_ANN, "sell Test Hammer", {"300 Gold Pieces short: a Level costs 1,000."}},
        {FIXTURE_ANN, "sell Test Hammer, Test Pole", {"for 1 Level", "You would be Level 2"}},
        {FIXTURE_ANN, "loot", {"No. Not at this point of the turn; \"kick\" opens the door."}},
        {FIXTURE_ANN, "run", {"nothing to run from"}},
        {FIXTURE_ANN, "ask Bob", {"no fight, so nobody needs help"}},
        {FIXTURE_ANN, "pass", {"Nothing is waiting for a \"pass\""}},
        {FIXTURE_ANN, "discard Test Hammer", {"sell, trade or give it"}},
        {FIXTURE_BOB, "kick", {"It is Ann's turn, so you can't"}},
        {FIXTURE_BOB, "play Thief", {"on your own turn, and it is Ann's"}},
        {FIXTURE_BOB, "choose 1", {"Nobody is asking you that; \"help\" lists"}},
    };
    check(*state, ANSWERS, sizeof ANSWERS / sizeof ANSWERS[0]);
}

// Nothing stands behind this door, so trouble may be looked for.
static void looking_for_trouble(void **state)
{
    struct asking *const asking = *state;
    static const struct answer ANSWERS[] = {
        {FIXTURE_ANN, "fight Test Hen", {"would be accepted", "\n3 against 1: you would win.\n"}},
        {FIXTURE_ANN, "fight Test Ogre", {"\n3 against 6: you would lose, as things stand.\n"}},
    };
    struct refusal why;
    assert_true(fixture_do(&asking->fixture, FIXTURE_ANN, "kick", &why));
    check(asking, ANSWERS, sizeof ANSWERS / sizeof ANSWERS[0]);
}

static int open_quiet_table(void **state)
{
    return open_with(state, "Elf", true);
}

static int open_table_without_monsters(void **state)
{
    return open_with(state, "Elf", false);
}

static void in_a_fight(void **state)
{
    struct asking *const asking = *state;
    struct refusal why;
    assert_true(fixture_do(&asking->fixture, FIXTURE_ANN, "kick", &why));
    static const struct answer ANSWERS[] = {
        {FIXTURE_ANN,
         "use Berserk with Wizard",
         {"paying Wizard",
          "The fight would be 4 to 6 (now 3 to 6): the monsters would be winning."}},
        {FIXTURE_ANN, "run", {"would be accepted", "5 or more escapes from"}},
        {FIXTURE_ANN, "equip Test Pole", {"Nobody changes clothes in a fight"}},
        {FIXTURE_ANN, "sell Test Hammer, Test Pole", {"No shop comes to a fight"}},
        {FIXTURE_ANN, "ask Bob offering 5 treasures", {"brings only 1 Treasure"}},
        {FIXTURE_BOB, "use Theft with Thief on Test Hammer of Ann", {"You have no such ability"}},
        {FIXTURE_CY, "volunteer for 1 treasure", {"would be accepted"}},
    };
    check(asking, ANSWERS, sizeof ANSWERS / sizeof ANSWERS[0]);
}

static void check_behind_the_door(struct asking *asking, const char *said)
{
    const struct answer answer = {FIXTURE_ANN, "done", {said}};
    struct refusal why;
    assert_true(fixture_do(&asking->fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&asking->fixture, FIXTURE_ANN, "take", &why));
    check(asking, &answer, 1);
}

static void a_monster_in_hand_may_be_fought(void **state)
{
    check_behind_the_door(*state, "\"fight\" a Monster from your hand, or \"loot\" the room.");
}

// Whoever has no Monster at hand is not told to fight one.
static void without_one_the_room_is_looted(void **state)
{
    check_behind_the_door(*state, "No. Not at this point of the turn; \"loot\" the room.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(before_the_door, open_table, close_table),
        cmocka_unit_test_setup_teardown(in_a_fight, open_table, close_table),
        cmocka_unit_test_setup_teardown(looking_for_trouble, open_quiet_table, close_table),
        cmocka_unit_test_setup_teardown(a_monster_in_hand_may_be_fought, open_quiet_table,
                                        close_table),
        cmocka_unit_test_setup_teardown(without_one_the_room_is_looted, open_table_without_monsters,
                                        close_table),
    };
    return cmocka_run_group_tests_name("render_why", tests, NULL, NULL);
}
