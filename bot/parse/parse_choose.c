#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

enum choice_sort choose_sort(const struct query_decision *decision)
{
    if (decision->options_are_cards) {
        return CHOICE_CARDS;
    }
    switch (decision->kind) {
    case DECIDE_YES_NO:
        return CHOICE_YES_NO;
    case DECIDE_CHOOSE_PLAYER:
    case DECIDE_ASK_HELP:
        return CHOICE_SEATS;
    case DECIDE_CHOOSE_MONSTER:
    case DECIDE_ORDER:
        return CHOICE_MONSTERS;
    default:
        return CHOICE_NUMBERS;
    }
}

static bool is_option(const struct query_decision *decision, int value)
{
    for (unsigned i = 0; i < decision->option_count; i++) {
        if (decision->options[i] == value) {
            return true;
        }
    }
    return false;
}

/* The number of an option as printed: "2", "#2"; 0 if the words are no such number. */
static int option_number(const struct parser *p, struct span item)
{
    const struct token *token = &p->line.tokens[item.from];
    if (item.to - item.from != 1) {
        return 0;
    }
    if (token->kind == TOKEN_NTH) {
        return token->number;
    }
    char first = p->line.text[token->at];
    int number = first >= '0' && first <= '9' ? parse_number(&p->line, item) : 0;
    return number > 0 ? number : 0;
}

uint16_t choose_card_number(struct parser *p, struct span item)
{
    struct query_decision decision;
    const int number = option_number(p, item);
    if (number <= 0 || item_is_card(p, item) || p->words->view == NULL) {
        return NO_CARD;
    }
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    if (decision.kind >= DECIDE_TOTAL || choose_sort(&decision) > CHOICE_MONSTERS ||
        (unsigned)number > decision.option_count ||
        decision.options[number - 1] >= p->words->box->card_count) {
        return NO_CARD;
    }
    return decision.options[number - 1];
}

static bool yes_or_no(const struct parser *p, struct span item, uint16_t *out)
{
    static const char *const WORDS[] = {"no", "yes", "n", "y"};
    for (unsigned i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (line_is(&p->line, item, WORDS[i])) {
            *out = (uint16_t)(i & 1u);
            return true;
        }
    }
    return false;
}

bool choose_is_meant(struct parser *p)
{
    struct query_decision decision;
    const struct span first = {0, 1};
    uint16_t value = 0;
    if (p->line.count == 0 || p->words->view == NULL || p->words->box == NULL) {
        return false;
    }
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    if (decision.kind >= DECIDE_TOTAL || decision.kind == DECIDE_CHARITY) {
        return false; // of charity "choose" says nothing
    }
    return option_number(p, first) > 0 || (choose_sort(&decision) == CHOICE_YES_NO &&
                                           p->line.count == 1 && yes_or_no(p, first, &value));
}

bool choose_is_yes_or_no(const struct parser *p)
{
    const struct span word = {0, 1};
    return p->line.count == 1 && (line_is(&p->line, word, "yes") || line_is(&p->line, word, "no"));
}

unsigned choose_as_offer(struct parser *p)
{
    uint16_t yes = 0;
    if (p->line.count != 1 || p->words->view == NULL || p->words->box == NULL ||
        !yes_or_no(p, (struct span){0, 1}, &yes)) {
        return VERB_NONE;
    }
    const unsigned verb = yes != 0 ? VERB_ACCEPT : VERB_REFUSE;
    return legal_verb(p, verb) ? verb : (unsigned)VERB_NONE;
}

static bool card_value(struct parser *p, const struct query_decision *decision, struct span item,
                       uint16_t *out)
{
    struct wanted wanted;
    item_read(p, item, &wanted);
    *out = NO_CARD;
    if (choose_sort(decision) == CHOICE_MONSTERS) {
        *out = find_monster(p, &wanted);
    }
    if (*out == NO_CARD || !is_option(decision, *out)) {
        uint16_t among = find_among(p, &wanted, decision->options, decision->option_count);
        *out = among != NO_CARD ? among : *out;
    }
    if (*out == NO_CARD) { // not offered: the core says so
        *out = find_anywhere(p, &wanted);
        bool said = wanted.owner != NO_SEAT || wanted.where != WHERE_ANY || wanted.mate;
        if (*out == NO_CARD) {
            parse_fault(p, REFUSAL_NO_SUCH_CARD, item, text_sentence(TEXT_EXPECT_OPTION));
        } else if (said && is_option(decision, *out)) { // another place was said
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item, text_sentence(TEXT_EXPECT_OPTION));
        }
    }
    return p->error->why.code == REFUSAL_NONE;
}

bool choose_value(struct parser *p, const struct query_decision *decision, struct span item,
                  uint16_t *out)
{
    enum choice_sort sort = choose_sort(decision);
    int number = option_number(p, item);
    bool nth = p->line.tokens[item.from].kind == TOKEN_NTH;
    bool named = item_full_name(p, item.from, item.to) > 0 && !nth;
    if (sort == CHOICE_YES_NO && yes_or_no(p, item, out)) {
        return true;
    }
    if (sort == CHOICE_NUMBERS && !nth) {
        int value = parse_number(&p->line, item);
        if (value < 0 || (decision->option_count > 0 && !is_option(decision, value))) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item,
                        text_sentence(TEXT_EXPECT_ONE_OF_THE_NUMBERS_OFFERED));
            return false;
        }
        *out = (uint16_t)value;
        return true;
    }
    if (number > 0 && !named) {
        if ((unsigned)number > decision->option_count) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item,
                        text_sentence(TEXT_EXPECT_THE_NUMBER_OF_AN_OPTION));
            return false;
        }
        *out = decision->options[number - 1];
        return true;
    }
    if (sort == CHOICE_SEATS) {
        *out = (uint16_t)find_player(p, item);
        return *out != NO_SEAT;
    }
    if (sort == CHOICE_YES_NO || sort == CHOICE_NUMBERS) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, item,
                    sort == CHOICE_YES_NO ? text_sentence(TEXT_EXPECT_YES_OR_NO)
                                          : text_sentence(TEXT_EXPECT_THE_NUMBER_OF_AN_OPTION));
        return false;
    }
    return card_value(p, decision, item, out);
}

static void read_answers(struct parser *p, const struct query_decision *decision, struct span words)
{
    struct command *command = &p->request->command;
    enum choice_sort sort = choose_sort(decision);
    struct span item;
    while (parse_next_item(p, &words, &item)) {
        if (command->list_count == MB_LIST_MAX) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item,
                        text_sentence(TEXT_EXPECT_AT_MOST_24_ANSWERS));
            return;
        }
        uint16_t value = 0;
        if (!choose_value(p, decision, item, &value)) {
            return;
        }
        command->list[command->list_count++] = value;
        if (sort == CHOICE_CARDS) {
            parse_use_up(p, value);
        }
    }
}

void read_choose(struct parser *p)
{
    struct command *command = &p->request->command;
    struct span words = parse_clause(p, KEY_NONE);
    struct query_decision decision;
    enum name_fit fit = NAME_NONE;
    unsigned count = 0;
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    bool empty = words.from == words.to || line_is(&p->line, words, "nothing") ||
                 line_is(&p->line, words, "none");
    if (decision.kind >= DECIDE_TOTAL) {
        // Nobody asked: a name may still be said, and the core answers.
        unsigned seat = empty ? NO_SEAT : player_match(p, words, &fit, &count);
        if (count == 1) {
            command->list[command->list_count++] = (uint16_t)seat;
        }
    } else if (!empty) {
        read_answers(p, &decision, words);
    } else if (!decision.may_pass && decision.min > 0) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_OPTION));
    }
}
