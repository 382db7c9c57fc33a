/* The rules in words: nothing of the ledger is left out, every topic can be reached and fits. */
#include <stdio.h>
#include <string.h>

#include <glob.h>
#include <strings.h>

#include "bot/text/rules.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 16384, LINE_MAX_SIZE = 4096, SOURCE_SIZE = 262144, ID_SIZE = 24, PAGES_MAX = 9 };

static char out[OUT_SIZE];

static int open_table(void **state)
{
    static struct fixture fixture;
    fixture_open(&fixture, NULL);
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

static bool is_told(const char *id)
{
    for (size_t i = 0; i < rules_text_count(); i++) {
        if (rules_text_tells(rules_text(i), id)) {
            return true;
        }
    }
    return false;
}

// Rows of the ledger begin with "| ID |".
static unsigned ledger_ids(char (*ids)[ID_SIZE], unsigned size)
{
    FILE *const file = fopen("core/rules/ledger.md", "r");
    assert_non_null(file);
    char line[LINE_MAX_SIZE];
    unsigned count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char id[ID_SIZE];
        if (sscanf(line, "| %23[A-Z0-9-] |", id) == 1 && rules_is_id(id)) {
            assert_true(count < size);
            memcpy(ids[count++], id, sizeof id);
        }
    }
    (void)fclose(file);
    return count;
}

static void every_rule_of_the_ledger_is_told(void **state)
{
    (void)state;
    static char ids[256][ID_SIZE];
    const unsigned count = ledger_ids(ids, 256);
    assert_true(count > 150);
    unsigned missing = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!is_told(ids[i])) {
            print_error("no text tells %s\n", ids[i]);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

static bool is_known(const char *id, char (*ids)[ID_SIZE], unsigned count)
{
    bool known = strncmp(id, "RUL-", 4) == 0;
    for (unsigned i = 0; !known && i < count; i++) {
        known = strcmp(id, ids[i]) == 0;
    }
    return known;
}

static void check_ids(const char *at, char (*ids)[ID_SIZE], unsigned count)
{
    assert_true(*at != '\0');
    while (*at != '\0') {
        char id[ID_SIZE] = "";
        const size_t length = strcspn(at, " ");
        assert_true(length < sizeof id);
        memcpy(id, at, length);
        if (!is_known(id, ids, count)) {
            fail_msg("%s is no rule of the ledger", id);
        }
        at += length;
        at += strspn(at, " ");
    }
}

static void nothing_is_told_that_no_rule_says(void **state)
{
    (void)state;
    static char ids[256][ID_SIZE];
    const unsigned count = ledger_ids(ids, 256);
    for (size_t i = 0; i < rules_text_count(); i++) {
        check_ids(rules_text(i)->ids, ids, count);
    }
}

// Every string of a source that looks like a rule's number.
static unsigned untold_in(const char *path)
{
    static char source[SOURCE_SIZE];
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(source, 1, sizeof source - 1, file);
    assert_true(length < sizeof source - 1);
    source[length] = '\0';
    (void)fclose(file);
    unsigned missing = 0;
    for (const char *at = source; (at = strchr(at, '"')) != NULL; at++) {
        char id[ID_SIZE];
        if (sscanf(at, "\"%23[A-Z0-9-]\"", id) == 1 && rules_is_id(id) && !is_told(id)) {
            print_error("%s: no text tells %s\n", path, id);
            missing++;
        }
    }
    return missing;
}

static void every_rule_that_refuses_is_told(void **state)
{
    (void)state;
    glob_t found = {0};
    assert_int_equal(glob("core/*.c", 0, NULL, &found), 0);
    assert_int_equal(glob("core/*/*.c", GLOB_APPEND, NULL, &found), 0);
    unsigned missing = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        missing += untold_in(found.gl_pathv[i]);
    }
    globfree(&found);
    assert_int_equal(missing, 0);
}

static void check_words(enum rules_topic topic)
{
    char word[RULES_WORD_SIZE];
    unsigned n = 0;
    for (; rules_topic_word(topic, n, word); n++) {
        if (rules_topic_find(word) != topic) {
            fail_msg("\"%s\" does not lead to topic %u", word, (unsigned)topic);
        }
    }
    assert_int_not_equal(n, 0);
}

static void a_question_finds_the_topic_of_a_word_in_it(void **state)
{
    (void)state;
    assert_int_equal(rules_topic_within("how do i win"), RULES_TOPIC_WIN);
    assert_int_equal(rules_topic_within("what is a class?"), RULES_TOPIC_CLASS);
    assert_int_equal(rules_topic_within("When I die, who gets my Items"), RULES_TOPIC_ITEM);
    assert_int_equal(rules_topic_within("why?"), RULES_TOPIC_TOTAL);
    assert_int_equal(rules_topic_within(""), RULES_TOPIC_TOTAL);
}

// What a refusal points to is about the rule, and not the first that mentions it.
static void a_rule_leads_to_what_is_about_it(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum rules_topic topic;
    } LEADS[] = {{"DEATH-6", RULES_TOPIC_DEATH},
                 {"CANCEL-1", RULES_TOPIC_ANSWER},
                 {"HELP-9", RULES_TOPIC_HELP},
                 {"RUL-9999", RULES_TOPIC_TOTAL}};
    for (size_t i = 0; i < sizeof LEADS / sizeof LEADS[0]; i++) {
        assert_int_equal(rules_topic_of_id(LEADS[i].id, ~0u), LEADS[i].topic);
    }
}

static void every_word_leads_to_its_topic(void **state)
{
    (void)state;
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        check_words(topic);
    }
}

static void check_pages(const struct table_words *words, enum rules_topic topic)
{
    char word[RULES_WORD_SIZE];
    char asked[RULES_WORD_SIZE + 8];
    assert_true(rules_topic_word(topic, 0, word));
    unsigned page = 1;
    do {
        (void)snprintf(asked, sizeof asked, "%s %u", word, page);
        const size_t length = render_rules(words, asked, out, sizeof out);
        assert_true(length > strlen(word));
        assert_true(length <= RULES_PAGE_SIZE);
        page++;
    } while (strstr(out, "turns it.)") != NULL && page < PAGES_MAX);
    assert_true(page < PAGES_MAX);
}

static void every_topic_fits_a_telephone(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words here = fixture_words(fixture, FIXTURE_ANN);
    const struct table_words nowhere = {.catalog = fixture->catalog, .seat = NO_SEAT};
    assert_true(render_rules(&here, NULL, out, sizeof out) <= RULES_PAGE_SIZE);
    assert_true(render_rules(&nowhere, NULL, out, sizeof out) <= RULES_PAGE_SIZE);
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        check_pages(&here, topic);
        check_pages(&nowhere, topic);
    }
    (void)render_rules(&nowhere, "fight", out, sizeof out);
    assert_says("(Page 1 of 2; \"rules fight 2\" turns it.)");
    (void)render_rules(&nowhere, "fight 2", out, sizeof out);
    assert_says("(Page 2 of 2, the last.)");
}

static void the_list_names_every_topic(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    (void)render_rules(&words, "", out, sizeof out);
    for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
        char word[RULES_WORD_SIZE];
        (void)rules_topic_word(topic, 0, word);
        assert_says(word);
    }
    const char *const others = strstr(out, "Not in this game");
    assert_non_null(others);
    assert_non_null(strstr(others, "powers"));
    assert_null(strstr(others, "selling"));
}

struct asked {
    const char *words, *said;
};

static void people_are_understood(void **state)
{
    struct fixture *const fixture = *state;
    const struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    static const struct asked ASKED[] = {
        {"combat", "Your strength is your Level"},
        {"COMBAT-2", "COMBAT-2, from \"rules fight\""},
        {"rul-62", "Backstab"},
        {"RUL-9999", "I have no text for rule"},
        {"Curses", "\nA Curse turned up"},
        {"kick", "Turn"},
        {"Theft", "Thief"},
        {"hireling", "sacrifice"},
        {"Super Munchkin", "no drawbacks"},
        {"powers", "Not at this table: it needs a set of super."},
        {"listen", "it needs the variant \"listen\""},
        {"sellign", "Did you mean selling?"},
        {"qqqqqq", "There is no topic \"qqqqqq\""},
        {"Net Troll", "Net Troll: Monster, Level 10"},
        {"run away 99", "Cannot win?"},
        {"  \"win\" ? ", "to reach Level 10 wins"},
    };
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; i++) {
        (void)render_rules(&words, ASKED[i].words, out, sizeof out);
        assert_says(ASKED[i].said);
    }
}

// Set by set: what holds elsewhere only is not told among the rest.
static void a_table_hears_its_own_rules_first(void **state)
{
    struct fixture *const fixture = *state;
    struct box box = fixture->box;
    struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    words.box = &box;
    (void)render_rules(&words, "big", out, sizeof out);
    assert_says("only one Big one");
    assert_null(strstr(out, "no limit on Big Items"));
    profile_make(&box.profile, 1u << EDITION_SUPER, EDITION_SUPER);
    (void)render_rules(&words, "big", out, sizeof out);
    assert_says("no limit on Big Items");
    assert_null(strstr(out, "only one Big one"));
    box.profile.constant[PROFILE_GOAL] = 20;
    (void)render_rules(&words, "winning", out, sizeof out);
    assert_says("to reach Level 20 wins");
    assert_says("Epic");
}

// The edition, and what is played otherwise than its sheet says.
static void a_table_hears_what_is_different(void **state)
{
    struct fixture *const fixture = *state;
    struct box box = fixture->box;
    struct table_words words = fixture_words(fixture, FIXTURE_ANN);
    words.box = &box;
    profile_make(&box.profile, 1u << EDITION_CONAN, EDITION_CONAN);
    (void)render_rules(&words, "edition", out, sizeof out);
    assert_says("the conan sheet, to the letter");
    assert_says("Conan, unlike classic");
    assert_says("quick: ");
    assert_null(strstr(out, "Super, unlike"));
    box.profile.flag[FLAG_REMOVAL_PAYS] = false;
    box.profile.constant[PROFILE_GOAL] = 20;
    (void)render_rules(&words, "house rules", out, sizeof out);
    assert_says("with these house rules:\n  + Level 20 wins.\n  + A monster removed");
}

static void every_command_leads_somewhere(void **state)
{
    (void)state;
    static const char *const WORDS[] = {
#define COMMAND(id, word, ...) #word,
#include "core/state/command.def"
#undef COMMAND
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(WORDS[i], "elapse") != 0 && rules_topic_find(WORDS[i]) == RULES_TOPIC_TOTAL) {
            fail_msg("\"rules %s\" leads nowhere", WORDS[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_of_the_ledger_is_told),
        cmocka_unit_test(nothing_is_told_that_no_rule_says),
        cmocka_unit_test(every_rule_that_refuses_is_told),
        cmocka_unit_test(a_question_finds_the_topic_of_a_word_in_it),
        cmocka_unit_test(a_rule_leads_to_what_is_about_it),
        cmocka_unit_test(every_word_leads_to_its_topic),
        cmocka_unit_test(every_topic_fits_a_telephone),
        cmocka_unit_test(the_list_names_every_topic),
        cmocka_unit_test(people_are_understood),
        cmocka_unit_test(a_table_hears_its_own_rules_first),
        cmocka_unit_test(a_table_hears_what_is_different),
        cmocka_unit_test(every_command_leads_somewhere),
    };
    return cmocka_run_group_tests_name("rules", tests, open_table, close_table);
}
