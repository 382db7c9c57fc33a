// `munchbot play` and its store, from outside: killed, ended, left; two of them on one file. And
// how much of a game that is only watched is told.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { SEEN_SIZE = 1 << 18, WORDS_MAX = 6, SAID_SIZE = 4096, PATIENCE_S = 60 };

// A terminal's program with pipes instead of a terminal.
struct run {
    pid_t child;
    int in, out;
    size_t count;
    char seen[SEEN_SIZE];
};

struct place {
    char folder[FOLDER_PATH_SIZE], own[FOLDER_PATH_SIZE];
    struct run run, other;
};

static int set_up(void **state)
{
    struct place *const place = calloc(1, sizeof *place);
    assert_non_null(place);
    folder_make(place->folder);
    folder_in(place->folder, "munchbot", place->own);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *const place = *state;
    if (access(place->own, F_OK) == 0) {
        folder_remove(place->own);
    }
    folder_remove(place->folder);
    free(place);
    return 0;
}

static void begin(struct run *run, const struct place *place, const char *const *words)
{
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    char home[FOLDER_PATH_SIZE + 32];
    char copies[WORDS_MAX][64] = {"munchbot", "play"};
    char *arguments[WORDS_MAX + 1] = {copies[0], copies[1]};
    char *environment[] = {home, NULL};
    (void)snprintf(home, sizeof home, "XDG_STATE_HOME=%s", place->folder);
    for (size_t i = 0; words[i] != NULL; i++) {
        assert_true(i + 2 < WORDS_MAX);
        (void)snprintf(copies[i + 2], sizeof copies[i + 2], "%s", words[i]);
        arguments[i + 2] = copies[i + 2];
    }
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    run->child = fork();
    assert_true(run->child >= 0);
    if (run->child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // whatever becomes of the test
        (void)dup2(in[0], STDIN_FILENO);
        (void)dup2(out[1], STDOUT_FILENO);
        (void)dup2(out[1], STDERR_FILENO);
        for (int fd = STDERR_FILENO + 1; fd <= out[1]; fd++) {
            (void)close(fd);
        }
        (void)execve(MB_PROGRAM, arguments, environment);
        _exit(127);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    run->in = in[1];
    run->out = out[0];
    run->count = 0;
    run->seen[0] = '\0';
    (void)fcntl(run->in, F_SETFD, FD_CLOEXEC);
    (void)fcntl(run->out, F_SETFD, FD_CLOEXEC);
}

static void say(struct run *run, const char *line)
{
    (void)!write(run->in, line, strlen(line));
    (void)!write(run->in, "\n", 1);
}

// Reads what there is; false: nothing more will come.
static bool look(struct run *run)
{
    assert_true(run->count + 1 < SEEN_SIZE);
    const ssize_t got = read(run->out, run->seen + run->count, SEEN_SIZE - 1 - run->count);
    run->count += got > 0 ? (size_t)got : 0;
    run->seen[run->count] = '\0';
    return got > 0;
}

// Waits for words behind others, and for the end of their line.
static const char *expect(struct run *run, const char *first, const char *words)
{
    for (;;) {
        const char *const at = strstr(run->seen, first);
        const char *const found = at != NULL ? strstr(at, words) : NULL;
        if (found != NULL && strchr(found, '\n') != NULL) {
            return found;
        }
        if (!look(run)) {
            fail_msg("\"%s\" is not said, but: %s", words, run->seen);
        }
    }
}

// The exit status, or 128 and the signal.
static int finish(struct run *run, int signal)
{
    int status = 0;
    if (signal != 0) {
        assert_int_equal(kill(run->child, signal), 0);
    }
    (void)close(run->in);
    while (look(run)) {
        // to its end
    }
    assert_int_equal(waitpid(run->child, &status, 0), run->child);
    (void)close(run->out);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const char *const FRESH[] = {"--seed=12", "--name=Ann", "--no-guide", NULL};
static const char *const RESUME[] = {"--resume", "--no-guide", NULL};

// What "status" says of the table now: behind all that was seen before it is asked for.
static void say_status(struct run *run, char out[SAID_SIZE])
{
    static const char ECHO[] = "Ann> status\n";
    const size_t seen = run->count;
    say(run, "status");
    const char *at = NULL;
    const char *line = NULL;
    while (line == NULL) {
        at = strstr(run->seen + seen, ECHO);
        const char *const end = at != NULL ? strstr(at, "\nDecks: ") : NULL;
        line = end != NULL ? strchr(end + 1, '\n') : NULL;
        if (line == NULL && !look(run)) {
            fail_msg("no status is said, but: %s", run->seen + seen);
        }
    }
    at += sizeof ECHO - 1;
    const size_t length = (size_t)(line - at);
    assert_true(length < SAID_SIZE);
    memcpy(out, at, length);
    out[length] = '\0';
}

static void a_killed_game_is_gone_on_with(void **state)
{
    static const char *const LINES[] = {"done", "kick", "loot", "done", "pass", "kick"};
    struct place *const place = *state;
    struct run *const run = &place->run;
    char before[SAID_SIZE];
    char after[SAID_SIZE];
    begin(run, place, FRESH);
    (void)expect(run, "", "A game of munchbot");
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        say(run, LINES[i]);
        say_status(run, before);
        assert_int_equal(finish(run, SIGKILL), 128 + SIGKILL);
        begin(run, place, RESUME);
        (void)expect(run, "", "Back at the game of Ann.");
        (void)expect(run, "Back at", "\nYou: Level");
        say_status(run, after);
        assert_string_equal(before, after);
    }
    say(run, "quit");
    assert_int_equal(finish(run, 0), 0);
    begin(run, place, RESUME);
    (void)expect(run, "", "no interrupted game here");
    assert_int_equal(finish(run, 0), 1);
}

// Nobody has spoken for anybody when all come back to their keyboard.
static void a_shared_keyboard_is_gone_on_with(void **state)
{
    static const char *const TOGETHER[] = {"--seed=12", "--hotseat=Ann,Bob,Cy", "--no-guide", NULL};
    struct place *const place = *state;
    struct run *const run = &place->run;
    begin(run, place, TOGETHER);
    (void)expect(run, "", "You are dealt");
    assert_int_equal(finish(run, SIGKILL), 128 + SIGKILL);
    begin(run, place, RESUME);
    (void)expect(run, "Back at the game of Ann, Bob and Cy.", "\nYou: Level");
    assert_null(strstr(run->seen, "eyes only"));
    say(run, "quit");
    assert_int_equal(finish(run, 0), 0);
}

// At no moment is it killed so that nothing can be gone on with, once it has begun.
static void it_may_be_killed_at_any_moment(void **state)
{
    enum { KILLS = 20, STEP_NS = 1500000 };
    struct place *const place = *state;
    struct run *const run = &place->run;
    begin(run, place, FRESH);
    (void)expect(run, "", "You are dealt");
    for (long i = 0; i < KILLS; i++) {
        const struct timespec time = {.tv_nsec = i * STEP_NS};
        say(run, "done");
        say(run, "kick");
        say(run, "loot");
        say(run, "done");
        (void)nanosleep(&time, NULL);
        assert_int_equal(finish(run, SIGKILL), 128 + SIGKILL);
        begin(run, place, RESUME);
        (void)expect(run, "", "Back at the game of Ann.");
        say(run, "status");
        (void)expect(run, "Back at", "Decks: ");
    }
    assert_int_equal(finish(run, SIGKILL), 128 + SIGKILL);
}

static void who_is_ended_by_a_signal_is_told_how_to_go_on(void **state)
{
    struct place *const place = *state;
    struct run *const run = &place->run;
    begin(run, place, FRESH);
    say(run, "status");
    (void)expect(run, "", "Decks: ");
    assert_int_equal(finish(run, SIGTERM), 128 + SIGTERM);
    assert_non_null(strstr(run->seen, "\"munchbot play --resume\" continues this game."));
    begin(run, place, RESUME);
    (void)expect(run, "", "Back at the game of Ann.");
    say(run, "quit");
    assert_int_equal(finish(run, 0), 0);
}

static void two_may_play_on_one_file(void **state)
{
    static const char *const OTHER[] = {"--name=Bob", "--no-guide", NULL};
    struct place *const place = *state;
    begin(&place->run, place, FRESH);
    say(&place->run, "status");
    (void)expect(&place->run, "", "Decks: ");
    begin(&place->other, place, OTHER);
    say(&place->other, "status");
    (void)expect(&place->other, "", "Decks: ");
    assert_int_equal(finish(&place->other, SIGKILL), 128 + SIGKILL);
    begin(&place->other, place, RESUME); // Ann's lives, Bob's does not
    (void)expect(&place->other, "", "Back at the game of Bob.");
    struct run *const third = calloc(1, sizeof *third);
    begin(third, place, RESUME);
    (void)expect(third, "", "another process plays every unfinished game");
    assert_int_equal(finish(third, 0), 1);
    free(third);
    say(&place->run, "done");
    say(&place->run, "status");
    (void)expect(&place->run, "Ann> done", "Decks: ");
    say(&place->run, "quit");
    assert_int_equal(finish(&place->run, 0), 0);
    say(&place->other, "quit");
    assert_int_equal(finish(&place->other, 0), 0);
}

// Nothing is lost while another program keeps the store locked, or said before it is kept.
static void a_locked_store_is_waited_for(void **state)
{
    struct place *const place = *state;
    struct run *const run = &place->run;
    char path[FOLDER_PATH_SIZE];
    sqlite3 *handle = NULL;
    folder_in(place->own, "tables.db", path);
    begin(run, place, FRESH);
    (void)expect(run, "", "You are dealt");
    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    (void)sqlite3_busy_timeout(handle, PATIENCE_S * 1000); // the game may be writing
    assert_int_equal(sqlite3_exec(handle, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    say(run, "done");
    (void)expect(run, "", "Saving fails");
    assert_null(strstr(run->seen, "Everybody is ready"));
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    (void)expect(run, "Saving fails", "Everybody is ready");
    assert_int_equal(finish(run, SIGKILL), 128 + SIGKILL);
}

static void where_nothing_can_be_written_it_is_played_in_memory(void **state)
{
    struct place *const place = *state;
    struct run *const run = &place->run;
    const int fd = open(place->own, O_WRONLY | O_CREAT, S_IRUSR | S_IWUSR); // no folder can be
    assert_true(fd >= 0);
    (void)close(fd);
    begin(run, place, FRESH);
    say(run, "status");
    (void)expect(run, "I can't save this game", "Decks: ");
    say(run, "quit");
    assert_int_equal(finish(run, 0), 0);
    begin(run, place, RESUME);
    assert_int_equal(finish(run, 0), 1);
    assert_int_equal(unlink(place->own), 0);
}

static void a_store_that_is_named_must_work(void **state)
{
    static const char *const NAMED[] = {"--store=sqlite:/nowhere/at/all.db", NULL};
    static const char *const GONE[] = {"--store=postgresql://127.0.0.1:1/base", NULL};
    static const char *const WRONG[] = {"--store=tables.db", NULL};
    static const char *const *const ALL[] = {NAMED, GONE, WRONG};
    static const char *const WORDS[] = {"the store's folder does not exist",
                                        "no database server answers", "not a store"};
    struct place *const place = *state;
    for (size_t i = 0; i < 3; i++) {
        begin(&place->run, place, ALL[i]);
        (void)expect(&place->run, "munchbot play: ", WORDS[i]);
        assert_int_equal(finish(&place->run, 0), 1);
    }
}

static void what_is_only_watched_is_kept_nowhere(void **state)
{
    static const char *const WATCH[] = {"--watch", "--seed=3", NULL};
    struct place *const place = *state;
    begin(&place->run, place, WATCH);
    assert_int_equal(finish(&place->run, 0), 0);
    assert_int_not_equal(access(place->own, F_OK), 0);
}

// These 100 tell 288 in the mean. The longest tells 453, in 77 turns: 6 lines a turn, as the
// others.
static void a_watched_game_tells_at_most_300_lines(void **state)
{
    enum { GAMES = 100, LINES = 300 };
    struct place *const place = *state;
    unsigned lines = 0;
    for (unsigned seed = 1; seed <= GAMES; seed++) {
        char word[16];
        const char *const watch[] = {"--watch", word, NULL};
        (void)snprintf(word, sizeof word, "--seed=%u", seed);
        begin(&place->run, place, watch);
        assert_int_equal(finish(&place->run, 0), 0);
        for (size_t i = 0; i < place->run.count; i++) {
            lines += place->run.seen[i] == '\n' ? 1u : 0u;
        }
    }
    if (lines > GAMES * LINES) {
        fail_msg("%u games tell %u lines", (unsigned)GAMES, lines);
    }
}

static void only_so_many_games_are_kept(void **state)
{
    enum { GAMES = 10 };
    static const char *const ANY[] = {"--name=Ann", "--no-guide", NULL};
    struct place *const place = *state;
    for (unsigned i = 0; i < GAMES; i++) {
        begin(&place->run, place, ANY);
        say(&place->run, "status");
        (void)expect(&place->run, "", "Decks: ");
        assert_int_equal(finish(&place->run, SIGKILL), 128 + SIGKILL);
    }
    unsigned resumed = 0;
    for (;; resumed++) {
        begin(&place->run, place, RESUME);
        say(&place->run, "quit");
        if (finish(&place->run, 0) != 0) {
            break;
        }
    }
    assert_int_equal(resumed, 6);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_killed_game_is_gone_on_with),
        CASE(a_shared_keyboard_is_gone_on_with),
        CASE(a_shared_keyboard_is_gone_on_with),
        CASE(it_may_be_killed_at_any_moment),
        CASE(who_is_ended_by_a_signal_is_told_how_to_go_on),
        CASE(two_may_play_on_one_file),
        CASE(a_locked_store_is_waited_for),
        CASE(where_nothing_can_be_written_it_is_played_in_memory),
        CASE(a_store_that_is_named_must_work),
        CASE(what_is_only_watched_is_kept_nowhere),
        CASE(a_watched_game_tells_at_most_300_lines),
        CASE(only_so_many_games_are_kept),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    (void)alarm(PATIENCE_S); // what hangs ends
    return cmocka_run_group_tests_name("play_store", tests, NULL, NULL);
}
