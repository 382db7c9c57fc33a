#include "core/codec/set_promise.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/card/applies.h"

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

static bool is(const struct words *words, unsigned at, const char *word)
{
    return at < words->count && strcmp(words->list[at], word) == 0;
}

static bool has(const struct words *words, const char *word)
{
    unsigned at = 0;
    while (at < words->count && !is(words, at, word)) {
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
    return is(words, at, "a") ? 1 : strtol(words->list[at], NULL, 10);
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

static bool endless(const struct catalog *catalog, const struct card_def *def, long most)
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
        if (is(words, i, "up") && is(words, i + 1, "to") &&
            endless(catalog, def, number_at(words, i + 2))) {
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
    const bool of = is(words, at, "in") || is(words, at, "per") || is(words, at, "for");
    if (!of) {
        return SCOPE_NONE;
    }
    at++;
    at += is(words, at, "a") || is(words, at, "each") || is(words, at, "every");
    for (unsigned scope = 0; scope < SCOPE_TOTAL; scope++) {
        if (SCOPES[scope] != NULL && is(words, at, SCOPES[scope])) {
            return scope;
        }
    }
    return SCOPE_NONE;
}

static bool limited(const struct catalog *catalog, const struct card_def *def, unsigned scope,
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
        const bool counted = i > 0 && is(words, i, "times");
        const long times = is(words, i, "once")    ? 1
                           : is(words, i, "twice") ? 2
                           : counted               ? number_at(words, i - 1)
                                                   : 0;
        const unsigned scope = times > 0 ? scope_at(words, i + 1) : (unsigned)SCOPE_NONE;
        if (scope != SCOPE_NONE && !limited(catalog, def, scope, times)) {
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
        const unsigned noun = i + 2 + is(words, i + 2, "random");
        const bool card = is(words, noun, "card") || is(words, noun, "cards");
        for (size_t verb = 0; verb < sizeof VERBS / sizeof VERBS[0]; verb++) {
            if (card && is(words, i, VERBS[verb]) && number_at(words, i + 1) > 0 &&
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
        if ((is(words, i, "plays") || is(words, i, "played")) && number_at(words, i + 1) == 1 &&
            is(words, i + 2, "card")) {
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
    return (has(words, "item") || has(words, "items")) && !has(words, "permanent") &&
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
