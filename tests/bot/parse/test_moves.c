/* Completions of listed moves: each is one that the rules accept. */
#include <stdlib.h>

#include "core/base/rng.h"
#include "core/seen/moves.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

static const char CARDS[] =
    "[{\"name\": \"Test Levy\", \"kind\": \"curse\", \"rows\": [{\"when\": \"strike\", \"do\": "
    "\"tax\", \"cards\": {\"place\": \"table\", \"item\": \"any\"}}]},"
    " {\"name\": \"Test Vase\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "400},"
    " {\"name\": \"Test Ladle\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "400},"
    " {\"name\": \"Test Gong\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "600},"
    " {\"name\": \"Test Anvil\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "500},"
    " {\"name\": \"Test Crown\", \"kind\": \"item\", \"slot\": \"none\", \"bonus\": 1, \"gold\": "
    "1000},"
    " {\"name\": \"Test Wardrobe\", \"kind\": \"item\", \"slot\": \"none\", \"big\": true, "
    "\"gold\": 300},"
    " {\"name\": \"Test Piano\", \"kind\": \"item\", \"slot\": \"none\", \"big\": true, "
    "\"gold\": 300},"
    " {\"name\": \"Test Colossus\", \"kind\": \"monster\", \"level\": 18, \"treasures\": 2}]";

// Double Price counts for the next sale only, not for what somebody owes.
static void a_levy_counts_no_item_twice(void **state)
{
    (void)state;
    enum { OWED = 1000, SAMPLES = 200 };
    struct fixture fixture;
    struct refusal why;
    struct mb_rng rng;
    uint8_t seed[32];
    struct move moves[MB_LIST_MAX];
    struct move_list list = {.capacity = MB_LIST_MAX, .items = moves};
    fixture_open(&fixture, CARDS);
    (void)fixture_card(&fixture, "Test Crown", pile_table(FIXTURE_ANN), 0);
    (void)fixture_card(&fixture, "Test Gong", pile_table(FIXTURE_ANN), 0);
    (void)fixture_card(&fixture, "Test Vase", pile_table(FIXTURE_BOB), CARD_DOUBLED);
    (void)fixture_card(&fixture, "Test Ladle", pile_table(FIXTURE_BOB), 0);
    (void)fixture_card(&fixture, "Test Anvil", pile_table(FIXTURE_BOB), 0);
    fixture_next(&fixture, PILE_DOOR_DECK, "Test Levy");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "pass", &why));
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "choose Test Crown", &why));
    mb_rng_seed_u64(seed, 3);
    mb_rng_init(&rng, seed);
    moves_list(fixture.game, &fixture.box, FIXTURE_BOB, &list);
    assert_int_equal(list.count, 1);
    for (unsigned i = 0; i < SAMPLES; i++) {
        struct command command;
        move_sample(fixture.game, &fixture.box, &moves[0], &rng, &command);
        int paid = 0;
        for (unsigned j = 0; j < command.list_count; j++) {
            paid += box_def(&fixture.box, command.list[j])->gold;
        }
        assert_true(paid >= OWED);
    }
    fixture_close(&fixture);
}

// A Big Item fits not everybody, so each stands in the list by itself, beside the plain request.
static void each_big_item_may_pay_for_help(void **state)
{
    (void)state;
    enum { LISTED_MAX = 512 };
    static struct move moves[LISTED_MAX];
    struct fixture fixture;
    struct refusal why;
    struct move_list list = {.capacity = LISTED_MAX, .items = moves};
    fixture_open(&fixture, CARDS);
    (void)fixture_card(&fixture, "Dwarf", pile_table(FIXTURE_ANN), 0);
    const uint16_t big[] = {
        fixture_card(&fixture, "Test Wardrobe", pile_table(FIXTURE_ANN), 0),
        fixture_card(&fixture, "Test Piano", pile_table(FIXTURE_ANN), 0),
    };
    (void)fixture_card(&fixture, "Test Vase", pile_table(FIXTURE_ANN), 0);
    fixture_next(&fixture, PILE_DOOR_DECK, "Test Colossus");
    fixture_begin(&fixture);
    assert_true(fixture_do(&fixture, FIXTURE_ANN, "kick", &why));
    moves_list(fixture.game, &fixture.box, FIXTURE_ANN, &list);
    for (int n = 0; n <= 2; n++) {
        unsigned found[3] = {0};
        for (uint32_t i = 0; i < list.count; i++) {
            const struct command *const ask = &moves[i].command;
            if (ask->verb == VERB_ASK && ask->to == FIXTURE_BOB && ask->n == n) {
                found[ask->list_count == 0 ? 2 : ask->list[0] == big[1]]++;
            }
        }
        assert_int_equal(found[0], 1);
        assert_int_equal(found[1], 1);
        assert_int_equal(found[2], 1); // with any of the others, or none
    }
    fixture_close(&fixture);
}

static unsigned replaced(const struct move_list *list, uint16_t by)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct command *const command = &list->items[i].command;
        count += command->verb == VERB_PLAY && command->card == by && command->more_count == 1;
    }
    return count;
}

// An identity in the place of its like is allowed, and of no use: a hand does not offer it.
static void a_hand_replaces_no_identity_by_its_like(void **state)
{
    (void)state;
    struct fixture fixture;
    static struct move moves[MB_LIST_MAX];
    struct move_list list = {.capacity = MB_LIST_MAX, .items = moves};
    fixture_open(&fixture, NULL);
    (void)fixture_card(&fixture, "Thief", pile_table(FIXTURE_ANN), 0);
    const uint16_t like = fixture_card(&fixture, "Thief", pile_hand(FIXTURE_ANN), 0);
    const uint16_t other = fixture_card(&fixture, "Warrior", pile_hand(FIXTURE_ANN), 0);
    fixture_begin(&fixture);
    moves_list(fixture.game, &fixture.box, FIXTURE_ANN, &list);
    assert_int_equal(replaced(&list, like), 1);
    assert_int_equal(replaced(&list, other), 1);
    unsigned pointless = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        pointless += move_is_pointless(&fixture.box, &moves[i].command) ? 1 : 0;
    }
    assert_int_equal(pointless, 1);
    list.count = 0;
    moves_list_own(fixture.game, &fixture.box, FIXTURE_ANN, &list);
    assert_int_equal(replaced(&list, like), 0);
    assert_int_equal(replaced(&list, other), 1);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hand_replaces_no_identity_by_its_like),
                                       cmocka_unit_test(a_levy_counts_no_item_twice),
                                       cmocka_unit_test(each_big_item_may_pay_for_help)};
    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
