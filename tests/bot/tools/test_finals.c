/* Which won finals count as left undefended. */
#include <stdlib.h>

#include "core/loop/query.h"

#include "bot/tools/balance.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

struct final {
    const char *name;
    unsigned level;               /* of the fighter, who beats what he kicks open */
    const char *carried, *held;   /* of Bob */
    unsigned careful;             /* bits: Bob is 2 */
    unsigned reached, open, hand; /* what must be counted */
};

// The fight is won with everything left as it was.
static void win(struct fixture *f, const struct final *final, struct finals *finals)
{
    struct move_list moves[FIXTURE_SEATS];
    struct event won = {.type = EVENT_NOTE, .why = NOTE_FIGHT_WON, .seat = FIXTURE_ANN};
    struct event_list none = {.count = 0};
    struct event_list events = {.items = &won, .count = 1, .capacity = 1};
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        moves[seat] = (struct move_list){.items = calloc(MB_MOVES_MAX, sizeof(struct move)),
                                         .capacity = MB_MOVES_MAX};
        moves_list(f->game, &f->box, seat, &moves[seat]);
    }
    struct simulate_step step = {.before = f->game,
                                 .after = f->game,
                                 .events = &none,
                                 .moves = moves,
                                 .players = FIXTURE_SEATS,
                                 .careful = final->careful,
                                 .scratch = f->after};
    finals_step(finals, &f->box, &step); // the window opens
    step.events = &events;
    finals_step(finals, &f->box, &step);
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        free(moves[seat].items);
    }
}

static void what_would_have_stopped_it_counts(void **state)
{
    const struct final *const final = *state;
    struct fixture f;
    struct finals finals = {.reached = 0};
    struct refusal why = {0};
    fixture_open(&f, NULL);
    arrange_seat(f.game, FIXTURE_ANN, final->level, true, false, true);
    arrange_seat(f.game, FIXTURE_BOB, 5, false, false, true);
    if (final->carried != NULL) {
        (void)fixture_card(&f, final->carried, PILE_TABLE + FIXTURE_BOB, 0);
    }
    if (final->held != NULL) {
        (void)fixture_card(&f, final->held, PILE_HAND + FIXTURE_BOB, 0);
    }
    fixture_next(&f, PILE_DOOR_DECK, "Minimum-Wage Zombie");
    fixture_begin(&f);
    assert_true(fixture_do(&f, FIXTURE_ANN, "kick", &why));
    win(&f, final, &finals);
    fixture_close(&f);
    assert_int_equal(finals.reached, final->reached);
    assert_int_equal(finals.won, final->reached);
    assert_int_equal(finals.open_left, final->open);
    assert_int_equal(finals.held_left, final->hand);
}

// Ann leads by 3 at Level 9.
static const struct final FINALS[] = {
    {"nothing_to_stop_it_with", 9, NULL, NULL, 7, 1, 0, 0},
    {"an_open_one_shot", 9, "Magic Missile", NULL, 0, 1, 1, 0},
    {"one_too_weak", 9, "Pickled Surprise", NULL, 0, 1, 0, 0},
    {"a_card_held_by_who_is_careful", 9, NULL, "Enraged", 2, 1, 0, 1},
    {"a_card_held_by_another", 9, NULL, "Enraged", 5, 1, 0, 0},
    {"both_count_once", 9, "Magic Missile", "Enraged", 7, 1, 1, 0},
    {"a_curse_that_takes_a_level", 9, NULL, "Performance Review", 7, 1, 0, 1},
    {"no_final", 8, "Magic Missile", "Enraged", 7, 0, 0, 0},
};

enum { FINAL_COUNT = sizeof FINALS / sizeof FINALS[0] };

int main(void)
{
    struct CMUnitTest tests[FINAL_COUNT];
    for (size_t i = 0; i < FINAL_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = FINALS[i].name,
                                       .test_func = what_would_have_stopped_it_counts,
                                       .initial_state = (void *)(uintptr_t)&FINALS[i]};
    }
    return _cmocka_run_group_tests("finals", tests, FINAL_COUNT, NULL, NULL);
}
