// A game whose store's disk is full, broken, read-only, gone or locked for a minute, from just
// before a line on, for lines all through it: the same game in the end, and nothing is lost or said
// twice. A sample of the lines; tests/slow/sweeps tries more.
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "tests/support/disk.h"
#include "tests/support/folder.h"
#include "tests/support/replay.h"
#include "tests/support/sweep.h"
#include "tests/support/test.h"

enum { A_MINUTE = 60000 / REPLAY_SLICE_MS, A_MOMENT = 1, EACH = 17, EACH_OF_ALL = 3 };

static const char *const FILES[] = {"tables.db", "tables.db-wal", "tables.db-shm"};
static const char *const ELSEWHERE[] = {"away.db", "away.db-wal", "away.db-shm"};

static void fill(struct stage *stage)
{
    (void)stage;
    disk_fault(DISK_FULL, 1);
}

static void break_down(struct stage *stage)
{
    (void)stage;
    disk_fault(DISK_BROKEN, 1);
}

static void protect(struct stage *stage)
{
    (void)stage;
    disk_fault(DISK_READ_ONLY, 1);
}

static void mend(struct stage *stage)
{
    (void)stage;
    disk_fault(DISK_WELL, 0);
}

static void move_files(const struct stage *stage, const char *const *from, const char *const *to)
{
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char here[FOLDER_PATH_SIZE];
        char there[FOLDER_PATH_SIZE];
        folder_in(stage->folder, from[i], here);
        folder_in(stage->folder, to[i], there);
        assert_int_equal(rename(here, there), 0);
    }
}

static void take_away(struct stage *stage)
{
    move_files(stage, FILES, ELSEWHERE);
}

static void bring_back(struct stage *stage)
{
    move_files(stage, ELSEWHERE, FILES);
}

// Another program writes and does not come to an end.
static sqlite3 *other;

static void lock(struct stage *stage)
{
    char path[FOLDER_PATH_SIZE];
    folder_in(stage->folder, FILES[0], path);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
}

static void unlock(struct stage *stage)
{
    (void)stage;
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

static const struct outage OUTAGES[] = {
    {"a full disk", fill, mend, A_MINUTE},
    {"a broken disk", break_down, mend, A_MINUTE},
    {"a read-only disk", protect, mend, A_MINUTE},
    {"a file that is gone", take_away, bring_back, A_MINUTE},
};

static void no_outage_changes_anything(void **state)
{
    const struct outage *const outage = *state;
    const size_t first = 1 + (size_t)(outage - OUTAGES);
    for (size_t line = first; line < replay_script()->count;
         line += sweep_step(EACH, EACH_OF_ALL)) {
        if (replay_script()->entries[line].person == NULL) {
            continue; // nothing falls due while the store is away: its time stands
        }
        const struct disturbance what = {.engine = STAGE_SQLITE, .outage = outage, .line = line};
        replay_expect(&what, true, replay_plain());
    }
}

// Each attempt waits for the lock for seconds, so there are few.
static void a_lock_changes_nothing(void **state)
{
    static const struct outage LOCKED = {"a lock", lock, unlock, A_MOMENT};
    (void)state;
    const struct disturbance what = {
        .engine = STAGE_SQLITE, .outage = &LOCKED, .line = replay_script()->count / 2};
    replay_expect(&what, true, replay_plain());
}

static int set_up(void **state)
{
    (void)state;
    const struct disturbance none = {.at = 0, .engine = STAGE_SQLITE};
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
    enum { COUNT = sizeof OUTAGES / sizeof OUTAGES[0] };
    struct CMUnitTest tests[COUNT + 1] = {cmocka_unit_test(a_lock_changes_nothing)};
    for (size_t i = 0; i < COUNT; i++) {
        tests[1 + i] = (struct CMUnitTest){.name = OUTAGES[i].name,
                                           .test_func = no_outage_changes_anything,
                                           .initial_state = (void *)(uintptr_t)&OUTAGES[i]};
    }
    disk_install();
    disk_hurry();
    return cmocka_run_group_tests_name("hall_disk", tests, set_up, tear_down);
}
