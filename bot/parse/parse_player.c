#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

bool player_word(const struct parser *p, struct span range, const char *word)
{
    return range.from < range.to && (p->line.tokens[range.from].flags & TOKEN_QUOTED) == 0 &&
           line_is(&p->line, range, word);
}

// Even where somebody is called "me": nobody is to get what others give themselves.
static bool is_self(const struct parser *p, struct span range)
{
    return p->words->seat < MB_SEATS_MAX &&
           (player_word(p, range, "me") || player_word(p, range, "myself"));
}

/* "#2" is the second seat: for people whose names nobody can type. */
static unsigned by_number(const struct parser *p, struct span range)
{
    const struct token *token = &p->line.tokens[range.from];
    if (range.to - range.from != 1 || token->kind != TOKEN_NTH || token->number == 0 ||
        token->number > MB_SEATS_MAX || p->words->players[token->number - 1] == NULL) {
        return NO_SEAT;
    }
    return token->number - 1u;
}

unsigned player_match(const struct parser *p, struct span range, enum name_fit *fit,
                      unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    const unsigned meant = is_self(p, range) ? p->words->seat : by_number(p, range);
    unsigned found = meant;
    *fit = meant != NO_SEAT ? NAME_FULL : NAME_NONE;
    *count = meant != NO_SEAT ? 1 : 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX && meant == NO_SEAT; seat++) {
        if (p->words->players[seat] == NULL) {
            continue;
        }
        enum name_fit this_fit = names_fit(text, length, p->words->players[seat]);
        if (this_fit > *fit) {
            *fit = this_fit;
            *count = 0;
            found = seat;
        }
        *count += this_fit == *fit && this_fit != NAME_NONE;
    }
    return found;
}

/* The seats that may be named there now. */
static unsigned seats_meant(struct parser *p)
{
    struct query_decision decision;
    unsigned seats = 0;
    if (p->words->view == NULL || p->request->command.verb != VERB_CHOOSE) {
        return legal_receivers(p);
    }
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    for (unsigned i = 0; decision.kind < DECIDE_TOTAL && i < decision.option_count; i++) {
        seats |= decision.options[i] < MB_SEATS_MAX ? seat_bit(decision.options[i]) : 0u;
    }
    return seats;
}

/* The only player whom part of a name fits and who may be named now, else who was found. */
static unsigned only_receiver(struct parser *p, struct span range, unsigned found, unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    const unsigned seats = seats_meant(p);
    unsigned fitting = 0;
    unsigned only = found;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const char *const name = p->words->players[seat];
        if ((seats & seat_bit(seat)) != 0 && name != NULL &&
            names_fit(text, length, name) != NAME_NONE) {
            only = seat;
            fitting++;
        }
    }
    *count = fitting == 1 ? 1 : *count;
    return fitting == 1 ? only : found;
}

unsigned find_player(struct parser *p, struct span range)
{
    enum name_fit fit = NAME_NONE;
    unsigned count = 0;
    if (!parse_one_item(p, range, text_sentence(TEXT_EXPECT_ONE_PLAYER))) {
        return NO_SEAT;
    }
    unsigned seat = player_match(p, range, &fit, &count);
    if (count > 0 && fit != NAME_FULL) {
        seat = only_receiver(p, range, seat, &count);
    }
    if (count == 1) {
        return seat;
    }
    parse_fault(p, count == 0 ? REFUSAL_NO_SUCH_PLAYER : REFUSAL_AMBIGUOUS_NAME, range,
                count == 0 ? text_sentence(TEXT_EXPECT_A_PLAYER_OF_THIS_TABLE)
                           : text_sentence(TEXT_EXPECT_MORE_OF_THE_PLAYER_S_NAME));
    return NO_SEAT;
}

unsigned find_player_or_all(struct parser *p, struct span range)
{
    static const char *const ALL[] = {"all", "everyone", "everybody"};
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
        if (player_word(p, range, ALL[i])) {
            return ALL_SEATS;
        }
    }
    return find_player(p, range);
}
