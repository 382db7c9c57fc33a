#include "tests/support/process.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { PATIENCE_S = 60, LOOK_MS = 1000, SIGNALLED = 128 };

void process_begin(struct process *process, const char *const *arguments,
                   const char *const *environment)
{
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    *process = (struct process){.child = -1};
    assert_true(pipe(in) == 0 && pipe(out) == 0 && pipe(err) == 0);
    const pid_t parent = getpid();
    process->child = fork();
    assert_true(process->child >= 0);
    if (process->child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // whatever becomes of the test
        const bool good = getppid() == parent && dup2(in[0], STDIN_FILENO) >= 0 &&
                          dup2(out[1], STDOUT_FILENO) >= 0 && dup2(err[1], STDERR_FILENO) >= 0;
        for (int fd = STDERR_FILENO + 1; fd <= err[1]; fd++) {
            (void)close(fd);
        }
        if (good) {
            (void)execve(arguments[0], (char *const *)(uintptr_t)arguments,
                         (char *const *)(uintptr_t)environment);
        }
        _exit(SIGNALLED - 1);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    (void)close(err[1]);
    process->in = in[1];
    process->out = out[0];
    process->err = err[0];
}

static bool take(int *fd, char *seen, size_t *size)
{
    const ssize_t got = read(*fd, seen + *size, PROCESS_SEEN_SIZE - 1 - *size);
    if (got <= 0) {
        (void)close(*fd);
        *fd = -1;
        return false;
    }
    *size += (size_t)got;
    seen[*size] = '\0';
    return true;
}

// Reads what comes within a while; false once both outputs have ended.
static bool look(struct process *process)
{
    struct pollfd sockets[] = {{.fd = process->out, .events = POLLIN},
                               {.fd = process->err, .events = POLLIN}};
    (void)poll(sockets, 2, LOOK_MS);
    if (sockets[0].revents != 0) {
        (void)take(&process->out, process->said, &process->out_size);
    }
    if (sockets[1].revents != 0) {
        (void)take(&process->err, process->complained, &process->err_size);
    }
    return process->out >= 0 || process->err >= 0;
}

static void expect(struct process *process, const char *seen, const char *words)
{
    const time_t until = time(NULL) + PATIENCE_S;
    while (strstr(seen, words) == NULL) {
        if (!look(process) || time(NULL) > until) {
            fail_msg("\"%s\" has not come; instead:\n%s%s", words, process->said,
                     process->complained);
        }
    }
}

void process_expect(struct process *process, const char *words)
{
    expect(process, process->complained, words);
}

void process_expect_said(struct process *process, const char *words)
{
    expect(process, process->said, words);
}

void process_type(struct process *process, const char *words)
{
    assert_int_equal(write(process->in, words, strlen(words)), (ssize_t)strlen(words));
}

void process_signal(const struct process *process, int number)
{
    assert_int_equal(kill(process->child, number), 0);
}

void process_stop(const struct process *process)
{
    int status = 0;
    process_signal(process, SIGSTOP);
    assert_int_equal(waitpid(process->child, &status, WUNTRACED), process->child);
    assert_true(WIFSTOPPED(status));
}

int process_end(struct process *process)
{
    const time_t until = time(NULL) + PATIENCE_S;
    int status = 0;
    while (look(process)) {
        if (time(NULL) > until) {
            process_signal(process, SIGKILL);
            fail_msg("it does not end; it said:\n%s%s", process->said, process->complained);
        }
    }
    (void)close(process->in);
    assert_int_equal(waitpid(process->child, &status, 0), process->child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}
