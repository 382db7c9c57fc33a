/*
 * What the service says of itself: /health for people and supervisors, /metrics for Prometheus.
 * Counts alone: no name, no id, no card.
 */
#ifndef ADAPTERS_SERVICE_FIGURES_H
#define ADAPTERS_SERVICE_FIGURES_H

#include "bot/hall/hall.h"

#include "adapters/service/pages.h"

struct figures {
    bool serves;     /**< and neither opens nor drains */
    bool store_away; /**< at the start, or by now */
    size_t live;     /**< tables in memory */
    unsigned long turns;
    unsigned long held_ms; /**< the longest that the loop was held at a time */
    struct hall_stats stats;
};

/** A page of these figures; false: there is none of that path. */
bool figures_page(const struct figures *figures, const char *path, struct page *out);

#endif
