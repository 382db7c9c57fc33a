#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

const struct lookup *lookup_subject(unsigned verb)
{
    static const struct lookup PLAYABLE = {
        {AREA_HAND, AREA_FACE_UP, AREA_TABLE}, PREFER_CARRIED, FIELD_CARD};
    static const struct lookup HELD = {{AREA_HAND}, PREFER_NONE, FIELD_CARD};
    static const struct lookup LAID = {{AREA_TABLE}, PREFER_NONE, FIELD_CARD};
    static const struct lookup CARRIED = {{AREA_TABLE}, PREFER_CARRIED, FIELD_CARD};
    static const struct lookup EQUIPPED = {{AREA_TABLE}, PREFER_EQUIPPED, FIELD_CARD};
    static const struct lookup OWN = {{AREA_TABLE, AREA_HAND}, PREFER_CARRIED, FIELD_CARD};
    switch (verb) {
    case VERB_PLAY:
        return &PLAYABLE;
    case VERB_FIGHT:
    case VERB_LAY:
        return &HELD;
    case VERB_EQUIP:
        return &CARRIED;
    case VERB_UNEQUIP:
        return &EQUIPPED;
    case VERB_SACRIFICE:
        return &LAID;
    default:
        return &OWN;
    }
}

const struct lookup *lookup_list(const struct parser *p, unsigned verb)
{
    static const struct lookup HAND_THEN_TABLE = {{AREA_HAND, AREA_TABLE}, PREFER_NONE, FIELD_LIST};
    static const struct lookup TABLE_THEN_HAND = {{AREA_TABLE, AREA_HAND}, PREFER_NONE, FIELD_LIST};
    static const struct lookup HELD = {{AREA_HAND}, PREFER_NONE, FIELD_LIST};
    static const struct lookup TABLE_FIRST = {{AREA_TABLE, AREA_HAND}, PREFER_CARRIED, FIELD_LIST};
    static const struct lookup HAND_FIRST = {{AREA_HAND, AREA_TABLE}, PREFER_CARRIED, FIELD_LIST};
    struct query_decision decision;
    switch (verb) {
    case VERB_DISCARD:
        // What Charity asks for are hand cards.
        query_decision(p->words->view, p->words->box, p->words->seat, &decision);
        return decision.kind == DECIDE_CHARITY ? &HAND_THEN_TABLE : &TABLE_THEN_HAND;
    case VERB_CHARITY:
    case VERB_SHOW:
        return &HELD;
    case VERB_GIVE:
    case VERB_OFFER:
    case VERB_ASK:
        return &TABLE_FIRST;
    default:
        return &HAND_FIRST;
    }
}

const struct lookup *lookup_more(const struct command *command, struct lookup *own)
{
    static const struct lookup HAND_FIRST = {{AREA_HAND, AREA_TABLE}, PREFER_CARRIED, FIELD_MORE};
    static const struct lookup LAID = {{AREA_TABLE}, PREFER_NONE, FIELD_MORE};
    switch (command->verb) {
    case VERB_OFFER:
        *own = (struct lookup){{AREA_OTHER_TABLES}, PREFER_CARRIED, FIELD_MORE};
        if (command->to < MB_SEATS_MAX) {
            own->areas[0] = (uint8_t)(AREA_SEAT + command->to);
            own->areas[1] = AREA_OTHER_TABLES;
        }
        return own;
    case VERB_ASK:
        return &HAND_FIRST;
    default:
        return &LAID;
    }
}

static void fault_too_many(struct parser *p, struct span words, unsigned max)
{
    char text[64];
    struct text_out expected;
    text_begin(&expected, text, sizeof text);
    text_put(&expected, TEXT_EXPECT_AT_MOST, TEXT_ARGS(text_num("n", (long)max)));
    parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text);
}

uint8_t read_list(struct parser *p, struct span rest, const struct lookup *lookup, uint16_t *list,
                  unsigned max)
{
    struct span all = rest;
    struct span item;
    unsigned count = 0;
    while (parse_next_item(p, &rest, &item)) {
        struct wanted wanted;
        item_read(p, item, &wanted);
        const unsigned times = wanted.times > 0 ? wanted.times : 1;
        if (times > max - count) {
            fault_too_many(p, all, max);
            break;
        }
        const unsigned first = count;
        for (unsigned i = 0; i < times; i++) {
            list[count] = find_wanted(p, &wanted, lookup);
            parse_use_up(p, list[count++]);
        }
        const uint16_t last = list[count - 1];
        if (last != NO_CARD && list[first] != NO_CARD &&
            query_where(p->words->view, last) != query_where(p->words->view, list[first])) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, item, text_sentence(TEXT_EXPECT_NTH));
        }
    }
    if (count == 0) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, all, text_sentence(TEXT_EXPECT_ONE_CARD_OR_MORE));
    }
    return (uint8_t)count;
}

void read_nothing(struct parser *p)
{
    struct span rest = parse_clause(p, KEY_NONE);
    if (rest.from < rest.to) {
        char text[64];
        struct text_out expected;
        text_begin(&expected, text, sizeof text);
        text_put(&expected, TEXT_EXPECT_ALONE, TEXT_ARGS(text_str("verb", p->entry->word)));
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, rest, text);
    }
}

void read_card(struct parser *p)
{
    struct command *command = &p->request->command;
    command->card = find_card(p, parse_clause(p, KEY_NONE), lookup_subject(command->verb));
}

void read_cards(struct parser *p)
{
    struct command *command = &p->request->command;
    command->list_count = read_list(p, parse_clause(p, KEY_NONE), lookup_list(p, command->verb),
                                    command->list, MB_LIST_MAX);
}

static void read_with(struct parser *p)
{
    struct command *command = &p->request->command;
    if (parse_has(p, KEY_WITH)) {
        command->list_count = read_list(p, parse_clause(p, KEY_WITH), lookup_list(p, command->verb),
                                        command->list, MB_LIST_MAX);
    }
}

static void read_on(struct parser *p)
{
    struct command *command = &p->request->command;
    if (parse_has(p, KEY_ON)) {
        enum hint hint = target_hint(p, command->card, command->ability);
        struct target target = find_target(p, parse_clause(p, KEY_ON), hint);
        command->target_kind = target.kind;
        command->target = target.value;
    }
}

static enum side side_of(const struct parser *p, struct target target)
{
    struct query_fight fight;
    query_fight(p->words->view, p->words->box, &fight);
    if (!fight.on) {
        return SIDE_NONE;
    }
    if (target.kind == TARGET_SEAT &&
        (target.value == fight.main || target.value == fight.helper)) {
        return SIDE_PLAYERS;
    }
    return target.kind == TARGET_MONSTER ? SIDE_MONSTERS : SIDE_NONE;
}

/* "on me", "on the zombie" of a card that is only played for a side: whose side that is. */
static void side_by_target(struct parser *p)
{
    struct command *command = &p->request->command;
    const struct target target = {command->target_kind, command->target};
    const enum side side = side_of(p, target);
    if (command->side == SIDE_NONE && side != SIDE_NONE &&
        target_hint(p, command->card, command->ability) == HINT_NONE && legal_plays_for(p, side)) {
        command->side = (uint8_t)side;
        command->target_kind = TARGET_NONE;
        command->target = NO_CARD;
    }
}

/* "for me", "for the zombie" */
static enum side side_of_name(struct parser *p, struct span words)
{
    enum name_fit fit = NAME_NONE;
    unsigned count = 0;
    struct wanted wanted;
    const unsigned seat = player_match(p, words, &fit, &count);
    if (count == 1) {
        return side_of(p, (struct target){TARGET_SEAT, (uint16_t)seat});
    }
    item_read(p, words, &wanted);
    return find_monster(p, &wanted) != NO_CARD ? SIDE_MONSTERS : SIDE_NONE;
}

static void read_side(struct parser *p)
{
    static const char *const SIDES[] = {[SIDE_PLAYERS] = "players", [SIDE_MONSTERS] = "monsters"};
    struct command *command = &p->request->command;
    struct span words = parse_clause(p, KEY_FOR);
    if (!parse_has(p, KEY_FOR) || words.from == words.to) {
        return;
    }
    const char *text = p->line.text + p->line.tokens[words.from].at;
    size_t length = line_length(&p->line, words);
    for (unsigned side = SIDE_PLAYERS; side <= SIDE_MONSTERS; side++) {
        if (names_fit(text, length, SIDES[side]) >= NAME_BEGINS) {
            command->side = (uint8_t)side;
            return;
        }
    }
    command->side = (uint8_t)side_of_name(p, words);
    if (command->side == SIDE_NONE) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, words, text_sentence(TEXT_EXPECT_SIDE));
    }
}

void read_play(struct parser *p)
{
    struct command *command = &p->request->command;
    struct lookup own;
    read_card(p);
    parse_use_up(p, command->card);
    read_on(p);
    read_side(p);
    side_by_target(p);
    read_with(p);
    if (parse_has(p, KEY_REPLACING)) {
        command->more_count = read_list(p, parse_clause(p, KEY_REPLACING),
                                        lookup_more(command, &own), command->more, MB_MORE_MAX);
    }
}

void read_hand_over(struct parser *p)
{
    static const struct lookup FOLLOWER = {{AREA_TABLE}, PREFER_NONE, FIELD_NONE};
    struct command *command = &p->request->command;
    read_card(p);
    parse_use_up(p, command->card);
    if (!parse_has(p, KEY_TO)) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){0, 0},
                    text_sentence(TEXT_EXPECT_TO_AND_A_FOLLOWER));
        return;
    }
    command->target_kind = TARGET_CARD;
    command->target = find_card(p, parse_clause(p, KEY_TO), &FOLLOWER);
}

static bool in_game(const struct box *box, unsigned ability)
{
    for (uint16_t card = 0; card < box->card_count; card++) {
        const struct card_def *def = box_def(box, card);
        for (unsigned i = 0; i < def->row_count; i++) {
            if (box_rows(box, def)[i].ability == ability + 1u) {
                return true;
            }
        }
    }
    return false;
}

/* The only ability that fits and can be used now, else what was found. */
static uint8_t usable_ability(struct parser *p, struct span range, uint8_t found, unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    size_t total = catalog_ability_count(p->words->catalog);
    unsigned usable = 0;
    uint8_t only = found;
    for (unsigned ability = 0; ability < total && ability < NO_ABILITY; ability++) {
        const char *name = catalog_ability_name(p->words->catalog, ability);
        if (names_fit(text, length, name) != NAME_NONE && legal_ability(p, ability)) {
            only = (uint8_t)ability;
            usable++;
        }
    }
    *count = usable == 1 ? 1 : *count;
    return usable == 1 ? only : found;
}

static uint8_t find_ability(struct parser *p, struct span range, unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    size_t total = catalog_ability_count(p->words->catalog);
    enum name_fit best = NAME_NONE;
    uint8_t found = NO_ABILITY;
    *count = 0;
    for (unsigned ability = 0; ability < total && ability < NO_ABILITY; ability++) {
        enum name_fit fit =
            names_fit(text, length, catalog_ability_name(p->words->catalog, ability));
        // Parts of names count among the abilities of this game only.
        if (fit == NAME_NONE || fit < best ||
            (fit != NAME_FULL && !in_game(p->words->box, ability))) {
            continue;
        }
        *count = fit > best ? 1 : *count + 1;
        best = fit;
        found = (uint8_t)ability;
    }
    return best == NAME_FULL ? found : usable_ability(p, range, found, count);
}

/* The one ability that a card has, if it is named instead. */
static uint8_t ability_of_card(struct parser *p, struct span range, uint16_t *card)
{
    struct wanted wanted;
    uint8_t fits[MB_CARDS_MAX];
    item_read(p, range, &wanted);
    if (cards_fit(p, &wanted, fits) == NAME_NONE) {
        return NO_ABILITY;
    }
    *card = find_wanted(p, &wanted, lookup_subject(VERB_USE));
    const struct card_def *def = box_def(p->words->box, *card);
    uint8_t found = NO_ABILITY;
    for (unsigned i = 0; i < def->row_count; i++) {
        uint8_t ability = box_rows(p->words->box, def)[i].ability;
        if (ability != 0 && found != NO_ABILITY && found != ability - 1) {
            return NO_ABILITY;
        }
        found = ability != 0 ? (uint8_t)(ability - 1) : found;
    }
    return found;
}

/* "Secret Identity of <card>": the ability, then whose. */
static void read_ability(struct parser *p, struct span words)
{
    struct command *command = &p->request->command;
    unsigned count = 0;
    command->ability = find_ability(p, words, &count);
    for (uint16_t at = (uint16_t)(words.from + 1); at + 1 < words.to && count == 0; at++) {
        if (line_is(&p->line, (struct span){at, (uint16_t)(at + 1)}, "of")) {
            command->ability = find_ability(p, (struct span){words.from, at}, &count);
            if (count > 0) {
                command->card = find_card(p, (struct span){(uint16_t)(at + 1), words.to},
                                          lookup_subject(VERB_USE));
            }
        }
    }
    if (count == 0) {
        command->ability = ability_of_card(p, words, &command->card);
        count = command->ability != NO_ABILITY;
    }
    if (count != 1) {
        parse_fault(p, count == 0 ? REFUSAL_BAD_ARGUMENTS : REFUSAL_AMBIGUOUS_NAME, words,
                    count == 0 ? text_sentence(TEXT_EXPECT_THE_NAME_OF_AN_ABILITY)
                               : text_sentence(TEXT_EXPECT_MORE_OF_THE_ABILITY_S_NAME));
    }
}

void read_use(struct parser *p)
{
    struct command *command = &p->request->command;
    struct span words = parse_clause(p, KEY_NONE);
    if (!parse_one_item(p, words, text_sentence(TEXT_EXPECT_ONE_ABILITY))) {
        return;
    }
    read_ability(p, words);
    if (command->ability == NO_ABILITY) {
        return;
    }
    if (parse_has(p, KEY_ON)) {
        enum hint hint = target_hint(p, NO_CARD, command->ability);
        struct target target = find_target(p, parse_clause(p, KEY_ON), hint);
        command->target_kind = target.kind;
        command->target = target.value;
    }
    read_with(p);
}

void read_run(struct parser *p)
{
    static const struct lookup MONSTERS = {{AREA_FIGHT}, PREFER_NONE, FIELD_CARD};
    struct command *command = &p->request->command;
    struct span words = parse_clause(p, KEY_NONE);
    struct wanted wanted;
    if (words.from < words.to &&
        line_is(&p->line, (struct span){words.from, (uint16_t)(words.from + 1)}, "away")) {
        words.from++;
    }
    if (words.from < words.to &&
        line_is(&p->line, (struct span){words.from, (uint16_t)(words.from + 1)}, "from")) {
        words.from++;
    }
    if (words.from == words.to ||
        !parse_one_item(p, words, text_sentence(TEXT_EXPECT_ONE_MONSTER))) {
        return;
    }
    item_read(p, words, &wanted);
    command->card = find_monster(p, &wanted);
    if (command->card == NO_CARD) {
        command->card = find_wanted(p, &wanted, &MONSTERS);
    }
}

void read_sacrifice(struct parser *p)
{
    struct command *command = &p->request->command;
    struct span with = parse_clause(p, KEY_WITH);
    struct span words = parse_clause(p, KEY_NONE);
    if (words.from < words.to) {
        command->card = find_card(p, words, lookup_subject(VERB_SACRIFICE));
    }
    if (with.from < with.to) {
        command->n = 1;
        if (!line_is(&p->line, with, "helper") && !line_is(&p->line, with, "the helper")) {
            parse_fault(p, REFUSAL_BAD_ARGUMENTS, with, text_sentence(TEXT_EXPECT_HELPER));
        }
    }
}

void read_show(struct parser *p)
{
    struct command *command = &p->request->command;
    struct span words = parse_clause(p, KEY_NONE);
    if (line_is(&p->line, words, "hand") || line_is(&p->line, words, "my hand")) {
        command->n = 1;
    } else {
        read_cards(p);
    }
    if (!parse_has(p, KEY_TO)) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, (struct span){0, 0},
                    text_sentence(TEXT_EXPECT_TO_AND_A_PLAYER_OR_ALL));
        return;
    }
    command->to = (uint8_t)find_player_or_all(p, parse_clause(p, KEY_TO));
}
