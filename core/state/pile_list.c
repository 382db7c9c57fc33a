#include "core/state/pile_list.h"

#include <assert.h>

void pile_reset(struct game *game)
{
    for (unsigned i = 0; i < PILE_TOTAL; i++) {
        game->piles[i] = (struct pile_state){.first = NO_CARD, .last = NO_CARD, .count = 0};
    }
    for (unsigned i = 0; i < MB_CARDS_MAX; i++) {
        game->cards[i] = (struct card_state){
            .next = NO_CARD, .host = NO_CARD, .pile = PILE_TOTAL, .seat = NO_SEAT};
    }
}

void pile_unlink(struct game *game, uint16_t card)
{
    unsigned index = game->cards[card].pile;
    if (index >= PILE_TOTAL) {
        return;
    }
    struct pile_state *pile = &game->piles[index];
    uint16_t before = NO_CARD;
    uint16_t at = pile->first;
    while (at != card) {
        assert(at != NO_CARD);
        before = at;
        at = game->cards[at].next;
    }
    uint16_t next = game->cards[card].next;
    if (before == NO_CARD) {
        pile->first = next;
    } else {
        game->cards[before].next = next;
    }
    if (pile->last == card) {
        pile->last = before;
    }
    pile->count--;
    game->cards[card].next = NO_CARD;
    game->cards[card].pile = PILE_TOTAL;
}

void pile_push_front(struct game *game, unsigned index, uint16_t card)
{
    struct pile_state *pile = &game->piles[index];
    game->cards[card].next = pile->first;
    game->cards[card].pile = (uint8_t)index;
    pile->first = card;
    if (pile->last == NO_CARD) {
        pile->last = card;
    }
    pile->count++;
}

void pile_push_back(struct game *game, unsigned index, uint16_t card)
{
    struct pile_state *pile = &game->piles[index];
    game->cards[card].next = NO_CARD;
    game->cards[card].pile = (uint8_t)index;
    if (pile->last == NO_CARD) {
        pile->first = card;
    } else {
        game->cards[pile->last].next = card;
    }
    pile->last = card;
    pile->count++;
}
