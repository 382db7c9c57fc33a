// What the hall is built of: buckets of tokens, a map of words, a heap of times.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/live/due_heap.h"
#include "bot/hall/live/keyed_map.h"
#include "bot/hall/rate.h"

#include "tests/support/test.h"

static const struct rate_rule RULE = {.burst = 10, .refill_ms = 500};

static void a_flood_is_cut_off_and_told_once(void **state)
{
    (void)state;
    struct rate_bucket bucket = {0};
    unsigned taken = 0;
    unsigned told = 0;
    for (int64_t ms = 0; ms < 1000; ms++) { // 1,000 in a second
        const enum rate_result result = rate_take(&bucket, &RULE, ms);
        taken += result == RATE_TAKEN ? 1 : 0;
        told += result == RATE_TELL ? 1 : 0;
    }
    assert_int_equal(taken, RULE.burst);
    assert_int_equal(told, 1);
    assert_false(rate_is_full(&bucket, 1000));
    assert_true(rate_open_ms(&bucket, &RULE) > 1000);
}

static void who_waits_is_heard_again(void **state)
{
    (void)state;
    struct rate_bucket bucket = {0};
    while (rate_take(&bucket, &RULE, 0) == RATE_TAKEN) {
    }
    const int64_t open = rate_open_ms(&bucket, &RULE);
    assert_int_equal(open, (int64_t)RULE.burst / 2 * RULE.refill_ms);
    assert_int_equal(rate_take(&bucket, &RULE, open - 1), RATE_HUSH);
    for (int i = 0; i < RULE.burst / 2; i++) {
        assert_int_equal(rate_take(&bucket, &RULE, open), RATE_TAKEN);
    }
    assert_int_equal(rate_take(&bucket, &RULE, open), RATE_TELL); // it is another flood
    assert_true(rate_is_full(&bucket, open + (int64_t)RULE.burst * RULE.refill_ms));
}

static void a_steady_bucket_gives_one_token_at_a_time(void **state)
{
    (void)state;
    static const struct rate_rule STEADY = {.burst = 3, .refill_ms = 500, .steady = true};
    struct rate_bucket bucket = {0};
    while (rate_take(&bucket, &STEADY, 0) == RATE_TAKEN) {
    }
    assert_int_equal(rate_open_ms(&bucket, &STEADY), 500);
    assert_int_equal(rate_take(&bucket, &STEADY, 499), RATE_TELL);
    assert_int_equal(rate_take(&bucket, &STEADY, 500), RATE_TAKEN);
    assert_int_equal(rate_take(&bucket, &STEADY, 501), RATE_TELL);
    assert_int_equal(rate_take(&bucket, &STEADY, 1000), RATE_TAKEN);
}

static void who_keeps_to_the_pace_is_never_refused(void **state)
{
    (void)state;
    struct rate_bucket bucket = {0};
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(rate_take(&bucket, &RULE, (int64_t)i * RULE.refill_ms), RATE_TAKEN);
    }
}

static const char *word_of(unsigned number, char out[32])
{
    (void)snprintf(out, 32, "word %u", number);
    return out;
}

static void a_map_keeps_what_was_put_through_many_removals(void **state)
{
    (void)state;
    enum { WORDS = 5000 };
    const uint8_t secret[KEYED_SECRET_SIZE] = {1, 2, 3};
    struct keyed_map map;
    char word[32];
    keyed_map_init(&map, secret);
    assert_int_equal(keyed_map_get(&map, "nothing"), KEYED_NONE);
    keyed_map_remove(&map, "nothing");
    for (unsigned i = 0; i < WORDS; i++) {
        keyed_map_put(&map, word_of(i, word), i);
    }
    for (unsigned i = 0; i < WORDS; i += 3) {
        keyed_map_remove(&map, word_of(i, word));
    }
    for (unsigned i = 1; i < WORDS; i += 3) {
        keyed_map_put(&map, word_of(i, word), i + WORDS);
    }
    unsigned left = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        const unsigned wanted = i % 3 == 1 ? i + WORDS : i;
        assert_int_equal(keyed_map_get(&map, word_of(i, word)), i % 3 == 0 ? KEYED_NONE : wanted);
        left += i % 3 != 0 ? 1 : 0;
    }
    assert_int_equal(map.count, left);
    keyed_map_finish(&map);
    assert_int_equal(keyed_map_get(&map, "word 1"), KEYED_NONE);
}

static void a_heap_gives_times_in_their_order(void **state)
{
    (void)state;
    enum { IDS = 2000 };
    struct due_heap heap = {0};
    assert_null(due_heap_first(&heap));
    for (uint32_t i = 0; i < IDS; i++) {
        due_heap_set(&heap, i, (int64_t)(i * 7919u % 1000u));
    }
    for (uint32_t i = 0; i < IDS; i += 2) {
        due_heap_set(&heap, i, (int64_t)(i * 104729u % 500u));
    }
    for (uint32_t i = 0; i < IDS; i += 5) {
        due_heap_remove(&heap, i);
        due_heap_remove(&heap, i);
    }
    due_heap_remove(&heap, IDS * 10);
    int64_t before = -1;
    unsigned count = 0;
    for (const struct due_entry *first = due_heap_first(&heap); first != NULL;
         first = due_heap_first(&heap)) {
        const uint32_t id = first->id;
        assert_true(first->ms >= before);
        assert_int_equal(first->ms, id % 2 == 0 ? id * 104729u % 500u : id * 7919u % 1000u);
        assert_true(id % 5 != 0);
        before = first->ms;
        due_heap_remove(&heap, id);
        count++;
    }
    assert_int_equal(count, IDS - IDS / 5);
    due_heap_finish(&heap);
}

static void of_equal_times_the_first_set_comes_first(void **state)
{
    (void)state;
    struct due_heap heap = {0};
    for (uint32_t i = 0; i < 100; i++) {
        due_heap_set(&heap, 99 - i, 5);
    }
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(due_heap_first(&heap)->id, 99 - i);
        due_heap_set(&heap, 99 - i, 6); // goes behind all others
    }
    due_heap_finish(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_is_cut_off_and_told_once),
        cmocka_unit_test(who_waits_is_heard_again),
        cmocka_unit_test(a_steady_bucket_gives_one_token_at_a_time),
        cmocka_unit_test(who_keeps_to_the_pace_is_never_refused),
        cmocka_unit_test(a_map_keeps_what_was_put_through_many_removals),
        cmocka_unit_test(a_heap_gives_times_in_their_order),
        cmocka_unit_test(of_equal_times_the_first_set_comes_first),
    };
    return cmocka_run_group_tests_name("hall_parts", tests, NULL, NULL);
}
