#include "core/codec/set_read.h"

#include <string.h>

static bool is_id(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= 20 && text[length] == '\0';
}

static bool read_id(struct reading *reading, const json_t *json, struct catalog_set *set)
{
    const char *id = reading_string(reading, json, "id", 1, 20);
    if (id == NULL || !is_id(id)) {
        reading_wrong(reading, "id", "a word of at most 20 small letters",
                      json_object_get(json, "id"));
        return false;
    }
    if (catalog_find_set(reading->catalog, id) != NO_SET) {
        reading_fail(reading, "id", "expected an id that no other set has, found \"%s\"", id);
        return false;
    }
    const char *name = reading_string(reading, json, "name", 1, CATALOG_NAME_MAX);
    set->id = reading_keep(reading, id);
    set->name = name != NULL ? reading_keep(reading, name) : set->id;
    return set->id != NULL && set->name != NULL;
}

static void read_edition(struct reading *reading, const json_t *json, struct catalog_set *set)
{
    const char *word = reading_string(reading, json, "edition", 1, 20);
    set->edition = EDITION_CLASSIC;
    if (word == NULL) {
        if (json_object_get(json, "edition") == NULL && !set->vocabulary) {
            reading_fail(reading, "edition", "expected the edition whose rules come with the set");
        }
        return;
    }
    unsigned edition = edition_find(word);
    if (edition < EDITION_TOTAL) {
        set->edition = (uint8_t)edition;
        return;
    }
    struct suggestion suggestion = {.word = word};
    for (unsigned i = 0; i < EDITION_TOTAL; i++) {
        suggest_try(&suggestion, edition_name(i));
    }
    reading_unknown(reading, "edition", "classic, legends, pathfinder, super or conan",
                    &suggestion);
}

bool set_read(struct reading *reading, const json_t *json, struct catalog_set *set)
{
    static const char *const KEYS[] = {"format",   "id",         "name", "edition",
                                       "complete", "vocabulary", NULL};
    if (!json_is_object(json)) {
        reading_wrong(reading, NULL, "an object", json);
        return false;
    }
    reading_keys(reading, json, KEYS);
    int format = 0;
    if (!reading_int(reading, json, "format", 1, 1, &format)) {
        if (json_object_get(json, "format") == NULL) {
            reading_fail(reading, "format", "expected 1, found nothing");
        }
        return false;
    }
    reading_bool(reading, json, "complete", &set->complete);
    reading_bool(reading, json, "vocabulary", &set->vocabulary);
    read_edition(reading, json, set);
    return read_id(reading, json, set);
}
