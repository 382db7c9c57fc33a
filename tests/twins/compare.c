// What must be equal after every command: all that anybody but the secret seat can see or count.
#include <string.h>

#include "core/loop/query.h"

#include "bot/tools/invariants.h"

#include "tests/twins/twins.h"

static void tell(struct twin *twin, const void *bytes, size_t size)
{
    if (twin->told_count + size <= TWINS_BYTES_MAX) {
        memcpy(twin->told + twin->told_count, bytes, size);
        twin->told_count += size;
    }
}

// Whether a command lets somebody else know a differing card, and where that lay before.
static enum twins_end parts_by(const struct twins *twins, const struct game *before,
                               const struct game *after)
{
    const unsigned others = 0xFFu & ~(unsigned)seat_bit(twins->secret);
    for (unsigned i = 0; i < twins->differ_count; i++) {
        const uint16_t card = twins->differ[i];
        const unsigned was = query_where(before, card);
        if ((query_knowers(after, card) & others) == 0) {
            continue;
        }
        if (was == query_where(after, card) &&
            query_owner(before, card) == query_owner(after, card)) {
            return TWINS_SHOWN;
        }
        return was == PILE_TOTAL ? TWINS_DRAWN : TWINS_OPENED;
    }
    return TWINS_GOES_ON;
}

// An event that lays a differing card open: from here on the games may part.
static bool lays_open(const struct twins *twins, const struct event *event)
{
    const unsigned others = 0xFFu & ~(unsigned)seat_bit(twins->secret);
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        return twins_differs(twins, event->card) && (event->knowers & others) != 0;
    case EVENT_KNOW:
        return twins_differs(twins, event->card) && (event->mask & others) != 0;
    default:
        return false;
    }
}

// What one viewer is told of the events up to the first that parts the games.
static void record_viewer(struct twins *twins, struct twin *twin, const struct event_list *events,
                          unsigned viewer)
{
    for (uint32_t i = 0; i < events->count; i++) {
        struct event shown;
        if (lays_open(twins, &events->items[i])) {
            return;
        }
        if (event_for_viewer(&events->items[i], viewer, &shown)) {
            tell(twin, &shown, sizeof shown);
        }
    }
}

void twins_record(struct twins *twins, unsigned which, const struct table_step *step)
{
    struct twin *const twin = &twins->twin[which];
    if (twin->step_count == TWINS_STEPS_MAX) {
        return;
    }
    struct twins_step *const record = &twin->steps[twin->step_count++];
    *record = (struct twins_step){.command = *step->command,
                                  .messages = solo_outbox(twin->session)->count,
                                  .end = parts_by(twins, step->before, step->after)};
    for (unsigned seat = 0; seat <= twins->seats; seat++) {
        if (seat != twins->secret) {
            record_viewer(twins, twin, step->events, seat < twins->seats ? seat : NO_SEAT);
        }
    }
    record->bytes = twin->told_count;
    if (which == 0 && twins->invariants != NULL) {
        invariants_step(twins->invariants, step->before, step->after, step->events);
    }
    for (uint32_t i = 0; which == 0 && i < step->events->count; i++) {
        const struct event *const event = &step->events->items[i];
        const bool unseen = event->type == EVENT_MOVE && event->from <= PILE_TREASURE_DECK &&
                            event->to == pile_hand(twins->secret) && !lays_open(twins, event);
        twins->result->drawn += unseen && twins_differs(twins, event->card);
    }
}

static bool same_cards(const uint16_t *a, const uint16_t *b, unsigned count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_command(const struct command *a, const struct command *b)
{
    return a->verb == b->verb && a->seat == b->seat && a->side == b->side &&
           a->target_kind == b->target_kind && a->card == b->card && a->target == b->target &&
           a->ability == b->ability && a->to == b->to && a->about == b->about &&
           a->bribe == b->bribe && a->picking == b->picking && a->n == b->n &&
           a->list_count == b->list_count && a->more_count == b->more_count &&
           same_cards(a->list, b->list, a->list_count) &&
           same_cards(a->more, b->more, a->more_count);
}

// The commands of both and what they told; returns how many of them did not part the games.
static unsigned compare_steps(struct twins *twins)
{
    const struct twin *const a = &twins->twin[0];
    const struct twin *const b = &twins->twin[1];
    size_t from = 0;
    for (unsigned i = 0; i < a->step_count || i < b->step_count; i++) {
        if (i >= a->step_count || i >= b->step_count) {
            twins_break(twins, "%u commands happen in one game, %u in the other", a->step_count,
                        b->step_count);
            return i;
        }
        const struct twins_step *const left = &a->steps[i];
        const struct twins_step *const right = &b->steps[i];
        twins->result->commands++;
        if (!same_command(&left->command, &right->command)) {
            twins_break(twins, "another command: verb %u of seat %u, verb %u of seat %u",
                        left->command.verb, left->command.seat, right->command.verb,
                        right->command.seat);
            return i;
        }
        const bool parts = left->end != TWINS_GOES_ON || right->end != TWINS_GOES_ON;
        const size_t length = left->bytes - from;
        if ((!parts && left->bytes != right->bytes) ||
            (left->bytes == right->bytes && memcmp(a->told + from, b->told + from, length) != 0)) {
            twins_break(twins, "verb %u of seat %u tells the others something else",
                        left->command.verb, left->command.seat);
            return i;
        }
        if (parts) {
            return i;
        }
        from = left->bytes;
    }
    return a->step_count;
}

static bool for_others(const struct twins *twins, const struct message *message)
{
    return message->to == MESSAGE_TABLE || message->seat != twins->secret;
}

static const struct message *next_message(const struct twins *twins,
                                          const struct message_list *list, size_t *at, size_t end)
{
    while (*at < end && !for_others(twins, &list->items[*at])) {
        ++*at;
    }
    return *at < end ? &list->items[(*at)++] : NULL;
}

// What was said, up to a command that parted the games.
static void compare_messages(struct twins *twins, unsigned steps)
{
    const struct message_list *lists[2];
    size_t at[2] = {0, 0};
    size_t end[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct twin *const twin = &twins->twin[i];
        lists[i] = solo_outbox(twin->session);
        end[i] = steps < twin->step_count ? twin->steps[steps].messages : lists[i]->count;
    }
    for (;;) {
        const struct message *const a = next_message(twins, lists[0], &at[0], end[0]);
        const struct message *const b = next_message(twins, lists[1], &at[1], end[1]);
        if (a == NULL && b == NULL) {
            return;
        }
        if (a == NULL || b == NULL) {
            twins_break(twins, "only one of them is told: %.200s", a != NULL ? a->text : b->text);
            return;
        }
        if (a->to != b->to || a->seat != b->seat || strcmp(a->text, b->text) != 0) {
            twins_break(twins, "seat %u (kind %u) is told \"%.160s\", in the twin \"%.160s\"",
                        a->seat, a->to, a->text, b->text);
            return;
        }
    }
}

static bool same_pause(struct pause a, struct pause b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void compare_clocks(struct twins *twins)
{
    const struct solo *const a = twins->twin[0].session;
    const struct solo *const b = twins->twin[1].session;
    const struct table_due left = solo_due(a);
    const struct table_due right = solo_due(b);
    if (left.kind != right.kind || left.ms != right.ms || left.seats != right.seats ||
        left.clock != right.clock || left.clock_ms != right.clock_ms) {
        twins_break(twins, "time: kind %u in %lld ms, clock %u for %x; twin: %u in %lld ms, %u, %x",
                    left.kind, (long long)left.ms, left.clock, left.seats, right.kind,
                    (long long)right.ms, right.clock, right.seats);
    }
    if (solo_state(a) != solo_state(b)) {
        twins_break(twins, "one session is in state %u, the other in %u", solo_state(a),
                    solo_state(b));
    }
    const struct query_clock clock = query_clock(solo_game(a));
    const struct query_clock twin = query_clock(solo_game(b));
    if (clock.kind != twin.kind || clock.seats != twin.seats ||
        !same_pause(query_pause(solo_game(a), PAUSE_WIN), query_pause(solo_game(b), PAUSE_WIN)) ||
        !same_pause(query_pause(solo_game(a), PAUSE_ANSWER),
                    query_pause(solo_game(b), PAUSE_ANSWER))) {
        twins_break(twins, "another window");
    }
}

static void list_moves(const struct twins *twins, struct twin *twin, unsigned seat)
{
    twin->moves.count = 0;
    twin->moves.overflow = false;
    moves_list(solo_game(twin->session), &twins->box, seat, &twin->moves);
}

static bool same_move(const struct move *a, const struct move *b)
{
    return same_command(&a->command, &b->command) && a->open == b->open && a->min == b->min &&
           a->max == b->max && a->more_min == b->more_min && a->more_max == b->more_max &&
           a->value_min == b->value_min && a->candidate_count == b->candidate_count &&
           a->more_count == b->more_count &&
           same_cards(a->candidates, b->candidates, a->candidate_count) &&
           same_cards(a->more, b->more, a->more_count);
}

// A seat's view in the session, the redaction of the state, and its legal list on the state.
static void compare_viewer(struct twins *twins, unsigned viewer)
{
    struct twin *const a = &twins->twin[0];
    struct twin *const b = &twins->twin[1];
    struct table_words left;
    struct table_words right;
    solo_words(a->session, viewer, &left);
    solo_words(b->session, viewer, &right);
    if (!game_same(left.view, right.view) || left.window_s != right.window_s) {
        twins_break(twins, "seat %u has another view", viewer);
    }
    game_redact(solo_game(a->session), &twins->box, viewer, twins->scratch[0]);
    game_redact(solo_game(b->session), &twins->box, viewer, twins->scratch[1]);
    if (!game_same(twins->scratch[0], twins->scratch[1])) {
        twins_break(twins, "the redaction for seat %u tells them apart", viewer);
    }
    if (viewer >= twins->seats) {
        return;
    }
    list_moves(twins, a, viewer);
    list_moves(twins, b, viewer);
    bool same = a->moves.count == b->moves.count;
    for (uint32_t i = 0; same && i < a->moves.count; i++) {
        same = same_move(&a->moves.items[i], &b->moves.items[i]);
    }
    if (!same) {
        twins_break(twins, "seat %u has other legal moves", viewer);
    }
}

void twins_compare(struct twins *twins, bool changed)
{
    const unsigned steps = compare_steps(twins);
    const bool look = changed || twins->twin[0].step_count > 0;
    compare_messages(twins, steps);
    if (steps < twins->twin[0].step_count && twins->end == TWINS_GOES_ON) {
        const enum twins_end end = twins->twin[0].steps[steps].end;
        twins->end = end != TWINS_GOES_ON ? end : twins->twin[1].steps[steps].end;
    }
    if (twins->end == TWINS_GOES_ON) {
        compare_clocks(twins);
        for (unsigned viewer = 0; look && viewer <= twins->seats; viewer++) {
            if (viewer != twins->secret) {
                compare_viewer(twins, viewer < twins->seats ? viewer : NO_SEAT);
            }
        }
        if (solo_state(twins->twin[0].session) == TABLE_OVER && twins->end == TWINS_GOES_ON) {
            twins->end = TWINS_OVER;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        twins->twin[i].step_count = 0;
        twins->twin[i].told_count = 0;
        message_list_clear(solo_outbox(twins->twin[i].session));
    }
}
