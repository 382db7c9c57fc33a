// Cards by name: finding them, taking them, laying the decks, comparing lists of them.
#include <string.h>

#include <jansson.h>

#include "core/loop/arrange.h"

#include "bot/parse/names.h"
#include "bot/tools/scenario_impl.h"

static const char COPY_MARK[] = " (Mate)";

uint16_t scenario_def(struct scenario *scenario, const char *name, const char *at)
{
    bool ambiguous = false;
    const uint16_t def = names_find_def(scenario->catalog, scenario->box, name, &ambiguous);
    if (def == NO_DEF) {
        (void)scenario_fail(scenario, "%s: %s \"%s\"", at,
                            ambiguous ? "several cards fit" : "no card of these sets is called",
                            name);
    }
    return def;
}

uint16_t scenario_take(struct scenario *scenario, const char *name, const char *at)
{
    const uint16_t def = scenario_def(scenario, name, at);
    if (def == NO_DEF) {
        return NO_CARD;
    }
    const uint16_t card = arrange_find(scenario->game, scenario->box, def);
    if (card == NO_CARD) {
        (void)scenario_fail(scenario, "%s: the sets hold no further \"%s\"", at, name);
    }
    return card;
}

uint16_t scenario_on_table(struct scenario *scenario, unsigned seat, const char *name,
                           const char *at)
{
    const uint16_t def = scenario_def(scenario, name, at);
    struct card_list table;
    if (def == NO_DEF) {
        return NO_CARD;
    }
    query_pile(scenario->game, pile_table(seat), &table);
    for (unsigned i = 0; i < table.count; i++) {
        if (scenario->box->card_def[table.cards[i]] == def) {
            return table.cards[i];
        }
    }
    (void)scenario_fail(scenario, "%s: \"%s\" does not lie in front of the player", at, name);
    return NO_CARD;
}

struct deck {
    const char *key, *discard_key;
    unsigned deck, pile, discard_pile;
};

static const struct deck DECKS[] = {
    {"door", "door_discard", DECK_DOOR, PILE_DOOR_DECK, PILE_DOOR_DISCARD},
    {"treasure", "treasure_discard", DECK_TREASURE, PILE_TREASURE_DECK, PILE_TREASURE_DISCARD},
};

static uint16_t take_of_deck(struct scenario *scenario, const struct deck *deck, const char *name,
                             const char *at)
{
    const uint16_t card = scenario_take(scenario, name, at);
    if (card != NO_CARD && box_def(scenario->box, card)->deck != deck->deck) {
        (void)scenario_fail(scenario, "%s: \"%s\" belongs to the other deck", at, name);
        return NO_CARD;
    }
    return card;
}

// Last first: the first named lies on top.
static bool set_discards(struct scenario *scenario, const struct deck *deck)
{
    const json_t *const list = json_object_get(scenario->root, deck->discard_key);
    char at[SCENARIO_PLACE_SIZE];
    for (size_t i = json_array_size(list); i > 0; i--) {
        (void)snprintf(at, sizeof at, "%s[%zu]", deck->discard_key, i - 1);
        const uint16_t card =
            take_of_deck(scenario, deck, json_string_value(json_array_get(list, i - 1)), at);
        if (card == NO_CARD) {
            return false;
        }
        arrange_card(scenario->game, card, deck->discard_pile, 0, NO_CARD);
    }
    return true;
}

static bool is_empty_word(const json_t *value)
{
    const char *const word =
        json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
    return word != NULL && strcmp(word, "empty") == 0 &&
           (!json_is_array(value) || json_array_size(value) == 1);
}

static bool set_deck(struct scenario *scenario, const struct deck *deck, uint16_t *top,
                     unsigned *count)
{
    const json_t *const list = json_object_get(scenario->root, deck->key);
    char at[SCENARIO_PLACE_SIZE];
    *count = 0;
    if (json_is_string(list) && !is_empty_word(list)) {
        return scenario_fail(scenario, "%s is an array of names or \"empty\"", deck->key);
    }
    if (list == NULL || is_empty_word(list)) {
        return true;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        (void)snprintf(at, sizeof at, "%s[%zu]", deck->key, i);
        const uint16_t card =
            take_of_deck(scenario, deck, json_string_value(json_array_get(list, i)), at);
        if (card == NO_CARD) {
            return false;
        }
        // Out of the deck for now, so that the next of the same name is another card.
        arrange_card(scenario->game, card, PILE_ASIDE, 0, NO_CARD);
        top[(*count)++] = card;
    }
    return true;
}

bool scenario_set_decks(struct scenario *scenario)
{
    uint16_t top[MB_CARDS_MAX];
    unsigned count = 0;
    for (size_t i = 0; i < sizeof DECKS / sizeof DECKS[0]; i++) {
        if (!set_discards(scenario, &DECKS[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof DECKS / sizeof DECKS[0]; i++) {
        if (!set_deck(scenario, &DECKS[i], top, &count)) {
            return false;
        }
        arrange_top(scenario->game, DECKS[i].pile, top, count);
        if (is_empty_word(json_object_get(scenario->root, DECKS[i].key))) {
            arrange_empty(scenario->game, DECKS[i].pile);
        }
    }
    return true;
}

// The likeliest place of a card that is to be picked at random: a hand, a table, then anywhere
// else.
static unsigned likelihood(const struct scenario *scenario, uint16_t card)
{
    const unsigned pile = query_where(scenario->game, card);
    if (pile_is_hand(pile)) {
        return 3;
    }
    if (pile_is_table(pile)) {
        return 2;
    }
    return pile < PILE_TOTAL ? 1 : 0;
}

static uint16_t find_pick(const struct scenario *scenario, uint16_t def, const uint16_t *taken,
                          unsigned taken_count)
{
    uint16_t best = NO_CARD;
    for (uint16_t card = 0; card < scenario->box->card_count; card++) {
        bool used = scenario->box->card_def[card] != def;
        for (unsigned i = 0; i < taken_count; i++) {
            used = used || taken[i] == card;
        }
        if (!used && (best == NO_CARD || likelihood(scenario, card) > likelihood(scenario, best))) {
            best = card;
        }
    }
    return best;
}

bool scenario_set_chance(struct scenario *scenario)
{
    enum { DICE_MAX = 16, PICKS_MAX = 8 };
    uint8_t faces[DICE_MAX];
    uint16_t picks[PICKS_MAX];
    const json_t *const dice = json_object_get(scenario->root, "dice");
    const json_t *const names = json_object_get(scenario->root, "picks");
    char at[SCENARIO_PLACE_SIZE];
    if (json_array_size(dice) > DICE_MAX || json_array_size(names) > PICKS_MAX) {
        return scenario_fail(scenario, "at most %d dice and %d picks can be set", (int)DICE_MAX,
                             (int)PICKS_MAX);
    }
    for (size_t i = 0; i < json_array_size(dice); i++) {
        const json_int_t face = json_integer_value(json_array_get(dice, i));
        if (face < 1 || face > 6) {
            return scenario_fail(scenario, "dice[%zu] is no face of a die", i);
        }
        faces[i] = (uint8_t)face;
    }
    for (size_t i = 0; i < json_array_size(names); i++) {
        (void)snprintf(at, sizeof at, "picks[%zu]", i);
        const uint16_t def =
            scenario_def(scenario, json_string_value(json_array_get(names, i)), at);
        if (def == NO_DEF) {
            return false;
        }
        picks[i] = find_pick(scenario, def, picks, (unsigned)i);
        if (picks[i] == NO_CARD) {
            return scenario_fail(scenario, "%s: there is no further copy of it", at);
        }
    }
    arrange_dice(scenario->game, faces, (unsigned)json_array_size(dice));
    arrange_picks(scenario->game, picks, (unsigned)json_array_size(names));
    return true;
}

void scenario_cards_add(struct scenario_cards *list, uint16_t card, bool copy)
{
    if (list->count < MB_CARDS_MAX) {
        list->cards[list->count] = card;
        list->copy[list->count] = copy;
        list->count++;
    }
}

void scenario_card_name(struct scenario *scenario, uint16_t card, bool copy, char *out, size_t size)
{
    const char *const name = card < scenario->box->card_count
                                 ? catalog_name(scenario->catalog, scenario->box->card_def[card])
                                 : "(unknown)";
    (void)snprintf(out, size, "%s%s", name, copy ? COPY_MARK : "");
}

const char *scenario_cards_text(struct scenario *scenario, const struct scenario_cards *cards,
                                char *out, size_t size)
{
    size_t at = 0;
    (void)snprintf(out, size, "[");
    at = 1;
    for (unsigned i = 0; i < cards->count && at < size; i++) {
        char name[SCENARIO_PLACE_SIZE * 2];
        scenario_card_name(scenario, cards->cards[i], cards->copy[i], name, sizeof name);
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
static bool name_means(struct scenario *scenario, const char *name, uint16_t card, bool copy)
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

static bool same_in_order(struct scenario *scenario, const json_t *expected,
                          const struct scenario_cards *found)
{
    if (json_array_size(expected) > found->count) {
        return false;
    }
    for (unsigned i = 0; i < json_array_size(expected); i++) {
        if (!name_means(scenario, json_string_value(json_array_get(expected, i)), found->cards[i],
                        found->copy[i])) {
            return false;
        }
    }
    return true;
}

bool scenario_cards_are(struct scenario *scenario, const struct json_t *expected,
                        const struct scenario_cards *found, bool ordered)
{
    bool used[MB_CARDS_MAX] = {false};
    if (ordered) {
        return same_in_order(scenario, expected, found);
    }
    if (json_array_size(expected) != found->count) {
        return false;
    }
    for (size_t i = 0; i < found->count; i++) {
        const char *const name = json_string_value(json_array_get(expected, i));
        unsigned at = 0;
        while (at < found->count &&
               (used[at] || !name_means(scenario, name, found->cards[at], found->copy[at]))) {
            at++;
        }
        if (at == found->count) {
            return false;
        }
        used[at] = true;
    }
    return true;
}

bool scenario_same_cards(struct scenario *scenario, const char *at, const struct json_t *expected,
                         const struct scenario_cards *found, bool ordered)
{
    if (expected == NULL || scenario_cards_are(scenario, expected, found, ordered)) {
        return true;
    }
    char wanted[SCENARIO_VALUE_SIZE];
    char there[SCENARIO_VALUE_SIZE];
    return scenario_differs(scenario, at, scenario_dump(expected, wanted, sizeof wanted),
                            scenario_cards_text(scenario, found, there, sizeof there));
}
