#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

/* Rules: CHARITY-1. Often there is only one to whom the cards can go. */
static bool only_lowest(struct parser *p)
{
    struct command *command = &p->request->command;
    const unsigned seats = command->verb == VERB_CHARITY ? legal_receivers(p) : 0;
    unsigned seat = 0;
    while (seat < MB_SEATS_MAX && seats != seat_bit(seat)) {
        seat++;
    }
    command->to = seat < MB_SEATS_MAX ? (uint8_t)seat : command->to;
    return seat < MB_SEATS_MAX;
}

static void read_receiver(struct parser *p, const char *expected)
{
    if (!parse_has(p, KEY_TO)) {
        if (!only_lowest(p)) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){0, 0}, expected);
        }
        return;
    }
    p->request->command.to = (uint8_t)find_player(p, parse_clause(p, KEY_TO));
}

void read_gift(struct parser *p)
{
    read_cards(p);
    read_receiver(p, text_sentence(TEXT_EXPECT_TO_AND_A_PLAYER));
}

/* "not helping [<player>]"; false if the words are something else. */
static bool read_bribe(struct parser *p, struct span words)
{
    struct command *command = &p->request->command;
    struct span head = {words.from, (uint16_t)(words.from + 2)};
    if (words.to - words.from < 2 || !line_is(&p->line, head, "not helping")) {
        return false;
    }
    command->bribe = 1;
    if (head.to < words.to) {
        command->about = (uint8_t)find_player(p, (struct span){head.to, words.to});
    }
    return true;
}

void read_offer(struct parser *p)
{
    struct command *command = &p->request->command;
    struct lookup own;
    read_gift(p); // the receiver first: what is wanted lies before that player
    unsigned said = 0;
    for (unsigned i = 0; i < p->clause_count; i++) {
        struct span words = p->clauses[i].range;
        if (p->clauses[i].key != KEY_FOR || words.from == words.to) {
            continue;
        }
        said++;
        if (!read_bribe(p, words)) {
            command->more_count =
                read_list(p, words, lookup_more(command, &own), command->more, MB_MORE_MAX);
        }
    }
    if (said != 1) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){0, 0},
                    text_sentence(TEXT_EXPECT_ONE_FOR));
    }
}

void read_deal_number(struct parser *p)
{
    struct span words = parse_clause(p, KEY_NONE);
    if (words.from == words.to) {
        return;
    }
    if (p->request->kind == REQUEST_GAME && line_is(&p->line, words, "undo")) {
        p->request->undo = true; // the question whether a command is taken back has no number
        return;
    }
    const struct token *token = &p->line.tokens[words.from];
    int number = words.to - words.from == 1 && token->kind == TOKEN_NTH
                     ? token->number
                     : parse_number(&p->line, words);
    if (number < 1) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words,
                    text_sentence(TEXT_EXPECT_THE_NUMBER_OF_AN_OFFER));
        return;
    }
    p->request->command.n = (int16_t)number;
}

/* "2 treasures", "no treasures", "nothing", or just "2"; -1 if it is something else. */
static int read_treasures(const struct parser *p, struct span words)
{
    if (line_is(&p->line, words, "nothing")) {
        return 0;
    }
    struct span number = {words.from, (uint16_t)(words.from + 1)};
    if (words.to - words.from == 2) {
        struct span noun = {number.to, words.to};
        if (!line_is(&p->line, noun, "treasures") && !line_is(&p->line, noun, "treasure")) {
            return -1;
        }
        return parse_number(&p->line, number);
    }
    return words.to - words.from == 1 ? parse_number(&p->line, words) : -1;
}

static void read_picking(struct parser *p)
{
    struct span words = parse_clause(p, KEY_PICKING);
    if (words.from == words.to) {
        return;
    }
    if (line_is(&p->line, words, "first") || line_is(&p->line, words, "1st")) {
        p->request->command.picking = 1;
    } else if (line_is(&p->line, words, "second") || line_is(&p->line, words, "2nd")) {
        p->request->command.picking = 2;
    } else {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_FIRST_OR_SECOND));
    }
}

/* One "offering": Treasures, Items, or both. */
static void read_offering(struct parser *p, struct span words)
{
    struct command *command = &p->request->command;
    struct span item;
    struct span rest = words;
    while (parse_next_item(p, &rest, &item)) {
        // A person may be called "2 treasures": nobody offers people.
        int treasures = item_is_card(p, item) ? -1 : read_treasures(p, item);
        if (treasures >= 0) {
            command->n = (int16_t)treasures;
        } else if (command->list_count == MB_DEAL_CARDS) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_SIX_ITEMS));
            return;
        } else {
            uint16_t card = find_card(p, item, lookup_list(p, VERB_ASK));
            command->list[command->list_count++] = card;
            parse_use_up(p, card);
        }
    }
}

/* As it is told: "for help, for 2 Treasures". */
static void read_for(struct parser *p, struct span words)
{
    struct span item;
    while (parse_next_item(p, &words, &item)) {
        const int treasures = read_treasures(p, item);
        if (treasures >= 0) {
            p->request->command.n = (int16_t)treasures;
        } else if (!line_is(&p->line, item, "help")) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item, text_sentence(TEXT_EXPECT_OFFERING));
        }
    }
}

void read_ask(struct parser *p)
{
    struct command *command = &p->request->command;
    struct lookup own;
    struct span words = parse_clause(p, KEY_NONE);
    if (parse_one_item(p, words, text_sentence(TEXT_EXPECT_ONE_PLAYER_OR_ALL))) {
        command->to = (uint8_t)find_player_or_all(p, words);
    }
    for (unsigned i = 0; i < p->clause_count; i++) {
        if (p->clauses[i].key == KEY_OFFERING) {
            read_offering(p, p->clauses[i].range);
        } else if (p->clauses[i].key == KEY_FOR) {
            read_for(p, p->clauses[i].range);
        }
    }
    read_picking(p);
    if (parse_has(p, KEY_PROMISING)) {
        command->more_count = read_list(p, parse_clause(p, KEY_PROMISING),
                                        lookup_more(command, &own), command->more, MB_MORE_MAX);
    }
}

void read_volunteer(struct parser *p)
{
    struct span rest = parse_clause(p, KEY_NONE);
    struct span words = parse_clause(p, KEY_FOR);
    if (rest.from < rest.to) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, rest, text_sentence(TEXT_EXPECT_FOR_TREASURES));
    }
    if (words.from < words.to) {
        int treasures = read_treasures(p, words);
        if (treasures < 0) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, words,
                        text_sentence(TEXT_EXPECT_A_NUMBER_OF_TREASURES));
        }
        p->request->command.n = (int16_t)(treasures < 0 ? 0 : treasures);
    }
    read_picking(p);
}
