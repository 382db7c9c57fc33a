/*
 * Paces: how long each clock runs.
 *
 * Lengths in milliseconds by pace and clock. A win window is halved when the win would give Level 4
 * or less (not at a terminal) and doubled when it would end the game: both are public facts. Which
 * clock runs is the core's to say (query_clock).
 */
#ifndef BOT_TABLE_PACE_H
#define BOT_TABLE_PACE_H

#include <stdint.h>

#include "core/loop/query.h"

#include "bot/table/options.h"

struct pace_lengths {
    int64_t clock_ms[CLOCK_WINDOW + 1]; /**< by enum clock_kind */
    int64_t hold_ms;                    /**< what one `hold` adds */
    int64_t bots_ms;                    /**< when bot players and standing orders act */
    uint8_t pass_below;                 /**< default standing order; 0 none */
};

const struct pace_lengths *pace_lengths(enum pace pace);
/** A clock of a table: as its options say, else as its pace does. */
int64_t pace_clock_ms(const struct table_options *options, unsigned kind);
/** A win window with its stakes: `win_level` is the Level the win would give, `goal` the last. */
int64_t pace_window_ms(const struct table_options *options, unsigned win_level, int goal);

#endif
