#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tools/simulate.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct simulate_setup setup;
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->box.profile.constant[PROFILE_GOAL] = 3; // short games
    f->setup = (struct simulate_setup){.catalog = f->catalog,
                                       .box = &f->box,
                                       .players = 4,
                                       .games = 2,
                                       .seed = 5,
                                       .complaints = stderr};
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        f->setup.policies[i] = &POLICY_RANDOM;
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void every_game_is_won(void **state)
{
    struct fixture *const f = *state;
    struct simulate_result result;
    f->setup.check = SIMULATE_CHECK_SAMPLE;
    simulate_run(&f->setup, &result);
    assert_int_equal(result.games, 2);
    assert_int_equal(result.finished, 2);
    assert_int_equal(result.violations, 0);
    unsigned long wins = 0;
    for (unsigned i = 0; i < 4; i++) {
        wins += result.wins_by_seat[i];
    }
    assert_true(wins >= 2);
    assert_int_equal(result.policy_count, 1);
    assert_int_equal(result.wins_by_policy[0].wins, wins);
    assert_true(result.moves >= result.decisions);
    assert_true(result.rounds_min >= 1);
    assert_true(result.rounds_min <= result.rounds_median);
    assert_true(result.rounds_median <= result.rounds_p90);
    assert_true(result.rounds_p90 <= result.rounds_max);
}

static void the_same_seed_plays_the_same_games(void **state)
{
    struct fixture *const f = *state;
    struct simulate_result first;
    struct simulate_result second;
    simulate_run(&f->setup, &first);
    simulate_run(&f->setup, &second);
    assert_int_equal(first.decisions, second.decisions);
    assert_int_equal(first.moves, second.moves);
    assert_memory_equal(first.wins_by_seat, second.wins_by_seat, sizeof first.wins_by_seat);
}

static void a_game_can_be_played_again_alone(void **state)
{
    struct fixture *const f = *state;
    struct simulate_result both;
    struct simulate_result one;
    struct simulate_result other;
    simulate_run(&f->setup, &both);
    f->setup.games = 1;
    simulate_run(&f->setup, &one);
    f->setup.seed++;
    simulate_run(&f->setup, &other);
    assert_int_equal(both.decisions, one.decisions + other.decisions);
}

static void checking_does_not_change_the_game(void **state)
{
    struct fixture *const f = *state;
    struct simulate_result plain;
    struct simulate_result checked;
    f->setup.games = 1;
    simulate_run(&f->setup, &plain);
    f->setup.check = SIMULATE_CHECK_SAMPLE;
    simulate_run(&f->setup, &checked);
    assert_int_equal(plain.decisions, checked.decisions);
}

static void json_has_just_the_keys_named(void **state)
{
    struct fixture *const f = *state;
    static const char *const KEYS[] = {"games",
                                       "finished",
                                       "decisions",
                                       "seconds",
                                       "decisions_per_second",
                                       "moves_per_decision",
                                       "games_per_second",
                                       "rounds",
                                       "min",
                                       "median",
                                       "p90",
                                       "max",
                                       "wins_by_seat",
                                       "wins_by_policy",
                                       "random",
                                       "deaths",
                                       "violations",
                                       "state_bytes",
                                       "seed"};
    struct simulate_result result = {.policy_count = 1, .wins_by_policy = {{"random", 2}}};
    char *printed = NULL;
    size_t size = 0;
    f->setup.seed = UINT64_MAX;
    FILE *const to = open_memstream(&printed, &size);
    assert_non_null(to);
    simulate_print(&f->setup, &result, true, to);
    assert_int_equal(fclose(to), 0);
    size_t quotes = 0;
    for (const char *at = printed; *at != '\0'; at++) {
        quotes += *at == '"';
    }
    assert_int_equal(quotes, 2 * sizeof KEYS / sizeof KEYS[0]);
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        char quoted[64];
        (void)snprintf(quoted, sizeof quoted, "\"%s\":", KEYS[i]);
        assert_non_null(strstr(printed, quoted));
    }
    assert_non_null(strstr(printed, "18446744073709551615"));
    free(printed);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_game_is_won),
        CASE(the_same_seed_plays_the_same_games),
        CASE(a_game_can_be_played_again_alone),
        CASE(checking_does_not_change_the_game),
        CASE(json_has_just_the_keys_named),
    };
    return cmocka_run_group_tests_name("simulate", tests, NULL, NULL);
}
