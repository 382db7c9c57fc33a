/* Sums about a screen, what is broken how at its width, pages of a shared keyboard. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/render/render.h"

#include "adapters/console/editor.h"
#include "adapters/console/screen.h"

#include "tests/support/fixture.h"
#include "tests/support/pty.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { LOOK_SIZE = 16384 };

static void rows_are_counted(void **state)
{
    (void)state;
    static const struct {
        size_t prompt;
        const char *text;
        size_t width, rows;
    } CASES[] = {
        {5, "", 80, 0},
        {5, "kick", 80, 0},
        {5, "12345", 10, 1}, // the cursor has gone on to the next row
        {5, "1234", 10, 0},
        {5, "123456789012345", 10, 2},
        {25, "", 10, 2},
        {0, "123456789\xE7\x8C\xAB", 10, 1}, // a wide character goes over whole
        {0, "e\xCC\x81", 2, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(columns_rows(CASES[i].prompt, CASES[i].text, CASES[i].width),
                         CASES[i].rows);
    }
}

static void candidates_stand_in_columns(void **state)
{
    (void)state;
    char out[8192];
    struct complete_list *const list = calloc(1, sizeof *list);
    assert_non_null(list);
    complete_add(list, "Elf", false);
    complete_add(list, "Thief", false);
    complete_add(list, "Warrior", false);
    complete_add(list, "Wizard", false);
    complete_add(list, "Zo\xC3\xAB", false);
    columns_list(list, 40, out, sizeof out);
    assert_string_equal(out, "Elf      Warrior  Zo\xC3\xAB\nThief    Wizard\n");
    columns_list(list, 80, out, sizeof out);
    assert_string_equal(out, "Elf      Thief    Warrior  Wizard   Zo\xC3\xAB\n");
    columns_list(list, 3, out, sizeof out);
    assert_string_equal(out, "Elf\nThief\nWarrior\nWizard\nZo\xC3\xAB\n");
    list->overflow = true;
    columns_list(list, 80, out, sizeof out);
    assert_non_null(strstr(out, "and more"));
    free(list);
}

// Prints a text on a terminal of that width and checks that every line fits, and that nothing but
// blanks and line ends has changed.
static void check_layout(const char *text, unsigned short width)
{
    struct pty *const pty = calloc(1, sizeof *pty);
    struct screen *const screen = calloc(1, sizeof *screen);
    assert_non_null(pty);
    assert_non_null(screen);
    pty_open(pty, width);
    screen_init(screen, pty->program);
    screen_text(screen, text);
    pty_read(pty);
    const char *from = text;
    size_t columns = 0;
    for (const char *at = pty->seen; *at != '\0'; at++) {
        if (*at == '\n') {
            columns = 0;
        } else if (*at != '\r') {
            columns++;
        }
        assert_true(columns <= width);
        if (strchr(" \r\n", *at) == NULL) {
            from += strspn(from, " \n");
            assert_int_equal(*at, *from);
            from++;
        }
    }
    assert_string_equal(from + strspn(from, " \n"), "");
    free(screen);
    pty_close(pty);
    free(pty);
}

static void table_and_hand_fit(void **state)
{
    (void)state;
    char text[LOOK_SIZE];
    struct fixture fixture;
    fixture_open(&fixture, NULL);
    for (uint64_t game = 1; game <= 3; game++) {
        fixture_deal(&fixture, game);
        for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
            const struct table_words words = fixture_words(&fixture, seat);
            for (unsigned short width = 40; width <= 80; width = (unsigned short)(width + 40)) {
                (void)render_table(see(&words, SAYS_NOTHING), text, sizeof text);
                check_layout(text, width);
                (void)render_hand(see(&words, SAYS_OWN), text, sizeof text);
                check_layout(text, width);
                (void)render_help(&words, NULL, text, sizeof text);
                check_layout(text, width);
            }
        }
    }
    fixture_close(&fixture);
}

static void what_follows_a_break_hangs(void **state)
{
    (void)state;
    char out[512];
    struct text_out text;
    text_begin(&text, out, sizeof out);
    text_wrap(
        &text,
        "  Ada (f): Level 1, strength 2, 4 cards in hand\n    Cleric; carries Twin in a Tin\n", 30,
        2);
    assert_string_equal(out, "  Ada (f): Level 1, strength\n    2, 4 cards in hand\n"
                             "    Cleric; carries Twin in a\n      Tin\n");
}

static void a_page_keeps_its_end(void **state)
{
    (void)state;
    struct page page = {0};
    char line[64];
    for (unsigned i = 0; i < 2000; i++) {
        (void)snprintf(line, sizeof line, "line %u of many\n", i);
        page_add(&page, line);
        assert_true(page.length < PAGE_SIZE);
        assert_int_equal(strlen(page.text), page.length);
        assert_memory_equal(page.text, "line ", 5); // whole lines
        assert_non_null(strstr(page.text, line));
    }
    enum { LONGER = 2 * PAGE_SIZE };
    char *const longer = malloc(LONGER + 1);
    assert_non_null(longer);
    memset(longer, 'x', LONGER);
    longer[LONGER] = '\0';
    page_add(&page, longer);
    assert_true(page.length < PAGE_SIZE);
    assert_int_equal(page.text[page.length - 1], 'x');
    free(longer);
    page_finish(&page);
    page_finish(&page);
}

static void a_page_begins_with_the_last_turn(void **state)
{
    (void)state;
    struct page page = {0};
    page_add(&page, "first\n");
    page_read(&page);
    page_turn(&page);
    page_add(&page, "second\n");
    page_read(&page);
    page_turn(&page);
    assert_string_equal(page.text, "second\n");
    page_add(&page, "unread\n");
    page_turn(&page);
    assert_string_equal(page.text, "unread\n");
    page_turn(&page);
    assert_string_equal(page.text, "unread\n");
    page_read(&page);
    page_turn(&page);
    assert_string_equal(page.text, "");
    page_finish(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted),     cmocka_unit_test(candidates_stand_in_columns),
        cmocka_unit_test(table_and_hand_fit),   cmocka_unit_test(what_follows_a_break_hangs),
        cmocka_unit_test(a_page_keeps_its_end), cmocka_unit_test(a_page_begins_with_the_last_turn),
    };
    return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
