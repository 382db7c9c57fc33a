// Feeds the files of folders to a fuzzer's function: inputs that once broke something, and seeds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "tests/fuzz/fuzz.h"

enum { PATH_SIZE = 1024, INPUT_MAX = 1 << 20 };

static bool replay_file(const char *path)
{
    static uint8_t bytes[INPUT_MAX];
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    uint8_t *const input = malloc(size + 1); // its own block: a sanitizer sees reads before it
    if (input == NULL) {
        return false;
    }
    memcpy(input, bytes, size);
    (void)fprintf(stderr, "%s\n", path);
    (void)LLVMFuzzerTestOneInput(input, size);
    free(input);
    return true;
}

// Counts what was fed; a folder that is missing holds nothing.
static bool replay_folder(const char *folder, unsigned long *count)
{
    DIR *const dir = opendir(folder);
    bool good = true;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char path[PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && length < PATH_SIZE) {
            good = replay_file(path) && good;
            ++*count;
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return good;
}

int main(int argc, char **argv)
{
    unsigned long count = 0;
    bool good = argc > 1;
    for (int i = 1; i < argc; i++) {
        good = replay_folder(argv[i], &count) && good;
    }
    static const uint8_t nothing[1];
    (void)LLVMFuzzerTestOneInput(nothing, 0);
    (void)printf("%lu inputs survived\n", count);
    return good ? 0 : 1;
}
