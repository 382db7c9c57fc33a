#include <string.h>

#include "core/base/error.h"

#include "tests/support/test.h"

static void the_first_failure_wins(void **state)
{
    (void)state;
    struct mb_error err = {0};
    assert_false(mb_fail(&err, MB_ERR_IO, "cannot read %s", "cards"));
    assert_false(mb_fail(&err, MB_ERR_INPUT, "no cards"));
    assert_int_equal(err.code, MB_ERR_IO);
    assert_string_equal(err.text, "cannot read cards");
}

static void without_an_error_it_still_fails(void **state)
{
    (void)state;
    assert_false(mb_fail(NULL, MB_ERR_LIMIT, "nobody listens"));
}

struct text_case {
    const char *name;
    size_t filler;    // letters before the character
    const char *last; // the character that meets the end of the text
    size_t length;    // of what is kept
};

// The text holds 159 bytes and its end.
static const struct text_case TEXTS[] = {
    {"a letter that just fits is kept", 158, "x", 159},
    {"a letter too many is dropped", 159, "x", 159},
    {"two bytes that just fit are kept", 157, "é", 159},
    {"two bytes with one too many are dropped", 158, "é", 158},
    {"three bytes that just fit are kept", 156, "€", 159},
    {"three bytes with one too many are dropped", 157, "€", 157},
    {"three bytes with two too many are dropped", 158, "€", 158},
    {"four bytes that just fit are kept", 155, "🃏", 159},
    {"four bytes with one too many are dropped", 156, "🃏", 156},
    {"four bytes with three too many are dropped", 158, "🃏", 158},
    {"four bytes beyond the end are dropped", 159, "🃏", 159},
};

enum { TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0] };

static void long_text_is_cut_at_a_character(void **state)
{
    const struct text_case *row = *state;
    char filler[200];
    memset(filler, 'a', sizeof filler);
    struct mb_error err = {0};
    assert_false(mb_fail(&err, MB_ERR_INPUT, "%.*s%s%s", (int)row->filler, filler, row->last,
                         row->length < 159 || row->filler == 159 ? "tail" : ""));
    assert_int_equal(strlen(err.text), row->length);
}

static void text_of_broken_utf8_is_kept(void **state)
{
    (void)state;
    char broken[300];
    memset(broken, '\x80', sizeof broken - 1);
    broken[sizeof broken - 1] = '\0';
    struct mb_error err = {0};
    assert_false(mb_fail(&err, MB_ERR_INPUT, "%s", broken));
    assert_int_equal(strlen(err.text), 159);
}

int main(void)
{
    struct CMUnitTest tests[3 + TEXT_COUNT] = {
        cmocka_unit_test(the_first_failure_wins),
        cmocka_unit_test(without_an_error_it_still_fails),
        cmocka_unit_test(text_of_broken_utf8_is_kept),
    };
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        tests[3 + i] = (struct CMUnitTest){.name = TEXTS[i].name,
                                           .test_func = long_text_is_cut_at_a_character,
                                           .initial_state = (void *)(uintptr_t)&TEXTS[i]};
    }
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
