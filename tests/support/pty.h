/*
 * A terminal for tests: the side a program sits at, and the side a person types and reads at.
 */
#ifndef TESTS_SUPPORT_PTY_H
#define TESTS_SUPPORT_PTY_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

enum { PTY_SEEN_SIZE = 262144 };

struct pty {
    int person, program; /**< file descriptors */
    pid_t child;         /**< of pty_run(), else 0 */
    size_t seen_count;
    char seen[PTY_SEEN_SIZE]; /**< all that was written, terminated */
};

void pty_open(struct pty *pty, unsigned short columns);
void pty_close(struct pty *pty);
void pty_resize(struct pty *pty, unsigned short columns);
/** Runs a program at the terminal; `environment` as for execve(). */
void pty_run(struct pty *pty, char *const *arguments, char *const *environment);
/** Waits for its end; the exit status, or 128 and the signal. Fails after some seconds. */
int pty_wait(struct pty *pty);
void pty_type(struct pty *pty, const char *keys);
/** Takes in what has been written. */
void pty_read(struct pty *pty);
/** Waits until that has been written since the last pty_forget(), escape sequences aside. */
void pty_expect(struct pty *pty, const char *text);
/** Whether it has been, up to now; escape sequences aside. */
bool pty_has(struct pty *pty, const char *text);
void pty_forget(struct pty *pty);
/** Whether the terminal is as it was when it was opened: lines, echo. */
bool pty_is_cooked(const struct pty *pty);

#endif
