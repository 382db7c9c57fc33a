// The way from a chat and back: its queue, its fake.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_queue.h"
#include "bot/tools/fake.h"

#include "tests/support/test.h"

enum { NAMES = 26, OUTCOMES_MAX = 16 };

struct fixture {
    struct chat_queue queue;
    struct chat *chat;
    size_t count;
    struct chat_outcome outcomes[OUTCOMES_MAX];
    char ids[OUTCOMES_MAX][CHAT_TABLE_SIZE];
};

static void note(void *user, struct chat *chat, const struct chat_outcome *outcome)
{
    struct fixture *const f = user;
    assert_ptr_equal(chat, f->chat);
    assert_true(f->count < OUTCOMES_MAX);
    (void)snprintf(f->ids[f->count], CHAT_TABLE_SIZE, "%s", outcome->id != NULL ? outcome->id : "");
    f->outcomes[f->count++] = *outcome;
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    chat_queue_init(&f->queue);
    f->chat = fake_create_with(&f->queue, FAKE_CAPS_ALL);
    chat_listen(f->chat, note, f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    chat_destroy(f->chat);
    chat_queue_finish(&f->queue);
    free(f);
    return 0;
}

static void start(struct fixture *f)
{
    struct mb_error err = {0};
    assert_true(chat_start(f->chat, &err));
}

static const char *letter(unsigned i)
{
    static const char LETTERS[NAMES][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                           "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                           "s", "t", "u", "v", "w", "x", "y", "z"};
    return LETTERS[i % NAMES];
}

static void the_queue_is_bounded_and_keeps_its_order(void **state)
{
    struct fixture *const f = *state;
    struct chat_in in = {.place = "here"};
    for (unsigned i = 0; i < CHAT_QUEUE_MAX; i++) {
        in.line = letter(i);
        in.person = letter(i % 16);
        assert_int_equal(chat_queue_push(&f->queue, &in), CHAT_PUSHED);
    }
    in.person = "z";
    assert_int_equal(chat_queue_push(&f->queue, &in), CHAT_FULL);
    for (unsigned i = 0; i < CHAT_QUEUE_MAX; i++) {
        struct chat_in *const out = chat_queue_take(&f->queue);
        assert_non_null(out);
        assert_string_equal(out->line, letter(i));
        (void)chat_queue_settle(&f->queue, out);
    }
    assert_null(chat_queue_take(&f->queue));
}

static void one_person_leaves_room_in_the_queue_for_others(void **state)
{
    struct fixture *const f = *state;
    const struct chat_in flood = {.place = "here", .person = "Mallory"};
    const struct chat_in other = {.place = "here", .person = "Ballory"};
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(chat_queue_push(&f->queue, &flood),
                         i < CHAT_QUEUE_SHARE ? CHAT_PUSHED : CHAT_FLOODS);
    }
    assert_int_equal(chat_queue_push(&f->queue, &other), CHAT_PUSHED);
    // What was taken is not in anybody's way, settled or not.
    assert_non_null(chat_queue_take(&f->queue));
    assert_int_equal(chat_queue_push(&f->queue, &flood), CHAT_PUSHED);
    assert_int_equal(chat_queue_push(&f->queue, &flood), CHAT_FLOODS);
}

static void a_line_is_a_copy_without_holes(void **state)
{
    struct fixture *const f = *state;
    char line[] = "kick";
    const struct chat_in in = {.place = "here",
                               .person = "Ann",
                               .line = line,
                               .age_ms = 70,
                               .open = true,
                               .bond = {.table = "t1", .version = 3, .on = CHAT_ON_CARD}};
    assert_int_equal(chat_queue_push(&f->queue, &in), CHAT_PUSHED);
    line[0] = 'x';
    const struct chat_in *const out = chat_queue_take(&f->queue);
    assert_string_equal(out->line, "kick");
    assert_string_equal(out->event, "");
    assert_string_equal(out->name, "");
    assert_string_equal(out->community, "");
    assert_string_equal(out->bond.table, "t1");
    assert_int_equal(out->bond.version, 3);
    assert_int_equal(out->age_ms, 70);
    assert_true(out->open && !out->direct && !out->moderator);
}

static void too_long_an_id_is_refused_and_none_is_cut(void **state)
{
    struct fixture *const f = *state;
    char id[CHAT_ID_SIZE + 1];
    memset(id, 'i', sizeof id);
    id[CHAT_ID_SIZE] = '\0';
    const struct chat_in long_ones[] = {
        {.place = id}, {.person = id}, {.event = id}, {.community = id}};
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        assert_int_equal(chat_queue_push(&f->queue, &long_ones[i]), CHAT_TOO_LONG);
    }
    id[CHAT_ID_SIZE - 1] = '\0';
    const struct chat_in fits = {.place = id, .person = id, .event = id, .community = id};
    assert_int_equal(chat_queue_push(&f->queue, &fits), CHAT_PUSHED);
    const struct chat_in *const out = chat_queue_take(&f->queue);
    assert_string_equal(out->place, id);
    assert_string_equal(out->person, id);
    assert_string_equal(out->event, id);
    assert_string_equal(out->community, id);
    char line[CHAT_LINE_SIZE + 1];
    memset(line, 'l', sizeof line);
    line[CHAT_LINE_SIZE] = '\0';
    const struct chat_in endless = {.place = "here", .person = "Ann", .line = line};
    assert_int_equal(chat_queue_push(&f->queue, &endless), CHAT_TOO_LONG);
}

static void too_long_a_name_is_cut_between_characters(void **state)
{
    struct fixture *const f = *state;
    char name[CHAT_NAME_SIZE + 8];
    for (size_t i = 0; i + 2 < sizeof name; i += 2) {
        memcpy(name + i, "\xC3\xA9", 3);
    }
    const struct chat_in in = {.place = "here", .person = "Ann", .name = name};
    assert_int_equal(chat_queue_push(&f->queue, &in), CHAT_PUSHED);
    const struct chat_in *const out = chat_queue_take(&f->queue);
    assert_int_equal(strlen(out->name), (CHAT_NAME_SIZE - 1) / 2 * 2);
    assert_memory_equal(out->name, name, strlen(out->name));
}

static void input_is_settled_up_to_the_first_that_is_not(void **state)
{
    struct fixture *const f = *state;
    struct chat_in *taken[4];
    start(f);
    assert_int_equal(chat_queue_settled(&f->queue), 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(fake_hear(f->chat, "here", "Ann", letter(i)));
    }
    assert_int_equal(f->queue.pushed, 4);
    assert_int_equal(chat_queue_settled(&f->queue), 0);
    for (unsigned i = 0; i < 4; i++) {
        taken[i] = chat_queue_take(&f->queue);
    }
    chat_settle(f->chat, taken[1]);
    assert_int_equal(fake_settled(f->chat), 0);
    chat_settle(f->chat, taken[0]);
    assert_int_equal(fake_settled(f->chat), 2);
    chat_settle(f->chat, taken[3]);
    assert_int_equal(fake_settled(f->chat), 2);
    chat_settle(f->chat, taken[2]);
    assert_int_equal(fake_settled(f->chat), 4);
}

static bool say(struct fixture *f, uint64_t number, const char *person, const char *replaces)
{
    struct mb_error err = {0};
    const struct chat_out out = {.kind = person == NULL ? CHAT_CARD : CHAT_WHISPER,
                                 .key = {.epoch = 1, .number = number},
                                 .place = "here",
                                 .person = person,
                                 .replaces = replaces,
                                 .text = letter((unsigned)number)};
    return chat_send(f->chat, &out, &err);
}

static void the_fake_remembers_what_it_said(void **state)
{
    struct fixture *const f = *state;
    start(f);
    assert_true(say(f, 0, NULL, NULL) && say(f, 1, "Ann", NULL));
    assert_int_equal(fake_count(f->chat), 2);
    assert_non_null(fake_find(f->chat, NULL, "a"));
    assert_null(fake_find(f->chat, NULL, "b"));
    assert_non_null(fake_find(f->chat, "Ann", "b"));
    fake_forget(f->chat);
    assert_int_equal(fake_count(f->chat), 0);
    chat_stop(f->chat);
    chat_destroy(NULL);
}

static void an_edit_takes_the_place_of_its_message(void **state)
{
    struct fixture *const f = *state;
    start(f);
    assert_true(say(f, 1, NULL, NULL) && say(f, 2, NULL, f->ids[0]));
    assert_string_equal(f->ids[0], f->ids[1]);
    assert_true(fake_message(f->chat, 0)->replaced);
    assert_false(fake_message(f->chat, 1)->replaced);
    fake_remove(f->chat, f->ids[0]);
    assert_true(say(f, 3, NULL, f->ids[0]));
    assert_int_equal(f->count, 3);
    assert_int_equal(f->outcomes[2].fate, CHAT_MESSAGE_GONE);
    assert_int_equal(fake_count(f->chat), 2);
}

static void readers_are_served_in_any_order_each_in_theirs(void **state)
{
    struct fixture *const f = *state;
    start(f);
    fake_hold(f->chat, true);
    assert_true(say(f, 1, NULL, NULL) && say(f, 2, "Ann", NULL) && say(f, 3, NULL, NULL) &&
                say(f, 4, "Bob", NULL));
    assert_int_equal(f->count, 0);
    assert_int_equal(fake_waiting(f->chat), 4);
    assert_true(fake_deliver(f->chat, "Bob") && fake_deliver(f->chat, ""));
    assert_true(fake_refuse(f->chat, "Ann", CHAT_UNREACHABLE));
    assert_false(fake_deliver(f->chat, "Ann"));
    assert_true(fake_deliver(f->chat, NULL));
    assert_false(fake_deliver(f->chat, NULL));
    const uint64_t order[] = {4, 1, 2, 3};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(f->outcomes[i].key.number, order[i]);
        assert_int_equal(f->outcomes[i].fate, i == 2 ? CHAT_UNREACHABLE : CHAT_DELIVERED);
    }
    assert_int_equal(fake_count(f->chat), 3);
}

static void a_lost_connection_takes_and_delivers_nothing(void **state)
{
    struct fixture *const f = *state;
    start(f);
    fake_hold(f->chat, true);
    assert_true(say(f, 1, NULL, NULL));
    fake_lose(f->chat, true);
    assert_false(say(f, 2, NULL, NULL));
    assert_false(fake_deliver(f->chat, NULL));
    assert_false(fake_hear(f->chat, "here", "Ann", "kick"));
    fake_lose(f->chat, false);
    assert_true(fake_deliver(f->chat, NULL));
    assert_int_equal(f->count, 1);
}

static void what_is_private_never_goes_to_a_place(void **state)
{
    struct fixture *const f = *state;
    const struct chat_out whispered = {.place = "here", .kind = CHAT_WHISPER, .text = "A secret."};
    const struct chat_out to_ann = {
        .place = "here", .person = "Ann", .kind = CHAT_HAND, .text = "A secret."};
    const struct chat_out crossed = {
        .place = "here", .person = "Ann", .kind = CHAT_NARRATION, .text = "A secret?"};
    struct mb_error err = {0};
    start(f);
    assert_false(chat_send(f->chat, &whispered, NULL));
    assert_false(chat_send(f->chat, &crossed, NULL));
    assert_int_equal(fake_count(f->chat), 0);
    assert_true(chat_send(f->chat, &to_ann, &err));
    struct chat *const open = fake_create_with(&f->queue, CHAT_CAP_EDIT);
    assert_true(chat_start(open, &err));
    assert_false(chat_send(open, &to_ann, &err));
    assert_int_equal(err.code, MB_ERR_INPUT);
    assert_int_equal(fake_count(open), 0);
    chat_destroy(open);
}

static void the_fake_fails_when_told_to(void **state)
{
    struct fixture *const f = *state;
    assert_false(say(f, 1, NULL, NULL)); // not started
    start(f);
    fake_fail_at(f->chat, 2);
    assert_true(say(f, 2, NULL, NULL));
    assert_false(say(f, 3, NULL, NULL));
    assert_true(say(f, 4, NULL, NULL));
    assert_int_equal(fake_count(f->chat), 2);
    assert_int_equal(f->count, 2); // what was not taken has no outcome
}

static void the_fake_hears_into_the_queue(void **state)
{
    struct fixture *const f = *state;
    char endless[CHAT_LINE_SIZE + 1];
    assert_false(fake_hear(f->chat, "here", "Ann", "kick"));
    start(f);
    assert_true(fake_hear(f->chat, "here", "Ann", "kick"));
    assert_true(fake_hear(f->chat, "here", "Ann", "kick"));
    const struct chat_in *const first = chat_queue_take(&f->queue);
    const struct chat_in *const second = chat_queue_take(&f->queue);
    assert_string_equal(first->person, "Ann");
    assert_string_equal(first->line, "kick");
    assert_string_not_equal(first->event, second->event);
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_false(fake_hear(f->chat, "here", "Ann", endless));
    chat_stop(f->chat);
    assert_false(fake_hear(f->chat, "here", "Ann", "kick"));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_queue_is_bounded_and_keeps_its_order),
        CASE(one_person_leaves_room_in_the_queue_for_others),
        CASE(a_line_is_a_copy_without_holes),
        CASE(too_long_an_id_is_refused_and_none_is_cut),
        CASE(too_long_a_name_is_cut_between_characters),
        CASE(input_is_settled_up_to_the_first_that_is_not),
        CASE(the_fake_remembers_what_it_said),
        CASE(an_edit_takes_the_place_of_its_message),
        CASE(readers_are_served_in_any_order_each_in_theirs),
        CASE(a_lost_connection_takes_and_delivers_nothing),
        CASE(what_is_private_never_goes_to_a_place),
        CASE(the_fake_fails_when_told_to),
        CASE(the_fake_hears_into_the_queue),
    };
    return cmocka_run_group_tests_name("chat", tests, NULL, NULL);
}
