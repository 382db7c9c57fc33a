/* Refusals, faults of words, cards, hands and tables. */
#include <stdio.h>
#include <string.h>

#include <glob.h>

#include "bot/text/text.h"

#include "tests/support/fixture.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 16384, SOURCE_SIZE = 262144 };

static const char CARDS[] =
    "[{\"name\": \"Test Ogre\", \"kind\": \"monster\", \"level\": 3, \"treasures\": 1},"
    " {\"name\": \"Test Hammer\", \"kind\": \"item\", \"slot\": \"hand\", \"bonus\": 2,"
    "  \"gold\": 700}]";

static char out[OUT_SIZE];

static int open_table(void **state)
{
    static struct fixture fixture;
    fixture_open(&fixture, CARDS);
    fixture_card(&fixture, "Test Hammer", pile_hand(FIXTURE_ANN), 0);
    fixture_card(&fixture, "Test Ogre", pile_hand(FIXTURE_BOB), 0);
    fixture_begin(&fixture);
    *state = &fixture;
    return 0;
}

static int close_table(void **state)
{
    fixture_close(*state);
    return 0;
}

static void assert_says(const char *part)
{
    if (strstr(out, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, out);
    }
}

static void assert_silent_about(const char *part)
{
    if (strstr(out, part) != NULL) {
        fail_msg("\"%s\" is said in:\n%s", part, out);
    }
}

// One line that ends like a sentence, says no code and fits a telephone.
static void assert_is_plain(unsigned code)
{
    const size_t length = strlen(out);
    assert_true(length > 1 && length < 400);
    assert_ptr_equal(strchr(out, '\n'), out + length - 1);
    if (strchr(".)", out[length - 2]) == NULL) {
        fail_msg("no sentence: %s", out);
    }
    if (strchr(refusal_name(code), '_') != NULL) {
        assert_silent_about(refusal_name(code));
    }
}

static void every_refusal_has_its_sentence(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words table = fixture_words(fixture, FIXTURE_ANN);
    const struct table_words nothing = {.catalog = fixture->catalog, .seat = NO_SEAT};
    for (unsigned code = REFUSAL_NONE + 1; code < REFUSAL_TOTAL; code++) {
        const struct refusal plain = {
            .code = (uint8_t)code, .seat = NO_SEAT, .card = NO_CARD, .rule = "COMBAT-1"};
        struct card_list hand;
        query_pile(table.view, pile_hand(FIXTURE_ANN), &hand);
        const struct refusal full = {.code = (uint8_t)code,
                                     .seat = FIXTURE_BOB,
                                     .card = hand.cards[0],
                                     .amount = 2,
                                     .rule = NULL};
        (void)render_refusal(&table, &plain, out, sizeof out);
        assert_is_plain(code);
        if (code > REFUSAL_GAME_OVER && code != REFUSAL_NOT_YOUR_CHOICE) {
            assert_says(" (rules fight)\n");
        }
        (void)render_refusal(&table, &full, out, sizeof out);
        assert_is_plain(code);
        (void)render_refusal(&nothing, &full, out, sizeof out);
        assert_is_plain(code);
    }
}

// Every pair of code and rule in the core's sources is worded, with a card in the way and without.
static unsigned refusals_in(const struct table_words *words, const char *path)
{
    static char source[SOURCE_SIZE];
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    source[fread(source, 1, sizeof source - 1, file)] = '\0';
    (void)fclose(file);
    struct card_list hand;
    query_pile(words->view, pile_hand(FIXTURE_ANN), &hand);
    unsigned count = 0;
    for (const char *at = source; (at = strstr(at, "REFUSAL_")) != NULL; at++) {
        char name[64];
        char rule[32];
        if (sscanf(at, "REFUSAL_%63[A-Z_], \"%31[A-Z0-9-]\"", name, rule) != 2) {
            continue;
        }
        static const char *const NAMES[] = {
#define REFUSAL(id, name) #id,
#include "core/state/refusal.def"
#undef REFUSAL
        };
        unsigned code = 0;
        while (code + 1 < REFUSAL_TOTAL && strcmp(NAMES[code], name) != 0) {
            code++;
        }
        struct refusal why = {
            .code = (uint8_t)(code + 1), .seat = NO_SEAT, .card = NO_CARD, .rule = rule};
        (void)render_refusal(words, &why, out, sizeof out);
        assert_is_plain(why.code);
        why.card = hand.cards[0];
        why.amount = 3;
        (void)render_refusal(words, &why, out, sizeof out);
        assert_is_plain(why.code);
        count++;
    }
    return count;
}

static void every_refusal_of_the_core_is_worded(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    glob_t found = {0};
    assert_int_equal(glob("core/*.c", 0, NULL, &found), 0);
    assert_int_equal(glob("core/*/*.c", GLOB_APPEND, NULL, &found), 0);
    unsigned count = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        count += refusals_in(&words, found.gl_pathv[i]);
    }
    globfree(&found);
    assert_true(count > 100);
}

static void a_refusal_names_the_card_in_the_way(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    struct card_list hand;
    query_pile(words.view, pile_hand(FIXTURE_ANN), &hand);
    const struct refusal why = {
        .code = REFUSAL_SLOT_FULL, .seat = NO_SEAT, .card = hand.cards[0], .rule = "ITEM-3"};
    (void)render_refusal(&words, &why, out, sizeof out);
    assert_says("Test Hammer");
}

static void but_never_one_the_reader_does_not_know(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words ann = fixture_words(fixture, FIXTURE_ANN);
    const struct table_words bob = fixture_words(fixture, FIXTURE_BOB);
    struct card_list hand;
    query_pile(bob.view, pile_hand(FIXTURE_BOB), &hand);
    assert_int_equal(hand.count, 1);
    for (unsigned code = REFUSAL_NONE + 1; code < REFUSAL_TOTAL; code++) {
        const struct refusal why = {
            .code = (uint8_t)code, .seat = NO_SEAT, .card = hand.cards[0], .rule = NULL};
        (void)render_refusal(&ann, &why, out, sizeof out);
        assert_silent_about("Test Ogre");
    }
}

static void wrong_words_are_named(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    struct parse_error error = {
        .why = {.code = REFUSAL_NO_SUCH_CARD, .seat = NO_SEAT, .card = NO_CARD}};
    (void)strcpy(error.words, "flurb");
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("\"flurb\"");
    error.why.code = REFUSAL_UNKNOWN_COMMAND;
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("\"flurb\" is not a command here; \"help\"");
    struct request request;
    assert_false(parse_request(&words, "magic missile", &request, &error));
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says(
        "\"magic missile\" is not a command. \"play Magic Missile\" plays that card, \"card "
        "Magic Missile\" explains it.");
    error = (struct parse_error){.why = {.code = REFUSAL_UNKNOWN_COMMAND}};
    (void)strcpy(error.words, "Open");
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("\"kick\"");
    (void)strcpy(error.words, "curse");
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("\"play <card> on <player>\"");
    (void)strcpy(error.words, "attack");
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("\"fight <monster>\"");
    (void)strcpy(error.words, "flurb");
    error.why.code = REFUSAL_NO_SUCH_PLAYER;
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("Ann, Bob and Cy");
    error.why.code = REFUSAL_BAD_ARGUMENTS;
    (void)strcpy(error.expected, "a player");
    (void)render_parse_error(&words, &error, out, sizeof out);
    assert_says("a player");
}

static void a_card_is_shown_with_its_figures(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    (void)render_card(&words, catalog_find_def(fixture->catalog, "Test Hammer", NO_SET), out,
                      sizeof out);
    assert_says("Test Hammer: Item, +2, 1 Hand, 700 Gold Pieces.");
    assert_says("It is in your hand.");
    (void)render_card(&words, catalog_find_def(fixture->catalog, "Test Ogre", NO_SET), out,
                      sizeof out);
    assert_says("Test Ogre: Monster, Level 3, 1 Treasure.");
    assert_silent_about("It is");
}

static void a_text_does_not_repeat_the_figures(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    static const struct {
        const char *card, *said, *once;
    } CASES[] = {
        {"Siege Ladder", "Siege Ladder: Item, +1, No slot, Big, 400 Gold Pieces.\nEverybody", "+1"},
        {"Bow of Rude Pointing", "+4, 2 Hands, 800 Gold Pieces.\nElf only.\n", "2 Hands"},
        {"Minimum-Wage Zombie", "\n+1 to run away", "Undead"},
        {"Weapons-Grade Soup", "one-shot Item, 200 Gold Pieces.\n+5 to either side", "+5"},
        {"Inherited Long Johns", "No Value.\nNeither Curses nor Bad Stuff take it.\n", "No Value"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        (void)render_card(&words, catalog_find_def(fixture->catalog, CASES[i].card, NO_SET), out,
                          sizeof out);
        assert_says(CASES[i].said);
        const char *const first = strstr(out, CASES[i].once);
        assert_non_null(first);
        assert_null(strstr(first + 1, CASES[i].once));
    }
}

static void a_hand_is_shown_to_its_owner_only(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words ann = fixture_words(fixture, FIXTURE_ANN);
    (void)render_hand(see(&ann, SAYS_OWN), out, sizeof out);
    assert_says("Your hand: 1 card.\nYou could play now:\n1. Test "
                "Hammer: Item, "
                "+2, 1 Hand, 700 Gold Pieces.\n   play Test Hammer\n");
    assert_says("Test Hammer");
    assert_silent_about("Test Ogre");
    const struct table_words nobody = fixture_words(fixture, NO_SEAT);
    (void)render_hand(see(&nobody, SAYS_OWN), out, sizeof out);
    assert_silent_about("Test Hammer");
}

static void the_table_shows_what_is_public(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words nobody = fixture_words(fixture, NO_SEAT);
    (void)render_table(see(&nobody, SAYS_NOTHING), out, sizeof out);
    assert_says("Round 1, Ann's turn: before the door.");
    assert_says("> Ann (f): Level 1, strength 1, 1 card in hand");
    assert_says("  Bob (m): Level 1");
    assert_silent_about("Test ");
}

static void help_groups_what_is_legal_by_verb(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words ann = fixture_words(fixture, FIXTURE_ANN);
    (void)render_help(&ann, NULL, out, sizeof out);
    assert_says("\n  kick\n");
    assert_says("Test Hammer");
    (void)render_help(&ann, "kick", out, sizeof out);
    assert_says("Example:");
    (void)render_help(&ann, "room", out, sizeof out); // Matrix' own word
    assert_says("makes a private room");
    (void)render_help(&ann, "flurb", out, sizeof out);
    assert_says("\"flurb\"");
}

static void every_text_is_cut_cleanly(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words ann = fixture_words(fixture, FIXTURE_ANN);
    const size_t length = render_table(see(&ann, SAYS_NOTHING), out, sizeof out);
    assert_int_equal(length, strlen(out));
    char small[64];
    for (size_t size = 1; size < sizeof small; size++) {
        memset(small, 'x', sizeof small);
        assert_int_equal(render_table(see(&ann, SAYS_NOTHING), small, size), length);
        assert_int_equal(strlen(small), size - 1);
        assert_memory_equal(small, out, size - 1);
    }
}

static void every_command_is_explained(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words ann = fixture_words(fixture, FIXTURE_ANN);
    static const char *const WORDS[] = {
#define COMMAND(id, word, ...) #word,
#include "core/state/command.def"
#undef COMMAND
        "status", "log",  "hand",    "card",   "rules", "help",   "score",  "stats",
        "why",    "new",  "join",    "leave",  "start", "pause",  "resume", "end",
        "orders", "undo", "add-bot", "remove", "quit",  "notify", "dm",
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(WORDS[i], "elapse") != 0) {
            (void)render_help(&ann, WORDS[i], out, sizeof out);
            assert_says("Example");
            assert_says(WORDS[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_has_its_sentence),
        cmocka_unit_test(every_refusal_of_the_core_is_worded),
        cmocka_unit_test(a_refusal_names_the_card_in_the_way),
        cmocka_unit_test(but_never_one_the_reader_does_not_know),
        cmocka_unit_test(wrong_words_are_named),
        cmocka_unit_test(a_card_is_shown_with_its_figures),
        cmocka_unit_test(a_text_does_not_repeat_the_figures),
        cmocka_unit_test(a_hand_is_shown_to_its_owner_only),
        cmocka_unit_test(the_table_shows_what_is_public),
        cmocka_unit_test(help_groups_what_is_legal_by_verb),
        cmocka_unit_test(every_text_is_cut_cleanly),
        cmocka_unit_test(every_command_is_explained),
    };
    return cmocka_run_group_tests_name("render", tests, open_table, close_table);
}
