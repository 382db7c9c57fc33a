// What a hostile file may do at most: be refused with a clear sentence, in bounded memory and time.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/catalog.h"

#include "tests/core/codec/catalog_fixture.h"
#include "tests/support/test.h"

static struct catalog_issues issues;

static char *append(char *to, const char *from)
{
    for (; *from != '\0'; from++) {
        *to++ = *from;
    }
    *to = '\0';
    return to;
}

/** A text of `head`, `count` times `item`, and `tail`. */
static char *repeat(const char *head, const char *item, size_t count, const char *tail)
{
    char *text = malloc(strlen(head) + count * strlen(item) + strlen(tail) + 1);
    assert_non_null(text);
    char *to = append(text, head);
    for (size_t i = 0; i < count; i++) {
        to = append(to, item);
    }
    append(to, tail);
    return text;
}

static void refused(char *text, const char *expected)
{
    uint8_t set = NO_SET;
    struct catalog *catalog = fixture_catalog();
    memset(&issues, 0, sizeof issues);
    assert_false(catalog_add_text(catalog, text, strlen(text), "hostile", &set, &issues));
    assert_true(issues.count > 0);
    if (strstr(issues.list[0].text, expected) == NULL) {
        fail_msg("expected \"%s\", found \"%s\"", expected, issues.list[0].text);
    }
    assert_true(issues.count <= CATALOG_ISSUES_MAX);
    catalog_destroy(catalog);
    free(text);
}

static void test_a_million_cards(void **state)
{
    (void)state;
    refused(repeat("[", "{},", 1000000, "{}]"), "expected at most 400000 values");
}

static void test_many_wrong_cards(void **state)
{
    (void)state;
    refused(repeat("[", "{\"kind\":1},", 20000, "{}]"), "expected at most 4096 cards, found 20001");
    refused(repeat("[", "{\"kind\":1},", 4000, "{}]"), "card 1: name: expected the card's name");
    assert_true(issues.errors >= 4000);
}

static void test_a_name_of_ten_megabytes(void **state)
{
    (void)state;
    refused(repeat("[{\"kind\":\"curse\",\"name\":\"", "abcdefghij", 1048576, "\"}]"),
            "expected at most 8 MiB, found more");
    refused(repeat("[{\"kind\":\"curse\",\"name\":\"", "abcdefghij", 500000, "\"}]"),
            "expected text of 1 to 60 characters, found 5000000 characters");
}

static void test_depth(void **state)
{
    (void)state;
    refused(repeat("", "[", 1000000, ""), "at most 24 deep, found more");
    refused(repeat("", "{\"a\":", 100000, ""), "at most 24 deep, found more");
}

static void test_more_of_everything_than_fits(void **state)
{
    (void)state;
    refused(repeat("[{\"kind\":\"curse\",\"name\":\"x\",\"rows\":[",
                   "{\"when\":\"strike\",\"do\":\"death\"},", 41,
                   "{\"when\":\"strike\",\"do\":\"death\"}]}]"),
            "expected a list of at most 40 rows");
    refused(repeat("[{\"kind\":\"item\",\"name\":\"x\",\"needs\":[", "{\"human\":true},", 17,
                   "{\"human\":true}]}]"),
            "expected a list of at most 16 requirements");
    refused(repeat("[{\"kind\":\"item\",\"name\":\"x\",\"tags\":[", "\"a\",", 70, "\"a\"]}]"),
            "expected a list of words");
}

static void test_more_traits_than_fit(void **state)
{
    (void)state;
    char text[64 * 80];
    size_t length = (size_t)snprintf(text, sizeof text, "[");
    for (int i = 0; i < 70; i++) {
        length +=
            (size_t)snprintf(text + length, sizeof text - length,
                             "%s{\"kind\": \"race\", \"name\": \"Race %d\"}", i > 0 ? "," : "", i);
    }
    (void)snprintf(text + length, sizeof text - length, "]");
    char *copy = malloc(sizeof text);
    assert_non_null(copy);
    memcpy(copy, text, sizeof text);
    refused(copy, "the sets hold more than 64 Classes, Races and kin");
}

static void test_lines_stay_lines(void **state)
{
    (void)state;
    refused(repeat("[{\"kind\":\"curse\",\"name\":\"x\",\"wo\\u0007rd\\n", "long", 200, "\":1}]"),
            "expected a known field");
    for (size_t i = 0; i < issues.count; i++) {
        assert_true(strlen(issues.list[i].text) < CATALOG_ISSUE_SIZE);
        for (const char *c = issues.list[i].text; *c != '\0'; c++) {
            assert_true((unsigned char)*c >= 0x20);
        }
    }
}

/* Failing memory: the n-th request of catalog or parser is refused, for every n. */

static size_t left;

// A complaint quotes what stands where JSON ends: nothing that turns or hides the line.
static void test_complaints_show_what_they_quote(void **state)
{
    (void)state;
    refused(repeat("[{\"name\" \xC2\x8B", "", 0, ""), "near '\?\?");
    refused(repeat("[{\"name\" \xE2\x80\xAE", "", 0, ""), "near '\?\?\?");
    refused(repeat("[{\"name\" \xE2\x80\x94", "", 0, ""), "near '\xE2\x80\x94");
}

static void *count_down(size_t size)
{
    if (left == 0) {
        return NULL;
    }
    left--;
    return malloc(size);
}

static void *allocate(size_t size, void *user)
{
    (void)user;
    return count_down(size);
}

static void release(void *block, void *user)
{
    (void)user;
    free(block);
}

static bool tells_of_memory(void)
{
    for (size_t i = 0; i < issues.count; i++) {
        if (strstr(issues.list[i].text, "not enough memory") != NULL) {
            return true;
        }
    }
    return false;
}

static void test_memory_may_fail_at_any_request(void **state)
{
    (void)state;
    static const char *const DIRS[] = {"tests/data/goodset"};
    static const struct catalog_memory MEMORY = {.allocate = allocate, .release = release};
    struct catalog *catalog = NULL;
    json_set_alloc_funcs(count_down, free);
    size_t refusals = 0;
    for (size_t n = 0; catalog == NULL && n < 20000; n++) {
        memset(&issues, 0, sizeof issues);
        left = n;
        catalog = catalog_load_sets(DIRS, 1, &MEMORY, &issues);
        if (catalog == NULL) {
            refusals++;
            assert_true(tells_of_memory());
        } else if (issues.errors > 0) {
            // The parser may lose a value that it does not need; then the file is refused.
            catalog_destroy(catalog);
            catalog = NULL;
        }
    }
    json_set_alloc_funcs(malloc, free);
    assert_non_null(catalog);
    assert_true(refusals > 20);
    assert_int_equal(catalog_set(catalog, 0)->errors, 0);
    catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_million_cards),
        cmocka_unit_test(test_many_wrong_cards),
        cmocka_unit_test(test_a_name_of_ten_megabytes),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_more_of_everything_than_fits),
        cmocka_unit_test(test_more_traits_than_fit),
        cmocka_unit_test(test_lines_stay_lines),
        cmocka_unit_test(test_complaints_show_what_they_quote),
        cmocka_unit_test(test_memory_may_fail_at_any_request),
    };
    return cmocka_run_group_tests_name("catalog_hostile", tests, NULL, NULL);
}
