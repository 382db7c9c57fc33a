#include "adapters/service/figures.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

struct counter {
    const char *name, *help;
    size_t offset; // in struct hall_stats
};

static const struct counter COUNTERS[] = {
    {"lines_heard", "Lines of people that were handled.", offsetof(struct hall_stats, heard)},
    {"lines_repeated", "Lines received a second time and ignored.",
     offsetof(struct hall_stats, repeated)},
    {"lines_rationed", "Lines dropped because somebody typed too fast.",
     offsetof(struct hall_stats, rationed)},
    {"lines_crowded", "Lines dropped because a queue was full.",
     offsetof(struct hall_stats, crowded)},
    {"controls_stale", "Controls pressed too late or in the wrong place.",
     offsetof(struct hall_stats, stale)},
    {"steps_committed", "Steps committed at tables.", offsetof(struct hall_stats, steps)},
    {"steps_conflicted", "Commits repeated because another process was faster.",
     offsetof(struct hall_stats, conflicts)},
    {"tables_fetched", "Tables loaded from the store.", offsetof(struct hall_stats, fetched)},
    {"messages_sent", "Messages accepted by a network.", offsetof(struct hall_stats, sent)},
    {"messages_retried", "Messages sent again.", offsetof(struct hall_stats, retried)},
    {"messages_undeliverable", "Messages given up as undeliverable.",
     offsetof(struct hall_stats, undeliverable)},
};

static unsigned long count_of(const struct figures *figures, const struct counter *counter)
{
    unsigned long value = 0;
    memcpy(&value, (const char *)&figures->stats + counter->offset, sizeof value);
    return value;
}

static void put(struct page *out, const char *name, const char *type, const char *help,
                unsigned long value)
{
    const char *const end = strcmp(type, "counter") == 0 ? "_total" : "";
    const int size =
        snprintf(out->text + out->size, sizeof out->text - out->size,
                 "# HELP munchbot_%s%s %s\n# TYPE munchbot_%s%s %s\nmunchbot_%s%s %lu\n", name, end,
                 help, name, end, type, name, end, value);
    const size_t left = sizeof out->text - out->size;
    out->size += size > 0 && (size_t)size < left ? (size_t)size : 0;
}

static void write_metrics(const struct figures *figures, struct page *out)
{
    put(out, "serving", "gauge", "1 while tables are served.", figures->serves ? 1 : 0);
    put(out, "store_away", "gauge", "1 while the store does not answer.",
        figures->store_away ? 1 : 0);
    put(out, "tables_live", "gauge", "Tables in memory.", figures->live);
    put(out, "loop_turns", "counter", "Turns of the loop.", figures->turns);
    put(out, "loop_held_ms", "gauge", "The longest that the loop was held at a time.",
        figures->held_ms);
    for (size_t i = 0; i < sizeof COUNTERS / sizeof COUNTERS[0]; i++) {
        put(out, COUNTERS[i].name, "counter", COUNTERS[i].help, count_of(figures, &COUNTERS[i]));
    }
}

bool figures_page(const struct figures *figures, const char *path, struct page *out)
{
    out->size = 0;
    out->status = STATUS_OK;
    if (strcmp(path, "/metrics") == 0) {
        write_metrics(figures, out);
        return true;
    }
    if (strcmp(path, "/health") != 0) {
        return false;
    }
    const char *said = "ok\n";
    if (figures->store_away) {
        said = "the store does not answer\n";
    } else if (!figures->serves) {
        said = "not serving\n";
    }
    out->status = figures->serves && !figures->store_away ? STATUS_OK : STATUS_UNAVAILABLE;
    out->size = (size_t)snprintf(out->text, sizeof out->text, "%s", said);
    return true;
}
