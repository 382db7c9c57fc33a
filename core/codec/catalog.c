#include "core/codec/catalog.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/catalog_impl.h"
#include "core/codec/memory.h"
#include "core/codec/normal.h"
#include "core/codec/suggest.h"
#include "core/codec/utf8.h"
#include "core/words/words.h"

void mb_arena_init(struct mb_arena *arena, void *base, size_t size)
{
    assert(base != NULL || size == 0);
    *arena = (struct mb_arena){.base = base, .size = size};
}

void *mb_arena_alloc(struct mb_arena *arena, size_t size, size_t align)
{
    assert(align != 0 && (align & (align - 1)) == 0);
    assert(arena->used <= arena->size);
    if (arena->base == NULL) {
        return NULL;
    }
    // The address counts, not the offset: the caller's block may start anywhere.
    const uintptr_t next = (uintptr_t)(arena->base + arena->used);
    const size_t padding = (size_t)(-next & (uintptr_t)(align - 1));
    const size_t room = arena->size - arena->used;
    if (padding > room || size > room - padding) {
        return NULL;
    }
    unsigned char *memory = arena->base + arena->used + padding;
    arena->used += padding + size;
    memset(memory, 0, size);
    return memory;
}

char *mb_arena_strdup(struct mb_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *copy = mb_arena_alloc(arena, length + 1, 1);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

enum { FOLDED_SIZE = 4 * CATALOG_NAME_MAX + 1 };

// The block is far larger than all tables together: see CATALOG_BYTES.
static void *new_table(struct mb_arena *arena, size_t count, size_t size)
{
    void *block = mb_arena_alloc(arena, count * size, _Alignof(max_align_t));
    assert(block != NULL);
    return block;
}

struct catalog *catalog_create(void)
{
    void *block = mb_new(1, CATALOG_BYTES);
    struct mb_arena arena;
    mb_arena_init(&arena, block, CATALOG_BYTES);
    // The first thing in the block, so that freeing it frees all.
    struct catalog *catalog = new_table(&arena, 1, sizeof *catalog);
    catalog->defs = new_table(&arena, CATALOG_DEFS, sizeof *catalog->defs);
    catalog->infos = new_table(&arena, CATALOG_DEFS, sizeof *catalog->infos);
    catalog->rows = new_table(&arena, CATALOG_ROWS, sizeof *catalog->rows);
    catalog->reqs = new_table(&arena, CATALOG_REQS, sizeof *catalog->reqs);
    catalog->filters = new_table(&arena, CATALOG_FILTERS, sizeof *catalog->filters);
    catalog->costs = new_table(&arena, CATALOG_COSTS, sizeof *catalog->costs);
    catalog->names = new_table(&arena, CATALOG_NAMES, sizeof *catalog->names);
    catalog->tags[TAG_UNDEAD] = "undead";
    catalog->tags[TAG_GOBLIN] = "goblin";
    catalog->tags[TAG_FIRE] = "fire";
    catalog->n.tags = TAG_KNOWN;
    catalog->arena = arena;
    return catalog;
}

void catalog_destroy(struct catalog *catalog)
{
    free(catalog);
}

static bool is_plain(char c)
{
    unsigned char u = (unsigned char)c;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || u >= 0x80;
}

static bool starts_with(const char *text, const char *prefix)
{
    for (; *prefix != '\0'; prefix++, text++) {
        if (suggest_small(*text) != *prefix) {
            return false;
        }
    }
    return true;
}

static const char *skip_punctuation(const char *text)
{
    const char *start = text;
    while (*start != '\0' && !is_plain(*start)) {
        start++;
    }
    return *start != '\0' ? start : text; // a name of nothing else keeps it
}

size_t catalog_fold(const char *text, char *out, size_t size)
{
    const char *from = skip_punctuation(text);
    if (starts_with(from, "curse!") || starts_with(from, "trap!")) {
        const char *rest = skip_punctuation(from + (suggest_small(*from) == 'c' ? 6 : 5));
        from = *rest != '\0' ? rest : from;
    }
    size_t length = 0;
    for (; *from != '\0' && length + 1 < size; from++) {
        if (*from != ' ') {
            out[length++] = suggest_small(*from);
        } else if (length > 0 && out[length - 1] != ' ') {
            out[length++] = ' ';
        }
    }
    while (length > 0 && out[length - 1] == ' ') {
        length--;
    }
    if (size > 0) {
        out[length] = '\0';
    }
    return length;
}

// Finds a folded name in a table; `count` if there is none.
static unsigned find_name(const struct name_entry *list, unsigned count, const char *text)
{
    char folded[FOLDED_SIZE];
    catalog_fold(text, folded, sizeof folded);
    unsigned i = 0;
    while (i < count && strcmp(list[i].folded, folded) != 0) {
        i++;
    }
    return i;
}

static bool fill_name(struct catalog *catalog, struct name_entry *entry, const char *text)
{
    char folded[FOLDED_SIZE];
    size_t length = catalog_fold(text, folded, sizeof folded);
    entry->text = mb_arena_strdup(&catalog->arena, text, strlen(text));
    entry->folded = mb_arena_strdup(&catalog->arena, folded, length);
    return entry->text != NULL && entry->folded != NULL;
}

static bool fill_card(struct catalog *catalog, struct name_entry *entry, const char *text)
{
    char normal[NORMAL_MAX];
    const size_t length = normal_form(text, strlen(text), normal, sizeof normal);
    entry->normal = mb_arena_strdup(&catalog->arena, normal, length);
    return entry->normal != NULL && fill_name(catalog, entry, text);
}

uint16_t catalog_enter_name(struct catalog *catalog, const char *text)
{
    unsigned at = find_name(catalog->names, catalog->n.names, text);
    if (at == catalog->n.names) {
        if (at == CATALOG_NAMES || !fill_card(catalog, &catalog->names[at], text)) {
            return NO_NAME;
        }
        catalog->n.names++;
    }
    return (uint16_t)at;
}

uint8_t catalog_enter_trait(struct catalog *catalog, const char *text, unsigned kind)
{
    unsigned at = find_name(catalog->traits, catalog->n.traits, text);
    if (at == catalog->n.traits) {
        if (at == MB_TRAITS_MAX || !fill_name(catalog, &catalog->traits[at], text)) {
            return NO_TRAIT;
        }
        catalog->trait_kinds[at] = (uint8_t)kind;
        catalog->n.traits++;
    }
    return (uint8_t)at;
}

uint8_t catalog_enter_tag(struct catalog *catalog, const char *text)
{
    uint8_t at = catalog_find_tag(catalog, text);
    if (at == NO_TAG && catalog->n.tags < MB_TAGS_MAX) {
        const char *copy = mb_arena_strdup(&catalog->arena, text, strlen(text));
        if (copy != NULL) {
            at = catalog->n.tags++;
            catalog->tags[at] = copy;
        }
    }
    return at;
}

uint8_t catalog_enter_ability(struct catalog *catalog, const char *text)
{
    unsigned at = find_name(catalog->abilities, catalog->n.abilities, text);
    if (at == catalog->n.abilities) {
        if (at == CATALOG_ABILITIES || !fill_name(catalog, &catalog->abilities[at], text)) {
            return NO_ABILITY;
        }
        catalog->n.abilities++;
    }
    return (uint8_t)at;
}

void catalog_rewind(struct catalog *catalog, uint8_t set)
{
    if (set < catalog->n.sets) {
        catalog->n = catalog->before[set];
        catalog->arena.used = catalog->n.arena_used;
    }
}

size_t catalog_set_count(const struct catalog *catalog)
{
    return catalog->n.sets;
}

const struct catalog_set *catalog_set(const struct catalog *catalog, unsigned set)
{
    return set < catalog->n.sets ? &catalog->sets[set] : NULL;
}

uint8_t catalog_find_set(const struct catalog *catalog, const char *id)
{
    for (unsigned i = 0; i < catalog->n.sets; i++) {
        if (strlen(id) == strlen(catalog->sets[i].id) && starts_with(id, catalog->sets[i].id)) {
            return (uint8_t)i;
        }
    }
    return NO_SET;
}

size_t catalog_def_count(const struct catalog *catalog)
{
    return catalog->n.defs;
}

const struct card_def *catalog_def(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? &catalog->defs[def] : NULL;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

const char *catalog_name(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? or_empty(catalog->infos[def].name) : "";
}

const char *catalog_text(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? or_empty(catalog->infos[def].text) : "";
}

const char *catalog_joke(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? or_empty(catalog->infos[def].joke) : "";
}

bool catalog_plural(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs && catalog->infos[def].plural;
}

enum pronoun catalog_pronoun(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? (enum pronoun)catalog->infos[def].pronoun : PRONOUN_IT;
}

unsigned catalog_copies(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? catalog->infos[def].copies : 0;
}

const char *catalog_sort(const struct catalog *catalog, unsigned def)
{
    if (def >= catalog->n.defs || catalog->infos[def].sort == 0) {
        return "";
    }
    return word_name(WORDS_SORT, catalog->infos[def].sort - 1u);
}

const char *catalog_mechanic(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? or_empty(catalog->infos[def].mechanic) : "";
}

const char *catalog_status(const struct catalog *catalog, unsigned def)
{
    return def < catalog->n.defs ? or_empty(catalog->infos[def].status) : "";
}

size_t catalog_name_count(const struct catalog *catalog)
{
    return catalog->n.names;
}

const char *catalog_name_text(const struct catalog *catalog, unsigned name)
{
    return name < catalog->n.names ? catalog->names[name].text : "";
}

const char *catalog_normal(const struct catalog *catalog, unsigned name)
{
    return name < catalog->n.names ? catalog->names[name].normal : "";
}

const uint8_t *catalog_initials(const struct catalog *catalog)
{
    return catalog->initials;
}

uint16_t catalog_find_name(const struct catalog *catalog, const char *text)
{
    unsigned at = find_name(catalog->names, catalog->n.names, text);
    return at < catalog->n.names ? (uint16_t)at : (uint16_t)NO_NAME;
}

uint16_t catalog_find_def(const struct catalog *catalog, const char *text, unsigned set)
{
    uint16_t name = catalog_find_name(catalog, text);
    for (unsigned i = 0; name != NO_NAME && i < catalog->n.defs; i++) {
        if (catalog->defs[i].name == name && (set == NO_SET || catalog->defs[i].set == set)) {
            return (uint16_t)i;
        }
    }
    return NO_DEF;
}

const char *catalog_trait_name(const struct catalog *catalog, unsigned trait)
{
    return trait < catalog->n.traits ? catalog->traits[trait].text : "";
}

uint8_t catalog_find_trait(const struct catalog *catalog, const char *text)
{
    unsigned at = find_name(catalog->traits, catalog->n.traits, text);
    return at < catalog->n.traits ? (uint8_t)at : (uint8_t)NO_TRAIT;
}

const char *catalog_tag_name(const struct catalog *catalog, unsigned tag)
{
    return tag < catalog->n.tags ? catalog->tags[tag] : "";
}

uint8_t catalog_find_tag(const struct catalog *catalog, const char *text)
{
    for (unsigned i = 0; i < catalog->n.tags; i++) {
        if (strlen(text) == strlen(catalog->tags[i]) && starts_with(text, catalog->tags[i])) {
            return (uint8_t)i;
        }
    }
    return NO_TAG;
}

size_t catalog_ability_count(const struct catalog *catalog)
{
    return catalog->n.abilities;
}

const char *catalog_ability_name(const struct catalog *catalog, unsigned ability)
{
    return ability < catalog->n.abilities ? catalog->abilities[ability].text : "";
}

uint8_t catalog_find_ability(const struct catalog *catalog, const char *text)
{
    unsigned at = find_name(catalog->abilities, catalog->n.abilities, text);
    return at < catalog->n.abilities ? (uint8_t)at : (uint8_t)NO_ABILITY;
}

const struct row *catalog_rows(const struct catalog *catalog)
{
    return catalog->rows;
}

const struct requirement *catalog_reqs(const struct catalog *catalog)
{
    return catalog->reqs;
}

const struct filter *catalog_filters(const struct catalog *catalog)
{
    return catalog->filters;
}

const struct cost *catalog_costs(const struct catalog *catalog)
{
    return catalog->costs;
}

bool catalog_fits(const struct catalog *catalog, unsigned set, struct mb_error *err)
{
    const struct catalog_set *of = catalog_set(catalog, set);
    if (of != NULL && of->errors > 0) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the set %s has %u errors: munchbot cards check tells which", of->id,
                       (unsigned)of->errors);
    }
    return of != NULL;
}

// Which sets go in, as bits; 0 and an error if that is no game.
static uint32_t check_sets(const struct catalog *catalog, const uint8_t *sets, size_t set_count,
                           struct mb_error *err)
{
    uint32_t wanted = 0;
    for (size_t i = 0; i < set_count; i++) {
        const struct catalog_set *set = catalog_set(catalog, sets[i]);
        if (set == NULL) {
            mb_fail(err, MB_ERR_INPUT, "there is no set number %u", sets[i]);
            return 0;
        }
        if (set->errors > set->misfits) {
            (void)catalog_fits(catalog, sets[i], err);
            return 0;
        }
        if (set->vocabulary) {
            mb_fail(err, MB_ERR_INPUT, "the set %s cannot be played", set->id);
            return 0;
        }
        wanted |= 1u << sets[i];
    }
    if (wanted == 0) {
        mb_fail(err, MB_ERR_INPUT, "no card set is named");
    }
    return wanted;
}

static bool make_profile(const struct catalog *catalog, uint32_t wanted, enum edition house,
                         struct box *out, struct mb_error *err)
{
    unsigned editions = 0;
    for (unsigned i = 0; i < catalog->n.sets; i++) {
        if ((wanted >> i & 1u) != 0 && catalog->sets[i].edition < EDITION_TOTAL) {
            editions |= 1u << catalog->sets[i].edition;
        }
    }
    if (house >= EDITION_TOTAL || (editions >> house & 1u) == 0) {
        return mb_fail(err, MB_ERR_INPUT, "the house %s is the edition of none of the sets",
                       edition_name(house));
    }
    profile_make(&out->profile, editions, house);
    return true;
}

// Notes which moments the cards of the game can act at, and what they say.
static void note_triggers(struct box *out, const struct card_def *def)
{
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &out->rows[def->first_row + i];
        const bool foe = kind_is_foe(def->kind);
        out->triggers_used |= 1u << row->when;
        out->triggers_of_others |= row->whose != WHOSE_SELF ? 1u << row->when : 0u;
        out->static_ops[row->op / 64] |= row->when == WHEN_STATIC ? row_op_bit(row->op) : 0;
        if (def->kind == KIND_ENHANCER && row->when == WHEN_STATIC && row->op < 64) {
            out->enhancer_ops |= (uint64_t)1 << row->op;
        }
        out->bonuses_out |=
            (row->op == EFFECT_EXCLUDE && row->a == EX_BONUSES) ||
            (row->op == EFFECT_LASTING && row->a == EFFECT_EXCLUDE && row->b == EX_BONUSES);
        out->foes_touch_fighters |= foe && row->op == EFFECT_BONUS && row->who == WHO_FIGHTERS;
    }
}

static void note_answering(struct box *out, uint16_t card)
{
    const struct card_def *const def = box_def(out, card);
    const struct row *const rows = box_rows(out, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (when_answers(rows[i].when)) {
            out->answering[out->answering_count++] = card;
            return;
        }
    }
}

static bool deal_cards(const struct catalog *catalog, uint32_t wanted, struct box *out,
                       struct mb_error *err)
{
    for (unsigned deck = DECK_DOOR; deck <= DECK_TREASURE; deck++) {
        for (unsigned i = 0; i < catalog->n.defs; i++) {
            const struct card_def *def = &catalog->defs[i];
            if (def->deck != deck || (wanted >> def->set & 1u) == 0) {
                continue;
            }
            if (out->card_count + catalog->infos[i].copies > MB_CARDS_MAX) {
                return mb_fail(err, MB_ERR_LIMIT, "the sets hold more than %d cards together",
                               MB_CARDS_MAX);
            }
            note_triggers(out, def);
            for (unsigned copy = 0; copy < catalog->infos[i].copies; copy++) {
                out->card_def[out->card_count++] = (uint16_t)i;
            }
        }
    }
    return true;
}

static uint16_t next_of_name(const struct box *box, uint16_t card)
{
    const uint16_t name = box_def(box, card)->name;
    uint16_t next = card;
    do {
        next = next + 1u < box->card_count ? (uint16_t)(next + 1u) : 0;
    } while (box_def(box, next)->name != name);
    return next;
}

bool catalog_box(const struct catalog *catalog, const uint8_t *sets, size_t set_count,
                 enum edition house, struct box *out, struct mb_error *err)
{
    memset(out, 0, sizeof *out);
    uint32_t wanted = check_sets(catalog, sets, set_count, err);
    if (wanted == 0 || !make_profile(catalog, wanted, house, out, err)) {
        return false;
    }
    out->defs = catalog->defs;
    out->rows = catalog->rows;
    out->reqs = catalog->reqs;
    out->filters = catalog->filters;
    out->costs = catalog->costs;
    out->def_count = catalog->n.defs;
    out->row_count = catalog->n.rows;
    out->req_count = catalog->n.reqs;
    out->filter_count = catalog->n.filters;
    out->cost_count = catalog->n.costs;
    out->trait_count = catalog->n.traits;
    out->tag_count = catalog->n.tags;
    out->ability_count = catalog->n.abilities;
    memcpy(out->trait_kind, catalog->trait_kinds, sizeof out->trait_kind);
    if (!deal_cards(catalog, wanted, out, err)) {
        return false;
    }
    for (uint16_t card = 0; card < out->card_count; card++) {
        out->namesake[card] = next_of_name(out, card);
        note_answering(out, card);
    }
    return true;
}

// A file's own words may stand in a line: nothing of them may break it, half a letter neither.
static void make_printable(char *text)
{
    while (*text != '\0') {
        uint32_t code = 0;
        const unsigned letter = utf8_read(text, UTF8_MOST, &code);
        const unsigned length = letter > 0 ? unseen_bytes(text) : 1;
        memset(text, '?', length);
        text += length > 0 ? length : letter;
    }
}

// Cuts at a whole character and shows that it did.
static void mark_cut(char *text, size_t size)
{
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80u) {
        end--;
    }
    memcpy(text + end, "...", sizeof "...");
}

MB_PRINTF(3, 0)
static void add_issue(struct catalog_issues *issues, bool note, const char *format, va_list values)
{
    if (issues->count == CATALOG_ISSUES_MAX) {
        return;
    }
    struct catalog_issue *issue = &issues->list[issues->count++];
    issue->note = note;
    int length = vsnprintf(issue->text, sizeof issue->text, format, values);
    if (length < 0) {
        issue->text[0] = '\0';
    } else if ((size_t)length >= sizeof issue->text) {
        mark_cut(issue->text, sizeof issue->text);
    }
    make_printable(issue->text);
}

void issues_error(struct catalog_issues *issues, const char *format, ...)
{
    if (issues != NULL) {
        va_list values;
        va_start(values, format);
        issues->errors++;
        add_issue(issues, false, format, values);
        va_end(values);
    }
}

void issues_note(struct catalog_issues *issues, const char *format, ...)
{
    if (issues != NULL) {
        va_list values;
        va_start(values, format);
        issues->notes++;
        add_issue(issues, true, format, values);
        va_end(values);
    }
}
