#include "bot/table/quiet.h"

#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, DAY_S = QUIET_HOURS * HOUR_S, SECOND_MS = 1000, DIGITS_MAX = 2 };

// An hour of one or two digits; `*word` moves behind it.
static bool take_hour(const char **word, uint8_t *out)
{
    const size_t digits = strspn(*word, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX) {
        return false;
    }
    const long hour = strtol(*word, NULL, 10);
    *word += digits;
    *out = (uint8_t)(hour % QUIET_HOURS);
    return hour <= QUIET_HOURS;
}

bool quiet_read(struct quiet *quiet, const char *word, struct mb_error *err)
{
    const char *at = word;
    uint8_t from = 0;
    uint8_t to = 0;
    if (strcmp(word, "off") == 0) {
        quiet->from = quiet->to = 0;
        return true;
    }
    const bool good = take_hour(&at, &from) && *at++ == '-' && take_hour(&at, &to) && *at == '\0';
    if (!good || from == to) {
        return mb_fail(err, MB_ERR_INPUT,
                       "quiet hours are two hours, as in quiet=22-8, not \"%.20s\"", word);
    }
    quiet->from = from;
    quiet->to = to;
    return true;
}

bool quiet_read_zone(struct quiet *quiet, const char *word, struct mb_error *err)
{
    char *end = NULL;
    const long zone = strtol(word, &end, 10);
    const size_t sign = *word == '+' || *word == '-' ? 1 : 0;
    if (strspn(word + sign, "0123456789") != strlen(word + sign) || end == word ||
        zone < QUIET_ZONE_LEAST || zone > QUIET_ZONE_MOST) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the zone is a number of hours from %d to +%d, as in zone=+2, not \"%.20s\"",
                       (int)QUIET_ZONE_LEAST, (int)QUIET_ZONE_MOST, word);
    }
    quiet->zone = (int16_t)zone;
    return true;
}

bool quiet_at(const struct quiet *quiet, int64_t utc_s, int64_t *change_ms)
{
    if (quiet->from == quiet->to) {
        *change_ms = -1;
        return false;
    }
    const int64_t local = utc_s + (int64_t)quiet->zone * HOUR_S;
    const int64_t of_day = (local % DAY_S + DAY_S) % DAY_S;
    const int64_t from = (int64_t)quiet->from * HOUR_S;
    const int64_t to = (int64_t)quiet->to * HOUR_S;
    const bool now = from < to ? of_day >= from && of_day < to : of_day >= from || of_day < to;
    const int64_t next = now ? to : from;
    *change_ms = ((next - of_day + DAY_S - 1) % DAY_S + 1) * SECOND_MS;
    return now;
}
