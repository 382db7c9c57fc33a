#include "core/codec/set_advice.h"

#include <stdlib.h>
#include <string.h>

#include "core/card/effect_schema.h"
#include "core/codec/describe.h"
#include "core/codec/set_promise.h"

enum { FOLD_SIZE = 256, NUMBERS_MAX = 64 };

struct advice {
    const struct catalog *catalog;
    struct catalog_issues *issues;
    const struct catalog_set *set;
    unsigned def;
};

static void note(const struct advice *advice, const char *what, const char *about)
{
    issues_note(advice->issues, "%.200s: card \"%.60s\": %s%.60s", advice->set->folder,
                catalog_name(advice->catalog, advice->def), what, about);
}

/* Names. */

// How a player's words are compared, without the marks that nobody types.
static void fold_name(const struct catalog *catalog, unsigned def, char out[FOLD_SIZE])
{
    char folded[FOLD_SIZE];
    size_t length = 0;
    catalog_fold(catalog_name(catalog, def), folded, sizeof folded);
    for (const char *c = folded; *c != '\0'; c++) {
        if (strchr("'\"!?.,:;-() ", *c) == NULL) {
            out[length++] = *c;
        }
    }
    out[length] = '\0';
}

static bool plays_alike(const struct card_def *one, const struct card_def *other)
{
    return one->kind == other->kind && one->deck == other->deck;
}

// A card of the same name in another set is told apart by its set ("set:Name") if it must be; one
// of another kind, or one that is only written otherwise, is mistaken for it.
static void check_name(const struct advice *advice)
{
    const struct catalog *const catalog = advice->catalog;
    const struct card_def *const def = catalog_def(catalog, advice->def);
    char name[FOLD_SIZE];
    char other[FOLD_SIZE];
    fold_name(catalog, advice->def, name);
    for (unsigned i = 0; i < catalog_def_count(catalog); i++) {
        const struct card_def *const one = catalog_def(catalog, i);
        const bool same = one->name == def->name;
        if (i == advice->def || (same && plays_alike(def, one))) {
            continue;
        }
        fold_name(catalog, i, other);
        if (strcmp(name, other) == 0) {
            note(advice,
                 same ? "another set has a card of that name, of another kind: "
                      : "players' words cannot tell its name from ",
                 same ? catalog_set(catalog, one->set)->id : catalog_name(catalog, i));
            return;
        }
    }
}

/* What no game can use. */

static bool contradict(const struct requirement *one, const struct requirement *other)
{
    const bool same = one->kind == other->kind && one->range == other->range;
    if (same && one->n == other->n && one->arg == other->arg && one->absent != other->absent) {
        return true;
    }
    return same && one->kind == REQ_SEX && one->n != other->n && one->absent == other->absent;
}

static bool never_holds(const struct catalog *catalog, unsigned first, unsigned count)
{
    const struct requirement *const reqs = catalog_reqs(catalog);
    for (unsigned i = first; i < first + count; i++) {
        if (reqs[i].kind == REQ_ANY_OF) {
            return false;
        }
        for (unsigned k = i + 1; k < first + count; k++) {
            if (contradict(&reqs[i], &reqs[k])) {
                return true;
            }
        }
    }
    return false;
}

static bool does_nothing(const struct card_def *def)
{
    const bool played = def->kind == KIND_ONESHOT || def->kind == KIND_DOOR ||
                        def->kind == KIND_TREASURE || def->kind == KIND_ENHANCER;
    return played && def->row_count == 0 && (def->gold == 0 || def->kind != KIND_ONESHOT);
}

static void check_row(const struct advice *advice, const struct row *row)
{
    if (never_holds(advice->catalog, row->first_req, row->req_count)) {
        note(advice,
             "what it asks for can never be, so that it never does: ", effect_name(row->op));
    }
}

static void check_use(const struct advice *advice)
{
    const struct card_def *const def = catalog_def(advice->catalog, advice->def);
    const struct row *const rows = catalog_rows(advice->catalog);
    if (never_holds(advice->catalog, def->first_need, def->need_count)) {
        note(advice, "nobody can ever use it: its \"needs\" contradict each other", "");
    }
    if (does_nothing(def)) {
        note(advice, "it does nothing: it has neither rows nor a bonus", "");
    }
    for (unsigned i = 0; i < def->row_count; i++) {
        check_row(advice, &rows[def->first_row + i]);
    }
}

/* Numbers. */

struct numbers {
    unsigned count;
    long list[NUMBERS_MAX];
};

static void add_number(struct numbers *numbers, long number)
{
    if (numbers->count < NUMBERS_MAX) {
        numbers->list[numbers->count++] = number < 0 ? -number : number;
    }
}

// The numbers that stand in a sentence, as digits; "1-3" and "+3" are 1, 3 and 3.
static void read_numbers(const char *text, struct numbers *out)
{
    while (*text != '\0') {
        char *end = NULL;
        if (*text >= '0' && *text <= '9') {
            add_number(out, strtol(text, &end, 10));
            text = end;
        } else {
            text++;
        }
    }
}

static bool has_number(const struct numbers *numbers, long number)
{
    for (unsigned i = 0; i < numbers->count; i++) {
        if (numbers->list[i] == number) {
            return true;
        }
    }
    return false;
}

// Two bonuses are said as one, too: "+1, for an Elf +3" is 1 and 2 more.
static bool is_sum(const struct advice *advice, long number)
{
    const struct card_def *const def = catalog_def(advice->catalog, advice->def);
    const struct row *const rows = catalog_rows(advice->catalog) + def->first_row;
    for (unsigned i = 0; i < def->row_count; i++) {
        for (unsigned k = i + 1; k < def->row_count; k++) {
            if (rows[i].op == rows[k].op && labs(rows[i].n.base + rows[k].n.base) == number) {
                return true;
            }
        }
    }
    return false;
}

// What stands in no sentence of the data: figures that go without saying.
static void add_figures(const struct advice *advice, struct numbers *numbers)
{
    const struct card_def *const def = catalog_def(advice->catalog, advice->def);
    const struct row *const rows = catalog_rows(advice->catalog);
    add_number(numbers, 1); // "1 more", "1 of them"
    add_number(numbers, def->level);
    add_number(numbers, def->treasures);
    add_number(numbers, def->levels);
    add_number(numbers, def->gold);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *const row = &rows[def->first_row + i];
        add_number(numbers, row->n.base);
        add_number(numbers, row->n.k);
        add_number(numbers, row->n.cap);
        add_number(numbers, row->limit_n);
    }
}

static void check_numbers(const struct advice *advice)
{
    char data[DESCRIBE_SIZE];
    struct numbers known = {0};
    struct numbers said = {0};
    describe_card(advice->catalog, advice->def, data, sizeof data);
    read_numbers(data, &known);
    add_figures(advice, &known);
    read_numbers(catalog_text(advice->catalog, advice->def), &said);
    for (unsigned i = 0; i < said.count; i++) {
        if (!has_number(&known, said.list[i]) && !is_sum(advice, said.list[i])) {
            issues_note(advice->issues,
                        "%.200s: card \"%.60s\": its text says %ld, its data do not: %.120s",
                        advice->set->folder, catalog_name(advice->catalog, advice->def),
                        said.list[i], data);
            return;
        }
    }
}

/* Promises. */

static void check_promise(const struct advice *advice)
{
    const char *const broken = promise_broken(advice->catalog, advice->def);
    if (broken != NULL) {
        char data[DESCRIBE_SIZE];
        const bool door = catalog_def(advice->catalog, advice->def)->deck == DECK_DOOR;
        describe_card(advice->catalog, advice->def, data, sizeof data);
        issues_note(advice->issues,
                    "%.200s/%s.json: card \"%.60s\": %s. Text: \"%.360s\" Data: \"%.360s\"",
                    advice->set->folder, door ? "doors" : "treasures",
                    catalog_name(advice->catalog, advice->def), broken,
                    catalog_text(advice->catalog, advice->def), data);
    }
}

void set_advice(const struct catalog *catalog, unsigned set, struct catalog_issues *issues)
{
    const struct catalog_set *const of = catalog_set(catalog, set);
    for (unsigned i = 0; of != NULL && !of->vocabulary && i < of->def_count; i++) {
        const struct advice advice = {
            .catalog = catalog, .issues = issues, .set = of, .def = of->first_def + i};
        check_name(&advice);
        check_use(&advice);
        check_numbers(&advice);
        check_promise(&advice);
    }
}
