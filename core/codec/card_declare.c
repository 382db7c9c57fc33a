#include <string.h>

#include "core/codec/card_read.h"

// Words that end a name in a command (spec: Names).
static const char *const KEY_WORDS[] = {"on",        "with",     "for",       "to",
                                        "replacing", "offering", "promising", "picking"};

// The next word of a text in small letters; NULL at the end.
static const char *next_word(const char *at, char *word, size_t size)
{
    size_t length = 0;
    while (*at == ' ') {
        at++;
    }
    if (*at == '\0') {
        return NULL;
    }
    for (; *at != '\0' && *at != ' '; at++) {
        if (length + 1 < size) {
            word[length++] = suggest_small(*at);
        }
    }
    word[length] = '\0';
    return at;
}

static const char *key_word_in(const char *name)
{
    char word[4 * CATALOG_NAME_MAX + 1];
    for (const char *at = next_word(name, word, sizeof word); at != NULL;
         at = next_word(at, word, sizeof word)) {
        for (size_t i = 0; i < sizeof KEY_WORDS / sizeof KEY_WORDS[0]; i++) {
            if (strcmp(word, KEY_WORDS[i]) == 0) {
                return KEY_WORDS[i];
            }
        }
    }
    return NULL;
}

static bool has_letter(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((*text >= 'a' && *text <= 'z') || (unsigned char)*text >= 0x80) {
            return true;
        }
    }
    return false;
}

static bool name_is_right(struct reading *reading, const json_t *card, const char *name)
{
    uint32_t errors = reading->errors;
    bool fixed = false;
    reading_bool(reading, card, "fixed_name", &fixed);
    const char *key_word = key_word_in(name);
    if (key_word != NULL && !fixed) {
        reading_fail(reading, "name",
                     "expected a name without the word \"%s\", which players use in commands",
                     key_word);
    }
    if (strchr(name, ',') != NULL || strchr(name, '"') != NULL || strchr(name, ':') != NULL ||
        strchr(name, '#') != NULL) {
        reading_fail(reading, "name", "expected a name without comma, quote, colon and #");
    }
    char folded[4 * CATALOG_NAME_MAX + 1];
    size_t length = catalog_fold(name, folded, sizeof folded);
    if (name[0] == ' ' || name[strlen(name) - 1] == ' ' || strstr(name, "  ") != NULL) {
        reading_fail(reading, "name", "expected no blank at either end and no two in a row");
    } else if (!has_letter(folded)) {
        reading_fail(reading, "name", "expected a name with a letter in it");
    } else if (length + 5 < strlen(name)) {
        reading_fail(reading, "name", "expected a name without the printed prefix: \"%s\"", folded);
    }
    return reading->errors == errors;
}

static void declare_tags(struct reading *reading, const json_t *card)
{
    const json_t *list = json_object_get(card, "tags");
    if (list == NULL) {
        return;
    }
    if (!json_is_array(list) || json_array_size(list) > MB_TAGS_MAX) {
        reading_wrong(reading, "tags", "a list of words", list);
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        const char *tag = json_is_string(value) ? json_string_value(value) : "";
        size_t length = strspn(tag, "abcdefghijklmnopqrstuvwxyz0123456789_- ");
        if (length == 0 || tag[length] != '\0' || length > 30) {
            reading_wrong(reading, "tags", "a word of at most 30 small letters", value);
        } else if (catalog_enter_tag(reading->catalog, tag) == NO_TAG) {
            reading_fail(reading, "tags", "the sets hold more than %d different tags", MB_TAGS_MAX);
        }
    }
}

static bool gives_trait(unsigned kind)
{
    return kind == KIND_CLASS || kind == KIND_RACE || kind == KIND_FACTION ||
           kind == KIND_BIRTHRIGHT;
}

static uint8_t declare_trait(struct reading *reading, const char *name, unsigned kind)
{
    if (!gives_trait(kind)) {
        return NO_TRAIT;
    }
    uint8_t trait = catalog_enter_trait(reading->catalog, name, kind);
    if (trait == NO_TRAIT) {
        reading_fail(reading, "kind", "the sets hold more than %d Classes, Races and kin",
                     MB_TRAITS_MAX);
    } else if (reading->catalog->trait_kinds[trait] != kind) {
        reading_fail(reading, "kind", "expected %s as the card of this name in another set",
                     word_name(WORDS_KIND, reading->catalog->trait_kinds[trait]));
    }
    return trait;
}

static uint8_t deck_of(struct reading *reading, const json_t *card, unsigned kind, unsigned given)
{
    bool treasure =
        kind == KIND_ITEM || kind == KIND_ONESHOT || kind == KIND_FOLLOWER || kind == KIND_TREASURE;
    unsigned own = treasure ? DECK_TREASURE : DECK_DOOR;
    unsigned deck = given == DECK_BY_KIND ? own : given;
    bool said = reading_word(reading, card, "deck", WORDS_DECK, &deck);
    if (said && given != DECK_BY_KIND && deck != given) {
        reading_fail(reading, "deck", "expected %s, the deck of this file",
                     word_name(WORDS_DECK, given));
    } else if (!said && deck != own) {
        reading_fail(reading, "kind", "expected a kind of the %s deck in this file, found %s",
                     word_name(WORDS_DECK, given), word_name(WORDS_KIND, kind));
    }
    return (uint8_t)deck;
}

// The name's number, or NO_NAME if it cannot be entered or the set has it already.
static uint16_t enter_name(struct reading *reading, const char *name, uint8_t set)
{
    struct catalog *catalog = reading->catalog;
    if (catalog->n.defs == CATALOG_DEFS) {
        reading_fail(reading, NULL, "the sets hold more than %d different cards", CATALOG_DEFS);
        return NO_NAME;
    }
    uint16_t id = catalog_enter_name(catalog, name);
    if (id == NO_NAME) {
        reading_fail(reading, "name", "the sets hold more than %d names", CATALOG_NAMES);
        return NO_NAME;
    }
    for (unsigned i = catalog->sets[set].first_def; i < catalog->n.defs; i++) {
        if (catalog->defs[i].name == id) {
            reading_fail(reading, "name", "expected one card of this name in a set (use copies)");
            return NO_NAME;
        }
    }
    return id;
}

uint16_t card_declare(struct reading *reading, const json_t *card, struct card_place place)
{
    if (!json_is_object(card)) {
        reading_wrong(reading, NULL, "a card, which is an object", card);
        return NO_DEF;
    }
    const char *name = reading_string(reading, card, "name", 1, CATALOG_NAME_MAX);
    if (name == NULL) {
        if (json_object_get(card, "name") == NULL) {
            reading_fail(reading, "name", "expected the card's name, found nothing");
        }
        return NO_DEF;
    }
    reading->card = name;
    unsigned kind = KIND_TOTAL;
    if (!reading_word(reading, card, "kind", WORDS_KIND, &kind)) {
        if (json_object_get(card, "kind") == NULL) {
            reading_fail(reading, "kind", "expected a kind word, found nothing");
        }
        return NO_DEF;
    }
    if (!name_is_right(reading, card, name)) {
        return NO_DEF;
    }
    uint16_t id = enter_name(reading, name, place.set);
    const char *kept = id != NO_NAME ? reading_keep(reading, name) : NULL;
    if (kept == NULL) {
        return NO_DEF;
    }
    struct catalog *catalog = reading->catalog;
    uint16_t def = catalog->n.defs++;
    catalog->infos[def] = (struct def_info){.name = kept, .copies = 1};
    catalog->defs[def] = (struct card_def){
        .name = id,
        .set = place.set,
        .kind = (uint8_t)kind,
        .deck = deck_of(reading, card, kind, place.deck),
        .trait = declare_trait(reading, name, kind),
    };
    catalog->initials[def] = (uint8_t)catalog_normal(catalog, id)[0];
    declare_tags(reading, card);
    return def;
}
