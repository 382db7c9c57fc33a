// A game in a PostgreSQL store that fails, forgets, is late or says things twice, at requests all
// through it; whose connections are cut, and which lets nobody in for a minute: the same game in
// the end, and nothing is lost or said twice. A sample of the requests and lines; tests/slow/sweeps
// tries more.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bot/text/text.h"

#include "adapters/store/postgres/postgres_store.h"

#include "tests/support/chance.h"
#include "tests/support/cluster.h"
#include "tests/support/faulty_store.h"
#include "tests/support/replay.h"
#include "tests/support/store_talk.h"
#include "tests/support/sweep.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum {
    EACH_REQUEST = 97,
    EACH_REQUEST_OF_ALL = 11,
    EACH_LINE = 80,
    EACH_LINE_OF_ALL = 8,
    A_MINUTE = 60000 / REPLAY_SLICE_MS,
    A_MOMENT = 1,
    TRIES = 500,
    TRY_NS = 20000000
};

static const char DATABASE[] = "halls";

// Every game begins with nothing.
static struct store *make(void)
{
    char url[CLUSTER_URL_SIZE];
    cluster_empty(DATABASE);
    cluster_url(DATABASE, url);
    return postgres_store_create(&(struct postgres_setup){.url = url, .waits = true});
}

static const struct disturbance NONE = {.engine = STAGE_OTHER, .make = make};

static void no_fault_changes_anything(void **state)
{
    const enum fault *const fault = *state;
    struct disturbance what = NONE;
    what.fault = *fault;
    for (what.at = 1 + (unsigned)*fault; what.at <= replay_plain()->requests;
         what.at += sweep_step(EACH_REQUEST, EACH_REQUEST_OF_ALL)) {
        replay_expect(&what, true, replay_plain());
    }
}

static void cut(struct stage *stage)
{
    (void)stage;
    cluster_cut(DATABASE);
}

static void leave(struct stage *stage)
{
    (void)stage;
}

// The store's; the server vacuums, too, when it likes, and that comes and goes.
static long connections(void)
{
    return cluster_number("", "SELECT count(*) FROM pg_stat_activity WHERE datname = 'halls'"
                              " AND backend_type = 'client backend'");
}

static long connected;

static void shut(struct stage *stage)
{
    (void)stage;
    connected = connections();
    cluster_sql("", "ALTER DATABASE halls ALLOW_CONNECTIONS false");
    cluster_cut(DATABASE);
}

// The store looks for its server when it is asked, at the clock's pace; the hall lives at its own.
static void let_in(struct stage *stage)
{
    char table[STORE_TABLE_SIZE];
    stage_pass(stage, 0); // nothing is under way
    cluster_sql("", "ALTER DATABASE halls ALLOW_CONNECTIONS true");
    for (unsigned i = 0; i < TRIES && connections() < connected; i++) {
        const struct timespec pause = {.tv_nsec = TRY_NS};
        (void)snprintf(table, sizeof table, "any %u", i); // sooner or later every worker's
        (void)store_talk_load(faulty_store_inner(stage->store), table);
        (void)nanosleep(&pause, NULL);
    }
    assert_true(connections() >= connected);
}

static const struct outage OUTAGES[] = {
    {"cut connections", cut, leave, A_MOMENT},
    {"a database that is gone", shut, let_in, A_MINUTE},
};

static void no_outage_changes_anything(void **state)
{
    const struct outage *const outage = *state;
    struct disturbance what = NONE;
    what.outage = outage;
    for (what.line = 1; what.line < replay_script()->count;
         what.line += sweep_step(EACH_LINE, EACH_LINE_OF_ALL)) {
        if (replay_script()->entries[what.line].person != NULL) {
            replay_expect(&what, true, replay_plain());
        }
    }
}

/* A lobby, in which hands are promised and nobody has cards. */

static struct store *open_kept(void)
{
    char url[CLUSTER_URL_SIZE];
    cluster_url(DATABASE, url);
    return postgres_store_create(&(struct postgres_setup){.url = url, .waits = true});
}

static void a_hand_asked_for_before_the_deal_is_there_for_who_comes_after(void **state)
{
    static const char PLACE[] = "tavern";
    struct stage stage;
    struct mb_error err = {0};
    struct catalog *const catalog = given_catalog();
    (void)state;
    chance_fix();
    cluster_empty(DATABASE);
    stage_open_made(&stage, catalog, open_kept);
    fake_can(stage.chat, FAKE_CAPS_ALL);
    stage_restart(&stage);
    stage_say(&stage, PLACE, "Ann", "new sets=classic");
    stage_say(&stage, PLACE, "Bob", "join");
    stage_say(&stage, PLACE, "Cy", "join");
    fake_hold(stage.chat, true);
    stage_say(&stage, PLACE, "Bob", "dm");
    assert_true(cluster_number(DATABASE, "SELECT count(*) FROM munchbot.message") > 0);
    chat_listen(stage.chat, NULL, NULL);
    chat_stop(stage.chat); // what was on its way is lost, and the process with it
    fake_forget(stage.chat);
    fake_hold(stage.chat, false);
    assert_true(chat_start(stage.chat, &err));
    stage_restart(&stage);
    stage_pass(&stage, 1000);
    const struct fake_message *hand = fake_newest(stage.chat, CHAT_HAND, PLACE, "Bob");
    assert_non_null(hand);
    assert_string_not_equal(hand->replaces, "");
    assert_non_null(strstr(hand->text, text_sentence(TEXT_PANEL_WAITING_HOW)));
    assert_int_equal(cluster_number(DATABASE, "SELECT count(*) FROM munchbot.message"), 0);
    stage_say(&stage, PLACE, "Ann", "start");
    stage_wait(&stage, PLACE);
    hand = fake_newest(stage.chat, CHAT_HAND, PLACE, "Bob");
    assert_non_null(strstr(hand->text, "Your hand: 8 cards"));
    assert_string_not_equal(hand->replaces, "");
    assert_int_equal(stage_unsent(&stage), 0);
    stage_close(&stage);
    catalog_destroy(catalog);
}

static int set_up(void **state)
{
    (void)state;
    replay_begin(&NONE);
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
    static const enum fault FAULTS[] = {FAULT_BEFORE, FAULT_AFTER, FAULT_FORGETS, FAULT_LATE,
                                        FAULT_TWICE};
    static const char *const NAMES[] = {"a failure before", "a failure afterwards",
                                        "a forgotten answer", "a late answer", "an answer twice"};
    enum { FAULT_COUNT = 5, OUTAGE_COUNT = 2 };
    struct CMUnitTest tests[FAULT_COUNT + OUTAGE_COUNT + 1];
    tests[FAULT_COUNT + OUTAGE_COUNT] = (struct CMUnitTest)cmocka_unit_test(
        a_hand_asked_for_before_the_deal_is_there_for_who_comes_after);
    for (size_t i = 0; i < FAULT_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = NAMES[i],
                                       .test_func = no_fault_changes_anything,
                                       .initial_state = (void *)(uintptr_t)&FAULTS[i]};
    }
    for (size_t i = 0; i < OUTAGE_COUNT; i++) {
        tests[FAULT_COUNT + i] =
            (struct CMUnitTest){.name = OUTAGES[i].name,
                                .test_func = no_outage_changes_anything,
                                .initial_state = (void *)(uintptr_t)&OUTAGES[i]};
    }
    return cmocka_run_group_tests_name("hall_postgres", tests, set_up, tear_down);
}
