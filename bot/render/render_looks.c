// What is the same of a card wherever it is shown: its figures, and its text without them. Made
// once for a catalogue, for hands are shown with every command.
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/render/render_impl.h"

enum { FIGURES_MAX = 12, FIGURE_SIZE = 64 };

#define WORD(id, ...) [id] = TEXT_##id,
static const enum text_id SLOTS[SLOT_TOTAL] = {
#include "core/words/slot.def"

};
#undef WORD

const char *render_slot(unsigned slot)
{
    return slot < SLOT_TOTAL ? text_sentence(SLOTS[slot]) : "";
}

struct figures {
    char words[FIGURES_MAX][FIGURE_SIZE];
    const char *items[FIGURES_MAX];
    size_t count;
};

static void add_figure(struct figures *figures, enum text_id id, long n)
{
    if (figures->count < FIGURES_MAX) {
        struct text_out text;
        text_begin(&text, figures->words[figures->count], FIGURE_SIZE);
        text_put(&text, id, TEXT_ARGS(text_num("n", n)));
        figures->items[figures->count] = figures->words[figures->count];
        figures->count++;
    }
}

// The plain bonus of a card, if it has one row of that sort without conditions.
static long plain_bonus(const struct catalog *catalog, const struct card_def *def)
{
    const struct row *const rows = catalog_rows(catalog) + def->first_row;
    for (unsigned i = 0; i < def->row_count; i++) {
        const bool bonus = rows[i].op == EFFECT_BONUS ||
                           (rows[i].op == EFFECT_MONSTER_BONUS && def->kind == KIND_ENHANCER);
        if (bonus && rows[i].when == WHEN_STATIC && rows[i].req_count == 0 &&
            rows[i].n.source == SRC_CONST) {
            return rows[i].n.base;
        }
    }
    return 0;
}

long render_bonus(const struct table_words *words, uint16_t def)
{
    return plain_bonus(words->catalog, catalog_def(words->catalog, def));
}

static void add_monster(const struct card_def *def, struct figures *figures)
{
    add_figure(figures, TEXT_FIGURE_LEVEL, def->level);
    add_figure(figures, TEXT_FIGURE_TREASURES, def->treasures);
    if (def->levels != 1) {
        add_figure(figures, TEXT_FIGURE_KILL_LEVELS, def->levels);
    }
    if ((def->tags & (1u << TAG_UNDEAD)) != 0) {
        add_figure(figures, TEXT_FIGURE_UNDEAD, 0);
    }
    if ((def->tags & (1u << TAG_GOBLIN)) != 0) {
        add_figure(figures, TEXT_FIGURE_GOBLIN, 0);
    }
}

// What a phone's line has room for: strength, and where it is worn.
static void collect_brief(const struct catalog *catalog, const struct card_def *card,
                          struct figures *figures)
{
    const long bonus = plain_bonus(catalog, card);
    figures->count = 0;
    if (card->kind != KIND_ITEM || (bonus == 0 && card->slot == SLOT_NONE)) {
        add_figure(figures, render_kind(catalog, card), 0);
    }
    if (card->kind == KIND_MONSTER) {
        add_figure(figures, TEXT_FIGURE_LEVEL, card->level);
    }
    if (card->kind == KIND_POWER) {
        add_figure(figures, TEXT_FIGURE_RANK, card->rank);
    }
    if (bonus != 0) {
        add_figure(figures, TEXT_FIGURE_BONUS, bonus);
    }
    if (card->slot != SLOT_NONE) {
        add_figure(figures, SLOTS[card->slot], 0);
    }
    if ((card->flags & DEF_BIG) != 0) {
        add_figure(figures, TEXT_FIGURE_BIG, 0);
    }
}

static void collect_figures(const struct catalog *catalog, const struct card_def *card,
                            struct figures *figures)
{
    figures->count = 0;
    add_figure(figures, render_kind(catalog, card), 0);
    if (card->kind == KIND_MONSTER) {
        add_monster(card, figures);
    }
    if (card->kind == KIND_POWER) {
        add_figure(figures, TEXT_FIGURE_RANK, card->rank);
    }
    // What a Monster gives to those who fight it or win it over is no figure of its own.
    const long bonus = card->kind != KIND_MONSTER ? plain_bonus(catalog, card) : 0;
    if (bonus != 0) {
        add_figure(figures, TEXT_FIGURE_BONUS, bonus);
    }
    if (card->slot != SLOT_NONE || card->kind == KIND_ITEM) {
        add_figure(figures, SLOTS[card->slot], 0);
    }
    if ((card->flags & DEF_BIG) != 0) {
        add_figure(figures, TEXT_FIGURE_BIG, 0);
    }
    if ((card->flags & DEF_VALUE) != 0) {
        add_figure(figures, card->gold > 0 ? TEXT_FIGURE_GOLD : TEXT_FIGURE_NO_VALUE, card->gold);
    }
}

// Whether a sentence is a list of figures that are shown anyway: "+2, 1 Hand, Big".
static bool says_figures(const char *sentence, size_t length, const struct figures *figures)
{
    const char *const end = sentence + length;
    while (sentence < end) {
        size_t piece = strcspn(sentence, ",");
        piece = piece < (size_t)(end - sentence) ? piece : (size_t)(end - sentence);
        size_t i = 0;
        while (i < figures->count && (strlen(figures->items[i]) != piece ||
                                      strncasecmp(figures->items[i], sentence, piece) != 0)) {
            i++;
        }
        if (i == figures->count) {
            return false;
        }
        sentence += piece;
        sentence += sentence < end ? strspn(sentence, ", ") : 0;
    }
    return true;
}

// One sentence of a text: where it begins, with the blank after it, and without its full stop.
struct sentence {
    const char *at;
    size_t length, words_length;
};

static bool sentence_at(const char *at, struct sentence *out)
{
    if (at == NULL || *at == '\0') {
        return false;
    }
    const char *const stop = strstr(at, ". ");
    out->at = at;
    out->length = stop != NULL ? (size_t)(stop - at) + 2 : strlen(at);
    out->words_length = strnlen(at, out->length) - (stop != NULL ? 2 : at[out->length - 1] == '.');
    return true;
}

// Whether the text beside the figures says one again: a sentence begins with it ("+5 to a
// monster"), and none that is left out for the figures' sake has it ("+2, 1 Hand. +2 more if").
static bool is_said_beside(const char *text, const struct figures *figures, size_t index)
{
    const char *const figure = figures->items[index];
    const size_t length = strlen(figure);
    bool begins = false;
    struct sentence part;
    for (; sentence_at(text, &part); text += part.length) {
        const bool found = strncmp(part.at, figure, length) == 0;
        if (!says_figures(part.at, part.words_length, figures)) {
            begins = begins || (found && (part.at[length] == ' ' || part.at[length] == ','));
        } else if (found) {
            return false;
        }
    }
    return begins;
}

// `beside`: without those that the text beside them says.
static void figures_words(const struct catalog *catalog, uint16_t def, bool beside,
                          char out[RENDER_FIGURES_SIZE])
{
    struct figures figures;
    struct text_out text;
    const char *items[FIGURES_MAX];
    size_t count = 0;
    collect_figures(catalog, catalog_def(catalog, def), &figures);
    for (size_t i = 0; i < figures.count; i++) {
        if (!beside || !is_said_beside(catalog_text(catalog, def), &figures, i)) {
            items[count++] = figures.items[i];
        }
    }
    text_begin(&text, out, RENDER_FIGURES_SIZE);
    text_list(&text, items, count, TEXT_COMMA);
}

static void card_text(const struct catalog *catalog, uint16_t def, char out[RENDER_TEXT_SIZE])
{
    const char *at = catalog_text(catalog, def);
    struct sentence part;
    struct figures figures;
    size_t used = 0;
    out[0] = '\0';
    collect_figures(catalog, catalog_def(catalog, def), &figures);
    for (; sentence_at(at, &part); at += part.length) {
        if (!says_figures(at, part.words_length, &figures) &&
            used + part.length < RENDER_TEXT_SIZE) {
            memcpy(out + used, at, part.length);
            used += part.length;
            out[used] = '\0';
        }
    }
    while (used > 0 && out[used - 1] == ' ') {
        out[--used] = '\0';
    }
}

/* Looks. */

struct look {
    char *what, *figures, *beside;
};

struct card_looks {
    size_t count;
    struct look items[];
};

static void look_make(const struct catalog *catalog, uint16_t def, struct look *out)
{
    char what[RENDER_TEXT_SIZE];
    char figures[RENDER_FIGURES_SIZE];
    card_text(catalog, def, what);
    out->what = mb_text(what);
    figures_words(catalog, def, false, figures);
    out->figures = mb_text(figures);
    figures_words(catalog, def, true, figures);
    out->beside = mb_text(figures);
}

struct card_looks *card_looks_create(const struct catalog *catalog)
{
    const size_t count = catalog_def_count(catalog);
    struct card_looks *const looks = mb_new(1, sizeof *looks + count * sizeof looks->items[0]);
    looks->count = count;
    for (size_t def = 0; def < count; def++) {
        look_make(catalog, (uint16_t)def, &looks->items[def]);
    }
    return looks;
}

void card_looks_destroy(struct card_looks *looks)
{
    for (size_t def = 0; looks != NULL && def < looks->count; def++) {
        free(looks->items[def].what);
        free(looks->items[def].figures);
        free(looks->items[def].beside);
    }
    free(looks);
}

static const struct look *look_of(const struct table_words *words, uint16_t def)
{
    return words->looks != NULL && def < words->looks->count ? &words->looks->items[def] : NULL;
}

static void copy(const char *text, char *out, size_t size)
{
    struct text_out copied;
    text_begin(&copied, out, size);
    text_raw(&copied, text);
}

void render_figures(const struct table_words *words, uint16_t def, char *out, size_t size)
{
    const struct look *const look = look_of(words, def);
    char figures[RENDER_FIGURES_SIZE];
    if (look == NULL) {
        figures_words(words->catalog, def, false, figures);
    }
    copy(look != NULL ? look->figures : figures, out, size);
}

void render_figures_beside(const struct table_words *words, uint16_t def, char *out, size_t size)
{
    const struct look *const look = look_of(words, def);
    char figures[RENDER_FIGURES_SIZE];
    if (look == NULL) {
        figures_words(words->catalog, def, true, figures);
    }
    copy(look != NULL ? look->beside : figures, out, size);
}

void render_figures_brief(const struct table_words *words, uint16_t def, char *out, size_t size)
{
    struct figures figures;
    struct text_out text;
    collect_brief(words->catalog, catalog_def(words->catalog, def), &figures);
    text_begin(&text, out, size);
    text_list(&text, figures.items, figures.count, TEXT_COMMA);
}

void render_card_text(const struct table_words *words, uint16_t def, char *out, size_t size)
{
    const struct look *const look = look_of(words, def);
    char what[RENDER_TEXT_SIZE];
    if (look == NULL) {
        card_text(words->catalog, def, what);
    }
    copy(look != NULL ? look->what : what, out, size);
}
