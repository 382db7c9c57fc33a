#include <stdio.h>
#include <string.h>

#include "core/codec/row_read.h"

enum { REQUIREMENTS_MAX = 16, COUNT_MAX = 99 };

static const uint8_t TYPES[REQUIREMENT_TOTAL] = {
    [REQ_TRAIT] = ASKS_TRAIT,
    [REQ_SLOT_TRAIT] = ASKS_KIND,
    [REQ_SEX] = ASKS_SEX,
    [REQ_LEVEL_MIN] = ASKS_NUMBER,
    [REQ_LEVEL_MAX] = ASKS_NUMBER,
    [REQ_WEARS] = ASKS_SLOT,
    [REQ_CARDS] = ASKS_CARDS,
    [REQ_HAND_MIN] = ASKS_NUMBER,
    [REQ_MONSTER_TAG] = ASKS_TAG,
    [REQ_MONSTER_NAME] = ASKS_NAME,
    [REQ_MONSTER_LEVEL_MAX] = ASKS_NUMBER,
    [REQ_THIS_TAG] = ASKS_TAG,
    [REQ_MONSTERS_MIN] = ASKS_NUMBER,
    [REQ_NAMED_IN_PLAY] = ASKS_NAME,
    [REQ_DIE_MIN] = ASKS_NUMBER,
    [REQ_ROLLED_MIN] = ASKS_NUMBER,
    [REQ_ROLLED_MAX] = ASKS_NUMBER,
    [REQ_WON_BY] = ASKS_NUMBER,
};

enum requirement_type requirement_type(unsigned kind)
{
    return (enum requirement_type)TYPES[kind];
}

static void ask_fact(struct reading *reading, const json_t *value, const char *key)
{
    bool fact = false;
    if (reading_bool(reading, value, key, &fact) && !fact) {
        reading_fail(reading, key,
                     "expected true (and \"absent\": true for the contrary), found false");
    }
}

static void ask_kind(struct reading *reading, const json_t *value, const char *key,
                     struct requirement *out)
{
    unsigned kind = 0;
    if (reading_word(reading, value, key, WORDS_KIND, &kind)) {
        out->n = (int16_t)kind;
        if (kind < KIND_CLASS || kind > KIND_SECOND) {
            reading_wrong(reading, key, "class, race, faction, birthright, power, origin or second",
                          json_object_get(value, key));
        }
    }
}

static void ask_cards(struct reading *reading, const json_t *value, const char *key,
                      struct requirement *out)
{
    int count = 1;
    out->arg = filter_read(reading, key, json_object_get(value, key));
    reading_int(reading, value, "count", 1, COUNT_MAX, &count);
    out->n = (int16_t)count;
    // What can be played on whom would tell what they hold.
    if (out->range != RANGE_SELF && filter_looks_into_hand(reading->catalog, out->arg)) {
        reading_fail(reading, key, "expected a \"place\" that all see, such as \"table\"");
    }
}

static void ask(struct reading *reading, const json_t *value, const char *key,
                struct requirement *out)
{
    int number = 0;
    unsigned word = 0;
    uint8_t small = 0;
    uint16_t name = 0;
    switch (requirement_type(out->kind)) {
    case ASKS_FACT:
        ask_fact(reading, value, key);
        return;
    case ASKS_NUMBER:
        reading_int(reading, value, key, 1, COUNT_MAX, &number);
        out->n = (int16_t)number;
        return;
    case ASKS_TRAIT:
        reading_trait(reading, value, key, &small);
        out->n = small;
        return;
    case ASKS_TAG:
        reading_tag(reading, value, key, &small);
        out->n = small;
        return;
    case ASKS_NAME:
        reading_name(reading, value, key, &name);
        out->n = (int16_t)name;
        return;
    case ASKS_SEX:
        reading_word(reading, value, key, WORDS_SEX, &word);
        out->n = (int16_t)word;
        return;
    case ASKS_SLOT:
        reading_word(reading, value, key, WORDS_SLOT, &word);
        out->n = (int16_t)word;
        return;
    case ASKS_KIND:
        ask_kind(reading, value, key, out);
        return;
    case ASKS_CARDS:
        ask_cards(reading, value, key, out);
        return;
    }
}

static void unknown_requirement(struct reading *reading, const char *key)
{
    struct suggestion suggestion = {.word = key};
    for (unsigned i = 0; i < REQUIREMENT_TOTAL; i++) {
        suggest_try(&suggestion, word_name(WORDS_REQUIREMENT, i));
    }
    reading_unknown(reading, NULL, "a requirement word, of, absent, drawback or count",
                    &suggestion);
}

// The one key that says what is asked; NULL if there is none, or more than one (both reported).
static const char *asked(struct reading *reading, const json_t *value, unsigned *kind)
{
    static const char *const BESIDE[] = {"of", "absent", "drawback", "count", NULL};
    const char *found = NULL;
    uint32_t errors = reading->errors;
    json_t *changeable = (json_t *)(uintptr_t)value;
    for (void *at = json_object_iter(changeable); at != NULL;
         at = json_object_iter_next(changeable, at)) {
        const char *key = json_object_iter_key(at);
        bool beside = false;
        for (const char *const *b = BESIDE; *b != NULL && !beside; b++) {
            beside = strcmp(*b, key) == 0;
        }
        if (beside) {
            continue;
        }
        unsigned word = word_find(WORDS_REQUIREMENT, key);
        if (word == REQUIREMENT_TOTAL) {
            unknown_requirement(reading, key);
        } else if (found != NULL) {
            reading_fail(reading, NULL, "expected one requirement, found %s and %s", found, key);
        } else {
            found = key;
            *kind = word;
        }
    }
    if (found == NULL && errors == reading->errors) {
        reading_fail(reading, NULL, "expected a requirement, found none");
    }
    return reading->errors == errors ? found : NULL;
}

// Rules: CHAR-7. What a trait is asked for as, if the card does not say: README, "drawback".
static bool is_drawback(const struct reading *reading, const struct requirement *req)
{
    if (req->kind != REQ_TRAIT && req->kind != REQ_SLOT_TRAIT) {
        return false;
    }
    bool only_absent = reading->op == EFFECT_NO_PURSUE || reading->op == EFFECT_LEAVES_FOR ||
                       reading->op == EFFECT_TOTAL;
    return reading->drawback && (!only_absent || req->absent);
}

static bool read_one(struct reading *reading, const json_t *value, struct requirement *out)
{
    unsigned kind = 0;
    const char *key = json_is_object(value) ? asked(reading, value, &kind) : NULL;
    if (!json_is_object(value)) {
        reading_wrong(reading, NULL, "an object with a requirement", value);
    }
    if (key == NULL) {
        return false;
    }
    // What concerns one who flees asks the one who flees.
    bool flight = reading->op == EFFECT_NO_PURSUE || reading->op == EFFECT_NO_ESCAPE ||
                  reading->op == EFFECT_RUN_BONUS;
    bool fighters = reading->op != EFFECT_TOTAL && reading->when == WHEN_STATIC && !flight &&
                    kind_is_foe(reading->kind);
    *out = (struct requirement){.kind = (uint8_t)kind,
                                .range = fighters ? RANGE_FIGHTERS : RANGE_SELF};
    unsigned range = 0;
    if (reading_word(reading, value, "of", WORDS_RANGE, &range)) {
        out->range = (uint8_t)range;
    }
    reading_bool(reading, value, "absent", &out->absent);
    if (json_object_get(value, "count") != NULL && kind != REQ_CARDS) {
        reading_fail(reading, "count", "expected nothing: only \"cards\" has it");
    }
    ask(reading, value, key, out);
    out->drawback = is_drawback(reading, out);
    reading_bool(reading, value, "drawback", &out->drawback);
    return true;
}

static void append(struct reading *reading, const struct requirement *req, uint8_t *count)
{
    if (reading->catalog->n.reqs == CATALOG_REQS) {
        reading_fail(reading, NULL, "the sets hold more requirements than fit");
        return;
    }
    reading->catalog->reqs[reading->catalog->n.reqs++] = *req;
    (*count)++;
}

static void read_and_append(struct reading *reading, const json_t *value, uint8_t *count)
{
    struct requirement req = {0};
    if (read_one(reading, value, &req)) {
        append(reading, &req, count);
    }
}

/** One of several: the word, with how many follow, and then those. */
static void read_any_of(struct reading *reading, const json_t *value, uint8_t *count)
{
    static const char *const KEYS[] = {"any_of", "absent", NULL};
    const json_t *list = json_object_get(value, "any_of");
    struct requirement any = {.kind = REQ_ANY_OF};
    reading_keys(reading, value, KEYS);
    if (!json_is_array(list) || json_array_size(list) < 2 ||
        json_array_size(list) > REQUIREMENTS_MAX / 2) {
        reading_wrong(reading, "any_of", "a list of 2 to 8 requirements", list);
        return;
    }
    any.n = (int16_t)json_array_size(list);
    reading_bool(reading, value, "absent", &any.absent);
    append(reading, &any, count);
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t mark = reading_enter(reading, "any_of", i + 1);
        if (json_object_get(json_array_get(list, i), "any_of") != NULL) {
            reading_fail(reading, "any_of", "expected it once, found one within another");
        } else {
            read_and_append(reading, json_array_get(list, i), count);
        }
        reading_leave(reading, mark);
    }
}

void requirements_read(struct reading *reading, const char *key, const json_t *list,
                       uint16_t *first, uint8_t *count)
{
    if (!json_is_array(list) || json_array_size(list) > REQUIREMENTS_MAX) {
        reading_wrong(reading, key, "a list of at most 16 requirements", list);
        return;
    }
    *first = reading->catalog->n.reqs;
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t mark = reading_enter(reading, key, i + 1);
        const json_t *one = json_array_get(list, i);
        if (json_is_object(one) && json_object_get(one, "any_of") != NULL) {
            read_any_of(reading, one, count);
        } else {
            read_and_append(reading, one, count);
        }
        reading_leave(reading, mark);
    }
}
