/*
 * What a row can be aimed at: `on <target>` of plays and abilities.
 */
#ifndef CORE_WORK_TARGET_H
#define CORE_WORK_TARGET_H

#include "core/card/box.h"
#include "core/state/command.h"
#include "core/state/game_state.h"
#include "core/state/refusal.h"

/** Where candidates are collected: cards, or seats. What finds no room is left out. */
struct candidate_list {
    uint16_t *ids;
    unsigned count;
    unsigned max;
};

/** Whether a target suits a rule for a seat. `row` may narrow it by its filter. */
bool target_fits(const struct game *game, const struct box *box, unsigned seat,
                 const struct row *row, unsigned kind, uint16_t target);
/** Refuses what does not suit: a card that lies nowhere in play where one in play is meant, or
 * something else. */
void target_refuse(const struct game *game, const struct row *row, unsigned kind, uint16_t target,
                   const char *rule, struct refusal *why);
/** What a rule names: TARGET_NONE, TARGET_SEAT, TARGET_MONSTER or TARGET_CARD. */
unsigned target_kind(unsigned rule);
/** Collects the targets that suit; returns their kind. */
unsigned target_candidates(const struct game *game, const struct box *box, unsigned seat,
                           const struct row *row, struct candidate_list *list);
/** Whether a text keeps the card from being stolen; *by names the card that does. */
bool target_shielded(const struct game *game, const struct box *box, uint16_t card, uint16_t *by);

#endif
