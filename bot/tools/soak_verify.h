/*
 * A game of a soak, played again from what the store has kept of it.
 */
#ifndef BOT_TOOLS_SOAK_VERIFY_H
#define BOT_TOOLS_SOAK_VERIFY_H

#include "bot/tools/soak.h"

/** Whether the journal of a table that is over agrees with it: commitment, every roll and shuffle,
 * every command, the result. Nothing may be under way in the hall that has it. */
MB_MUST_CHECK
bool soak_verify(const struct soak_setup *setup, const struct table *table,
                 const struct table_words *words, struct mb_error *err);

#endif
