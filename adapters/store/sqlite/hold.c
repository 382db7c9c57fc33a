// Locks of an open file, where the system has them (_GNU_SOURCE): two stores of one process are as
// two processes.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "adapters/store/sqlite/sqlite_impl.h"

#ifdef F_OFD_SETLK
enum { SET = F_OFD_SETLK, GET = F_OFD_GETLK };
#else
enum { SET = F_SETLK, GET = F_GETLK };
#endif

static const char BESIDE[] = "-held";
/* Bytes far behind the end of any file: words come first, then as many processes. */
static const off_t PROCESSES = (off_t)1 << 31;

static struct flock lock_of(off_t first, off_t count)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = count};
}

// Takes a number that no living process has.
static bool take_number(struct hold *hold, struct mb_error *err)
{
    enum { TRIES = 8 };
    for (unsigned i = 0; i < TRIES; i++) {
        hold->me = 1 + (int64_t)randombytes_uniform(INT32_MAX);
        struct flock lock = lock_of(PROCESSES + (off_t)hold->me, 1);
        if (fcntl(hold->fd, SET, &lock) == 0) {
            return true;
        }
    }
    return mb_fail(err, MB_ERR_IO, "the store's disk does not support locks (%s): use another disk",
                   strerror(errno));
}

bool hold_open(struct hold *hold, const char *store, struct mb_error *err)
{
    const size_t size = strlen(store) + sizeof BESIDE;
    char *const path = mb_new(size, 1);
    (void)snprintf(path, size, "%s%s", store, BESIDE);
    hold->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (hold->fd < 0) {
        (void)mb_fail(err, MB_ERR_IO,
                      "cannot write files beside the store (%s): change the permissions (%s)",
                      strerror(errno), path);
    }
    free(path);
    return hold->fd >= 0 && take_number(hold, err);
}

// A word's byte.
static off_t byte_of(const char *word)
{
    uint32_t hash = 2166136261u;
    for (const char *at = word; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    return (off_t)(hash & INT32_MAX);
}

bool hold_take(const struct hold *hold, const char *word)
{
    struct flock lock = lock_of(byte_of(word), 1);
    return fcntl(hold->fd, SET, &lock) == 0;
}

bool hold_lives(const struct hold *hold, int64_t process)
{
    struct flock lock = lock_of(PROCESSES + (off_t)process, 1);
    return process == hold->me ||
           (process != 0 && fcntl(hold->fd, GET, &lock) == 0 && lock.l_type != F_UNLCK);
}

bool hold_is_shared(const struct hold *hold)
{
    struct flock lock = lock_of(PROCESSES, PROCESSES);
    return hold->fd >= 0 && fcntl(hold->fd, GET, &lock) == 0 && lock.l_type != F_UNLCK;
}

void hold_close(struct hold *hold)
{
    if (hold->fd >= 0) {
        (void)close(hold->fd);
        hold->fd = -1;
    }
}
