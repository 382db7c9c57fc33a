/*
 * A card's own text says what its data does: numbers and key words of the text and of the sentence
 * generated from the data are compared both ways, for all five sets.
 *
 * A number is a token with its sign. A key word is a word of KEYS in any of its forms, a trait, or
 * a word of an ability's name. Forms of one row of KEYS are synonyms. Figures that every table
 * shows beside the text (Level and Treasures of a monster, Gold Pieces, Rank) need not be in the
 * text; slot, Big and the kinds that rules ask for (Undead, Goblin) must.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/catalog.h"
#include "core/codec/describe.h"

#include "tests/support/test.h"

enum { TOKENS_MAX = 200, TOKEN_SIZE = 32, FORMS_MAX = 8 };

/* The first form stands for the row. Two forms of different words are synonyms for the reason
 * given; the others are the same word. */
static const char *const KEYS[][FORMS_MAX] = {
    {"level", "levels"},
    {"treasure", "treasures"},
    {"gold"},
    {"bad"}, // Bad Stuff
    {"lose", "loses", "lost", "losing"},
    {"discard", "discards", "discarded"},
    {"death", "dies"}, // what the card prints, and what a sentence about others says
    {"gain", "gains"},
    {"draw", "draws", "drawn"},
    {"take", "takes"},
    {"escape", "escapes"},
    {"run"},
    {"pursue"},
    {"roll", "rolls", "rolled", "rolling"},
    {"fight", "fights", "fighting"},
    {"monster", "monsters"},
    {"help", "helper", "helped", "helps"},
    {"alone"},
    {"class", "classes"},
    {"race", "races"},
    {"faction", "factions"},
    {"power", "powers"},
    {"rank", "ranks"},
    {"origin"},
    {"item", "items"},
    {"one-shot", "one-shots"},
    {"headgear"},
    {"armor"},
    {"footgear"},
    {"hand", "hands"},
    {"slot"},
    {"small"},
    {"big"},
    {"curse", "curses", "trap", "traps"}, // the Super set calls its Curses Traps
    {"enhancer", "enhancers"},
    {"follower", "followers", "comrade", "comrades", "sidekick", "sidekicks"}, // kinds of followers
    {"undead"},
    {"goblin"},
    {"fire"},
    {"female"},
    {"male"},
    {"human", "humans"},
    {"sex"},
    {"left"},
    {"right"},
    {"highest"},
    {"lowest"},
    {"higher"},
    {"lower"},
    {"biggest"},
    {"random"},
    {"choice"},
    {"winning"},
    {"ties"},
    {"cancels"},
    {"stays"},
    {"double"},
    {"copy", "duplicate"}, // the Super set's word for it
    {"steal", "steals"},
    {"replace", "replaces", "replaced"},
    {"value"},
    {"strength"},
    {"limit"},
    {"turn"},
    {"card", "cards"},
    {"door", "doors"},
    {"either"},
    {"whole"},
    {"every"},
    {"nobody"},
    {"kill"},
    {"any"},
};

enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0] };

struct tokens {
    char list[TOKENS_MAX][TOKEN_SIZE];
    size_t count;
};

static struct catalog *catalog;

static bool has(const struct tokens *tokens, const char *word)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (strcmp(tokens->list[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct tokens *tokens, const char *word)
{
    if (!has(tokens, word) && tokens->count < TOKENS_MAX) {
        (void)snprintf(tokens->list[tokens->count++], TOKEN_SIZE, "%s", word);
    }
}

// Whether `word`, in small letters, is a word of `name`.
static bool word_of(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = name; *at != '\0'; at++) {
        const bool begins = at == name || at[-1] == ' ' || at[-1] == '-';
        if (begins && strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

// The key that a word stands for; NULL if it is none.
static const char *key_of(const char *word)
{
    static char plural[TOKEN_SIZE];
    for (size_t key = 0; key < KEY_COUNT; key++) {
        for (size_t form = 0; form < FORMS_MAX && KEYS[key][form] != NULL; form++) {
            if (strcmp(KEYS[key][form], word) == 0) {
                return KEYS[key][0];
            }
        }
    }
    for (unsigned trait = 0; catalog_trait_name(catalog, trait)[0] != '\0'; trait++) {
        if (word_of(catalog_trait_name(catalog, trait), word)) {
            return word;
        }
        (void)snprintf(plural, sizeof plural, "%ss", catalog_trait_name(catalog, trait));
        if (strcasecmp(plural, word) == 0) {
            return catalog_trait_name(catalog, trait);
        }
    }
    for (unsigned ability = 0; ability < catalog_ability_count(catalog); ability++) {
        if (word_of(catalog_ability_name(catalog, ability), word)) {
            return word;
        }
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Numbers and key words of a text.
static void read_tokens(const char *text, struct tokens *out)
{
    const char *const start = text;
    out->count = 0;
    while (*text != '\0') {
        char word[TOKEN_SIZE];
        size_t length = 0;
        const bool sign = (*text == '+' || *text == '-') && is_digit(text[1]);
        if (sign || is_digit(*text)) {
            const bool range = sign && length == 0 && text > start && is_digit(text[-1]);
            text += range;
            do {
                word[length++] = *text++;
            } while (is_digit(*text) && length + 1 < sizeof word);
        } else if (isalpha((unsigned char)*text)) {
            while ((isalpha((unsigned char)*text) ||
                    (*text == '-' && isalpha((unsigned char)text[1]))) &&
                   length + 1 < sizeof word) {
                word[length++] = (char)tolower((unsigned char)*text++);
            }
        } else {
            text++;
            continue;
        }
        word[length] = '\0';
        const bool number = !isalpha((unsigned char)word[0]);
        const char *key = number ? word : key_of(word);
        if (key != NULL) {
            add(out, key);
        }
    }
}

// What the text must say of the figures: the slot, Big, Undead, Goblin.
static void read_figures(const struct card_def *def, struct tokens *out)
{
    static const char *const SLOTS[SLOT_TOTAL] = {
        [SLOT_NONE] = "slot",         [SLOT_HEADGEAR] = "headgear", [SLOT_ARMOR] = "armor",
        [SLOT_FOOTGEAR] = "footgear", [SLOT_HAND] = "hand",         [SLOT_TWO_HANDS] = "hand"};
    if (def->kind == KIND_ITEM) {
        add(out, SLOTS[def->slot]);
    }
    if (def->kind == KIND_ITEM && (def->slot == SLOT_HAND || def->slot == SLOT_TWO_HANDS)) {
        add(out, def->slot == SLOT_HAND ? "1" : "2");
    }
    if ((def->flags & DEF_BIG) != 0) {
        add(out, "big");
    }
    if (kind_is_item(def->kind) && def->gold == 0) {
        add(out, "value");
    }
    if (def->kind == KIND_MONSTER && (def->tags & (1u << TAG_UNDEAD)) != 0) {
        add(out, "undead");
    }
    if (def->kind == KIND_MONSTER && (def->tags & (1u << TAG_GOBLIN)) != 0) {
        add(out, "goblin");
    }
}

// Says what of `of` is missing in `in`, as a list; "" if nothing.
static void missing(const struct tokens *of, const struct tokens *in, const struct tokens *or_in,
                    char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < of->count; i++) {
        if (!has(in, of->list[i]) && (or_in == NULL || !has(or_in, of->list[i]))) {
            const size_t length = strlen(out);
            (void)snprintf(out + length, size - length, " %s", of->list[i]);
        }
    }
}

static bool agrees(unsigned def)
{
    static struct tokens text;
    static struct tokens data;
    static struct tokens figures;
    char sentence[DESCRIBE_SIZE];
    char extra[512];
    char absent[512];
    describe_text(catalog, def, sentence, sizeof sentence);
    read_tokens(catalog_text(catalog, def), &text);
    read_tokens(sentence, &data);
    figures.count = 0;
    read_figures(catalog_def(catalog, def), &figures);
    missing(&text, &data, &figures, extra, sizeof extra);
    for (size_t i = 0; i < figures.count; i++) {
        add(&data, figures.list[i]);
    }
    missing(&data, &text, NULL, absent, sizeof absent);
    if (extra[0] == '\0' && absent[0] == '\0') {
        return true;
    }
    print_error("%s:%s\n  text: %s\n  data: %s\n  only in the text:%s\n  not in the text:%s\n",
                catalog_set(catalog, catalog_def(catalog, def)->set)->id,
                catalog_name(catalog, def), catalog_text(catalog, def), sentence, extra, absent);
    return false;
}

static void every_text_agrees_with_its_data(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        wrong += !agrees(def);
    }
    if (wrong > 0) {
        fail_msg("%u of %zu texts do not say what the data does", wrong,
                 catalog_def_count(catalog));
    }
}

static void numbers_and_words_are_found(void **state)
{
    (void)state;
    static struct tokens tokens;
    read_tokens("+4 if an Elf fights; 1-3: two Elves roll -2, Curses. 10 one-shots (Berserk).",
                &tokens);
    static const char *const WANTED[] = {"+4", "elf",   "fight", "1",        "3",      "roll",
                                         "-2", "curse", "10",    "one-shot", "berserk"};
    for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
        if (!has(&tokens, WANTED[i])) {
            fail_msg("%s is not found", WANTED[i]);
        }
    }
    assert_int_equal(tokens.count, sizeof WANTED / sizeof WANTED[0]);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    static struct tokens one;
    static struct tokens other;
    char out[64];
    read_tokens("lose 2 Levels", &one);
    read_tokens("lose 1 Level", &other);
    missing(&one, &other, NULL, out, sizeof out);
    assert_string_equal(out, " 2");
    missing(&other, &one, NULL, out, sizeof out);
    assert_string_equal(out, " 1");
}

static int load(void **state)
{
    (void)state;
    static const char *const DIRS[] = {"cards/classic", "cards/legends", "cards/pathfinder",
                                       "cards/super", "cards/conan"};
    catalog = catalog_load_sets(DIRS, sizeof DIRS / sizeof DIRS[0], NULL);
    return catalog != NULL ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    catalog_destroy(catalog);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_agrees_with_its_data),
        cmocka_unit_test(numbers_and_words_are_found),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests_name("texts", tests, load, unload);
}
