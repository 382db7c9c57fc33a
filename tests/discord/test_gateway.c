// The gateway as a machine, on a clock of the test's: lessons 1 to 12 of other libraries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/gateway/gateway.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 1024, INTERVAL_MS = 41250, HOUR_MS = 3600000 };

// What the machine did last, and how often.
struct owner {
    struct gateway *gateway;
    int64_t now_ms;
    char url[GATEWAY_URL_SIZE], sent[TEXT_SIZE], event[64], why[256];
    unsigned asked, connected, sends, closes, events;
    int code;
    bool leave; // to identify
};

static void ask(void *user)
{
    ((struct owner *)user)->asked++;
}

static void connect_to(void *user, const char *url)
{
    struct owner *const owner = user;
    owner->connected++;
    (void)snprintf(owner->url, sizeof owner->url, "%s", url);
}

static void send_text(void *user, const char *text, size_t size)
{
    struct owner *const owner = user;
    owner->sends++;
    assert_true(size < TEXT_SIZE);
    memcpy(owner->sent, text, size);
    owner->sent[size] = '\0';
}

static void close_it(void *user, int code)
{
    struct owner *const owner = user;
    owner->closes++;
    owner->code = code;
}

static bool may_identify(void *user, unsigned shard)
{
    (void)shard;
    return ((struct owner *)user)->leave;
}

static void dispatch(void *user, const char *event, const char *data, size_t size)
{
    struct owner *const owner = user;
    (void)data;
    (void)size;
    owner->events++;
    (void)snprintf(owner->event, sizeof owner->event, "%s", event);
}

static void fatal(void *user, const struct mb_error *why)
{
    struct owner *const owner = user;
    (void)snprintf(owner->why, sizeof owner->why, "%s", why->text);
}

static int begin(void **state)
{
    struct owner *const owner = calloc(1, sizeof *owner);
    assert_non_null(owner);
    const struct gateway_setup setup = {.token = "secret",
                                        .shards = 1,
                                        .chance = 7,
                                        .user = owner,
                                        .ask = ask,
                                        .connect = connect_to,
                                        .send = send_text,
                                        .close = close_it,
                                        .may_identify = may_identify,
                                        .dispatch = dispatch,
                                        .fatal = fatal};
    owner->leave = true;
    owner->gateway = gateway_create(&setup);
    assert_non_null(owner->gateway);
    *state = owner;
    return 0;
}

static int end(void **state)
{
    struct owner *const owner = *state;
    gateway_destroy(owner->gateway);
    free(owner);
    return 0;
}

static void hear(struct owner *owner, const char *text)
{
    gateway_heard(owner->gateway, text, strlen(text), owner->now_ms);
}

// Time goes on to the next thing that is due; false if nothing is, or not before `until_ms`.
static bool step(struct owner *owner, int64_t until_ms)
{
    const int64_t due = gateway_due_ms(owner->gateway);
    if (due < 0 || due > until_ms) {
        return false;
    }
    owner->now_ms = due > owner->now_ms ? due : owner->now_ms;
    gateway_tick(owner->gateway, owner->now_ms);
    return true;
}

static void pass(struct owner *owner, int64_t ms)
{
    const int64_t until = owner->now_ms + ms;
    while (step(owner, until)) {
    }
    owner->now_ms = until;
}

static void hello(struct owner *owner)
{
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "{\"op\":10,\"d\":{\"heartbeat_interval\":%d}}", INTERVAL_MS);
    hear(owner, text);
}

static void open_and_greet(struct owner *owner)
{
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_CONNECTING);
    gateway_opened(owner->gateway, owner->now_ms);
    hello(owner);
}

static void ready(struct owner *owner)
{
    hear(owner, "{\"op\":0,\"s\":1,\"t\":\"READY\",\"d\":{\"session_id\":\"abc\","
                "\"resume_gateway_url\":\"wss://resume\"}}");
}

static void go_live(struct owner *owner)
{
    gateway_start(owner->gateway, NULL, owner->now_ms);
    gateway_found(owner->gateway, "wss://main", owner->now_ms);
    open_and_greet(owner);
    ready(owner);
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_LIVE);
}

// Waits until it connects anew.
static void reconnect(struct owner *owner)
{
    const unsigned before = owner->connected;
    while (owner->connected == before) {
        assert_true(step(owner, owner->now_ms + HOUR_MS));
        if (gateway_state(owner->gateway) == GATEWAY_ASKING) {
            gateway_found(owner->gateway, "wss://main", owner->now_ms);
        }
    }
}

static void a_first_start_identifies_without_privileged_intents(void **state)
{
    struct owner *const owner = *state;
    enum { MEMBERS = 1 << 1, PRESENCES = 1 << 8, CONTENT = 1 << 15 };
    gateway_start(owner->gateway, NULL, 0);
    assert_int_equal(owner->asked, 1);
    gateway_found(owner->gateway, "wss://main", 0);
    assert_string_equal(owner->url, "wss://main");
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":2"));
    assert_non_null(strstr(owner->sent, "\"intents\":1,"));
    assert_non_null(strstr(owner->sent, "\"token\":\"secret\""));
    assert_int_equal(GATEWAY_INTENTS & (MEMBERS | PRESENCES | CONTENT), 0);
    ready(owner);
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_LIVE);
    assert_string_equal(owner->event, "READY");
    assert_string_equal(gateway_session(owner->gateway)->id, "abc");
}

static void beats_carry_the_latest_sequence_and_the_first_comes_early(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "{\"op\":0,\"s\":41,\"t\":\"GUILD_CREATE\",\"d\":{}}");
    const unsigned sends = owner->sends;
    assert_true(step(owner, INTERVAL_MS + 1));
    assert_int_equal(owner->sends, sends + 1);
    assert_string_equal(owner->sent, "{\"op\":1,\"d\":41}");
}

static void a_zombie_is_dropped_and_resumed_with_a_code_that_keeps_the_session(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    pass(owner, (int64_t)2 * INTERVAL_MS);
    assert_true(owner->closes >= 1);
    assert_int_equal(owner->code, GATEWAY_CLOSE_OURS);
    assert_string_equal(owner->url, "wss://resume");
    gateway_opened(owner->gateway, owner->now_ms);
    hello(owner);
    assert_non_null(strstr(owner->sent, "\"op\":6"));
    assert_non_null(strstr(owner->sent, "\"seq\":1"));
}

static void an_ack_that_is_missing_counts_against_its_own_connection_only(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    pass(owner, (int64_t)2 * INTERVAL_MS);
    gateway_opened(owner->gateway, owner->now_ms);
    hello(owner);
    hear(owner, "{\"op\":0,\"s\":2,\"t\":\"RESUMED\",\"d\":{}}");
    const unsigned connected = owner->connected;
    for (unsigned i = 0; i < 10; i++) {
        assert_true(step(owner, owner->now_ms + HOUR_MS));
        hear(owner, "{\"op\":11}");
    }
    assert_int_equal(owner->connected, connected);
}

static void a_beat_that_the_server_asks_for_waits_for_no_ack(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    const unsigned sends = owner->sends;
    hear(owner, "{\"op\":1,\"d\":null}");
    hear(owner, "{\"op\":1,\"d\":null}");
    assert_int_equal(owner->sends, sends + 2);
    assert_true(step(owner, owner->now_ms + HOUR_MS)); // the timer's
    assert_int_equal(owner->closes, 0);
}

static void a_dead_resume_address_is_given_up_after_two_attempts(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    for (unsigned i = 0; i < 2; i++) {
        reconnect(owner);
        assert_string_equal(owner->url, "wss://resume");
        gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    }
    reconnect(owner);
    assert_string_equal(owner->url, "wss://main");
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":2"));
}

static void a_resume_that_is_never_answered_ends_in_a_new_session(void **state)
{
    struct owner *const owner = *state;
    unsigned resumes = 0;
    go_live(owner);
    gateway_closed(owner->gateway, 4000, owner->now_ms);
    for (unsigned i = 0; i < 5 && gateway_identifies(owner->gateway) == 1; i++) {
        reconnect(owner);
        open_and_greet(owner);
        resumes += strstr(owner->sent, "\"op\":6") != NULL ? 1 : 0;
        gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    }
    assert_int_equal(resumes, 3);
    assert_int_equal(gateway_identifies(owner->gateway), 2);
}

static void an_invalid_session_is_resumed_or_made_anew_as_it_says(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "{\"op\":9,\"d\":true}");
    reconnect(owner);
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":6"));
    hear(owner, "{\"op\":9,\"d\":false}");
    reconnect(owner);
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":2"));
}

static void two_losses_in_a_row_resume_the_newer_session(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    gateway_closed(owner->gateway, 4009, owner->now_ms);
    reconnect(owner);
    open_and_greet(owner);
    hear(owner, "{\"op\":0,\"s\":5,\"t\":\"READY\",\"d\":{\"session_id\":\"newer\","
                "\"resume_gateway_url\":\"wss://other\"}}");
    gateway_closed(owner->gateway, 4000, owner->now_ms);
    reconnect(owner);
    assert_string_equal(owner->url, "wss://other");
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "newer"));
}

static void attempts_against_a_gateway_that_refuses_are_few(void **state)
{
    struct owner *const owner = *state;
    enum { ATTEMPTS_MAX = 8, MINUTE_MS = 60000 };
    go_live(owner);
    const unsigned before = owner->connected + owner->asked;
    gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    const int64_t until = owner->now_ms + MINUTE_MS;
    while (step(owner, until)) {
        gateway_not_found(owner->gateway, owner->now_ms);
        gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    }
    assert_in_range(owner->connected + owner->asked - before, 3, ATTEMPTS_MAX);
}

static void a_server_that_ends_every_session_costs_few_identifies_a_day(void **state)
{
    struct owner *const owner = *state;
    enum { IDENTIFIES_MAX = 200, HOURS = 24 };
    go_live(owner);
    const int64_t until = owner->now_ms + (int64_t)HOURS * HOUR_MS;
    hear(owner, "{\"op\":9,\"d\":false}");
    while (step(owner, until)) {
        if (gateway_state(owner->gateway) == GATEWAY_ASKING) {
            gateway_found(owner->gateway, "wss://main", owner->now_ms);
        }
        if (gateway_state(owner->gateway) == GATEWAY_CONNECTING) {
            open_and_greet(owner);
            ready(owner);
            hear(owner, "{\"op\":9,\"d\":false}");
        }
    }
    assert_in_range(gateway_identifies(owner->gateway), 100, IDENTIFIES_MAX);
}

static void every_phase_has_its_time(void **state)
{
    struct owner *const owner = *state;
    gateway_start(owner->gateway, NULL, 0);
    pass(owner, HOUR_MS);
    assert_true(owner->asked > 1); // nobody answered
    gateway_found(owner->gateway, "wss://main", owner->now_ms);
    if (gateway_state(owner->gateway) != GATEWAY_CONNECTING) {
        while (gateway_state(owner->gateway) != GATEWAY_ASKING) {
            assert_true(step(owner, owner->now_ms + HOUR_MS));
        }
        gateway_found(owner->gateway, "wss://main", owner->now_ms);
    }
    const unsigned closes = owner->closes;
    pass(owner, 30000); // never opened
    assert_int_equal(owner->closes, closes + 1);
    reconnect(owner);
    gateway_opened(owner->gateway, owner->now_ms);
    pass(owner, 30000); // no HELLO
    assert_int_equal(owner->closes, closes + 2);
    reconnect(owner);
    open_and_greet(owner);
    for (int64_t i = 0; i < 45; i++) { // no READY
        pass(owner, 1000);
        hear(owner, "{\"op\":11}");
    }
    assert_true(owner->closes >= closes + 3);
}

static void identifying_waits_for_leave(void **state)
{
    struct owner *const owner = *state;
    owner->leave = false;
    gateway_start(owner->gateway, NULL, 0);
    gateway_found(owner->gateway, "wss://main", 0);
    open_and_greet(owner);
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_QUEUING);
    pass(owner, 3000);
    assert_int_equal(gateway_identifies(owner->gateway), 0);
    owner->leave = true;
    pass(owner, 1000);
    assert_int_equal(gateway_identifies(owner->gateway), 1);
}

static void what_cannot_get_better_is_said_once_and_ends_it(void **state)
{
    static const int CODES[] = {4004, 4010, 4011, 4012, 4013, 4014};
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++) {
        struct owner *const owner = *state;
        go_live(owner);
        gateway_closed(owner->gateway, CODES[i], owner->now_ms);
        assert_int_equal(gateway_state(owner->gateway), GATEWAY_FATAL);
        assert_string_not_equal(owner->why, "");
        assert_true(strlen(owner->why) < sizeof((struct mb_error *)NULL)->text - 1); // whole
        assert_int_equal(gateway_due_ms(owner->gateway), GATEWAY_NEVER);
        (void)end(state);
        (void)begin(state);
    }
}

static void a_successor_resumes_what_was_kept(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    const struct gateway_session session = *gateway_session(owner->gateway);
    gateway_stop(owner->gateway, true);
    assert_int_equal(owner->code, GATEWAY_CLOSE_OURS);
    gateway_start(owner->gateway, &session, owner->now_ms);
    assert_string_equal(owner->url, "wss://resume");
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":6"));
    gateway_stop(owner->gateway, false);
    assert_int_equal(owner->code, 1000);
    assert_string_equal(gateway_session(owner->gateway)->id, "");
}

static void what_is_no_message_of_the_gateways_costs_the_connection_only(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "<html>");
    assert_int_equal(owner->closes, 1);
    reconnect(owner);
    assert_string_equal(owner->url, "wss://resume");
}

static void what_comes_from_a_dropped_socket_is_not_heard(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "{\"op\":7}");
    const unsigned events = owner->events;
    hear(owner, "{\"op\":0,\"s\":9,\"t\":\"INTERACTION_CREATE\",\"d\":{}}");
    gateway_closed(owner->gateway, 4004, owner->now_ms);
    assert_int_equal(owner->events, events);
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_WAITING);
}

static void a_reconnect_that_is_asked_for_goes_at_once(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "{\"op\":7}");
    assert_int_equal(gateway_due_ms(owner->gateway), owner->now_ms);
}

static void what_it_is_told_before_hello_counts(void **state)
{
    static const char *const TOLD[] = {"{\"op\":7,\"d\":null}", "{\"op\":9,\"d\":true}",
                                       "{\"op\":9,\"d\":false}"};
    struct owner *const owner = *state;
    go_live(owner);
    gateway_closed(owner->gateway, GATEWAY_CLOSE_LOST, owner->now_ms);
    for (size_t i = 0; i < sizeof TOLD / sizeof TOLD[0]; i++) {
        reconnect(owner);
        gateway_opened(owner->gateway, owner->now_ms);
        hear(owner, TOLD[i]);
        assert_int_equal(gateway_state(owner->gateway), GATEWAY_WAITING);
    }
    reconnect(owner);
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"op\":2"));
    ready(owner);
    assert_int_equal(gateway_state(owner->gateway), GATEWAY_LIVE);
}

// Beats for an hour, each acknowledged; how many there were.
static unsigned beats_of_an_hour(struct owner *owner)
{
    const unsigned sends = owner->sends;
    const int64_t until = owner->now_ms + HOUR_MS;
    while (step(owner, until)) {
        hear(owner, "{\"op\":11}");
    }
    owner->now_ms = until;
    return owner->sends - sends;
}

static void after_many_connections_one_heart_beats(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    for (unsigned i = 0; i < 50; i++) {
        hear(owner, "{\"op\":7}");
        reconnect(owner);
        open_and_greet(owner);
        hello(owner); // twice
        hear(owner, "{\"op\":0,\"s\":2,\"t\":\"RESUMED\",\"d\":{}}");
    }
    assert_in_range(beats_of_an_hour(owner), HOUR_MS / INTERVAL_MS, HOUR_MS / INTERVAL_MS + 1);
}

static void pass_hours(struct owner *owner, unsigned hours)
{
    for (unsigned i = 0; i < hours; i++) {
        (void)beats_of_an_hour(owner);
    }
}

static void press(struct owner *owner)
{
    hear(owner, "{\"op\":0,\"s\":9,\"t\":\"INTERACTION_CREATE\",\"d\":{}}");
}

static void a_shard_that_fell_silent_for_a_day_gets_a_new_session_once(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    pass_hours(owner, 72);
    assert_int_equal(gateway_identifies(owner->gateway), 1); // nobody has ever said anything
    press(owner);
    pass_hours(owner, 20);
    press(owner);
    pass_hours(owner, 23);
    assert_int_equal(owner->closes, 0);
    const unsigned connected = owner->connected;
    const int64_t until = owner->now_ms + (int64_t)2 * HOUR_MS;
    while (owner->connected == connected && step(owner, until)) {
        hear(owner, "{\"op\":11}");
    }
    assert_int_equal(owner->closes, 1);
    assert_int_equal(owner->code, GATEWAY_CLOSE_OURS);
    assert_string_equal(owner->url, "wss://main");
    open_and_greet(owner);
    assert_int_equal(gateway_identifies(owner->gateway), 2);
    ready(owner);
    pass_hours(owner, 72);
    assert_int_equal(owner->closes, 1);
}

static void a_new_session_shows_who_it_is(void **state)
{
    struct owner *const owner = *state;
    go_live(owner);
    hear(owner, "{\"op\":9,\"d\":false}");
    reconnect(owner);
    open_and_greet(owner);
    assert_non_null(strstr(owner->sent, "\"presence\":{"));
    assert_non_null(strstr(owner->sent, "\"status\":\"online\""));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_first_start_identifies_without_privileged_intents),
        TEST(beats_carry_the_latest_sequence_and_the_first_comes_early),
        TEST(a_zombie_is_dropped_and_resumed_with_a_code_that_keeps_the_session),
        TEST(an_ack_that_is_missing_counts_against_its_own_connection_only),
        TEST(a_beat_that_the_server_asks_for_waits_for_no_ack),
        TEST(a_dead_resume_address_is_given_up_after_two_attempts),
        TEST(a_resume_that_is_never_answered_ends_in_a_new_session),
        TEST(an_invalid_session_is_resumed_or_made_anew_as_it_says),
        TEST(two_losses_in_a_row_resume_the_newer_session),
        TEST(attempts_against_a_gateway_that_refuses_are_few),
        TEST(a_server_that_ends_every_session_costs_few_identifies_a_day),
        TEST(every_phase_has_its_time),
        TEST(identifying_waits_for_leave),
        TEST(what_cannot_get_better_is_said_once_and_ends_it),
        TEST(a_successor_resumes_what_was_kept),
        TEST(what_is_no_message_of_the_gateways_costs_the_connection_only),
        TEST(what_comes_from_a_dropped_socket_is_not_heard),
        TEST(a_reconnect_that_is_asked_for_goes_at_once),
        TEST(what_it_is_told_before_hello_counts),
        TEST(after_many_connections_one_heart_beats),
        TEST(a_shard_that_fell_silent_for_a_day_gets_a_new_session_once),
        TEST(a_new_session_shows_who_it_is),
    };
    return cmocka_run_group_tests_name("gateway", tests, NULL, NULL);
}
