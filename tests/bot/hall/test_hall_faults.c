// A store that fails, forgets, is late or says things twice, at its n-th request for n of a whole
// game; and a hall that dies at the n-th request: the same game in the end, and nothing is said
// twice, or before it is committed. A sample of all n; tests/slow/sweeps tries every one.
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"

#include "tests/support/disk.h"
#include "tests/support/replay.h"
#include "tests/support/sweep.h"
#include "tests/support/test.h"

enum { EACH_IN_MEMORY = 31, EACH_ON_SQLITE = 29 };

static void test_every_on(enum stage_engine engine, enum fault fault, bool dies)
{
    const struct disturbance none = {.at = 0, .engine = engine};
    const size_t step = sweep_step(engine == STAGE_MEMORY ? EACH_IN_MEMORY : EACH_ON_SQLITE, 1);
    struct story wanted = *replay_plain();
    if (dies) {
        replay_play(&none, &wanted, false);
    }
    // Each fault has places of its own.
    for (unsigned long n = 1 + (unsigned)fault % step; n <= wanted.requests; n += step) {
        const struct disturbance what = {.fault = fault, .at = n, .dies = dies, .engine = engine};
        replay_expect(&what, !dies, &wanted);
    }
    if (dies) {
        free(wanted.told);
    }
}

static void test_every(enum fault fault, bool dies)
{
    test_every_on(STAGE_MEMORY, fault, dies);
}

static void a_failure_before_changes_nothing(void **state)
{
    (void)state;
    test_every(FAULT_BEFORE, false);
}

static void a_failure_afterwards_changes_nothing(void **state)
{
    (void)state;
    test_every(FAULT_AFTER, false);
}

static void a_forgotten_answer_changes_nothing(void **state)
{
    (void)state;
    test_every(FAULT_FORGETS, false);
}

static void a_late_answer_changes_nothing(void **state)
{
    (void)state;
    test_every(FAULT_LATE, false);
}

static void an_answer_twice_changes_nothing(void **state)
{
    (void)state;
    test_every(FAULT_TWICE, false);
}

static void a_hall_that_dies_before_is_gone_on_with(void **state)
{
    (void)state;
    test_every(FAULT_BEFORE, true);
}

static void a_hall_that_dies_afterwards_is_gone_on_with(void **state)
{
    (void)state;
    test_every(FAULT_FORGETS, true);
}

// While the store answers nothing, nothing is said that changes anything.
static void nothing_is_said_before_its_commit(void **state)
{
    struct stage stage;
    (void)state;
    const struct disturbance none = {.at = 0};
    replay_open(&stage, &none);
    bool dead = false;
    size_t changed = 0;
    for (size_t i = 0; i < replay_script()->count; i++) {
        const size_t before = fake_count(stage.chat);
        faulty_store_hold(stage.store, true);
        if (replay_script()->entries[i].person != NULL) {
            stage_pass(&stage, HALL_PERSON_REFILL_MS);
            replay_hear(&stage, &replay_script()->entries[i], i);
        } else {
            replay_fall_due(&stage);
        }
        stage_pass(&stage, 0);
        for (size_t j = before; j < fake_count(stage.chat); j++) {
            const struct fake_message *const message = fake_message(stage.chat, j);
            assert_int_equal(message->kind, CHAT_REPLY);
            // A refusal, or what only looks.
            assert_true(message->refusal.code != REFUSAL_NONE ||
                        strcmp(replay_script()->entries[i].line, "status") == 0);
        }
        faulty_store_hold(stage.store, false);
        replay_settle(&stage, &none, i, &dead);
        changed += fake_count(stage.chat) > before ? 1 : 0;
    }
    assert_true(changed > replay_script()->count / 2);
    stage_close(&stage);
}

static void restarts_change_nothing(enum stage_engine engine)
{
    const struct disturbance none = {.at = 0};
    const struct disturbance what = {.engine = engine, .restarts = true};
    struct story wanted;
    replay_play(&none, &wanted, false);
    replay_expect(&what, false, &wanted);
    free(wanted.told);
}

// However little a call does: whoever calls does so again.
static void a_piece_at_a_time_changes_nothing(void **state)
{
    (void)state;
    for (unsigned pieces = 1; pieces <= 4; pieces++) {
        const struct disturbance what = {.engine = STAGE_MEMORY, .pieces = pieces};
        replay_expect(&what, true, replay_plain());
    }
}

static void a_restart_after_every_line_changes_nothing(void **state)
{
    (void)state;
    restarts_change_nothing(STAGE_MEMORY);
}

static void the_same_game_is_played_on_sqlite(void **state)
{
    (void)state;
    const struct disturbance what = {.engine = STAGE_SQLITE};
    replay_expect(&what, true, replay_plain());
}

static void no_fault_changes_anything_on_sqlite(void **state)
{
    (void)state;
    for (int fault = FAULT_BEFORE; fault <= FAULT_TWICE; fault++) {
        test_every_on(STAGE_SQLITE, (enum fault)fault, false);
    }
}

static void a_hall_that_dies_is_gone_on_with_on_sqlite(void **state)
{
    (void)state;
    test_every_on(STAGE_SQLITE, FAULT_BEFORE, true);
    test_every_on(STAGE_SQLITE, FAULT_FORGETS, true);
}

static void a_restart_after_every_line_changes_nothing_on_sqlite(void **state)
{
    (void)state;
    restarts_change_nothing(STAGE_SQLITE);
}

static int set_up(void **state)
{
    (void)state;
    const struct disturbance none = {.at = 0};
    replay_begin(&none);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    replay_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_before_its_commit),
        cmocka_unit_test(a_piece_at_a_time_changes_nothing),
        cmocka_unit_test(a_restart_after_every_line_changes_nothing),
        cmocka_unit_test(the_same_game_is_played_on_sqlite),
        cmocka_unit_test(a_restart_after_every_line_changes_nothing_on_sqlite),
        cmocka_unit_test(no_fault_changes_anything_on_sqlite),
        cmocka_unit_test(a_hall_that_dies_is_gone_on_with_on_sqlite),
        cmocka_unit_test(a_failure_before_changes_nothing),
        cmocka_unit_test(a_failure_afterwards_changes_nothing),
        cmocka_unit_test(a_forgotten_answer_changes_nothing),
        cmocka_unit_test(a_late_answer_changes_nothing),
        cmocka_unit_test(an_answer_twice_changes_nothing),
        cmocka_unit_test(a_hall_that_dies_before_is_gone_on_with),
        cmocka_unit_test(a_hall_that_dies_afterwards_is_gone_on_with),
    };
    disk_install();
    disk_hurry();
    return cmocka_run_group_tests_name("hall_faults", tests, set_up, tear_down);
}
