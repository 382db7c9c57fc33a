/*
 * Costs and limits of abilities and plays: what may pay, whether it is enough, how often is left;
 * and the paying (CHAR-6, HELP-5, RUL-32).
 */
#ifndef CORE_WORK_COST_H
#define CORE_WORK_COST_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"
#include "core/work/target.h"

/** How much of a limit is left: cards if the cost is counted in cards, else uses. */
int ability_left(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                 const struct row *row, uint16_t about);
/** Whether the limit counts cards paid, not uses. */
bool cost_counts_cards(const struct box *box, const struct row *row);
/** Whether the seat could pay as far as everyone knows: counts, not cards. */
bool ability_public_payable(const struct game *game, const struct box *box, unsigned seat,
                            uint16_t card, const struct row *row);
/** Cards of the seat that may pay a cost, the source itself and reminders left out. */
void cost_candidates(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
                     const struct cost *cost, struct candidate_list *list);
/** Whether the seat has what a cost asks for. */
bool cost_payable(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
                  const struct cost *cost);
/** Whether a card may pay. */
bool cost_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
               const struct cost *cost, uint16_t card);
/** Whether what a `use` names pays for the row of `card`. */
void cost_check(const struct game *game, const struct box *box, const struct command *command,
                uint16_t card, const struct row *row, struct refusal *why);
/** Pays: discards the cards in the order named, or the whole hand; Levels, the source itself.
 * Returns how many of the cards asked for went. */
unsigned cost_pay(struct engine *engine, unsigned seat, uint16_t source, const struct cost *cost,
                  const uint16_t *cards, unsigned count);

#endif
