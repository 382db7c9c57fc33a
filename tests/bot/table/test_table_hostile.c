// Lines that no person means, at a running table: one private, clean, short answer each, and
// nothing else happens.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tools/solo.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { LONG_LINE = 64 * 1024, ANSWER_MAX = 2048, ANN = 0, BOB = 1, SEATS = 3 };

struct fixture {
    struct catalog *catalog;
    struct solo *solo;
};

static int set_up(void **state)
{
    static const char *const NAMES[SEATS] = {"Ann", "Bob", "Cy"};
    struct fixture *const f = calloc(1, sizeof *f);
    struct box box;
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &box);
    struct game *const game = given_game(&box, SEATS, 3);
    given_play(game, &box, 60, 3);
    f->solo = solo_create(f->catalog);
    solo_adopt(f->solo, &box, game, NAMES, PACE_LIVE);
    message_list_clear(solo_outbox(f->solo));
    free(game);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    solo_destroy(f->solo);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

// Whole letters of UTF-8, line ends, no other control character.
static bool is_clean(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        unsigned more = 0;
        if (*at < 0x80) {
            if ((*at < ' ' && *at != '\n') || *at == 0x7F) {
                return false;
            }
        } else if (*at >= 0xC2 && *at < 0xF5) {
            more = 1u + (*at >= 0xE0) + (*at >= 0xF0);
        } else {
            return false;
        }
        if (*at == 0xC2 && at[1] < 0xA0) {
            return false; // C1 controls
        }
        for (at++; more > 0; more--, at++) {
            if ((*at & 0xC0u) != 0x80) {
                return false;
            }
        }
    }
    return true;
}

// The line is refused with one of two codes; one reply to the typist, and the game as it was.
static void refuses(struct fixture *f, unsigned seat, const char *line, enum refusal_code code)
{
    const uint64_t digest = game_digest(solo_game(f->solo));
    const struct table_due due = solo_due(f->solo);
    struct refusal why = {0};
    const bool accepted = seat < SEATS ? solo_line(f->solo, seat, line, &why)
                                       : solo_person_line(f->solo, "Zed", line, &why);
    struct message_list *const said = solo_outbox(f->solo);
    assert_false(accepted);
    assert_string_equal(refusal_name(why.code), refusal_name(code));
    assert_int_equal(said->count, 1);
    assert_int_equal(said->items[0].to, MESSAGE_REPLY);
    assert_int_equal(said->items[0].seat, seat);
    assert_true(strlen(said->items[0].text) > 0);
    assert_true(strlen(said->items[0].text) < ANSWER_MAX);
    assert_true(is_clean(said->items[0].text));
    assert_int_equal(game_digest(solo_game(f->solo)), digest);
    assert_int_equal(solo_due(f->solo).ms, due.ms);
    message_list_clear(said);
}

// `before`, then `piece` until 64 KiB are full.
static char *long_line(const char *before, const char *piece)
{
    char *const line = malloc(LONG_LINE + 1);
    assert_non_null(line);
    size_t at = 0;
    for (; before[at] != '\0'; at++) {
        line[at] = before[at];
    }
    const size_t length = strlen(piece);
    for (size_t i = 0; at < LONG_LINE; i++, at++) {
        line[at] = piece[i % length];
    }
    line[LONG_LINE] = '\0';
    return line;
}

struct long_case {
    const char *name, *before, *piece;
    enum refusal_code code;
};

static const struct long_case LONG_CASES[] = {
    {"one letter", "", "x", REFUSAL_BAD_ARGUMENTS},
    {"blanks before nothing", "", " ", REFUSAL_UNKNOWN_COMMAND},
    {"a card's name", "play ", "x", REFUSAL_BAD_ARGUMENTS},
    {"a list", "discard ", "Elf, ", REFUSAL_BAD_ARGUMENTS},
    {"nested why", "", "why ", REFUSAL_BAD_ARGUMENTS},
    {"digits", "ask Bob offering ", "9", REFUSAL_BAD_ARGUMENTS},
    {"quotes", "play ", "\"", REFUSAL_BAD_ARGUMENTS},
    {"wide letters", "play ", "\xF0\x9F\x8E\xB2", REFUSAL_BAD_ARGUMENTS},
    {"format letters", "play ", "%s%n", REFUSAL_BAD_ARGUMENTS},
    {"a topic of help", "help ", "play ", REFUSAL_BAD_ARGUMENTS},
    {"a topic of rules", "rules ", "turn ", REFUSAL_BAD_ARGUMENTS},
    {"options of a table", "new sets=", "classic,", REFUSAL_BAD_ARGUMENTS},
};

static void sixty_four_kibibytes_are_refused(void **state)
{
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof LONG_CASES / sizeof LONG_CASES[0]; i++) {
        const struct long_case *const row = &LONG_CASES[i];
        char *const line = long_line(row->before, row->piece);
        for (unsigned viewer = ANN; viewer <= BOB; viewer++) {
            refuses(f, viewer, line, row->code);
        }
        refuses(f, NO_SEAT, line, row->code);
        free(line);
    }
}

static const char *const BAD_BYTES[] = {
    "play caf\xE9",
    "kick \x80",
    "kick \xC0\xAF",
    "kick \xED\xA0\x80",
    "kick \xF4\x90\x80\x80",
    "kick \xE2\x80",
    "\xFF\xFE\x6B",
    "why play \xF8\x88\x80\x80\x80",
    "\xEF\xBB\xBFkick",
    "kick\x01",
    "\x1b[2Jkick",
    "kick\a",
    "kick\x7F",
    "kick\xC2\x85",
    "play \xE2\x80\xAElortT teN",
    "kick\xE2\x80\x8B",
    "kick\nloot",
    "hand\r\nhand",
    "status\x10\x12",
    "card \x02Net Troll",
    "why\x16 kick",
    "help \xE2\x81\xA6play",
};

static void bytes_that_are_no_text_are_refused(void **state)
{
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof BAD_BYTES / sizeof BAD_BYTES[0]; i++) {
        for (unsigned viewer = ANN; viewer <= BOB; viewer++) {
            refuses(f, viewer, BAD_BYTES[i], REFUSAL_BAD_ARGUMENTS);
        }
        refuses(f, NO_SEAT, BAD_BYTES[i], REFUSAL_BAD_ARGUMENTS);
    }
}

static void lines_of_nothing_are_refused(void **state)
{
    struct fixture *const f = *state;
    static const char *const LINES[] = {"", " ", "\t", "...", "\"\"", ",,,", "''", "!!!"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        refuses(f, BOB, LINES[i], REFUSAL_UNKNOWN_COMMAND);
        refuses(f, NO_SEAT, LINES[i], REFUSAL_UNKNOWN_COMMAND);
    }
}

// A thousand of them leave nothing behind: the next good line is answered as the first.
static void a_flood_leaves_nothing_behind(void **state)
{
    struct fixture *const f = *state;
    assert_true(solo_line(f->solo, ANN, "status", NULL));
    char *const first = strdup(solo_outbox(f->solo)->items[0].text);
    message_list_clear(solo_outbox(f->solo));
    char *const line = long_line("play ", "\xC3\xA9\x1b, ");
    for (unsigned i = 0; i < 1000; i++) {
        (void)solo_line(f->solo, BOB, line, NULL);
        message_list_clear(solo_outbox(f->solo));
    }
    assert_true(solo_line(f->solo, ANN, "status", NULL));
    assert_string_equal(solo_outbox(f->solo)->items[0].text, first);
    free(first);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sixty_four_kibibytes_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_that_are_no_text_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_of_nothing_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_flood_leaves_nothing_behind, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
