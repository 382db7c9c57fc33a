#include "tests/bot/parse/parse_table.h"

#include <stdio.h>
#include <string.h>

#include "core/state/game_state.h"

bool parse_table_open(struct parse_table *table)
{
    static const char *const DIRS[] = {"cards/classic", "cards/conan"};
    static const char *const NAMES[] = {"Ann", "Bob", "Cy", "Ada Lovelace", "Anton"};
    static struct catalog_issues issues;
    struct mb_error err = {.code = MB_OK};
    uint8_t sets[2] = {0, 1};
    memset(table, 0, sizeof *table);
    memset(&issues, 0, sizeof issues);
    table->catalog = catalog_load_sets(DIRS, 2, &issues);
    if (table->catalog == NULL ||
        !catalog_box(table->catalog, sets, 2, EDITION_CLASSIC, &table->box, &err)) {
        (void)fprintf(stderr, "no table: %s\n", err.text);
        return false;
    }
    struct game *game = &table->game;
    game->card_count = table->box.card_count;
    game->seat_count = 5;
    for (unsigned pile = 0; pile < PILE_TOTAL; pile++) {
        game->piles[pile] = (struct pile_state){NO_CARD, NO_CARD, 0};
    }
    for (uint16_t card = 0; card < game->card_count; card++) {
        game->cards[card] =
            (struct card_state){.next = NO_CARD, .host = NO_CARD, .pile = PILE_DOOR_DECK};
    }
    for (unsigned seat = 0; seat < 5; seat++) {
        game->seats[seat] = (struct seat_state){.level = 1, .alive = 1};
        table->words.players[seat] = NAMES[seat];
    }
    game->fight.helper = NO_SEAT;
    table->words.catalog = table->catalog;
    table->words.box = &table->box;
    table->words.view = game;
    return true;
}

void parse_table_close(struct parse_table *table)
{
    catalog_destroy(table->catalog);
}

uint16_t parse_table_put(struct parse_table *table, const char *name, unsigned pile, unsigned flags)
{
    struct game *game = &table->game;
    bool ambiguous = false;
    uint16_t def = names_find_def(table->catalog, &table->box, name, &ambiguous);
    for (uint16_t card = 0; def != NO_DEF && card < game->card_count; card++) {
        if (table->box.card_def[card] != def || game->cards[card].pile != PILE_DOOR_DECK) {
            continue;
        }
        struct pile_state *to = &game->piles[pile];
        game->cards[card].pile = (uint8_t)pile;
        game->cards[card].flags = (uint8_t)flags;
        game->cards[card].knowers = 0x3F;
        *(to->first == NO_CARD ? &to->first : &game->cards[to->last].next) = card;
        to->last = card;
        to->count++;
        return card;
    }
    (void)fprintf(stderr, "there is no %s left\n", name);
    return NO_CARD;
}

uint16_t parse_table_monster(struct parse_table *table, const char *name, uint16_t face)
{
    struct fight *fight = &table->game.fight;
    uint16_t card = parse_table_put(table, name, PILE_FIGHT, 0);
    fight->on = 1;
    fight->monsters[fight->monster_count++] =
        (struct monster){.card = card,
                         .face = face == NO_CARD ? card : face,
                         .group = face == NO_CARD ? card : face,
                         .seat = 0};
    table->game.phase = PHASE_COMBAT;
    return card;
}

void parse_table_ask_cards(struct parse_table *table, const uint16_t *cards, unsigned count)
{
    struct decision *decision = &table->game.decision;
    *decision = (struct decision){.open = 1, .kind = DECIDE_CHOOSE_CARDS, .seats = 1, .min = 1};
    decision->max = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) {
        card_set_add(decision->cards, cards[i]);
    }
}

void parse_table_ask(struct parse_table *table, unsigned kind, const uint16_t *options,
                     unsigned count)
{
    struct decision *decision = &table->game.decision;
    *decision = (struct decision){
        .open = 1, .kind = (uint8_t)kind, .seats = 1, .min = 1, .max = (uint8_t)count};
    decision->option_count = (uint8_t)count;
    memcpy(decision->options, options, count * sizeof options[0]);
}

void parse_table_usual(struct parse_table *table)
{
    static const struct {
        const char *name;
        unsigned pile, flags;
    } CARDS[] = {
        {"Enraged", PILE_HAND, 0},
        {"Magic Missile", PILE_HAND, 0},
        {"Thief", PILE_HAND, 0},
        {"Thief", PILE_HAND, 0},
        {"Warrior", PILE_HAND, 0},
        {"conan:Warrior", PILE_HAND, 0},
        {"Lose Your Armor", PILE_HAND, 0},
        {"Cheat!", PILE_HAND, 0},
        {"Wandering Monster", PILE_HAND, 0},
        {"Goblin Auditor", PILE_HAND, 0},
        {"Tin Hat of Certainty", PILE_HAND, 0},
        {"Boots of Butt-Kicking", PILE_TABLE, CARD_EQUIPPED},
        {"Siege Ladder", PILE_TABLE, 0},
        {"Warrior", PILE_TABLE, 0},
        {"Hireling", PILE_TABLE, 0},
        {"Staff of Napalm", PILE_TABLE, 0},
        {"Staff of Mitra", PILE_TABLE, 0},
        {"Yuppie Water", PILE_TABLE, 0},
        {"Flaming Armor", PILE_TABLE + 1, CARD_EQUIPPED},
        {"Mace of Sharpness", PILE_TABLE + 1, 0},
        {"Elf", PILE_TABLE + 1, 0},
        {"Elf", PILE_TABLE + 2, 0},
        {"Cobra Crown", PILE_TABLE + 2, 0},
        {"Kneepads of Allure", PILE_TABLE + 3, 0},
        {"Thief", PILE_DOOR_DISCARD, 0},
    };
    for (size_t i = 0; i < sizeof CARDS / sizeof CARDS[0]; i++) {
        parse_table_put(table, CARDS[i].name, CARDS[i].pile, CARDS[i].flags);
    }
    uint16_t troll = parse_table_monster(table, "Net Troll", NO_CARD);
    parse_table_monster(table, "Tenured Skeleton", NO_CARD);
    parse_table_monster(table, "Mate", troll);
}

/* A growing text. */
struct text {
    char *out;
    size_t size, length;
};

static void add(struct text *text, const char *words)
{
    int wrote = snprintf(text->out + text->length, text->size - text->length, "%s", words);
    text->length += wrote > 0 ? (size_t)wrote : 0;
    if (text->length >= text->size) {
        text->length = text->size - 1;
    }
}

static void add_number(struct text *text, const char *before, unsigned number)
{
    char words[48];
    (void)snprintf(words, sizeof words, "%s%u", before, number);
    add(text, words);
}

static void add_card(struct text *text, const struct parse_table *table, uint16_t card)
{
    static const char *const PLACES[PILE_HAND] = {"?", "?", "d", "d", "u", "f", "r", "a", "b", "x"};
    if (card == NO_CARD) {
        add(text, "none");
        return;
    }
    const struct card_state *state = &table->game.cards[card];
    if (!names_of_house(table->catalog, &table->box, box_def(&table->box, card)->set)) {
        add(text, catalog_set(table->catalog, box_def(&table->box, card)->set)->id);
        add(text, ":");
    }
    add(text, names_card(&table->words, card));
    if (state->pile < PILE_HAND) {
        add(text, "@");
        add(text, PLACES[state->pile]);
    } else if (pile_is_hand(state->pile)) {
        add_number(text, "@h", (unsigned)(state->pile - PILE_HAND));
    } else {
        add_number(text, "@t", (unsigned)(state->pile - PILE_TABLE));
    }
    unsigned before = 1;
    for (uint16_t c = table->game.piles[state->pile].first;
         state->pile != PILE_DOOR_DECK && c != card && c != NO_CARD;
         c = table->game.cards[c].next) {
        before += table->box.card_def[c] == table->box.card_def[card];
    }
    add(text, (state->flags & CARD_EQUIPPED) != 0 ? "*" : "");
    if (before > 1) {
        add_number(text, "+", before);
    }
}

/* Whether the answers to the open question are no cards. */
static bool answers_are_numbers(const struct parse_table *table)
{
    const struct decision *decision = &table->game.decision;
    return decision->open == 0 ||
           (decision->option_count > 0 && decision->kind != DECIDE_CHOOSE_MONSTER);
}

static void add_list(struct text *text, const struct parse_table *table, const char *name,
                     const uint16_t *list, unsigned count)
{
    bool numbers = strncmp(text->out, "choose", 6) == 0 && answers_are_numbers(table);
    if (count == 0) {
        return;
    }
    add(text, name);
    for (unsigned i = 0; i < count; i++) {
        add(text, i == 0 ? "[" : ", ");
        if (!numbers) {
            add_card(text, table, list[i]);
        } else {
            add_number(text, "", list[i]);
        }
    }
    add(text, "]");
}

static void add_to(struct text *text, const char *name, unsigned seat)
{
    if (seat == ALL_SEATS) {
        add(text, name);
        add(text, "all");
    } else if (seat != NO_SEAT) {
        add_number(text, name, seat);
    }
}

void parse_table_dump(const struct parse_table *table, const struct command *command, char *out,
                      size_t size)
{
    struct text text = {.out = out, .size = size, .length = 0};
    out[0] = '\0';
    add(&text, command->verb == VERB_NONE ? "-" : command_word(command->verb));
    if (command->verb == VERB_USE) {
        add(&text, " ");
        add(&text, catalog_ability_name(table->catalog, command->ability));
    }
    if (command->card != NO_CARD) {
        add(&text, " ");
        add_card(&text, table, command->card);
    }
    if (command->target_kind == TARGET_SEAT) {
        add_number(&text, " on seat ", command->target);
    } else if (command->target_kind != TARGET_NONE) {
        add(&text, command->target_kind == TARGET_CARD ? " on card " : " on monster ");
        add_card(&text, table, command->target);
    }
    add(&text, command->side == SIDE_NONE      ? ""
               : command->side == SIDE_PLAYERS ? " for players"
                                               : " for monsters");
    add_list(&text, table, " list", command->list, command->list_count);
    add_list(&text, table, " more", command->more, command->more_count);
    add_to(&text, " to ", command->to);
    add(&text, command->bribe != 0 ? " bribe" : "");
    add_to(&text, " about ", command->about);
    if (command->picking != 0) {
        add_number(&text, " picking ", command->picking);
    }
    if (command->n != 0) {
        add_number(&text, " n ", (unsigned)command->n);
    }
}

static void dump_error(const struct parse_error *error, struct text *text)
{
    add(text, refusal_name(error->why.code));
    add(text, ": ");
    add(text, error->words);
    add(text, " (");
    add(text, error->expected);
    add(text, ")");
    if (error->candidate_count > 0) {
        add_number(text, " ", error->candidate_count);
    }
}

void parse_table_try(const struct parse_table *table, const char *line, char *out, size_t size)
{
    struct request request;
    struct parse_error error;
    struct text text = {.out = out, .size = size, .length = 0};
    out[0] = '\0';
    if (!parse_request(&table->words, line, &request, &error)) {
        dump_error(&error, &text);
        return;
    }
    if (request.kind == REQUEST_GAME) {
        parse_table_dump(table, &request.command, out, size);
        return;
    }
    add(&text, verb_of_kind(request.kind)->word);
    if (request.kind == REQUEST_WHY) {
        add(&text, " ");
        parse_table_dump(table, &request.command, out + text.length, size - text.length);
        return;
    }
    add_to(&text, " player ", request.player);
    if (request.card != NO_DEF) {
        add(&text, " ");
        add(&text, catalog_set(table->catalog, table->box.defs[request.card].set)->id);
        add(&text, ":");
        add(&text, catalog_name(table->catalog, request.card));
    }
    if (request.order != 0) {
        add_number(&text, " order ", request.order);
    }
    if (request.n != 0) {
        add_number(&text, " n ", (unsigned)request.n);
    }
    add(&text, request.text[0] != '\0' ? " text " : "");
    add(&text, request.text);
}
