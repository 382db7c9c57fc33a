#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"

#include "adapters/fake/fake.h"

#include "tests/support/test.h"

static int set_up(void **state)
{
    struct chat_queue *const queue = malloc(sizeof *queue);
    chat_queue_init(queue);
    *state = queue;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static void the_queue_is_bounded_and_keeps_its_order(void **state)
{
    struct chat_queue *const queue = *state;
    struct chat_in in = {.place = "here"};
    for (unsigned i = 0; i < CHAT_QUEUE_MAX; i++) {
        in.line[0] = (char)('a' + i % 26);
        in.person[0] = (char)('A' + i % 16);
        assert_true(chat_queue_push(queue, &in));
    }
    in.person[0] = 'Z';
    assert_false(chat_queue_push(queue, &in));
    for (unsigned i = 0; i < CHAT_QUEUE_MAX; i++) {
        struct chat_in out;
        assert_true(chat_queue_pop(queue, &out));
        assert_int_equal(out.line[0], 'a' + i % 26);
    }
    struct chat_in out;
    assert_false(chat_queue_pop(queue, &out));
}

static void one_person_leaves_room_in_the_queue_for_others(void **state)
{
    struct chat_queue *const queue = *state;
    struct chat_in in = {.place = "here", .person = "Mallory"};
    unsigned taken = 0;
    for (unsigned i = 0; i < 1000; i++) {
        taken += chat_queue_push(queue, &in) ? 1 : 0;
    }
    assert_int_equal(taken, CHAT_QUEUE_SHARE);
    in.person[0] = 'B';
    assert_true(chat_queue_push(queue, &in));
    struct chat_in out;
    assert_true(chat_queue_pop(queue, &out));
    in.person[0] = 'M';
    assert_true(chat_queue_push(queue, &in));
}

static void the_queue_goes_round(void **state)
{
    struct chat_queue *const queue = *state;
    for (unsigned i = 0; i < 3 * CHAT_QUEUE_MAX; i++) {
        struct chat_in in = {.place = "here"};
        struct chat_in out;
        in.line[0] = (char)('a' + i % 26);
        assert_true(chat_queue_push(queue, &in));
        assert_true(chat_queue_pop(queue, &out));
        assert_string_equal(in.line, out.line);
    }
}

static void the_fake_remembers_what_it_said(void **state)
{
    struct chat *const chat = fake_create(*state);
    struct mb_error err = {0};
    const struct chat_out aloud = {.place = "here", .kind = CHAT_NARRATION, .text = "Hello, all."};
    const struct chat_out whispered = {
        .place = "here", .person = "Ann", .kind = CHAT_WHISPER, .text = "Hello, Ann."};
    assert_true(chat_start(chat, &err));
    assert_true(chat_send(chat, &aloud, &err));
    assert_true(chat_send(chat, &whispered, &err));
    assert_int_equal(fake_count(chat), 2);
    assert_non_null(fake_find(chat, NULL, "all"));
    assert_null(fake_find(chat, NULL, "Ann"));
    assert_non_null(fake_find(chat, "Ann", "Hello"));
    fake_forget(chat);
    assert_int_equal(fake_count(chat), 0);
    chat_stop(chat);
    chat_stop(chat);
    chat_destroy(chat);
    chat_destroy(NULL);
}

static void what_is_private_never_goes_to_a_place(void **state)
{
    const struct chat_out whispered = {.place = "here", .kind = CHAT_WHISPER, .text = "A secret."};
    const struct chat_out to_ann = {
        .place = "here", .person = "Ann", .kind = CHAT_HAND, .text = "A secret."};
    const struct chat_out crossed = {
        .place = "here", .person = "Ann", .kind = CHAT_NARRATION, .text = "A secret?"};
    struct mb_error err = {0};
    struct chat *chat = fake_create(*state);
    assert_true(chat_start(chat, &err));
    assert_false(chat_send(chat, &whispered, NULL));
    assert_false(chat_send(chat, &crossed, NULL));
    assert_int_equal(fake_count(chat), 0);
    assert_true(chat_send(chat, &to_ann, &err));
    chat_destroy(chat);
    chat = fake_create_with(*state, CHAT_CAP_EDIT);
    assert_true(chat_start(chat, &err));
    assert_false(chat_send(chat, &to_ann, &err));
    assert_int_equal(err.code, MB_ERR_INPUT);
    assert_int_equal(fake_count(chat), 0);
    chat_destroy(chat);
}

static void the_fake_fails_when_told_to(void **state)
{
    struct chat *const chat = fake_create(*state);
    struct mb_error err = {0};
    const struct chat_out out = {.place = "here", .kind = CHAT_NARRATION, .text = "Hello."};
    assert_false(chat_send(chat, &out, &err)); // not started
    err = (struct mb_error){0};
    assert_true(chat_start(chat, &err));
    fake_fail_at(chat, 2);
    assert_true(chat_send(chat, &out, &err));
    assert_false(chat_send(chat, &out, &err));
    assert_int_equal(err.code, MB_ERR_RETRY);
    err = (struct mb_error){0};
    assert_true(chat_send(chat, &out, &err));
    assert_int_equal(fake_count(chat), 2);
    chat_destroy(chat);
}

static void the_fake_hears_into_the_queue(void **state)
{
    struct chat_queue *const queue = *state;
    struct chat *const chat = fake_create(queue);
    struct mb_error err = {0};
    struct chat_in first;
    struct chat_in second;
    char endless[CHAT_LINE_SIZE + 1];
    assert_false(fake_hear(chat, "here", "Ann", "kick"));
    assert_true(chat_start(chat, &err));
    assert_true(fake_hear(chat, "here", "Ann", "kick"));
    assert_true(fake_hear(chat, "here", "Ann", "kick"));
    assert_true(chat_queue_pop(queue, &first));
    assert_true(chat_queue_pop(queue, &second));
    assert_string_equal(first.person, "Ann");
    assert_string_equal(first.line, "kick");
    assert_string_not_equal(first.event, second.event);
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_false(fake_hear(chat, "here", "Ann", endless));
    chat_stop(chat);
    assert_false(fake_hear(chat, "here", "Ann", "kick"));
    chat_destroy(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_queue_is_bounded_and_keeps_its_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_person_leaves_room_in_the_queue_for_others, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_queue_goes_round, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_fake_remembers_what_it_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_private_never_goes_to_a_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_fake_fails_when_told_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_fake_hears_into_the_queue, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("chat", tests, NULL, NULL);
}
