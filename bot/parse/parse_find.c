#include <string.h>

#include "core/codec/normal.h"

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

void parse_use_up(struct parser *p, uint16_t card)
{
    if (card != NO_CARD && p->used_count < sizeof p->used / sizeof p->used[0]) {
        p->used[p->used_count++] = card;
    }
}

static bool is_used(const struct parser *p, uint16_t card)
{
    for (unsigned i = 0; i < p->used_count; i++) {
        if (p->used[i] == card) {
            return true;
        }
    }
    return false;
}

/* Whether the name is just the card's: quicker than how it fits. */
static enum name_fit fit_full(struct parser *p, const struct wanted *wanted,
                              uint8_t fits[MB_CARDS_MAX])
{
    const struct box *box = p->words->box;
    uint16_t from = wanted->name.from;
    size_t length = line_length(&p->line, wanted->name);
    size_t lead = 0;
    enum name_fit best = NAME_NONE;
    memset(fits, NAME_NONE, box->card_count);
    for (uint16_t card = item_next_lead(p, from, length, NO_CARD, &lead); card != NO_CARD;
         card = item_next_lead(p, from, length, card, &lead)) {
        if (lead != length || (wanted->set != NO_SET && box_def(box, card)->set != wanted->set)) {
            continue;
        }
        best = NAME_FULL;
        uint16_t def = box->card_def[card];
        for (uint16_t copy = card; copy < box->card_count && box->card_def[copy] == def; copy++) {
            fits[copy] = NAME_FULL;
        }
    }
    return best;
}

/* How the name fits each card. */
static enum name_fit fit_cards(const struct parser *p, const struct wanted *wanted,
                               uint8_t fits[MB_CARDS_MAX])
{
    const struct box *box = p->words->box;
    const char *text = p->line.text + p->line.tokens[wanted->name.from].at;
    size_t length = line_length(&p->line, wanted->name);
    enum name_fit best = NAME_NONE;
    for (uint16_t card = 0; card < box->card_count; card++) {
        if (card > 0 && box->card_def[card] == box->card_def[card - 1]) {
            fits[card] = fits[card - 1];
            continue;
        }
        enum name_fit fit = NAME_NONE;
        if (wanted->set == NO_SET || box_def(box, card)->set == wanted->set) {
            fit = names_fit_card(p->words, text, length, card);
        }
        fits[card] = (uint8_t)fit;
        best = fit > best ? fit : best;
    }
    return best;
}

enum name_fit cards_fit(struct parser *p, const struct wanted *wanted, uint8_t fits[MB_CARDS_MAX])
{
    enum name_fit full = fit_full(p, wanted, fits);
    return full != NAME_NONE ? full : fit_cards(p, wanted, fits);
}

/* The piles of an area; returns how many. */
static unsigned area_piles(const struct parser *p, unsigned area, uint8_t piles[MB_SEATS_MAX])
{
    unsigned own = p->words->seat;
    unsigned count = 0;
    switch (area) {
    case AREA_HAND:
    case AREA_TABLE:
        if (own < MB_SEATS_MAX) {
            piles[count++] = (uint8_t)(area == AREA_HAND ? pile_hand(own) : pile_table(own));
        }
        return count;
    case AREA_ALL_TABLES:
    case AREA_OTHER_TABLES:
        if (own < MB_SEATS_MAX && area == AREA_ALL_TABLES) {
            piles[count++] = (uint8_t)pile_table(own);
        }
        for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
            if (seat != own) {
                piles[count++] = (uint8_t)pile_table(seat);
            }
        }
        return count;
    case AREA_FACE_UP:
        piles[count++] = PILE_FACE_UP;
        return count;
    case AREA_FIGHT:
        piles[count++] = PILE_FIGHT;
        return count;
    case AREA_DISCARDS:
        piles[count++] = PILE_DOOR_DISCARD;
        piles[count++] = PILE_TREASURE_DISCARD;
        return count;
    case AREA_SPECIAL:
        piles[count++] = PILE_RESOLVING;
        piles[count++] = PILE_AWARD;
        piles[count++] = PILE_BODY;
        return count;
    default:
        piles[count++] = (uint8_t)(area < AREA_SEAT_HAND ? pile_table(area - AREA_SEAT)
                                                         : pile_hand(area - AREA_SEAT_HAND));
        return count;
    }
}

/* Adds the cards of an area that fit; `same_def` NO_DEF or the only definition wanted. */
static void gather_cards(const struct parser *p, unsigned area, const uint8_t *fits,
                         uint16_t same_def, struct found *found)
{
    uint8_t piles[MB_SEATS_MAX + 1];
    unsigned pile_count = area_piles(p, area, piles);
    for (unsigned i = 0; i < pile_count; i++) {
        struct card_list list;
        list.count = 0;
        query_pile(p->words->view, piles[i], &list);
        for (unsigned j = 0; j < list.count && found->count < MB_CARDS_MAX; j++) {
            uint16_t card = list.cards[j];
            if (fits[card] != NAME_NONE &&
                (same_def == NO_DEF || p->words->box->card_def[card] == same_def)) {
                found->cards[found->count++] = card;
            }
        }
    }
}

static void drop_used(const struct parser *p, struct found *found)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < found->count; i++) {
        if (!is_used(p, found->cards[i])) {
            found->cards[kept++] = found->cards[i];
        }
    }
    found->count = kept;
}

/* Keeps what fits best: beginnings before words within. */
static void keep_best(const uint8_t *fits, struct found *found)
{
    uint8_t best = NAME_NONE;
    unsigned kept = 0;
    for (unsigned i = 0; i < found->count; i++) {
        best = fits[found->cards[i]] > best ? fits[found->cards[i]] : best;
    }
    for (unsigned i = 0; i < found->count; i++) {
        if (fits[found->cards[i]] == best) {
            found->cards[kept++] = found->cards[i];
        }
    }
    found->count = kept;
}

/* One candidate for each definition and place. */
static void fault_ambiguous(struct parser *p, struct span range, const struct found *found)
{
    struct parse_error *error = p->error;
    const struct box *box = p->words->box;
    if (!parse_fault(p, REFUSAL_AMBIGUOUS_NAME, range,
                     text_sentence(TEXT_EXPECT_MORE_OF_THE_NAME_OR_OF))) {
        return;
    }
    for (unsigned i = 0; i < found->count; i++) {
        uint16_t card = found->cards[i];
        bool listed = error->candidate_count == REQUEST_CANDIDATES_MAX;
        for (unsigned j = 0; j < error->candidate_count && !listed; j++) {
            uint16_t other = error->candidates[j];
            listed = box->card_def[other] == box->card_def[card] &&
                     query_where(p->words->view, other) == query_where(p->words->view, card);
        }
        if (!listed) {
            error->candidates[error->candidate_count++] = card;
        }
    }
}

/* Settles on one definition: of alike names the house's set comes first. */
static void settle_def(struct parser *p, struct span range, struct found *found)
{
    const struct box *box = p->words->box;
    uint16_t def = box->card_def[found->cards[0]];
    bool one_def = true;
    for (unsigned i = 1; i < found->count; i++) {
        uint16_t other = box->card_def[found->cards[i]];
        if (box->defs[other].name != box->defs[def].name) {
            fault_ambiguous(p, range, found);
            return;
        }
        one_def = one_def && other == def;
        if (other != def && names_of_house(p->words->catalog, box, box->defs[other].set)) {
            def = other;
        }
    }
    if (!one_def && !names_of_house(p->words->catalog, box, box->defs[def].set)) {
        fault_ambiguous(p, range, found);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < found->count; i++) {
        if (box->card_def[found->cards[i]] == def) {
            found->cards[kept++] = found->cards[i];
        }
    }
    found->count = kept;
}

static bool in_one_place(const struct parser *p, const struct found *found)
{
    for (unsigned i = 1; i < found->count; i++) {
        if (query_where(p->words->view, found->cards[i]) !=
            query_where(p->words->view, found->cards[0])) {
            return false;
        }
    }
    return true;
}

static uint16_t pick_card(struct parser *p, const struct wanted *wanted, const struct found *found,
                          unsigned prefer)
{
    if (wanted->nth > 0) {
        if (wanted->nth > found->count) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, wanted->range, text_sentence(TEXT_EXPECT_NTH));
            return found->cards[0];
        }
        return found->cards[wanted->nth - 1];
    }
    uint16_t best = found->cards[0];
    int best_score = -1;
    for (unsigned i = 0; i < found->count; i++) {
        unsigned flags = query_flags(p->words->view, found->cards[i]);
        bool equipped = (flags & CARD_EQUIPPED) != 0;
        // Of carried ones those first that may be sold already.
        int score = (flags & CARD_LATE) == 0 ? 1 : 0;
        score += equipped == (prefer == PREFER_EQUIPPED) ? 2 : 0;
        if (prefer != PREFER_NONE && score > best_score) {
            best = found->cards[i];
            best_score = score;
        }
    }
    return best;
}

/* Whether an area lies within what "in hand" and "in play" allow. */
static bool area_allowed(unsigned area, unsigned where)
{
    bool hand = area == AREA_HAND || area >= AREA_SEAT_HAND;
    bool table = area == AREA_TABLE || area == AREA_OTHER_TABLES || area == AREA_ALL_TABLES ||
                 area == AREA_FIGHT || (area >= AREA_SEAT && area < AREA_SEAT_HAND);
    return where == WHERE_ANY || (where == WHERE_HAND ? hand : table);
}

/* The areas to look in: the verb's own, narrowed by "of", "in hand" and "in play". */
static void wanted_areas(const struct parser *p, const struct wanted *wanted,
                         const struct lookup *lookup, uint8_t areas[8])
{
    unsigned count = 0;
    bool own = wanted->owner == p->words->seat;
    if (wanted->owner != NO_SEAT && !own) {
        uint8_t both[] = {(uint8_t)(AREA_SEAT + wanted->owner),
                          (uint8_t)(AREA_SEAT_HAND + wanted->owner)};
        for (unsigned i = 0; i < 2; i++) {
            if (area_allowed(both[i], wanted->where)) {
                areas[count++] = both[i];
            }
        }
        areas[count] = AREA_END;
        return;
    }
    for (unsigned i = 0; i < sizeof lookup->areas && lookup->areas[i] != AREA_END; i++) {
        unsigned area = lookup->areas[i];
        area = own && area == AREA_ALL_TABLES ? AREA_TABLE : area;
        if (area_allowed(area, wanted->where) &&
            (!own || area == AREA_TABLE || area == AREA_HAND)) {
            areas[count++] = (uint8_t)area;
        }
    }
    if (count == 0) {
        if (wanted->where != WHERE_PLAY) {
            areas[count++] = AREA_HAND;
        }
        if (wanted->where != WHERE_HAND) {
            areas[count++] = own ? AREA_TABLE : AREA_ALL_TABLES;
        }
    }
    areas[count] = AREA_END;
}

/* The first of some areas that holds cards that fit and are not named yet. */
static unsigned first_area(const struct parser *p, const struct wanted *wanted,
                           const uint8_t *areas, const uint8_t *fits, struct found *found)
{
    unsigned at = 0;
    for (; areas[at] != AREA_END && found->count == 0; at++) {
        gather_cards(p, areas[at], fits, NO_DEF, found);
        if (wanted->nth == 0) {
            drop_used(p, found);
        }
    }
    return at;
}

/* The options of the typist's open question that fit. */
static void gather_options(const struct parser *p, const uint8_t *fits, struct found *found)
{
    struct query_decision decision;
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    const bool cards = decision.kind < DECIDE_TOTAL && choose_sort(&decision) <= CHOICE_MONSTERS;
    for (unsigned i = 0; cards && i < decision.option_count; i++) {
        const uint16_t card = decision.options[i];
        if (card < p->words->box->card_count && fits[card] != NAME_NONE) {
            found->cards[found->count++] = card;
        }
    }
}

void find_near(struct parser *p, const uint8_t fits[MB_CARDS_MAX], struct found *found)
{
    static const uint8_t NEAREST[] = {AREA_HAND, AREA_TABLE, AREA_END};
    static const uint8_t NEXT[] = {AREA_FIGHT,   AREA_OTHER_TABLES, AREA_FACE_UP,
                                   AREA_SPECIAL, AREA_DISCARDS,     AREA_END};
    const struct wanted any = {.nth = 0};
    found->count = 0;
    for (unsigned i = 0; NEAREST[i] != AREA_END; i++) {
        gather_cards(p, NEAREST[i], fits, NO_DEF, found);
    }
    drop_used(p, found);
    if (found->count == 0) {
        gather_options(p, fits, found);
        drop_used(p, found);
    }
    if (found->count == 0) {
        (void)first_area(p, &any, NEXT, fits, found);
    }
    keep_best(fits, found);
}

uint16_t find_anywhere(struct parser *p, const struct wanted *wanted)
{
    const struct box *box = p->words->box;
    uint8_t fits[MB_CARDS_MAX];
    struct found near;
    enum name_fit best = cards_fit(p, wanted, fits);
    if (best != NAME_NONE && best != NAME_FULL) {
        find_near(p, fits, &near);
        if (near.count > 0) {
            return near.cards[0];
        }
    }
    uint16_t found = NO_CARD;
    int found_score = -1;
    for (uint16_t card = 0; card < box->card_count; card++) {
        if (best == NAME_NONE || fits[card] != best) {
            continue;
        }
        unsigned where = query_where(p->words->view, card);
        bool own = p->words->seat < MB_SEATS_MAX &&
                   (where == pile_hand(p->words->seat) || where == pile_table(p->words->seat));
        int score = is_used(p, card) ? 0 : 32;
        score += pile_is_table(where) && !own ? 16 : where == PILE_TOTAL ? 8 : own ? 0 : 4;
        score += names_of_house(p->words->catalog, box, box_def(box, card)->set);
        if (score > found_score) {
            found = card;
            found_score = score;
        }
    }
    return found;
}

/* None lies where it should: any other card of the name, for the core to refuse. Yet a card that
 * lies elsewhere than was said must not be taken for the one that was meant. */
static uint16_t find_elsewhere(struct parser *p, const struct wanted *wanted)
{
    uint16_t card = find_anywhere(p, wanted);
    bool said = wanted->owner != NO_SEAT || wanted->where != WHERE_ANY || wanted->mate;
    if (said && card != NO_CARD && query_where(p->words->view, card) != PILE_TOTAL) {
        bool hand = wanted->where == WHERE_HAND;
        if (parse_fault(p, hand ? REFUSAL_NOT_IN_HAND : REFUSAL_NOT_IN_PLAY, wanted->range,
                        text_sentence(TEXT_EXPECT_A_CARD_WHERE_IT_LIES))) {
            p->error->why.card = card;
        }
    }
    return card;
}

uint16_t find_wanted(struct parser *p, const struct wanted *wanted, const struct lookup *lookup)
{
    uint8_t fits[MB_CARDS_MAX];
    uint8_t areas[8];
    struct found found = {.count = 0};
    const enum name_fit fit = cards_fit(p, wanted, fits);
    if (fit == NAME_NONE) {
        parse_fault(p, REFUSAL_NO_SUCH_CARD, wanted->name, text_sentence(TEXT_EXPECT_CARD_NAME));
        return NO_CARD;
    }
    wanted_areas(p, wanted, lookup, areas);
    if (wanted->mate) { // only monsters are called so, and this is none
        return find_elsewhere(p, wanted);
    }
    uint8_t legal[MB_CARDS_MAX];
    unsigned at = 0;
    memcpy(legal, fits, p->words->box->card_count);
    if (fit != NAME_FULL && wanted->nth == 0 && legal_cards(p, lookup->field, legal)) {
        at = first_area(p, wanted, areas, legal, &found);
    }
    if (found.count == 0) {
        at = first_area(p, wanted, areas, fits, &found);
    }
    if (found.count == 0) {
        return find_elsewhere(p, wanted);
    }
    keep_best(fits, &found);
    settle_def(p, wanted->range, &found);
    uint16_t def = p->words->box->card_def[found.cards[0]];
    if (wanted->nth == 0 && !in_one_place(p, &found)) {
        fault_ambiguous(p, wanted->range, &found);
    }
    for (; wanted->nth > 0 && areas[at] != AREA_END; at++) {
        gather_cards(p, areas[at], fits, def, &found);
    }
    return pick_card(p, wanted, &found, lookup->prefer);
}

uint16_t find_card(struct parser *p, struct span range, const struct lookup *lookup)
{
    struct wanted wanted;
    if (!parse_one_item(p, range, text_sentence(TEXT_EXPECT_ONE_CARD))) {
        return NO_CARD;
    }
    item_read(p, range, &wanted);
    return find_wanted(p, &wanted, lookup);
}

uint16_t find_among(struct parser *p, const struct wanted *wanted, const uint16_t *cards,
                    unsigned count)
{
    uint8_t fits[MB_CARDS_MAX];
    struct found found = {.count = 0};
    if (cards_fit(p, wanted, fits) == NAME_NONE) {
        return NO_CARD;
    }
    for (unsigned i = 0; i < count && found.count < MB_CARDS_MAX; i++) {
        unsigned where = query_where(p->words->view, cards[i]);
        bool there = (wanted->where != WHERE_HAND || pile_is_hand(where)) &&
                     (wanted->where != WHERE_PLAY || pile_is_table(where)) &&
                     (wanted->owner == NO_SEAT || where == pile_hand(wanted->owner) ||
                      where == pile_table(wanted->owner));
        if (there && fits[cards[i]] != NAME_NONE) {
            found.cards[found.count++] = cards[i];
        }
    }
    if (wanted->nth == 0) {
        drop_used(p, &found);
    }
    if (found.count == 0) {
        return NO_CARD;
    }
    keep_best(fits, &found);
    settle_def(p, wanted->range, &found);
    if (wanted->nth == 0 && !in_one_place(p, &found)) {
        fault_ambiguous(p, wanted->range, &found);
    }
    return pick_card(p, wanted, &found, PREFER_NONE);
}

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

static void strip_words(struct parser *p, struct wanted *out, bool loosely)
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
    strip_words(p, out, false);
    if (cards_fit(p, out, fits) != NAME_NONE) {
        return;
    }
    // Nothing is called that: perhaps the end is a part of a player's name, the front an article.
    strip_words(p, out, true);
    struct span first = {out->name.from, (uint16_t)(out->name.from + 1)};
    if (out->name.to - out->name.from > 1 && line_is(&p->line, first, "the")) {
        out->name.from++;
    }
}
