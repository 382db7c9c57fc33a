/* Each edition in its own words: no text at a table of one edition says a word of another. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bot/parse/verb.h"
#include "bot/text/rules.h"

#include "tests/support/fixture.h"
#include "tests/support/test.h"

enum { OUT_SIZE = 16384, PAGES_MAX = 9 };

static char out[OUT_SIZE];

/** Words that a table of that edition alone does not know, parted by blanks. */
static const char *const FOREIGN[EDITION_TOTAL] = {
    [EDITION_CLASSIC] = "Trap Traps Duplicate Sidekick Sidekicks Comrade Comrades Faction Factions "
                        "Birthright Birthrights Power Powers Origin Origins",
    [EDITION_LEGENDS] = "Trap Traps Duplicate Sidekick Sidekicks Comrade Comrades Faction Factions "
                        "Birthright Birthrights Power Powers Origin Origins",
    [EDITION_PATHFINDER] = "Trap Traps Duplicate Sidekick Sidekicks Comrade Comrades Birthright "
                           "Birthrights Power Powers Origin Origins Elf Dwarf Halfling Warrior "
                           "Wizard Thief Cleric",
    [EDITION_SUPER] = "Curse Curses Mate Hireling Hirelings Comrade Comrades Faction Factions "
                      "Birthright Birthrights Elf Dwarf Halfling Warrior Wizard Thief Cleric",
    [EDITION_CONAN] = "Trap Traps Duplicate Sidekick Sidekicks Hireling Hirelings Faction Factions "
                      "Power Powers Origin Origins Elf Dwarf Halfling",
};

struct edition_table {
    struct fixture fixture;
    struct box box;
    struct table_words words;
};

static struct edition_table table;

static int open_table(void **state)
{
    fixture_open(&table.fixture, NULL);
    fixture_begin(&table.fixture);
    *state = &table;
    return 0;
}

static int close_table(void **state)
{
    (void)state;
    fixture_close(&table.fixture);
    return 0;
}

static void of_edition(unsigned edition)
{
    table.box = table.fixture.box;
    profile_make(&table.box.profile, 1u << edition, (enum edition)edition);
    table.words = fixture_words(&table.fixture, FIXTURE_ANN);
    table.words.box = &table.box;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        const bool begins = at == text || !isalnum((unsigned char)at[-1]);
        if (begins && !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

static void assert_own_words(unsigned edition, const char *what)
{
    char word[32];
    for (const char *at = FOREIGN[edition]; *at != '\0'; at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        assert_true(length < sizeof word);
        memcpy(word, at, length);
        word[length] = '\0';
        if (has_word(out, word, length)) {
            fail_msg("%s says \"%s\" about %s:\n%s", edition_name(edition), word, what, out);
        }
        at += length;
    }
}

static bool holds(enum rules_topic topic)
{
    const unsigned holding = rules_holding(&table.box.profile);
    for (size_t i = 0; i < rules_text_count(); i++) {
        if (rules_text(i)->topic == topic && rules_hold(rules_text(i)->when, holding)) {
            return true;
        }
    }
    return false;
}

static void read_topic(unsigned edition, enum rules_topic topic)
{
    char word[RULES_WORD_SIZE];
    char asked[RULES_WORD_SIZE + 8];
    bool more = true;
    (void)rules_topic_word(topic, 0, word);
    for (unsigned page = 1; more; page++) {
        assert_true(page < PAGES_MAX);
        (void)snprintf(asked, sizeof asked, "%s %u", word, page);
        (void)render_rules(&table.words, asked, out, sizeof out);
        assert_own_words(edition, asked);
        more = strstr(out, "turns it.)") != NULL;
    }
}

static void every_topic_speaks_the_houses_words(void **state)
{
    (void)state;
    for (unsigned edition = 0; edition < EDITION_TOTAL; edition++) {
        of_edition(edition);
        for (unsigned topic = 0; topic < RULES_TOPIC_TOTAL; topic++) {
            // These two are about the other editions.
            const bool others = topic == RULES_TOPIC_EDITION || topic == RULES_TOPIC_MIX;
            if (!others && holds((enum rules_topic)topic)) {
                read_topic(edition, (enum rules_topic)topic);
            }
        }
    }
}

static void every_help_speaks_the_houses_words(void **state)
{
    (void)state;
    static const char *const WORDS[] = {
#define COMMAND(id, word, ...) #word,
#include "core/state/command.def"
#undef COMMAND
    };
    for (unsigned edition = 0; edition < EDITION_TOTAL; edition++) {
        of_edition(edition);
        for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
            (void)render_help(&table.words, WORDS[i], out, sizeof out);
            assert_own_words(edition, WORDS[i]);
        }
    }
}

struct refused {
    enum refusal_code code;
    const char *rule;
};

// What is said of Powers is said only where there are some.
static bool of_powers(unsigned code, const char *rule)
{
    return code == REFUSAL_RANK_EXCEEDED || strncmp(rule, "POWER-", 6) == 0 ||
           (code == REFUSAL_LIMIT_REACHED && strcmp(rule, "SETUP-6") == 0);
}

static void every_refusal_speaks_the_houses_words(void **state)
{
    (void)state;
    static const struct refused REFUSED[] = {
#define REFUSED(code, key, rule) {REFUSAL_##code, rule},
#include "bot/text/refused.def"
#undef REFUSED
    };
    for (unsigned edition = 0; edition < EDITION_TOTAL; edition++) {
        of_edition(edition);
        for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
            const struct refusal why = {.code = (uint8_t)REFUSED[i].code,
                                        .rule = REFUSED[i].rule,
                                        .card = NO_CARD,
                                        .seat = NO_SEAT};
            (void)render_refusal(&table.words, &why, out, sizeof out);
            if (edition == EDITION_SUPER || !of_powers(why.code, why.rule)) {
                assert_own_words(edition, REFUSED[i].rule);
            }
        }
        for (unsigned code = 1; code < REFUSAL_TOTAL; code++) {
            const struct refusal why = {.code = (uint8_t)code, .card = NO_CARD, .seat = NO_SEAT};
            (void)render_refusal(&table.words, &why, out, sizeof out);
            if (edition == EDITION_SUPER || !of_powers(code, "")) {
                assert_own_words(edition, refusal_name(code));
            }
        }
    }
}

static void assert_says(const char *asked, const char *part)
{
    (void)render_rules(&table.words, asked, out, sizeof out);
    if (strstr(out, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, out);
    }
}

static void phases_and_set_up_are_those_of_the_sheet(void **state)
{
    (void)state;
    of_edition(EDITION_CLASSIC);
    assert_says("turn", "phase 3, Charity.");
    assert_says("set-up", "a Class and a Race");
    of_edition(EDITION_PATHFINDER);
    assert_says("turn", "phase 3, Charity.");
    assert_says("set-up", "a Class and a Faction");
    of_edition(EDITION_SUPER);
    assert_says("turn", "phase 4, Charity.");
    assert_says("set-up", "one Power of Rank 1");
    of_edition(EDITION_CONAN);
    assert_says("turn", "phase 4, Charity.");
    assert_says("set-up", "Race, Class and Birthright");
}

// Rules: MIX-2, the house decides where the sheets disagree.
static void a_mixed_table_speaks_its_houses_words(void **state)
{
    (void)state;
    of_edition(EDITION_CLASSIC);
    profile_make(&table.box.profile, 1u << EDITION_CLASSIC | 1u << EDITION_SUPER, EDITION_CLASSIC);
    assert_says("curses", "A Curse turned up");
    assert_says("turn", "phase 3, Charity.");
    assert_says("fight", "Its Treasure is lost too");
    profile_make(&table.box.profile, 1u << EDITION_CLASSIC | 1u << EDITION_SUPER, EDITION_SUPER);
    assert_says("curses", "A Trap turned up");
    assert_says("turn", "phase 4, Charity.");
    assert_says("fight", "You draw its Treasure");
    assert_says("big", "only one Big one");
}

static void assert_shown(const struct catalog *catalog, const char *set, const char *name,
                         const char *part)
{
    struct table_words words = {.catalog = catalog, .box = &table.box, .seat = NO_SEAT};
    const uint16_t def = catalog_find_def(catalog, name, catalog_find_set(catalog, set));
    assert_int_not_equal(def, NO_DEF);
    (void)render_card(&words, def, out, sizeof out);
    if (strstr(out, part) == NULL) {
        fail_msg("\"%s\" is not said in:\n%s", part, out);
    }
}

// At a mixed table, too: whatever the house.
static void a_card_speaks_its_own_sets_words(void **state)
{
    (void)state;
    static const char *const SETS[] = {"cards/classic", "cards/super", "cards/conan"};
    struct catalog *const catalog = catalog_load_sets(SETS, 3, NULL);
    assert_non_null(catalog);
    for (unsigned edition = 0; edition < EDITION_TOTAL; edition++) {
        of_edition(edition);
        assert_shown(catalog, "classic", "Wet Socks", "Curse! Wet Socks.\n");
        assert_shown(catalog, "super", "Parking Fine", "Trap! Parking Fine.\n");
        assert_shown(catalog, "conan", "Pelias", "Pelias: Comrade");
        assert_shown(catalog, "super", "Marketable Mascot", "Marketable Mascot: Sidekick");
        assert_shown(catalog, "classic", "Hireling", "Hireling: Hireling");
    }
    catalog_destroy(catalog);
}

// What a Monster gives to people is no figure of its strength.
static void a_monsters_gift_is_no_figure(void **state)
{
    (void)state;
    static const char *const SETS[] = {"cards/super"};
    struct catalog *const catalog = catalog_load_sets(SETS, 1, NULL);
    assert_non_null(catalog);
    of_edition(EDITION_SUPER);
    assert_shown(catalog, "super", "Rebound Sidekick",
                 "Rebound Sidekick: Monster, Level 2, 1 Treasure.\n");
    catalog_destroy(catalog);
}

struct typed {
    const char *card, *line;
};

static void printed_prefixes_are_typed(void **state)
{
    (void)state;
    static const struct typed TYPED[] = {
        {"Wet Socks", "play Curse! Wet Socks on Bob"},
        {"Bad Hair Century", "play curse: bad hair on bob"},
        {"Lose Your Armor", "play \"Trap! Lose Your Armor\" on Bob"},
        {"Freshly Mopped Abyss", "play TRAP: freshly mopped on Bob"},
    };
    for (size_t i = 0; i < sizeof TYPED / sizeof TYPED[0]; i++) {
        struct refusal why = {0};
        fixture_close(&table.fixture);
        (void)open_table(state);
        (void)fixture_card(&table.fixture, TYPED[i].card, pile_hand(FIXTURE_ANN), 0);
        if (!fixture_do(&table.fixture, FIXTURE_ANN, TYPED[i].line, &why)) {
            fail_msg("\"%s\" is refused: %s", TYPED[i].line, refusal_name(why.code));
        }
        const char *const said = fixture_said(&table.fixture, NO_SEAT);
        if (strstr(said, TYPED[i].card) == NULL) {
            fail_msg("\"%s\" does not play it:\n%s", TYPED[i].line, said);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_topic_speaks_the_houses_words),
        cmocka_unit_test(every_help_speaks_the_houses_words),
        cmocka_unit_test(every_refusal_speaks_the_houses_words),
        cmocka_unit_test(phases_and_set_up_are_those_of_the_sheet),
        cmocka_unit_test(a_mixed_table_speaks_its_houses_words),
        cmocka_unit_test(a_card_speaks_its_own_sets_words),
        cmocka_unit_test(a_monsters_gift_is_no_figure),
        cmocka_unit_test(printed_prefixes_are_typed),
    };
    return cmocka_run_group_tests_name("editions", tests, open_table, close_table);
}
