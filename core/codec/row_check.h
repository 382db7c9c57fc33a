/*
 * Whether what a row says is ever done: the table of core/card/applies.h, asked of card files.
 *
 * What is refused here was accepted by older loaders and never acted: it is a misfit, which keeps a
 * set out of new tables only. Each sentence names what would do.
 */
#ifndef CORE_CODEC_ROW_CHECK_H
#define CORE_CODEC_ROW_CHECK_H

#include "core/codec/reading.h"

/** Checks one row that has been read; `value` is its JSON. */
void row_check(struct reading *reading, const json_t *value, const struct row *row);
/** As much as an amount comes to at most; INT_MAX: as much as there is to count. */
int row_amount_most(const struct amount *amount);
/** Checks the rows of a card together with how it is played. */
void rows_check_card(struct reading *reading, const struct card_def *def);

#endif
