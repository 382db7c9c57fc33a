// Rate limits: lessons 21 to 25 of other libraries, on a clock of the test's.
#include <stdio.h>
#include <stdlib.h>

#include "adapters/discord/wire/buckets.h"

#include "tests/support/test.h"

static const struct bucket_lane CREATE = {.route = "POST /channels/{}/messages", .major = "1"};
static const struct bucket_lane EDIT = {.route = "PATCH /channels/{}/messages/{}", .major = "1"};
static const struct bucket_lane OTHER = {.route = "POST /channels/{}/messages", .major = "2"};
static const struct bucket_lane ANSWER = {
    .route = "POST /interactions", .major = "t", .free = true};
static const struct bucket_headers NONE = {.hash = NULL};

static struct bucket_headers left(const char *name, uint32_t remaining, int64_t after_ms)
{
    return (struct bucket_headers){
        .hash = name, .limited = true, .remaining = remaining, .reset_after_ms = after_ms};
}

static int begin(void **state)
{
    *state = buckets_create();
    return 0;
}

static int end(void **state)
{
    buckets_destroy(*state);
    return 0;
}

static void send_and_answer(struct buckets *buckets, const struct bucket_lane *lane,
                            struct bucket_headers headers, int64_t now_ms)
{
    assert_int_equal(buckets_ready_ms(buckets, lane, now_ms), now_ms);
    buckets_sent(buckets, lane, now_ms);
    buckets_answered(buckets, lane, 200, &headers, now_ms);
}

static void until_limits_are_known_one_goes_at_a_time(void **state)
{
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 0), 0);
    buckets_sent(*state, &CREATE, 0);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 0), INT64_MAX);
    assert_int_equal(buckets_ready_ms(*state, &OTHER, 0), 0);
    const struct bucket_headers headers = left("a", 4, 5000);
    buckets_answered(*state, &CREATE, 200, &headers, 10);
    buckets_sent(*state, &CREATE, 10);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 10), 10);
}

static void when_none_is_left_it_waits_for_the_fraction_it_was_told(void **state)
{
    send_and_answer(*state, &CREATE, left("a", 0, 650), 0);
    assert_in_range(buckets_ready_ms(*state, &CREATE, 0), 650, 750);
    const int64_t ready = buckets_ready_ms(*state, &CREATE, 0);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, ready), ready);
    buckets_sent(*state, &CREATE, ready);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, ready), INT64_MAX); // one by one
}

static void lanes_of_one_bucket_share_it_within_one_channel(void **state)
{
    send_and_answer(*state, &EDIT, left("a", 3, 5000), 0);
    send_and_answer(*state, &CREATE, left("a", 0, 5000), 0);
    assert_true(buckets_ready_ms(*state, &EDIT, 0) >= 5000);
    assert_int_equal(buckets_ready_ms(*state, &OTHER, 0), 0);
}

// Discord reports one bucket for posts and edits and counts them apart.
static void what_one_lane_has_left_is_not_the_others(void **state)
{
    send_and_answer(*state, &CREATE, left("a", 1, 5000), 0);
    send_and_answer(*state, &EDIT, left("a", 4, 5000), 0);
    buckets_sent(*state, &CREATE, 1000);
    const struct bucket_headers none = left("a", 0, 4000);
    buckets_answered(*state, &CREATE, 200, &none, 1000);
    buckets_sent(*state, &EDIT, 1000);
    const struct bucket_headers some = left("a", 4, 5000); // its span has begun anew
    buckets_answered(*state, &EDIT, 200, &some, 1200);
    assert_in_range(buckets_ready_ms(*state, &CREATE, 1200), 5000, 5100);
    assert_int_equal(buckets_ready_ms(*state, &EDIT, 1200), 1200);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 5100), 5100);
}

// What a newer one will follow does not use up what is said behind it needs.
static void what_yields_leaves_some_for_others(void **state)
{
    const struct bucket_lane yielding = {.route = EDIT.route, .major = EDIT.major, .yields = true};
    send_and_answer(*state, &yielding, left("a", BUCKETS_KEPT + 1, 5000), 0);
    send_and_answer(*state, &CREATE, left("a", BUCKETS_KEPT, 5000), 0);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 0), 0);
    const int64_t ready = buckets_ready_ms(*state, &yielding, 0);
    assert_in_range(ready, 5000, 5100);
    assert_int_equal(buckets_ready_ms(*state, &yielding, ready),
                     ready); // it is not put off for ever
}

static void after_a_429_everything_arrives(void **state)
{
    int64_t now = 0;
    buckets_sent(*state, &CREATE, now);
    buckets_refused(*state, &CREATE, BUCKET_USER, 1500, &NONE, now);
    for (unsigned i = 0; i < 10; i++) {
        now = buckets_ready_ms(*state, &CREATE, now);
        assert_true(now != INT64_MAX);
        buckets_sent(*state, &CREATE, now);
        const struct bucket_headers headers = left("a", 4 - i % 5, 1000);
        buckets_answered(*state, &CREATE, 200, &headers, now);
    }
    assert_in_range(now, 1500, 5000);
}

static void a_429_with_some_left_holds_that_kind_alone(void **state)
{
    send_and_answer(*state, &CREATE, left("a", 4, 5000), 0);
    send_and_answer(*state, &EDIT, left("a", 3, 5000), 0);
    const struct bucket_headers headers = left("a", 2, 5000);
    buckets_sent(*state, &EDIT, 0);
    buckets_refused(*state, &EDIT, BUCKET_USER, 3000, &headers, 0);
    assert_true(buckets_ready_ms(*state, &EDIT, 0) >= 3000);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 0), 0);
}

static void what_is_never_answered_gives_its_place_back(void **state)
{
    buckets_sent(*state, &CREATE, 0);
    buckets_lost(*state, &CREATE);
    assert_int_equal(buckets_ready_ms(*state, &CREATE, 0), 0);
}

static void the_global_limit_stops_all_but_answers(void **state)
{
    char channel[16];
    for (unsigned i = 0; i < BUCKETS_GLOBAL_PER_S; i++) {
        (void)snprintf(channel, sizeof channel, "c%u", i);
        const struct bucket_lane lane = {.route = CREATE.route, .major = channel};
        assert_int_equal(buckets_ready_ms(*state, &lane, 100), 100);
        buckets_sent(*state, &lane, 100);
    }
    assert_int_equal(buckets_ready_ms(*state, &OTHER, 500), 1100);
    assert_int_equal(buckets_ready_ms(*state, &ANSWER, 500), 500);
    assert_int_equal(buckets_ready_ms(*state, &OTHER, 1100), 1100);
}

// One request as soon as may be, again and again for ten seconds; the most in any one of them.
static unsigned most_in_a_second(struct buckets *buckets)
{
    enum { MOST = 1000 };
    int64_t sent[MOST];
    unsigned count = 0;
    unsigned most = 0;
    for (int64_t now = 100; now < 10000 && count < MOST;) {
        char channel[16];
        (void)snprintf(channel, sizeof channel, "c%u", count);
        const struct bucket_lane lane = {.route = CREATE.route, .major = channel};
        const int64_t ready = buckets_ready_ms(buckets, &lane, now);
        now = ready > now ? ready : now;
        buckets_sent(buckets, &lane, now);
        sent[count++] = now;
        now += count % 7 == 0 ? 11 : 0; // no second begins where another did
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned within = 0;
        for (unsigned j = i; j < count && sent[j] < sent[i] + 1000; j++) {
            within++;
        }
        most = within > most ? within : most;
    }
    return most;
}

static void no_second_has_more_wherever_it_begins(void **state)
{
    assert_int_equal(most_in_a_second(*state), BUCKETS_GLOBAL_PER_S);
}

static void what_is_granted_is_shared(void **state)
{
    buckets_share(*state, 2);
    assert_int_equal(most_in_a_second(*state), BUCKETS_GLOBAL_PER_S / 2);
    buckets_share(*state, 0);
    for (unsigned i = 0; i < BUCKETS_INVALID_MAX / BUCKETS_NEW_SHARE; i++) {
        assert_int_equal(buckets_stopped_ms(*state, 20000), 0);
        buckets_sent(*state, &ANSWER, 20000);
        buckets_answered(*state, &ANSWER, 403, &NONE, 20000);
    }
    assert_true(buckets_stopped_ms(*state, 20000) > 0);
}

static void a_global_429_stops_everything(void **state)
{
    buckets_sent(*state, &CREATE, 0);
    buckets_refused(*state, &CREATE, BUCKET_GLOBAL, 2000, &NONE, 0);
    assert_true(buckets_ready_ms(*state, &OTHER, 0) >= 2000);
    assert_true(buckets_stopped_ms(*state, 0) >= 2000);
    assert_int_equal(buckets_stopped_ms(*state, 3000), 0);
}

static void far_below_the_ban_nothing_is_sent_any_more(void **state)
{
    int64_t now = 0;
    for (unsigned i = 0; i < BUCKETS_INVALID_MAX - 1; i++) {
        now += 100;
        buckets_sent(*state, &ANSWER, now);
        buckets_answered(*state, &ANSWER, 403, &NONE, now);
    }
    assert_int_equal(buckets_invalid(*state, now), BUCKETS_INVALID_MAX - 1);
    assert_int_equal(buckets_stopped_ms(*state, now), 0);
    buckets_sent(*state, &ANSWER, now);
    buckets_answered(*state, &ANSWER, 401, &NONE, now);
    assert_true(buckets_stopped_ms(*state, now) >= now + BUCKETS_INVALID_MS);
}

static void refusals_of_long_ago_do_not_count(void **state)
{
    for (int64_t i = 0; i < (int64_t)3 * BUCKETS_INVALID_MAX; i++) {
        const int64_t now = i * 2000;
        buckets_sent(*state, &ANSWER, now);
        buckets_answered(*state, &ANSWER, 403, &NONE, now);
        assert_int_equal(buckets_stopped_ms(*state, now), 0);
    }
    const int64_t end_ms = 3 * (int64_t)BUCKETS_INVALID_MAX * 2000;
    assert_in_range(buckets_invalid(*state, end_ms), 250, 320);
    assert_int_equal(buckets_invalid(*state, end_ms + BUCKETS_INVALID_MS), 0);
}

static void a_shared_429_is_nobodys_fault(void **state)
{
    buckets_sent(*state, &CREATE, 0);
    buckets_refused(*state, &CREATE, BUCKET_SHARED, 500, &NONE, 0);
    assert_int_equal(buckets_invalid(*state, 0), 0);
}

// Tokens of interactions are new for ever: what is not needed is forgotten.
static void more_lanes_than_there_is_room_for(void **state)
{
    char token[16];
    for (unsigned i = 0; i < 5 * BUCKETS_LANES_MAX; i++) {
        (void)snprintf(token, sizeof token, "t%u", i);
        const struct bucket_lane lane = {.route = "PATCH /webhooks", .major = token, .free = true};
        send_and_answer(*state, &lane, left("w", 4, 2000), (int64_t)i);
    }
    send_and_answer(*state, &CREATE, left("a", 0, 9000), 0);
    for (unsigned i = 0; i < 5 * BUCKETS_LANES_MAX; i++) { // none of them ever ends
        (void)snprintf(token, sizeof token, "u%u", i);
        const struct bucket_lane lane = {.route = "PATCH /webhooks", .major = token, .free = true};
        send_and_answer(*state, &lane, left("w", 4, 1000000), 0);
    }
}

static void buckets_that_are_named_otherwise_each_time(void **state)
{
    char major[16];
    char name[16];
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned i = 0; i < BUCKETS_LANES_MAX / 2; i++) {
            (void)snprintf(major, sizeof major, "%u", i);
            (void)snprintf(name, sizeof name, "n%u", round);
            const struct bucket_lane lane = {.route = "PATCH /a", .major = major, .free = true};
            send_and_answer(*state, &lane, left(name, 4, 1000000), 0);
        }
    }
}

static void what_is_known_stays_known_while_there_is_room(void **state)
{
    char major[16];
    send_and_answer(*state, &CREATE, left("a", 0, 9000), 0);
    for (unsigned i = 0; i < BUCKETS_LANES_MAX / 4; i++) {
        (void)snprintf(major, sizeof major, "%u", 100 + i);
        const struct bucket_lane lane = {.route = "PATCH /a", .major = major, .free = true};
        send_and_answer(*state, &lane, left("b", 4, 5000), 0);
    }
    assert_in_range(buckets_ready_ms(*state, &CREATE, 0), 9000, 9100);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(until_limits_are_known_one_goes_at_a_time),
        TEST(when_none_is_left_it_waits_for_the_fraction_it_was_told),
        TEST(lanes_of_one_bucket_share_it_within_one_channel),
        TEST(what_one_lane_has_left_is_not_the_others),
        TEST(what_yields_leaves_some_for_others),
        TEST(after_a_429_everything_arrives),
        TEST(a_429_with_some_left_holds_that_kind_alone),
        TEST(what_is_never_answered_gives_its_place_back),
        TEST(the_global_limit_stops_all_but_answers),
        TEST(no_second_has_more_wherever_it_begins),
        TEST(what_is_granted_is_shared),
        TEST(a_global_429_stops_everything),
        TEST(far_below_the_ban_nothing_is_sent_any_more),
        TEST(refusals_of_long_ago_do_not_count),
        TEST(a_shared_429_is_nobodys_fault),
        TEST(more_lanes_than_there_is_room_for),
        TEST(buckets_that_are_named_otherwise_each_time),
        TEST(what_is_known_stays_known_while_there_is_room),
    };
    return cmocka_run_group_tests_name("buckets", tests, NULL, NULL);
}
