/*
 * Abilities used by name, and answers: `use <ability> [with <card>, ...] [on <target>]` (CHAR-6,
 * CHAR-13, HELP-5). A row of a card in effect; its cost is paid first (RUL-32), limits count by
 * source.
 */
#ifndef CORE_CARDS_ABILITY_H
#define CORE_CARDS_ABILITY_H

#include "core/change/emit.h"
#include "core/state/command.h"
#include "core/state/refusal.h"

/** A use that has been looked up: which card's row, and what it is aimed at. */
struct ability_use {
    uint16_t card; /**< the source */
    const struct row *row;
    unsigned seat;
    unsigned target_seat; /**< or NO_SEAT */
    uint16_t target_card; /**< or NO_CARD */
    uint16_t with;        /**< the second card of a play, or NO_CARD */
    int monster;          /**< index or -1 */
};

void check_use(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why);
void act_use(struct engine *engine, const struct command *command);

/** The i-th source of an ability that a seat has in effect; NULL when there are no more. */
const struct row *ability_source(const struct game *game, const struct box *box, unsigned seat,
                                 unsigned ability, unsigned index, uint16_t *card);
/** Whether there is such an ability, and nothing in effect gives it to the seat. */
bool ability_lacked(const struct game *game, const struct box *box, unsigned seat,
                    unsigned ability);
/** Abilities for which the seat has some source, as bits of the first 64 ids. */
uint64_t ability_mask(const struct game *game, const struct box *box, unsigned seat);
/** Carries a row of a played or used card out: pushes its program, handles an open moment. */
void ability_run(struct engine *engine, const struct ability_use *use, unsigned paid,
                 uint16_t paid_card);

#endif
