// What is expected of the table, of players, of open decisions and of what may be done. All of it
// is compared, and each difference is told.
#include <string.h>

#include <jansson.h>

#include "core/codec/describe.h"
#include "core/game.h"

#include "bot/parse/parse.h"
#include "bot/tools/scenario_impl.h"

static const char COPY_MARK[] = " (Mate)";

// An object of expectations, and the place of its members: "players.Ann."
struct expected {
    json_t *object;
    char place[SCENARIO_PLACE_SIZE];
};

// Cards as they are named in lists, a copy of a monster marked.
struct scenario_cards {
    unsigned count;
    uint16_t cards[MB_CARDS_MAX];
    bool copy[MB_CARDS_MAX];
};

/* Single values. */

static void note_difference(struct scenario *scenario, const struct expected *expected,
                            const char *key, const char *found)
{
    char at[SCENARIO_PLACE_SIZE * 2];
    char wanted[SCENARIO_VALUE_SIZE];
    (void)snprintf(at, sizeof at, "%s%s", expected->place, key);
    (void)scenario_dump(json_object_get(expected->object, key), wanted, sizeof wanted);
    (void)scenario_differs(scenario, at, wanted, found);
}

static void compare_number(struct scenario *scenario, const struct expected *expected,
                           const char *key, long found)
{
    const json_t *const value = json_object_get(expected->object, key);
    char there[SCENARIO_PLACE_SIZE];
    if (value != NULL && json_integer_value(value) != found) {
        (void)snprintf(there, sizeof there, "%ld", found);
        note_difference(scenario, expected, key, there);
    }
}

// A word, or nothing, which is null.
static void compare_word(struct scenario *scenario, const struct expected *expected,
                         const char *key, const char *found)
{
    const json_t *const value = json_object_get(expected->object, key);
    const char *const word = json_string_value(value);
    const bool same = word != NULL && found != NULL ? strcmp(word, found) == 0
                                                    : json_is_null(value) && found == NULL;
    if (value != NULL && !same) {
        note_difference(scenario, expected, key, found != NULL ? found : "null");
    }
}

static void compare_flag(struct scenario *scenario, const struct expected *expected,
                         const char *key, bool found)
{
    const json_t *const value = json_object_get(expected->object, key);
    if (value != NULL && json_is_true(value) != found) {
        note_difference(scenario, expected, key, found ? "true" : "false");
    }
}

/* Lists of cards. */

static void add_card(struct scenario_cards *list, uint16_t card, bool copy)
{
    if (list->count < MB_CARDS_MAX) {
        list->cards[list->count] = card;
        list->copy[list->count] = copy;
        list->count++;
    }
}

static void put_card_name(struct scenario *scenario, uint16_t card, bool copy, char *out,
                          size_t size)
{
    const char *const name = card < scenario->box->card_count
                                 ? catalog_name(scenario->catalog, scenario->box->card_def[card])
                                 : "(unknown)";
    (void)snprintf(out, size, "%s%s", name, copy ? COPY_MARK : "");
}

static const char *cards_text(struct scenario *scenario, const struct scenario_cards *cards,
                              char *out, size_t size)
{
    size_t at = 0;
    (void)snprintf(out, size, "[");
    at = 1;
    for (unsigned i = 0; i < cards->count && at < size; i++) {
        char name[SCENARIO_PLACE_SIZE * 2];
        put_card_name(scenario, cards->cards[i], cards->copy[i], name, sizeof name);
        const int length = snprintf(out + at, size - at, "%s%s", i > 0 ? ", " : "", name);
        at += length > 0 ? (size_t)length : 0;
    }
    if (at + 1 < size) {
        out[at] = ']';
        out[at + 1] = '\0';
    }
    return out;
}

// Whether a name means this card: the same kind of card, or one of the same name unless the set was
// said.
static bool name_means_card(struct scenario *scenario, const char *name, uint16_t card, bool copy)
{
    char bare[SCENARIO_PLACE_SIZE * 2];
    const size_t length = strlen(name);
    const size_t mark = sizeof COPY_MARK - 1;
    const bool wants_copy = length > mark && strcmp(name + length - mark, COPY_MARK) == 0;
    (void)snprintf(bare, sizeof bare, "%.*s", (int)(wants_copy ? length - mark : length), name);
    const uint16_t def = scenario_def(scenario, bare, "an expected card");
    if (def == NO_DEF || wants_copy != copy || card >= scenario->box->card_count) {
        return false;
    }
    const uint16_t found = scenario->box->card_def[card];
    return found == def || (strchr(bare, ':') == NULL &&
                            scenario->box->defs[found].name == scenario->box->defs[def].name);
}

static bool cards_are_in_order(struct scenario *scenario, const json_t *expected,
                               const struct scenario_cards *found)
{
    if (json_array_size(expected) > found->count) {
        return false;
    }
    for (unsigned i = 0; i < json_array_size(expected); i++) {
        if (!name_means_card(scenario, json_string_value(json_array_get(expected, i)),
                             found->cards[i], found->copy[i])) {
            return false;
        }
    }
    return true;
}

static bool cards_are(struct scenario *scenario, const json_t *expected,
                      const struct scenario_cards *found, bool ordered)
{
    bool used[MB_CARDS_MAX] = {false};
    if (ordered) {
        return cards_are_in_order(scenario, expected, found);
    }
    if (json_array_size(expected) != found->count) {
        return false;
    }
    for (size_t i = 0; i < found->count; i++) {
        const char *const name = json_string_value(json_array_get(expected, i));
        unsigned at = 0;
        while (at < found->count &&
               (used[at] || !name_means_card(scenario, name, found->cards[at], found->copy[at]))) {
            at++;
        }
        if (at == found->count) {
            return false;
        }
        used[at] = true;
    }
    return true;
}

// Ordered: in this order, and a shorter list is a start.
static void compare_cards(struct scenario *scenario, const struct expected *expected,
                          const char *key, const struct scenario_cards *found, bool ordered)
{
    const json_t *const value = json_object_get(expected->object, key);
    char there[SCENARIO_VALUE_SIZE];
    if (value != NULL && !cards_are(scenario, value, found, ordered)) {
        note_difference(scenario, expected, key, cards_text(scenario, found, there, sizeof there));
    }
}

static void compare_pile(struct scenario *scenario, const struct expected *expected,
                         const char *key, unsigned pile, bool ordered)
{
    struct card_list list;
    struct scenario_cards cards = {.count = 0};
    query_pile(solo_game(scenario->solo), pile, &list);
    for (unsigned i = 0; i < list.count; i++) {
        add_card(&cards, list.cards[i], false);
    }
    compare_cards(scenario, expected, key, &cards, ordered);
}

/* A player. */

// Which of the cards on a table a list means.
struct card_pick {
    const char *key;
    enum { PICK_ALL, PICK_EQUIPPED, PICK_CARRIED, PICK_KIND } by;
    unsigned kind; // enum card_kind, of PICK_KIND
};

static bool card_is_equipped(const struct scenario *scenario, const struct game *game,
                             uint16_t card)
{
    const uint16_t host = query_host(game, card);
    const bool follower =
        host < scenario->box->card_count && box_def(scenario->box, host)->kind == KIND_FOLLOWER;
    return (query_flags(game, card) & CARD_EQUIPPED) != 0 || follower;
}

static bool picks_card(const struct scenario *scenario, const struct game *game, uint16_t card,
                       const struct card_pick *pick)
{
    const unsigned kind = box_def(scenario->box, card)->kind;
    switch (pick->by) {
    case PICK_ALL:
        return true;
    case PICK_EQUIPPED:
        return kind_is_item(kind) && card_is_equipped(scenario, game, card);
    case PICK_CARRIED:
        return kind_is_item(kind) && !card_is_equipped(scenario, game, card);
    case PICK_KIND:
        break;
    }
    return kind == pick->kind;
}

static void expect_table_cards(struct scenario *scenario, unsigned seat,
                               const struct expected *expected)
{
    static const struct card_pick LISTS[] = {
        {"in_play", PICK_ALL, 0},
        {"equipped", PICK_EQUIPPED, 0},
        {"carried", PICK_CARRIED, 0},
        {"classes", PICK_KIND, KIND_CLASS},
        {"races", PICK_KIND, KIND_RACE},
        {"factions", PICK_KIND, KIND_FACTION},
        {"birthrights", PICK_KIND, KIND_BIRTHRIGHT},
        {"powers", PICK_KIND, KIND_POWER},
        {"curses", PICK_KIND, KIND_CURSE},
    };
    const struct game *const game = solo_game(scenario->solo);
    struct card_list table;
    query_pile(game, pile_table(seat), &table);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        struct scenario_cards cards = {.count = 0};
        for (unsigned j = 0; j < table.count; j++) {
            if (picks_card(scenario, game, table.cards[j], &LISTS[i])) {
                add_card(&cards, table.cards[j], false);
            }
        }
        compare_cards(scenario, expected, LISTS[i].key, &cards, false);
    }
}

static void expect_player(struct scenario *scenario, unsigned seat, const struct expected *expected)
{
    const struct game *const game = solo_game(scenario->solo);
    const struct box *const box = scenario->box;
    const struct {
        const char *key;
        long found;
    } numbers[] = {
        {"level", (long)query_level(game, seat)},
        {"strength", query_strength(game, box, seat)},
        {"hand_count", (long)query_count(game, pile_hand(seat))},
        {"hand_limit", query_hand_limit(game, box, seat)},
        {"run_bonus", query_run_bonus(game, box, seat)},
        {"rank_total", query_rank_total(game, box, seat)},
        {"rank_limit", query_rank_limit(game, box, seat)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        compare_number(scenario, expected, numbers[i].key, numbers[i].found);
    }
    compare_pile(scenario, expected, "hand", pile_hand(seat), false);
    expect_table_cards(scenario, seat, expected);
    compare_word(scenario, expected, "sex", query_female(game, seat) ? "female" : "male");
    compare_flag(scenario, expected, "alive", query_alive(game, seat));
}

/* Open decisions: the core's questions, answer moments, asks and offers. */

static const char *const KINDS[DECIDE_TOTAL] = {
    [DECIDE_CHOOSE_CARD] = "choose_card",
    [DECIDE_CHOOSE_CARDS] = "choose_cards",
    [DECIDE_CHOOSE_PLAYER] = "choose_player",
    [DECIDE_CHOOSE_MONSTER] = "choose_monster",
    [DECIDE_YES_NO] = "yes_no",
    [DECIDE_ORDER] = "order",
    [DECIDE_NUMBER] = "number",
    [DECIDE_ASK_HELP] = "ask_help",
    [DECIDE_OFFER] = "offer",
    [DECIDE_PICK_TREASURE] = "pick_treasure",
    [DECIDE_LOOT_BODY] = "loot_body",
    [DECIDE_CHARITY] = "charity",
    [DECIDE_ANSWER] = "answer",
};

// An open decision of one player, its options in words.
struct pending {
    unsigned seat, kind;
    bool cards;
    struct scenario_cards card_options;
    unsigned count;
    char words[MB_OPTIONS_MAX][PERSON_NAME_SIZE];
};

static void add_option_word(struct pending *pending, const char *word)
{
    if (pending->count < MB_OPTIONS_MAX) {
        (void)snprintf(pending->words[pending->count++], PERSON_NAME_SIZE, "%s", word);
    }
}

static bool monster_is_copy(const struct query_fight *fight, uint16_t card, uint16_t *face)
{
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if (fight->monster[i] == card && fight->face[i] != card) {
            *face = fight->face[i];
            return true;
        }
    }
    *face = card;
    return false;
}

static void add_option(struct scenario *scenario, struct pending *pending,
                       const struct query_fight *fight, uint16_t option)
{
    char number[16];
    if (pending->cards) {
        uint16_t face = option;
        const bool copy =
            pending->kind == DECIDE_CHOOSE_MONSTER && monster_is_copy(fight, option, &face);
        add_card(&pending->card_options, face, copy);
    } else if (pending->kind == DECIDE_CHOOSE_PLAYER || pending->kind == DECIDE_ASK_HELP) {
        add_option_word(pending, option < scenario->seat_count ? scenario->names[option] : "?");
    } else if (pending->kind == DECIDE_YES_NO) {
        add_option_word(pending, option != 0 ? "yes" : "no");
    } else {
        (void)snprintf(number, sizeof number, "%u", (unsigned)option);
        add_option_word(pending, number);
    }
}

static bool find_decision(struct scenario *scenario, unsigned seat, struct pending *out)
{
    const struct game *const game = solo_game(scenario->solo);
    struct query_decision decision;
    struct query_fight fight;
    query_decision(game, scenario->box, seat, &decision);
    if (decision.kind >= DECIDE_TOTAL) {
        return false;
    }
    query_fight(game, scenario->box, &fight);
    *out = (struct pending){.seat = seat,
                            .kind = decision.kind,
                            .cards = decision.options_are_cards ||
                                     decision.kind == DECIDE_CHOOSE_MONSTER};
    for (unsigned i = 0; i < decision.option_count; i++) {
        add_option(scenario, out, &fight, decision.options[i]);
    }
    return true;
}

static bool list_has_word(const json_t *options, const char *word)
{
    char number[32];
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *const option = json_array_get(options, i);
        (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(option));
        const char *const text = json_is_string(option) ? json_string_value(option) : number;
        if (strcmp(text, word) == 0) {
            return true;
        }
    }
    return false;
}

static bool options_are(struct scenario *scenario, const json_t *options,
                        const struct pending *pending)
{
    if (options == NULL) {
        return true;
    }
    if (pending->cards) {
        return cards_are(scenario, options, &pending->card_options, false);
    }
    bool same = json_array_size(options) == pending->count;
    for (unsigned i = 0; i < pending->count; i++) {
        same = same && list_has_word(options, pending->words[i]);
    }
    return same;
}

static bool decision_matches(struct scenario *scenario, const json_t *expect,
                             const struct pending *pending)
{
    const char *const player = json_string_value(json_object_get(expect, "player"));
    const char *const kind = json_string_value(json_object_get(expect, "kind"));
    return (player == NULL || strcmp(player, scenario->names[pending->seat]) == 0) &&
           (kind == NULL || strcmp(kind, KINDS[pending->kind]) == 0) &&
           options_are(scenario, json_object_get(expect, "options"), pending);
}

static void describe_decision(struct scenario *scenario, const struct pending *pending, char *out,
                              size_t size)
{
    char options[SCENARIO_VALUE_SIZE] = "";
    const size_t used = strnlen(out, size);
    if (pending->cards) {
        (void)cards_text(scenario, &pending->card_options, options, sizeof options);
    }
    for (unsigned i = 0; i < pending->count; i++) {
        const size_t at = strlen(options);
        (void)snprintf(options + at, sizeof options - at, "%s%s", i > 0 ? ", " : "",
                       pending->words[i]);
    }
    (void)snprintf(out + used, size - used, "%s%s: %s %s", used > 0 ? "; " : "",
                   scenario->names[pending->seat], KINDS[pending->kind], options);
}

// Looks at one open decision: notes what it is, says whether it is the one wanted.
static bool visit_decision(struct scenario *scenario, const json_t *expect,
                           const struct pending *pending, char *found)
{
    if (json_is_object(expect) && decision_matches(scenario, expect, pending)) {
        return true;
    }
    describe_decision(scenario, pending, found, SCENARIO_VALUE_SIZE);
    return false;
}

static bool visit_decisions(struct scenario *scenario, const json_t *expect, char *found)
{
    const struct pause moment = query_pause(solo_game(scenario->solo), PAUSE_ANSWER);
    struct pending pending;
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        if (find_decision(scenario, seat, &pending)) {
            if (visit_decision(scenario, expect, &pending, found)) {
                return true;
            }
            // Who asked all picks a player among those who accept: both words name that question.
            pending.kind =
                pending.kind == DECIDE_ASK_HELP ? (unsigned)DECIDE_CHOOSE_PLAYER : pending.kind;
            if (json_is_object(expect) && decision_matches(scenario, expect, &pending)) {
                return true;
            }
        }
        if (moment.kind != PAUSE_NONE && (moment.waited & ~moment.passed & seat_bit(seat)) != 0) {
            pending = (struct pending){.seat = seat, .kind = DECIDE_ANSWER};
            if (visit_decision(scenario, expect, &pending, found)) {
                return true;
            }
        }
    }
    return false;
}

// Asks and offers block nobody: they are open decisions of the one asked, but never in the way of
// `null`.
static bool visit_deals(struct scenario *scenario, const json_t *expect, char *found)
{
    const struct game *const game = solo_game(scenario->solo);
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
            const bool asked = deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
            if (!asked || ((deal->accepted | deal->refused) & seat_bit(seat)) != 0) {
                continue;
            }
            struct pending pending = {
                .seat = seat, .kind = deal->kind == DEAL_ASK ? DECIDE_ASK_HELP : DECIDE_OFFER};
            add_option_word(&pending, "yes");
            add_option_word(&pending, "no");
            if (visit_decision(scenario, expect, &pending, found)) {
                return true;
            }
        }
    }
    return false;
}

static void expect_pending(struct scenario *scenario, const struct expected *expected)
{
    const json_t *const value = json_object_get(expected->object, "pending");
    char found[SCENARIO_VALUE_SIZE] = "";
    const bool there =
        value != NULL && (visit_decisions(scenario, value, found) ||
                          (!json_is_null(value) && visit_deals(scenario, value, found)));
    if (value != NULL && !there && (!json_is_null(value) || found[0] != '\0')) {
        note_difference(scenario, expected, "pending", found[0] != '\0' ? found : "null");
    }
}

/* What a player may do. */

static bool lists_verb(const struct scenario *scenario, unsigned verb)
{
    for (uint32_t i = 0; i < scenario->moves.count; i++) {
        if (scenario->moves.items[i].command.verb == verb) {
            return true;
        }
    }
    return false;
}

enum legal { LEGAL_NO, LEGAL_YES, LEGAL_NONSENSE };

// Words that mean nothing in this game are a mistake of the file, not an illegal command.
static enum legal judge_parse_error(const struct parse_error *error)
{
    const unsigned code = error->why.code;
    return code == REFUSAL_UNKNOWN_COMMAND || code == REFUSAL_NO_SUCH_CARD ||
                   code == REFUSAL_NO_SUCH_PLAYER
               ? LEGAL_NONSENSE
               : LEGAL_NO;
}

static enum legal judge_command(struct scenario *scenario, unsigned seat, const char *words)
{
    const unsigned verb = command_find(words);
    if (verb != VERB_NONE) {
        return lists_verb(scenario, verb) ? LEGAL_YES : LEGAL_NO;
    }
    struct table_words table;
    struct request request = {0};
    struct parse_error error = {0};
    solo_words(scenario->solo, seat, &table);
    if (!parse_request(&table, words, &request, &error)) {
        return judge_parse_error(&error);
    }
    if (request.kind != REQUEST_GAME) {
        return LEGAL_YES; // looking is always allowed
    }
    struct command command = request.command;
    struct refusal why = {0};
    command.seat = (uint8_t)seat;
    // A completion of a template must be valid too, so the core is asked in any case.
    const struct game *const game = solo_game(scenario->solo);
    if (!game_check(game, scenario->box, &command, &why)) {
        return LEGAL_NO;
    }
    for (uint32_t i = 0; i < scenario->moves.count; i++) {
        if (move_matches(&scenario->moves.items[i], &command)) {
            return LEGAL_YES;
        }
    }
    // Parts that may be left out: a listed move fills them in.
    return invariants_listed(game, scenario->box, &scenario->moves, &command) ? LEGAL_YES
                                                                              : LEGAL_NO;
}

static void expect_commands(struct scenario *scenario, unsigned seat,
                            const struct expected *expected, const char *key, enum legal wanted)
{
    static const char *const FOUND[] = {
        [LEGAL_NO] = "not legal",
        [LEGAL_YES] = "legal",
        [LEGAL_NONSENSE] = "no command of this game",
    };
    const json_t *const list = json_object_get(expected->object, key);
    char at[SCENARIO_PLACE_SIZE * 2];
    (void)snprintf(at, sizeof at, "%s%s", expected->place, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const words = json_string_value(json_array_get(list, i));
        const enum legal found = judge_command(scenario, seat, words);
        if (found != wanted) {
            (void)scenario_differs(scenario, at, words, FOUND[found]);
        }
    }
}

static void expect_legal(struct scenario *scenario, unsigned seat, const struct expected *expected)
{
    scenario_list_moves(scenario, seat);
    expect_commands(scenario, seat, expected, "includes", LEGAL_YES);
    expect_commands(scenario, seat, expected, "excludes", LEGAL_NO);
}

/* The table as a whole. */

static const char *const PHASES[PHASE_TOTAL] = {
    [PHASE_SETUP] = "setup",     [PHASE_START] = "start",     [PHASE_OPENED] = "opened",
    [PHASE_COMBAT] = "combat",   [PHASE_RUNNING] = "running", [PHASE_LOOTING_BODY] = "looting_body",
    [PHASE_CHARITY] = "charity", [PHASE_OVER] = "over",
};

static const char *seat_name(struct scenario *scenario, unsigned seat)
{
    return seat < scenario->seat_count ? scenario->names[seat] : NULL;
}

static void expect_head(struct scenario *scenario, const struct expected *expected)
{
    const struct game *const game = solo_game(scenario->solo);
    const unsigned phase = query_phase(game);
    const bool open = query_pause(game, PAUSE_WIN).kind != PAUSE_NONE;
    compare_word(scenario, expected, "turn", seat_name(scenario, query_turn(game)));
    compare_word(scenario, expected, "phase", phase < PHASE_TOTAL ? PHASES[phase] : "?");
    compare_number(scenario, expected, "round", (long)query_round(game));
    compare_number(scenario, expected, "door_count", (long)query_count(game, PILE_DOOR_DECK));
    compare_number(scenario, expected, "treasure_count",
                   (long)query_count(game, PILE_TREASURE_DECK));
    compare_word(scenario, expected, "window", open ? "open" : "closed");
    compare_pile(scenario, expected, "door_discard", PILE_DOOR_DISCARD, true);
    compare_pile(scenario, expected, "treasure_discard", PILE_TREASURE_DISCARD, true);
}

static void expect_combat(struct scenario *scenario, const struct expected *expected)
{
    json_t *const combat = json_object_get(expected->object, "combat");
    const struct expected its = {.object = combat, .place = "combat."};
    struct query_fight fight;
    struct scenario_cards monsters = {.count = 0};
    query_fight(solo_game(scenario->solo), scenario->box, &fight);
    if (combat != NULL && json_is_null(combat) == fight.on) {
        note_difference(scenario, expected, "combat", fight.on ? "a fight" : "null");
    }
    if (combat == NULL || json_is_null(combat) || !fight.on) {
        return;
    }
    for (unsigned i = 0; i < fight.monster_count; i++) {
        add_card(&monsters, fight.face[i], fight.face[i] != fight.monster[i]);
    }
    compare_number(scenario, &its, "players", fight.players);
    compare_number(scenario, &its, "monsters", fight.monsters);
    compare_word(scenario, &its, "winning", fight.players_win ? "players" : "monsters");
    compare_word(scenario, &its, "main", seat_name(scenario, fight.main));
    compare_word(scenario, &its, "helper", seat_name(scenario, fight.helper));
    compare_number(scenario, &its, "treasures", fight.treasures);
    compare_cards(scenario, &its, "monster_names", &monsters, false);
}

static void expect_winners(struct scenario *scenario, const struct expected *expected)
{
    const json_t *const names = json_object_get(expected->object, "winners");
    const unsigned winners = query_winners(solo_game(scenario->solo));
    char found[SCENARIO_VALUE_SIZE] = "";
    unsigned wanted = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const unsigned seat =
            scenario_seat(scenario, json_string_value(json_array_get(names, i)), "winners");
        if (seat == NO_SEAT) {
            return;
        }
        wanted |= seat_bit(seat);
    }
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        if ((winners & seat_bit(seat)) != 0) {
            const size_t at = strlen(found);
            (void)snprintf(found + at, sizeof found - at, "%s%s", at > 0 ? ", " : "",
                           scenario->names[seat]);
        }
    }
    if (names != NULL && wanted != winners) {
        note_difference(scenario, expected, "winners", found[0] != '\0' ? found : "nobody");
    }
}

// Whether a message of the last command went there and holds the text.
static bool text_was_said(struct scenario *scenario, unsigned seat, const char *text)
{
    const struct message_list *const said = solo_outbox(scenario->solo);
    for (size_t i = 0; i < said->count; i++) {
        const struct message *const message = &said->items[i];
        const bool open = message->to == MESSAGE_TABLE;
        if ((open ? seat == NO_SEAT : seat == message->seat) &&
            strstr(message->text, text) != NULL) {
            return true;
        }
    }
    return false;
}

static void expect_said(struct scenario *scenario, const struct expected *expected, const char *key,
                        bool wanted)
{
    const json_t *const list = json_object_get(expected->object, key);
    char dumped[SCENARIO_VALUE_SIZE];
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(list, i, entry)
    {
        const char *const to = json_string_value(json_object_get(entry, "to"));
        const char *const text = json_string_value(json_object_get(entry, "contains"));
        const bool open = strcmp(to, "table") == 0;
        const unsigned seat = open ? NO_SEAT : scenario_seat(scenario, to, key);
        if (!open && seat == NO_SEAT) {
            return;
        }
        if (text_was_said(scenario, seat, text) != wanted) {
            (void)scenario_differs(scenario, key, scenario_dump(entry, dumped, sizeof dumped),
                                   wanted ? "it was not said" : "it was said");
        }
    }
}

// What the data of cards says in words, by name: whole, without the figures.
static void expect_sentences(struct scenario *scenario, const struct expected *expected)
{
    const struct expected its = {.object = json_object_get(expected->object, "sentences"),
                                 .place = "sentences."};
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach(its.object, name, value)
    {
        const uint16_t def = catalog_find_def(scenario->catalog, name, NO_SET);
        char found[DESCRIBE_SIZE];
        if (def == NO_DEF) {
            (void)scenario_fail(scenario, "sentences: no card \"%s\"", name);
            return;
        }
        (void)describe_text(scenario->catalog, def, found, sizeof found);
        compare_word(scenario, &its, name, found);
    }
}

static void expect_seats(struct scenario *scenario, const struct expected *expected,
                         const char *key,
                         void (*expect)(struct scenario *, unsigned, const struct expected *))
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(json_object_get(expected->object, key), name, value)
    {
        const unsigned seat = scenario_seat(scenario, name, key);
        struct expected its = {.object = value};
        (void)snprintf(its.place, sizeof its.place, "%s.%s.", key, name);
        if (seat != NO_SEAT) {
            expect(scenario, seat, &its);
        }
    }
}

bool scenario_expect(struct scenario *scenario, struct json_t *expect)
{
    const struct expected expected = {.object = expect, .place = ""};
    expect_head(scenario, &expected);
    expect_combat(scenario, &expected);
    expect_winners(scenario, &expected);
    expect_seats(scenario, &expected, "players", expect_player);
    expect_pending(scenario, &expected);
    expect_seats(scenario, &expected, "legal", expect_legal);
    expect_sentences(scenario, &expected);
    expect_said(scenario, &expected, "said", true);
    expect_said(scenario, &expected, "not_said", false);
    return !scenario->report->failed;
}
