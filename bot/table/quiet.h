/*
 * Quiet hours: the hours of a day in which a table's clocks rest and nobody is called.
 *
 * The one thing that is read from a wall clock; so a clock that is set back or forward moves
 * the end of a rest and nothing else.
 */
#ifndef BOT_TABLE_QUIET_H
#define BOT_TABLE_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

enum { QUIET_HOURS = 24, QUIET_ZONE_LEAST = -12, QUIET_ZONE_MOST = 14 };

/** All zero: none. */
struct quiet {
    uint8_t from, to; /**< hours of the day; the same: none */
    int16_t zone;     /**< hours that the place's day is ahead of UTC */
};

/** "22-8"; "off". */
MB_MUST_CHECK
bool quiet_read(struct quiet *quiet, const char *word, struct mb_error *err);
/** "+2", "-5", "0". */
MB_MUST_CHECK
bool quiet_read_zone(struct quiet *quiet, const char *word, struct mb_error *err);
/** Whether it is quiet at that second since 1970 (UTC), and how many milliseconds until that
 * changes; -1: never. */
bool quiet_at(const struct quiet *quiet, int64_t utc_s, int64_t *change_ms);

#endif
