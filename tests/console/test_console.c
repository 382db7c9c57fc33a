/* The terminal as a chat, with pipes for keyboard and screen. */
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "adapters/console/console.h"

#include "tests/support/says.h"
#include "tests/support/test.h"

enum { SCREEN_SIZE = 16384 };

static const char *const PEOPLE[] = {"Ann", "Bob"};

struct desk {
    int keys[2], screen[2];
    struct chat_queue queue;
    struct chat *chat;
    char seen[SCREEN_SIZE];
};

static struct desk *sit(unsigned people)
{
    struct desk *const desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    assert_int_equal(pipe(desk->keys), 0);
    assert_int_equal(pipe(desk->screen), 0);
    assert_int_equal(fcntl(desk->screen[0], F_SETFL, O_NONBLOCK), 0);
    chat_queue_init(&desk->queue);
    const struct console_setup setup = {.in = desk->keys[0],
                                        .out = desk->screen[1],
                                        .place = "here",
                                        .people = PEOPLE,
                                        .people_count = people,
                                        .queue = &desk->queue};
    desk->chat = console_create(&setup);
    assert_non_null(desk->chat);
    struct mb_error err = {0};
    assert_true(chat_start(desk->chat, &err));
    assert_int_equal(console_seat(desk->chat, 0), CONSOLE_LINE);
    return desk;
}

static void rise(struct desk *desk)
{
    chat_destroy(desk->chat);
    chat_queue_finish(&desk->queue);
    (void)close(desk->keys[0]);
    (void)close(desk->keys[1]);
    (void)close(desk->screen[0]);
    (void)close(desk->screen[1]);
    free(desk);
}

static void type(struct desk *desk, const char *keys)
{
    assert_int_equal(write(desk->keys[1], keys, strlen(keys)), (ssize_t)strlen(keys));
}

static const char *screen(struct desk *desk)
{
    const ssize_t count = read(desk->screen[0], desk->seen, sizeof desk->seen - 1);
    desk->seen[count < 0 ? 0 : count] = '\0';
    return desk->seen;
}

static void say(struct desk *desk, const char *person, const char *text)
{
    const struct chat_out out = {.place = "here",
                                 .person = person,
                                 .kind = person == NULL ? CHAT_NARRATION : CHAT_WHISPER,
                                 .text = text};
    struct mb_error err = {0};
    assert_true(chat_send(desk->chat, &out, &err));
}

static void a_line_is_its_typists(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    type(desk, "  kick \n");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_LINE);
    const struct chat_in *in = chat_queue_take(&desk->queue);
    assert_non_null(in);
    assert_string_equal(in->person, "Ann");
    assert_string_equal(in->place, "here");
    assert_string_equal(in->line, "kick");
    assert_string_equal(screen(desk), "Ann> kick\n");
    rise(desk);
}

static void a_line_may_be_somebody_elses(void **state)
{
    (void)state;
    struct desk *const desk = sit(2);
    type(desk, "bob: pass\nDirk: pass\n");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_LINE);
    const struct chat_in *in = chat_queue_take(&desk->queue);
    assert_non_null(in);
    assert_string_equal(in->person, "Bob");
    assert_string_equal(in->line, "pass");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_LINE);
    in = chat_queue_take(&desk->queue);
    assert_non_null(in);
    assert_string_equal(in->person, "Ann");
    rise(desk);
}

static void secrets_wait_for_their_owner(void **state)
{
    (void)state;
    struct desk *const desk = sit(2);
    (void)screen(desk);
    say(desk, NULL, "for all\n");
    say(desk, "Ann", "for Ann\n");
    say(desk, "Bob", "for Bob\n");
    say(desk, "Cy the bot", "for nobody\n");
    assert_string_equal(screen(desk), "for all\nfor Ann\n");
    assert_int_equal(console_seat(desk->chat, 1), CONSOLE_LINE);
    assert_string_equal(screen(desk), "The keyboard goes to Bob.\nfor Bob\n");
    assert_int_equal(console_seat(desk->chat, 0), CONSOLE_LINE);
    assert_string_equal(screen(desk), "The keyboard goes to Ann.\n");
    rise(desk);
}

static void a_prompt_shows_what_is_new(void **state)
{
    (void)state;
    struct desk *const desk = sit(2);
    struct mb_error err = {0};
    struct chat_out hand = {.kind = CHAT_HAND,
                            .place = "here",
                            .person = "Ann",
                            .idle = true,
                            .text = "a hand\n\nverbs\n\na question\n"};
    const struct chat_out card = {.kind = CHAT_CARD,
                                  .place = "here",
                                  .text = "",
                                  .asked = PEOPLE + 1,
                                  .asked_count = 1,
                                  .clock_ms = -1};
    assert_int_equal(console_asked(desk->chat), 2);
    assert_true(chat_send(desk->chat, &card, &err));
    assert_int_equal(console_asked(desk->chat), 1);
    (void)screen(desk);
    assert_true(chat_send(desk->chat, &hand, &err));
    assert_string_equal(screen(desk), "");
    console_prompt(desk->chat); // the hand was dealt a moment ago
    assert_string_equal(screen(desk), "verbs\na question\n");
    assert_true(console_idle(desk->chat, 0));
    hand.text = "another hand\n\nverbs\n\n";
    assert_true(chat_send(desk->chat, &hand, &err));
    console_prompt(desk->chat);
    assert_string_equal(screen(desk), "another hand\n");
    console_prompt(desk->chat);
    assert_string_equal(screen(desk), "");
    rise(desk);
}

static void lines_that_are_none_are_answered(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    type(desk, "ki\033ck\nkick\n");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_LINE);
    const struct chat_in *in = chat_queue_take(&desk->queue);
    assert_non_null(in);
    assert_string_equal(in->line, "kick");
    assert_null(chat_queue_take(&desk->queue));
    assert_says(screen(desk), TEXT_CONSOLE_NOT_TEXT, NULL);
    rise(desk);
}

static void quitting_is_heard(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    type(desk, "QUIT\n");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_QUIT);
    rise(desk);
}

static void the_end_of_input_is_heard(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    (void)close(desk->keys[1]);
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_END);
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_END);
    rise(desk);
}

static void time_is_up_when_it_is(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    assert_int_equal(console_listen(desk->chat, 5, true), CONSOLE_TIME);
    rise(desk);
}

static void a_signal_ends_the_waiting(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    assert_int_equal(console_state(desk->chat), CONSOLE_LINE);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(console_state(desk->chat), CONSOLE_STOPPED);
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_STOPPED);
    rise(desk);
}

static void a_late_signal_does_not_kill(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    assert_int_equal(raise(SIGTERM), 0);
    rise(desk);
}

static void a_reader_that_goes_is_noticed(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    (void)close(desk->screen[0]);
    say(desk, NULL, "hello?\n");
    assert_int_equal(console_state(desk->chat), CONSOLE_BROKEN);
    rise(desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_its_typists),
        cmocka_unit_test(a_line_may_be_somebody_elses),
        cmocka_unit_test(secrets_wait_for_their_owner),
        cmocka_unit_test(a_prompt_shows_what_is_new),
        cmocka_unit_test(lines_that_are_none_are_answered),
        cmocka_unit_test(quitting_is_heard),
        cmocka_unit_test(the_end_of_input_is_heard),
        cmocka_unit_test(time_is_up_when_it_is),
        cmocka_unit_test(a_signal_ends_the_waiting),
        cmocka_unit_test(a_late_signal_does_not_kill),
        cmocka_unit_test(a_reader_that_goes_is_noticed),
    };
    return cmocka_run_group_tests_name("console", tests, NULL, NULL);
}
