// What differs: hidden cards of one seat change places with undrawn ones of the same deck.
#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "tests/twins/twins.h"

enum { SWAP_ALL = 4, TRIES = 64, HAND_CARDS = 3, TREASURES = 3, DECK_LEAST = 8 };

// The card at a place of a pile, NO_CARD beyond its end.
static uint16_t card_at(const struct game *game, unsigned pile, unsigned place)
{
    uint16_t card = query_first(game, pile);
    while (card != NO_CARD && place-- > 0) {
        card = query_next(game, card);
    }
    return card;
}

// An undrawn card of the same back, from the half of the deck that is drawn last.
static uint16_t deep_card(struct twins *twins, const struct game *game, uint16_t like)
{
    const unsigned pile = PILE_DOOR_DECK + box_def(&twins->box, like)->deck;
    const unsigned count = query_count(game, pile);
    for (unsigned i = 0; i < TRIES && count > 1; i++) {
        const unsigned from = count / 2;
        const uint16_t card = card_at(game, pile, from + twins_below(twins, count - from));
        if (card != NO_CARD && card != like && !twins_differs(twins, card) &&
            query_knowers(game, card) == 0 && !arrange_named(game, card) &&
            twins->box.card_def[card] != twins->box.card_def[like]) {
            return card;
        }
    }
    return NO_CARD;
}

static void swap_with_deep(struct twins *twins, struct game *game, uint16_t card)
{
    if (card == NO_CARD || twins->differ_count + 2 > TWINS_DIFFER_MAX ||
        twins_differs(twins, card)) {
        return;
    }
    const uint16_t other = deep_card(twins, game, card);
    if (other != NO_CARD) {
        arrange_swap(game, card, other);
        twins->differ[twins->differ_count++] = card;
        twins->differ[twins->differ_count++] = other;
    }
}

// What the secret seat is about to draw unseen: the next Door of `loot`, the Treasures of a fight.
static void swap_to_be_drawn(struct twins *twins, struct game *game)
{
    const bool looting = query_phase(game) == PHASE_OPENED;
    const bool fighting = query_main(game) == twins->secret && query_helper(game) == NO_SEAT;
    const unsigned pile = fighting ? PILE_TREASURE_DECK : PILE_DOOR_DECK;
    const unsigned count = fighting ? 1 + twins_below(twins, TREASURES) : 1;
    if ((looting && query_turn(game) == twins->secret) || fighting) {
        for (unsigned i = 0; i < count; i++) {
            const uint16_t card = card_at(game, pile, i);
            if (card != NO_CARD && query_knowers(game, card) == 0) {
                swap_with_deep(twins, game, card);
            }
        }
    }
}

void twins_swap(struct twins *twins, struct game *game)
{
    const unsigned hand = pile_hand(twins->secret);
    const bool all = twins_below(twins, SWAP_ALL) == 0;
    uint16_t cards[MB_CARDS_MAX];
    unsigned count = 0;
    for (uint16_t card = query_first(game, hand); card != NO_CARD; card = query_next(game, card)) {
        if (query_knowers(game, card) == seat_bit(twins->secret) && !arrange_named(game, card)) {
            cards[count++] = card;
        }
    }
    const unsigned wanted = all ? count : 1 + twins_below(twins, HAND_CARDS);
    for (unsigned i = 0; i < wanted && count > 0; i++) {
        const unsigned at = twins_below(twins, count);
        swap_with_deep(twins, game, cards[at]);
        cards[at] = cards[--count];
    }
    if (twins_below(twins, 4) != 0) {
        swap_to_be_drawn(twins, game);
    }
    // The order of what is drawn last is nobody's to know either.
    for (unsigned pile = PILE_DOOR_DECK; pile <= PILE_TREASURE_DECK; pile++) {
        const unsigned length = query_count(game, pile);
        if (length > DECK_LEAST && twins_below(twins, 2) == 0) {
            const uint16_t card = card_at(game, pile, length - 1 - twins_below(twins, length / 4));
            if (card != NO_CARD && query_knowers(game, card) == 0) {
                swap_with_deep(twins, game, card);
            }
        }
    }
}
