#include "bot/parse/names.h"

#include <string.h>

#include "core/codec/normal.h"

#include "bot/text/text.h"

// How words fit a name that is in normal form itself.
static enum name_fit fit_of(const char *normal, size_t length, const char *text, size_t size)
{
    if (length == 0 || length > size) {
        return NAME_NONE;
    }
    if (memcmp(normal, text, length) == 0) {
        return length == size ? NAME_FULL : NAME_BEGINS;
    }
    for (size_t at = 1; at + length <= size; at++) {
        if (text[at - 1] == ' ' && text[at] == normal[0] &&
            memcmp(text + at, normal, length) == 0) {
            return NAME_WORDS;
        }
    }
    return NAME_NONE;
}

enum name_fit names_fit(const char *normal, size_t length, const char *name)
{
    char text[NORMAL_MAX];
    const size_t size = normal_form(name, strlen(name), text, sizeof text);
    return fit_of(normal, length, text, size);
}

enum name_fit names_fit_card(const struct table_words *words, const char *normal, size_t length,
                             uint16_t card)
{
    const char *const text = catalog_normal(words->catalog, box_def(words->box, card)->name);
    return fit_of(normal, length, text, strlen(text));
}

uint16_t names_next_lead(const struct table_words *words, const char *normal, size_t length,
                         uint16_t card, size_t *lead)
{
    const struct box *const box = words->box;
    const uint8_t *const initials = catalog_initials(words->catalog);
    for (; length > 0 && card < box->card_count; card++) {
        const uint16_t def = box->card_def[card];
        // Nearly all names are told apart by their first letter.
        if (initials[def] != (uint8_t)normal[0] || (card > 0 && def == box->card_def[card - 1])) {
            continue;
        }
        const char *const name = catalog_normal(words->catalog, box->defs[def].name);
        const size_t whole = strlen(name);
        if (whole <= length && memcmp(normal, name, whole) == 0 &&
            (whole == length || normal[whole] == ' ')) {
            *lead = whole;
            return card;
        }
    }
    return NO_CARD;
}

const char *names_card(const struct table_words *words, uint16_t card)
{
    return catalog_name_text(words->catalog, box_def(words->box, card)->name);
}

const char *names_copy_word(const struct table_words *words, uint16_t card)
{
    const struct catalog_set *const set =
        catalog_set(words->catalog, box_def(words->box, card)->set);
    const bool duplicate = set != NULL && set->edition == EDITION_SUPER;
    return text_sentence(duplicate ? TEXT_VOICE_DUPLICATE : TEXT_VOICE_MATE);
}

bool names_of_house(const struct catalog *catalog, const struct box *box, unsigned set)
{
    const struct catalog_set *info = catalog_set(catalog, set);
    return info != NULL && info->edition == box->profile.house;
}

/* Splits "set:Name"; NO_SET if no known set stands before. */
static uint8_t split_set(const struct catalog *catalog, const char **text)
{
    const char *colon = strchr(*text, ':');
    char id[64];
    if (colon == NULL || colon == *text || (size_t)(colon - *text) >= sizeof id) {
        return NO_SET;
    }
    size_t length = (size_t)(colon - *text);
    memcpy(id, *text, length);
    id[length] = '\0';
    uint8_t set = catalog_find_set(catalog, id);
    if (set != NO_SET) {
        *text = colon + 1;
    }
    return set;
}

uint16_t names_find_def(const struct catalog *catalog, const struct box *box, const char *text,
                        bool *ambiguous)
{
    char normal[NORMAL_MAX];
    uint8_t set = split_set(catalog, &text);
    size_t length = normal_form(text, strlen(text), normal, sizeof normal);
    enum name_fit best = NAME_NONE;
    uint16_t found = NO_DEF;
    *ambiguous = false;
    for (uint16_t card = 0; card < box->card_count; card++) {
        uint16_t def = box->card_def[card];
        if ((card > 0 && def == box->card_def[card - 1]) ||
            (set != NO_SET && box->defs[def].set != set)) {
            continue;
        }
        const char *const name = catalog_normal(catalog, box->defs[def].name);
        enum name_fit fit = fit_of(normal, length, name, strlen(name));
        if (fit == NAME_NONE || fit < best || def == found) {
            continue;
        }
        if (fit > best) {
            best = fit;
            found = def;
            *ambiguous = false;
        } else if (box->defs[def].name != box->defs[found].name) {
            *ambiguous = true;
        } else if (names_of_house(catalog, box, box->defs[def].set)) {
            found = def;
        }
    }
    return *ambiguous ? (uint16_t)NO_DEF : found;
}

void memo_empty(struct words_memo *memo)
{
    memo->line_count = 0;
    memo->piece_count = 0;
    memo->used = 0;
}

void memo_empty_names(struct words_memo *memo)
{
    memo_empty(memo);
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        memo->players[i][0] = '\0';
    }
}

// A copy of a text, or NULL if there is no room for it.
static const char *memo_keep(struct words_memo *memo, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (sizeof memo->text - memo->used < size) {
        return NULL;
    }
    memo->used += size;
    return memcpy(memo->text + memo->used - size, text, size);
}

const char *memo_line(const struct words_memo *memo, const struct command *command)
{
    const unsigned char *const wanted = (const unsigned char *)command;
    for (unsigned i = 0; i < memo->line_count; i++) {
        // One that differs in nothing but what lies between its members is worded anew.
        const unsigned char *const known = (const unsigned char *)&memo->lines[i].command;
        if (memcmp(known, wanted, sizeof *command) == 0) {
            return memo->lines[i].text;
        }
    }
    return NULL;
}

void memo_keep_line(struct words_memo *memo, const struct command *command, const char *text)
{
    const char *const kept = memo->line_count < MEMO_LINES_MAX ? memo_keep(memo, text) : NULL;
    if (kept != NULL) {
        memo->lines[memo->line_count].command = *command;
        memo->lines[memo->line_count++].text = kept;
    }
}

const char *memo_piece(const struct words_memo *memo, uint64_t key)
{
    for (unsigned i = 0; i < memo->piece_count; i++) {
        if (memo->pieces[i].key == key) {
            return memo->pieces[i].text;
        }
    }
    return NULL;
}

void memo_keep_piece(struct words_memo *memo, uint64_t key, const char *text)
{
    const char *const kept = memo->piece_count < MEMO_PIECES_MAX ? memo_keep(memo, text) : NULL;
    if (kept != NULL) {
        memo->pieces[memo->piece_count++] = (struct memo_piece){key, kept};
    }
}
