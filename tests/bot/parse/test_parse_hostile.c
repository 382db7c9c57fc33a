#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bot/parse/parse_table.h"
#include "tests/support/test.h"

struct hostile_case {
    const char *name, *line, *means;
};

#define VISIBLE                                                                                    \
    "bad_arguments:  (one line of visible letters, without control or invisible characters)"
#define UTF8     "bad_arguments:  (plain text in UTF-8)"
#define EMPTY    "unknown_command:  (help)"
#define TOO_LONG "bad_arguments:  (one line of less than 8,000 letters)"

static const struct hostile_case CASES[] = {
    {"empty", "", EMPTY},
    {"blanks", " \t \r\n", EMPTY},
    {"punctuation only", "!!! ...", EMPTY},
    {"an escape sequence", "play \x1b[2J", VISIBLE},
    {"a bell", "kick\a", VISIBLE},
    {"two lines", "kick\nloot", VISIBLE},
    {"C1 controls", "kick\xC2\x85", VISIBLE},
    {"bidi override", "play \xE2\x80\xAEllorT teN", VISIBLE},
    {"bidi isolate", "play \xE2\x81\xA6Net", VISIBLE},
    {"zero width space",
     "ki\xE2\x80\x8B"
     "ck",
     VISIBLE},
    {"byte order mark", "\xEF\xBB\xBFkick", VISIBLE},
    {"soft hyphen",
     "ki\xC2\xAD"
     "ck",
     VISIBLE},
    {"tag letters", "kick\xF3\xA0\x81\xA1", VISIBLE},
    {"a lone continuation byte", "kick \x80", UTF8},
    {"an overlong slash", "kick \xC0\xAF", UTF8},
    {"an overlong three byte form", "kick \xE0\x80\xAF", UTF8},
    {"a surrogate", "kick \xED\xA0\x80", UTF8},
    {"beyond Unicode", "kick \xF4\x90\x80\x80", UTF8},
    {"cut off", "kick \xE2\x80", UTF8},
    {"Latin-1", "play caf\xE9 now", UTF8},
    {"a line's end is no matter", "  kick \r\n", "kick"},
    {"wide blanks",
     "play\xC2\xA0"
     "Enraged\xE3\x80\x80"
     "on\xE2\x80\x83"
     "Bob",
     "play Enraged@h0 on seat 1"},
    {"format letters are words", "play %s%n on %d",
     "no_such_card: %s%n (the name of a card of this game)"},
    {"commas only", "discard ,,,,", "bad_arguments: ,,,, (one card or more)"},
    {"lone quotes", "play \" ' \"", "bad_arguments:  (one card)"},
    {"lone number", "play #1", "no_such_card: #1 (the name of a card of this game)"},
    {"a great number", "play Thief #99999",
     "no_such_card: Thief #99999 (the name of a card of this game)"},
    {"only key words", "play on with for", "bad_arguments: on (something after \"on\")"},
    {"only of", "play of", "play Tin Hat of Certainty@h0"},
    {"of of of", "play of of of", "no_such_card: of of of (the name of a card of this game)"},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static struct parse_table usual;

static void test_hostile(void **state)
{
    const struct hostile_case *row = *state;
    char means[1024];
    parse_table_try(&usual, row->line, means, sizeof means);
    assert_string_equal(means, row->means);
}

/* A line of one piece over and over. */
static void try_repeated(const char *before, const char *piece, size_t times, const char *expected)
{
    size_t size = strlen(before) + strlen(piece) * times + 1;
    char *line = malloc(size);
    char means[4096];
    assert_non_null(line);
    size_t length = strlen(before);
    memcpy(line, before, length);
    for (size_t i = 0; i < times; i++) {
        memcpy(line + length, piece, strlen(piece));
        length += strlen(piece);
    }
    line[length] = '\0';
    parse_table_try(&usual, line, means, sizeof means);
    free(line);
    if (expected != NULL) {
        assert_string_equal(means, expected);
    }
}

static void long_lines_are_refused(void **state)
{
    (void)state;
    try_repeated("play ", "x", 70000, TOO_LONG);
    try_repeated("play ", "x", 65531, TOO_LONG);
    try_repeated("play ", "x", 9000, TOO_LONG);
    try_repeated("play ", "a ", 2000, TOO_LONG);
    try_repeated("kick", " ", 60000, "kick");
    try_repeated("kick", " ", 70000, TOO_LONG);
    try_repeated("play ", "x", 400, TOO_LONG);
    try_repeated("", "play ", 300, NULL);
    try_repeated("why ", "why ", 900, "bad_arguments:  (a command)");
    try_repeated("play Thief of ", "of ", 800, NULL);
    try_repeated("play ", "on Bob ", 300, NULL);
}

static void long_lists_name_the_limit(void **state)
{
    char means[4096];
    (void)state;
    try_repeated("discard Thief", ", Thief", 23, NULL);
    parse_table_try(&usual,
                    "sell Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, "
                    "Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf",
                    means, sizeof means);
    assert_non_null(strstr(means, "(at most 24 cards in one list)"));
    parse_table_try(&usual,
                    "play Warrior replacing Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, Elf, "
                    "Elf, Elf",
                    means, sizeof means);
    assert_non_null(strstr(means, "(at most 12 cards in one list)"));
}

static void without_a_game_only_the_lobby_answers(void **state)
{
    struct table_words words = usual.words;
    struct request request;
    struct parse_error error;
    (void)state;
    words.view = NULL;
    words.box = NULL;
    assert_false(parse_request(&words, "play Thief on Bob", &request, &error));
    assert_int_equal(error.why.code, REFUSAL_NO_TABLE);
    assert_false(parse_request(&words, "why kick", &request, &error));
    assert_true(parse_request(&words, "new sets=classic", &request, &error));
    assert_int_equal(request.kind, REQUEST_NEW);
    assert_true(parse_request(&words, "remove Bob", &request, &error));
    assert_int_equal(request.player, 1);
    assert_true(parse_request(&words, "card conan:Thaug", &request, &error));
    assert_string_equal(catalog_name(words.catalog, request.card), "Thaug");
    assert_true(parse_request(&words, "card net troll", &request, &error));
    assert_string_equal(catalog_name(words.catalog, request.card), "Net Troll");
    assert_false(parse_request(&words, "card nothing", &request, &error));
    assert_int_equal(error.why.code, REFUSAL_NO_SUCH_CARD);
}

static void an_onlooker_has_no_hand(void **state)
{
    struct table_words words = usual.words;
    struct request request;
    struct parse_error error;
    (void)state;
    words.seat = NO_SEAT;
    assert_true(parse_request(&words, "play Enraged on me", &request, &error) ||
                error.why.code == REFUSAL_NO_SUCH_CARD);
    assert_true(parse_request(&words, "discard my Warrior", &request, &error) ||
                error.why.code == REFUSAL_NO_SUCH_CARD);
    assert_true(parse_request(&words, "choose 1", &request, &error));
}

int main(void)
{
    static struct CMUnitTest tests[CASE_COUNT + 4];
    if (!parse_table_open(&usual)) {
        return 1;
    }
    parse_table_usual(&usual);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = CASES[i].name,
                                       .test_func = test_hostile,
                                       .initial_state = (void *)(uintptr_t)&CASES[i]};
    }
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(long_lines_are_refused);
    tests[CASE_COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(long_lists_name_the_limit);
    tests[CASE_COUNT + 2] =
        (struct CMUnitTest)cmocka_unit_test(without_a_game_only_the_lobby_answers);
    tests[CASE_COUNT + 3] = (struct CMUnitTest)cmocka_unit_test(an_onlooker_has_no_hand);
    int failed = cmocka_run_group_tests_name("parse_hostile", tests, NULL, NULL);
    parse_table_close(&usual);
    return failed;
}
