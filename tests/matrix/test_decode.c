// Answers of which something cannot be read: the rest is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/client/wire.h"

#include "tests/support/test.h"

enum { DEEP = 20000 };

struct bad {
    const char *name, *text, *read; // read: as it is read, compact; NULL: it is none
};

static const struct bad CASES[] = {
    {"what_is_readable_stays_as_it_is", "{\"a\":[1.5,-7,\"\\u00e9\\ud83d\\ude00\"]}",
     "{\"a\":[1.5,-7,\"\xC3\xA9\xF0\x9F\x98\x80\"]}"},
    {"an_escaped_zero", "{\"a\":\"x\\u0000y\",\"b\":2}", "{\"a\":\"x\xEF\xBF\xBDy\",\"b\":2}"},
    {"an_escaped_zero_in_a_key", "{\"\\u0000\":1}", "{\"\xEF\xBF\xBD\":1}"},
    {"no_escape_behind_an_escaped_backslash", "[\"\\\\u0000\",\"\\u0000\"]",
     "[\"\\\\u0000\",\"\xEF\xBF\xBD\"]"},
    {"the_first_half_of_a_pair", "[\"\\ud83dx\"]", "[\"\xEF\xBF\xBDx\"]"},
    {"the_second_half_of_a_pair", "[\"\\ude00\"]", "[\"\xEF\xBF\xBD\"]"},
    {"two_first_halves", "[\"\\ud83d\\ud83d\\ude00\"]", "[\"\xEF\xBF\xBD\xF0\x9F\x98\x80\"]"},
    {"bytes_that_are_no_utf8", "[\"a\xFF\xC3z\xED\xA0\x80\xC0\x80\"]", "[\"a\?\?z\?\?\?\?\?\"]"},
    {"a_line_end_in_a_string", "[\"a\nb\"]", "[\"a?b\"]"},
    {"a_number_that_is_too_great", "[123456789012345678901234567890,7]", "[0,7]"},
    {"a_fraction_without_end", "[1e999,-1E9999,2]", "[0,0,2]"},
    {"digits_in_a_string_are_none", "[\"123456789012345678901234567890\",1e999]",
     "[\"123456789012345678901234567890\",0]"},
    {"a_page_of_a_proxy", "<html>\"bad\" gateway</html>", NULL},
    {"half_an_answer", "{\"a\":\"\\u0000", NULL},
    {"half_an_escape", "[\"\\u00", NULL},
    {"a_backslash_at_the_end", "[\"\\", NULL},
    {"more_closed_than_open", "]]]]}}\"", NULL},
    {"nothing", "", NULL},
};

static void a_text_is_read(void **state)
{
    const struct bad *const bad = *state;
    // Of its very size: what reads further is found out.
    const size_t size = strlen(bad->text);
    char *const copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bad->text, size);
    json_t *const json = decode_answer(copy, size);
    char *const read = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    if (bad->read == NULL) {
        assert_null(read);
    } else {
        assert_non_null(read);
        assert_string_equal(read, bad->read);
    }
    free(read);
    free(copy);
    json_decref(json);
}

// Any number of brackets: what stands beside them is read.
static void what_is_nested_too_deep_is_left_out(void **state)
{
    static char text[2 * DEEP + 64];
    (void)state;
    size_t length = (size_t)snprintf(text, sizeof text, "{\"deep\":");
    memset(text + length, '[', DEEP);
    memset(text + length + DEEP, ']', DEEP);
    length += 2 * (size_t)DEEP;
    length += (size_t)snprintf(text + length, sizeof text - length, ",\"beside\":[[\"x\"]]}");
    json_t *const json = decode_answer(text, length);
    const json_t *const beside = json_object_get(json, "beside");
    assert_string_equal(json_string_value(json_array_get(json_array_get(beside, 0), 0)), "x");
    unsigned depth = 0;
    for (const json_t *at = json_object_get(json, "deep"); at != NULL; at = json_array_get(at, 0)) {
        depth++;
    }
    assert_int_equal(depth, DECODE_DEPTH_MAX);
    json_decref(json);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof *CASES };
    struct CMUnitTest tests[CASE_COUNT + 1] = {
        cmocka_unit_test(what_is_nested_too_deep_is_left_out)};
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i + 1] = (struct CMUnitTest){.name = CASES[i].name,
                                           .test_func = a_text_is_read,
                                           .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
