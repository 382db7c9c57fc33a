// Expectations about the table as a whole.
#include <string.h>

#include <jansson.h>

#include "core/codec/describe.h"

#include "bot/tools/scenario_impl.h"

static const char *const PHASES[PHASE_TOTAL] = {
    [PHASE_SETUP] = "setup",     [PHASE_START] = "start",     [PHASE_OPENED] = "opened",
    [PHASE_COMBAT] = "combat",   [PHASE_RUNNING] = "running", [PHASE_LOOTING_BODY] = "looting_body",
    [PHASE_CHARITY] = "charity", [PHASE_OVER] = "over",
};

bool scenario_same_number(struct scenario *scenario, const char *at, const struct json_t *expected,
                          long found)
{
    if (expected == NULL || json_integer_value(expected) == found) {
        return true;
    }
    char wanted[SCENARIO_PLACE_SIZE];
    char there[SCENARIO_PLACE_SIZE];
    (void)snprintf(there, sizeof there, "%ld", found);
    return scenario_differs(scenario, at, scenario_dump(expected, wanted, sizeof wanted), there);
}

bool scenario_same_word(struct scenario *scenario, const char *at, const struct json_t *expected,
                        const char *found)
{
    if (expected == NULL || (json_is_string(expected) && found != NULL &&
                             strcmp(json_string_value(expected), found) == 0)) {
        return true;
    }
    if (json_is_null(expected) && found == NULL) {
        return true;
    }
    char wanted[SCENARIO_VALUE_SIZE];
    return scenario_differs(scenario, at, scenario_dump(expected, wanted, sizeof wanted),
                            found != NULL ? found : "null");
}

static const char *name_of(struct scenario *scenario, unsigned seat)
{
    return seat < scenario->seat_count ? scenario->names[seat] : NULL;
}

static bool expect_head(struct scenario *scenario, const json_t *expect, const struct game *game)
{
    const unsigned phase = query_phase(game);
    bool same = scenario_same_word(scenario, "turn", json_object_get(expect, "turn"),
                                   name_of(scenario, query_turn(game)));
    same = scenario_same_word(scenario, "phase", json_object_get(expect, "phase"),
                              phase < PHASE_TOTAL ? PHASES[phase] : "?") &&
           same;
    same = scenario_same_number(scenario, "round", json_object_get(expect, "round"),
                                (long)query_round(game)) &&
           same;
    same = scenario_same_number(scenario, "door_count", json_object_get(expect, "door_count"),
                                (long)query_count(game, PILE_DOOR_DECK)) &&
           same;
    same =
        scenario_same_number(scenario, "treasure_count", json_object_get(expect, "treasure_count"),
                             (long)query_count(game, PILE_TREASURE_DECK)) &&
        same;
    const bool open = query_pause(game, PAUSE_WIN).kind != PAUSE_NONE;
    return scenario_same_word(scenario, "window", json_object_get(expect, "window"),
                              open ? "open" : "closed") &&
           same;
}

static bool expect_discards(struct scenario *scenario, const json_t *expect,
                            const struct game *game)
{
    static const struct {
        const char *key;
        unsigned pile;
    } DISCARDS[] = {{"door_discard", PILE_DOOR_DISCARD},
                    {"treasure_discard", PILE_TREASURE_DISCARD}};
    bool same = true;
    for (size_t i = 0; i < sizeof DISCARDS / sizeof DISCARDS[0]; i++) {
        struct card_list list;
        struct scenario_cards cards = {.count = 0};
        query_pile(game, DISCARDS[i].pile, &list);
        for (unsigned j = 0; j < list.count; j++) {
            scenario_cards_add(&cards, list.cards[j], false);
        }
        same = scenario_same_cards(scenario, DISCARDS[i].key,
                                   json_object_get(expect, DISCARDS[i].key), &cards, true) &&
               same;
    }
    return same;
}

static bool expect_fight(struct scenario *scenario, const json_t *combat,
                         const struct query_fight *fight)
{
    struct scenario_cards monsters = {.count = 0};
    for (unsigned i = 0; i < fight->monster_count; i++) {
        const bool copy = fight->face[i] != fight->monster[i];
        scenario_cards_add(&monsters, fight->face[i], copy);
    }
    bool same = scenario_same_number(scenario, "combat.players", json_object_get(combat, "players"),
                                     fight->players);
    same = scenario_same_number(scenario, "combat.monsters", json_object_get(combat, "monsters"),
                                fight->monsters) &&
           same;
    same = scenario_same_word(scenario, "combat.winning", json_object_get(combat, "winning"),
                              fight->players_win ? "players" : "monsters") &&
           same;
    same = scenario_same_word(scenario, "combat.main", json_object_get(combat, "main"),
                              name_of(scenario, fight->main)) &&
           same;
    same = scenario_same_word(scenario, "combat.helper", json_object_get(combat, "helper"),
                              name_of(scenario, fight->helper)) &&
           same;
    same = scenario_same_number(scenario, "combat.treasures", json_object_get(combat, "treasures"),
                                fight->treasures) &&
           same;
    return scenario_same_cards(scenario, "combat.monster_names",
                               json_object_get(combat, "monster_names"), &monsters, false) &&
           same;
}

static bool expect_combat(struct scenario *scenario, const json_t *combat, const struct game *game)
{
    struct query_fight fight;
    if (combat == NULL) {
        return true;
    }
    query_fight(game, scenario->box, &fight);
    if (json_is_null(combat)) {
        return !fight.on || scenario_differs(scenario, "combat", "null", "a fight");
    }
    if (!fight.on) {
        char wanted[SCENARIO_VALUE_SIZE];
        return scenario_differs(scenario, "combat", scenario_dump(combat, wanted, sizeof wanted),
                                "null");
    }
    return expect_fight(scenario, combat, &fight);
}

static bool expect_winners(struct scenario *scenario, const json_t *names, const struct game *game)
{
    if (names == NULL) {
        return true;
    }
    unsigned wanted = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const unsigned seat =
            scenario_seat(scenario, json_string_value(json_array_get(names, i)), "winners");
        if (seat == NO_SEAT) {
            return false;
        }
        wanted |= seat_bit(seat);
    }
    if (wanted == query_winners(game)) {
        return true;
    }
    char expected[SCENARIO_VALUE_SIZE];
    char found[SCENARIO_VALUE_SIZE] = "";
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        if ((query_winners(game) & seat_bit(seat)) != 0) {
            const size_t at = strlen(found);
            (void)snprintf(found + at, sizeof found - at, "%s%s", at > 0 ? ", " : "",
                           scenario->names[seat]);
        }
    }
    return scenario_differs(scenario, "winners", scenario_dump(names, expected, sizeof expected),
                            found[0] != '\0' ? found : "nobody");
}

// Whether a message of the last command went there and holds the text.
static bool was_said(struct scenario *scenario, unsigned seat, const char *text)
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

static bool expect_said(struct scenario *scenario, const json_t *list, const char *at, bool wanted)
{
    bool same = true;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const entry = json_array_get(list, i);
        const char *const to = json_string_value(json_object_get(entry, "to"));
        const char *const text = json_string_value(json_object_get(entry, "contains"));
        unsigned seat = NO_SEAT;
        if (strcmp(to, "table") != 0) {
            seat = scenario_seat(scenario, to, at);
            if (seat == NO_SEAT) {
                return false;
            }
        }
        if (was_said(scenario, seat, text) != wanted) {
            char dumped[SCENARIO_VALUE_SIZE];
            same = scenario_differs(scenario, at, scenario_dump(entry, dumped, sizeof dumped),
                                    wanted ? "it was not said" : "it was said");
        }
    }
    return same;
}

// What the data of cards says in words, by name: whole, without the figures.
static bool expect_sentences(struct scenario *scenario, json_t *sentences)
{
    bool same = true;
    for (void *it = json_object_iter(sentences); it != NULL;
         it = json_object_iter_next(sentences, it)) {
        const char *const name = json_object_iter_key(it);
        const uint16_t def = catalog_find_def(scenario->catalog, name, NO_SET);
        if (def == NO_DEF) {
            return scenario_fail(scenario, "sentences: no card \"%s\"", name);
        }
        char found[DESCRIBE_SIZE];
        char at[SCENARIO_PLACE_SIZE];
        (void)describe_text(scenario->catalog, def, found, sizeof found);
        (void)snprintf(at, sizeof at, "sentences.%.80s", name);
        same = scenario_same_word(scenario, at, json_object_iter_value(it), found) && same;
    }
    return same;
}

static bool expect_seats(struct scenario *scenario, json_t *expect, const char *key,
                         bool (*compare)(struct scenario *, unsigned, struct json_t *))
{
    json_t *const seats = json_object_get(expect, key);
    bool same = true;
    for (void *it = json_object_iter(seats); it != NULL; it = json_object_iter_next(seats, it)) {
        const unsigned seat = scenario_seat(scenario, json_object_iter_key(it), key);
        same = seat != NO_SEAT && compare(scenario, seat, json_object_iter_value(it)) && same;
    }
    return same;
}

bool scenario_expect(struct scenario *scenario, struct json_t *expect)
{
    const struct game *const game = solo_game(scenario->solo);
    bool same = expect_head(scenario, expect, game);
    same = expect_discards(scenario, expect, game) && same;
    same = expect_combat(scenario, json_object_get(expect, "combat"), game) && same;
    same = expect_winners(scenario, json_object_get(expect, "winners"), game) && same;
    same = expect_seats(scenario, expect, "players", scenario_expect_player) && same;
    same = scenario_expect_pending(scenario, json_object_get(expect, "pending")) && same;
    same = expect_seats(scenario, expect, "legal", scenario_expect_legal) && same;
    same = expect_sentences(scenario, json_object_get(expect, "sentences")) && same;
    same = expect_said(scenario, json_object_get(expect, "said"), "said", true) && same;
    return expect_said(scenario, json_object_get(expect, "not_said"), "not_said", false) && same;
}
