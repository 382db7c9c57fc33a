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

static void append(struct reading *reading, const struct row *row)
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
    append(reading, &row);
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
        append(reading, &row);
    }
}
