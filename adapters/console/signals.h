/*
 * Signals as input: held back from the beginning, read when somebody looks, so that none comes
 * between two steps. What was held is let go at the end. Linux (signalfd).
 */
#ifndef ADAPTERS_CONSOLE_SIGNALS_H
#define ADAPTERS_CONSOLE_SIGNALS_H

#include <stdbool.h>

#include <signal.h>

#include "core/base/error.h"

struct signals {
    bool held;
    int fd; /**< can be read when one has come */
    sigset_t mask, old;
    struct sigaction old_pipe;
};

/** Holds the signals that end a program, and ignores SIGPIPE; `keys` also those about a terminal
 * that is being typed at: size, stopping, going on. */
MB_MUST_CHECK
bool signals_hold(struct signals *signals, bool keys, struct mb_error *err);
/** The next one that has come, or 0. */
int signals_take(struct signals *signals);
/** Stops the program as SIGTSTP would, and returns when it goes on. */
void signals_stop_here(struct signals *signals);
/** Idempotent; forgets what has come. */
void signals_release(struct signals *signals);

#endif
