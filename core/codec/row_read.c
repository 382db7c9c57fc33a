#include "core/codec/row_read.h"

#include <stdio.h>
#include <string.h>

#include "core/card/effect_schema.h"
#include "core/codec/row_check.h"

enum { ROWS_MAX = 40, TIMES_MAX = 99, KEYS_MAX = 40 };

const char *const ROW_KEYS[] = {"when",  "do",    "who",     "amount", "until",   "chooser",
                                "cards", "cost",  "limit",   "if",     "ability", "target",
                                "else",  "then",  "may",     "kill",   "fixed",   "face_up",
                                "once",  "whose", "instead", NULL};

// The generic keys that only some ops heed. `cards` is none of them: triggers and targets heed it
// too.
static bool is_unused(const struct effect_schema *schema, const char *key)
{
    static const struct {
        const char *key;
        unsigned use;
    } PARTIAL[] = {{"amount", USES_AMOUNT},
                   {"chooser", USES_CHOOSER},
                   {"kill", USES_KILL},
                   {"face_up", USES_FACE_UP}};
    for (unsigned i = 0; i < sizeof PARTIAL / sizeof PARTIAL[0]; i++) {
        if (strcmp(PARTIAL[i].key, key) == 0) {
            return (schema->uses & PARTIAL[i].use) == 0;
        }
    }
    return false;
}

static void check_keys(struct reading *reading, const json_t *value)
{
    const struct effect_schema *schema = effect_schema(reading->op);
    const char *keys[KEYS_MAX];
    size_t count = 0;
    for (const char *const *k = ROW_KEYS; *k != NULL; k++) {
        keys[count++] = *k;
        if (is_unused(schema, *k) && json_object_get(value, *k) != NULL) {
            reading_fail(reading, *k, "expected nothing: %s does not heed it",
                         effect_name(reading->op));
        }
    }
    for (unsigned i = 0; i < EFFECT_ARGS_MAX; i++) {
        if (schema->args[i].name != NULL) {
            keys[count++] = schema->args[i].name;
        }
    }
    keys[count] = NULL;
    reading_keys(reading, value, keys);
}

static int16_t read_counted_op(struct reading *reading, const json_t *value, const char *key)
{
    const char *name = reading_string(reading, value, key, 1, CATALOG_NAME_MAX);
    if (name == NULL) {
        return EFFECT_NOTHING;
    }
    unsigned op = effect_find(name);
    if (op < EFFECT_TOTAL && effect_schema(op)->counted) {
        return (int16_t)op;
    }
    struct suggestion suggestion = {.word = name};
    for (unsigned i = 0; i < EFFECT_TOTAL; i++) {
        if (effect_schema(i)->counted) {
            suggest_try(&suggestion, effect_name(i));
        }
    }
    reading_unknown(reading, key, "a counted op", &suggestion);
    return EFFECT_NOTHING;
}

static int16_t read_arg(struct reading *reading, const json_t *value, const struct effect_arg *arg)
{
    int number = arg->fallback;
    unsigned word = (unsigned)arg->fallback;
    uint8_t small = 0;
    if (arg->required && json_object_get(value, arg->name) == NULL) {
        reading_fail(reading, arg->name, "expected it with %s, found nothing",
                     effect_name(reading->op));
        return 0;
    }
    switch ((enum arg_type)arg->type) {
    case ARG_NUMBER:
        reading_int(reading, value, arg->name, arg->min, arg->max, &number);
        return (int16_t)number;
    case ARG_WORD:
        reading_word(reading, value, arg->name, (enum word_table)arg->words, &word);
        return (int16_t)word;
    case ARG_TRAIT:
        reading_trait(reading, value, arg->name, &small);
        return small;
    case ARG_TAG:
        reading_tag(reading, value, arg->name, &small);
        return small;
    case ARG_COUNTED_OP:
        return read_counted_op(reading, value, arg->name);
    case ARG_OF_OP: // see read_args()
    case ARG_NONE:
        return 0;
    }
    return 0;
}

// The argument of a lasting effect is that of the counted op it puts on somebody.
static int16_t read_inner(struct reading *reading, const json_t *value, const char *key,
                          unsigned inner_op)
{
    struct effect_arg inner = effect_schema(inner_op)->args[0];
    if (inner.name != NULL) {
        inner.name = key;
        return read_arg(reading, value, &inner);
    }
    if (json_object_get(value, key) != NULL) {
        reading_fail(reading, key, "expected nothing: %s takes no argument", effect_name(inner_op));
    }
    return 0;
}

static void read_args(struct reading *reading, const json_t *value, struct row *row)
{
    const struct effect_arg *args = effect_schema(row->op)->args;
    row->a = read_arg(reading, value, &args[0]);
    if (args[1].type == ARG_OF_OP) {
        row->b = read_inner(reading, value, args[1].name, (unsigned)row->a);
    } else {
        row->b = read_arg(reading, value, &args[1]);
    }
}

static void read_flags(struct reading *reading, const json_t *value, struct row *row)
{
    static const struct {
        const char *key;
        unsigned flag;
    } FLAGS[] = {{"else", ROW_ELSE},      {"may", ROW_MAY},   {"fixed", ROW_FIXED},
                 {"kill", ROW_KILL},      {"then", ROW_THEN}, {"face_up", ROW_FACE_UP},
                 {"instead", ROW_INSTEAD}};
    for (unsigned i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        bool on = false;
        if (reading_bool(reading, value, FLAGS[i].key, &on) && on) {
            row->flags |= (uint8_t)FLAGS[i].flag;
        }
    }
    if ((row->flags & ROW_ELSE) != 0 && (row->flags & ROW_THEN) != 0) {
        reading_fail(reading, "then", "expected either else or then, found both");
    }
}

static void read_words(struct reading *reading, const json_t *value, struct row *row)
{
    unsigned word = 0;
    if (reading_word(reading, value, "who", WORDS_SELECTOR, &word)) {
        row->who = (uint8_t)word;
    }
    if (reading_word(reading, value, "until", WORDS_DURATION, &word)) {
        row->until = (uint8_t)word;
    }
    if (reading_word(reading, value, "chooser", WORDS_CHOOSER, &word)) {
        row->chooser = (uint8_t)word;
    }
    if (reading_word(reading, value, "whose", WORDS_WHOSE, &word)) {
        row->whose = (uint8_t)word;
    }
    if (reading_word(reading, value, "target", WORDS_TARGET, &word)) {
        row->target = (uint8_t)word;
    }
    if ((effect_schema(row->op)->uses & NEEDS_UNTIL) != 0 && row->until == UNTIL_NOW) {
        reading_fail(reading, "until", "expected with %s how long it lasts", effect_name(row->op));
    }
}

static void read_limit(struct reading *reading, const json_t *value, struct row *row)
{
    static const char *const KEYS[] = {"times", "per", NULL};
    const json_t *limit = json_object_get(value, "limit");
    if (limit == NULL) {
        return;
    }
    if (!json_is_object(limit)) {
        reading_wrong(reading, "limit", "an object {\"times\": N, \"per\": SCOPE}", limit);
        return;
    }
    size_t mark = reading_enter(reading, "limit", 0);
    reading_keys(reading, limit, KEYS);
    unsigned scope = SCOPE_NONE;
    int times = 1;
    reading_int(reading, limit, "times", 1, TIMES_MAX, &times);
    if (reading_word(reading, limit, "per", WORDS_SCOPE, &scope)) {
        row->limit = (uint8_t)scope;
    } else if (json_object_get(limit, "per") == NULL) {
        reading_fail(reading, "per", "expected a scope word, found nothing");
    }
    row->limit_n = (uint8_t)times;
    reading_leave(reading, mark);
}

static bool may_have_ability(unsigned when)
{
    return when == WHEN_ABILITY || when_answers(when) || when == WHEN_BEFORE_ROLL ||
           (when >= WHEN_WOULD_LOSE_LEVEL && when <= WHEN_WOULD_DIE);
}

// Cards that lie in play before they act: what they do, they do by name, never by being played.
static bool acts_from_table(unsigned kind)
{
    return kind == KIND_ITEM || kind == KIND_FOLLOWER || kind_is_identity(kind);
}

static void read_ability(struct reading *reading, const json_t *value, struct row *row)
{
    const char *name = reading_string(reading, value, "ability", 1, CATALOG_NAME_MAX);
    if (name == NULL) {
        bool used = when_answers(row->when) || row->when == WHEN_BEFORE_ROLL;
        bool nameless = row->when == WHEN_ABILITY || (used && acts_from_table(reading->kind));
        if (nameless && json_object_get(value, "ability") == NULL) {
            reading_fail(reading, "ability", "expected the name it is used by, found nothing");
        }
        return;
    }
    if (!may_have_ability(row->when)) {
        reading_fail(reading, "ability", "expected nothing: \"when\": \"%s\" is not used by a name",
                     word_name(WORDS_TRIGGER, row->when));
        return;
    }
    uint8_t ability = catalog_enter_ability(reading->catalog, name);
    if (ability == NO_ABILITY) {
        reading_fail(reading, "ability", "the sets hold more abilities than fit");
        return;
    }
    row->ability = (uint8_t)(ability + 1);
}

// A counted op stands as long as its card does; any other needs an instant.
static void check_trigger(struct reading *reading, const struct row *row)
{
    bool counted = effect_schema(row->op)->counted;
    if (counted && row->when != WHEN_STATIC) {
        reading_fail(reading, "when",
                     "expected static: %s is counted, not carried out (or put it on somebody with "
                     "\"do\": \"lasting\")",
                     effect_name(row->op));
    } else if (!counted && row->when == WHEN_STATIC) {
        reading_fail(reading, "when", "expected a trigger, because %s is carried out, found static",
                     effect_name(row->op));
    }
}

static void read_objects(struct reading *reading, const json_t *value, struct row *row)
{
    const struct effect_schema *schema = effect_schema(row->op);
    const json_t *part = json_object_get(value, "amount");
    if (part != NULL) {
        amount_read(reading, "amount", part, &row->n);
    } else if ((schema->uses & NEEDS_AMOUNT) != 0) {
        reading_fail(reading, "amount", "expected a number with %s, found nothing",
                     effect_name(row->op));
    } else if (row->op == EFFECT_LOSE &&
               (row->chooser == CHOOSE_ALL || json_object_get(value, "value") != NULL)) {
        row->n.base = 0; // all that fit
    } else {
        row->n.base = schema->amount;
    }
    part = json_object_get(value, "cards");
    if (part != NULL) {
        row->filter = filter_read(reading, "cards", part);
    }
    part = json_object_get(value, "cost");
    if (part != NULL) {
        row->cost = cost_read(reading, "cost", part);
    }
    // Rules: CHAR-7. A monster is stronger because of a trait: a disadvantage of it.
    bool stronger = row->op == EFFECT_MONSTER_BONUS &&
                    (row->n.source == SRC_CONST ? row->n.base > 0 : row->n.k > 0);
    reading->drawback = reading->kind == KIND_MONSTER &&
                        (stronger || row->op == EFFECT_NO_PURSUE || row->op == EFFECT_LEAVES_FOR);
    part = json_object_get(json_object_get(value, "amount"), "drawback");
    if (part == NULL && row->n.source == SRC_TRAIT) {
        row->n.drawback = reading->kind == KIND_MONSTER && stronger;
    }
    part = json_object_get(value, "if");
    if (part != NULL) {
        requirements_read(reading, "if", part, &row->first_req, &row->req_count);
    }
}

static bool read_op(struct reading *reading, const json_t *value)
{
    const char *name = reading_string(reading, value, "do", 1, CATALOG_NAME_MAX);
    if (name == NULL) {
        if (json_object_get(value, "do") == NULL) {
            reading_fail(reading, "do", "expected an op, found nothing");
        }
        return false;
    }
    unsigned op = effect_find(name);
    if (op < EFFECT_TOTAL) {
        reading->op = (uint8_t)op;
        return true;
    }
    struct suggestion suggestion = {.word = name};
    for (unsigned i = 0; i < EFFECT_TOTAL; i++) {
        suggest_try(&suggestion, effect_name(i));
    }
    reading_unknown(reading, "do", "an op", &suggestion);
    return false;
}

static void append_row(struct reading *reading, const struct row *row)
{
    if (reading->catalog->n.rows == CATALOG_ROWS) {
        reading_fail(reading, NULL, "the sets hold more rows than fit");
        return;
    }
    reading->catalog->rows[reading->catalog->n.rows++] = *row;
}

// Whether a row of the same trigger stands before this one: what else and then refer to.
static bool has_before(const struct reading *reading, uint16_t first)
{
    for (unsigned i = first; i < reading->catalog->n.rows; i++) {
        if (reading->catalog->rows[i].when == reading->when) {
            return true;
        }
    }
    return false;
}

// At card_lost, `cards` says what was lost: once.
static void check_lost(struct reading *reading, uint16_t first)
{
    const struct catalog *catalog = reading->catalog;
    bool before = false;
    for (unsigned i = first; i < catalog->n.rows; i++) {
        const struct row *row = &catalog->rows[i];
        if (row->when != WHEN_CARD_LOST) {
            continue;
        }
        if (before && row->filter != 0) {
            reading_fail(reading, "rows", "expected cards in the first row of card_lost alone");
        }
        before = true;
    }
}

static bool asks_for_roll(const struct catalog *catalog, const struct row *row)
{
    bool asks = row->n.source == SRC_ROLLED;
    for (unsigned i = 0; i < row->req_count; i++) {
        unsigned kind = catalog->reqs[row->first_req + i].kind;
        asks |= kind == REQ_ROLLED_MIN || kind == REQ_ROLLED_MAX;
    }
    return asks;
}

// What a row reads of a die, a row of the same trigger has to have thrown.
static void check_rolled(struct reading *reading, uint16_t first)
{
    const struct catalog *catalog = reading->catalog;
    for (unsigned i = first; i < catalog->n.rows; i++) {
        const struct row *row = &catalog->rows[i];
        bool thrown = false;
        for (unsigned k = first; k < i; k++) {
            const unsigned op = catalog->rows[k].op;
            thrown |=
                (op == EFFECT_ROLL || op == EFFECT_REVEAL) && catalog->rows[k].when == row->when;
        }
        thrown |= row->when == WHEN_ROLLED;
        if (!thrown && asks_for_roll(catalog, row)) {
            reading_fail(reading, "rows", "expected before %s a row roll of the same trigger",
                         effect_name(row->op));
        }
    }
}

// The last row of a trigger cannot leave its other half to the next.
static void check_last(struct reading *reading, uint16_t first)
{
    const struct catalog *catalog = reading->catalog;
    for (unsigned i = first; i < catalog->n.rows; i++) {
        const struct row *row = &catalog->rows[i];
        bool followed = i + 1 < catalog->n.rows && catalog->rows[i + 1].when == row->when;
        if ((row->op == EFFECT_CHOICE || row->op == EFFECT_DISCARD_OR) && !followed) {
            reading_fail(reading, "rows", "expected after %s a row of the same trigger",
                         effect_name(row->op));
        }
    }
}

static void read_row(struct reading *reading, const json_t *value, uint16_t first)
{
    if (!json_is_object(value)) {
        reading_wrong(reading, NULL, "an object", value);
        return;
    }
    if (!read_op(reading, value)) {
        return;
    }
    struct row row = {.op = reading->op};
    unsigned when = WHEN_STATIC;
    bool knows_when = reading_word(reading, value, "when", WORDS_TRIGGER, &when);
    row.when = reading->when = (uint8_t)when;
    check_keys(reading, value);
    if (knows_when || json_object_get(value, "when") == NULL) {
        check_trigger(reading, &row);
    }
    read_flags(reading, value, &row);
    if ((row.flags & (ROW_ELSE | ROW_THEN)) != 0 && !has_before(reading, first)) {
        reading_fail(reading, NULL, "expected no else or then in the first row of a trigger");
    }
    read_words(reading, value, &row);
    read_objects(reading, value, &row);
    read_args(reading, value, &row);
    read_limit(reading, value, &row);
    read_ability(reading, value, &row);
    row_check(reading, value, &row);
    append_row(reading, &row);
}

void rows_read(struct reading *reading, const json_t *list)
{
    if (!json_is_array(list) || json_array_size(list) > ROWS_MAX) {
        reading_wrong(reading, "rows", "a list of at most 40 rows", list);
        return;
    }
    uint16_t first = reading->catalog->n.rows;
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t mark = reading_enter(reading, "rows", i + 1);
        read_row(reading, json_array_get(list, i), first);
        reading_leave(reading, mark);
    }
    check_last(reading, first);
    check_rolled(reading, first);
    check_lost(reading, first);
}

void row_read_short(struct reading *reading, const char *key, const json_t *value,
                    enum effect_op op)
{
    struct row row = {.op = (uint8_t)op, .when = WHEN_STATIC};
    amount_read(reading, key, value, &row.n);
    if (row.n.source != SRC_CONST || row.n.base != 0) {
        append_row(reading, &row);
    }
}

enum { NUMBER_MAX = 9999, VALUE_COUNT_MAX = 99 };

const char *const FILTER_KEYS[] = {"kinds",     "place",     "slot",      "size",      "item",
                                   "tag",       "trait",     "value_min", "value_max", "name",
                                   "level_max", "bonus_max", "bonus_min", "tags",      "side",
                                   "attached",  "any_of",    NULL};

static const char *const AMOUNT_KEYS[] = {"per",   "times", "plus", "cap",      "who",
                                          "trait", "cards", "half", "drawback", NULL};
static const char *const COST_KEYS[] = {"cards", "which", "whole_hand", "self", "levels", NULL};

static void read_kinds(struct reading *reading, const json_t *list, struct filter *filter)
{
    if (list == NULL) {
        return;
    }
    if (!json_is_array(list) || json_array_size(list) == 0) {
        reading_wrong(reading, "kinds", "a list of kinds", list);
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        unsigned kind = 0;
        if (reading_word_value(reading, "kinds", json_array_get(list, i), WORDS_KIND, &kind)) {
            filter->kinds |= 1u << kind;
        }
    }
}

static void read_filter_words(struct reading *reading, const json_t *value, struct filter *filter)
{
    unsigned word = 0;
    if (reading_word(reading, value, "place", WORDS_PLACE, &word)) {
        filter->place = (uint8_t)word;
    }
    if (reading_word(reading, value, "slot", WORDS_SLOT, &word)) {
        filter->slot = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "size", WORDS_SIZE, &word)) {
        filter->size = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "item", WORDS_ITEM, &word)) {
        filter->item = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "side", WORDS_SIDE, &word)) {
        filter->side = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "attached", WORDS_ATTACHED, &word)) {
        filter->attached = (uint8_t)(word + 1);
    }
    uint8_t number = 0;
    if (reading_tag(reading, value, "tag", &number)) {
        filter->tags |= (uint64_t)1 << number;
    }
    if (reading_trait(reading, value, "trait", &number)) {
        filter->trait = (uint8_t)(number + 1);
    }
    uint16_t name = 0;
    if (reading_name(reading, value, "name", &name)) {
        filter->name = (uint16_t)(name + 1);
    }
}

static void read_tags(struct reading *reading, const json_t *list, struct filter *filter)
{
    if (list != NULL && (!json_is_array(list) || json_array_size(list) == 0)) {
        reading_wrong(reading, "tags", "a list of tags, all of which it has", list);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        uint8_t number = tag != NULL ? catalog_find_tag(reading->catalog, tag) : (uint8_t)NO_TAG;
        if (number == NO_TAG) {
            reading_wrong(reading, "tags", "a tag of some card", json_array_get(list, i));
        } else {
            filter->tags |= (uint64_t)1 << number;
        }
    }
}

/** What one object says, any_of apart. */
static uint16_t read_plain(struct reading *reading, const char *key, const json_t *value)
{
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "an object that says which cards", value);
        return 0;
    }
    if (reading->catalog->n.filters == CATALOG_FILTERS) {
        reading_fail(reading, key, "the sets say more often which cards are meant than fits");
        return 0;
    }
    size_t mark = reading_enter(reading, key != NULL ? key : "", 0);
    struct filter filter = {0};
    reading_keys(reading, value, FILTER_KEYS);
    read_tags(reading, json_object_get(value, "tags"), &filter);
    read_kinds(reading, json_object_get(value, "kinds"), &filter);
    read_filter_words(reading, value, &filter);
    int number = 0;
    if (reading_int(reading, value, "value_min", 1, INT16_MAX, &number)) {
        filter.value_min = (int16_t)number;
    }
    if (reading_int(reading, value, "value_max", 1, INT16_MAX, &number)) {
        filter.value_max = (int16_t)number;
    }
    if (filter.value_max != 0 && filter.value_min > filter.value_max) {
        reading_fail(reading, "value_min", "expected at most value_max, %d, found %d",
                     filter.value_max, filter.value_min);
    }
    if (reading_int(reading, value, "bonus_min", 1, VALUE_COUNT_MAX, &number)) {
        filter.bonus_min = (int16_t)number;
    }
    if (reading_int(reading, value, "bonus_max", 0, VALUE_COUNT_MAX, &number)) {
        filter.bonus_below = (int16_t)(number + 1);
    }
    if (filter.bonus_below != 0 && filter.bonus_min >= filter.bonus_below) {
        reading_fail(reading, "bonus_min", "expected at most bonus_max, %d, found %d",
                     filter.bonus_below - 1, filter.bonus_min);
    }
    if (reading_int(reading, value, "level_max", 1, VALUE_COUNT_MAX, &number)) {
        filter.level_max = (int16_t)number;
    }
    reading_leave(reading, mark);
    reading->catalog->filters[reading->catalog->n.filters++] = filter;
    return reading->catalog->n.filters;
}

/** One of several filters: the first of them, which leads to the others. */
static uint16_t read_any_value(struct reading *reading, const json_t *value)
{
    static const char *const KEYS[] = {"any_of", NULL};
    const json_t *list = json_object_get(value, "any_of");
    uint16_t first = 0;
    uint16_t last = 0;
    reading_keys(reading, value, KEYS);
    if (!json_is_array(list) || json_array_size(list) < 2 || json_array_size(list) > 8) {
        reading_wrong(reading, "any_of", "a list of 2 to 8 objects that say which cards", list);
        return 0;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        size_t mark = reading_enter(reading, "any_of", i + 1);
        if (json_object_get(one, "any_of") != NULL) {
            reading_fail(reading, "any_of", "expected it once, found one within another");
        }
        uint16_t index =
            json_object_get(one, "any_of") == NULL ? read_plain(reading, NULL, one) : (uint16_t)0;
        reading_leave(reading, mark);
        if (index == 0) {
            return 0;
        }
        if (last != 0) {
            reading->catalog->filters[last - 1].or_else = index;
        }
        first = first == 0 ? index : first;
        last = index;
    }
    return first;
}

uint16_t filter_read(struct reading *reading, const char *key, const json_t *value)
{
    if (json_object_get(value, "any_of") == NULL) {
        return read_plain(reading, key, value);
    }
    const size_t mark = reading_enter(reading, key != NULL ? key : "", 0);
    const uint16_t first = read_any_value(reading, value);
    reading_leave(reading, mark);
    return first;
}

bool filter_looks_into_hand(const struct catalog *catalog, unsigned filter)
{
    bool looks = filter == 0;
    while (filter != 0 && !looks) {
        const struct filter *const at = &catalog->filters[filter - 1];
        looks = at->place == PLACE_OWN || at->place == PLACE_HAND;
        filter = at->or_else;
    }
    return looks;
}

// What always counts stands in sums that all see. How many cards somebody holds all see, too.
static void refuse_unseen(struct reading *reading, const json_t *cards, const struct amount *amount)
{
    const bool all = amount->source == SRC_CARDS && json_object_size(cards) == 1 &&
                     json_object_get(cards, "place") != NULL;
    if (reading->when == WHEN_STATIC && !all &&
        filter_looks_into_hand(reading->catalog, amount->arg)) {
        reading_fail(reading, "cards", "expected a \"place\" that all see, such as \"table\"");
    }
}

// What the source counts, if it has to be told.
static void read_amount_arg(struct reading *reading, const json_t *value, struct amount *out)
{
    uint8_t trait = 0;
    const json_t *cards = json_object_get(value, "cards");
    bool has_trait = reading_trait(reading, value, "trait", &trait);
    if (out->source == SRC_TRAIT) {
        out->arg = trait;
        if (!has_trait && json_object_get(value, "trait") == NULL) {
            reading_fail(reading, "trait", "expected the name of a trait, found nothing");
        }
    } else if (json_object_get(value, "trait") != NULL) {
        reading_fail(reading, "trait", "expected nothing: only \"per\": \"trait\" has it");
    }
    bool wants = out->source == SRC_CARDS || out->source == SRC_ONES || out->source == SRC_BONUSES;
    if (cards != NULL && !wants && out->source != SRC_BONUS) {
        reading_fail(reading, "cards",
                     "expected nothing: only \"per\": \"cards\", \"ones\" and \"bonus\" have it");
    } else if (cards != NULL) {
        out->arg = filter_read(reading, "cards", cards);
        refuse_unseen(reading, cards, out);
    } else if (wants) {
        reading_fail(reading, "cards", "expected an object that says which cards, found nothing");
    }
}

void amount_read(struct reading *reading, const char *key, const json_t *value, struct amount *out)
{
    *out = (struct amount){0};
    if (json_is_integer(value) && json_integer_value(value) >= -NUMBER_MAX &&
        json_integer_value(value) <= NUMBER_MAX) {
        out->base = (int16_t)json_integer_value(value);
        return;
    }
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "a whole number from -9999 to 9999, or an object with \"per\"",
                      value);
        return;
    }
    size_t mark = reading_enter(reading, key, 0);
    reading_keys(reading, value, AMOUNT_KEYS);
    unsigned word = 0;
    if (reading_word(reading, value, "per", WORDS_SOURCE, &word)) {
        out->source = (uint8_t)word;
        read_amount_arg(reading, value, out);
    } else if (json_object_get(value, "per") == NULL) {
        reading_fail(reading, "per", "expected a source word, found nothing");
    }
    if (reading_word(reading, value, "who", WORDS_SELECTOR, &word)) {
        out->who = (uint8_t)word;
    }
    int number = 1;
    reading_int(reading, value, "times", -NUMBER_MAX, NUMBER_MAX, &number);
    out->k = (int16_t)number;
    number = 0;
    reading_int(reading, value, "plus", -NUMBER_MAX, NUMBER_MAX, &number);
    out->base = (int16_t)number;
    reading_bool(reading, value, "half", &out->half);
    reading_bool(reading, value, "drawback", &out->drawback);
    if (out->drawback && out->source != SRC_TRAIT) {
        reading_fail(reading, "drawback", "expected nothing: only \"per\": \"trait\" has it");
    }
    number = 0;
    reading_int(reading, value, "cap", 1, NUMBER_MAX, &number);
    out->cap = (int16_t)number;
    reading_leave(reading, mark);
}

static void read_cost_cards(struct reading *reading, const json_t *value, struct cost *cost)
{
    const json_t *cards = json_object_get(value, "cards");
    if (cards == NULL) {
        return;
    }
    const json_t *low = json_is_array(cards) ? json_array_get(cards, 0) : cards;
    const json_t *high = json_is_array(cards) ? json_array_get(cards, 1) : cards;
    if ((json_is_array(cards) && json_array_size(cards) != 2) || !json_is_integer(low) ||
        !json_is_integer(high) || json_integer_value(low) < 0 ||
        json_integer_value(high) < json_integer_value(low) || json_integer_value(high) < 1 ||
        json_integer_value(high) > VALUE_COUNT_MAX) {
        reading_wrong(reading, "cards", "a number from 1 to 99, or [least, most]", cards);
        return;
    }
    cost->min = (uint8_t)json_integer_value(low);
    cost->max = (uint8_t)json_integer_value(high);
}

uint16_t cost_read(struct reading *reading, const char *key, const json_t *value)
{
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "an object that says what is paid", value);
        return 0;
    }
    if (reading->catalog->n.costs == CATALOG_COSTS) {
        reading_fail(reading, key, "the sets hold more costs than fit");
        return 0;
    }
    size_t mark = reading_enter(reading, key, 0);
    struct cost cost = {0};
    reading_keys(reading, value, COST_KEYS);
    read_cost_cards(reading, value, &cost);
    reading_bool(reading, value, "whole_hand", &cost.whole_hand);
    reading_bool(reading, value, "self", &cost.self);
    if (!cost.whole_hand && cost.max > MB_LIST_MAX) {
        reading_misfit(reading, "cards", "expected at most %d cards to be named (MB_LIST_MAX)",
                       MB_LIST_MAX);
    }
    int levels = 0;
    reading_int(reading, value, "levels", 1, 9, &levels);
    cost.levels = (int16_t)levels;
    const json_t *which = json_object_get(value, "which");
    if (which != NULL) {
        cost.filter = filter_read(reading, "which", which);
    }
    if (json_object_get(value, "cards") == NULL && !cost.whole_hand && !cost.self && levels == 0) {
        reading_fail(reading, NULL,
                     "expected what is paid: cards, whole_hand, self or levels, found none");
    }
    reading_leave(reading, mark);
    reading->catalog->costs[reading->catalog->n.costs++] = cost;
    return reading->catalog->n.costs;
}

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

static void read_requirement_value(struct reading *reading, const json_t *value, const char *key,
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
static const char *requirement_key(struct reading *reading, const json_t *value, unsigned *kind)
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
    const char *key = json_is_object(value) ? requirement_key(reading, value, &kind) : NULL;
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
    read_requirement_value(reading, value, key, out);
    out->drawback = is_drawback(reading, out);
    reading_bool(reading, value, "drawback", &out->drawback);
    return true;
}

static void append_requirement(struct reading *reading, const struct requirement *req,
                               uint8_t *count)
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
        append_requirement(reading, &req, count);
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
    append_requirement(reading, &any, count);
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
