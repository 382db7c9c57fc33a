#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "core/codec/memory.h"
#include "core/codec/set_advice.h"
#include "core/codec/vocabulary.h"

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/cmd/cmd_cards_impl.h"

enum { PATH_SIZE = 1024, ENTRY_SIZE = PATH_SIZE + 300 };

/** The folders that are loaded: those asked for first, then those they may refer to. */
struct folders {
    size_t count, asked;
    const char *list[CATALOG_SETS_MAX];
    char paths[CATALOG_SETS_MAX][PATH_SIZE];
};

static void add_folder(struct folders *folders, const char *path)
{
    if (folders->count < CATALOG_SETS_MAX) {
        char *copy = folders->paths[folders->count];
        (void)snprintf(copy, PATH_SIZE, "%s", path);
        for (size_t end = strlen(copy); end > 1 && copy[end - 1] == '/'; end--) {
            copy[end - 1] = '\0';
        }
        folders->list[folders->count++] = copy;
    }
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_asked(const struct folders *folders, const char *name)
{
    for (size_t i = 0; i < folders->asked; i++) {
        if (strcmp(last_part(folders->list[i]), name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_set(const char *dir)
{
    char path[ENTRY_SIZE + 16];
    (void)snprintf(path, sizeof path, "%s/set.json", dir);
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// All sets of a folder: the installed ones to check, or what the asked ones may refer to.
static bool add_all(struct folders *folders, const char *base)
{
    DIR *dir = opendir(base);
    size_t first = folders->count;
    if (dir == NULL) {
        return false;
    }
    // readdir(): nobody else has this stream.
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[ENTRY_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", base, entry->d_name);
        if (entry->d_name[0] != '.' && strlen(path) < PATH_SIZE && has_set(path) &&
            !is_asked(folders, entry->d_name)) {
            add_folder(folders, path);
        }
    }
    (void)closedir(dir);
    qsort(folders->list + first, folders->count - first, sizeof folders->list[0], compare_paths);
    return folders->count > first;
}

// The sets of one's own; false, and said so: there are none.
static bool add_own(struct folders *folders, const char *own)
{
    if (has_set(own)) {
        add_folder(folders, own);
        return true;
    }
    if (!add_all(folders, own)) {
        (void)fprintf(stderr, "munchbot: %s: expected a folder with card sets that can be read\n",
                      own);
        return false;
    }
    return true;
}

size_t cards_print_issues(const struct catalog_issues *issues, const char *prefix)
{
    size_t errors = 0;
    size_t length = strlen(prefix);
    for (size_t i = 0; i < issues->count; i++) {
        const struct catalog_issue *issue = &issues->list[i];
        bool mine = length == 0 || (strncmp(issue->text, prefix, length) == 0 &&
                                    (issue->text[length] == '/' || issue->text[length] == ':'));
        if (mine) {
            errors += !issue->note;
            (void)printf("%s%s\n", issue->note ? "note: " : "", issue->text);
        }
    }
    return errors;
}

static void print_vocabulary(const struct catalog *catalog, const struct vocabulary *vocabulary)
{
    static const char *const STATES[] = {
        [MECHANIC_MISSING] = "missing",
        [MECHANIC_PLANNED] = "planned",
        [MECHANIC_RULE] = "rule",
        [MECHANIC_READY] = "ready",
    };
    for (size_t i = 0; i < vocabulary->count; i++) {
        const struct vocabulary_row *row = &vocabulary->rows[i];
        const char *status = row->def != NO_DEF ? catalog_status(catalog, row->def) : "";
        bool said = row->state == MECHANIC_PLANNED || row->state == MECHANIC_RULE;
        (void)printf("%s %s%s%s\n", row->id, said ? status : STATES[row->state],
                     row->def != NO_DEF ? ": " : "",
                     row->def != NO_DEF ? catalog_name(catalog, row->def) : "");
    }
    (void)printf("%zu ready, %zu planned, %zu rules, %zu missing\n",
                 vocabulary->total[MECHANIC_READY], vocabulary->total[MECHANIC_PLANNED],
                 vocabulary->total[MECHANIC_RULE], vocabulary->total[MECHANIC_MISSING]);
}

// Says what was read, and for the vocabulary how much of the catalogue it covers. False if rows of
// that are missing.
static bool sum_up(const struct catalog *catalog, const char *dir, unsigned index,
                   struct catalog_issues *issues)
{
    const struct catalog_set *set = catalog_set(catalog, index);
    (void)printf("%s: %u different cards, %u Doors, %u Treasures\n", dir, set->def_count,
                 set->doors, set->treasures);
    if (!set->vocabulary) {
        return true;
    }
    bool whole = false;
    struct vocabulary *vocabulary = mb_new(1, sizeof *vocabulary);
    if (vocabulary_check(catalog, index, dir, vocabulary, issues)) {
        print_vocabulary(catalog, vocabulary);
        whole = vocabulary->total[MECHANIC_MISSING] == 0;
    }
    free(vocabulary);
    return whole;
}

// The set that was read from a folder; NO_SET if its set.json did not allow it.
static unsigned set_of_folder(const struct catalog *catalog, const char *dir)
{
    unsigned set = 0;
    while (set < catalog_set_count(catalog) &&
           strcmp(catalog_set(catalog, set)->folder, dir) != 0) {
        set++;
    }
    return set < catalog_set_count(catalog) ? set : NO_SET;
}

static bool sum_up_asked(const struct catalog *catalog, const struct folders *folders,
                         struct catalog_issues *issues)
{
    bool whole = true;
    for (size_t i = 0; i < folders->asked; i++) {
        const char *dir = folders->list[i];
        unsigned set = set_of_folder(catalog, dir);
        whole &= set != NO_SET && sum_up(catalog, dir, set, issues);
    }
    return whole;
}

static int check(struct folders *folders, struct catalog_issues *issues)
{
    struct catalog *catalog = catalog_load_sets(folders->list, folders->count, issues);
    for (size_t i = 0; i < folders->asked; i++) {
        const unsigned set = set_of_folder(catalog, folders->list[i]);
        if (set != NO_SET) {
            set_advice(catalog, set, issues);
        }
    }
    size_t before = issues->errors;
    size_t errors = 0;
    for (size_t i = 0; i < folders->asked; i++) {
        errors += cards_print_issues(issues, folders->list[i]);
    }
    if (issues->errors + issues->notes > issues->count) {
        (void)printf("and %zu more\n", issues->errors + issues->notes - issues->count);
    }
    size_t seen = issues->count;
    bool whole = sum_up_asked(catalog, folders, issues);
    for (size_t i = seen; i < issues->count; i++) {
        (void)printf("%s\n", issues->list[i].text);
    }
    errors += issues->errors - before;
    catalog_destroy(catalog);
    if (errors > 0 || !whole) {
        (void)fprintf(stderr, "munchbot: %zu %s in the card sets.\n", errors,
                      errors == 1 ? "error" : "errors");
        return CMD_FAILED;
    }
    return CMD_DONE;
}

int cards_check(const char *own, int dir_count, char **dirs)
{
    struct folders *folders = mb_new(1, sizeof *folders);
    struct catalog_issues *issues = mb_new(1, sizeof *issues);
    int status = CMD_FAILED;
    if (own == NULL || add_own(folders, own)) {
        char base[PATH_SIZE];
        for (int i = 0; i < dir_count; i++) {
            add_folder(folders, dirs[i]);
        }
        folders->asked = folders->count;
        (void)add_all(folders, cards_dir(base, sizeof base));
        folders->asked = folders->asked > 0 ? folders->asked : folders->count;
        status = check(folders, issues);
    }
    free(folders);
    free(issues);
    return status;
}
