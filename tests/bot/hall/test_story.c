// What a turn has told so far is its latest lines, however they came.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/out/out.h"

#include "tests/support/test.h"

enum { NARRATIONS = 60, LINE_SIZE = 64 };

static char *told(unsigned from, unsigned count)
{
    char *story = NULL;
    for (unsigned i = from; i < from + count; i++) {
        char line[LINE_SIZE];
        (void)snprintf(line, sizeof line, "Line %u.\n", i);
        char *const next = story_with(story, line);
        assert_non_null(next);
        free(story);
        story = next;
    }
    return story;
}

static unsigned lines_of(const char *story)
{
    unsigned lines = 0;
    for (; *story != '\0'; story++) {
        lines += *story == '\n' ? 1 : 0;
    }
    return lines;
}

static void it_begins_with_what_is_told_first(void **state)
{
    (void)state;
    char *const story = told(1, 2);
    assert_string_equal(story, "Line 1.\nLine 2.\n");
    free(story);
}

static void its_latest_lines_stay(void **state)
{
    (void)state;
    char *const story = told(0, NARRATIONS);
    assert_int_equal(lines_of(story), STORY_LINES);
    assert_ptr_equal(strstr(story, "Line 40."), story);
    assert_non_null(strstr(story, "Line 59."));
    free(story);
}

static void the_latest_narrations_make_the_same(void **state)
{
    (void)state;
    char *const all = told(0, NARRATIONS);
    char *const latest = told(NARRATIONS - STORY_LINES, STORY_LINES);
    assert_string_equal(all, latest);
    free(all);
    free(latest);
}

static void long_lines_are_fewer(void **state)
{
    (void)state;
    char line[500];
    char *story = NULL;
    memset(line, 'a', sizeof line - 2);
    memcpy(line + sizeof line - 2, "\n", 2);
    for (unsigned i = 0; i < 12; i++) {
        char *const next = story_with(story, line);
        free(story);
        story = next;
    }
    assert_true(strlen(story) < STORY_SIZE);
    assert_int_equal(lines_of(story), (STORY_SIZE - 1) / (sizeof line - 1));
    free(story);
}

// On a phone jokes that were told go first, then what was told, then other jokes.
static void what_was_told_goes_first(void **state)
{
#define BEFORE "  (What came before: \"log\".)\n"
    static const char STORY[] = "One.\n  A joke.\nTwo.\n  A joke.\nThree.\n  A joke.\n";
    static const struct {
        const char *told, *tells;
        size_t lines;
    } CASES[] = {{NULL, STORY, 6},
                 {"One.\n  A joke.\n", "One.\nTwo.\n  A joke.\nThree.\n  A joke.\n", 5},
                 {"One.\n  A joke.\nTwo.\n  A joke.\n", "One.\nTwo.\nThree.\n  A joke.\n", 4},
                 {"One.\n  A joke.\nTwo.\n  A joke.\n", BEFORE "Three.\n  A joke.\n", 3},
                 {"One.\n  A joke.\n", BEFORE "One.\nTwo.\nThree.\n", 4},
                 {NULL, BEFORE "Two.\nThree.\n", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *const story = story_fit(STORY, CASES[i].told, CASES[i].lines);
        assert_non_null(story);
        assert_string_equal(story, CASES[i].tells);
        free(story);
    }
#undef BEFORE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_with_what_is_told_first),
        cmocka_unit_test(its_latest_lines_stay),
        cmocka_unit_test(what_was_told_goes_first),
        cmocka_unit_test(the_latest_narrations_make_the_same),
        cmocka_unit_test(long_lines_are_fewer),
    };
    return cmocka_run_group_tests_name("story", tests, NULL, NULL);
}
