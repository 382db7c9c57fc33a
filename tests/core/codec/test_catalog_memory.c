// The loader with too little memory: each allocation fails once, and each time it says so.
#include <string.h>

#include "core/codec/catalog.h"

#include "tests/support/failing_alloc.h"
#include "tests/support/test.h"

static const char *const DIRS[] = {"tests/data/goodset"};
static const char CARDS[] = "[{\"kind\": \"curse\", \"name\": \"Tax\", \"rows\": "
                            "[{\"when\": \"strike\", \"do\": \"level\", \"amount\": -1}]}]";

static struct catalog_issues issues;

static bool is_told(const char *what)
{
    for (size_t i = 0; i < issues.count; i++) {
        if (strstr(issues.list[i].text, what) != NULL) {
            return true;
        }
    }
    return false;
}

// A catalog without errors, or NULL and a complaint.
static struct catalog *load(void)
{
    memset(&issues, 0, sizeof issues);
    struct catalog *const catalog = catalog_load_sets(DIRS, 1, &issues);
    if (catalog == NULL) {
        if (!is_told("not enough memory")) {
            fail_msg("expected a word of memory, found \"%s\"", issues.list[0].text);
        }
    } else if (issues.errors > 0) {
        catalog_destroy(catalog);
        return NULL;
    }
    return catalog;
}

static bool load_and_make_a_box(void *user)
{
    (void)user;
    struct catalog *const catalog = load();
    if (catalog == NULL) {
        return false;
    }
    static struct box box;
    struct mb_error err = {0};
    const uint8_t sets[] = {0};
    assert_true(catalog_set(catalog, 0)->complete);
    const bool made = catalog_box(catalog, sets, 1, EDITION_CLASSIC, &box, &err);
    assert_true(made || err.code != MB_OK);
    catalog_destroy(catalog);
    return made;
}

static bool add_cards(void *user)
{
    struct catalog *const catalog = user;
    const size_t sets = catalog_set_count(catalog);
    uint8_t set = NO_SET;
    memset(&issues, 0, sizeof issues);
    const bool added = catalog_add_text(catalog, CARDS, sizeof CARDS - 1, "extra", &set, &issues);
    assert_true(added || issues.errors > 0);
    if (added) {
        catalog_rewind(catalog, set);
    }
    assert_int_equal(catalog_set_count(catalog), sets);
    return added;
}

static bool load_a_folder(void *user)
{
    failing_alloc_spare_json(); // whose texts have any length
    struct catalog *const catalog = catalog_load(user, &issues);
    catalog_destroy(catalog);
    return catalog != NULL;
}

static void test_sets(void **state)
{
    (void)state;
    assert_true(failing_alloc_each(load_and_make_a_box, NULL) > 20);
}

static void test_extra_cards(void **state)
{
    (void)state;
    struct catalog *const catalog = load();
    assert_non_null(catalog);
    assert_true(failing_alloc_each(add_cards, catalog) > 5);
    catalog_destroy(catalog);
}

static void test_a_folder_of_sets(void **state)
{
    (void)state;
    static char folder[] = "tests/data";
    memset(&issues, 0, sizeof issues);
    assert_true(failing_alloc_each(load_a_folder, folder) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_extra_cards),
        cmocka_unit_test(test_a_folder_of_sets),
    };
    return cmocka_run_group_tests_name("catalog_memory", tests, NULL, NULL);
}
