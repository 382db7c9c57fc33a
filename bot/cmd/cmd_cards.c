#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/describe.h"
#include "core/codec/memory.h"
#include "core/codec/reference.h"
#include "core/codec/suggest.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/cmd/cmd_cards_impl.h"
#include "bot/render/render.h"

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

static int list(const struct catalog *catalog, const char *id)
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

static int show(const struct catalog *catalog, const char *wanted)
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

static int reference(void)
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
        return reference();
    }
    struct catalog *catalog = load_all(own);
    if (catalog == NULL) {
        return CMD_FAILED;
    }
    char name[512];
    join_words(arguments->count, arguments->operands, name, sizeof name);
    const int status = strcmp(arguments->verb, "list") == 0
                           ? list(catalog, arguments->value[OPTION_SET])
                           : show(catalog, name);
    catalog_destroy(catalog);
    return status;
}
