#include "tests/core/codec/catalog_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

const char FIXTURE_CARDS[] =
    "[{'name': 'Elf', 'kind': 'race'}, {'name': 'Wizard', 'kind': 'class'},"
    " {'name': 'Cleric', 'kind': 'class'},"
    " {'name': 'Torch', 'kind': 'item', 'tags': ['fire', 'stick']}]";

static char *double_quotes(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    return copy;
}

struct catalog *fixture_catalog(void)
{
    struct catalog *catalog = catalog_load_sets(NULL, 0, NULL);
    assert_non_null(catalog);
    assert_int_equal(fixture_add(catalog, FIXTURE_CARDS), 0);
    return catalog;
}

uint8_t fixture_add(struct catalog *catalog, const char *cards)
{
    static struct catalog_issues issues;
    memset(&issues, 0, sizeof issues);
    uint8_t set = NO_SET;
    char *text = double_quotes(cards);
    if (!catalog_add_text(catalog, text, strlen(text), "cards", &set, &issues)) {
        fail_msg("%s\nin %s", issues.count > 0 ? issues.list[0].text : "?", text);
    }
    free(text);
    return set;
}

void fixture_refuse(struct catalog *catalog, const char *cards, const char *expected)
{
    static struct catalog_issues issues;
    memset(&issues, 0, sizeof issues);
    uint8_t set = NO_SET;
    size_t defs = catalog_def_count(catalog);
    size_t sets = catalog_set_count(catalog);
    char *text = double_quotes(cards);
    assert_false(catalog_add_text(catalog, text, strlen(text), "cards", &set, &issues));
    free(text);
    assert_true(issues.count > 0);
    if (strstr(issues.list[0].text, expected) == NULL) {
        fail_msg("expected \"%s\", found \"%s\"", expected, issues.list[0].text);
    }
    assert_int_equal(catalog_def_count(catalog), defs);
    assert_int_equal(catalog_set_count(catalog), sets);
}
