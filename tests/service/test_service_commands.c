// `munchbot check` and `munchbot run` from outside: exit codes, sentences, signals.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "tests/support/folder.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

enum { TEXT_SIZE = 2048 };

static const char GOOD[] = "[discord]\napplication_id = 123456789012345678\n";
static const char TOKEN[] = "MUNCHBOT_DISCORD_TOKEN=hush";

struct place {
    char folder[FOLDER_PATH_SIZE], config[FOLDER_PATH_SIZE], store[FOLDER_PATH_SIZE];
    struct process process;
};

static int set_up(void **state)
{
    struct place *const place = calloc(1, sizeof *place);
    assert_non_null(place);
    folder_make(place->folder);
    folder_in(place->folder, "munchbot.conf", place->config);
    folder_in(place->folder, "tables.db", place->store);
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

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// A configuration whose store lies in the folder, and what else is said.
static void configure(const struct place *place, const char *more, const char *sections)
{
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "[munchbot]\nstore = sqlite:%s\n%s%s", place->store, more,
                   sections);
    write_file(place->config, text);
}

// With the configuration; NULL: without any variable of ours.
static void begin(struct place *place, const char *command, const char *variable)
{
    const char *const arguments[] = {MB_PROGRAM, command, "--config", place->config, NULL};
    const char *const environment[] = {variable, NULL};
    process_begin(&place->process, arguments, environment);
}

static int call(struct place *place, const char *command, const char *variable)
{
    begin(place, command, variable);
    return process_end(&place->process);
}

static void expect_complaint(const struct place *place, const char *words)
{
    if (strstr(place->process.complained, words) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", words, place->process.complained);
    }
    assert_null(strstr(place->process.complained, "hush"));
    assert_null(strstr(place->process.said, "hush"));
}

static void test_check_finds_nothing_wrong(void **state)
{
    struct place *const place = *state;
    configure(place, "prefix = mb\n", GOOD);
    assert_int_equal(call(place, "check", TOKEN), 0);
    assert_string_equal(place->process.complained, "");
    static const char *const WANTED[] = {"configuration: ", "application 123456789012345678, ",
                                         "command /mb\n",   "card sets: classic, conan, ",
                                         "store: sqlite:/", "No problem found"};
    for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
        assert_non_null(strstr(place->process.said, WANTED[i]));
    }
    assert_null(strstr(place->process.said, "hush"));
    assert_int_not_equal(access(place->store, F_OK), 0); // looked at, not made
}

static void test_check_hides_the_environments_store(void **state)
{
    struct place *const place = *state;
    char path[FOLDER_PATH_SIZE];
    char sections[TEXT_SIZE];
    folder_in(place->folder, "token", path);
    write_file(path, "hush\n");
    assert_int_equal(chmod(path, S_IRUSR), 0);
    (void)snprintf(sections, sizeof sections, "%stoken_file = %s\n", GOOD, path);
    configure(place, "", sections);
    assert_int_equal(call(place, "check", "MUNCHBOT_STORE=postgresql://me:hush@db/munchbot"), 0);
    assert_non_null(strstr(place->process.said, "store: as MUNCHBOT_STORE says\n"));
    assert_null(strstr(place->process.said, "hush"));
}

static void test_check_names_every_problem(void **state)
{
    struct place *const place = *state;
    char path[FOLDER_PATH_SIZE];
    char text[TEXT_SIZE];
    folder_in(place->folder, "token", path);
    write_file(path, "hush");
    assert_int_equal(chmod(path, S_IRUSR | S_IROTH), 0);
    (void)snprintf(text, sizeof text,
                   "[munchbot]\nstore = sqlite:%s/none/tables.db\nlgo = info\n[discord]\n"
                   "token_file = %s\n",
                   place->folder, path);
    write_file(place->config, text);
    assert_int_equal(call(place, "check", NULL), 1);
    expect_complaint(place, ":3: [munchbot] has no key \"lgo\"; did you mean \"log\"?\n");
    expect_complaint(place, ":4: [discord] needs \"application_id\"\n");
    expect_complaint(place, "munchbot check: [discord]: others can read the token: chmod 600 /");
    expect_complaint(place, "munchbot check: the store's folder does not exist");
    assert_string_equal(place->process.said, "");
}

static void test_check_looks_at_the_store(void **state)
{
    struct place *const place = *state;
    configure(place, "", GOOD);
    write_file(place->store, "this is a letter to my aunt, and no store of munchbot at all\n");
    assert_int_equal(call(place, "check", TOKEN), 1);
    expect_complaint(place, "this file is not a munchbot store");
}

static void test_without_configuration(void **state)
{
    struct place *const place = *state;
    assert_int_equal(call(place, "check", TOKEN), 1);
    expect_complaint(place, "munchbot.conf (No such file or directory): name "
                            "another file with --config FILE\n");
    assert_int_equal(call(place, "run", TOKEN), 1);
    expect_complaint(place, "munchbot run: cannot open /");
}

static void test_wrong_usage(void **state)
{
    struct place *const place = *state;
    static const char *const WRONG[][4] = {{MB_PROGRAM, "check", "now", NULL},
                                           {MB_PROGRAM, "run", "--cofnig", NULL},
                                           {MB_PROGRAM, "run", "--config", NULL},
                                           {MB_PROGRAM, "check", "--store", NULL}};
    static const char *const NOTHING[] = {NULL};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        process_begin(&place->process, WRONG[i], NOTHING);
        assert_int_equal(process_end(&place->process), 2);
        assert_non_null(strstr(place->process.complained, "--help"));
    }
}

static void test_run_refuses_what_is_not_there(void **state)
{
    struct place *const place = *state;
    configure(place, "sets_path = /no/cards\n", "[matrix]\nhomeserver = https://matrix.example\n");
    assert_int_equal(call(place, "run", NULL), 1);
    expect_complaint(place, "/no/cards: expected a folder with card sets that can be read");
    expect_complaint(place, "[matrix]: no token: set MUNCHBOT_MATRIX_TOKEN");
    assert_int_not_equal(access(place->store, F_OK), 0);
}

static void test_run_without_a_token(void **state)
{
    struct place *const place = *state;
    configure(place, "", GOOD);
    assert_int_equal(call(place, "run", NULL), 1);
    expect_complaint(place, "munchbot run: [discord]: no token: set "
                            "MUNCHBOT_DISCORD_TOKEN");
}

static void test_run_with_a_store_that_is_none(void **state)
{
    struct place *const place = *state;
    configure(place, "", GOOD);
    write_file(place->store, "this is a letter to my aunt, and no store of munchbot at all\n");
    assert_int_equal(call(place, "run", TOKEN), 1);
    expect_complaint(place, "munchbot run: this file is not a munchbot store");
}

// A port of this machine at which nobody listens, as long as the socket is there.
static int dead_port(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0 && bind(fd, (const struct sockaddr *)&address, size) == 0 &&
                getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    *port = ntohs(address.sin_port);
    return fd;
}

// Serves with a Discord that does not answer, reads its configuration again, and ends.
static void test_run_and_signals(void **state)
{
    struct place *const place = *state;
    char sections[TEXT_SIZE];
    int port = 0;
    const int fd = dead_port(&port);
    (void)snprintf(sections, sizeof sections, "%sapi_url = http://127.0.0.1:%d/api\n", GOOD, port);
    configure(place, "", sections);
    begin(place, "run", TOKEN);
    process_expect(&place->process, " level=info event=serving\n");
    assert_int_equal(access(place->store, F_OK), 0);
    configure(place, "log = loud\n", sections);
    process_signal(&place->process, SIGHUP);
    process_expect(&place->process, "level=warn event=config-problem");
    configure(place, "log = debug\nprefix = other\n", sections);
    process_signal(&place->process, SIGHUP);
    process_expect(&place->process, "event=config-restart key=prefix");
    process_expect(&place->process, "event=config-reread\n");
    configure(place, "log = error\n", sections);
    process_signal(&place->process, SIGHUP);
    process_signal(&place->process, SIGTERM);
    assert_int_equal(process_end(&place->process), 0);
    expect_complaint(place, "event=starting version=");
    (void)close(fd);
}

static void test_run_waits_for_its_store(void **state)
{
    struct place *const place = *state;
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "[munchbot]\nstore = sqlite:%s/none/t.db\n%s", place->folder,
                   GOOD);
    write_file(place->config, text);
    begin(place, "run", TOKEN);
    process_expect(&place->process, "level=warn event=store-away");
    process_signal(&place->process, SIGINT);
    assert_int_equal(process_end(&place->process), 0);
    expect_complaint(place, "event=stopping");
}

static int64_t seconds(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

// `answers`: there is a server, which never says a word.
static void wait_for_a_database(struct place *place, bool answers)
{
    enum { END_S = 10 };
    int peer = -1;
    char store[TEXT_SIZE];
    int port = 0;
    const int fd = dead_port(&port);
    (void)snprintf(store, sizeof store, "MUNCHBOT_STORE=postgresql://me:hush@127.0.0.1:%d/x", port);
    const char *const arguments[] = {MB_PROGRAM, "run", "--config", place->config, NULL};
    const char *const environment[] = {TOKEN, store, NULL};
    write_file(place->config, GOOD);
    assert_true(!answers || listen(fd, 1) == 0);
    process_begin(&place->process, arguments, environment);
    if (answers) {
        peer = accept(fd, NULL, NULL);
    } else {
        process_expect(&place->process,
                       "event=store-away text=\"no database server answers at 127.0.0.1");
    }
    const int64_t told_s = seconds();
    process_signal(&place->process, SIGTERM);
    assert_int_equal(process_end(&place->process), 0);
    assert_true(seconds() - told_s <= END_S);
    expect_complaint(place, "event=stopping");
    (void)close(peer);
    (void)close(fd);
}

static void test_run_waits_for_a_database(void **state)
{
    wait_for_a_database(*state, false);
}

static void test_a_silent_database_delays_no_end(void **state)
{
    wait_for_a_database(*state, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_check_finds_nothing_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check_hides_the_environments_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check_names_every_problem, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check_looks_at_the_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_configuration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_usage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_refuses_what_is_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_without_a_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_with_a_store_that_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_and_signals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_waits_for_its_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_waits_for_a_database, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_silent_database_delays_no_end, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("check and run", tests, NULL, NULL);
}
