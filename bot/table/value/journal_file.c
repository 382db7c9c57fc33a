#include "bot/table/journal_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/codec/memory.h"

enum { SUFFIX_SIZE = 8, OWNER_ONLY = 0600, EVERYBODY = 0666 };

// Never follows what somebody else put there, and never shows what is inside before it is meant to.
static int create(char *temporary, bool open_to_all)
{
    const int fd = mkstemp(temporary); // 0600
    if (fd >= 0 && open_to_all) {
        const mode_t mask = umask(0);
        (void)umask(mask);
        (void)fchmod(fd, (mode_t)EVERYBODY & ~mask);
    }
    return fd;
}

static bool write_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const ssize_t wrote = write(fd, text, left);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        text += wrote > 0 ? wrote : 0;
        left -= wrote > 0 ? (size_t)wrote : 0;
    }
    return fsync(fd) == 0 || errno == EINVAL;
}

static bool put_in_place(const char *text, const char *path, bool open_to_all, struct mb_error *err)
{
    const size_t size = strlen(path) + SUFFIX_SIZE;
    struct stat there;
    char *const temporary = mb_new(size, 1);
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        free(temporary);
        return mb_fail(err, MB_ERR_IO, "%.80s is not a file that can be replaced", path);
    }
    (void)snprintf(temporary, size, "%s.XXXXXX", path);
    const int fd = create(temporary, open_to_all);
    bool written = fd >= 0 && write_all(fd, text);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && written) {
        written = false;
        why = errno;
    }
    if (written && rename(temporary, path) != 0) {
        written = false;
        why = errno;
    }
    if (!written && fd >= 0) {
        (void)unlink(temporary);
    }
    free(temporary);
    return written || mb_fail(err, MB_ERR_IO, "cannot write %.80s (%s)", path, strerror(why));
}

bool journal_save(const struct journal *journal, const struct game *final, const char *path,
                  struct mb_error *err)
{
    const bool over = journal->state == JOURNAL_FINISHED || journal->state == JOURNAL_ENDED;
    char *const text = journal_export(journal, final, err);
    const bool saved = text != NULL && put_in_place(text, path, over, err);
    free(text);
    return saved;
}

// Reads at most one byte more than an export may have; that one tells that it is too large.
char *journal_file_read(const char *path, size_t *size, struct mb_error *err)
{
    enum { FIRST_ROOM = 65536 };
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        (void)mb_fail(err, MB_ERR_IO, "cannot read the file (%s)", strerror(errno));
        return NULL;
    }
    size_t room = FIRST_ROOM;
    char *text = mb_grow(NULL, room, 1);
    *size = 0;
    for (;;) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room || room > JOURNAL_BYTES_MAX) {
            break;
        }
        room *= 2;
        text = mb_grow(text, room, 1);
    }
    if (ferror(file) != 0) {
        (void)mb_fail(err, MB_ERR_IO, "cannot read the file (%s)", strerror(errno));
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}
