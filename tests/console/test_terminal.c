/* The console at a terminal: lines that stay while time goes on, Tab, hand-over, countdown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/parse/complete.h"

#include "adapters/console/console.h"
#include "adapters/console/screen.h"

#include "tests/support/pty.h"
#include "tests/support/test.h"

// The leak checker's own hook: ncurses keeps what it found out about a terminal for four users at
// most, and forgets the oldest without freeing it.
const char *__lsan_default_suppressions(void); // NOLINT(readability-identifier-naming)

const char *__lsan_default_suppressions(void) // NOLINT(readability-identifier-naming)
{
    return "leak:libtinfo.so\n";
}

static const char *const PEOPLE[] = {"Ann", "Bob"};

struct desk {
    struct pty pty;
    struct chat_queue queue;
    struct chat *chat;
    unsigned completed; /* how often candidates were asked for */
};

static void complete(void *user, struct chat *chat, const struct chat_in *in, size_t cursor,
                     struct complete_list *out)
{
    struct desk *const desk = user;
    (void)chat;
    desk->completed++;
    out->from = 0;
    if (cursor == 0) {
        complete_add(out, strcmp(in->person, "Ann") == 0 ? "Ann's" : "Bob's", false);
        complete_add(out, "other", false);
    } else {
        complete_add(out, "kick", true);
    }
}

static struct desk *sit(unsigned people)
{
    struct desk *const desk = calloc(1, sizeof *desk);
    struct mb_error err = {0};
    assert_non_null(desk);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(setenv("HOME", "/nonexistent", 1), 0);
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    pty_open(&desk->pty, 80);
    chat_queue_init(&desk->queue);
    const struct console_setup setup = {.in = desk->pty.program,
                                        .out = desk->pty.program,
                                        .place = "here",
                                        .people = PEOPLE,
                                        .people_count = people,
                                        .queue = &desk->queue};
    desk->chat = console_create(&setup);
    assert_non_null(desk->chat);
    chat_listen(desk->chat, NULL, desk);
    chat_completes(desk->chat, complete);
    assert_true(chat_start(desk->chat, &err));
    if (people == 1) {
        assert_int_equal(console_seat(desk->chat, 0), CONSOLE_LINE);
    }
    return desk;
}

static void rise(struct desk *desk)
{
    chat_destroy(desk->chat);
    chat_queue_finish(&desk->queue);
    assert_true(pty_is_cooked(&desk->pty));
    pty_close(&desk->pty);
    free(desk);
}

static void say(struct desk *desk, const char *person, const char *text)
{
    const struct chat_out out = {.place = "here",
                                 .person = person,
                                 .kind = person == NULL ? CHAT_NARRATION : CHAT_REPLY,
                                 .text = text};
    struct mb_error err = {0};
    assert_true(chat_send(desk->chat, &out, &err));
}

// The first person is asked.
static void card(struct desk *desk, int64_t clock_ms)
{
    const struct chat_out out = {.place = "here",
                                 .kind = CHAT_CARD,
                                 .text = "",
                                 .asked = PEOPLE,
                                 .asked_count = 1,
                                 .clock_ms = clock_ms};
    struct mb_error err = {0};
    assert_true(chat_send(desk->chat, &out, &err));
}

// Empty lines may come before it: Enter that was pressed once too often.
static void heard(struct desk *desk, const char *keys, const char *person, const char *line)
{
    pty_type(&desk->pty, keys);
    do {
        assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_LINE);
    } while (desk->queue.count == 0);
    struct chat_in *const in = chat_queue_take(&desk->queue);
    assert_non_null(in);
    assert_string_equal(in->person, person);
    assert_string_equal(in->line, line);
    chat_settle(desk->chat, in);
}

// Gives the keyboard to a person. What is typed before is thrown away, so Enter comes again and
// again until it has been heard.
static void give(struct desk *desk, unsigned person)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct timespec pause = {.tv_nsec = 50000000};
        for (;;) {
            (void)nanosleep(&pause, NULL);
            (void)write(desk->pty.person, "\r", 1);
        }
    }
    assert_int_equal(console_seat(desk->chat, person), CONSOLE_LINE);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_line_is_edited(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    heard(desk,
          "kivk\x7F\x7F"
          "ck\r",
          "Ann", "kick");
    assert_true(pty_has(&desk->pty, "Ann> "));
    heard(desk, "\x1B[A\r", "Ann", "kick"); // the arrow brings it back
    heard(desk, "Zo\xC3\xAB\x7F\xC3\xA9 \xF0\x9F\x90\x89\r", "Ann", "Zo\xC3\xA9 \xF0\x9F\x90\x89");
    heard(desk,
          "a\xFF"
          "b\x01_\r",
          "Ann", "_ab"); // what is no text is dropped
    pty_type(&desk->pty, "a\x1B");
    assert_int_equal(console_listen(desk->chat, 300, true), CONSOLE_TIME);
    heard(desk, "b\r", "Ann", "ab"); // so is half a key
    rise(desk);
}

static void what_is_typed_stays_while_time_goes_on(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    pty_type(&desk->pty, "pla");
    assert_int_equal(console_listen(desk->chat, 200, true), CONSOLE_TIME);
    say(desk, NULL, "Ada kicks the door open.\n");
    assert_int_equal(console_listen(desk->chat, 20, true), CONSOLE_TIME);
    pty_expect(&desk->pty, "Ada kicks the door open.\nAnn> pla");
    heard(desk, "y Elf\r", "Ann", "play Elf");
    // Longer than the line is wide: all its rows go and come back.
    char longer[201];
    memset(longer, 'x', 200);
    longer[200] = '\0';
    pty_type(&desk->pty, longer);
    assert_int_equal(console_listen(desk->chat, 300, true), CONSOLE_TIME);
    pty_forget(&desk->pty);
    say(desk, NULL, "Bob passes.\n");
    pty_read(&desk->pty);
    assert_non_null(strstr(desk->pty.seen, "\r\033[2A\033[J"));
    heard(desk, "\r", "Ann", longer);
    rise(desk);
}

static void a_line_that_is_too_long_is_dropped(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    char longer[CHAT_LINE_SIZE + 40];
    memset(longer, 'x', sizeof longer - 2);
    longer[sizeof longer - 2] = '\r';
    longer[sizeof longer - 1] = '\0';
    pty_type(&desk->pty, longer);
    heard(desk, "kick\r", "Ann", "kick");
    assert_true(pty_has(&desk->pty, "too long"));
    rise(desk);
}

static void tab_completes_and_lists(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    heard(desk, "k\t\r", "Ann", "kick");
    pty_forget(&desk->pty);
    heard(desk, "\t\tx\r", "Ann", "x");
    assert_true(pty_has(&desk->pty, "Ann's  other  quit\n"));
    // Another person's line is not completed: it would tell what that one may do.
    const unsigned before = desk->completed;
    heard(desk, "Bob: k\t\r", "Ann", "kick"); // nobody of that name sits at this keyboard
    assert_int_equal(desk->completed, before + 1);
    rise(desk);
}

static void the_keyboard_changes_hands_without_a_trace(void **state)
{
    (void)state;
    struct desk *const desk = sit(2);
    give(desk, 0);
    say(desk, NULL, "to all\n");
    say(desk, "Ann", "to Ann\n");
    say(desk, "Bob", "to Bob\n");
    heard(desk, "play Secret\r", "Ann", "play Secret");
    heard(desk,
          "cut away\x15"
          "done\r",
          "Ann", "done");
    pty_type(&desk->pty, "typed ahead\r");
    pty_forget(&desk->pty);
    give(desk, 1);
    pty_read(&desk->pty);
    const char *const wipe = strstr(desk->pty.seen, "\033[2J\033[3J");
    assert_non_null(wipe);
    assert_null(strstr(wipe, "to Ann"));
    assert_null(strstr(wipe, "Secret"));
    assert_non_null(strstr(wipe, "to all"));
    assert_non_null(strstr(wipe, "to Bob"));
    pty_forget(&desk->pty);
    // Up, up, yank, search backwards for it, undo: nothing of Ann's.
    heard(desk,
          "\x1B[A\x1B[A\x19"
          "k\t\r",
          "Bob", "kick");
    const unsigned before = desk->completed;
    heard(desk, "Ann: k\t\r", "Ann", "k");
    assert_int_equal(desk->completed, before);
    assert_false(pty_has(&desk->pty, "Secret"));
    assert_false(pty_has(&desk->pty, "cut away"));
    pty_forget(&desk->pty);
    give(desk, 0);
    pty_expect(&desk->pty, "to Ann\n");
    assert_true(pty_has(&desk->pty, "Ann> play Secret\n")); // her own scroll-back
    assert_false(pty_has(&desk->pty, "to Bob"));
    heard(desk, "\x1B[A\x1B[A\r", "Ann", "play Secret");
    rise(desk);
}

static void an_answer_for_somebody_else_is_announced(void **state)
{
    (void)state;
    struct desk *const desk = sit(2);
    give(desk, 0);
    heard(desk, "Bob: help\r", "Bob", "help");
    pty_forget(&desk->pty);
    say(desk, "Bob", "You can: kick.\n");
    pty_expect(&desk->pty, "\"Bob:\" hands over the keyboard");
    assert_false(pty_has(&desk->pty, "You can"));
    pty_type(&desk->pty, "Bob:\r");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_GUEST);
    assert_int_equal(console_guest(desk->chat), 1);
    give(desk, 1);
    pty_expect(&desk->pty, "You can: kick.");
    rise(desk);
}

static void a_window_counts_down(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    card(desk, 1900);
    console_is_read(desk->chat); // which begins it
    assert_int_equal(console_listen(desk->chat, 1200, true), CONSOLE_TIME);
    assert_true(pty_has(&desk->pty, "[2 s] Ann> "));
    assert_true(pty_has(&desk->pty, "[1 s] Ann> "));
    card(desk, -1);
    pty_forget(&desk->pty);
    assert_int_equal(console_listen(desk->chat, 10, true), CONSOLE_TIME);
    assert_true(pty_has(&desk->pty, "Ann> "));
    assert_false(pty_has(&desk->pty, " s]"));
    rise(desk);
}

static void ctrl_c_asks_once(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    pty_type(&desk->pty, "half a li");
    assert_int_equal(console_listen(desk->chat, 100, true), CONSOLE_TIME);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(console_listen(desk->chat, 10, true), CONSOLE_TIME);
    heard(desk, "kick\r", "Ann", "kick"); // what was typed is gone, and the game is not
    assert_true(pty_has(&desk->pty, "Leave the game?"));
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(console_listen(desk->chat, 10, true), CONSOLE_TIME);
    pty_type(&desk->pty, "yes\r");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_QUIT);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_STOPPED);
    assert_int_equal(console_signal(desk->chat), SIGINT);
    rise(desk);
}

static void ctrl_d_asks_too(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    assert_int_equal(console_listen(desk->chat, 10, true), CONSOLE_TIME);
    pty_type(&desk->pty, "\x04");
    assert_int_equal(console_listen(desk->chat, 100, true), CONSOLE_TIME);
    heard(desk, "no\rhand\r", "Ann", "hand");
    assert_true(pty_has(&desk->pty, "Leave the game?"));
    pty_type(&desk->pty, "\x04");
    assert_int_equal(console_listen(desk->chat, 100, true), CONSOLE_TIME);
    pty_type(&desk->pty, "\x04");
    assert_int_equal(console_listen(desk->chat, -1, true), CONSOLE_STOPPED);
    rise(desk);
}

static void another_width_is_taken(void **state)
{
    (void)state;
    struct desk *const desk = sit(1);
    static const char TEXT[] =
        "Ann equips Boots of Butt-Kicking, Mace of Sharpness and Flaming Armor.\n";
    pty_type(&desk->pty, "ki");
    assert_int_equal(console_listen(desk->chat, 100, true), CONSOLE_TIME);
    pty_resize(&desk->pty, 40);
    assert_int_equal(raise(SIGWINCH), 0);
    assert_int_equal(console_listen(desk->chat, 50, true), CONSOLE_TIME);
    pty_forget(&desk->pty);
    say(desk, NULL, TEXT);
    assert_true(pty_has(&desk->pty, "Ann equips Boots of Butt-Kicking, Mace\n  of Sharpness and"));
    heard(desk, "ck\r", "Ann", "kick");
    rise(desk);
}

static void colours_repeat_what_marks_say(void **state)
{
    (void)state;
    static const struct {
        bool on;
        const char *text, *wanted;
    } CASES[] = {
        {false,
         "\x10Hen\x17 bites \x13"
         "Ann\x17.",
         "Hen bites Ann."},
        {true, "\x10Hen\x17.", "\033[31mHen\033[0m."},
        {true,
         "\x13"
         "Ann\x17 \x13"
         "Bob\x17 \x13"
         "Anna\x17",
         "\033[1;36mAnn\033[0m Bob\033[0m Anna\033[0m"},
        {true, "\x14No \x10Hen\x17 here\x17.",
         "\033[1;35mNo \033[31mHen\033[0m\033[1;35m here\033[0m."},
        {true, "\x02open", "\033[1mopen\033[0m"},
        {true, "\x17\x17loose", "\033[0m\033[0mloose"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char out[128];
        struct text_out text;
        const struct style style = {.on = CASES[i].on, .self = "Ann"};
        text_begin(&text, out, sizeof out);
        style_put(&text, CASES[i].text, &style);
        assert_string_equal(out, CASES[i].wanted);
    }
    assert_true(style_wanted("xterm", NULL));
    assert_true(style_wanted("xterm", ""));
    assert_false(style_wanted("xterm", "1"));
    assert_false(style_wanted("dumb", NULL));
    assert_false(style_wanted(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_edited),
        cmocka_unit_test(what_is_typed_stays_while_time_goes_on),
        cmocka_unit_test(a_line_that_is_too_long_is_dropped),
        cmocka_unit_test(tab_completes_and_lists),
        cmocka_unit_test(the_keyboard_changes_hands_without_a_trace),
        cmocka_unit_test(an_answer_for_somebody_else_is_announced),
        cmocka_unit_test(a_window_counts_down),
        cmocka_unit_test(ctrl_c_asks_once),
        cmocka_unit_test(ctrl_d_asks_too),
        cmocka_unit_test(another_width_is_taken),
        cmocka_unit_test(colours_repeat_what_marks_say),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
