/*
 * Answer moments: whether one opens, for whom it waits, what may be played in it (CANCEL-1).
 * Whether it opens depends on public facts alone: a copy of an answering card in a hand
 * or a deck might be anybody's, so where hidden copies lie is never asked.
 */
#ifndef CORE_WORK_MOMENT_H
#define CORE_WORK_MOMENT_H

#include "core/change/frame.h"

/** Whether some answer of this trigger (when_answers()) could be given by anybody now, as far as
 * the table knows. */
bool moment_possible(const struct game *game, const struct box *box, unsigned when);
void moment_open(struct engine *engine, unsigned waited);
/** Closes it if all waited for have passed; returns whether it is (now) closed. */
bool moment_over(struct engine *engine);
/** Whether the moment that is open lets the seat use this row as an answer. */
bool answer_row_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     const struct row *row);

#endif
