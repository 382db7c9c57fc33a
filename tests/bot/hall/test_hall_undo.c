// A window gets back no time by an undo: what had passed when the command was heard has passed.
#include <string.h>

#include "tests/support/chance.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { PEOPLE = 3, TRIES = 400, WAIT_MS = 1500 };

static const char PLACE[] = "tavern";
static const char *const NAMES[PEOPLE] = {"Ann", "Bob", "Cy"};

static bool is_window(const struct stage *stage)
{
    const struct table_due due = table_due(stage_table(stage, PLACE));
    return due.clock == CLOCK_WINDOW && due.clock_ms > (int64_t)4 * WAIT_MS;
}

// In a window somebody waits, does something that is no pass and takes it back.
static bool try_undo(struct stage *stage, struct mb_rng *rng)
{
    char line[STAGE_LINE_SIZE];
    for (unsigned seat = 0; seat < PEOPLE && is_window(stage); seat++) {
        const int64_t before = table_due(stage_table(stage, PLACE)).clock_ms;
        if (!stage_think(stage, PLACE, seat, &POLICY_RANDOM, rng, line) ||
            strcmp(line, "pass") == 0 || strcmp(line, "hold") == 0) {
            continue;
        }
        stage_pass(stage, WAIT_MS);
        stage_say(stage, PLACE, NAMES[seat], line);
        fake_forget(stage->chat);
        stage_say(stage, PLACE, NAMES[seat], "undo");
        if (is_window(stage) && fake_find(stage->chat, NULL, "undoes the last command") != NULL) {
            const int64_t left = table_due(stage_table(stage, PLACE)).clock_ms;
            assert_true(left <= before - WAIT_MS);
            return true;
        }
    }
    return false;
}

static void an_undo_gives_a_window_no_time_back(void **state)
{
    struct catalog *const catalog = given_catalog();
    struct stage stage;
    struct mb_rng rng;
    uint8_t seed[32];
    bool done = false;
    (void)state;
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&rng, seed);
    chance_fix();
    stage_open(&stage, catalog);
    for (unsigned i = 0; i < TRIES && !done; i++) {
        const struct table *const table = stage_table(&stage, PLACE);
        if (table == NULL || table_state(table) != TABLE_RUNNING) {
            stage_start(&stage, PLACE, PEOPLE, 0);
        } else if (is_window(&stage)) {
            done = try_undo(&stage, &rng);
            stage_wait(&stage, PLACE);
        } else {
            if (table_due(stage_table(&stage, PLACE)).clock == CLOCK_WINDOW) {
                stage_wait(&stage, PLACE);
            } else {
                stage_go_on(&stage, PLACE, &rng);
            }
        }
    }
    assert_true(done);
    stage_close(&stage);
    catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_undo_gives_a_window_no_time_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
