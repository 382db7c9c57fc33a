/*
 * Abilities used by name, and answers: `use <ability> [with <card>, ...] [on <target>]` (CHAR-6,
 * CHAR-13, HELP-5). A row of a card in effect; its cost is paid first (RUL-32), limits count by
 * source.
 */
#ifndef CORE_ABILITY_H
#define CORE_ABILITY_H

#include "core/command.h"
#include "core/emit.h"
#include "core/refusal.h"
#include "core/requirement.h"

/** A use that has been looked up: which card's row, and what it is aimed at. */
struct ability_use {
    uint16_t card; /**< the source */
    const struct row *row;
    unsigned seat;
    unsigned target_seat; /**< or NO_SEAT */
    uint16_t target_card; /**< or NO_CARD */
    int monster;          /**< index or -1 */
};

/** Where candidates are collected: cards, or seats. What finds no room is left out. */
struct candidate_list {
    uint16_t *ids;
    unsigned count;
    unsigned max;
};

void check_use(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
void act_use(struct engine *engine, const struct command *command);

/** The i-th source of an ability that a seat has in effect; NULL when there are no more. */
const struct row *ability_source(const struct game *game, const struct box *box, unsigned seat,
                                 unsigned ability, unsigned index, uint16_t *card);
/** Abilities for which the seat has some source, as bits of the first 64 ids. */
uint64_t ability_mask(const struct game *game, const struct box *box, unsigned seat);
/** How much of a limit is left: cards if the cost is counted in cards, else uses. */
int ability_left(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                 const struct row *row, uint16_t about);
/** Whether the seat could pay as far as everyone knows: counts, not cards. */
bool ability_public_payable(const struct game *game, const struct box *box, unsigned seat,
                            uint16_t card, const struct row *row);
/** Cards of the seat that may pay a cost, the source itself and reminders left out. */
void cost_candidates(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
                     const struct cost *cost, struct candidate_list *list);
/** Whether a card may pay. */
bool cost_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
               const struct cost *cost, uint16_t card);
/** Pays: discards the cards in the order named, Levels, the source itself. */
void cost_pay(struct engine *engine, unsigned seat, uint16_t source, const struct cost *cost,
              const uint16_t *cards, unsigned count);

/** Whether a target suits a rule for a seat. `row` may narrow it by its filter. */
bool target_fits(const struct game *game, const struct box *box, unsigned seat,
                 const struct row *row, unsigned kind, uint16_t target);
/** Collects the targets that suit; returns their kind. */
unsigned target_candidates(const struct game *game, const struct box *box, unsigned seat,
                           const struct row *row, struct candidate_list *list);
/** Whether the moment that is open lets the seat use this row as an answer. */
bool answer_row_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     const struct row *row);
/** Carries a row of a played or used card out: pushes its program, handles an open moment. */
void ability_run(struct engine *engine, const struct ability_use *use, unsigned paid,
                 uint16_t paid_card);

#endif
