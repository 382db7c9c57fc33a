/* The table of a checked simulation: what it plays along with, and what it finds wrong. */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/game.h"

#include "bot/tools/simulate.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct simulate_table *table;
    struct game *game, *after;
    char fault[SIMULATE_FAULT_SIZE];
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    struct game_setup setup = {.seat_count = 3};
    assert_non_null(f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->table = simulate_table_create(f->catalog, &f->box);
    f->game = calloc(1, game_size());
    f->after = calloc(1, game_size());
    assert_non_null(f->table);
    mb_rng_seed_u64(setup.seed, 5);
    game_create(f->game, &f->box, &setup, NULL);
    simulate_table_begin(f->table, f->game);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    simulate_table_destroy(f->table);
    catalog_destroy(f->catalog);
    free(f->game);
    free(f->after);
    free(f);
    return 0;
}

static void decide(struct fixture *f, const struct command *command)
{
    struct refusal why = {0};
    assert_true(game_decide(f->game, &f->box, command, f->after, NULL, &why));
}

static void what_is_chosen_is_typed(void **state)
{
    struct fixture *const f = *state;
    const struct command command = command_plain(1, VERB_DONE);
    decide(f, &command);
    assert_true(simulate_table_play(f->table, &command, f->after, f->fault));
    assert_true(game_same(simulate_table_game(f->table), f->after));
}

static void another_outcome_is_a_fault(void **state)
{
    struct fixture *const f = *state;
    const struct command command = command_plain(1, VERB_DONE);
    const struct command other = command_plain(2, VERB_DONE);
    decide(f, &other);
    assert_false(simulate_table_play(f->table, &command, f->after, f->fault));
    assert_non_null(strstr(f->fault, "\"done\" of seat 1 makes 1 steps"));
}

static void a_refused_line_is_a_fault(void **state)
{
    struct fixture *const f = *state;
    const struct command command = command_plain(0, VERB_KICK); // the set-up is not over
    assert_false(simulate_table_play(f->table, &command, f->game, f->fault));
    assert_string_equal(f->fault, "\"kick\" of seat 0 is refused as wrong_phase");
}

static void looking_around_changes_nothing(void **state)
{
    struct fixture *const f = *state;
    for (unsigned seat = 0; seat < 3; seat++) {
        assert_true(simulate_table_look(f->table, seat, f->fault));
    }
    assert_true(game_same(simulate_table_game(f->table), f->game));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_chosen_is_typed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_outcome_is_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refused_line_is_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looking_around_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("simulate_table", tests, NULL, NULL);
}
