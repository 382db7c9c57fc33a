#include "core/codec/normal.h"

#include "bot/parse/parse_impl.h"

/* The number of tokens whose text ends after `length` bytes, or 0 if it ends within a word. */
static unsigned tokens_of(const struct line *line, uint16_t from, uint16_t to, size_t length)
{
    for (uint16_t at = from; at < to; at++) {
        size_t here = (size_t)(line->tokens[at].end - line->tokens[from].at);
        if (here >= length) {
            return here == length ? at + 1u - from : 0;
        }
    }
    return 0;
}

// Finds the leads from a token on, as far as its line goes without a comma.
static void find_leads(struct parser *p, uint16_t from)
{
    struct line *line = &p->line;
    struct leads *leads = &line->leads;
    uint16_t to = from;
    while (to < line->count && line->tokens[to].kind != TOKEN_COMMA) {
        to++;
    }
    const char *text = line->text + line->tokens[from].at;
    size_t length = line_length(line, (struct span){from, to});
    size_t lead = 0;
    leads->from = from;
    leads->count = 0;
    for (uint16_t card = names_next_lead(p->words, text, length, 0, &lead); card != NO_CARD;
         card = names_next_lead(p->words, text, length, (uint16_t)(card + 1), &lead)) {
        if (leads->count < LEADS_MAX) {
            leads->items[leads->count].card = card;
            leads->items[leads->count].length = (uint16_t)lead;
        }
        leads->count++;
    }
}

uint16_t item_next_lead(struct parser *p, uint16_t from, size_t length, uint16_t card, size_t *lead)
{
    const struct leads *leads = &p->line.leads;
    if (leads->from != from) {
        find_leads(p, from);
    }
    if (leads->count > LEADS_MAX) {
        const char *text = p->line.text + p->line.tokens[from].at;
        uint16_t next = card == NO_CARD ? 0 : (uint16_t)(card + 1);
        return names_next_lead(p->words, text, length, next, lead);
    }
    for (uint16_t i = 0; i < leads->count; i++) {
        if ((card == NO_CARD || leads->items[i].card > card) && leads->items[i].length <= length) {
            *lead = leads->items[i].length;
            return leads->items[i].card;
        }
    }
    return NO_CARD;
}

/* A player's name that holds a key word is meant only in quotes: it takes no word from the others,
 * as "Ann offering" would from whoever asks Ann. */
static unsigned without_keys(const struct line *line, uint16_t from, unsigned run)
{
    for (unsigned i = 0; i < run; i++) {
        if (line->tokens[from + i].key != KEY_NONE) {
            return 0;
        }
    }
    return run;
}

unsigned item_full_name(struct parser *p, uint16_t from, uint16_t to)
{
    const struct line *line = &p->line;
    const struct box *box = p->words->box;
    const char *text = line->text + line->tokens[from].at;
    for (uint16_t at = from; at < to; at++) { // no name holds a comma
        to = line->tokens[at].kind == TOKEN_COMMA ? at : to;
    }
    size_t length = line_length(line, (struct span){from, to});
    unsigned best = 0;
    size_t lead = 0;
    uint16_t card = box != NULL ? item_next_lead(p, from, length, NO_CARD, &lead) : NO_CARD;
    while (card != NO_CARD) {
        unsigned run = tokens_of(line, from, to, lead);
        best = run > best ? run : best;
        card = item_next_lead(p, from, length, card, &lead);
    }
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const char *name = p->words->players[seat];
        lead = name == NULL ? 0 : normal_lead(text, length, name);
        unsigned run = lead == 0 ? 0 : tokens_of(line, from, to, lead);
        run = without_keys(line, from, run);
        best = run > best ? run : best;
    }
    return best;
}

bool item_is_card(struct parser *p, struct span range)
{
    size_t length = line_length(&p->line, range);
    size_t lead = 0;
    uint16_t card = item_next_lead(p, range.from, length, NO_CARD, &lead);
    while (card != NO_CARD && lead != length) {
        card = item_next_lead(p, range.from, length, card, &lead);
    }
    return card != NO_CARD;
}

/* Whether some words name a player; `loosely` lets a part of the name be enough. */
static bool is_owner(const struct parser *p, struct span range, bool loosely, struct wanted *out)
{
    enum name_fit fit = NAME_NONE;
    unsigned count = 0;
    unsigned seat = player_match(p, range, &fit, &count);
    if (count != 1 || (fit != NAME_FULL && !loosely)) {
        return false;
    }
    out->owner = (uint8_t)seat;
    return true;
}

/* "(x2)", as lists tell of alike cards. */
static bool is_times(const struct line *line, const struct token *token, struct wanted *out)
{
    unsigned times = 0;
    for (uint16_t at = (uint16_t)(token->at + 1); at < token->end; at++) {
        if (line->text[at] < '0' || line->text[at] > '9' || times > MB_LIST_MAX) {
            return false;
        }
        times = times * 10 + (unsigned)(line->text[at] - '0');
    }
    out->times = (uint16_t)times;
    return line->text[token->at] == 'x' && times > 0;
}

/* Takes one qualifier off the end of the name: #2, in hand, (Mate), (x2), of Bob. */
static bool strip_end(struct parser *p, struct wanted *out, bool loosely)
{
    const struct line *line = &p->line;
    struct span *name = &out->name;
    const struct token *last = &line->tokens[name->to - 1];
    if (name->to - name->from < 2 || (last->flags & TOKEN_QUOTED) != 0) {
        return false;
    }
    if (last->kind == TOKEN_NTH && line->tokens[name->to - 2].kind == TOKEN_WORD &&
        !line_is(line, (struct span){(uint16_t)(name->to - 2), (uint16_t)(name->to - 1)}, "of")) {
        out->nth = last->number;
        name->to--;
        return true;
    }
    if ((last->flags & TOKEN_PAREN) != 0 &&
        line_is_copy_word(line, (struct span){(uint16_t)(name->to - 1), name->to})) {
        out->mate = true;
        name->to--;
        return true;
    }
    if ((last->flags & TOKEN_PAREN) != 0 && is_times(line, last, out)) {
        name->to--;
        return true;
    }
    struct span place = {(uint16_t)(name->to - 2), name->to};
    bool in_hand = line_is(line, place, "in hand");
    if (name->to - name->from > 2 && (in_hand || line_is(line, place, "in play"))) {
        out->where = in_hand ? WHERE_HAND : WHERE_PLAY;
        name->to = place.from;
        return true;
    }
    for (uint16_t at = (uint16_t)(name->to - 2); at > name->from; at--) {
        struct span word = {at, (uint16_t)(at + 1)};
        struct span person = {(uint16_t)(at + 1), name->to};
        if ((line->tokens[at].flags & TOKEN_QUOTED) == 0 && line_is(line, word, "of")) {
            bool owned = out->owner == NO_SEAT && is_owner(p, person, loosely, out);
            name->to = owned ? at : name->to;
            return owned;
        }
    }
    return false;
}

/* Takes "Ada's" or "my" off the front. */
static bool strip_front(struct parser *p, struct wanted *out, bool loosely)
{
    struct line *line = &p->line;
    struct span *name = &out->name;
    if (name->to - name->from < 2 || out->owner != NO_SEAT) {
        return false;
    }
    if (line_is(line, (struct span){name->from, (uint16_t)(name->from + 1)}, "my") &&
        p->words->seat < MB_SEATS_MAX) {
        out->owner = (uint8_t)p->words->seat;
        name->from++;
        return true;
    }
    for (uint16_t at = name->from; at + 1 < name->to; at++) {
        struct token *token = &line->tokens[at];
        if ((token->flags & TOKEN_OWNER) == 0) {
            continue;
        }
        uint16_t end = token->end;
        token->end = token->owner_end; // for a moment the word ends before its 's
        bool owned = is_owner(p, (struct span){name->from, (uint16_t)(at + 1)}, loosely, out);
        token->end = end;
        if (owned) {
            name->from = (uint16_t)(at + 1);
            return true;
        }
    }
    return false;
}

static void strip(struct parser *p, struct wanted *out, bool loosely)
{
    while (!item_is_card(p, out->name) &&
           (strip_end(p, out, loosely) || strip_front(p, out, loosely))) {
    }
    out->set = p->line.tokens[out->name.from].set;
}

void item_read(struct parser *p, struct span range, struct wanted *out)
{
    uint8_t fits[MB_CARDS_MAX];
    *out = (struct wanted){.range = range, .name = range, .owner = NO_SEAT, .set = NO_SET};
    strip(p, out, false);
    if (cards_fit(p, out, fits) != NAME_NONE) {
        return;
    }
    // Nothing is called that: perhaps the end is a part of a player's name, the front an article.
    strip(p, out, true);
    struct span first = {out->name.from, (uint16_t)(out->name.from + 1)};
    if (out->name.to - out->name.from > 1 && line_is(&p->line, first, "the")) {
        out->name.from++;
    }
}
