#include "adapters/console/first_time.h"

#include <stdio.h>
#include <stdlib.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

// The folder, made with its parents; false if there is no place for it.
static bool folder(char out[PATH_BYTES])
{
    const char *const state = getenv("XDG_STATE_HOME");
    const char *const home = getenv("HOME");
    int length = -1;
    if (state != NULL && state[0] == '/') {
        length = snprintf(out, PATH_BYTES, "%s/munchbot", state);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(out, PATH_BYTES, "%s/.local/state/munchbot", home);
    }
    if (length < 0 || length >= PATH_BYTES - (int)sizeof "/guide") {
        return false;
    }
    for (char *at = out + 1; *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            (void)mkdir(out, 0700);
            *at = '/';
        }
    }
    return mkdir(out, 0700) == 0 || access(out, W_OK) == 0;
}

static bool path(char out[PATH_BYTES])
{
    char dir[PATH_BYTES];
    if (!folder(dir)) {
        return false;
    }
    const int length = snprintf(out, PATH_BYTES, "%s/guide", dir);
    return length > 0 && length < PATH_BYTES;
}

bool first_time(void)
{
    char file[PATH_BYTES];
    return path(file) && access(file, F_OK) != 0;
}

void first_time_over(void)
{
    char file[PATH_BYTES];
    const int fd = path(file) ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
}
