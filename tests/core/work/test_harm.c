// What lasts: with all places taken, what says the same of the same player becomes one.
#include <string.h>

#include "core/state/game_state.h"
#include "core/work/harm.h"

#include "tests/support/test.h"

static struct game game;
static struct engine engine = {.game = &game};

static struct lasting entry(unsigned op, unsigned seat, unsigned arg, int n)
{
    return (struct lasting){.op = (uint8_t)op,
                            .seat = (uint8_t)seat,
                            .until = UNTIL_ALWAYS,
                            .arg = (uint8_t)arg,
                            .n = (int16_t)n,
                            .source = NO_CARD,
                            .about = NO_CARD};
}

static bool add(unsigned op, unsigned seat, unsigned arg, int n)
{
    const struct lasting lasting = entry(op, seat, arg, n);
    return lasting_add(&engine, &lasting);
}

// Every place taken: a different one for each.
static int fill(void **state)
{
    (void)state;
    memset(&game, 0, sizeof game);
    game.seat_count = MB_SEATS_MAX;
    assert_true(add(EFFECT_LEVEL_IS, 0, 0, 4));
    for (unsigned i = 1; i < MB_LASTING_MAX; i++) {
        assert_int_equal(lasting_free(&game), MB_LASTING_MAX - i);
        assert_true(add(i == 1 ? EFFECT_FOLLOW : EFFECT_BONUS, i % MB_SEATS_MAX, i, 1));
    }
    assert_int_equal(lasting_free(&game), 0);
    return 0;
}

static void test_what_says_the_same_is_added_up(void **state)
{
    (void)state;
    assert_true(add(EFFECT_BONUS, 2, 2, 5));
    assert_int_equal(game.lasting[2].n, 6);
    assert_true(add(EFFECT_BONUS, 2, 2, INT16_MAX));
    assert_int_equal(game.lasting[2].n, INT16_MAX);
    assert_int_equal(game.lasting_top, MB_LASTING_MAX);
}

static void test_of_several_levels_the_last_counts(void **state)
{
    (void)state;
    assert_true(add(EFFECT_LEVEL_IS, 0, 0, 7));
    assert_int_equal(game.lasting[0].n, 7);
}

static void test_nothing_is_mixed_up(void **state)
{
    (void)state;
    assert_false(add(EFFECT_BONUS, 3, 2, 5));  // of another player
    assert_false(add(EFFECT_HANDS, 2, 2, 1));  // of another kind
    assert_false(add(EFFECT_FOLLOW, 1, 1, 1)); // each is a Monster of its own
}

static void test_a_place_that_is_free_again_is_used(void **state)
{
    (void)state;
    lasting_remove(&engine, 9);
    assert_int_equal(lasting_free(&game), 1);
    assert_true(add(EFFECT_BONUS, 2, 2, 5));
    assert_int_equal(game.lasting[2].n, 1);
    assert_int_equal(game.lasting[9].n, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_what_says_the_same_is_added_up, fill),
        cmocka_unit_test_setup(test_of_several_levels_the_last_counts, fill),
        cmocka_unit_test_setup(test_nothing_is_mixed_up, fill),
        cmocka_unit_test_setup(test_a_place_that_is_free_again_is_used, fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
