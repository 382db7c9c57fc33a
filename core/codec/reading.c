#include "core/codec/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/codec/utf8.h"

enum { SHOWN = 40 }; // bytes of a file's own words in a sentence

// Characters of valid UTF-8.
static size_t reading_length(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0u) != 0x80u;
    }
    return count;
}

MB_PRINTF(3, 0)
static void report_issue(struct reading *reading, const char *field, const char *format,
                         va_list values)
{
    char what[CATALOG_ISSUE_SIZE];
    if (vsnprintf(what, sizeof what, format, values) < 0) {
        what[0] = '\0';
    }
    reading->errors++;
    char where[2 * sizeof reading->path];
    // "rows[1]." and "who" make "rows[1].who: "; without a field it is "rows[1]: ".
    int length =
        snprintf(where, sizeof where, "%s%.80s", reading->path, field != NULL ? field : "");
    if (length > 0 && where[length - 1] == '.') {
        where[--length] = '\0';
    }
    const char *colon = length > 0 ? ": " : "";
    if (reading->card != NULL) {
        issues_error(reading->issues, "%s: card \"%.*s\": %s%s%s", reading->file, 4 * SHOWN,
                     reading->card, where, colon, what);
    } else if (reading->index > 0) {
        issues_error(reading->issues, "%s: card %u: %s%s%s", reading->file, reading->index, where,
                     colon, what);
    } else {
        issues_error(reading->issues, "%s: %s%s%s", reading->file, where, colon, what);
    }
}

void reading_fail(struct reading *reading, const char *field, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    report_issue(reading, field, format, values);
    va_end(values);
}

void reading_misfit(struct reading *reading, const char *field, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    report_issue(reading, field, format, values);
    va_end(values);
    reading->misfits++;
}

void reading_wrong(struct reading *reading, const char *field, const char *what,
                   const json_t *value)
{
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        size_t length = strlen(text);
        reading_fail(reading, field, "expected %s, found \"%.*s%s", what, SHOWN, text,
                     length > SHOWN ? "...\"" : "\"");
    } else if (json_is_integer(value)) {
        reading_fail(reading, field, "expected %s, found %lld", what,
                     (long long)json_integer_value(value));
    } else if (value == NULL) {
        reading_fail(reading, field, "expected %s, found nothing", what);
    } else {
        const char *found = json_is_real(value)      ? "a fraction"
                            : json_is_boolean(value) ? (json_is_true(value) ? "true" : "false")
                            : json_is_array(value)   ? "a list"
                            : json_is_object(value)  ? "an object"
                                                     : "null";
        reading_fail(reading, field, "expected %s, found %s", what, found);
    }
}

void reading_unknown(struct reading *reading, const char *field, const char *what,
                     const struct suggestion *suggestion)
{
    const char *tail = strlen(suggestion->word) > SHOWN ? "..." : "";
    if (suggestion->best != NULL) {
        reading_fail(reading, field, "expected %s, found \"%.*s%s\"; did you mean \"%s\"?", what,
                     SHOWN, suggestion->word, tail, suggestion->best);
    } else {
        reading_fail(reading, field, "expected %s, found \"%.*s%s\"", what, SHOWN, suggestion->word,
                     tail);
    }
}

size_t reading_enter(struct reading *reading, const char *field, size_t index)
{
    size_t mark = strlen(reading->path);
    size_t room = sizeof reading->path - mark;
    if (field[0] == '\0') {
        return mark;
    }
    int length = index > 0 ? snprintf(reading->path + mark, room, "%s[%zu].", field, index)
                           : snprintf(reading->path + mark, room, "%s.", field);
    if (length < 0 || (size_t)length >= room) {
        reading->path[mark] = '\0'; // too deep to be told
    }
    return mark;
}

void reading_leave(struct reading *reading, size_t mark)
{
    reading->path[mark] = '\0';
}

// Nobody reads a suggestion once the list is full, and a hostile file would make us look for many.
static void consider_word(const struct reading *reading, struct suggestion *suggestion,
                          const char *candidate)
{
    if (reading->issues != NULL && reading->issues->count < CATALOG_ISSUES_MAX) {
        suggest_try(suggestion, candidate);
    }
}

void reading_keys(struct reading *reading, const json_t *object, const char *const *keys)
{
    // jansson's loop wants a changeable object, and changes nothing.
    json_t *changeable = (json_t *)(uintptr_t)object;
    for (void *at = json_object_iter(changeable); at != NULL;
         at = json_object_iter_next(changeable, at)) {
        const char *key = json_object_iter_key(at);
        const char *const *k = keys;
        while (*k != NULL && strcmp(*k, key) != 0) {
            k++;
        }
        if (*k == NULL) {
            struct suggestion suggestion = {.word = key};
            for (k = keys; *k != NULL; k++) {
                consider_word(reading, &suggestion, *k);
            }
            reading_unknown(reading, NULL, "a known field", &suggestion);
        }
    }
}

bool reading_int(struct reading *reading, const json_t *object, const char *key, int min, int max,
                 int *out)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return false;
    }
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        char what[64];
        (void)snprintf(what, sizeof what, "a whole number from %d to %d", min, max);
        reading_wrong(reading, key, what, value);
        return false;
    }
    *out = (int)json_integer_value(value);
    return true;
}

bool reading_bool(struct reading *reading, const json_t *object, const char *key, bool *out)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return false;
    }
    if (!json_is_boolean(value)) {
        reading_wrong(reading, key, "true or false", value);
        return false;
    }
    *out = json_is_true(value);
    return true;
}

bool reading_word_value(struct reading *reading, const char *field, const json_t *value,
                        enum word_table table, unsigned *out)
{
    char what[64];
    (void)snprintf(what, sizeof what, "a %s word", word_table_name(table));
    if (!json_is_string(value)) {
        reading_wrong(reading, field, what, value);
        return false;
    }
    const char *word = json_string_value(value);
    unsigned number = word_find(table, word);
    if (number < word_count(table)) {
        *out = number;
        return true;
    }
    struct suggestion suggestion = {.word = word};
    for (unsigned i = 0; i < word_count(table); i++) {
        suggest_try(&suggestion, word_name(table, i));
    }
    reading_unknown(reading, field, what, &suggestion);
    return false;
}

bool reading_word(struct reading *reading, const json_t *object, const char *key,
                  enum word_table table, unsigned *out)
{
    const json_t *value = json_object_get(object, key);
    return value != NULL && reading_word_value(reading, key, value, table, out);
}

bool reading_trait(struct reading *reading, const json_t *object, const char *key, uint8_t *out)
{
    const char *text = reading_string(reading, object, key, 1, CATALOG_NAME_MAX);
    if (text == NULL) {
        return false;
    }
    uint8_t trait = catalog_find_trait(reading->catalog, text);
    if (trait == NO_TRAIT) {
        struct suggestion suggestion = {.word = text};
        for (unsigned i = 0; i < reading->catalog->n.traits; i++) {
            consider_word(reading, &suggestion, reading->catalog->traits[i].text);
        }
        reading_unknown(reading, key,
                        "the name of a Class, Race, Faction or Birthright card of the loaded sets",
                        &suggestion);
        return false;
    }
    *out = trait;
    return true;
}

bool reading_tag(struct reading *reading, const json_t *object, const char *key, uint8_t *out)
{
    const char *text = reading_string(reading, object, key, 1, CATALOG_NAME_MAX);
    if (text == NULL) {
        return false;
    }
    uint8_t tag = catalog_find_tag(reading->catalog, text);
    if (tag == NO_TAG) {
        struct suggestion suggestion = {.word = text};
        for (unsigned i = 0; i < reading->catalog->n.tags; i++) {
            consider_word(reading, &suggestion, reading->catalog->tags[i]);
        }
        reading_unknown(reading, key, "a tag that some card has", &suggestion);
        return false;
    }
    *out = tag;
    return true;
}

bool reading_name(struct reading *reading, const json_t *object, const char *key, uint16_t *out)
{
    const char *text = reading_string(reading, object, key, 1, CATALOG_NAME_MAX);
    if (text == NULL) {
        return false;
    }
    uint16_t name = catalog_find_name(reading->catalog, text);
    if (name == NO_NAME) {
        struct suggestion suggestion = {.word = text};
        for (unsigned i = 0; i < reading->catalog->n.names; i++) {
            consider_word(reading, &suggestion, reading->catalog->names[i].text);
        }
        reading_unknown(reading, key, "the name of a card of the loaded sets", &suggestion);
        return false;
    }
    *out = name;
    return true;
}

const char *reading_string(struct reading *reading, const json_t *object, const char *key,
                           size_t min, size_t max)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return NULL;
    }
    char what[64];
    (void)snprintf(what, sizeof what, "text of %zu to %zu characters", min, max);
    if (!json_is_string(value)) {
        reading_wrong(reading, key, what, value);
        return NULL;
    }
    const char *text = json_string_value(value);
    size_t length = reading_length(text);
    if (length < min || length > max) {
        reading_fail(reading, key, "expected %s, found %zu characters", what, length);
        return NULL;
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (unseen_bytes(at) > 0) {
            reading_fail(
                reading, key,
                "expected text in one line, found a control character or one that turns it");
            return NULL;
        }
    }
    return text;
}

const char *reading_keep(struct reading *reading, const char *text)
{
    const char *copy = mb_arena_strdup(&reading->catalog->arena, text, strlen(text));
    if (copy == NULL) {
        reading_fail(reading, NULL, "the sets hold more text than fits");
    }
    return copy;
}
