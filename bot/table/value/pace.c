#include "bot/table/pace.h"

// Macros, as an enum would reckon in int.
#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define YEAR   (365 * DAY)

enum { LOW_STAKES_LEVEL = 4 };

static const struct pace_lengths LENGTHS[PACE_TOTAL] = {
    [PACE_LIVE] = {.clock_ms = {[CLOCK_TURN] = 3 * MINUTE,
                                [CLOCK_DECISION] = 3 * MINUTE,
                                [CLOCK_ASK] = MINUTE,
                                [CLOCK_ANSWER] = 12 * SECOND,
                                [CLOCK_WINDOW] = 20 * SECOND},
                   .hold_ms = 10 * SECOND,
                   .bots_ms = 2 * SECOND},
    // Who sits in front of it is waited for.
    [PACE_TERMINAL] = {.clock_ms = {[CLOCK_TURN] = YEAR,
                                    [CLOCK_DECISION] = YEAR,
                                    [CLOCK_ASK] = YEAR,
                                    [CLOCK_ANSWER] = 20 * SECOND,
                                    [CLOCK_WINDOW] = 10 * SECOND},
                       .hold_ms = 10 * SECOND,
                       .bots_ms = SECOND},
    [PACE_SLOW] = {.clock_ms = {[CLOCK_TURN] = 12 * HOUR,
                                [CLOCK_DECISION] = 12 * HOUR,
                                [CLOCK_ASK] = 2 * HOUR,
                                [CLOCK_ANSWER] = MINUTE,
                                [CLOCK_WINDOW] = 3 * MINUTE},
                   .hold_ms = MINUTE,
                   .bots_ms = 5 * SECOND},
    [PACE_ASYNC] = {.clock_ms = {[CLOCK_TURN] = 3 * DAY,
                                 [CLOCK_DECISION] = 3 * DAY,
                                 [CLOCK_ASK] = DAY,
                                 [CLOCK_ANSWER] = HOUR,
                                 [CLOCK_WINDOW] = 4 * HOUR},
                    .hold_ms = HOUR,
                    .bots_ms = 10 * SECOND,
                    .pass_below = 7},
};

const struct pace_lengths *pace_lengths(enum pace pace)
{
    return &LENGTHS[pace];
}

int64_t pace_clock_ms(const struct table_options *options, unsigned kind)
{
    return options->clock_s[kind] > 0 ? options->clock_s[kind] * SECOND
                                      : LENGTHS[options->pace].clock_ms[kind];
}

int64_t pace_window_ms(const struct table_options *options, unsigned win_level, int goal)
{
    const int64_t plain = pace_clock_ms(options, CLOCK_WINDOW);
    if ((int)win_level >= goal) {
        return plain * 2;
    }
    // At a terminal two lines are to be read and a name typed in it whatever is at stake.
    const bool short_one = win_level <= LOW_STAKES_LEVEL && options->pace != PACE_TERMINAL;
    return short_one ? plain / 2 : plain;
}
