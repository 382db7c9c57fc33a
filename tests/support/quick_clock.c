// Preloaded into the program: a clock that can be let run ahead while the program sleeps, up to its
// next timer and no further, so that nothing falls due later than it would have. The file that
// MUNCHBOT_CLOCK names holds two numbers of nanoseconds: how far it may be ahead, which the test
// writes, and how far it is.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <dlfcn.h>

enum { MS_NS = 1000000, US_NS = 1000, SLICE_NS = 1000000 };

static const int64_t SECOND_NS = 1000000000;

struct ahead {
    int64_t wanted_ns;
    int64_t is_ns;
};

typedef int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const struct timespec *until);

// Under the C library's names, which its headers have declared already.
int quick_clock_gettime(clockid_t clock, struct timespec *out) __asm__("clock_gettime");
time_t quick_time(time_t *out) __asm__("time");
int quick_gettimeofday(struct timeval *out, void *zone) __asm__("gettimeofday");
int quick_poll(struct pollfd *files, nfds_t count, int timeout_ms) __asm__("poll");
wait_until quick_cond_timedwait __asm__("pthread_cond_timedwait");

static struct ahead nowhere;
static struct ahead *ahead = &nowhere;
static wait_until *real_cond_timedwait;

__attribute__((constructor)) static void begin(void)
{
    const char *const path = getenv("MUNCHBOT_CLOCK");
    const int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    void *const map = file < 0
                          ? MAP_FAILED
                          : mmap(NULL, sizeof *ahead, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) {
        ahead = map;
    }
    if (file >= 0) {
        (void)close(file);
    }
    void *const found = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    (void)memcpy(&real_cond_timedwait, &found, sizeof found);
}

static int64_t ahead_ns(void)
{
    return __atomic_load_n(&ahead->is_ns, __ATOMIC_RELAXED);
}

static struct timespec moved(const struct timespec *at, int64_t ns)
{
    const int64_t sum = (int64_t)at->tv_sec * SECOND_NS + at->tv_nsec + ns;
    return (struct timespec){.tv_sec = (time_t)(sum / SECOND_NS),
                             .tv_nsec = (long)(sum % SECOND_NS)};
}

int quick_clock_gettime(clockid_t clock, struct timespec *out)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, out);
    if (failed == 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID) {
        *out = moved(out, ahead_ns());
    }
    return failed;
}

time_t quick_time(time_t *out)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

int quick_gettimeofday(struct timeval *out, void *zone)
{
    struct timespec now = {0, 0};
    (void)zone;
    const int failed = clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / US_NS};
    return failed;
}

int quick_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                         const struct timespec *until)
{
    const struct timespec real = moved(until, -ahead_ns());
    return real_cond_timedwait(condition, mutex, &real);
}

// One slice of a sleep.
static int doze(struct pollfd *files, nfds_t count, int64_t ns)
{
    const struct timespec time = moved(&(struct timespec){0, 0}, ns);
    return (int)syscall(SYS_ppoll, files, count, ns < 0 ? NULL : &time, NULL, (size_t)0);
}

// The first thread's sleep is the program's: in slices, and what is wanted of the rest goes by at
// once.
int quick_poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
    int64_t left_ns = (int64_t)timeout_ms * MS_NS;
    if (ahead == &nowhere || syscall(SYS_gettid) != getpid()) {
        return doze(files, count, left_ns);
    }
    for (;;) {
        const int64_t slice_ns = timeout_ms < 0 || left_ns > SLICE_NS ? SLICE_NS : left_ns;
        const int ready = doze(files, count, slice_ns);
        if (timeout_ms >= 0) {
            left_ns -= slice_ns;
        }
        if (ready != 0 || left_ns == 0) {
            return ready;
        }
        const int64_t is_ns = ahead_ns();
        const int64_t wanted_ns = __atomic_load_n(&ahead->wanted_ns, __ATOMIC_RELAXED) - is_ns;
        const int64_t more_ns = timeout_ms >= 0 && wanted_ns > left_ns ? left_ns : wanted_ns;
        if (more_ns > 0) {
            __atomic_store_n(&ahead->is_ns, is_ns + more_ns, __ATOMIC_RELAXED);
            left_ns -= timeout_ms >= 0 ? more_ns : 0;
        }
        if (left_ns == 0) {
            return 0;
        }
    }
}
