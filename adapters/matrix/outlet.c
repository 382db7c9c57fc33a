#include "adapters/matrix/outlet.h"

#include <stdlib.h>
#include <string.h>

enum {
    OLD_MS = 8000,    // what is awaited for so long goes first
    BURST = 9,        // that may be sent at once when the account has rested
    CALM_MS = 600000, // without "too many": a little more is tried
    FASTEST_MS = 100,
    FASTER_NUM = 9, // of ten parts of the time between two events
    FASTER_DEN = 10,
    DEFAULT_MS = 5000
};

struct waiting {
    struct waiting *next;
    uint64_t number;
    char *room, *replaces; // NULL: it edits nothing
    enum outlet_urgency urgency;
    int64_t since_ms, after_ms;
    bool tried, sending;
};

struct outlet {
    struct waiting *first, **end;
    size_t count;
    int64_t pace_ms;   // between two events; 0: the server has set no limit yet
    int64_t rest_ms;   // until then nothing goes
    int64_t tokens;    // events that may go, in units of a millisecond of `pace_ms` each
    int64_t filled_ms; // when the tokens were counted
    int64_t calm_ms;   // since when the server has not said "too many"
};

struct outlet *outlet_create(void)
{
    struct outlet *const outlet = calloc(1, sizeof *outlet);
    if (outlet != NULL) {
        outlet->end = &outlet->first;
    }
    return outlet;
}

static void waiting_free(struct waiting *waiting)
{
    if (waiting != NULL) {
        free(waiting->room);
        free(waiting->replaces);
        free(waiting);
    }
}

void outlet_destroy(struct outlet *outlet)
{
    while (outlet != NULL && outlet->first != NULL) {
        struct waiting *const first = outlet->first;
        outlet->first = first->next;
        waiting_free(first);
    }
    free(outlet);
}

size_t outlet_count(const struct outlet *outlet)
{
    return outlet->count;
}

bool outlet_is_scarce(const struct outlet *outlet)
{
    return outlet->pace_ms > 0;
}

/* Queue. */

static struct waiting *superseded(const struct outlet *outlet, const struct outlet_item *item)
{
    for (struct waiting *at = outlet->first; item->replaces != NULL && at != NULL; at = at->next) {
        if (!at->tried && at->replaces != NULL && strcmp(at->replaces, item->replaces) == 0 &&
            strcmp(at->room, item->room) == 0) {
            return at;
        }
    }
    return NULL;
}

bool outlet_add(struct outlet *outlet, const struct outlet_item *item, int64_t now_ms,
                uint64_t *gone)
{
    struct waiting *const old = superseded(outlet, item);
    *gone = 0;
    if (old != NULL) { // it keeps its place
        *gone = old->number;
        old->number = item->number;
        old->urgency = item->urgency < old->urgency ? item->urgency : old->urgency;
        return true;
    }
    struct waiting *const waiting = calloc(1, sizeof *waiting);
    if (waiting == NULL) {
        return false;
    }
    *waiting = (struct waiting){.number = item->number,
                                .room = strdup(item->room),
                                .replaces = item->replaces != NULL ? strdup(item->replaces) : NULL,
                                .urgency = item->urgency,
                                .since_ms = now_ms};
    if (waiting->room == NULL || (item->replaces != NULL && waiting->replaces == NULL)) {
        waiting_free(waiting);
        return false;
    }
    *outlet->end = waiting;
    outlet->end = &waiting->next;
    outlet->count++;
    return true;
}

/* Pace. */

static void fill(struct outlet *outlet, int64_t now_ms)
{
    outlet->tokens += now_ms - outlet->filled_ms;
    outlet->filled_ms = now_ms;
    if (outlet->tokens > BURST * outlet->pace_ms) {
        outlet->tokens = BURST * outlet->pace_ms;
    }
    if (now_ms - outlet->calm_ms >= CALM_MS && outlet->pace_ms > FASTEST_MS) {
        outlet->pace_ms = outlet->pace_ms * FASTER_NUM / FASTER_DEN;
        outlet->calm_ms = now_ms;
    }
}

static bool may_send(struct outlet *outlet, int64_t now_ms)
{
    if (now_ms < outlet->rest_ms) {
        return false;
    }
    if (outlet->pace_ms == 0) {
        return true;
    }
    fill(outlet, now_ms);
    return outlet->tokens >= outlet->pace_ms;
}

static void slow_down(struct outlet *outlet, int64_t wait_ms, int64_t now_ms)
{
    const bool first = outlet->pace_ms == 0;
    outlet->pace_ms = first ? DEFAULT_MS : outlet->pace_ms * FASTER_DEN / FASTER_NUM + 1;
    outlet->tokens = outlet->pace_ms; // the one that it lets go when the rest is over
    outlet->rest_ms = now_ms + wait_ms;
    outlet->filled_ms = outlet->rest_ms;
    outlet->calm_ms = now_ms;
}

/* What goes. */

static bool is_first_of_room(const struct outlet *outlet, const struct waiting *waiting)
{
    for (const struct waiting *at = outlet->first; at != waiting; at = at->next) {
        if (strcmp(at->room, waiting->room) == 0) {
            return false;
        }
    }
    return true;
}

// What of a room goes first is what its most awaited message is worth: those before it are in its
// way.
static int rank(const struct waiting *first, int64_t now_ms)
{
    int best = OUTLET_OTHER;
    for (const struct waiting *at = first; at != NULL; at = at->next) {
        if (strcmp(at->room, first->room) == 0) {
            const bool old = at->urgency == OUTLET_AWAITED && now_ms - at->since_ms >= OLD_MS;
            const int own = old ? -1 : (int)at->urgency;
            best = own < best ? own : best;
        }
    }
    return best;
}

uint64_t outlet_next(struct outlet *outlet, int64_t now_ms)
{
    struct waiting *best = NULL;
    int best_rank = 0;
    for (struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (at->sending || at->after_ms > now_ms || !is_first_of_room(outlet, at)) {
            continue;
        }
        const int own = rank(at, now_ms);
        if (best == NULL || own < best_rank) {
            best = at;
            best_rank = own;
        }
    }
    if (best == NULL || !may_send(outlet, now_ms)) {
        return 0;
    }
    outlet->tokens -= outlet->pace_ms;
    best->tried = best->sending = true;
    return best->number;
}

int64_t outlet_due_ms(const struct outlet *outlet, int64_t now_ms)
{
    int64_t due = -1;
    for (const struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (!at->sending && is_first_of_room(outlet, at) && (due < 0 || at->after_ms < due)) {
            due = at->after_ms;
        }
    }
    if (due < 0) {
        return -1;
    }
    due = due < now_ms ? now_ms : due;
    due = due < outlet->rest_ms ? outlet->rest_ms : due;
    const int64_t lacking = outlet->pace_ms - outlet->tokens;
    const int64_t filled = outlet->filled_ms + lacking;
    return outlet->pace_ms > 0 && lacking > 0 && due < filled ? filled : due;
}

void outlet_done(struct outlet *outlet, uint64_t number, enum outlet_result result, int64_t wait_ms,
                 int64_t now_ms)
{
    struct waiting **at = &outlet->first;
    while (*at != NULL && (*at)->number != number) {
        at = &(*at)->next;
    }
    struct waiting *const waiting = *at;
    if (waiting == NULL) {
        return;
    }
    if (result != OUTLET_SENT) {
        waiting->sending = false;
        waiting->after_ms = now_ms + wait_ms;
        if (result == OUTLET_TOO_MANY) {
            slow_down(outlet, wait_ms, now_ms);
        }
        return;
    }
    *at = waiting->next;
    if (outlet->end == &waiting->next) {
        outlet->end = at;
    }
    outlet->count--;
    waiting_free(waiting);
}
