#include "bot/cards_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *cards_dir(char *out, size_t size)
{
    char path[PATH_SIZE];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        char *const slash = strrchr(path, '/');
        if (slash != NULL) {
            *slash = '\0';
            (void)snprintf(out, size, "%s/cards", path);
            if (is_folder(out)) {
                return out;
            }
        }
    }
    (void)snprintf(out, size, "%s", MB_CARDS_DIR);
    return out;
}

struct catalog *cards_load(struct mb_error *err)
{
    char path[PATH_SIZE];
    // Too large for the stack of a thread, and wanted for one sentence only.
    struct catalog_issues *const issues = calloc(1, sizeof *issues);
    struct catalog *const catalog = catalog_load(cards_dir(path, sizeof path), issues);
    if (catalog == NULL) {
        (void)mb_fail(err, MB_ERR_IO, "no card sets in %s: %s", path,
                      issues != NULL && issues->count > 0 ? issues->list[0].text : "no memory");
    }
    free(issues);
    return catalog;
}
