#include "tests/support/pty.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pty.h>
#include <termios.h>
#include <utmp.h>

#include "tests/support/test.h"

enum { PATIENCE_MS = 20000, STEP_MS = 20 };

void pty_open(struct pty *pty, unsigned short columns)
{
    const struct winsize window = {.ws_row = 24, .ws_col = columns};
    pty->child = 0;
    pty->seen_count = 0;
    pty->seen[0] = '\0';
    assert_int_equal(openpty(&pty->person, &pty->program, NULL, NULL, &window), 0);
}

void pty_close(struct pty *pty)
{
    if (pty->child > 0) {
        (void)kill(pty->child, SIGKILL);
        (void)waitpid(pty->child, NULL, 0);
    }
    (void)close(pty->person);
    (void)close(pty->program);
}

void pty_resize(struct pty *pty, unsigned short columns)
{
    const struct winsize window = {.ws_row = 24, .ws_col = columns};
    assert_int_equal(ioctl(pty->person, TIOCSWINSZ, &window), 0);
}

void pty_run(struct pty *pty, char *const *arguments, char *const *environment)
{
    pty->child = fork();
    assert_true(pty->child >= 0);
    if (pty->child == 0) {
        (void)close(pty->person);
        if (login_tty(pty->program) == 0) {
            (void)execve(arguments[0], arguments, environment);
        }
        _exit(127);
    }
}

int pty_wait(struct pty *pty)
{
    int status = 0;
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        pty_read(pty);
        if (waitpid(pty->child, &status, WNOHANG) == pty->child) {
            pty->child = 0;
            pty_read(pty);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    fail_msg("the program does not end; it wrote:\n%s", pty->seen);
    return -1;
}

void pty_type(struct pty *pty, const char *keys)
{
    assert_int_equal(write(pty->person, keys, strlen(keys)), (ssize_t)strlen(keys));
}

void pty_read(struct pty *pty)
{
    struct pollfd out = {.fd = pty->person, .events = POLLIN};
    while (poll(&out, 1, STEP_MS) > 0 && (out.revents & POLLIN) != 0) {
        const size_t room = sizeof pty->seen - 1 - pty->seen_count;
        assert_true(room > 0);
        const ssize_t count = read(pty->person, pty->seen + pty->seen_count, room);
        if (count <= 0) {
            return;
        }
        pty->seen_count += (size_t)count;
        pty->seen[pty->seen_count] = '\0';
    }
}

// What was written, without escape sequences, bells and returns.
static char *plain(const struct pty *pty)
{
    char *const text = malloc(pty->seen_count + 1);
    size_t used = 0;
    assert_non_null(text);
    for (const char *at = pty->seen; *at != '\0'; at++) {
        if (at[0] == '\033' && at[1] == '[') {
            at += 2;
            at += strspn(at, "0123456789;?");
            if (*at == '\0') {
                break;
            }
        } else if (*at != '\r' && *at != '\a') {
            text[used++] = *at;
        }
    }
    text[used] = '\0';
    return text;
}

bool pty_has(struct pty *pty, const char *text)
{
    pty_read(pty);
    char *const seen = plain(pty);
    const bool found = strstr(seen, text) != NULL;
    free(seen);
    return found;
}

void pty_expect(struct pty *pty, const char *text)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (pty_has(pty, text)) {
            return;
        }
    }
    fail_msg("\"%s\" does not come; there is only:\n%s", text, pty->seen);
}

void pty_forget(struct pty *pty)
{
    pty_read(pty);
    pty->seen_count = 0;
    pty->seen[0] = '\0';
}

bool pty_is_cooked(const struct pty *pty)
{
    struct termios now;
    assert_int_equal(tcgetattr(pty->program, &now), 0);
    return (now.c_lflag & ICANON) != 0 && (now.c_lflag & ECHO) != 0;
}
