#include "bot/cards_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/codec/memory.h"

enum { PATH_SIZE = 4096 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *cards_dir(char *out, size_t size)
{
    // Carried beside the program, or installed.
    static const char *const PLACES[] = {"/cards", "/../share/munchbot/cards"};
    char path[PATH_SIZE];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(path, '/');
    for (size_t i = 0; slash != NULL && i < sizeof PLACES / sizeof PLACES[0]; i++) {
        *slash = '\0';
        (void)snprintf(out, size, "%s%s", path, PLACES[i]);
        if (is_folder(out)) {
            return out;
        }
    }
    (void)snprintf(out, size, "%s", MB_CARDS_DIR);
    return out;
}

// The first thing that is wrong with a set of one's own.
static const char *wrong_with_own(const struct catalog_issues *issues, const char *own)
{
    const size_t length = strlen(own);
    for (size_t i = 0; i < issues->count; i++) {
        const struct catalog_issue *const issue = &issues->list[i];
        if (!issue->note && strncmp(issue->text, own, length < 200 ? length : 200) == 0) {
            return issue->text;
        }
    }
    return NULL;
}

struct catalog *cards_load(const char *own, struct mb_error *err)
{
    char path[PATH_SIZE];
    // Too large for the stack of a thread, and wanted for one sentence only.
    struct catalog_issues *const issues = mb_new(1, sizeof *issues);
    struct catalog *catalog = catalog_load_beside(cards_dir(path, sizeof path), own, issues);
    const char *const wrong = own != NULL ? wrong_with_own(issues, own) : NULL;
    if (wrong != NULL) {
        (void)mb_fail(err, MB_ERR_IO, "%s", wrong);
        catalog_destroy(catalog);
        catalog = NULL;
    } else if (catalog == NULL) {
        (void)mb_fail(err, MB_ERR_IO, "no card sets in %s: %s", path, issues->list[0].text);
    }
    free(issues);
    return catalog;
}

// The folder with its parents; those that are made are their owner's alone.
static bool make_folder(char *path, struct mb_error *err)
{
    for (char *at = path + 1;; at++) {
        const char was = *at;
        if (was != '/' && was != '\0') {
            continue;
        }
        *at = '\0';
        const bool there = mkdir(path, S_IRWXU) == 0 || errno == EEXIST;
        if (!there) {
            return mb_fail(err, MB_ERR_IO, "cannot create the folder %s (%s)", path,
                           strerror(errno));
        }
        *at = was;
        if (was == '\0') {
            return true;
        }
    }
}

bool own_dir(char *out, size_t size, struct mb_error *err)
{
    const char *const state = getenv("XDG_STATE_HOME");
    const char *const home = getenv("HOME");
    int length = -1;
    if (state != NULL && state[0] == '/') {
        length = snprintf(out, size, "%s/munchbot", state);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(out, size, "%s/.local/state/munchbot", home);
    }
    if (length < 0 || (size_t)length >= size) {
        return mb_fail(err, MB_ERR_INPUT, "neither XDG_STATE_HOME nor HOME names a folder");
    }
    return make_folder(out, err);
}
