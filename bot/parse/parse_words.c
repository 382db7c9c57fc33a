#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"

// Every name that several cards bear is tried on the parser's own look-up before it is written:
// first the bare name, then with more and more said, so that the words mean the same when they come
// back.

enum { NTH_MAX = 24 };

void words_put(struct format *f, const char *text)
{
    size_t length = strlen(text);
    if (f->length + 1 < f->size) {
        size_t room = f->size - f->length - 1;
        size_t some = length < room ? length : room;
        memcpy(f->out + f->length, text, some);
        f->out[f->length + some] = '\0';
    }
    f->length += length;
}

void words_put_number(struct format *f, int number)
{
    char text[16];
    (void)snprintf(text, sizeof text, " %d", number);
    words_put(f, text);
}

/* Cards that make no difference: of one kind, in one place, in one state. */
static bool is_alike(const struct format *f, uint16_t a, uint16_t b)
{
    const struct game *view = f->p.words->view;
    const struct box *box = f->p.words->box;
    return a == b ||
           (box->card_def[a] == box->card_def[b] && query_where(view, a) == query_where(view, b) &&
            query_flags(view, a) == query_flags(view, b) &&
            query_host(view, a) == query_host(view, b));
}

static bool lex(struct format *f, const char *text, struct span *range)
{
    const char *expected = NULL;
    memset(&f->error, 0, sizeof f->error);
    bool read = line_read(&f->p.line, f->p.words->catalog, text, &expected);
    *range = (struct span){0, f->p.line.count};
    return read;
}

/* What the words would mean in that role; NO_CARD if nothing or not clearly one thing. */
static uint16_t meaning_of(struct format *f, const char *text, const struct role *role)
{
    struct parser *p = &f->p;
    struct span range;
    struct wanted wanted;
    struct target target;
    uint16_t found = NO_CARD;
    if (!lex(f, text, &range)) {
        return NO_CARD;
    }
    switch (role->kind) {
    case ROLE_CARD:
        found = find_card(p, range, role->lookup);
        break;
    case ROLE_TARGET:
        target = find_target(p, range, role->hint);
        found = target.kind == role->target_kind ? target.value : (uint16_t)NO_CARD;
        break;
    case ROLE_MONSTER:
        item_read(p, range, &wanted);
        found = find_monster(p, &wanted);
        break;
    case ROLE_OPTION:
        if (!choose_value(p, role->decision, range, &found)) {
            found = NO_CARD;
        }
        break;
    }
    return f->error.why.code == REFUSAL_NONE ? found : (uint16_t)NO_CARD;
}

/* Quotes a name that holds key words or commas, or that would be taken for a word of its own (by
 * "stats", or as the reader); and one that holds quotes: what they hide here they need not hide
 * further on in a line. */
static void quote(struct format *f, const char *name, char *out, size_t size)
{
    struct span range;
    bool plain = lex(f, name, &range) && !line_is(&f->p.line, range, "forget") &&
                 !player_is_self(&f->p, range);
    for (uint16_t at = 0; at < range.to; at++) {
        const struct token *const token = &f->p.line.tokens[at];
        plain = plain && token->key == KEY_NONE && token->kind == TOKEN_WORD &&
                (token->flags & TOKEN_QUOTED) == 0;
    }
    (void)snprintf(out, size, plain ? "%s" : "\"%s\"", name);
}

static void find_player_words(struct format *f, unsigned seat, char *out, size_t size)
{
    const char *name = seat < MB_SEATS_MAX ? f->p.words->players[seat] : NULL;
    struct span range;
    if (name != NULL) {
        quote(f, name, out, size);
    }
    if (name == NULL || !lex(f, out, &range) || find_player_or_all(&f->p, range) != seat) {
        (void)snprintf(out, size, "#%u", seat + 1);
    }
}

void words_player(struct format *f, unsigned seat, char *out, size_t size)
{
    struct words_memo *const memo = seat < MB_SEATS_MAX ? f->p.words->memo : NULL;
    char found[WORDS_MAX];
    char *const words = memo != NULL ? memo->players[seat] : found;
    if (memo == NULL || words[0] == '\0') {
        find_player_words(f, seat, words, memo != NULL ? MEMO_PLAYER_SIZE : sizeof found);
    }
    (void)snprintf(out, size, "%s", words);
}

void words_put_player(struct format *f, unsigned seat)
{
    char words[WORDS_MAX];
    words_player(f, seat, words, sizeof words);
    words_put(f, " ");
    words_put(f, words);
}

/* " in hand", " in play", " of Bob": where a card is. */
static void place_words(struct format *f, uint16_t card, char *out, size_t size)
{
    unsigned where = query_where(f->p.words->view, card);
    unsigned own = f->p.words->seat;
    char name[WORDS_MAX];
    out[0] = '\0';
    if (where >= PILE_TOTAL || where < PILE_HAND) {
        return;
    }
    unsigned seat = pile_is_hand(where) ? where - PILE_HAND : where - PILE_TABLE;
    const char *place = pile_is_hand(where) ? " in hand" : " in play";
    if (seat == own) {
        (void)snprintf(out, size, "%s", place);
    } else {
        words_player(f, seat, name, sizeof name);
        (void)snprintf(out, size, " of %.*s%s", (int)sizeof name - 1, name,
                       pile_is_hand(where) ? place : "");
    }
}

/* Whether these words mean the card; the name with all that is said about it. */
static bool try_words(struct format *f, uint16_t card, const struct role *role, const char *text)
{
    uint16_t found = meaning_of(f, text, role);
    bool exact = role->kind == ROLE_MONSTER ||
                 (role->kind == ROLE_TARGET && role->target_kind == TARGET_MONSTER);
    if (found == NO_CARD || (exact ? found != card : !is_alike(f, found, card))) {
        return false;
    }
    words_put(f, text);
    if (role->kind == ROLE_CARD ||
        (role->kind == ROLE_OPTION && choose_sort(role->decision) == CHOICE_CARDS)) {
        parse_use_up(&f->p, found);
    }
    return true;
}

/* The bare name, or a copy's: the card that a monster shows. */
static void base_name(const struct format *f, uint16_t card, const struct role *role, char *out,
                      size_t size)
{
    bool monster = role->kind == ROLE_MONSTER || role->target_kind == TARGET_MONSTER ||
                   (role->kind == ROLE_OPTION && choose_sort(role->decision) == CHOICE_MONSTERS);
    uint16_t face = monster ? query_face(f->p.words->view, card) : card;
    bool mate = face != card;
    if (mate) {
        (void)snprintf(out, size, "%s (%s)", names_card(f->p.words, face),
                       names_copy_word(f->p.words, card));
    } else {
        (void)snprintf(out, size, "%s", names_card(f->p.words, face));
    }
}

bool words_put_card(struct format *f, uint16_t card, const struct role *role)
{
    char name[WORDS_MAX];
    char place[WORDS_MAX + 16];
    char text[3 * WORDS_MAX];
    const struct table_words *words = f->p.words;
    if (card >= words->box->card_count) {
        return false;
    }
    if (role->kind == ROLE_CARD && words->box->namesake[card] == card) {
        words_put(f, names_card(words, card)); // a whole name stands before all that hold it
        parse_use_up(&f->p, card);
        return true;
    }
    base_name(f, card, role, name, sizeof name);
    if (try_words(f, card, role, name)) {
        return true;
    }
    place_words(f, card, place, sizeof place);
    const struct catalog_set *set = catalog_set(words->catalog, box_def(words->box, card)->set);
    for (unsigned nth = 0; nth <= NTH_MAX; nth++) {
        char number[16] = "";
        if (nth > 0) {
            (void)snprintf(number, sizeof number, " #%u", nth);
        }
        for (unsigned more = nth > 0 ? 0 : 1; more < 4; more++) {
            bool with_set = (more & 2u) != 0;
            (void)snprintf(text, sizeof text, "%s%s%s%s%s", with_set && set != NULL ? set->id : "",
                           with_set && set != NULL ? ":" : "", name, (more & 1u) != 0 ? place : "",
                           number);
            if (try_words(f, card, role, text)) {
                return true;
            }
        }
        if (nth > 0 && f->error.why.code != REFUSAL_NONE) {
            return false; // with all that can be said: there are no more of them
        }
    }
    return false;
}
