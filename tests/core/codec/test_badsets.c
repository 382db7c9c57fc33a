// Every folder of tests/data/badsets is a set with mistakes; its expected.txt holds all errors.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "core/codec/catalog.h"

#include "tests/support/test.h"

enum { SETS_MAX = 64, PATH_SIZE = 512, TEXT_SIZE = 16 * 1024 };

static const char ROOT[] = "tests/data/badsets";

static void found_lines(const struct catalog_issues *issues, const char *dir, char *out)
{
    size_t length = 0;
    size_t skip = strlen(dir) + 1;
    for (size_t i = 0; i < issues->count; i++) {
        if (!issues->list[i].note) {
            assert_true(strncmp(issues->list[i].text, dir, skip - 1) == 0);
            length += (size_t)snprintf(out + length, TEXT_SIZE - length, "%s\n",
                                       issues->list[i].text + skip);
        }
    }
}

static void test_bad_set(void **state)
{
    static struct catalog_issues issues;
    static char found[TEXT_SIZE];
    static char expected[TEXT_SIZE];
    char path[PATH_SIZE];
    memset(&issues, 0, sizeof issues);
    memset(found, 0, sizeof found);
    memset(expected, 0, sizeof expected);
    (void)snprintf(path, sizeof path, "%s/%s", ROOT, (const char *)*state);
    const char *dir = path;
    struct catalog *catalog = catalog_load_sets(&dir, 1, &issues);
    assert_non_null(catalog);
    assert_true(issues.errors > 0);
    found_lines(&issues, path, found);

    // What is wrong with a set keeps it out of every game.
    static struct box box;
    struct mb_error err = {0};
    uint8_t set = 0;
    assert_false(catalog_box(catalog, &set, 1, EDITION_CLASSIC, &box, &err));
    catalog_destroy(catalog);

    (void)snprintf(path, sizeof path, "%s/%s/expected.txt", ROOT, (const char *)*state);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(expected, 1, sizeof expected - 1, file);
    (void)fclose(file);
    assert_true(size > 0);
    assert_string_equal(found, expected);
}

int main(void)
{
    static struct CMUnitTest tests[SETS_MAX];
    static char names[SETS_MAX][64];
    size_t count = 0;
    DIR *dir = opendir(ROOT);
    if (dir == NULL) {
        return 1;
    }
    for (struct dirent *entry = readdir(dir); entry != NULL && count < SETS_MAX;
         entry = readdir(dir)) {
        if (entry->d_name[0] != '.') {
            (void)snprintf(names[count], sizeof names[count], "%.60s", entry->d_name);
            tests[count] = (struct CMUnitTest){
                .name = names[count], .test_func = test_bad_set, .initial_state = names[count]};
            count++;
        }
    }
    (void)closedir(dir);
    return count == 0 ? 1 : _cmocka_run_group_tests("badsets", tests, count, NULL, NULL);
}
