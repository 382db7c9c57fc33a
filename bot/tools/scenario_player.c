// Expectations about one player.
#include <string.h>

#include <jansson.h>

#include "bot/tools/scenario_impl.h"

// Which of the cards on a table a list means.
struct card_pick {
    const char *key;
    enum { PICK_ALL, PICK_EQUIPPED, PICK_CARRIED, PICK_KIND } by;
    unsigned kind; // enum card_kind, of PICK_KIND
};

static bool is_equipped(const struct scenario *scenario, const struct game *game, uint16_t card)
{
    const uint16_t host = query_host(game, card);
    const bool follower =
        host < scenario->box->card_count && box_def(scenario->box, host)->kind == KIND_FOLLOWER;
    return (query_flags(game, card) & CARD_EQUIPPED) != 0 || follower;
}

static bool picks(const struct scenario *scenario, const struct game *game, uint16_t card,
                  const struct card_pick *pick)
{
    const unsigned kind = box_def(scenario->box, card)->kind;
    switch (pick->by) {
    case PICK_ALL:
        return true;
    case PICK_EQUIPPED:
        return kind_is_item(kind) && is_equipped(scenario, game, card);
    case PICK_CARRIED:
        return kind_is_item(kind) && !is_equipped(scenario, game, card);
    case PICK_KIND:
        break;
    }
    return kind == pick->kind;
}

static bool expect_lists(struct scenario *scenario, unsigned seat, const json_t *expect,
                         const struct game *game)
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
    struct card_list table;
    bool same = true;
    query_pile(game, pile_table(seat), &table);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        struct scenario_cards cards = {.count = 0};
        char at[SCENARIO_PLACE_SIZE];
        for (unsigned j = 0; j < table.count; j++) {
            if (picks(scenario, game, table.cards[j], &LISTS[i])) {
                scenario_cards_add(&cards, table.cards[j], false);
            }
        }
        (void)snprintf(at, sizeof at, "players.%s.%s", scenario->names[seat], LISTS[i].key);
        same = scenario_same_cards(scenario, at, json_object_get(expect, LISTS[i].key), &cards,
                                   false) &&
               same;
    }
    return same;
}

static bool expect_hand(struct scenario *scenario, unsigned seat, const json_t *expect,
                        const struct game *game)
{
    struct card_list hand;
    struct scenario_cards cards = {.count = 0};
    char at[SCENARIO_PLACE_SIZE];
    query_pile(game, pile_hand(seat), &hand);
    for (unsigned i = 0; i < hand.count; i++) {
        scenario_cards_add(&cards, hand.cards[i], false);
    }
    (void)snprintf(at, sizeof at, "players.%s.hand", scenario->names[seat]);
    return scenario_same_cards(scenario, at, json_object_get(expect, "hand"), &cards, false);
}

static bool expect_numbers(struct scenario *scenario, unsigned seat, const json_t *expect,
                           const struct game *game)
{
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
    bool same = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char at[SCENARIO_PLACE_SIZE];
        (void)snprintf(at, sizeof at, "players.%s.%s", scenario->names[seat], numbers[i].key);
        same = scenario_same_number(scenario, at, json_object_get(expect, numbers[i].key),
                                    numbers[i].found) &&
               same;
    }
    return same;
}

bool scenario_expect_player(struct scenario *scenario, unsigned seat, struct json_t *expect)
{
    const struct game *const game = solo_game(scenario->solo);
    const json_t *const alive = json_object_get(expect, "alive");
    char at[SCENARIO_PLACE_SIZE];
    bool same = expect_numbers(scenario, seat, expect, game);
    same = expect_hand(scenario, seat, expect, game) && same;
    same = expect_lists(scenario, seat, expect, game) && same;
    (void)snprintf(at, sizeof at, "players.%s.sex", scenario->names[seat]);
    same = scenario_same_word(scenario, at, json_object_get(expect, "sex"),
                              query_female(game, seat) ? "female" : "male") &&
           same;
    if (alive != NULL && json_is_true(alive) != query_alive(game, seat)) {
        (void)snprintf(at, sizeof at, "players.%s.alive", scenario->names[seat]);
        return scenario_differs(scenario, at, json_is_true(alive) ? "true" : "false",
                                query_alive(game, seat) ? "true" : "false");
    }
    return same;
}
