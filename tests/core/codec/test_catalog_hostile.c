// What a hostile file may do at most: be refused with a clear sentence, in bounded memory and time.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// A complaint quotes what stands where JSON ends: nothing that turns or hides the line.
static void test_complaints_show_what_they_quote(void **state)
{
    (void)state;
    refused(repeat("[{\"name\" \xC2\x8B", "", 0, ""), "near '\?\?");
    refused(repeat("[{\"name\" \xE2\x80\xAE", "", 0, ""), "near '\?\?\?");
    refused(repeat("[{\"name\" \xE2\x80\x94", "", 0, ""), "near '\xE2\x80\x94");
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
    };
    return cmocka_run_group_tests_name("catalog_hostile", tests, NULL, NULL);
}
