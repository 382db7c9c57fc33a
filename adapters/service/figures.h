/*
 * What the service tells operators and their monitoring of itself: /healthz (the loop turns),
 * /readyz (whether it serves, with the reason if not) and /metrics for Prometheus.
 *
 * Only counts and fixed words: no person, no place, no table, no card. deploy/monitoring/ has the
 * alerts and the dashboard that read them.
 */
#ifndef ADAPTERS_SERVICE_FIGURES_H
#define ADAPTERS_SERVICE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/hall/hall.h"

#include "adapters/service/pages.h"

/** How often a command ended like that; verb and code are static words. */
struct tally {
    const char *verb, *code; /**< code: "" unless it was refused */
    unsigned long count;
};

struct tallies {
    struct tally *list;
    size_t count;
};

/** Counts one more. */
void tallies_add(struct tallies *tallies, const char *verb, const char *code);
void tallies_finish(struct tallies *tallies);

struct figures_network {
    const char *name;
    const struct chat *chat; /**< NULL: it could not be made */
    bool refused;            /**< it will never connect again: its token, mostly */
};

struct figures {
    const char *unready; /**< why it serves nobody, fixed words; NULL: it serves */
    bool store_away;     /**< the store does not answer */
    int64_t store_free;  /**< bytes free where the store's file is; -1: not known */
    int64_t started_s;   /**< since 1970 */
    unsigned long turns;
    struct histogram held; /**< how long the loop was held, each turn */
    unsigned long held_ms; /**< the longest of these */
    struct figures_network networks[HALL_CHATS_MAX];
    size_t network_count;
    const struct tallies *tallies;
    const struct hall_stats *stats; /**< NULL: there is no hall, and `hall` is empty */
    struct hall_figures hall;
};

/** Makes the page of a path, whose text is then the caller's; false: there is none. */
bool figures_page(const struct figures *figures, const char *path, struct page *page);

#endif
