#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/card/applies.h"
#include "core/card/effect_schema.h"
#include "core/codec/describe.h"
#include "core/codec/reference.h"

enum { FOLD_SIZE = 256, NUMBERS_MAX = 64 };

struct advice {
    const struct catalog *catalog;
    struct catalog_issues *issues;
    const struct catalog_set *set;
    unsigned def;
};

static void note_card(const struct advice *advice, const char *what, const char *about)
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
            note_card(advice,
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
        note_card(advice,
                  "what it asks for can never be, so that it never does: ", effect_name(row->op));
    }
}

static void check_use(const struct advice *advice)
{
    const struct card_def *const def = catalog_def(advice->catalog, advice->def);
    const struct row *const rows = catalog_rows(advice->catalog);
    if (never_holds(advice->catalog, def->first_need, def->need_count)) {
        note_card(advice, "nobody can ever use it: its \"needs\" contradict each other", "");
    }
    if (does_nothing(def)) {
        note_card(advice, "it does nothing: it has neither rows nor a bonus", "");
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

enum { WORDS_MAX = 256, WORD_SIZE = 24 };

/** A card's text, word by word, in small letters. */
struct words {
    unsigned count;
    char list[WORDS_MAX][WORD_SIZE];
};

static void read_words(const char *text, struct words *out)
{
    out->count = 0;
    while (*text != '\0' && out->count < WORDS_MAX) {
        char *const word = out->list[out->count];
        size_t length = 0;
        for (; isalnum((unsigned char)*text) || *text == '-' || *text == '\''; text++) {
            if (length < WORD_SIZE - 1) {
                word[length++] = (char)tolower((unsigned char)*text);
            }
        }
        word[length] = '\0';
        out->count += length > 0;
        text += length == 0;
    }
}

static bool word_is(const struct words *words, unsigned at, const char *word)
{
    return at < words->count && strcmp(words->list[at], word) == 0;
}

static bool has_word(const struct words *words, const char *word)
{
    unsigned at = 0;
    while (at < words->count && !word_is(words, at, word)) {
        at++;
    }
    return at < words->count;
}

// "1", "3"; "a" is 1. 0: no number.
static long number_at(const struct words *words, unsigned at)
{
    if (at >= words->count) {
        return 0;
    }
    return word_is(words, at, "a") ? 1 : strtol(words->list[at], NULL, 10);
}

static const struct row *rows_of(const struct catalog *catalog, const struct card_def *def)
{
    return catalog_rows(catalog) + def->first_row;
}

static const struct cost *cost_of(const struct catalog *catalog, const struct row *row)
{
    return row->cost != 0 ? &catalog_costs(catalog)[row->cost - 1] : NULL;
}

/* "up to 3": what is paid so has an end. */

static bool is_endless(const struct catalog *catalog, const struct card_def *def, long most)
{
    const struct row *const rows = rows_of(catalog, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct cost *const cost = cost_of(catalog, &rows[i]);
        if (cost != NULL && cost->max == most && cost->min < most && !cost->self &&
            rows[i].limit == SCOPE_NONE && applies_limit(def->kind, rows[i].when)) {
            return true;
        }
    }
    return false;
}

static bool repeats_up_to(const struct catalog *catalog, const struct card_def *def,
                          const struct words *words)
{
    for (unsigned i = 0; i + 2 < words->count; i++) {
        if (word_is(words, i, "up") && word_is(words, i + 1, "to") &&
            is_endless(catalog, def, number_at(words, i + 2))) {
            return true;
        }
    }
    return false;
}

/* "once in a fight", "twice per turn". */

static unsigned scope_at(const struct words *words, unsigned at)
{
    static const char *const SCOPES[SCOPE_TOTAL] = {
        [SCOPE_FIGHT] = "fight", [SCOPE_TURN] = "turn", [SCOPE_VICTIM] = "victim",
        [SCOPE_ROLL] = "roll",   [SCOPE_GAME] = "game",
    };
    const bool of =
        word_is(words, at, "in") || word_is(words, at, "per") || word_is(words, at, "for");
    if (!of) {
        return SCOPE_NONE;
    }
    at++;
    at += word_is(words, at, "a") || word_is(words, at, "each") || word_is(words, at, "every");
    for (unsigned scope = 0; scope < SCOPE_TOTAL; scope++) {
        if (SCOPES[scope] != NULL && word_is(words, at, SCOPES[scope])) {
            return scope;
        }
    }
    return SCOPE_NONE;
}

static bool is_limited_to(const struct catalog *catalog, const struct card_def *def, unsigned scope,
                          long times)
{
    const struct row *const rows = rows_of(catalog, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct cost *const cost = cost_of(catalog, &rows[i]);
        const long cards = cost != NULL && cost->max > 0 ? cost->max : 1;
        if (rows[i].limit == scope &&
            (rows[i].limit_n == times || rows[i].limit_n == times * cards)) {
            return true;
        }
    }
    return false;
}

static bool lacks_limit(const struct catalog *catalog, const struct card_def *def,
                        const struct words *words)
{
    for (unsigned i = 0; i < words->count; i++) {
        const bool counted = i > 0 && word_is(words, i, "times");
        const long times = word_is(words, i, "once")    ? 1
                           : word_is(words, i, "twice") ? 2
                           : counted                    ? number_at(words, i - 1)
                                                        : 0;
        const unsigned scope = times > 0 ? scope_at(words, i + 1) : (unsigned)SCOPE_NONE;
        if (scope != SCOPE_NONE && !is_limited_to(catalog, def, scope, times)) {
            return true;
        }
    }
    return false;
}

/* "a card": whatever it is. */

static bool takes_any(const struct catalog *catalog, unsigned index)
{
    bool any = index == 0;
    while (index != 0 && !any) {
        const struct filter *const filter = &catalog_filters(catalog)[index - 1];
        any = filter->kinds == 0 && filter->item == 0 && filter->slot == 0 && filter->size == 0 &&
              filter->tags == 0 && filter->trait == 0 && filter->name == 0 &&
              filter->value_min == 0 && filter->value_max == 0;
        index = filter->or_else;
    }
    return any;
}

// What takes cards from somebody, or lets them be paid.
static bool some_row_takes_any(const struct catalog *catalog, const struct card_def *def)
{
    const struct row *const rows = rows_of(catalog, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct cost *const cost = cost_of(catalog, &rows[i]);
        const bool pays = cost != NULL && cost->max > 0 && takes_any(catalog, cost->filter);
        const bool acts = rows[i].when != WHEN_STATIC && rows[i].op != EFFECT_LASTING;
        if (pays || (acts && takes_any(catalog, rows[i].filter))) {
            return true;
        }
    }
    return false;
}

static bool leaves_kinds_out(const struct catalog *catalog, const struct card_def *def,
                             const struct words *words)
{
    static const char *const VERBS[] = {"discard", "discards", "lose", "loses",
                                        "take",    "takes",    "give", "gives"};
    for (unsigned i = 0; i + 2 < words->count; i++) {
        const unsigned noun = i + 2 + word_is(words, i + 2, "random");
        const bool card = word_is(words, noun, "card") || word_is(words, noun, "cards");
        for (size_t verb = 0; verb < sizeof VERBS / sizeof VERBS[0]; verb++) {
            if (card && word_is(words, i, VERBS[verb]) && number_at(words, i + 1) > 0 &&
                !some_row_takes_any(catalog, def)) {
                return true;
            }
        }
    }
    return false;
}

// Only what is played for its effect and not kept can be answered.
static bool answers_a_card(const struct catalog *catalog, const struct card_def *def,
                           const struct words *words)
{
    const struct row *const rows = rows_of(catalog, def);
    bool answers = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        answers = answers || rows[i].when == WHEN_ANSWER_PLAY;
    }
    for (unsigned i = 0; answers && i < words->count; i++) {
        if ((word_is(words, i, "plays") || word_is(words, i, "played")) &&
            number_at(words, i + 1) == 1 && word_is(words, i + 2, "card")) {
            return true;
        }
    }
    return false;
}

/* "Item": a one-shot is one too. */

// What keeps Items from counting keeps no one-shot from it, whatever its filter says (`always`); no
// one-shot fills a slot or is Big.
static bool permanent_only(const struct catalog *catalog, unsigned index, bool always)
{
    for (; index != 0; index = catalog_filters(catalog)[index - 1].or_else) {
        const struct filter *const filter = &catalog_filters(catalog)[index - 1];
        const bool permanent = always || filter->item == 2 || filter->kinds == 1u << KIND_ITEM;
        const bool slot = filter->slot != 0 && filter->slot - 1u != SLOT_NONE;
        if (permanent && !slot && filter->name == 0 && filter->place != PLACE_EQUIPPED &&
            !(always && filter->size == 2)) {
            return true;
        }
    }
    return false;
}

static bool some_row_permanent_only(const struct catalog *catalog, const struct card_def *def)
{
    const struct row *const rows = rows_of(catalog, def);
    const struct requirement *const reqs = catalog_reqs(catalog);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct cost *const cost = cost_of(catalog, &rows[i]);
        const bool counted = rows[i].n.source == SRC_CARDS || rows[i].n.source == SRC_BONUS ||
                             rows[i].n.source == SRC_BONUSES;
        const bool all = (rows[i].op == EFFECT_EXCLUDE && rows[i].a == EX_ITEMS) ||
                         (rows[i].op == EFFECT_BARS && rows[i].a == BAR_ITEMS);
        if ((all && rows[i].filter == 0) || permanent_only(catalog, rows[i].filter, all) ||
            (cost != NULL && permanent_only(catalog, cost->filter, false)) ||
            (counted && permanent_only(catalog, rows[i].n.arg, false))) {
            return true;
        }
        for (unsigned k = rows[i].first_req; k < rows[i].first_req + rows[i].req_count; k++) {
            if (reqs[k].kind == REQ_CARDS && permanent_only(catalog, reqs[k].arg, false)) {
                return true;
            }
        }
    }
    return false;
}

static bool leaves_one_shots_out(const struct catalog *catalog, const struct card_def *def,
                                 const struct words *words)
{
    return (has_word(words, "item") || has_word(words, "items")) && !has_word(words, "permanent") &&
           some_row_permanent_only(catalog, def);
}

const char *promise_broken(const struct catalog *catalog, unsigned index)
{
    const struct card_def *const def = catalog_def(catalog, index);
    struct words words;
    read_words(catalog_text(catalog, index), &words);
    if (repeats_up_to(catalog, def, &words)) {
        return "it prints \"up to\", and its data let it be used again without a limit";
    }
    if (lacks_limit(catalog, def, &words)) {
        return "it prints how often, and its data set no such limit";
    }
    if (leaves_kinds_out(catalog, def, &words)) {
        return "it prints \"card\", and its data leave some kinds out";
    }
    if (answers_a_card(catalog, def, &words)) {
        return "it prints \"card\", and only a one-shot, enhancer, Door or special Treasure played "
               "for "
               "its effect can be answered";
    }
    return leaves_one_shots_out(catalog, def, &words)
               ? "it prints \"Item\", which one-shots are too, and its data leave them out"
               : NULL;
}
