/*
 * How long something took, each time: counts by fixed bounds, as Prometheus has histograms.
 */
#ifndef BOT_HISTOGRAM_H
#define BOT_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 14 };

/** In ms; what took longer counts in the total alone. */
static const int32_t HISTOGRAM_MS[HISTOGRAM_BOUNDS] = {1,   2,   5,    10,   25,   50,    100,
                                                       250, 500, 1000, 2500, 5000, 15000, 60000};

struct histogram {
    uint64_t at_most[HISTOGRAM_BOUNDS]; /**< not cumulative: each duration counts once */
    uint64_t count, sum_ms;
};

static inline void histogram_note(struct histogram *histogram, int64_t ms)
{
    const uint64_t took_ms = ms > 0 ? (uint64_t)ms : 0;
    unsigned at = 0;
    while (at < HISTOGRAM_BOUNDS && took_ms > (uint64_t)HISTOGRAM_MS[at]) {
        at++;
    }
    if (at < HISTOGRAM_BOUNDS) {
        histogram->at_most[at]++;
    }
    histogram->count++;
    histogram->sum_ms += took_ms;
}

#endif
