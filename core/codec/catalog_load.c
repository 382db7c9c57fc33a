#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "core/codec/box_limits.h"
#include "core/codec/card_files.h"
#include "core/codec/json_file.h"
#include "core/codec/memory.h"
#include "core/codec/outcome.h"
#include "core/codec/row_read.h"

bool catalog_is_id(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= 20 && text[length] == '\0';
}

static bool read_id(struct reading *reading, const json_t *json, struct catalog_set *set)
{
    const char *id = reading_string(reading, json, "id", 1, 20);
    if (id == NULL || !catalog_is_id(id)) {
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

// Fills id, name, edition and marks of `set`. False (reported) if it cannot be entered at all.
static bool set_read(struct reading *reading, const json_t *json, struct catalog_set *set)
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

enum { PATH_SIZE = 1024, FILES_MAX = 2 * CATALOG_SETS_MAX, TEXT_MAX = 600, JOKE_MAX = 300 };

/** A file of cards between the two passes. */
struct card_file {
    char path[PATH_SIZE];
    json_t *list;
    uint16_t *defs; // of each card of the list, or NO_DEF
    size_t count;
    uint8_t set;
};

/** Where a set comes from. */
struct source {
    const char *dir;            // its folder; of what was kept: ""
    const struct parcel *files; // what was kept of it, or NULL
};

struct loader {
    struct catalog *catalog;
    struct catalog_issues *issues;
    size_t file_count;
    struct card_file files[FILES_MAX];
};

static struct loader *loader_new(struct catalog *catalog, struct catalog_issues *issues)
{
    struct loader *const loader = mb_new(1, sizeof *loader);
    loader->catalog = catalog;
    loader->issues = issues;
    return loader;
}

static struct reading start_reading(const struct loader *loader, const char *file)
{
    return (struct reading){.catalog = loader->catalog, .issues = loader->issues, .file = file};
}

static void end_reading(struct loader *loader, const struct reading *reading, uint8_t set)
{
    if (set != NO_SET) {
        loader->catalog->sets[set].errors += reading->errors;
        loader->catalog->sets[set].misfits += reading->misfits;
    }
}

static bool join_path(char *out, const char *dir, const char *name)
{
    int length = snprintf(out, PATH_SIZE, "%s/%s", dir, name);
    return length > 0 && length < PATH_SIZE;
}

/* Pass one. */

static void declare_cards(struct reading *reading, struct card_file *file, struct card_place place)
{
    if (!json_is_array(file->list)) {
        reading_wrong(reading, NULL, "a list of cards", file->list);
        return;
    }
    if (json_array_size(file->list) > CATALOG_DEFS) {
        reading_fail(reading, NULL, "expected at most %d cards, found %zu", CATALOG_DEFS,
                     json_array_size(file->list));
        return;
    }
    file->set = place.set;
    size_t count = json_array_size(file->list);
    file->defs = mb_new(count, sizeof *file->defs);
    file->count = count;
    for (size_t i = 0; i < count; i++) {
        reading->index = (unsigned)i + 1;
        reading->card = NULL;
        file->defs[i] = card_declare(reading, json_array_get(file->list, i), place);
    }
}

// A file of a set; NULL, and reported unless it is `optional`, when it is not to be had.
static json_t *load_file(struct reading *reading, const struct source *source,
                         enum card_file_of which, bool optional)
{
    const unsigned char *text = NULL;
    size_t size = 0;
    if (source->files == NULL) {
        return json_file_load(reading, optional);
    }
    if (card_files_get(source->files, which, &text, &size)) {
        return json_text_load(reading, (const char *)text, size);
    }
    if (!optional) {
        reading_fail(reading, NULL, "expected a file that was kept");
    }
    return NULL;
}

static void declare_file(struct loader *loader, const struct source *source,
                         enum card_file_of which, struct card_place place)
{
    struct card_file *file = &loader->files[loader->file_count];
    *file = (struct card_file){.set = place.set};
    if (!join_path(file->path, source->dir, card_file_name(which))) {
        return; // set.json of the same folder was too long already
    }
    struct reading reading = start_reading(loader, file->path);
    file->list = load_file(&reading, source, which, loader->catalog->sets[place.set].vocabulary);
    if (file->list != NULL) {
        loader->file_count++;
        declare_cards(&reading, file, place);
    }
    end_reading(loader, &reading, place.set);
}

// Pins the cards of a set: what its two files say, however they are laid out. Texts and jokes stand
// elsewhere and may change.
static void pin_cards(struct loader *loader, uint8_t set, size_t first_file)
{
    uint8_t digests[2][DIGEST_SIZE] = {{0}};
    for (size_t i = first_file; i < loader->file_count; i++) {
        if (i - first_file < 2) {
            digest_of_json(loader->files[i].list, digests[i - first_file]);
        }
    }
    digest_of(digests, sizeof digests, loader->catalog->sets[set].digest);
}

// Enters a set folder; NO_SET if its set.json does not allow it or it is an unwanted vocabulary.
static uint8_t enter_set(struct loader *loader, const struct source *source, bool vocabulary_too)
{
    char path[PATH_SIZE];
    if (!join_path(path, source->dir, card_file_name(CARD_FILE_SET))) {
        issues_error(loader->issues, "%.60s...: expected a shorter path", source->dir);
        return NO_SET;
    }
    struct catalog *catalog = loader->catalog;
    struct reading reading = start_reading(loader, path);
    struct catalog_set set = {.first_def = catalog->n.defs};
    uint8_t index = NO_SET;
    json_t *json = load_file(&reading, source, CARD_FILE_SET, false);
    if (json == NULL) {
        // reported
    } else if (catalog->n.sets == CATALOG_SETS_MAX) {
        reading_fail(&reading, NULL, "expected at most %d sets", CATALOG_SETS_MAX);
    } else if (set_read(&reading, json, &set) && (vocabulary_too || !set.vocabulary)) {
        set.folder = reading_keep(&reading, source->dir);
        index = set.folder != NULL ? catalog->n.sets++ : (uint8_t)NO_SET;
    }
    if (index != NO_SET) {
        catalog->sets[index] = set;
    }
    json_decref(json);
    end_reading(loader, &reading, index);
    return index;
}

static void declare_set(struct loader *loader, const struct source *source, bool vocabulary_too)
{
    uint8_t set = enter_set(loader, source, vocabulary_too);
    if (set == NO_SET) {
        return;
    }
    struct catalog *catalog = loader->catalog;
    const size_t first_file = loader->file_count;
    declare_file(loader, source, CARD_FILE_DOORS, (struct card_place){set, DECK_DOOR});
    declare_file(loader, source, CARD_FILE_TREASURES, (struct card_place){set, DECK_TREASURE});
    pin_cards(loader, set, first_file);
    catalog->sets[set].def_count = (uint16_t)(catalog->n.defs - catalog->sets[set].first_def);
}

/* Pass two. */

static void read_file(struct loader *loader, const struct card_file *file)
{
    struct reading reading = start_reading(loader, file->path);
    struct catalog_set *set = &loader->catalog->sets[file->set];
    for (size_t i = 0; i < file->count; i++) {
        if (file->defs[i] == NO_DEF) {
            continue;
        }
        reading.index = (unsigned)i + 1;
        card_read(&reading, json_array_get(file->list, i), file->defs[i]);
        unsigned copies = loader->catalog->infos[file->defs[i]].copies;
        uint16_t *count =
            loader->catalog->defs[file->defs[i]].deck == DECK_DOOR ? &set->doors : &set->treasures;
        *count = (uint16_t)(*count + copies);
    }
    end_reading(loader, &reading, file->set);
}

static void free_files(struct loader *loader)
{
    for (size_t i = 0; i < loader->file_count; i++) {
        free(loader->files[i].defs);
        json_decref(loader->files[i].list);
    }
    loader->file_count = 0;
}

/* Texts. */

static void read_text(struct reading *reading, const char *name, const json_t *entry, uint8_t set)
{
    static const char *const KEYS[] = {"text", "joke", NULL};
    struct catalog *catalog = reading->catalog;
    uint16_t def = catalog_find_def(catalog, name, set);
    reading->card = name;
    if (def == NO_DEF) {
        struct suggestion suggestion = {.word = name};
        for (unsigned i = 0; i < catalog->sets[set].def_count; i++) {
            suggest_try(&suggestion, catalog->infos[catalog->sets[set].first_def + i].name);
        }
        reading_unknown(reading, NULL, "the name of a card of this set", &suggestion);
        return;
    }
    if (!json_is_object(entry)) {
        reading_wrong(reading, NULL, "an object with text and joke", entry);
        return;
    }
    reading_keys(reading, entry, KEYS);
    const char *text = reading_string(reading, entry, "text", 1, TEXT_MAX);
    const char *joke = reading_string(reading, entry, "joke", 0, JOKE_MAX);
    catalog->infos[def].text = text != NULL ? reading_keep(reading, text) : NULL;
    catalog->infos[def].joke = joke != NULL ? reading_keep(reading, joke) : NULL;
}

// A complete set says what each card does; of a begun one it is told how much is missing.
static void check_texts(struct reading *reading, uint8_t set_index)
{
    const struct catalog_set *set = &reading->catalog->sets[set_index];
    size_t missing = 0;
    const char *example = "";
    for (unsigned i = 0; i < set->def_count; i++) {
        const struct def_info *info = &reading->catalog->infos[set->first_def + i];
        if (info->text == NULL) {
            example = missing++ == 0 ? info->name : example;
            reading->card = info->name;
            if (set->complete) {
                reading_fail(reading, "text", "expected what the card does, found nothing");
            }
        }
    }
    if (missing > 0 && !set->complete) {
        issues_note(reading->issues, "%s: %zu of %u cards without a text yet, \"%s\" for one",
                    reading->file, missing, set->def_count, example);
    }
}

static void read_texts(struct loader *loader, const struct source *source, uint8_t set)
{
    char path[PATH_SIZE];
    if (loader->catalog->sets[set].vocabulary ||
        !join_path(path, source->dir, card_file_name(CARD_FILE_TEXTS))) {
        return;
    }
    struct reading reading = start_reading(loader, path);
    json_t *json = load_file(&reading, source, CARD_FILE_TEXTS, true);
    if (json != NULL && !json_is_object(json)) {
        reading_wrong(&reading, NULL, "an object {\"Card Name\": {\"text\": ...}}", json);
    } else if (json != NULL) {
        for (void *at = json_object_iter(json); at != NULL; at = json_object_iter_next(json, at)) {
            read_text(&reading, json_object_iter_key(at), json_object_iter_value(at), set);
        }
    }
    check_texts(&reading, set);
    json_decref(json);
    if (source->files != NULL) { // its words were accepted once
        reading.errors = reading.misfits = 0;
    }
    end_reading(loader, &reading, set);
}

/* The whole. */

/** Each set by itself keeps the limits that hang on cards; of mixes those who play see to it. What
 * runs goes on. */
static void check_limits(struct catalog *catalog, struct catalog_issues *issues)
{
    for (uint8_t i = 0; i < catalog->n.sets; i++) {
        struct catalog_set *const set = &catalog->sets[i];
        struct box box;
        struct mb_error err = {.code = MB_OK};
        if (set->errors == 0 && !set->vocabulary && set->edition < EDITION_TOTAL &&
            catalog_box(catalog, &i, 1, (enum edition)set->edition, &box, &err) &&
            !box_limits_hold(catalog, &box, &err)) {
            issues_error(issues, "%.200s/set.json: %s", set->folder, err.text);
            set->errors++;
            set->misfits++;
        }
    }
}

static struct catalog *load_sources(const struct source *sources, size_t count, bool vocabulary_too,
                                    struct catalog_issues *issues)
{
    struct catalog *const catalog = catalog_create();
    struct loader *const loader = loader_new(catalog, issues);
    const struct source *of[CATALOG_SETS_MAX] = {NULL}; // by set: some may not have been entered
    for (size_t i = 0; i < count; i++) {
        const unsigned before = catalog->n.sets;
        declare_set(loader, &sources[i], vocabulary_too);
        if (catalog->n.sets > before) {
            of[before] = &sources[i];
        }
    }
    for (size_t i = 0; i < loader->file_count; i++) {
        read_file(loader, &loader->files[i]);
    }
    for (unsigned i = 0; i < catalog->n.sets; i++) {
        assert(of[i] != NULL); // every set was entered from somewhere
        read_texts(loader, of[i], (uint8_t)i);
    }
    check_limits(catalog, issues);
    free_files(loader);
    free(loader);
    return catalog;
}

struct catalog *catalog_load_sets(const char *const *dirs, size_t dir_count,
                                  struct catalog_issues *issues)
{
    struct source *const sources = mb_new(dir_count, sizeof *sources);
    for (size_t i = 0; i < dir_count; i++) {
        sources[i].dir = dirs[i];
    }
    struct catalog *const catalog = load_sources(sources, dir_count, true, issues);
    free(sources);
    return catalog;
}

struct catalog *card_files_load(const struct parcel *files, size_t count)
{
    struct source sources[CATALOG_SETS_MAX];
    assert(count <= CATALOG_SETS_MAX);
    for (size_t i = 0; i < count; i++) {
        sources[i] = (struct source){.dir = "", .files = &files[i]};
    }
    return load_sources(sources, count, true, NULL);
}

static bool is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

/** Folders of sets, as far as they are found. */
struct folder_list {
    char paths[CATALOG_SETS_MAX + 1][PATH_SIZE];
    const char *dirs[CATALOG_SETS_MAX + 1];
    size_t count;
};

static bool is_set(const char *dir)
{
    char file[PATH_SIZE];
    return join_path(file, dir, "set.json") && is_file(file);
}

// Every set folder in a folder, in alphabetical order behind those that are there.
static bool gather_folders(struct folder_list *list, const char *from)
{
    DIR *dir = opendir(from);
    const size_t first = list->count;
    if (dir == NULL) {
        return false;
    }
    // readdir(): nobody else has this stream.
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] != '.' && list->count <= CATALOG_SETS_MAX &&
            join_path(list->paths[list->count], from, entry->d_name) &&
            is_set(list->paths[list->count])) {
            list->dirs[list->count] = list->paths[list->count];
            list->count++;
        }
    }
    (void)closedir(dir);
    qsort(list->dirs + first, list->count - first, sizeof list->dirs[0], mb_text_order);
    return true;
}

// Sets of one's own: a folder of such folders, or one of them. False, and reported: none there.
static bool gather_own(struct folder_list *list, const char *own, struct catalog_issues *issues)
{
    const size_t first = list->count;
    if (is_set(own) && list->count <= CATALOG_SETS_MAX && strlen(own) < PATH_SIZE) {
        (void)snprintf(list->paths[first], PATH_SIZE, "%s", own);
        list->dirs[list->count++] = list->paths[first];
    } else if (!gather_folders(list, own)) {
        issues_error(issues, "%.200s: expected a folder with card sets that can be read", own);
        return false;
    }
    if (list->count == first) {
        issues_error(issues, "%.200s: expected a folder with card sets, found no set.json in it",
                     own);
    }
    return list->count > first;
}

struct catalog *catalog_load_beside(const char *cards_dir, const char *own,
                                    struct catalog_issues *issues)
{
    struct folder_list *const list = mb_new(1, sizeof *list);
    struct source sources[CATALOG_SETS_MAX + 1];
    struct catalog *catalog = NULL;
    if (!gather_folders(list, cards_dir)) {
        issues_error(issues, "%.200s: expected the folder of the card sets", cards_dir);
    } else if (own == NULL || gather_own(list, own, issues)) {
        for (size_t i = 0; i < list->count; i++) {
            sources[i] = (struct source){.dir = list->dirs[i]};
        }
        catalog = load_sources(sources, list->count, false, issues);
    }
    free(list);
    return catalog;
}

struct catalog *catalog_load(const char *cards_dir, struct catalog_issues *issues)
{
    return catalog_load_beside(cards_dir, NULL, issues);
}

/* Extra cards. */

static bool add_cards(struct loader *loader, struct card_file *file, struct catalog_counts before)
{
    struct catalog *catalog = loader->catalog;
    struct reading reading = start_reading(loader, file->path);
    uint8_t set = catalog->n.sets++;
    catalog->before[set] = before;
    catalog->sets[set] = (struct catalog_set){.id = "extra",
                                              .name = "extra cards",
                                              .folder = "",
                                              .edition = EDITION_TOTAL,
                                              .first_def = catalog->n.defs};
    declare_cards(&reading, file, (struct card_place){set, DECK_BY_KIND});
    catalog->sets[set].def_count = (uint16_t)(catalog->n.defs - catalog->sets[set].first_def);
    end_reading(loader, &reading, set);
    read_file(loader, file);
    free(file->defs);
    return catalog->sets[set].errors == 0;
}

bool catalog_add_json(struct catalog *catalog, const struct json_t *array, const char *label,
                      uint8_t *set, struct catalog_issues *issues)
{
    struct catalog_counts before = catalog->n;
    before.arena_used = catalog->arena.used;
    if (before.sets == CATALOG_SETS_MAX) {
        issues_error(issues, "%.60s: expected at most %d sets", label, CATALOG_SETS_MAX);
        return false;
    }
    struct loader *const loader = loader_new(catalog, issues);
    struct card_file *file = &loader->files[0];
    // Borrowed: nothing here changes it or gives it back.
    *file = (struct card_file){.list = (json_t *)(uintptr_t)array};
    (void)snprintf(file->path, sizeof file->path, "%s", label);
    bool added = add_cards(loader, file, before);
    free(loader);
    if (added) {
        *set = before.sets;
    } else {
        catalog_rewind(catalog, before.sets);
    }
    return added;
}

bool catalog_add_text(struct catalog *catalog, const char *text, size_t size, const char *label,
                      uint8_t *set, struct catalog_issues *issues)
{
    struct reading reading = {.catalog = catalog, .issues = issues, .file = label};
    json_t *array = json_text_load(&reading, text, size);
    bool added = array != NULL && catalog_add_json(catalog, array, label, set, issues);
    json_decref(array);
    return added;
}
