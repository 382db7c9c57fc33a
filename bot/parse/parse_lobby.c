#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

/* Words kept as typed: options of new, a topic of help. */
void read_text(struct parser *p)
{
    struct span words = p->clauses[0].range;
    struct request *request = p->request;
    if (words.from >= words.to) {
        return;
    }
    const char *from = p->line.raw + p->line.tokens[words.from].raw;
    size_t length = (size_t)(p->line.tokens[words.to - 1].raw_end - p->line.tokens[words.from].raw);
    if (length >= sizeof request->text) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_FEWER_WORDS));
        return;
    }
    memcpy(request->text, from, length);
    request->text[length] = '\0';
    text_clean(request->text, request->text, sizeof request->text);
}

void read_join(struct parser *p)
{
    static const char *const SEXES[] = {"male", "female"};
    struct span words = parse_clause(p, KEY_NONE);
    if (words.from == words.to) {
        return;
    }
    const char *text = p->line.text + p->line.tokens[words.from].at;
    size_t length = line_length(&p->line, words);
    for (size_t i = 0; i < 2; i++) {
        if (names_fit(text, length, SEXES[i]) >= NAME_BEGINS) {
            (void)snprintf(p->request->text, sizeof p->request->text, "%s", SEXES[i]);
            return;
        }
    }
    parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_MALE_OR_FEMALE));
}

void read_person(struct parser *p)
{
    struct span words = parse_clause(p, KEY_NONE);
    if (p->request->kind == REQUEST_STATS && player_word(p, words, "forget")) {
        (void)snprintf(p->request->text, sizeof p->request->text, "forget");
        return;
    }
    if (words.from < words.to || p->request->kind == REQUEST_REMOVE) {
        p->request->player = find_player(p, words);
    }
}

void read_log(struct parser *p)
{
    struct span words = parse_clause(p, KEY_NONE);
    if (words.from == words.to) {
        return;
    }
    p->request->n = parse_number(&p->line, words);
    if (p->request->n < 1) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_A_NUMBER_OF_LINES));
    }
}

/* Of a part of a name the nearest cards alone; full names are what they are. */
static enum name_fit fit_nearest(struct parser *p, const struct wanted *wanted,
                                 uint8_t fits[MB_CARDS_MAX])
{
    const struct box *box = p->words->box;
    struct found near;
    enum name_fit best = cards_fit(p, wanted, fits);
    if (best == NAME_NONE || best == NAME_FULL || p->words->view == NULL) {
        return best;
    }
    find_near(p, fits, &near);
    if (near.count == 0) {
        return best;
    }
    best = (enum name_fit)fits[near.cards[0]];
    memset(fits, NAME_NONE, box->card_count);
    for (unsigned i = 0; i < near.count; i++) {
        for (uint16_t card = 0; card < box->card_count; card++) {
            fits[card] =
                box->card_def[card] == box->card_def[near.cards[i]] ? (uint8_t)best : fits[card];
        }
    }
    return best;
}

/* Which definitions fit; the house's set first among those of one name. */
static void find_definition(struct parser *p, const struct wanted *wanted)
{
    const struct box *box = p->words->box;
    struct parse_error *error = p->error;
    uint8_t fits[MB_CARDS_MAX];
    uint16_t found = NO_CARD;
    enum name_fit best = fit_nearest(p, wanted, fits);
    for (uint16_t card = 0; card < box->card_count; card++) {
        if (best == NAME_NONE || fits[card] != best ||
            (card > 0 && box->card_def[card] == box->card_def[card - 1])) {
            continue;
        }
        if (found == NO_CARD) {
            found = card;
        } else if (box_def(box, card)->name == box_def(box, found)->name) {
            bool house = names_of_house(p->words->catalog, box, box_def(box, card)->set);
            found = house ? card : found;
        } else {
            if (parse_fault(p, REFUSAL_AMBIGUOUS_NAME, wanted->range,
                            text_sentence(TEXT_EXPECT_MORE_OF_THE_NAME))) {
                error->candidates[error->candidate_count++] = found;
            }
            if (error->candidate_count < REQUEST_CANDIDATES_MAX) {
                error->candidates[error->candidate_count++] = card;
            }
        }
    }
    if (found == NO_CARD) {
        parse_fault(p, REFUSAL_NO_SUCH_CARD, wanted->range, text_sentence(TEXT_EXPECT_CARD_NAME));
        return;
    }
    p->request->card = box->card_def[found];
}

/* Before there is a game: any card of any set, full names before parts of them. */
static void find_in_catalog(struct parser *p, struct span words)
{
    const struct catalog *catalog = p->words->catalog;
    const char *text = p->line.text + p->line.tokens[words.from].at;
    size_t length = line_length(&p->line, words);
    uint8_t set = p->line.tokens[words.from].set;
    enum name_fit best = NAME_NONE;
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        enum name_fit fit = set != NO_SET && catalog_def(catalog, def)->set != set
                                ? NAME_NONE
                                : names_fit(text, length, catalog_name(catalog, def));
        if (fit > best) {
            best = fit;
            p->request->card = (uint16_t)def;
        }
    }
    if (best == NAME_NONE) {
        parse_fault(p, REFUSAL_NO_SUCH_CARD, words, text_sentence(TEXT_EXPECT_THE_NAME_OF_A_CARD));
    }
}

void read_definition(struct parser *p)
{
    struct span words = parse_clause(p, KEY_NONE);
    struct wanted wanted;
    if (words.from == words.to) { // those of the hand
        p->request->card = NO_CARD;
        return;
    }
    if (!parse_one_item(p, words, text_sentence(TEXT_EXPECT_ONE_CARD))) {
        return;
    }
    if (p->words->box == NULL) {
        find_in_catalog(p, words);
        return;
    }
    uint16_t option = choose_card_number(p, words);
    if (option != NO_CARD) {
        p->request->card = p->words->box->card_def[option];
        return;
    }
    item_read(p, words, &wanted);
    find_definition(p, &wanted);
}

void read_orders(struct parser *p)
{
    static const struct {
        const char *words;
        uint8_t order;
    } ORDERS[] = {
        {"pass until my turn", ORDER_PASS_TURN}, {"ask always", ORDER_ASK}, {"clear", ORDER_CLEAR}};
    struct span words = parse_clause(p, KEY_NONE);
    struct span head = {words.from, (uint16_t)(words.from + 2)};
    struct span level = {head.to, words.to};
    if (words.from == words.to) {
        return; // shows them
    }
    for (size_t i = 0; i < sizeof ORDERS / sizeof ORDERS[0]; i++) {
        if (line_is(&p->line, words, ORDERS[i].words)) {
            p->request->order = ORDERS[i].order;
            return;
        }
    }
    if (words.to - words.from >= 3 && line_is(&p->line, head, "pass below")) {
        struct span noun = {head.to, (uint16_t)(head.to + 1)};
        level.from = (uint16_t)(level.from + line_is(&p->line, noun, "level"));
        p->request->n = parse_number(&p->line, level);
        p->request->order = ORDER_PASS_BELOW;
        if (p->request->n >= 1) {
            return;
        }
    }
    parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_ORDER));
}
