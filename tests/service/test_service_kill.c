// A service that is killed, and the one that comes after it on the same file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>

#include "tests/support/folder.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

enum { URL_SIZE = 512, ROUNDS = 5, KILLED = 128 + SIGKILL };

struct place {
    char folder[FOLDER_PATH_SIZE], url[URL_SIZE];
    struct process process;
};

static int set_up(void **state)
{
    struct place *const place = calloc(1, sizeof *place);
    char path[FOLDER_PATH_SIZE];
    assert_non_null(place);
    folder_make(place->folder);
    folder_in(place->folder, "tables.db", path);
    (void)snprintf(place->url, sizeof place->url, "sqlite:%s", path);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *const place = *state;
    folder_remove(place->folder);
    free(place);
    return 0;
}

static void begin(struct place *place)
{
    const char *const arguments[] = {MB_HOST, place->url, NULL};
    static const char *const NOTHING[] = {NULL};
    process_begin(&place->process, arguments, NOTHING);
    process_expect(&place->process, "event=serving");
}

static void kill_it(struct place *place)
{
    process_signal(&place->process, SIGKILL);
    assert_int_equal(process_end(&place->process), KILLED);
}

static void end(struct place *place)
{
    process_signal(&place->process, SIGTERM);
    assert_int_equal(process_end(&place->process), 0);
}

static unsigned count(const char *seen, const char *words)
{
    unsigned found = 0;
    for (const char *at = strstr(seen, words); at != NULL; at = strstr(at + 1, words)) {
        found++;
    }
    return found;
}

// What was committed and never delivered is said by the next process, without being asked.
static void test_unsent_messages_are_sent_by_the_next(void **state)
{
    struct place *const place = *state;
    begin(place);
    process_type(&place->process, "/hold\n");
    process_type(&place->process, "ann new\n");
    process_expect_said(&place->process, "messages wait");
    assert_int_equal(count(place->process.said, "card : "), 0);
    kill_it(place);
    begin(place);
    process_expect_said(&place->process, "card : ");
    process_type(&place->process, "bob join\n");
    process_expect_said(&place->process, "bob");
    end(place);
    begin(place);
    process_type(&place->process, "ann status\n");
    process_expect_said(&place->process, "reply ann: ");
    end(place);
    assert_non_null(strstr(strstr(place->process.said, "reply ann: "), "bob"));
}

// A game goes on through one death after the other.
static void test_a_game_outlives_its_processes(void **state)
{
    struct place *const place = *state;
    static const char LOG[] = "reply ann: A table for Classic is open";
    static const char *const LINES[ROUNDS] = {"ann new\n", "ann add-bot\n", "ann add-bot\n",
                                              "ann start\n", "ann done\n"};
    static const char *const SEEN[ROUNDS] = {"1 of 6 seats", "2 of 6 seats", "3 of 6 seats",
                                             "hand ann: You must set up", "ann is ready"};
    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(place);
        process_type(&place->process, LINES[i]);
        process_expect_said(&place->process, SEEN[i]);
        kill_it(place);
    }
    begin(place);
    process_type(&place->process, "ann log 30\n");
    process_expect_said(&place->process, LOG);
    end(place);
    // What died with its process before it was confirmed may stand above once more.
    const char *const log = strstr(place->process.said, LOG);
    const char *const dealt = strstr(log, "Everybody is dealt 8 cards");
    assert_non_null(dealt);
    assert_non_null(strstr(dealt, "ann is ready"));
    assert_null(strstr(dealt + 1, "Everybody is dealt 8 cards"));
}

// Stopped for longer than another process would wait for a sign of life of it, or for MB_STOP_S
// seconds (tests/slow/stopped): no table is older.
static void test_a_stopped_service_stands_still(void **state)
{
    const char *const seconds = getenv("MB_STOP_S");
    const struct timespec nap = {.tv_sec = seconds != NULL ? strtol(seconds, NULL, 10) : 4};
    struct place *const place = *state;
    begin(place);
    process_type(&place->process, "ann new\n");
    process_expect_said(&place->process, "1 of 6 seats");
    process_stop(&place->process);
    assert_int_equal(nanosleep(&nap, NULL), 0);
    process_signal(&place->process, SIGCONT);
    process_expect(&place->process, "level=warn event=stood-still ms=");
    process_type(&place->process, "bob join\n");
    process_expect_said(&place->process, "2 of 6 seats");
    end(place);
}

// A day forward and two days back: no turn is over before its time, and none waits for the clock.
static void test_a_jump_of_the_wall_clock_means_nothing(void **state)
{
    static const char *const JUMPS[][2] = {{"/wall 86400\n", "jumps by 24 hours"},
                                           {"/wall -86400\n", "jumps by -48 hours"}};
    struct place *const place = *state;
    begin(place);
    process_type(&place->process, "ann new turn=1h decision=1h ask=1h\n");
    process_expect_said(&place->process, "1 of 6 seats");
    process_type(&place->process, "ann add-bot\n");
    process_type(&place->process, "ann add-bot\n");
    process_expect_said(&place->process, "3 of 6 seats");
    process_type(&place->process, "ann start\n");
    process_expect_said(&place->process, "hand ann: You must set up");
    for (size_t i = 0; i < sizeof JUMPS / sizeof JUMPS[0]; i++) {
        static const struct timespec NAP = {.tv_sec = 2};
        process_type(&place->process, JUMPS[i][0]);
        process_expect_said(&place->process, JUMPS[i][1]);
        assert_int_equal(nanosleep(&NAP, NULL), 0); // beats
    }
    process_type(&place->process, "ann status\n");
    process_expect_said(&place->process, "reply ann: ");
    assert_int_equal(count(place->process.said, "a stand-in"), 0);
    process_type(&place->process, "ann done\n"); // time goes on: bot players think for a while
    process_expect_said(&place->process, "Everybody is ready");
    end(place);
    assert_int_equal(count(place->process.complained, "stood-still"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unsent_messages_are_sent_by_the_next, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_game_outlives_its_processes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_jump_of_the_wall_clock_means_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_stopped_service_stands_still, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("killed services", tests, NULL, NULL);
}
