#include "bot/tools/invariants.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"
#include "core/loop/query.h"

#include "bot/tools/invariants_impl.h"

enum { REPORT_SIZE = 320, EVERYBODY = 0xFF, TOLD_MAX = 2 + 3 * EVENT_LIST_MAX };

_Static_assert((int)MB_DEAL_CARDS <= (int)EVENT_LIST_MAX, "the cards of a deal fit TOLD_MAX");

struct invariants *invariants_create(const struct box *box, const struct invariants_sink *sink)
{
    struct invariants *const made = mb_new(1, sizeof *made);
    made->box = box;
    made->sink = *sink;
    uint8_t seed[32];
    mb_rng_seed_u64(seed, 1);
    mb_rng_init(&made->rng, seed);
    made->scratch = mb_new(1, game_size());
    made->other = mb_new(1, game_size());
    made->view = mb_new(1, game_size());
    made->bytes = mb_new(1, SNAPSHOT_SIZE_MAX);
    made->events.items = mb_new(MB_EVENTS_MAX, sizeof *made->events.items);
    made->events.capacity = MB_EVENTS_MAX;
    made->moves.items = mb_new(MB_MOVES_MAX, sizeof *made->moves.items);
    made->moves.capacity = MB_MOVES_MAX;
    return made;
}

void invariants_destroy(struct invariants *invariants)
{
    if (invariants == NULL) {
        return;
    }
    free(invariants->scratch);
    free(invariants->other);
    free(invariants->view);
    free(invariants->bytes);
    free(invariants->events.items);
    free(invariants->moves.items);
    free(invariants);
}

unsigned long invariants_count(const struct invariants *invariants)
{
    return invariants->count;
}

void invariants_fail(struct invariants *invariants, const char *format, ...)
{
    invariants->count++;
    if (invariants->sink.report == NULL) {
        return;
    }
    char text[REPORT_SIZE];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    invariants->sink.report(invariants->sink.user, text);
}

static size_t put_cards(char *out, size_t size, const char *before, const uint16_t *cards,
                        unsigned count)
{
    size_t at = 0;
    for (unsigned i = 0; i < count && at < size; i++) {
        const int length =
            snprintf(out + at, size - at, "%s%u", i == 0 ? before : ",", (unsigned)cards[i]);
        at += length > 0 ? (size_t)length : 0;
    }
    return at < size ? at : size;
}

const char *invariants_command_text(const struct command *command, char *out, size_t size)
{
    const char *const verb = command_word(command->verb);
    const int length = snprintf(
        out, size, "%s by seat %u card %d target %u:%u side %u ability %u to %u n %d bribe %u:%u",
        verb, (unsigned)command->seat, command->card == NO_CARD ? -1 : (int)command->card,
        (unsigned)command->target_kind, (unsigned)command->target, (unsigned)command->side,
        (unsigned)command->ability, (unsigned)command->to, (int)command->n,
        (unsigned)command->bribe, (unsigned)command->about);
    size_t at = length > 0 && (size_t)length < size ? (size_t)length : size;
    at += put_cards(out + at, size - at, " list ", command->list, command->list_count);
    (void)put_cards(out + at, size - at, " more ", command->more, command->more_count);
    return out;
}

// Which seats know a card at the moment: those told, and all of them where it lies open.
static bool knows(const struct box *box, const struct game *game, uint16_t card, unsigned viewer)
{
    const unsigned knowers = card < box->card_count ? query_knowers(game, card) : EVERYBODY;
    return knowers == EVERYBODY || (viewer < MB_SEATS_MAX && (knowers & seat_bit(viewer)) != 0);
}

static unsigned add_cards(uint16_t *out, unsigned at, const uint16_t *cards, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        out[at++] = cards[i];
    }
    return at;
}

// Every card that a told event names: its own two first.
static unsigned told_cards(const struct event *shown, uint16_t out[TOLD_MAX])
{
    const uint16_t own[] = {shown->card, shown->card2};
    const unsigned listed = shown->n > 0 && shown->n <= EVENT_LIST_MAX ? (unsigned)shown->n : 0;
    unsigned count = add_cards(out, 0, own, 2);
    switch ((enum event_type)shown->type) {
    case EVENT_ORDER:
    case EVENT_PROMISE:
        return add_cards(out, count, shown->u.list, listed);
    case EVENT_OPTIONS:
        return shown->m == 1 ? add_cards(out, count, shown->u.list, listed) : count;
    case EVENT_DECIDE:
        out[count++] = shown->u.decide.subject;
        out[count++] = shown->u.decide.source;
        return count;
    case EVENT_DEAL:
        count = add_cards(out, count, shown->u.deal.gives, shown->u.deal.gives_count);
        count = add_cards(out, count, shown->u.deal.wants, shown->u.deal.wants_count);
        return add_cards(out, count, shown->u.deal.promises, shown->u.deal.promises_count);
    case EVENT_FRAME_PUSH:
    case EVENT_FRAME_SET:
        return count + frame_cards(&shown->u.frame, out + count);
    default:
        return count;
    }
}

// `first` is the state before the command: a note may name what lay open then.
static bool told_only_known(const struct box *box, const struct game *first,
                            const struct game *before, const struct game *after,
                            const struct event *event, unsigned viewer)
{
    struct event shown;
    if (!event_for_viewer(event, viewer, &shown)) {
        return true;
    }
    uint16_t cards[TOLD_MAX];
    const unsigned count = told_cards(&shown, cards);
    for (unsigned i = 0; i < count; i++) {
        // A card that nothing is said of stands as NO_CARD, or as 0 where the field is not used.
        const bool unused = cards[i] == NO_CARD || cards[i] == 0;
        // Where an effect came from everybody saw, wherever the card is now.
        const bool was_open = event->type == EVENT_NOTE &&
                              (knows(box, first, cards[i], viewer) ||
                               (cards[i] < box->card_count && query_lasts(first, cards[i])));
        if (!unused && !was_open && !knows(box, before, cards[i], viewer) &&
            !knows(box, after, cards[i], viewer)) {
            return false;
        }
    }
    return true;
}

void invariants_step(struct invariants *invariants, const struct game *before,
                     const struct game *after, const struct event_list *events)
{
    struct game *const now = invariants->scratch;
    struct game *const then = invariants->other;
    const unsigned seats = query_seat_count(before);
    game_copy(now, before);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        game_copy(then, now);
        event_apply(now, event);
        for (unsigned seat = 0; seat <= seats; seat++) {
            const unsigned viewer = seat < seats ? seat : NO_SEAT;
            if (!told_only_known(invariants->box, before, then, now, event, viewer)) {
                invariants_fail(invariants, "event %s (%u) tells viewer %u of cards %u and %u",
                                event_name(event->type), (unsigned)event->why, viewer,
                                (unsigned)event->card, (unsigned)event->card2);
            }
        }
    }
    if (!game_same(now, after)) {
        invariants_fail(invariants, "replaying %u events does not give the state after them",
                        (unsigned)events->count);
    }
}
