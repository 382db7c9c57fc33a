#include "tests/support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <dirent.h>

#include "tests/support/test.h"

void folder_make(char path[FOLDER_PATH_SIZE])
{
    const char *const where = getenv("TMPDIR");
    const int length = snprintf(path, FOLDER_PATH_SIZE, "%s/munchbot-test-XXXXXX",
                                where != NULL && where[0] != '\0' ? where : "/tmp");
    assert_true(length > 0 && length < FOLDER_PATH_SIZE);
    assert_non_null(mkdtemp(path));
}

void folder_in(const char *folder, const char *name, char out[FOLDER_PATH_SIZE])
{
    const int length = snprintf(out, FOLDER_PATH_SIZE, "%s/%s", folder, name);
    assert_true(length > 0 && length < FOLDER_PATH_SIZE);
}

void folder_remove(const char *path)
{
    DIR *const folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *at = readdir(folder); at != NULL; at = readdir(folder)) {
        char file[FOLDER_PATH_SIZE];
        if (strcmp(at->d_name, ".") != 0 && strcmp(at->d_name, "..") != 0) {
            folder_in(path, at->d_name, file);
            assert_int_equal(unlink(file), 0);
        }
    }
    (void)closedir(folder);
    assert_int_equal(rmdir(path), 0);
}
