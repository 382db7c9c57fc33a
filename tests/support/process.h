/*
 * The program as others start it: arguments and environment in, what it writes and how it ends out.
 */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

#include <stddef.h>

#include <sys/types.h>

enum { PROCESS_SEEN_SIZE = 65536 };

struct process {
    pid_t child;
    int in, out, err; /**< to its standard input, from its outputs */
    size_t out_size, err_size;
    char said[PROCESS_SEEN_SIZE], complained[PROCESS_SEEN_SIZE]; /**< terminated */
};

/** Both lists end with NULL; the first argument is the program's path. It dies with the test. */
void process_begin(struct process *process, const char *const *arguments,
                   const char *const *environment);
/** Waits until that has been written to standard error (or to standard output). */
void process_expect(struct process *process, const char *words);
void process_expect_said(struct process *process, const char *words);
void process_type(struct process *process, const char *words);
void process_signal(const struct process *process, int number);
/** Stops it, and waits until it does: where much else runs that takes a while. */
void process_stop(const struct process *process);
/** Waits for its end, reading all; the exit status, or 128 and the signal. */
int process_end(struct process *process);

#endif
