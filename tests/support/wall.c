// Libraries find these in the program before the C library's.
#include "tests/support/wall.h"

#include <stddef.h>
#include <time.h>

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { NS_PER_US = 1000 };

// Under the C library's names, which its headers have declared already.
int wall_clock_gettime(clockid_t clock, struct timespec *out) __asm__("clock_gettime");
time_t wall_time(time_t *out) __asm__("time");
int wall_gettimeofday(struct timeval *out, void *zone) __asm__("gettimeofday");

static long shift;

void wall_shift(long seconds)
{
    __atomic_store_n(&shift, seconds, __ATOMIC_RELAXED);
}

int wall_clock_gettime(clockid_t clock, struct timespec *out)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, out);
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        out->tv_sec += __atomic_load_n(&shift, __ATOMIC_RELAXED);
    }
    return failed;
}

time_t wall_time(time_t *out)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

int wall_gettimeofday(struct timeval *out, void *zone)
{
    struct timespec now = {0, 0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / NS_PER_US};
    return 0;
}
