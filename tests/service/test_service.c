// The service's loop with fake chats: start, commands, the store's wake, the timer, the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <jansson.h>

#include "adapters/service/service_log.h"

#include "tests/service/service_stage.h"
#include "tests/support/memory_store.h"
#include "tests/support/test.h"

/* Within a second nothing wakes the loop but what happens: that long is it until the next beat. */
enum { SOON = 10, BEFORE_A_BEAT = 900, IDLE_TURNS = 60 };

static int set_up(void **state)
{
    *state = service_stage_open();
    return 0;
}

static int tear_down(void **state)
{
    service_stage_close(*state);
    return 0;
}

static void say(struct service_stage *stage, const char *person, const char *line)
{
    char event[32]; // of its own, whichever process hears it
    (void)snprintf(event, sizeof event, "event-%u", ++stage->said);
    const struct chat_in in = {
        .place = "town", .person = person, .name = person, .event = event, .line = line};
    assert_true(fake_hear_in(stage->chats[0], &in));
}

static void open_lobby(struct service_stage *stage)
{
    say(stage, "ann", "new");
}

static void join(struct service_stage *stage)
{
    say(stage, "bob", "join");
    say(stage, "cid", "join");
}

static void start(struct service_stage *stage)
{
    say(stage, "ann", "start");
}

static const struct table *table_of(const struct service_stage *stage)
{
    const struct hall *const hall = service_hall(stage->service);
    return hall != NULL ? hall_table(hall, stage->chats[0], "town") : NULL;
}

static bool has_lobby(struct service_stage *stage)
{
    return table_of(stage) != NULL && table_state(table_of(stage)) == TABLE_LOBBY;
}

static bool has_three(struct service_stage *stage)
{
    return table_of(stage) != NULL && table_seat_count(table_of(stage)) == 3;
}

static bool has_hands(struct service_stage *stage)
{
    return fake_newest(stage->chats[0], CHAT_HAND, "town", "ann") != NULL &&
           fake_newest(stage->chats[0], CHAT_HAND, "town", "cid") != NULL;
}

static bool has_reply(struct service_stage *stage)
{
    return fake_newest(stage->chats[0], CHAT_REPLY, "town", "ann") != NULL;
}

static void expect_lobby(struct service_stage *stage)
{
    assert_non_null(fake_newest(stage->chats[0], CHAT_CARD, "town", NULL));
    assert_non_null(hall_table(service_hall(stage->service), stage->chats[0], "town"));
}

static void test_a_game_begins(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_sqlite(stage, "tables.db");
    service_stage_when(stage, NULL, open_lobby);
    service_stage_when(stage, has_lobby, join);
    service_stage_when(stage, has_three, start);
    service_stage_when(stage, has_hands, service_stage_stop);
    assert_true(service_stage_play(stage));
    assert_int_equal(service_state(stage->service), SERVICE_CLOSED);
    assert_null(service_hall(stage->service));
    assert_int_equal(service_stage_logged(stage, "event=serving"), 1);
    assert_int_equal(service_stage_logged(stage, "event=stopping"), 1);
    assert_int_equal(service_stage_logged(stage, "event=stopped heard=4"), 1);
    service_stage_end(stage);
    // The next process goes on with it.
    service_stage_when(stage, NULL, open_lobby);
    service_stage_when(stage, has_reply, service_stage_stop);
    assert_true(service_stage_play(stage));
    assert_int_equal(fake_newest(stage->chats[0], CHAT_REPLY, "town", "ann")->refusal.code,
                     REFUSAL_TABLE_RUNNING);
}

static void look_for_lobby(struct service_stage *stage)
{
    stage->found = has_lobby(stage);
}

// A line is answered by what the store's threads bring, and by no clock: else it would never come
// before a beat. A slow disk may take longer; not each time.
static void test_the_store_wakes_the_loop(void **state)
{
    static const char *const NAMES[] = {"a.db", "b.db", "c.db"};
    struct service_stage *const stage = *state;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0] && !stage->found; i++) {
        service_stage_sqlite(stage, NAMES[i]);
        service_stage_cue(stage, 400, open_lobby);
        service_stage_cue(stage, 400 + BEFORE_A_BEAT, look_for_lobby);
        service_stage_cue(stage, 400 + BEFORE_A_BEAT + SOON, service_stage_stop);
        assert_true(service_stage_run(stage));
    }
    assert_true(stage->found);
}

static void lose_one(struct service_stage *stage)
{
    fake_fail_at(stage->chats[0], 1);
    open_lobby(stage);
}

static void expect_retried(struct service_stage *stage)
{
    assert_int_equal(hall_stats(service_hall(stage->service))->retried, 1);
    expect_lobby(stage);
}

// What falls due happens without anybody saying a word.
static void test_the_timer_follows_the_hall(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, lose_one);
    service_stage_cue(stage, 2500, expect_retried);
    service_stage_cue(stage, 2500 + SOON, service_stage_stop);
    assert_true(service_stage_run(stage));
}

static void expect_quiet(struct service_stage *stage)
{
    assert_in_range(service_turns(stage->service) - stage->turns, 1, IDLE_TURNS);
}

// From now on: however long it took to come so far.
static void note_turns(struct service_stage *stage)
{
    stage->turns = service_turns(stage->service);
    service_stage_after(stage, 4000, expect_quiet);
    service_stage_after(stage, 4000 + SOON, service_stage_stop);
}

// Nobody waits for anything: the loop sleeps. A table that waits costs a beat a second.
static void test_waiting_is_not_busy(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_sqlite(stage, "tables.db");
    service_stage_cue(stage, 2000, expect_quiet);
    service_stage_cue(stage, 2000 + SOON, service_stage_stop);
    assert_true(service_stage_run(stage));
    service_stage_when(stage, NULL, open_lobby);
    service_stage_when(stage, has_lobby, join);
    service_stage_when(stage, has_three, start);
    service_stage_when(stage, has_hands, note_turns);
    assert_true(service_stage_run(stage));
}

static void hold_and_open(struct service_stage *stage)
{
    fake_hold(stage->chats[0], true);
    open_lobby(stage);
}

static void terminate(struct service_stage *stage)
{
    (void)stage;
    assert_int_equal(raise(SIGTERM), 0);
}

static void expect_draining(struct service_stage *stage)
{
    assert_int_equal(service_state(stage->service), SERVICE_DRAINING);
    assert_true(fake_waiting(stage->chats[0]) > 0);
    say(stage, "bob", "join"); // comes too late
    while (fake_deliver(stage->chats[0], NULL)) {
    }
}

static void test_what_is_under_way_is_finished(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, hold_and_open);
    service_stage_cue(stage, 200, terminate);
    service_stage_cue(stage, 500, expect_draining);
    assert_true(service_stage_run(stage));
    assert_int_equal(memory_store_unsent(stage->store), 0);
    assert_int_equal(service_stage_logged(stage, "event=drain-cut"), 0);
    assert_int_equal(service_stage_logged(stage, "event=stopped heard=1"), 1);
}

static void test_what_is_heard_with_the_signal_counts(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, terminate);
    service_stage_cue(stage, 100, open_lobby);
    assert_true(service_stage_run(stage));
    assert_int_equal(memory_store_tables(stage->store), 1);
}

static void test_the_end_is_waited_for_with_a_bound(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    stage->drain_ms = 300;
    service_stage_cue(stage, 100, hold_and_open);
    service_stage_cue(stage, 200, terminate);
    assert_true(service_stage_run(stage));
    assert_int_equal(service_stage_logged(stage, "level=warn event=drain-cut"), 1);
    const size_t unsent = memory_store_unsent(stage->store);
    assert_true(unsent > 0);
    // What nobody was seen to get is said by the next.
    service_stage_cue(stage, 500, expect_lobby);
    service_stage_cue(stage, 500 + SOON, service_stage_stop);
    assert_true(service_stage_run(stage));
    assert_int_equal(memory_store_unsent(stage->store), 0);
}

static void test_a_second_signal_is_a_hurry(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, hold_and_open);
    service_stage_cue(stage, 200, terminate);
    service_stage_cue(stage, 300, terminate);
    const uint64_t before = uv_hrtime();
    assert_true(service_stage_run(stage));
    assert_true((uv_hrtime() - before) / 1000000 < SERVICE_DRAIN_MS - 1000);
    assert_int_equal(service_stage_logged(stage, "event=stopped"), 1);
}

static void hang_up(struct service_stage *stage)
{
    (void)stage;
    assert_int_equal(raise(SIGHUP), 0);
}

static void test_hang_up_rereads(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, hang_up);
    service_stage_cue(stage, 200, terminate);
    assert_true(service_stage_run(stage));
    assert_int_equal(stage->rereads, 1);
}

/* The store at the start. */

static void make_folder(struct service_stage *stage)
{
    char path[FOLDER_PATH_SIZE];
    folder_in(stage->folder, "later", path);
    assert_int_equal(mkdir(path, S_IRWXU), 0);
}

static void expect_opening(struct service_stage *stage)
{
    assert_int_equal(service_state(stage->service), SERVICE_OPENING);
    assert_null(stage->chats[0]);
}

static void test_a_store_that_is_away_is_waited_for(void **state)
{
    struct service_stage *const stage = *state;
    char path[FOLDER_PATH_SIZE];
    service_stage_sqlite(stage, "later/tables.db");
    service_stage_early_cue(stage, 1800, expect_opening); // after two attempts, or three
    service_stage_early_cue(stage, 1800, make_folder);
    service_stage_when(stage, NULL, open_lobby);
    service_stage_when(stage, has_lobby, service_stage_stop);
    assert_true(service_stage_run(stage));
    assert_int_equal(service_stage_logged(stage, "level=warn event=store-away text=\"the store's "
                                                 "folder does not exist: create it first"),
                     1);
    assert_int_equal(service_stage_logged(stage, "event=store-back"), 1);
    store_destroy(stage->store);
    stage->store = NULL;
    folder_in(stage->folder, "later", path);
    folder_remove(path);
}

static void test_waiting_for_a_store_ends_at_once(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_sqlite(stage, "later/tables.db");
    service_stage_early_cue(stage, 300, terminate);
    assert_true(service_stage_run(stage));
    assert_int_equal(service_stage_logged(stage, "event=serving"), 0);
    assert_int_equal(service_stage_logged(stage, "event=drain-cut"), 0);
}

static void test_a_store_that_is_none_ends_it(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_sqlite(stage, ".");
    assert_false(service_stage_run(stage));
    assert_int_equal(stage->err.code, MB_ERR_INPUT);
    assert_non_null(strstr(stage->err.text, "this is not a file"));
}

/* Adapters. */

static void lose(struct service_stage *stage, unsigned adapter)
{
    const struct mb_error why = {.code = MB_ERR_INPUT, .text = "the token is not valid any more"};
    stage->hosts[adapter].fatal(stage->hosts[adapter].user, &why);
}

static void lose_first(struct service_stage *stage)
{
    lose(stage, 0);
}

static void lose_both(struct service_stage *stage)
{
    lose(stage, 1);
    lose(stage, 1);
    assert_int_equal(service_state(stage->service), SERVICE_SERVING);
    lose(stage, 0);
}

static void test_without_its_network_it_ends(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, lose_first);
    assert_false(service_stage_run(stage));
    assert_string_equal(stage->err.text, "the token is not valid any more");
    assert_int_equal(service_stage_logged(stage,
                                          "level=error event=network-lost network=fake text=\"the "
                                          "token is not valid any more\""),
                     1);
}

static void test_one_of_two_networks_is_enough(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    stage->adapter_count = 2;
    service_stage_cue(stage, 100, lose_both);
    assert_false(service_stage_run(stage));
    assert_int_equal(service_stage_logged(stage, "event=network-lost"), 2);
}

static void test_an_adapter_that_cannot_be_made(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    stage->refuses_to_start[0] = true;
    assert_false(service_stage_run(stage));
    assert_string_equal(stage->err.text, "the fake adapter will not be made");
    assert_int_equal(service_stage_logged(stage, "event=serving"), 0);
}

static void log_something(struct service_stage *stage)
{
    const struct service_host *const host = &stage->hosts[0];
    stage->log.level = NET_LOG_INFO;
    host->log(host->user, NET_LOG_DEBUG, "small", "not shown");
    host->log(host->user, NET_LOG_INFO, "plain", "word");
    host->log(host->user, NET_LOG_WARN, "hostile", "a \"b\"\nlevel=error\\ \x7f h\xC3\xBCsh");
    host->log(host->user, NET_LOG_ERROR, "empty", "");
}

static void test_lines_of_the_log(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, log_something);
    service_stage_cue(stage, 100 + SOON, service_stage_stop);
    assert_true(service_stage_run(stage));
    assert_null(strstr(stage->seen, "small"));
    assert_non_null(strstr(stage->seen, "Z level=info event=plain network=fake text=word\n"));
    assert_non_null(strstr(stage->seen, "Z level=warn event=hostile network=fake text=\"a "
                                        "\\\"b\\\"\\x0alevel=error\\\\ \\x7f h\xC3\xBCsh\"\n"));
    assert_non_null(strstr(stage->seen, "event=empty network=fake\n"));
    for (const char *at = stage->seen; at[0] != '\0'; at = strchr(at, '\n') + 1) {
        assert_memory_equal(at, "time=2", 6);
    }
}

static void blunder(struct service_stage *stage)
{
    say(stage, "ann", "sell Boots of Butt-Kicking");
    say(stage, "ann", "Chicken on your head");
}

// Tables, versions, codes and commands' words; nothing of what follows a word.
static void log_no_text(struct service_stage *stage)
{
    log_something(stage);
    service_log(&stage->log, NET_LOG_WARN, "broken", LOG_FIELDS(log_text("\xFFz")));
}

static void test_lines_of_the_log_as_json(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    stage->log.json = true;
    service_stage_cue(stage, 100, log_no_text);
    service_stage_cue(stage, 100 + SOON, service_stage_stop);
    assert_true(service_stage_run(stage));
    assert_non_null(strstr(stage->seen, "Z\",\"level\":\"info\",\"event\":\"plain\","
                                        "\"network\":\"fake\",\"text\":\"word\"}\n"));
    assert_non_null(strstr(stage->seen, "\"text\":\"a \\\"b\\\"\\nlevel=error\\\\ "));
    assert_non_null(strstr(stage->seen, "\"event\":\"broken\",\"text\":\"\\\\xffz\"}\n"));
    for (const char *at = stage->seen; at[0] != '\0'; at = strchr(at, '\n') + 1) {
        json_error_t error;
        json_t *const line = json_loadb(at, strcspn(at, "\n"), 0, &error);
        assert_non_null(json_string_value(json_object_get(line, "time")));
        json_decref(line);
    }
}

static void test_the_log_tells_of_tables(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_cue(stage, 100, open_lobby);
    service_stage_cue(stage, 200, blunder);
    service_stage_cue(stage, 300, service_stage_stop);
    assert_true(service_stage_run(stage));
    const char *const opened = strstr(stage->seen, "level=info event=table-opened table=");
    assert_non_null(opened);
    assert_non_null(strstr(opened, " version=1 network=fake command=event-1 verb=new\n"));
    const char *const refused = strstr(stage->seen, "level=debug event=command-refused table=");
    assert_non_null(refused);
    assert_non_null(strstr(refused, " version=1 network=fake command=event-2 verb=sell refusal="));
    assert_non_null(strstr(refused, " command=event-3 refusal=unknown_command\n"));
    assert_null(strstr(stage->seen, "Boots"));
    assert_null(strstr(stage->seen, "Chicken"));
}

// Quiet from an hour ago until in two hours, by the clock of the wall and nothing else.
static void open_quietly(struct service_stage *stage)
{
    enum { HOUR_S = 3600, DAY = 24 };
    char line[32];
    const unsigned hour = (unsigned)(time(NULL) / HOUR_S % DAY);
    (void)snprintf(line, sizeof line, "new quiet=%u-%u", (hour + DAY - 1) % DAY, (hour + 2) % DAY);
    say(stage, "ann", line);
}

static bool is_quiet(struct service_stage *stage)
{
    return table_of(stage) != NULL && table_is_quiet(table_of(stage));
}

static void test_quiet_hours_come_by_the_wall_clock(void **state)
{
    struct service_stage *const stage = *state;
    stage->store = memory_store_create();
    service_stage_when(stage, NULL, open_quietly);
    service_stage_when(stage, has_lobby, join);
    service_stage_when(stage, has_three, start);
    service_stage_when(stage, is_quiet, service_stage_stop);
    assert_true(service_stage_run(stage));
}

/* systemd. */

static int listen_to_notes(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_true(fd >= 0 && strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path));
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(setenv("NOTIFY_SOCKET", path, 1), 0);
    return fd;
}

// All that has come, each with a blank behind.
static void read_notes(int fd, char out[1024])
{
    size_t length = 0;
    out[0] = '\0';
    for (ssize_t size = 1; size > 0;) {
        char note[128];
        size = recv(fd, note, sizeof note - 1, 0);
        if (size > 0) {
            length += (size_t)snprintf(out + length, 1024 - length, "%.*s ", (int)size, note);
        }
    }
}

static void test_systemd_is_told(void **state)
{
    struct service_stage *const stage = *state;
    char path[FOLDER_PATH_SIZE];
    char notes[1024];
    folder_in(stage->folder, "notify", path);
    const int fd = listen_to_notes(path);
    assert_int_equal(setenv("WATCHDOG_USEC", "400000", 1), 0);
    stage->store = memory_store_create();
    service_stage_cue(stage, 300, service_stage_stop);
    assert_true(service_stage_run(stage));
    read_notes(fd, notes);
    assert_non_null(strstr(notes, "READY=1\nSTATUS=serving "));
    assert_non_null(strstr(notes, "WATCHDOG=1 "));
    assert_string_equal(notes + strlen(notes) - strlen("STOPPING=1 "), "STOPPING=1 ");
    assert_int_equal(setenv("WATCHDOG_PID", "1", 1), 0);
    assert_int_equal(notify_watchdog_ms(), 0);
    assert_int_equal(unsetenv("WATCHDOG_PID"), 0);
    assert_int_equal(unsetenv("WATCHDOG_USEC"), 0);
    assert_int_equal(unsetenv("NOTIFY_SOCKET"), 0);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_game_begins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_store_wakes_the_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_timer_follows_the_hall, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_waiting_is_not_busy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_under_way_is_finished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_heard_with_the_signal_counts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_is_waited_for_with_a_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_second_signal_is_a_hurry, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hang_up_rereads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_store_that_is_away_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_waiting_for_a_store_ends_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_store_that_is_none_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_its_network_it_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_of_two_networks_is_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_adapter_that_cannot_be_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_of_the_log, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_of_the_log_as_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_log_tells_of_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quiet_hours_come_by_the_wall_clock, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_systemd_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
