#include "core/codec/describe.h"

#include <stdio.h>
#include <string.h>

#include "core/codec/prose.h"

static void add_tags(struct prose *prose)
{
    for (unsigned tag = 0; tag < MB_TAGS_MAX; tag++) {
        if ((prose->def->tags >> tag & 1u) != 0) {
            const char *name = phrase_tag(prose->catalog, tag);
            prose_add(prose, ", %s", name);
        }
    }
}

static void add_gold(struct prose *prose)
{
    if ((prose->def->flags & DEF_VALUE) != 0 && prose->def->gold > 0) {
        prose_add(prose, ", %d Gold Pieces", prose->def->gold);
    } else if ((prose->def->flags & DEF_VALUE) != 0) {
        prose_add(prose, ", No Value");
    }
}

static void add_figures(struct prose *prose)
{
    static const char *const SLOTS[SLOT_TOTAL] = {
        [SLOT_NONE] = "No slot",      [SLOT_HEADGEAR] = "Headgear", [SLOT_ARMOR] = "Armor",
        [SLOT_FOOTGEAR] = "Footgear", [SLOT_HAND] = "1 Hand",       [SLOT_TWO_HANDS] = "2 Hands",
    };
    const struct card_def *def = prose->def;
    if (def->kind == KIND_MONSTER) {
        prose_add(prose, "Level %u, %u %s", def->level, def->treasures,
                  def->treasures == 1 ? "Treasure" : "Treasures");
        if (def->levels != 1) {
            prose_add(prose, ", %u Levels", def->levels);
        }
    } else if (def->kind == KIND_ITEM) {
        prose_add(prose, "%s", SLOTS[def->slot]);
    } else if (def->kind == KIND_POWER) {
        prose_add(prose, "Power of Rank %u", def->rank);
    } else if (def->kind == KIND_FOLLOWER) {
        const char *sort = catalog_sort(prose->catalog, (unsigned)(def - prose->catalog->defs));
        prose_add(prose, "%c%s", sort[0] - 'a' + 'A', sort + 1);
    } else {
        const char *kind = phrase_kind(def->kind, false);
        bool big = kind[0] >= 'a' && kind[0] <= 'z';
        prose_add(prose, "%c%s", big ? kind[0] - 'a' + 'A' : kind[0], kind + 1);
    }
    if ((def->flags & DEF_BIG) != 0) {
        prose_add(prose, ", Big");
    }
    add_gold(prose);
    add_tags(prose);
    prose_add(prose, ".");
}

static void add_flags(struct prose *prose)
{
    static const struct {
        unsigned flag;
        const char *text;
    } FLAGS[] = {{DEF_STAYS, " Stays in play."},
                 {DEF_HUMAN, " Human."},
                 {DEF_ON_SELF, " Only on yourself."},
                 {DEF_KEPT, " Kept on death."},
                 {DEF_EXTRA_ARMOR, " It counts as Armor and Headgear."}};
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        if ((prose->def->flags & FLAGS[i].flag) != 0) {
            prose_add(prose, "%s", FLAGS[i].text);
        }
    }
    prose_needs(prose);
}

// What every card of its kind is subject to and players want to read.
static void add_last(struct prose *prose)
{
    if (prose->def->kind == KIND_ORIGIN) {
        prose_add(prose, " Lost on death.");
    }
    if ((prose->def->flags & DEF_SACRIFICE) != 0) {
        prose_it(prose, " Discard %m after losing a fight to escape from all monsters.");
    }
}

// "the die shows 2 to 4", where two requirements say it; how many it took.
static unsigned add_condition(struct prose *prose, const struct row *row, unsigned at)
{
    struct requirement req = prose->catalog->reqs[row->first_req + at];
    const struct requirement *const next =
        at + 1 < row->req_count ? &prose->catalog->reqs[row->first_req + at + 1] : &req;
    if (req.kind == REQ_ROLLED_MIN && next->kind == REQ_ROLLED_MAX && !req.absent &&
        !next->absent && prose_revealing(prose) == NULL) {
        prose_add(prose, req.n == next->n ? "the die shows %d" : "the die shows %d to %d", req.n,
                  next->n);
        return 2;
    }
    req.absent = req.absent != (row->op == EFFECT_FOLLOW);
    prose_requirement(prose, &req);
    return 1;
}

// `word` and what the row asks for; false: that has been said elsewhere, or is nothing.
static bool add_conditions(struct prose *prose, const struct row *row, const char *word)
{
    bool said = false;
    if (prose->qualified || row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH ||
        (row->op == EFFECT_NO_PURSUE && kind_is_foe(prose->def->kind))) {
        return false; // said with the subject
    }
    unsigned others = 0; // of any_of
    for (unsigned i = 0; i < row->req_count;) {
        const struct requirement *const req = &prose->catalog->reqs[row->first_req + i];
        if (req->kind == REQ_ANY_OF) {
            prose_add(prose, "%s%s", word, req->absent ? "neither " : "");
            word = "";
            others = (unsigned)req->n;
            i++;
        } else if (others > 0 || !prose_said(prose, row, req)) {
            prose_add(prose, "%s", word);
            i += add_condition(prose, row, i);
            others -= others > 0;
            word = others > 0 ? " or " : " and ";
            said = true;
        } else {
            i++;
        }
    }
    return said;
}

// "if you wear none": why the row before found nothing to do.
static const char *otherwise_text(const struct prose *prose, const struct row *before)
{
    const struct filter *filter =
        before->filter != 0 ? &prose->catalog->filters[before->filter - 1] : NULL;
    if (before->op != EFFECT_LOSE || filter == NULL) {
        return "otherwise, ";
    }
    if (filter->place == PLACE_EQUIPPED && filter->slot != 0) {
        return filter->slot - 1u == SLOT_HAND || filter->slot - 1u == SLOT_TWO_HANDS
                   ? "if you hold none, "
                   : "if you wear none, ";
    }
    switch (filter->kinds) {
    case 1u << KIND_CLASS:
        return "without a Class, ";
    case 1u << KIND_RACE:
        return "without a Race, ";
    case 1u << KIND_CLASS | 1u << KIND_RACE:
        return "without either, ";
    default:
        return "without one, ";
    }
}

// Whether the card lies before a player for one fight.
static bool for_one_fight(const struct prose *prose)
{
    const struct row *rows = prose->catalog->rows + prose->def->first_row;
    bool ends = false;
    for (unsigned i = 0; i < prose->def->row_count; i++) {
        ends = ends || (rows[i].op == EFFECT_DISCARD_SELF && rows[i].when == WHEN_FIGHT_END);
    }
    return ends && (prose->def->flags & DEF_STAYS) != 0;
}

// Whether the row goes on in the sentence of the one before it.
static bool continues_sentence(const struct prose *prose, const struct row *row,
                               const struct row *before)
{
    if (before != NULL && before->when == WHEN_STATIC && row->when == WHEN_STATIC) {
        return for_one_fight(prose);
    }
    return before != NULL && before->when == row->when && before->ability == row->ability &&
           row->cost == 0 && row->limit == SCOPE_NONE && row->when != WHEN_STATIC;
}

static void add_between(struct prose *prose, const struct row *row, const struct row *before)
{
    const bool choice = before->op == EFFECT_CHOICE || before->op == EFFECT_DISCARD_OR;
    const bool offer = (before->flags & ROW_MAY) != 0 && before->when == WHEN_BEFORE;
    if (choice || (row->flags & ROW_ELSE) != 0) {
        prose_add(prose, "; %s", otherwise_text(prose, before));
    } else if ((row->flags & ROW_THEN) != 0) {
        prose_add(prose, offer ? ": " : "; then ");
    } else {
        prose_add(prose, "; ");
    }
}

// How long a card lies there, as its last row says: "until a Curse or Bad Stuff costs you
// Headgear".
static void add_until(struct prose *prose, const struct row *row)
{
    const struct row *rows = prose->catalog->rows + prose->def->first_row;
    for (unsigned i = 0; i < prose->def->row_count; i++) {
        if (rows[i].op != EFFECT_DISCARD_SELF || row->when != WHEN_STATIC) {
            continue;
        }
        if (rows[i].when == WHEN_CARD_LOST) {
            prose_add(prose, ", until a Curse or Bad Stuff costs you ");
            prose_filter(prose, rows[i].filter, true, "");
        }
    }
}

static bool bars_items(const struct row *row)
{
    return row->op == EFFECT_BARS && row->a == BAR_ITEMS && row->filter != 0;
}

// The one slot of which Items still count, where rows bar all the others; SLOT_TOTAL otherwise.
static unsigned only_slot(const struct prose *prose)
{
    const struct row *rows = prose->catalog->rows + prose->def->first_row;
    unsigned left = 1u << SLOT_NONE | 1u << SLOT_HEADGEAR | 1u << SLOT_ARMOR | 1u << SLOT_FOOTGEAR |
                    1u << SLOT_HAND;
    for (unsigned i = 0; i < prose->def->row_count; i++) {
        const struct filter *filter =
            bars_items(&rows[i]) ? &prose->catalog->filters[rows[i].filter - 1] : NULL;
        if (filter != NULL && filter->slot != 0) {
            left &= ~(1u << (filter->slot - 1u));
        }
    }
    for (unsigned slot = 0; slot < SLOT_TOTAL; slot++) {
        if (left == 1u << slot) {
            return slot;
        }
    }
    return SLOT_TOTAL;
}

// A Secret Identity that is used by its name is told there.
static bool names_ability(const struct prose *prose, const struct row *row)
{
    bool used = false;
    for (unsigned i = 0; i < prose->def->row_count; i++) {
        used = used || prose->catalog->rows[prose->def->first_row + i].op == EFFECT_IDENTITY;
    }
    return used && row->op == EFFECT_META && row->a == 3;
}

// Said at another place: by add_until(), with the first of the rows that bar slot after slot, or
// because whatever acts when drawn is discarded.
static bool said_elsewhere(const struct prose *prose, const struct row *row)
{
    if (bars_items(row) && only_slot(prose) != SLOT_TOTAL) {
        return row != prose->catalog->rows + prose->def->first_row && bars_items(row - 1);
    }
    const bool lies = (prose->def->flags & DEF_STAYS) != 0;
    const bool theft = row->op == EFFECT_META && row->a == 1 && prose->def->kind == KIND_CLASS;
    return theft || names_ability(prose, row) ||
           (row->op == EFFECT_DISCARD_SELF &&
            (row->when == WHEN_DRAWN ||
             (lies && (row->when == WHEN_CARD_LOST || row->when == WHEN_FIGHT_END))));
}

// What the row does, as long as it holds.
static void add_deed(struct prose *prose, const struct row *row)
{
    static const char *const SIDES[] = {"", " to the players' side only",
                                        " to the monsters' side only", " to either side"};
    if (bars_items(row) && only_slot(prose) != SLOT_TOTAL) {
        prose_add(prose, "of your permanent Items, only %s counts",
                  phrase_slot(only_slot(prose), false));
    } else {
        prose_row(prose, row);
    }
    if (row->op == EFFECT_BONUS && prose->def->kind == KIND_ONESHOT && row->when == WHEN_STATIC) {
        prose_add(prose, "%s", SIDES[prose->def->sides & 3u]);
    }
    if ((row->flags & ROW_FIXED) != 0) {
        prose_it(prose, ", counted when %i %v{enters|enter}");
    }
    add_until(prose, row);
}

// A condition follows what the row does, but precedes what has several parts: all hang on it.
static void add_deed_if(struct prose *prose, const struct row *row)
{
    char deed[DESCRIBE_SIZE];
    struct prose part = *prose;
    part.out = deed;
    part.size = sizeof deed;
    part.length = 0;
    deed[0] = '\0';
    add_deed(&part, row);
    const bool unless = row->op == EFFECT_OPTIONAL_FIGHT || row->op == EFFECT_FOLLOW;
    const bool parts = strpbrk(deed, ",;") != NULL && row->op != EFFECT_LEAVES_FOR && !unless &&
                       (row->flags & ROW_FIXED) == 0 &&
                       !(row->when == WHEN_BEFORE && (row->flags & ROW_MAY) != 0);
    prose->qualified = part.qualified;
    if (parts && add_conditions(prose, row, "if ")) {
        prose_add(prose, ", ");
    }
    prose_add(prose, "%s", deed);
    prose->named = part.named;
    if (!parts) {
        (void)add_conditions(prose, row, unless ? ", unless " : " if ");
    }
    prose->qualified = false;
}

// A one-shot counts in the fight, or is played for its effect: never both.
static bool is_other_use(const struct prose *prose, const struct row *row)
{
    return prose->def->kind == KIND_ONESHOT && row->when == WHEN_PLAY &&
           row[-1].when == WHEN_STATIC;
}

static void add_row(struct prose *prose, const struct row *row, const struct row *before)
{
    const bool timed = row->when == WHEN_STATIC || row->when == WHEN_PLAY ||
                       row->when == WHEN_STRIKE || row->when == WHEN_BEFORE_ROLL;
    const bool anybody = row->when == WHEN_ABILITY && row->whose == WHOSE_ANYONE;
    const bool own = row->target == ON_FOLLOWER || row->who == WHO_SELF || row->op == EFFECT_TAKE ||
                     row->op == EFFECT_GIVE;
    prose->own = own && !anybody ? "your" : "their";
    if (continues_sentence(prose, row, before)) {
        add_between(prose, row, before);
    } else {
        prose->named = false;
        prose_add(prose, before == NULL ? " " : is_other_use(prose, row) ? ". or " : ". ");
        if (timed && !prose->timed) {
            prose_timing(prose);
            prose->timed = true;
        }
        if (row->when == WHEN_STATIC && for_one_fight(prose)) {
            prose_add(prose, "in your next fight (in the present one if you are in one): ");
        }
        prose_heading(prose, row);
    }
    if ((row->flags & ROW_MAY) != 0 && row->when != WHEN_BEFORE && row->cost == 0) {
        prose_add(prose, "if you like, ");
    }
    add_deed_if(prose, row);
    // Rules: Go Up a Level, never for the winning Level (GUAL-1).
    const bool gains =
        (row->op == EFFECT_LEVEL && row->n.base > 0) || row->op == EFFECT_LEVEL_STEAL;
    if (gains && row->when == WHEN_PLAY && (row->flags & ROW_KILL) == 0) {
        prose_add(prose, ", but not the winning Level");
    }
}

// Every sentence begins with a capital.
static void capitalize(char *text)
{
    bool first = true;
    for (; *text != '\0'; text++) {
        if (first && *text >= 'a' && *text <= 'z') {
            *text = (char)(*text - 'a' + 'A');
        }
        first = *text == '.' || (first && *text == ' ');
    }
}

static void add_text(struct prose *prose)
{
    add_flags(prose);
    const struct row *rows = prose->catalog->rows + prose->def->first_row;
    const struct row *before = NULL;
    for (unsigned i = 0; i < prose->def->row_count; i++) {
        if (!said_elsewhere(prose, &rows[i])) {
            add_row(prose, &rows[i], before);
            before = &rows[i];
        }
    }
    prose_add(prose, before != NULL ? "." : "");
    add_last(prose);
}

static size_t describe(const struct catalog *catalog, unsigned def, bool figures, char *out,
                       size_t size)
{
    if (size == 0) {
        return 0;
    }
    out[0] = '\0';
    struct prose prose = {.catalog = catalog,
                          .def = catalog_def(catalog, def),
                          .out = out,
                          .size = size,
                          .own = "your"};
    if (prose.def == NULL) {
        return 0;
    }
    if (figures) {
        add_figures(&prose);
    }
    add_text(&prose);
    const size_t skip = out[0] == ' ';
    memmove(out, out + skip, prose.length + 1 - skip);
    const struct catalog_set *const set = catalog_set(catalog, prose.def->set);
    const size_t length =
        prose_own_words(out, size, set != NULL ? set->edition : (unsigned)EDITION_TOTAL);
    capitalize(out);
    return length;
}

size_t describe_card(const struct catalog *catalog, unsigned def, char *out, size_t size)
{
    return describe(catalog, def, true, out, size);
}

size_t describe_text(const struct catalog *catalog, unsigned def, char *out, size_t size)
{
    return describe(catalog, def, false, out, size);
}
