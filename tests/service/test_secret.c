// Tokens: where they come from, who may read them, and that no error repeats one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "adapters/service/preparation.h"

#include "tests/support/folder.h"
#include "tests/support/test.h"

static const char VARIABLE[] = "MUNCHBOT_TEST_TOKEN";
static const char CREDENTIAL[] = "test_token";

struct token_place {
    char folder[FOLDER_PATH_SIZE], file[FOLDER_PATH_SIZE];
    struct secret_names names;
    struct mb_error err;
    char secret[SECRET_SIZE];
};

static int set_up(void **state)
{
    struct token_place *const place = calloc(1, sizeof *place);
    assert_non_null(place);
    folder_make(place->folder);
    folder_in(place->folder, "token", place->file);
    place->names = (struct secret_names){.variable = VARIABLE, .credential = CREDENTIAL};
    assert_int_equal(unsetenv(VARIABLE), 0);
    assert_int_equal(unsetenv("CREDENTIALS_DIRECTORY"), 0);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct token_place *const place = *state;
    folder_remove(place->folder);
    free(place);
    return 0;
}

static void write_file(const char *path, const char *bytes, size_t size, mode_t mode)
{
    FILE *const file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void write_token(const char *path, const char *token, mode_t mode)
{
    write_file(path, token, strlen(token), mode);
}

static void expect(struct token_place *place, const char *secret)
{
    const bool good = secret_read(&place->names, place->secret, &place->err);
    assert_string_equal(place->err.text, "");
    assert_true(good);
    assert_string_equal(place->secret, secret);
}

static void expect_fault(struct token_place *place, const char *words)
{
    assert_false(secret_read(&place->names, place->secret, &place->err));
    assert_non_null(strstr(place->err.text, words));
    assert_null(strstr(place->err.text, "hush"));
    assert_string_equal(place->secret, "");
}

static void test_environment_goes_first(void **state)
{
    struct token_place *const place = *state;
    write_token(place->file, "from-file", S_IRUSR);
    place->names.file = place->file;
    assert_int_equal(setenv(VARIABLE, "from-environment", 1), 0);
    expect(place, "from-environment");
}

static void test_file(void **state)
{
    struct token_place *const place = *state;
    write_token(place->file, "from-file\r\n", S_IRUSR | S_IWUSR);
    place->names.file = place->file;
    expect(place, "from-file");
}

static void test_file_that_others_can_read(void **state)
{
    struct token_place *const place = *state;
    place->names.file = place->file;
    write_token(place->file, "hush", S_IRUSR | S_IRGRP);
    expect_fault(place, "others can read the token: chmod 600");
    place->err = (struct mb_error){0};
    write_token(place->file, "hush", S_IRUSR | S_IROTH);
    expect_fault(place, "others can read the token: chmod 600");
}

static void test_credential(void **state)
{
    struct token_place *const place = *state;
    char path[FOLDER_PATH_SIZE];
    folder_in(place->folder, CREDENTIAL, path);
    write_token(path, "from-systemd", S_IRUSR | S_IRGRP);
    assert_int_equal(setenv("CREDENTIALS_DIRECTORY", place->folder, 1), 0);
    expect(place, "from-systemd");
}

static void test_nothing(void **state)
{
    struct token_place *const place = *state;
    assert_int_equal(setenv("CREDENTIALS_DIRECTORY", place->folder, 1), 0);
    expect_fault(place, "no token: set MUNCHBOT_TEST_TOKEN, token_file, or systemd's "
                        "credential test_token");
}

static void test_what_is_no_token(void **state)
{
    struct token_place *const place = *state;
    char much[SECRET_SIZE + 2];
    place->names.file = place->file;
    static const char *const WRONG[] = {"Bot hush", "hush\nhush", "h\xC3\xBCsh hush", "hush\x1b"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        place->err = (struct mb_error){0};
        write_token(place->file, WRONG[i], S_IRUSR | S_IWUSR);
        expect_fault(place, "contains no token: write a single word, without \"Bot\"");
    }
    place->err = (struct mb_error){0};
    write_file(place->file, "hush\0hush", 9, S_IRUSR | S_IWUSR);
    expect_fault(place, "contains no token");
    place->err = (struct mb_error){0};
    write_token(place->file, " \n", S_IRUSR | S_IWUSR);
    expect_fault(place, "it is empty");
    place->err = (struct mb_error){0};
    memset(much, 'h', sizeof much);
    write_file(place->file, much, sizeof much, S_IRUSR | S_IWUSR);
    expect_fault(place, "it is too long");
    place->err = (struct mb_error){0};
    place->names.file = place->folder;
    expect_fault(place, "is not a file");
    place->err = (struct mb_error){0};
    place->names.file = "/nowhere/token";
    expect_fault(place, "cannot read the token from /nowhere/token (No such file or directory)");
}

static void test_longest_and_wiped(void **state)
{
    struct token_place *const place = *state;
    char much[SECRET_SIZE];
    static const char NONE[SECRET_SIZE];
    memset(much, 'h', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    write_token(place->file, much, S_IRUSR);
    place->names.file = place->file;
    expect(place, much);
    secret_wipe(place->secret);
    assert_memory_equal(place->secret, NONE, SECRET_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_environment_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_file_that_others_can_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_credential, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_longest_and_wiped, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
