/*
 * Items: what can be equipped, carried, handed over, sold, discarded (ITEM, BIG, SELL, HIRE-1).
 */
#ifndef CORE_CARDS_EQUIP_H
#define CORE_CARDS_EQUIP_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** Why an Item that is or would be the seat's cannot be equipped now: restriction, then slot. */
void equip_obstacles(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     struct refusal *why);
/** Why an Item from the hand cannot lie before the seat, equipped or carried: the set-up's own
 * rule, room for a Big one. */
void equip_may_lie(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                   struct refusal *why);
/** How far the equipped Items exceed what a slot holds; 0: they fit (ITEM-3). */
int equip_excess(const struct game *game, const struct box *box, unsigned seat, unsigned slot);
/** Big Items carried that count (not cheated, not on a follower), BIG-1. */
int big_count(const struct game *game, const struct box *box, unsigned seat);

/** Cards a player may drop at will: identities (but Origins), followers (ACT-1). */
bool equip_may_drop(const struct game *game, const struct box *box, uint16_t card);

void check_equip(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why);
void check_unequip(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why);
void check_hand_over(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why);
void check_sell(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why);
void check_discard(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why);
void check_lay(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
/** Gold Pieces that a card counts for in the seat's next sale; marked ones twice. */
int sale_value(const struct game *game, const struct box *box, uint16_t card);
/** Whether the seat may change what it has equipped: out of fights, and in one by a card. */
bool equip_free(const struct game *game, const struct box *box, unsigned seat);
/** Gold Pieces that the cards of a sale must come to, at least 1: what else counts is taken off. */
int sale_least(const struct game *game, const struct box *box, unsigned seat);
/** Whether a card can be part of a sale of the seat. */
bool sale_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card);
void act_item(struct engine *engine, const struct command *command);

#endif
