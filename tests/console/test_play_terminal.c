/* The program itself at a terminal: first prompt, guide, colours, signals, resize, hot seat. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tests/support/test.h"

enum { EXTRA_MAX = 8 };

struct play {
    struct pty pty;
    char state[FOLDER_PATH_SIZE]; /* where the program remembers things */
};

static struct play *run(const char *term, const char *no_color, char *const *arguments)
{
    struct play *const play = calloc(1, sizeof *play);
    assert_non_null(play);
    folder_make(play->state);
    pty_open(&play->pty, 80);
    char state[FOLDER_PATH_SIZE + 32];
    char home[FOLDER_PATH_SIZE + 32];
    char terminal[64];
    char color[64];
    (void)snprintf(state, sizeof state, "XDG_STATE_HOME=%s", play->state);
    (void)snprintf(home, sizeof home, "HOME=%s", play->state);
    (void)snprintf(terminal, sizeof terminal, "TERM=%s", term);
    (void)snprintf(color, sizeof color, "NO_COLOR=%s", no_color);
    char *environment[] = {state, home, terminal, color, NULL};
    pty_run(&play->pty, arguments, environment);
    return play;
}

static struct play *begin(const char *term, const char *no_color, const char *const *extra)
{
    char program[] = MB_PROGRAM;
    char command[] = "play";
    char seed[] = "--seed=12";
    char *arguments[4 + EXTRA_MAX] = {program, command, seed};
    char words[EXTRA_MAX][64];
    for (size_t i = 0; i < EXTRA_MAX && extra[i] != NULL; i++) {
        (void)snprintf(words[i], sizeof words[i], "%s", extra[i]);
        arguments[3 + i] = words[i];
    }
    return run(term, no_color, arguments);
}

static void end(struct play *play)
{
    char own[FOLDER_PATH_SIZE];
    assert_true(pty_is_cooked(&play->pty));
    folder_in(play->state, "munchbot", own);
    folder_remove(own);
    folder_remove(play->state);
    pty_close(&play->pty);
    free(play);
}

static const char *const ALONE[] = {"--name=Ann", "--no-guide", NULL};

static void a_game_is_played_and_left(void **state)
{
    (void)state;
    struct play *const play = begin("xterm", "", ALONE);
    pty_expect(&play->pty, "Ann> ");
    assert_false(pty_is_cooked(&play->pty));
    pty_type(&play->pty, "statu\t\r");
    pty_expect(&play->pty, "Set-up: everybody");
    assert_non_null(strstr(play->pty.seen, "\033[33m")); // Treasures in their colour
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    assert_true(pty_has(&play->pty, "Bye."));
    end(play);
}

static void no_color_means_none(void **state)
{
    (void)state;
    struct play *const play = begin("xterm", "1", ALONE);
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "status\r");
    pty_expect(&play->pty, "Set-up: everybody");
    assert_null(strstr(play->pty.seen, "\033[3"));
    assert_null(strstr(play->pty.seen, "\033[1"));
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    end(play);
}

static void a_dumb_terminal_gets_plain_lines(void **state)
{
    (void)state;
    struct play *const play = begin("dumb", "", ALONE);
    pty_expect(&play->pty, "Ann> ");
    assert_true(pty_is_cooked(&play->pty));
    pty_type(&play->pty, "status\n");
    pty_expect(&play->pty, "Set-up: everybody");
    pty_type(&play->pty, "\x03"); // asks here too
    pty_expect(&play->pty, "Leave the game?");
    pty_type(&play->pty, "yes\n");
    assert_int_equal(pty_wait(&play->pty), 0);
    assert_null(strchr(play->pty.seen, '\033'));
    end(play);
}

static void a_newcomer_is_asked_once(void **state)
{
    (void)state;
    static const char *const NAMED[] = {"--name=Ann", NULL};
    struct play *const play = begin("xterm", "", NAMED);
    pty_expect(&play->pty, "Is this your first game");
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Hint: everybody sets up first");
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    char file[FOLDER_PATH_SIZE + 32];
    (void)snprintf(file, sizeof file, "%s/munchbot/guide", play->state);
    assert_int_equal(access(file, F_OK), 0);
    end(play);
}

static void an_answer_may_be_a_command(void **state)
{
    (void)state;
    static const char *const NAMED[] = {"--name=Ann", NULL};
    struct play *const play = begin("xterm", "", NAMED);
    pty_expect(&play->pty, "Is this your first game");
    pty_type(&play->pty, "status\r");
    pty_expect(&play->pty, "Set-up: everybody puts");
    assert_false(pty_has(&play->pty, "Hint:"));
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    end(play);
}

static void ctrl_c_twice_leaves(void **state)
{
    (void)state;
    struct play *const play = begin("xterm", "", ALONE);
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "half a li\x03");
    pty_expect(&play->pty, "Leave the game?");
    pty_type(&play->pty, "\x03");
    assert_int_equal(pty_wait(&play->pty), 128 + SIGINT);
    end(play);
}

// As a job of a shell: it stops, the terminal is the shell's, the table is still its own; it comes
// back with what was typed.
static void ctrl_z_stops_and_fg_comes_back(void **state)
{
    (void)state;
    char shell[] = "/bin/sh";
    char interactive[] = "-i";
    char *const arguments[] = {shell, interactive, NULL};
    struct play *const play = run("xterm", "", arguments);
    struct pty *const pty = &play->pty;
    pty_type(pty, MB_PROGRAM " play --name=Ann --no-guide --seed=12\n");
    pty_expect(pty, "Ann> ");
    pty_type(pty, "half a li");
    pty_expect(pty, "Ann> half a li");
    assert_false(pty_is_cooked(pty));
    pty_type(pty, "\x1a");
    pty_expect(pty, "Stopped");
    assert_true(pty_is_cooked(pty));
    pty_type(pty, MB_PROGRAM " play --resume; echo ended $?\n");
    pty_expect(pty, "another process plays every unfinished game");
    pty_expect(pty, "ended 1");
    pty_forget(pty);
    pty_type(pty, "fg\n");
    pty_expect(pty, "Ann> half a li");
    assert_false(pty_is_cooked(pty));
    pty_type(pty, "\x15status\r");
    pty_expect(pty, "Set-up: everybody puts");
    pty_type(pty, "quit\r");
    pty_expect(pty, "Bye.");
    pty_type(pty, "exit\n");
    assert_int_equal(pty_wait(pty), 0);
    end(play);
}

static void a_terminated_game_restores_the_terminal(void **state)
{
    (void)state;
    struct play *const play = begin("xterm", "", ALONE);
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "half a li");
    pty_expect(&play->pty, "Ann> half a li");
    assert_int_equal(kill(play->pty.child, SIGTERM), 0);
    assert_int_equal(pty_wait(&play->pty), 128 + SIGTERM);
    end(play);
}

// No line is wider than the terminal.
static void check_width(const struct play *play, size_t width)
{
    const char *at = play->pty.seen;
    while (*at != '\0') {
        size_t columns = 0;
        for (; *at != '\0' && *at != '\n'; at++) {
            if (*at == '\033') {
                at += strcspn(at, "mJHKABCD");
            } else if (*at != '\r') {
                columns++;
            }
        }
        assert_true(columns <= width);
        at += *at == '\n' ? 1 : 0;
    }
}

static void forty_columns_do(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"status\r", "hand\r", "help\r", "rules\r", "help play\r"};
    static const char *const ENDS[] = {"Decks:", "For later:", "Always:", "Say \"rules",
                                       "Example:"};
    struct play *const play = begin("xterm", "1", ALONE);
    pty_expect(&play->pty, "Ann> ");
    pty_resize(&play->pty, 40);
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        pty_forget(&play->pty);
        pty_type(&play->pty, WORDS[i]);
        pty_expect(&play->pty, ENDS[i]);
        check_width(play, 40);
    }
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    end(play);
}

static void a_keyboard_is_shared(void **state)
{
    (void)state;
    static const char *const BOTH[] = {"--hotseat=Ann,Bob", "--no-guide", NULL};
    struct play *const play = begin("xterm", "1", BOTH);
    pty_expect(&play->pty, "The keyboard goes to Ann: press Enter");
    assert_false(pty_has(&play->pty, "You are dealt"));
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "why play Dragon's Tax Return\r");
    pty_type(&play->pty, "Bob: help\r");
    pty_expect(&play->pty, "\"Bob:\" hands over the keyboard");
    pty_type(&play->pty, "Bob:\r");
    pty_expect(&play->pty, "The keyboard goes to Bob: press Enter");
    pty_forget(&play->pty);
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Bob> ");
    pty_expect(&play->pty, "You can say now:"); // what he asked for
    pty_type(&play->pty, "\x1B[A\x1B[A\x19status\r");
    pty_expect(&play->pty, "Bob> status");
    assert_false(pty_has(&play->pty, "Tax Return"));
    pty_type(&play->pty, "Ann:\r");
    pty_expect(&play->pty, "The keyboard goes to Ann");
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    end(play);
}

// Bot players take the seats over; with nobody left there is nothing to wait for at a keyboard.
static void a_game_that_everybody_left_ends(void **state)
{
    (void)state;
    static const char *const BOTH[] = {"--hotseat=Ann,Bob", "--no-guide", NULL};
    struct play *const play = begin("xterm", "1", BOTH);
    pty_expect(&play->pty, "The keyboard goes to Ann: press Enter");
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "leave\r");
    pty_expect(&play->pty, "The keyboard goes to Bob: press Enter");
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Bob> ");
    pty_type(&play->pty, "leave\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    assert_true(pty_has(&play->pty, "Nobody is left"));
    assert_true(pty_has(&play->pty, "Bye."));
    end(play);
}

// Whoever has left sees nothing of the hand that a bot player holds in their place; they may come
// back by what they type.
static void who_has_left_sees_no_hand(void **state)
{
    (void)state;
    static const char *const BOTH[] = {"--hotseat=Ann,Bob", "--no-guide", NULL};
    struct play *const play = begin("xterm", "1", BOTH);
    pty_expect(&play->pty, "The keyboard goes to Ann: press Enter");
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Ann> ");
    pty_type(&play->pty, "leave\r");
    pty_expect(&play->pty, "The keyboard goes to Bob: press Enter");
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Bob> ");
    pty_type(&play->pty, "Ann:\r");
    pty_expect(&play->pty, "The keyboard goes to Ann: press Enter");
    pty_forget(&play->pty);
    pty_type(&play->pty, "\r");
    pty_expect(&play->pty, "Ann> leave"); // the page as she left it ...
    pty_expect(&play->pty, "a bot player takes over");
    pty_forget(&play->pty); // ... and nothing after it but what she types
    pty_type(&play->pty, "pla\tx\r");
    pty_expect(&play->pty, "\"plax\" is not a command");
    assert_false(pty_has(&play->pty, "Hand:"));
    assert_false(pty_has(&play->pty, "You can:"));
    pty_type(&play->pty, "quit\r");
    assert_int_equal(pty_wait(&play->pty), 0);
    end(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_and_left),
        cmocka_unit_test(no_color_means_none),
        cmocka_unit_test(a_dumb_terminal_gets_plain_lines),
        cmocka_unit_test(a_newcomer_is_asked_once),
        cmocka_unit_test(an_answer_may_be_a_command),
        cmocka_unit_test(ctrl_c_twice_leaves),
        cmocka_unit_test(ctrl_z_stops_and_fg_comes_back),
        cmocka_unit_test(a_terminated_game_restores_the_terminal),
        cmocka_unit_test(forty_columns_do),
        cmocka_unit_test(a_keyboard_is_shared),
        cmocka_unit_test(a_game_that_everybody_left_ends),
        cmocka_unit_test(who_has_left_sees_no_hand),
    };
    return cmocka_run_group_tests_name("play_terminal", tests, NULL, NULL);
}
