#include "adapters/matrix/say/outlet.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum {
    OLD_MS = 8000,     // what is awaited for so long goes first ...
    LATE_MS = 20000,   // ... and what has waited for so long, whatever it is, but other hands
    GATHER_MS = 10000, // a table that asks nobody anew waits for its next form, at most so long ...
    KEPT = 1,          // ... unless so many events are left for what is awaited
    SPARE = 6,         // events that are kept for what is awaited, from other hands
    TABLE_MS = 600000, // a room whose card has not changed for so long is no table
    TABLES_MAX = 16,
    BURST = 9,        // that may be sent at once when the account has rested
    CALM_MS = 600000, // without "too many": a little more is tried
    FASTEST_MS = 100,
    FASTER_NUM = 9, // of ten parts of the time between two events
    FASTER_DEN = 10,
    DEFAULT_MS = 5000,
    LIVE_MS = 60000 // a table is live for so long behind what was said there
};

/* What somebody has had of the account: of a table, or of one who causes something there. */
struct share {
    struct share *next;
    struct share *of; // the share that it is a part of, or NULL
    size_t waiting;   // messages that wait
    bool live;
    int64_t begin; // turns of a part of it that comes to wait
    int64_t turns; // it has had, or would have had by now
    int64_t least; // while what goes next is looked for: of its parts that may
    char name[];
};

/* What goes first of a line is worth what is worth most there, and it goes on the share of the
 * first that is live: those before it are in its way. */
struct worth {
    int rank;
    const struct waiting *on; // has the share
};

struct waiting {
    struct waiting *next;
    uint64_t number;
    char *room, *replaces; // NULL: it edits nothing
    struct share *share, *cause;
    enum outlet_urgency urgency;
    int64_t since_ms; // it is waited for
    int64_t after_ms;
    uint64_t first_of; // the first of those that it went with; 0: it was never tried
    bool joins, shows, sending, live, apart;
    // While what goes next is looked for:
    bool may;
    struct worth worth;
};

/* A room whose card has changed lately. */
struct known_table {
    char *room;
    int64_t ms;
};

struct outlet {
    struct waiting *first, **end;
    size_t count;
    int64_t pace_ms;   // between two events; 0: the server has set no limit yet
    int64_t rest_ms;   // until then nothing goes
    int64_t tokens;    // events that may go, in units of a millisecond of `pace_ms` each
    int64_t filled_ms; // when the tokens were counted
    int64_t calm_ms;   // since when the server has not said "too many"
    struct known_table tables[TABLES_MAX];
    struct share *shares;
    int64_t begin[2]; // turns that a newcomer begins with; [1]: a live table
    unsigned lively;  // events of live tables since one that was none
    int64_t live_ms;  // until then a table counts as live
    uint64_t limited, waited_ms;
};

struct outlet *outlet_create(void)
{
    struct outlet *const outlet = mb_new(1, sizeof *outlet);
    outlet->end = &outlet->first;
    return outlet;
}

/* Shares. */

static bool is_share(const struct share *at, const struct share *of, const char *name)
{
    return at->of == of && strcmp(at->name, name) == 0;
}

// Made if need be.
static struct share *share_get(struct outlet *outlet, struct share *of, const char *name,
                               int64_t begin)
{
    struct share *at = outlet->shares;
    while (at != NULL && !is_share(at, of, name)) {
        at = at->next;
    }
    if (at == NULL) {
        const size_t size = strlen(name) + 1;
        at = mb_new(1, sizeof *at + size);
        at->of = of;
        memcpy(at->name, name, size);
        at->next = outlet->shares;
        outlet->shares = at;
    }
    at->turns = at->waiting == 0 && at->turns < begin ? begin : at->turns;
    at->waiting++;
    return at;
}

static bool is_needed(const struct outlet *outlet, const struct share *share)
{
    const struct share *at = outlet->shares;
    while (at != NULL && at->of != share) {
        at = at->next;
    }
    return share->waiting > 0 || at != NULL;
}

// Who is not ahead of those who wait is as good as new.
static void forget_shares(struct outlet *outlet)
{
    for (struct share **at = &outlet->shares; *at != NULL;) {
        struct share *const share = *at;
        const int64_t begin =
            share->of != NULL ? share->of->begin : outlet->begin[share->live ? 1 : 0];
        if (!is_needed(outlet, share) && share->turns <= begin) {
            *at = share->next;
            free(share);
        } else {
            at = &share->next;
        }
    }
}

bool outlet_is_full(const struct outlet *outlet, const char *share, bool live)
{
    const struct share *at = outlet->shares;
    while (at != NULL && !is_share(at, NULL, share)) {
        at = at->next;
    }
    return at != NULL && at->waiting >= (live ? OUTLET_LIVE_MAX : OUTLET_OTHER_MAX);
}

static void leave_shares(struct waiting *waiting)
{
    if (waiting->share != NULL) {
        waiting->share->waiting--;
    }
    if (waiting->cause != NULL) {
        waiting->cause->waiting--;
    }
    waiting->share = waiting->cause = NULL;
}

// Among which a message waits from now on.
static void join_shares(struct outlet *outlet, struct waiting *waiting,
                        const struct outlet_item *item)
{
    struct share *const share =
        share_get(outlet, NULL, item->share != NULL ? item->share : item->room,
                  outlet->begin[item->live ? 1 : 0]);
    struct share *const cause =
        share_get(outlet, share, item->cause != NULL ? item->cause : "", share->begin);
    leave_shares(waiting);
    share->live = item->live;
    waiting->live = item->live;
    waiting->share = share;
    waiting->cause = cause;
}

static void waiting_free(struct waiting *waiting)
{
    if (waiting != NULL) {
        leave_shares(waiting);
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
    while (outlet != NULL && outlet->shares != NULL) {
        struct share *const first = outlet->shares;
        outlet->shares = first->next;
        free(first);
    }
    for (size_t i = 0; outlet != NULL && i < TABLES_MAX; i++) {
        free(outlet->tables[i].room);
    }
    free(outlet);
}

void outlet_figures(const struct outlet *outlet, int64_t now_ms, struct chat_figures *out)
{
    out->limited = outlet->limited;
    out->waited_ms = outlet->waited_ms;
    out->waiting = outlet->count;
    for (const struct waiting *at = outlet->first; at != NULL; at = at->next) {
        const int64_t age_ms = now_ms - at->since_ms;
        out->oldest_ms = age_ms > out->oldest_ms ? age_ms : out->oldest_ms;
    }
}

/* Queue. */

static struct waiting *superseded(const struct outlet *outlet, const struct outlet_item *item)
{
    for (struct waiting *at = outlet->first; item->replaces != NULL && at != NULL; at = at->next) {
        if (at->first_of == 0 && at->replaces != NULL &&
            strcmp(at->replaces, item->replaces) == 0 && strcmp(at->room, item->room) == 0) {
            return at;
        }
    }
    return NULL;
}

// The oldest gives way.
static void note_table(struct outlet *outlet, const char *room, int64_t now_ms)
{
    struct known_table *oldest = &outlet->tables[0];
    for (size_t i = 0; i < TABLES_MAX; i++) {
        struct known_table *const at = &outlet->tables[i];
        if (at->room != NULL && strcmp(at->room, room) == 0) {
            at->ms = now_ms;
            return;
        }
        oldest = at->room == NULL || (oldest->room != NULL && at->ms < oldest->ms) ? at : oldest;
    }
    free(oldest->room);
    *oldest = (struct known_table){.room = mb_text(room), .ms = now_ms};
}

bool outlet_is_crowded(const struct outlet *outlet, int64_t now_ms)
{
    unsigned count = 0;
    for (size_t i = 0; i < TABLES_MAX; i++) {
        const struct known_table *const at = &outlet->tables[i];
        count += at->room != NULL && now_ms - at->ms < TABLE_MS ? 1 : 0;
    }
    return outlet->pace_ms > 0 && count >= OUTLET_TABLES_MANY;
}

// What nobody waited for so far has not been waited for.
static void hurry_waiting(struct waiting *waiting, enum outlet_urgency urgency, int64_t now_ms)
{
    if (urgency < waiting->urgency) {
        waiting->urgency = urgency;
        waiting->since_ms = now_ms;
    }
}

void outlet_add(struct outlet *outlet, const struct outlet_item *item, int64_t now_ms,
                uint64_t *gone)
{
    struct waiting *const old = superseded(outlet, item);
    *gone = 0;
    if (item->live && (item->urgency == OUTLET_PROMPT || item->urgency == OUTLET_TABLE)) {
        note_table(outlet, item->room, now_ms);
    }
    outlet->live_ms = item->live ? now_ms + LIVE_MS : outlet->live_ms;
    if (old != NULL) { // it keeps its place
        *gone = old->number;
        old->number = item->number;
        if (item->live && !old->live) { // it was a lobby's, and is a table's
            join_shares(outlet, old, item);
        }
        hurry_waiting(old, item->urgency, now_ms);
        return;
    }
    struct waiting *const waiting = mb_new(1, sizeof *waiting);
    *waiting = (struct waiting){.number = item->number,
                                .room = mb_text(item->room),
                                .replaces = mb_text(item->replaces),
                                .urgency = item->urgency,
                                .joins = item->joins,
                                .shows = item->shows,
                                .apart = item->apart,
                                .since_ms = now_ms};
    join_shares(outlet, waiting, item);
    *outlet->end = waiting;
    outlet->end = &waiting->next;
    outlet->count++;
}

void outlet_hasten(struct outlet *outlet, const char *room, int64_t now_ms)
{
    for (struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (at->urgency == OUTLET_OTHER && strcmp(at->room, room) == 0) {
            hurry_waiting(at, OUTLET_AWAITED, now_ms);
        }
    }
}

/* Pace. */

static void fill_tokens(struct outlet *outlet, int64_t now_ms)
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

// Whether `count` events may go, the last of which counts.
static bool may_send(struct outlet *outlet, int64_t now_ms, int64_t count)
{
    if (now_ms < outlet->rest_ms) {
        return false;
    }
    if (outlet->pace_ms == 0) {
        return true;
    }
    fill_tokens(outlet, now_ms);
    return outlet->tokens >= count * outlet->pace_ms;
}

// What was under way when the server said it first says nothing more of the pace.
static void slow_down(struct outlet *outlet, int64_t wait_ms, int64_t now_ms)
{
    if (outlet->pace_ms == 0) {
        outlet->pace_ms = DEFAULT_MS;
    } else if (now_ms >= outlet->rest_ms) {
        outlet->pace_ms = outlet->pace_ms * FASTER_DEN / FASTER_NUM + 1;
    } else if (now_ms + wait_ms < outlet->rest_ms) {
        return;
    }
    outlet->tokens = outlet->pace_ms; // the one that it lets go when the rest is over
    outlet->rest_ms = now_ms + wait_ms;
    outlet->filled_ms = outlet->rest_ms;
    outlet->calm_ms = now_ms;
}

/* What goes. */

// Whether one waits for the other.
static bool is_in_line(const struct waiting *at, const struct waiting *other)
{
    return strcmp(at->room, other->room) == 0 && at->apart == other->apart &&
           (!at->apart || at->share == other->share);
}

static bool is_first_of_line(const struct outlet *outlet, const struct waiting *waiting)
{
    for (const struct waiting *at = outlet->first; at != waiting; at = at->next) {
        if (is_in_line(at, waiting)) {
            return false;
        }
    }
    return true;
}

static bool is_pressing(const struct waiting *at, int64_t now_ms)
{
    const int64_t waited = now_ms - at->since_ms;
    return (at->urgency == OUTLET_AWAITED && waited >= OLD_MS) ||
           (at->urgency != OUTLET_OTHER && waited >= LATE_MS);
}

// What it is worth by itself: what presses before all.
static int rank_of(const struct outlet *outlet, const struct waiting *at, int64_t now_ms)
{
    if (is_pressing(at, now_ms) &&
        !(at->urgency == OUTLET_TABLE && outlet_is_crowded(outlet, now_ms))) {
        return -1;
    }
    if (at->urgency == OUTLET_TABLE && outlet_is_crowded(outlet, now_ms)) {
        return OUTLET_OTHER;
    }
    return (int)at->urgency;
}

static struct worth worth_of(const struct outlet *outlet, const struct waiting *first,
                             int64_t now_ms)
{
    struct worth worth = {.rank = OUTLET_OTHER, .on = first};
    for (const struct waiting *at = first; at != NULL; at = at->next) {
        if (is_in_line(at, first)) {
            const int own = rank_of(outlet, at, now_ms);
            worth.rank = own < worth.rank ? own : worth.rank;
            worth.on = at->live && !worth.on->live ? at : worth.on;
        }
    }
    return worth;
}

// Until when it waits for others to go with it: only where events are few.
static int64_t joined_ms(const struct outlet *outlet, const struct waiting *at)
{
    const bool waits = outlet->pace_ms > 0 && at->joins && at->urgency == OUTLET_REPLY;
    return waits && outlet->tokens < (SPARE + 1) * outlet->pace_ms
               ? at->since_ms + OUTLET_TOGETHER_MS
               : at->since_ms;
}

// What was tried once stays as it is.
static bool gathers(const struct waiting *at, int own)
{
    return own == OUTLET_TABLE && at->first_of == 0;
}

static bool is_turn_of_others(const struct outlet *outlet)
{
    return outlet->lively >= OUTLET_LIVELY;
}

// How many events must be there for it to go: the last of them is its own. Beside live tables what
// is none of theirs leaves one to them, unless it has its turn.
static int64_t wanted(const struct outlet *outlet, const struct waiting *at,
                      const struct worth *worth, int64_t now_ms)
{
    const bool beside = !worth->on->live && now_ms < outlet->live_ms;
    if (beside && is_turn_of_others(outlet)) {
        return 1;
    }
    if (worth->rank == OUTLET_OTHER) {
        return SPARE + 1;
    }
    return beside || (gathers(at, worth->rank) && now_ms - at->since_ms < GATHER_MS) ? KEPT + 1 : 1;
}

static bool is_ready(const struct outlet *outlet, const struct waiting *at, int own, int64_t now_ms)
{
    return at->after_ms <= now_ms && (own < OUTLET_REPLY || joined_ms(outlet, at) <= now_ms);
}

// All that was never tried and joins goes with it; what was tried goes as it went before.
static void take_together(struct waiting *first)
{
    size_t count = 1;
    const bool fresh = first->first_of == 0;
    bool shows = first->shows;
    first->first_of = fresh ? first->number : first->first_of;
    first->sending = true;
    for (struct waiting *at = first->next; at != NULL && count < OUTLET_TOGETHER_MAX;
         at = at->next) {
        if (!at->joins && is_in_line(at, first)) {
            break; // nothing goes before it
        }
        const bool joins = first->joins && at->joins && at->first_of == 0 && !(shows && at->shows);
        const bool with = fresh ? joins : at->first_of == first->first_of;
        if (with && is_in_line(at, first)) {
            shows = shows || at->shows;
            at->first_of = first->first_of;
            at->sending = true;
            count++;
        }
    }
}

static bool may_go(struct outlet *outlet, struct waiting *at, int64_t now_ms)
{
    if (at->sending || !is_first_of_line(outlet, at)) {
        return false;
    }
    at->worth = worth_of(outlet, at, now_ms);
    return is_ready(outlet, at, at->worth.rank, now_ms) &&
           may_send(outlet, now_ms, wanted(outlet, at, &at->worth, now_ms));
}

// Who could not go had no turn to miss.
static void catch_up(const struct outlet *outlet, const struct waiting *on)
{
    const int64_t begin = outlet->begin[on->live ? 1 : 0];
    on->share->turns = on->share->turns < begin ? begin : on->share->turns;
    on->cause->turns = on->cause->turns < on->share->begin ? on->share->begin : on->cause->turns;
}

// Whose turn it is of all that may go: of live tables, or of others when these have theirs; then of
// those shares that are not too far ahead.
static int64_t find_turn(struct outlet *outlet, int64_t now_ms, bool *live)
{
    int64_t least[2] = {-1, -1};
    for (struct share *at = outlet->shares; at != NULL; at = at->next) {
        at->least = -1;
    }
    for (struct waiting *at = outlet->first; at != NULL; at = at->next) {
        at->may = may_go(outlet, at, now_ms);
        const struct waiting *const on = at->worth.on;
        if (at->may) {
            int64_t *const share = &least[on->live ? 1 : 0];
            int64_t *const cause = &on->share->least;
            catch_up(outlet, on);
            *share = *share < 0 || on->share->turns < *share ? on->share->turns : *share;
            *cause = *cause < 0 || on->cause->turns < *cause ? on->cause->turns : *cause;
        }
    }
    *live = least[is_turn_of_others(outlet) ? 0 : 1] >= 0 ? !is_turn_of_others(outlet)
                                                          : is_turn_of_others(outlet);
    return least[*live ? 1 : 0];
}

uint64_t outlet_next(struct outlet *outlet, int64_t now_ms)
{
    struct waiting *best = NULL;
    bool live = false;
    const int64_t least = find_turn(outlet, now_ms, &live);
    for (struct waiting *at = outlet->first; at != NULL; at = at->next) {
        const struct waiting *const on = at->worth.on;
        if (at->may && on->live == live && on->share->turns <= least + OUTLET_AHEAD &&
            on->cause->turns <= on->share->least + OUTLET_AHEAD &&
            (best == NULL || at->worth.rank < best->worth.rank)) {
            best = at;
        }
    }
    if (best == NULL) {
        return 0;
    }
    outlet->tokens -= outlet->pace_ms;
    outlet->lively = live ? outlet->lively + 1 : 0;
    outlet->begin[live ? 1 : 0] = least;
    best->worth.on->share->begin = best->worth.on->share->least;
    best->worth.on->share->turns++;
    best->worth.on->cause->turns++;
    take_together(best);
    return best->number;
}

size_t outlet_together(const struct outlet *outlet, uint64_t number,
                       uint64_t numbers[OUTLET_TOGETHER_MAX])
{
    size_t count = 0;
    for (const struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (at->sending && at->first_of == number && count < OUTLET_TOGETHER_MAX) {
            numbers[count++] = at->number;
        }
    }
    return count;
}

// When so many events are there.
static int64_t filled_ms(const struct outlet *outlet, int64_t count)
{
    const int64_t lacking = count * outlet->pace_ms - outlet->tokens;
    return outlet->pace_ms > 0 && lacking > 0 ? outlet->filled_ms + lacking : 0;
}

// When it could go if enough events were there, and when they are.
static int64_t due_of(const struct outlet *outlet, const struct waiting *at, int64_t now_ms)
{
    const struct worth worth = worth_of(outlet, at, now_ms);
    const int own = worth.rank;
    int64_t due = at->after_ms > now_ms ? at->after_ms : now_ms;
    if (own >= OUTLET_REPLY && joined_ms(outlet, at) > due) {
        due = joined_ms(outlet, at);
    }
    int64_t filled = filled_ms(outlet, wanted(outlet, at, &worth, now_ms));
    if (gathers(at, own) && (worth.on->live || now_ms >= outlet->live_ms) &&
        filled > at->since_ms + GATHER_MS) {
        const int64_t one = filled_ms(outlet, 1);
        filled = one > at->since_ms + GATHER_MS ? one : at->since_ms + GATHER_MS;
    }
    due = due < outlet->rest_ms ? outlet->rest_ms : due;
    return due < filled ? filled : due;
}

int64_t outlet_due_ms(const struct outlet *outlet, int64_t now_ms)
{
    int64_t due = -1;
    for (const struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (!at->sending && is_first_of_line(outlet, at)) {
            const int64_t own = due_of(outlet, at, now_ms);
            due = due < 0 || own < due ? own : due;
        }
    }
    return due;
}

// What waits before it in other rooms takes its share.
int64_t outlet_wait_ms(const struct outlet *outlet, uint64_t number, int64_t now_ms)
{
    int64_t before_ms = 0;
    for (const struct waiting *at = outlet->first; at != NULL; at = at->next) {
        if (at->number == number) {
            return (at->sending ? 0 : due_of(outlet, at, now_ms) - now_ms) + before_ms + 1;
        }
        before_ms += outlet->pace_ms;
    }
    return 0;
}

static void take_out(struct outlet *outlet, struct waiting **at)
{
    struct waiting *const waiting = *at;
    *at = waiting->next;
    if (outlet->end == &waiting->next) {
        outlet->end = at;
    }
    outlet->count--;
    waiting_free(waiting);
}

void outlet_done(struct outlet *outlet, uint64_t number, enum outlet_result result, int64_t wait_ms,
                 int64_t now_ms)
{
    bool found = false;
    for (struct waiting **at = &outlet->first; *at != NULL;) {
        struct waiting *const waiting = *at;
        if (!waiting->sending || waiting->first_of != number) {
            at = &waiting->next;
            continue;
        }
        found = true;
        if (result == OUTLET_SENT) {
            outlet->waited_ms += (uint64_t)(now_ms - waiting->since_ms);
            take_out(outlet, at);
            continue;
        }
        waiting->sending = false;
        waiting->after_ms = now_ms + wait_ms;
        at = &waiting->next;
    }
    forget_shares(outlet);
    if (found && result == OUTLET_TOO_MANY) {
        outlet->limited++;
        slow_down(outlet, wait_ms, now_ms);
    }
}
