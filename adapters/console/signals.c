#include "adapters/console/signals.h"

#include <string.h>
#include <time.h>

#include <sys/signalfd.h>
#include <unistd.h>

bool signals_hold(struct signals *signals, bool keys, struct mb_error *err)
{
    static const int ENDING[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int KEYS[] = {SIGTSTP, SIGCONT, SIGWINCH};
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    bool good = sigemptyset(&signals->mask) == 0;
    for (size_t i = 0; i < sizeof ENDING / sizeof ENDING[0]; i++) {
        good = good && sigaddset(&signals->mask, ENDING[i]) == 0;
    }
    for (size_t i = 0; keys && i < sizeof KEYS / sizeof KEYS[0]; i++) {
        good = good && sigaddset(&signals->mask, KEYS[i]) == 0;
    }
    signals->fd = good ? signalfd(-1, &signals->mask, SFD_NONBLOCK | SFD_CLOEXEC) : -1;
    if (signals->fd < 0 || sigprocmask(SIG_BLOCK, &signals->mask, &signals->old) != 0 ||
        sigaction(SIGPIPE, &ignore, &signals->old_pipe) != 0) {
        return mb_fail(err, MB_ERR_IO, "cannot catch the terminal's signals");
    }
    signals->held = true;
    return true;
}

int signals_take(struct signals *signals)
{
    struct signalfd_siginfo info;
    if (!signals->held || read(signals->fd, &info, sizeof info) != (ssize_t)sizeof info) {
        return 0;
    }
    return (int)info.ssi_signo;
}

void signals_stop_here(struct signals *signals)
{
    sigset_t stop;
    sigset_t before;
    if (!signals->held || sigemptyset(&stop) != 0 || sigaddset(&stop, SIGTSTP) != 0) {
        return;
    }
    (void)raise(SIGTSTP); // waits until it is let through
    (void)sigprocmask(SIG_UNBLOCK, &stop, &before);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void signals_release(struct signals *signals)
{
    if (!signals->held) {
        return;
    }
    // A signal that came too late to be reported is not to kill who called us.
    const struct timespec now = {0, 0};
    while (sigtimedwait(&signals->mask, NULL, &now) > 0) {
    }
    (void)close(signals->fd);
    (void)sigaction(SIGPIPE, &signals->old_pipe, NULL);
    (void)sigprocmask(SIG_SETMASK, &signals->old, NULL);
    signals->held = false;
}
