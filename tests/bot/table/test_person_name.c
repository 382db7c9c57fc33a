#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/parse/parse.h"
#include "bot/table/person_name.h"
#include "bot/text/text.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

struct cleaning {
    const char *shown, *made;
};

static const struct cleaning CLEANINGS[] = {
    {"Ann", "Ann"},
    {"  Ann   of  Green\tGables ", "Ann of GreenGables"},
    {"john_doe", "john doe"},
    {"O'Brien", "O'Brien"},
    {"**Ann** <b>x</b> `rm`", "Ann b x b rm"},
    {"@everyone", "everyone"},
    {"<@123456789>", "123456789"},
    {"Bob: pass", "Bob pass"},
    {"Ann, Bob", "Ann Bob"},
    {"\"with\"", "with"},
    {"Net Troll (Mate)", "Net Troll Mate"},
    {"Curse!", "Curse"}, // what is printed before the names of cards
    {"Old TRAP!!! Curse! Bob!", "Old TRAP Curse Bob!"},
    {"Mae Curse!c", "Mae Cursec"}, // read over before letters of the same word, too
    {"\033[2JAnn\r\n", "2JAnn"},
    {"\001\020Ann\022", "Ann"},
    {"A\xE2\x80\x8Bn\xE2\x80\x8Dn\xEF\xBB\xBF", "Ann"}, // zero width
    {"\xE2\x80\xAE"
     "Ann\xE2\x80\xAC \xE2\x81\xA6x",
     "Ann x"},                                                            // direction
    {"e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81x", "e\xCC\x81\xCC\x81x"}, // a tower of accents
    {"\xCC\x81\xCC\x81x", "x"},
    {"\xDC\x90\xDC\xB0\xDC\xB0\xDC\xB0", "\xDC\x90\xDC\xB0\xDC\xB0"}, // of Syriac
    {"\xE0\xBD\x80\xE0\xBD\xB1\xE0\xBD\xB1\xE0\xBD\xB1\xE0\xBD\xB1\xE0\xBD\xB1",
     "\xE0\xBD\x80\xE0\xBD\xB1\xE0\xBD\xB1\xE0\xBD\xB1\xE0\xBD\xB1"}, // Tibetan stacks
    {"A\xF0\x9D\x85\xB3nn\xF0\x96\xBF\xA4", "Ann"},                   // drawn as nothing
    {"A\xEF\xB7\x90nn\xF0\x9F\xBF\xBF", "Ann"},                       // no characters
    {"\xC3\x28\xFF\xFE Ann \xED\xA0\x80", "Ann"},                     // broken UTF-8
    {"\xD0\x90\xD0\xBD\xD0\xBD\xD0\xB0", "\xD0\x90\xD0\xBD\xD0\xBD\xD0\xB0"},
    {"\xF0\x9F\x8E\xB2\xEF\xB8\x8F", "\xF0\x9F\x8E\xB2"},
    {"", "Player"},
    {" \t\n", "Player"},
    {"\xE2\x80\x8B\xE2\x80\x8B", "Player"},
    {"#*`,", "Player"},
    {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx"},
};

static void names_are_made_safe(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CLEANINGS / sizeof CLEANINGS[0]; i++) {
        char made[PERSON_NAME_SIZE];
        person_name_make(CLEANINGS[i].shown, made);
        assert_string_equal(made, CLEANINGS[i].made);
        char again[PERSON_NAME_SIZE];
        person_name_make(made, again);
        assert_string_equal(again, made);
    }
}

static void thirty_two_emoji_are_cut_at_a_whole_one(void **state)
{
    (void)state;
    char shown[32 * 4 + 1] = "";
    char made[PERSON_NAME_SIZE];
    for (unsigned i = 0; i < 32; i++) {
        memcpy(shown + (size_t)4 * i, "\xF0\x9F\x90\x89", 5);
    }
    person_name_make(shown, made);
    assert_int_equal(strlen(made) % 4, 0);
    assert_true(strlen(made) > 0 && strlen(made) < PERSON_NAME_SIZE);
}

// Whatever comes in, a session takes it, and it is one line of whole characters.
static void any_bytes_make_a_name(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char shown[200];
        char made[PERSON_NAME_SIZE];
        const unsigned length = round % (sizeof shown - 1);
        for (unsigned i = 0; i < length; i++) {
            seed = seed * 1103515245u + 12345u;
            const unsigned byte = seed >> 16 & 0xFF;
            shown[i] = (char)(byte == 0 ? 1 : byte);
        }
        shown[length] = '\0';
        person_name_make(shown, made);
        assert_true(made[0] != '\0' && made[0] != ' ');
        for (const char *at = made; *at != '\0';) {
            const size_t letter = text_character(at);
            assert_true(letter > 0 && !text_is_mark(*at));
            at += letter;
        }
    }
}

static void names_at_one_table_differ_when_typed(void **state)
{
    (void)state;
    const char *const taken[] = {"Ann", NULL, "ann 2", "Bob"};
    char out[PERSON_NAME_SIZE];
    person_name_unique("Cy", taken, 4, out);
    assert_string_equal(out, "Cy");
    person_name_unique("ANN!", taken, 4, out);
    assert_string_equal(out, "ANN! 3");
    assert_true(person_name_alike("Ann", "a-n-n") == false);
    assert_true(person_name_alike("Ann", "ann."));
    char longest[PERSON_NAME_SIZE];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const same[] = {longest};
    person_name_unique(longest, same, 1, out);
    assert_int_equal(strlen(out), PERSON_NAME_LETTERS);
    assert_string_equal(out + PERSON_NAME_LETTERS - 2, " 2");
}

// Attack G-4.10: "Ann" with a Cyrillic A beside Ann.
static void names_that_look_alike_are_told_apart(void **state)
{
    static const char *const ALIKE[][2] = {
        {"Ann", "\u0410nn"},                // Cyrillic
        {"Bob", "\u0412\u043Eb"},           // the same, large and small
        {"Nina", "\u039Dina"},              // Greek
        {"Ill", "lIl"},                     // one script
        {"Leo", "Le0"},                     // a digit
        {"Ann", "\uFF21\uFF4E\uFF4E"},      // wide
        {"Ann", "\U0001D400\U0001D427n"},   // mathematical
        {"Otto", "\u0555tto"},              // Armenian
        {"Eve", "\u13ACve"},                // Cherokee
        {"\u0410\u043D\u044F", "Ah\u044F"}, // what is taken may be the other script
    };
    static const char *const UNLIKE[][2] = {{"Ann", "Anna"},
                                            {"Kai", "Kal"},
                                            {"\u0410\u043D\u044F", "Ann"},
                                            {"Bob", "Rob"},
                                            {"Ann", "\u00C1nn"}};
    (void)state;
    for (size_t i = 0; i < sizeof ALIKE / sizeof ALIKE[0]; i++) {
        char out[PERSON_NAME_SIZE];
        char wanted[2 * PERSON_NAME_SIZE];
        person_name_unique(ALIKE[i][1], &ALIKE[i][0], 1, out);
        (void)snprintf(wanted, sizeof wanted, "%s 2", ALIKE[i][1]);
        assert_string_equal(out, wanted);
    }
    for (size_t i = 0; i < sizeof UNLIKE / sizeof UNLIKE[0]; i++) {
        char out[PERSON_NAME_SIZE];
        person_name_unique(UNLIKE[i][1], &UNLIKE[i][0], 1, out);
        assert_string_equal(out, UNLIKE[i][1]);
    }
}

static void a_number_keeps_a_name_within_its_limit(void **state)
{
    (void)state;
    const char *const cut[][2] = {
        {"abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuv 2"},
        {"abcdefghijklmnopqrstu wx", "abcdefghijklmnopqrstu 2"}, // one blank
        {"e\xCC\x81"
         "bcdefghijklmnopqrstuvwx",
         "e\xCC\x81"
         "bcdefghijklmnopqrstuv 2"},
    };
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        char out[PERSON_NAME_SIZE];
        char again[PERSON_NAME_SIZE];
        person_name_unique(cut[i][0], &cut[i][0], 1, out);
        assert_string_equal(out, cut[i][1]);
        person_name_make(out, again);
        assert_string_equal(again, out);
    }
}

// The second player is named in these words by themselves, too.
static void assert_named(struct fixture *f, const char *name, const char *wanted)
{
    char typed[2 * PERSON_NAME_SIZE];
    struct table_words words = fixture_words(f, 1);
    words.players[1] = name;
    parse_format_player(&words, 1, typed, sizeof typed);
    assert_string_equal(typed, wanted);
}

// Whatever a player is called: what the bot writes for them in a command means them.
static void every_player_can_be_named_in_commands(void **state)
{
    struct fixture *const f = *state;
    const char *const shown[] = {"on",
                                 "with",
                                 "for",
                                 "Ada's",
                                 "all",
                                 "me",
                                 "everybody",
                                 "hand",
                                 "#3",
                                 "2",
                                 "of",
                                 "Net Troll",
                                 "in hand",
                                 "not helping",
                                 "yes",
                                 "monsters",
                                 "\xF0\x9F\x90\x89",
                                 "to Bob",
                                 "first",
                                 "no treasures",
                                 "1 treasure",
                                 "1",
                                 "forget",
                                 "myself",
                                 "Curse!",
                                 "Of Trap!"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char name[PERSON_NAME_SIZE];
        char typed[2 * PERSON_NAME_SIZE];
        char line[4 * PERSON_NAME_SIZE];
        struct table_words words = fixture_words(f, 0);
        person_name_make(shown[i], name);
        words.players[1] = name;
        const struct command command = {.verb = VERB_ASK,
                                        .seat = 0,
                                        .card = NO_CARD,
                                        .target = NO_CARD,
                                        .to = 1,
                                        .about = NO_SEAT};
        (void)parse_format(&words, &command, line, sizeof line);
        struct request request = {0};
        struct parse_error error = {0};
        if (!parse_request(&words, line, &request, &error)) {
            fail_msg("\"%s\" is not understood: %s", line, error.expected);
        }
        assert_int_equal(request.command.to, 1);
        parse_format_player(&words, 1, typed, sizeof typed);
        assert_non_null(strstr(line, typed));
        assert_named(f, name, typed);
        assert_true(parse_request(&words, "ask #2", &request, &error));
        assert_int_equal(request.command.to, 1);
        (void)snprintf(line, sizeof line, "stats %s", typed);
        assert_true(parse_request(&words, line, &request, &error));
        assert_int_equal(request.player, 1);
        (void)snprintf(line, sizeof line, "ask %s offering 1 treasure", typed);
        assert_true(parse_request(&words, line, &request, &error));
        assert_int_equal(request.command.to, 1);
        assert_int_equal(request.command.n, 1);
        // Words of the grammar stay what they are, whoever took them for a name.
        assert_true(parse_request(&words, "stats forget", &request, &error));
        assert_string_equal(request.text, "forget");
        assert_true(parse_request(&words, "stats me", &request, &error));
        assert_int_equal(request.player, 0);
        assert_true(parse_request(&words, "show hand to all", &request, &error));
        assert_int_equal(request.command.to, ALL_SEATS);
    }
}

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    fixture_open(f, NULL);
    fixture_begin(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_safe),
        cmocka_unit_test(thirty_two_emoji_are_cut_at_a_whole_one),
        cmocka_unit_test(any_bytes_make_a_name),
        cmocka_unit_test(names_at_one_table_differ_when_typed),
        cmocka_unit_test(a_number_keeps_a_name_within_its_limit),
        cmocka_unit_test(names_that_look_alike_are_told_apart),
        cmocka_unit_test_setup_teardown(every_player_can_be_named_in_commands, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("person_name", tests, NULL, NULL);
}
