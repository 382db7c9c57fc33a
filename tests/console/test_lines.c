#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "adapters/console/editor.h"

#include "tests/support/test.h"

enum { RESULTS_MAX = 6 };

struct lines_case {
    const char *name, *input;
    enum lines_result wanted[RESULTS_MAX]; /* up to LINES_END */
    const char *first;                     /* the first line, if it is one */
};

static const struct lines_case CASES[] = {
    {"no_input_is_the_end", "", {LINES_END}, NULL},
    {"a_line_is_a_line", "kick\n", {LINES_ONE, LINES_END}, "kick"},
    {"the_last_line_needs_no_newline", "kick\npass", {LINES_ONE, LINES_ONE, LINES_END}, "kick"},
    {"a_carriage_return_is_dropped", "kick\r\n", {LINES_ONE, LINES_END}, "kick"},
    {"an_empty_line_is_a_line", "\n", {LINES_ONE, LINES_END}, ""},
    {"a_tab_is_a_blank", "play\tX\n", {LINES_ONE, LINES_END}, "play X"},
    {"utf8_passes", "play Zo\xC3\xAB\n", {LINES_ONE, LINES_END}, "play Zo\xC3\xAB"},
    {"control_characters_do_not",
     "ki\033[2Jck\nkick\n",
     {LINES_NOT_TEXT, LINES_ONE, LINES_END},
     NULL},
    {"broken_utf8_does_not",
     "ki\xFF"
     "ck\n",
     {LINES_NOT_TEXT, LINES_END},
     NULL},
    {"cut_utf8_does_not", "kick\xE2\x82\n", {LINES_NOT_TEXT, LINES_END}, NULL},
};

struct feed {
    int fds[2];
    struct lines *lines;
    char line[CHAT_LINE_SIZE];
};

static void feed_open(struct feed *feed)
{
    feed->lines = malloc(sizeof *feed->lines);
    assert_non_null(feed->lines);
    assert_int_equal(pipe(feed->fds), 0);
    lines_init(feed->lines, feed->fds[0]);
}

static void feed_write(struct feed *feed, const char *bytes, size_t count)
{
    assert_int_equal(write(feed->fds[1], bytes, count), (ssize_t)count);
}

static void feed_close(struct feed *feed)
{
    (void)close(feed->fds[0]);
    free(feed->lines);
}

static enum lines_result next(struct feed *feed)
{
    enum lines_result result = lines_take(feed->lines, feed->line);
    while (result == LINES_NONE) {
        assert_true(lines_read(feed->lines));
        result = lines_take(feed->lines, feed->line);
    }
    return result;
}

static void test_lines(void **state)
{
    const struct lines_case *const row = *state;
    struct feed feed;
    feed_open(&feed);
    feed_write(&feed, row->input, strlen(row->input));
    (void)close(feed.fds[1]);
    for (size_t i = 0;; i++) {
        assert_int_equal(next(&feed), row->wanted[i]);
        if (i == 0 && row->first != NULL) {
            assert_string_equal(feed.line, row->first);
        }
        if (row->wanted[i] == LINES_END) {
            break;
        }
    }
    feed_close(&feed);
}

static void a_zero_byte_is_no_text(void **state)
{
    (void)state;
    struct feed feed;
    feed_open(&feed);
    feed_write(&feed, "ki\0ck\n", 6);
    (void)close(feed.fds[1]);
    assert_int_equal(next(&feed), LINES_NOT_TEXT);
    assert_int_equal(next(&feed), LINES_END);
    feed_close(&feed);
}

// Fed in pieces, since a pipe holds 64 KiB only.
static void long_lines_are_dropped_whole(void **state)
{
    (void)state;
    static const size_t LENGTHS[] = {CHAT_LINE_SIZE - 1, CHAT_LINE_SIZE, 65535, 65536, 200000};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        struct feed feed;
        feed_open(&feed);
        size_t left = LENGTHS[i];
        char piece[4096];
        memset(piece, 'x', sizeof piece);
        while (left > 0) {
            const size_t count = left < sizeof piece ? left : sizeof piece;
            feed_write(&feed, piece, count);
            assert_int_equal(lines_take(feed.lines, feed.line), LINES_NONE);
            assert_true(lines_read(feed.lines));
            left -= count;
        }
        feed_write(&feed, "\npass\n", 6);
        (void)close(feed.fds[1]);
        assert_int_equal(next(&feed), LENGTHS[i] < CHAT_LINE_SIZE ? LINES_ONE : LINES_TOO_LONG);
        assert_int_equal(next(&feed), LINES_ONE);
        assert_string_equal(feed.line, "pass");
        assert_int_equal(next(&feed), LINES_END);
        feed_close(&feed);
    }
}

static void a_long_line_may_end_with_the_input(void **state)
{
    (void)state;
    struct feed feed;
    feed_open(&feed);
    char piece[4096];
    memset(piece, 'x', sizeof piece);
    for (unsigned i = 0; i < 20; i++) {
        feed_write(&feed, piece, sizeof piece);
        assert_true(lines_read(feed.lines));
        assert_int_equal(lines_take(feed.lines, feed.line), LINES_NONE);
    }
    (void)close(feed.fds[1]);
    assert_int_equal(next(&feed), LINES_TOO_LONG);
    assert_int_equal(next(&feed), LINES_END);
    feed_close(&feed);
}

int main(void)
{
    enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_zero_byte_is_no_text),
        cmocka_unit_test(long_lines_are_dropped_whole),
        cmocka_unit_test(a_long_line_may_end_with_the_input),
    };
    struct CMUnitTest tests[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = test_lines,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    const int failed = cmocka_run_group_tests_name("lines_take", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("lines", others, NULL, NULL);
}
