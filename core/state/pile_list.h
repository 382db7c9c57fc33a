/*
 * Piles: lists of cards through card_state.next. A deck's and a discard pile's first card is its
 * top; hands, tables and fights grow at the end. Only event_apply() and core/loop/arrange.c change
 * piles.
 */
#ifndef CORE_STATE_PILE_LIST_H
#define CORE_STATE_PILE_LIST_H

#include "core/state/game_state.h"

/** Empty piles and cards that are in none. */
void pile_reset(struct game *game);
/** Takes a card out of the pile it is in; no effect if it is in none (pile PILE_TOTAL). */
void pile_unlink(struct game *game, uint16_t card);
void pile_push_front(struct game *game, unsigned index, uint16_t card);
void pile_push_back(struct game *game, unsigned index, uint16_t card);

static inline uint16_t pile_first(const struct game *game, unsigned pile)
{
    return game->piles[pile].first;
}

static inline unsigned pile_count(const struct game *game, unsigned pile)
{
    return game->piles[pile].count;
}

#endif
