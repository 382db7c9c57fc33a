// `munchbot cards list|show|check|new|reference`.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include <dirent.h>

#include "core/codec/catalog.h"
#include "core/codec/describe.h"
#include "core/codec/memory.h"
#include "core/codec/reference.h"
#include "core/codec/suggest.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/render/render.h"

/* What is wrong with sets: one line each. */

enum { PATH_SIZE = 1024, ENTRY_SIZE = PATH_SIZE + 300 };

// The folders that are loaded: those asked for first, then those they may refer to.
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

// All sets of a folder: the installed ones to check, or what the asked ones may refer to.
static bool add_folders_in(struct folders *folders, const char *base)
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
    qsort(folders->list + first, folders->count - first, sizeof folders->list[0], mb_text_order);
    return folders->count > first;
}

// The sets of one's own; false, and said so: there are none.
static bool add_own(struct folders *folders, const char *own)
{
    if (has_set(own)) {
        add_folder(folders, own);
        return true;
    }
    if (!add_folders_in(folders, own)) {
        (void)fprintf(stderr, "munchbot: %s: expected a folder with card sets that can be read\n",
                      own);
        return false;
    }
    return true;
}

// Prints issues, the notes to stdout, errors to stderr; only those of lines that start with
// `prefix`. Returns the number of errors.
static size_t print_issues(const struct catalog_issues *issues, const char *prefix)
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
static bool print_sum(const struct catalog *catalog, const char *dir, unsigned index,
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

static bool print_sums(const struct catalog *catalog, const struct folders *folders,
                       struct catalog_issues *issues)
{
    bool whole = true;
    for (size_t i = 0; i < folders->asked; i++) {
        const char *dir = folders->list[i];
        unsigned set = set_of_folder(catalog, dir);
        whole &= set != NO_SET && print_sum(catalog, dir, set, issues);
    }
    return whole;
}

static int check_folders(struct folders *folders, struct catalog_issues *issues)
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
        errors += print_issues(issues, folders->list[i]);
    }
    if (issues->errors + issues->notes > issues->count) {
        (void)printf("and %zu more\n", issues->errors + issues->notes - issues->count);
    }
    size_t seen = issues->count;
    bool whole = print_sums(catalog, folders, issues);
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

// `own`: the sets there are checked too, or NULL.
static int cards_check(const char *own, int dir_count, char **dirs)
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
        (void)add_folders_in(folders, cards_dir(base, sizeof base));
        folders->asked = folders->asked > 0 ? folders->asked : folders->count;
        status = check_folders(folders, issues);
    }
    free(folders);
    free(issues);
    return status;
}

/* A small set of one's own, out of the example that lies with the card sets. */

enum { NEW_PATH_SIZE = 4096, BLOCK_SIZE = 4096, ID_SIZE = 21 };

static bool complain_of(const char *path, const char *what)
{
    (void)fprintf(stderr, "munchbot: %s: %s\n", path, what);
    return false;
}

// The set's id: the folder's name, which has to be a word that commands can say.
static bool make_id(const char *dir, char id[ID_SIZE])
{
    char path[NEW_PATH_SIZE];
    size_t length = strlen(dir);
    if (length == 0 || length >= sizeof path) {
        return complain_of(dir, "expected the path of a folder that does not exist yet");
    }
    memcpy(path, dir, length + 1);
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0';
    }
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(name);
    if (size == 0 || size >= ID_SIZE ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != size) {
        return complain_of(dir, "the folder's name becomes the set's: expected at most 20 small "
                                "letters, digits, \"-\" and \"_\"");
    }
    memcpy(id, name, size + 1);
    return true;
}

// Opens DIR/name to be written, which must not be there.
static FILE *create_file(const char *dir, const char *name)
{
    char path[NEW_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *const file = fopen(path, "wbx");
    if (file == NULL) {
        (void)complain_of(path, strerror(errno));
    }
    return file;
}

static bool finish_file(FILE *file, const char *dir, bool written)
{
    if (fclose(file) != 0 || !written) {
        return complain_of(dir, "cannot write its files: is the disk full?");
    }
    return true;
}

static bool write_set(const char *dir, const char *id)
{
    FILE *const file = create_file(dir, "set.json");
    if (file == NULL) {
        return false;
    }
    const int written = fprintf(file,
                                "{\"format\": 1, \"id\": \"%s\", \"name\": \"%s\", \"edition\": "
                                "\"classic\", \"complete\": true}\n",
                                id, id);
    return finish_file(file, dir, written > 0);
}

static bool copy_file(const char *example, const char *dir, const char *name)
{
    char path[NEW_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", example, name);
    FILE *const from = fopen(path, "rb");
    if (from == NULL) {
        return complain_of(path, "the example set is missing from the installed card sets");
    }
    FILE *const to = create_file(dir, name);
    char block[BLOCK_SIZE];
    bool good = to != NULL;
    for (size_t size = sizeof block; good && size == sizeof block;) {
        size = fread(block, 1, sizeof block, from);
        good = ferror(from) == 0 && fwrite(block, 1, size, to) == size;
    }
    (void)fclose(from);
    return to != NULL && finish_file(to, dir, good);
}

static int cards_new(const char *dir)
{
    char id[ID_SIZE];
    char base[NEW_PATH_SIZE];
    char example[NEW_PATH_SIZE + 10];
    if (!make_id(dir, id)) {
        return CMD_FAILED;
    }
    if (mkdir(dir, 0777) != 0) {
        (void)complain_of(dir, errno == EEXIST ? "the folder already exists: name another one"
                                               : strerror(errno));
        return CMD_FAILED;
    }
    (void)snprintf(example, sizeof example, "%s/example", cards_dir(base, sizeof base));
    if (!write_set(dir, id) || !copy_file(example, dir, "doors.json") ||
        !copy_file(example, dir, "treasures.json") || !copy_file(example, dir, "text.en.json")) {
        return CMD_FAILED;
    }
    (void)printf(
        "%s: a set \"%s\" of ten cards. Check it with \"munchbot cards check %s\"; play it\n"
        "with \"munchbot play --set classic,%s --sets-path %s\". cards/README.md is the manual.\n",
        dir, id, dir, id, dir);
    return CMD_DONE;
}

/* What there is. */

static struct catalog *load_all(const char *own)
{
    char path[1024];
    struct catalog_issues *issues = mb_new(1, sizeof *issues);
    struct catalog *catalog = catalog_load_beside(cards_dir(path, sizeof path), own, issues);
    if (catalog == NULL) {
        (void)fprintf(stderr, "munchbot: no card sets: %s\n", issues->list[0].text);
    }
    free(issues);
    return catalog;
}

static void list_set(const struct catalog *catalog, unsigned index)
{
    const struct catalog_set *set = catalog_set(catalog, index);
    (void)printf("%s: %s, rules of %s, %u Doors and %u Treasures, %u different cards%s%s\n",
                 set->id, set->name, edition_name(set->edition), set->doors, set->treasures,
                 set->def_count, set->complete ? "" : ", not complete",
                 set->errors > 0 ? ", with errors" : "");
}

static void list_cards(const struct catalog *catalog, unsigned index)
{
    const struct catalog_set *set = catalog_set(catalog, index);
    list_set(catalog, index);
    for (unsigned i = 0; i < set->def_count; i++) {
        unsigned def = set->first_def + i;
        (void)printf("  %u x %s (%s)\n", catalog_copies(catalog, def), catalog_name(catalog, def),
                     text_sentence(render_kind(catalog, catalog_def(catalog, def))));
    }
}

static int list_sets(const struct catalog *catalog, const char *id)
{
    if (id == NULL) {
        for (unsigned i = 0; i < catalog_set_count(catalog); i++) {
            list_set(catalog, i);
        }
        return CMD_DONE;
    }
    uint8_t set = catalog_find_set(catalog, id);
    if (set == NO_SET) {
        (void)fprintf(
            stderr, "munchbot: there is no set \"%s\"; \"munchbot cards list\" names them.\n", id);
        return CMD_FAILED;
    }
    list_cards(catalog, set);
    return CMD_DONE;
}

static void show_def(const struct catalog *catalog, unsigned def)
{
    char text[DESCRIBE_SIZE];
    const struct catalog_set *set = catalog_set(catalog, catalog_def(catalog, def)->set);
    describe_card(catalog, def, text, sizeof text);
    (void)printf("%s:%s (%u in the set)\n", set->id, catalog_name(catalog, def),
                 catalog_copies(catalog, def));
    (void)printf("  card: %s\n", catalog_text(catalog, def)[0] != '\0' ? catalog_text(catalog, def)
                                                                       : "(no text yet)");
    (void)printf("  data: %s\n", text);
    if (catalog_joke(catalog, def)[0] != '\0') {
        (void)printf("  joke: %s\n", catalog_joke(catalog, def));
    }
}

// Shows the cards whose names are, or else hold, what was asked for.
static unsigned show_matching(const struct catalog *catalog, const char *wanted, unsigned set,
                              bool whole)
{
    char fold[256];
    char other[256];
    unsigned shown = 0;
    catalog_fold(wanted, fold, sizeof fold);
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        if (set != NO_SET && catalog_def(catalog, def)->set != set) {
            continue;
        }
        catalog_fold(catalog_name(catalog, def), other, sizeof other);
        if (whole ? strcmp(fold, other) == 0 : strstr(other, fold) != NULL) {
            show_def(catalog, def);
            shown++;
        }
    }
    return shown;
}

static int show_cards(const struct catalog *catalog, const char *wanted)
{
    // "set:Name" names one set.
    char id[32];
    const char *colon = strchr(wanted, ':');
    unsigned set = NO_SET;
    if (colon != NULL && (size_t)(colon - wanted) < sizeof id) {
        memcpy(id, wanted, (size_t)(colon - wanted));
        id[colon - wanted] = '\0';
        set = catalog_find_set(catalog, id);
        wanted = set != NO_SET ? colon + 1 : wanted;
    }
    if (wanted[0] != '\0' && (show_matching(catalog, wanted, set, true) > 0 ||
                              show_matching(catalog, wanted, set, false) > 0)) {
        return CMD_DONE;
    }
    struct suggestion suggestion = {.word = wanted};
    for (unsigned name = 0; name < catalog_name_count(catalog); name++) {
        suggest_try(&suggestion, catalog_name_text(catalog, name));
    }
    (void)fprintf(stderr, "munchbot: no card is called \"%s\"%s%s%s\n", wanted,
                  suggestion.best != NULL ? "; did you mean \"" : ".",
                  suggestion.best != NULL ? suggestion.best : "",
                  suggestion.best != NULL ? "\"?" : "");
    return CMD_FAILED;
}

static int print_reference(void)
{
    char *const text = mb_new(1, REFERENCE_SIZE);
    reference_write(text, REFERENCE_SIZE);
    (void)fputs(text, stdout);
    free(text);
    return CMD_DONE;
}

// The words of a name may come unquoted.
static void join_words(int argc, char **argv, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (int i = 0; i < argc && length < size; i++) {
        int more = snprintf(out + length, size - length, "%s%s", i > 0 ? " " : "", argv[i]);
        length += more > 0 ? (size_t)more : 0;
    }
}

int cmd_cards(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const char *const own = arguments->value[OPTION_SETS_PATH];
    (void)stores;
    if (strcmp(arguments->verb, "check") == 0) {
        return cards_check(own, arguments->count, arguments->operands);
    }
    if (strcmp(arguments->verb, "new") == 0) {
        return cards_new(arguments->operands[0]);
    }
    if (strcmp(arguments->verb, "reference") == 0) {
        return print_reference();
    }
    struct catalog *catalog = load_all(own);
    if (catalog == NULL) {
        return CMD_FAILED;
    }
    char name[512];
    join_words(arguments->count, arguments->operands, name, sizeof name);
    const int status = strcmp(arguments->verb, "list") == 0
                           ? list_sets(catalog, arguments->value[OPTION_SET])
                           : show_cards(catalog, name);
    catalog_destroy(catalog);
    return status;
}
