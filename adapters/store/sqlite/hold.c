#include "adapters/store/sqlite/hold.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char BESIDE[] = "-held";

bool hold_open(struct hold *hold, const char *store, struct mb_error *err)
{
    const size_t size = strlen(store) + sizeof BESIDE;
    char *const path = malloc(size);
    if (path == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "there is not enough memory");
    }
    (void)snprintf(path, size, "%s%s", store, BESIDE);
    hold->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (hold->fd < 0) {
        (void)mb_fail(err, MB_ERR_IO, "nothing can be kept beside the store (%s): allow it (%s)",
                      strerror(errno), path);
    }
    free(path);
    return hold->fd >= 0;
}

// A byte far behind the end of any file, by the word.
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
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte_of(word), .l_len = 1};
    return fcntl(hold->fd, F_SETLK, &lock) == 0;
}

void hold_close(struct hold *hold)
{
    if (hold->fd >= 0) {
        (void)close(hold->fd);
        hold->fd = -1;
    }
}
