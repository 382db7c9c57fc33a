
#include <string.h>

#include "core/codec/card_fields.h"
#include "core/codec/row_check.h"
#include "core/codec/row_read.h"

enum { COPIES_MAX = 20, TEXT_MAX = 200, SECOND_LEVEL = 16 };

static void check_fields(struct reading *reading, const json_t *card, unsigned kind)
{
    reading_keys(reading, card, CARD_KEYS);
    for (const struct card_field *field = CARD_FIELDS; field->name != NULL; field++) {
        if (!card_field_fits(field, kind) && json_object_get(card, field->name) != NULL) {
            reading_fail(reading, field->name, "expected nothing: no field of the kind %s",
                         word_name(WORDS_KIND, kind));
        }
    }
}

// Rules: TAG-2. Any monster with "Goblin" in its name is a Goblin.
static bool is_goblin(const char *name)
{
    char folded[4 * CATALOG_NAME_MAX + 3] = " ";
    size_t length = 1 + catalog_fold(name, folded + 1, sizeof folded - 2);
    folded[length] = ' ';
    folded[length + 1] = '\0';
    for (char *c = folded; *c != '\0'; c++) {
        if (strchr("!.-'?()", *c) != NULL) {
            *c = ' ';
        }
    }
    return strstr(folded, " goblin ") != NULL || strstr(folded, " goblins ") != NULL;
}

static void read_tags(struct reading *reading, const json_t *card, struct card_def *def)
{
    const json_t *list = json_object_get(card, "tags");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        uint8_t number = tag != NULL ? catalog_find_tag(reading->catalog, tag) : (uint8_t)NO_TAG;
        if (number != NO_TAG) {
            def->tags |= (uint64_t)1 << number;
        }
    }
    if (def->kind == KIND_MONSTER && is_goblin(reading->card)) {
        def->tags |= (uint64_t)1 << TAG_GOBLIN;
    }
}

static void read_monster(struct reading *reading, const json_t *card, struct card_def *def)
{
    int number = 0;
    if (!reading_int(reading, card, "level", 1, 99, &number) &&
        json_object_get(card, "level") == NULL) {
        reading_fail(reading, "level", "expected the monster's Level, found nothing");
    }
    def->level = (uint8_t)number;
    int levels = number >= SECOND_LEVEL ? 2 : 1;
    reading_int(reading, card, "levels", 0, 9, &levels);
    def->levels = (uint8_t)levels;
    number = 0;
    if (!reading_int(reading, card, "treasures", 0, 20, &number) &&
        json_object_get(card, "treasures") == NULL) {
        reading_fail(reading, "treasures", "expected the number of Treasures, found nothing");
    }
    def->treasures = (uint8_t)number;
}

static void set_flag(struct reading *reading, const json_t *card, const char *key, bool otherwise,
                     struct card_def *def, enum def_flag flag)
{
    bool on = otherwise;
    reading_bool(reading, card, key, &on);
    if (on) {
        def->flags |= (uint8_t)flag;
    }
}

static void read_goods(struct reading *reading, const json_t *card, struct card_def *def)
{
    unsigned slot = SLOT_NONE;
    int gold = 0;
    reading_word(reading, card, "slot", WORDS_SLOT, &slot);
    def->slot = (uint8_t)slot;
    bool priced = reading_int(reading, card, "gold", 0, 30000, &gold);
    def->gold = (int16_t)gold;
    if (priced || def->kind == KIND_ITEM || def->kind == KIND_ONESHOT) {
        def->flags |= DEF_VALUE;
    }
    set_flag(reading, card, "big", false, def, DEF_BIG);
    set_flag(reading, card, "extra_armor", false, def, DEF_EXTRA_ARMOR);
    if (def->kind == KIND_ONESHOT) {
        unsigned sides = 2; // either
        reading_word(reading, card, "sides", WORDS_SIDES, &sides);
        def->sides = (uint8_t)(sides + 1);
    }
}

static void read_person(struct reading *reading, const json_t *card, struct card_def *def,
                        struct def_info *info)
{
    int rank = 0;
    if (def->kind == KIND_POWER && !reading_int(reading, card, "rank", 1, 3, &rank) &&
        json_object_get(card, "rank") == NULL) {
        reading_fail(reading, "rank", "expected the Power's Rank, 1 to 3, found nothing");
    }
    def->rank = (uint8_t)rank;
    set_flag(reading, card, "human", false, def, DEF_HUMAN);
    set_flag(reading, card, "kept", false, def, DEF_KEPT);
    set_flag(reading, card, "stays", false, def, DEF_STAYS);
    set_flag(reading, card, "on_self", false, def, DEF_ON_SELF);
    if (def->kind == KIND_FOLLOWER) {
        unsigned sort = 0;
        reading_word(reading, card, "sort", WORDS_SORT, &sort);
        info->sort = (uint8_t)(sort + 1);
        bool comrade = strcmp(word_name(WORDS_SORT, sort), "comrade") == 0;
        set_flag(reading, card, "sacrifice", !comrade, def, DEF_SACRIFICE);
    }
}

// When a card may be played that does not say so.
static uint16_t usual_timing(const struct card_def *def, const struct row *rows)
{
    bool answers = false;
    bool before_roll = false;
    bool other = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        answers |= when_answers(rows[i].when);
        before_roll |= rows[i].when == WHEN_BEFORE_ROLL;
        other |= rows[i].when == WHEN_STATIC || rows[i].when == WHEN_PLAY;
    }
    switch (def->kind) {
    case KIND_CURSE:
    case KIND_FOLLOWER:
    case KIND_TREASURE:
        return 1u << AT_ANY_TIME;
    case KIND_ENHANCER:
        return 1u << AT_FIGHT;
    case KIND_ONESHOT:
        if (other || (!answers && !before_roll)) {
            return 1u << AT_FIGHT;
        }
        return (uint16_t)((answers ? 1u << AT_ANSWER : 0) |
                          (before_roll ? 1u << AT_BEFORE_ROLL : 0));
    default:
        return 0;
    }
}

static void read_timing(struct reading *reading, const json_t *card, struct card_def *def)
{
    const json_t *list = json_object_get(card, "play");
    if (list == NULL) {
        def->timing = usual_timing(def, reading->catalog->rows + def->first_row);
        if (def->kind == KIND_DOOR &&
            catalog_status(reading->catalog, (unsigned)(def - reading->catalog->defs))[0] == '\0') {
            reading_fail(reading, "play", "expected when it may be played, found nothing");
        }
        return;
    }
    if (!json_is_array(list) || json_array_size(list) == 0) {
        reading_wrong(reading, "play", "a list of timing words", list);
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        unsigned word = 0;
        if (reading_word_value(reading, "play", json_array_get(list, i), WORDS_TIMING, &word)) {
            def->timing |= (uint16_t)(1u << word);
        }
    }
}

static void read_rows(struct reading *reading, const json_t *card, struct card_def *def)
{
    const json_t *value = json_object_get(card, "bonus");
    def->first_row = reading->catalog->n.rows;
    if (value != NULL) {
        row_read_short(reading, "bonus", value,
                       def->kind == KIND_ENHANCER ? EFFECT_MONSTER_BONUS : EFFECT_BONUS);
    }
    value = json_object_get(card, "treasures");
    if (value != NULL && def->kind == KIND_ENHANCER) {
        row_read_short(reading, "treasures", value, EFFECT_TREASURES);
    }
    value = json_object_get(card, "rows");
    if (value != NULL) {
        rows_read(reading, value);
    }
    // At most 42: the list of a card is bounded.
    def->row_count = (uint8_t)(reading->catalog->n.rows - def->first_row);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *const row = &reading->catalog->rows[def->first_row + i];
        def->static_ops |= row->when == WHEN_STATIC ? row_op_bit(row->op) : 0;
    }
    value = json_object_get(card, "needs");
    if (value != NULL) {
        reading->op = EFFECT_TOTAL;
        reading->drawback = true;
        requirements_read(reading, "needs", value, &def->first_need, &def->need_count);
    }
}

// How sentences speak of the card.
static void read_grammar(struct reading *reading, const json_t *card, struct def_info *info)
{
    unsigned number = 0;
    reading_word(reading, card, "number", WORDS_NUMBER, &number);
    info->plural = number == 1;
    unsigned pronoun = info->plural ? PRONOUN_THEY : PRONOUN_IT;
    reading_word(reading, card, "pronoun", WORDS_PRONOUN, &pronoun);
    if (info->plural && pronoun != PRONOUN_THEY) {
        reading_fail(reading, "pronoun", "expected they, as its number is plural, found %s",
                     word_name(WORDS_PRONOUN, pronoun));
    }
    info->pronoun = (uint8_t)pronoun;
}

// One id, or a list of them, which is kept as its ids with a space between.
static void read_mechanic(struct reading *reading, const json_t *card, struct def_info *info)
{
    const json_t *value = json_object_get(card, "mechanic");
    if (!json_is_array(value)) {
        const char *text = reading_string(reading, card, "mechanic", 1, TEXT_MAX);
        info->mechanic = text != NULL ? reading_keep(reading, text) : NULL;
        return;
    }
    char ids[TEXT_MAX] = "";
    size_t length = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *id = json_array_get(value, i);
        const size_t more = json_string_length(id);
        if (more == 0 || length + more + 2 > sizeof ids) {
            reading_wrong(reading, "mechanic", "a short list of ids", id);
            return;
        }
        length += (size_t)snprintf(ids + length, sizeof ids - length, "%s%s", i > 0 ? " " : "",
                                   json_string_value(id));
    }
    info->mechanic = reading_keep(reading, ids);
}

static void read_notes(struct reading *reading, const json_t *card, struct def_info *info)
{
    int copies = 1;
    reading_int(reading, card, "copies", 1, COPIES_MAX, &copies);
    info->copies = (uint16_t)copies;
    read_mechanic(reading, card, info);
    const char *text = reading_string(reading, card, "status", 1, TEXT_MAX);
    info->status = text != NULL ? reading_keep(reading, text) : NULL;
}

void card_read(struct reading *reading, const json_t *card, uint16_t number)
{
    struct card_def *def = &reading->catalog->defs[number];
    struct def_info *info = &reading->catalog->infos[number];
    reading->card = info->name;
    reading->kind = def->kind;
    check_fields(reading, card, def->kind);
    read_grammar(reading, card, info);
    read_notes(reading, card, info);
    read_tags(reading, card, def);
    if (def->kind == KIND_MONSTER) {
        read_monster(reading, card, def);
    }
    read_goods(reading, card, def);
    read_person(reading, card, def, info);
    read_rows(reading, card, def);
    read_timing(reading, card, def);
    if (info->status == NULL || strcmp(info->status, "ready") == 0) {
        rows_check_card(reading, def);
    }
}

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
