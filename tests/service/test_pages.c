// /healthz, /readyz and /metrics of a service, asked over HTTP on its own loop.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "adapters/service/figures.h"

#include "tests/service/service_stage.h"
#include "tests/support/memory_store.h"
#include "tests/support/test.h"

enum { URL_SIZE = 128, TEXT_SIZE = 65536 };

/* What was asked, and what came; of the one test that runs. */
struct asked {
    struct service_stage *stage;
    char listen[URL_SIZE];
    int status;
    char text[TEXT_SIZE];
};

static struct asked asked;

// A port at which nobody listens just now.
static int free_port(int *out)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0 && bind(fd, (const struct sockaddr *)&address, size) == 0 &&
                getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    *out = ntohs(address.sin_port);
    return fd;
}

static int set_up(void **state)
{
    int port = 0;
    asked = (struct asked){.stage = service_stage_open()};
    (void)close(free_port(&port));
    (void)snprintf(asked.listen, sizeof asked.listen, "127.0.0.1:%d", port);
    asked.stage->store = memory_store_create();
    asked.stage->listen = asked.listen;
    *state = asked.stage;
    return 0;
}

static int tear_down(void **state)
{
    service_stage_close(*state);
    return 0;
}

static void on_answer(void *user, const struct http_answer *answer)
{
    struct service_stage *const stage = user;
    asked.status = answer->status;
    (void)snprintf(asked.text, sizeof asked.text, "%s",
                   answer->fault == HTTP_NO_FAULT ? answer->body : answer->why);
    service_stop(stage->service);
}

static void ask(struct service_stage *stage, const char *method, const char *path)
{
    char url[2 * URL_SIZE];
    (void)snprintf(url, sizeof url, "http://%s%s", asked.listen, path);
    const struct http_request request = {.method = method, .url = url, .timeout_ms = 5000};
    assert_int_not_equal(http_send(stage->hosts[0].http, &request, on_answer, stage), 0);
}

static void ask_health(struct service_stage *stage)
{
    ask(stage, "GET", "/healthz");
}

static void ask_ready(struct service_stage *stage)
{
    ask(stage, "GET", "/readyz");
}

static void ask_metrics(struct service_stage *stage)
{
    ask(stage, "GET", "/metrics");
}

static void ask_elsewhere(struct service_stage *stage)
{
    ask(stage, "GET", "/../etc/passwd");
}

static void ask_wrongly(struct service_stage *stage)
{
    ask(stage, "DELETE", "/healthz");
}

static void open_lobby(struct service_stage *stage)
{
    assert_true(fake_hear(stage->chats[0], "town", "ann", "new"));
}

static void take_store_away(struct service_stage *stage)
{
    faulty_store_down(stage->store, true);
    assert_true(fake_hear(stage->chats[0], "town", "bob", "join"));
}

static void test_health(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, ask_health);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 200);
    assert_string_equal(asked.text, "ok\n");
}

static void test_ready(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, ask_ready);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 200);
    assert_string_equal(asked.text, "service: ok\nstore: ok\nfake: ok\n");
}

static void lose_other(struct service_stage *stage)
{
    struct mb_error why = {0};
    (void)mb_fail(&why, MB_ERR_INPUT, "the token is no good");
    stage->hosts[1].fatal(stage->hosts[1].user, &why);
}

static void test_not_ready_without_a_network(void **state)
{
    struct service_stage *const stage = *state;
    stage->adapter_count = 2;
    service_stage_cue(stage, 100, lose_other);
    service_stage_cue(stage, 200, ask_ready);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 503);
    assert_string_equal(asked.text, "service: ok\nstore: ok\nfake: ok\n"
                                    "other: it refused the bot for good; the log says why\n");
}

static void give_store_back(struct service_stage *stage)
{
    faulty_store_down(stage->store, false);
}

static void test_not_ready_without_a_store(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, open_lobby);
    service_stage_cue(stage, 300, take_store_away);
    service_stage_cue(stage, 600 + SERVICE_AWAY_MS, ask_ready);
    service_stage_cue(stage, 700 + SERVICE_AWAY_MS, give_store_back);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 503);
    assert_string_equal(asked.text, "service: ok\nstore: does not answer\nfake: ok\n");
    assert_int_equal(service_stage_logged(stage, "level=warn event=store-away"), 1);
}

// Ann sits there already, and Bob asks for the rules: neither changes anything.
static void say_more(struct service_stage *stage)
{
    assert_true(fake_hear(stage->chats[0], "town", "bob", "join"));
    assert_true(fake_hear(stage->chats[0], "town", "ann", "join"));
    assert_true(fake_hear(stage->chats[0], "town", "bob", "rules"));
}

static void test_metrics(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, open_lobby);
    service_stage_cue(stage, 200, say_more);
    service_stage_cue(stage, 500, ask_metrics);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 200);
    static const char *const WANTED[] = {
        "\nmunchbot_lines_heard_total 4\n",
        "\nmunchbot_tables{state=\"lobby\"} 1\n",
        "\nmunchbot_serving 1\n",
        "\nmunchbot_store_up 1\n",
        "\nmunchbot_network_up{network=\"fake\"} 1\n",
        "\nmunchbot_queue_unsent{network=\"fake\"} 0\n",
        "\nmunchbot_commands_total{verb=\"new\"} 1\n",
        "\nmunchbot_commands_total{verb=\"join\"} 2\n",
        "\nmunchbot_commands_total{verb=\"rules\"} 1\n",
        "\nmunchbot_command_commit_seconds_count 2\n",
        "\nmunchbot_store_commit_seconds_bucket{le=\"+Inf\"} 2\n",
        "\nmunchbot_command_delivery_seconds_bucket{network=\"fake\",le=\"+Inf\"} ",
        "\n# TYPE munchbot_messages_undeliverable_total counter\n"};
    for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
        if (strstr(asked.text, WANTED[i]) == NULL) {
            const char *const from = strstr(asked.text, "# HELP munchbot_tables");
            fail_msg("no %s in:\n%.900s", WANTED[i], from != NULL ? from : asked.text);
        }
    }
    assert_null(strstr(asked.text, "ann"));
    assert_null(strstr(asked.text, "town"));
}

static void test_other_paths_and_methods(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, ask_elsewhere);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 404);
    service_stage_cue(stage, 100, ask_wrongly);
    assert_true(service_stage_run(stage));
    assert_int_equal(asked.status, 405);
}

/* Slow connections (attack G-4.10). */

enum { SLOW_COUNT = 40, SOON_MS = 1500 };

static int slow[SLOW_COUNT];

static void connect_slowly(struct service_stage *stage)
{
    static const char BEGUN[] = "GET /healthz HTTP/1.1\r\nHost: ";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    (void)stage;
    address.sin_port = htons((uint16_t)strtol(strrchr(asked.listen, ':') + 1, NULL, 10));
    for (unsigned i = 0; i < SLOW_COUNT; i++) {
        slow[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_true(slow[i] >= 0 &&
                    connect(slow[i], (const struct sockaddr *)&address, sizeof address) == 0);
        assert_int_equal(send(slow[i], BEGUN, strlen(BEGUN), MSG_NOSIGNAL), strlen(BEGUN));
    }
}

static void ask_soon(struct service_stage *stage)
{
    char url[2 * URL_SIZE];
    (void)snprintf(url, sizeof url, "http://%s/healthz", asked.listen);
    const struct http_request request = {.method = "GET", .url = url, .timeout_ms = SOON_MS};
    assert_int_not_equal(http_send(stage->hosts[0].http, &request, on_answer, stage), 0);
}

static void test_slow_connections_keep_nobody_away(void **state)
{
    struct service_stage *const stage = *state;
    service_stage_cue(stage, 100, connect_slowly);
    service_stage_cue(stage, 200, ask_soon);
    assert_true(service_stage_run(stage));
    for (unsigned i = 0; i < SLOW_COUNT; i++) {
        (void)close(slow[i]);
    }
    assert_string_equal(asked.text, "ok\n");
    assert_int_equal(asked.status, 200);
}

static void test_a_place_that_is_taken(void **state)
{
    struct service_stage *const stage = *state;
    int port = 0;
    struct mb_error err = {0};
    const int fd = free_port(&port);
    assert_int_equal(listen(fd, 1), 0);
    (void)snprintf(asked.listen, sizeof asked.listen, "127.0.0.1:%d", port);
    const struct service_adapter adapter = {.name = "none"};
    const struct service_setup setup = {.catalog = stage->catalog,
                                        .store = stage->store,
                                        .adapters = &adapter,
                                        .adapter_count = 1,
                                        .log = &stage->log,
                                        .user_agent = "test",
                                        .listen = asked.listen};
    assert_null(service_create(&setup, &err));
    assert_non_null(strstr(err.text, "cannot listen at 127.0.0.1:"));
    (void)close(fd);
}

static void test_pages_of_a_service_that_does_not_serve(void **state)
{
    struct page page;
    (void)state;
    assert_true(figures_page(&(struct figures){.unready = "stopping"}, "/readyz", &page));
    assert_int_equal(page.status, 503);
    assert_string_equal(page.text, "service: stopping\nstore: ok\n");
    free(page.text);
    assert_true(figures_page(&(struct figures){.unready = "stopping"}, "/healthz", &page));
    assert_int_equal(page.status, 200);
    free(page.text);
    assert_false(figures_page(&(struct figures){.unready = NULL}, "/", &page));
}

static void test_commands_by_verb_and_code(void **state)
{
    const struct hall_stats stats = {.heard = 3};
    struct tallies tallies = {.list = NULL};
    struct page page;
    (void)state;
    tallies_add(&tallies, "kick", "");
    tallies_add(&tallies, "kick", "not_your_turn");
    tallies_add(&tallies, "kick", "not_your_turn");
    assert_true(
        figures_page(&(struct figures){.tallies = &tallies, .stats = &stats}, "/metrics", &page));
    assert_non_null(strstr(page.text, "\nmunchbot_commands_total{verb=\"kick\"} 1\n"));
    assert_non_null(
        strstr(page.text, "\nmunchbot_refusals_total{verb=\"kick\",code=\"not_your_turn\"} 2\n"));
    free(page.text);
    tallies_finish(&tallies);
}

// What took longer than the last bound counts in the total alone.
static void test_bounds_of_a_histogram(void **state)
{
    struct histogram histogram = {.count = 0};
    (void)state;
    histogram_note(&histogram, 0);
    histogram_note(&histogram, 1);
    histogram_note(&histogram, 3);
    histogram_note(&histogram, 3600000);
    assert_int_equal(histogram.at_most[0], 2);
    assert_int_equal(histogram.at_most[2], 1);
    assert_int_equal(histogram.count, 4);
    assert_int_equal(histogram.sum_ms, 3600004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_health, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ready, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_ready_without_a_network, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_ready_without_a_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_metrics, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_paths_and_methods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slow_connections_keep_nobody_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_place_that_is_taken, set_up, tear_down),
        cmocka_unit_test(test_pages_of_a_service_that_does_not_serve),
        cmocka_unit_test(test_commands_by_verb_and_code),
        cmocka_unit_test(test_bounds_of_a_histogram),
    };
    return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
