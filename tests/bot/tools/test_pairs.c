/* Which cards are pairs, and when they have met. */
#include "bot/tools/balance.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

// A Left Shoe looks for a Right Shoe in play; a Cobbler for it before the fighter, worn; a Pedlar
// for anybody who wears it.
static const char SHOES[] =
    "[{\"name\": \"Left Shoe\", \"kind\": \"item\", \"bonus\": 1, \"gold\": 100, \"rows\": ["
    "{\"do\": \"bonus\", \"amount\": 1, \"if\": [{\"named_in_play\": \"Right Shoe\"}]}]},"
    "{\"name\": \"Right Shoe\", \"kind\": \"item\", \"bonus\": 1, \"gold\": 100},"
    "{\"name\": \"Cobbler\", \"kind\": \"monster\", \"level\": 1, \"treasures\": 1, \"rows\": ["
    "{\"do\": \"bonus\", \"amount\": 2, \"if\": [{\"cards\": {\"place\": \"equipped\", \"name\": "
    "\"Right Shoe\"}, \"count\": 1}]},"
    "{\"when\": \"bad_stuff\", \"do\": \"nothing\"}]},"
    "{\"name\": \"Pedlar\", \"kind\": \"item\", \"bonus\": 1, \"gold\": 100, \"rows\": ["
    "{\"do\": \"bonus\", \"amount\": 1, \"if\": [{\"cards\": {\"place\": \"equipped\", \"name\": "
    "\"Right Shoe\"}, \"count\": 1, \"of\": \"anyone\"}]}]}]";

// A Fence looks for it worn and in the discards.
static const char FENCE[] =
    "[{\"name\": \"Right Shoe\", \"kind\": \"item\", \"bonus\": 1, \"gold\": 100},"
    "{\"name\": \"Fence\", \"kind\": \"monster\", \"level\": 1, \"treasures\": 1, \"rows\": ["
    "{\"do\": \"monster_bonus\", \"amount\": 2, \"if\": [{\"cards\": {\"place\": \"equipped\", "
    "\"name\": \"Right Shoe\"}, \"count\": 1}]},"
    "{\"do\": \"monster_bonus\", \"amount\": 2, \"if\": [{\"cards\": {\"place\": "
    "\"treasure_discard\", \"name\": \"Right Shoe\"}, \"count\": 1}]},"
    "{\"when\": \"bad_stuff\", \"do\": \"nothing\"}]}]";

// A Cutpurse looks for it in the main fighter's hand.
static const char CUTPURSE[] =
    "[{\"name\": \"Right Shoe\", \"kind\": \"item\", \"bonus\": 1, \"gold\": 100},"
    "{\"name\": \"Cutpurse\", \"kind\": \"monster\", \"level\": 1, \"treasures\": 1, \"rows\": ["
    "{\"when\": \"before\", \"do\": \"lose\", \"who\": \"main\", \"amount\": 1, \"cards\": "
    "{\"place\": "
    "\"hand\", \"name\": \"Right Shoe\"}},"
    "{\"when\": \"bad_stuff\", \"do\": \"nothing\"}]}]";

static const struct pair *find(const struct fixture *f, const struct pairs *pairs, const char *name)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        if (pairs->items[i].def == catalog_find_def(f->catalog, name, NO_SET)) {
            return &pairs->items[i];
        }
    }
    fail_msg("%s is of no pair", name);
    return NULL;
}

static void look(struct fixture *f, struct pairs *pairs)
{
    const struct event_list none = {.count = 0};
    const struct simulate_step step = {.before = f->game, .after = f->game, .events = &none};
    pairs_step(pairs, &step);
}

static void a_row_that_names_a_card_makes_a_pair(void **state)
{
    (void)state;
    struct fixture f;
    struct pairs pairs;
    fixture_open(&f, SHOES);
    pairs_init(&pairs, &f.box);
    assert_int_equal(pairs.count, 3);
    assert_int_equal(find(&f, &pairs, "Left Shoe")->named,
                     catalog_find_def(f.catalog, "Right Shoe", NO_SET));
    assert_int_equal(find(&f, &pairs, "Cobbler")->named,
                     catalog_find_def(f.catalog, "Right Shoe", NO_SET));
    pairs_finish(&pairs);
    fixture_close(&f);
}

static void they_meet_where_the_row_looks(void **state)
{
    (void)state;
    struct fixture f;
    struct pairs pairs;
    struct refusal why = {0};
    fixture_open(&f, SHOES);
    pairs_init(&pairs, &f.box);
    const uint16_t left = fixture_card(&f, "Left Shoe", PILE_HAND + FIXTURE_CY, 0); // no part of it
    const uint16_t right = fixture_card(&f, "Right Shoe", PILE_TABLE + FIXTURE_BOB, CARD_EQUIPPED);
    fixture_next(&f, PILE_DOOR_DECK, "Cobbler");
    fixture_begin(&f);
    assert_true(fixture_do(&f, FIXTURE_ANN, "kick", &why));
    pairs_begin(&pairs);
    fixture_card(&f, "Pedlar", PILE_TABLE + FIXTURE_CY, 0);
    look(&f, &pairs); // Ann fights the Cobbler, Bob wears the shoe
    assert_true(find(&f, &pairs, "Pedlar")->met);
    assert_false(find(&f, &pairs, "Left Shoe")->met);
    assert_false(find(&f, &pairs, "Cobbler")->met);
    arrange_card(f.game, left, PILE_TABLE + FIXTURE_CY, 0, NO_CARD);
    look(&f, &pairs);
    pairs_end(&pairs);
    assert_int_equal(find(&f, &pairs, "Left Shoe")->games, 1);
    assert_int_equal(find(&f, &pairs, "Cobbler")->games, 0);
    pairs_begin(&pairs);
    arrange_card(f.game, right, PILE_TABLE + FIXTURE_ANN, CARD_EQUIPPED, NO_CARD);
    look(&f, &pairs);
    pairs_end(&pairs);
    assert_int_equal(find(&f, &pairs, "Left Shoe")->games, 2);
    assert_int_equal(find(&f, &pairs, "Cobbler")->games, 1);
    pairs_finish(&pairs);
    fixture_close(&f);
}

static void what_looks_in_two_places_has_met_by_either(void **state)
{
    (void)state;
    struct fixture f;
    struct pairs pairs;
    struct refusal why = {0};
    fixture_open(&f, FENCE);
    pairs_init(&pairs, &f.box);
    const uint16_t right = fixture_card(&f, "Right Shoe", PILE_TABLE + FIXTURE_ANN, CARD_EQUIPPED);
    fixture_next(&f, PILE_DOOR_DECK, "Fence");
    fixture_begin(&f);
    assert_true(fixture_do(&f, FIXTURE_ANN, "kick", &why));
    for (unsigned game = 0; game < 2; game++) {
        pairs_begin(&pairs);
        look(&f, &pairs);
        pairs_end(&pairs);
        arrange_card(f.game, right, PILE_TREASURE_DISCARD, 0, NO_CARD);
    }
    assert_int_equal(pairs.count, 2);
    assert_int_equal(pairs.items[0].games, 2);
    assert_int_equal(pairs.items[1].games, 2);
    pairs_finish(&pairs);
    fixture_close(&f);
}

static void what_is_asked_of_the_main_fighter_is_not_met_by_the_helper(void **state)
{
    (void)state;
    struct fixture f;
    struct pairs pairs;
    struct refusal why = {0};
    fixture_open(&f, CUTPURSE);
    pairs_init(&pairs, &f.box);
    const uint16_t right = fixture_card(&f, "Right Shoe", PILE_HAND + FIXTURE_BOB, 0);
    fixture_next(&f, PILE_DOOR_DECK, "Cutpurse");
    fixture_begin(&f);
    pairs_begin(&pairs);
    struct event kicked = {.type = EVENT_MOVE, .card = pairs.items[0].first_card, .to = PILE_FIGHT};
    const struct event_list events = {.items = &kicked, .count = 1};
    const struct simulate_step kick = {.before = f.game, .after = f.game, .events = &events};
    pairs_step(&pairs, &kick); // nobody fights yet: it will be Ann
    assert_false(find(&f, &pairs, "Cutpurse")->met);
    assert_true(fixture_do(&f, FIXTURE_ANN, "kick", &why));
    assert_true(fixture_do(&f, FIXTURE_ANN, "ask Bob", &why));
    assert_true(fixture_do(&f, FIXTURE_BOB, "accept", &why));
    look(&f, &pairs);
    assert_false(find(&f, &pairs, "Cutpurse")->met);
    arrange_card(f.game, right, PILE_HAND + FIXTURE_ANN, 0, NO_CARD);
    look(&f, &pairs);
    assert_true(find(&f, &pairs, "Cutpurse")->met);
    pairs_finish(&pairs);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_that_names_a_card_makes_a_pair),
        cmocka_unit_test(they_meet_where_the_row_looks),
        cmocka_unit_test(what_looks_in_two_places_has_met_by_either),
        cmocka_unit_test(what_is_asked_of_the_main_fighter_is_not_met_by_the_helper),
    };
    return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
