#include "bot/tools/invariants.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"
#include "core/codec/snapshot_check.h"
#include "core/loop/arrange.h"
#include "core/loop/query.h"
#include "core/numbers/trait.h"

enum {
    REPORT_SIZE = 320,
    TEXT_SIZE = 240, // of a command
    COMPLETIONS = 3,
    REFUSALS = 12, // damaged commands a seat
    SAMPLE_MOVES = 4 * INVARIANTS_SAMPLE,
    EVERYBODY = 0xFF,
    TOLD_MAX = 2 + 3 * EVENT_LIST_MAX
};

_Static_assert((int)MB_DEAL_CARDS <= (int)EVENT_LIST_MAX, "the cards of a deal fit TOLD_MAX");

struct invariants {
    const struct box *box;
    struct invariants_sink sink;
    struct mb_rng rng;
    unsigned long count;
    struct game *scratch, *other, *view;
    struct event_list events;
    struct move_list moves;
    unsigned char *bytes; // SNAPSHOT_SIZE_MAX
};

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

// Counts and reports a violation.
MB_PRINTF(2, 3)
static void invariants_fail(struct invariants *invariants, const char *format, ...)
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

// "sell 12,13 by seat 2": for reports only.
static const char *command_text(const struct command *command, char *out, size_t size)
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
static bool knows_card(const struct box *box, const struct game *game, uint16_t card,
                       unsigned viewer)
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
                              (knows_card(box, first, cards[i], viewer) ||
                               (cards[i] < box->card_count && query_lasts(first, cards[i])));
        if (!unused && !was_open && !knows_card(box, before, cards[i], viewer) &&
            !knows_card(box, after, cards[i], viewer)) {
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

/* What is listed is accepted, what is not is refused, and to a seat alike on its view. */

static void try_move(struct invariants *invariants, const struct game *game,
                     const struct command *command)
{
    struct refusal why = {0};
    char text[TEXT_SIZE];
    invariants->events.count = 0;
    invariants->events.overflow = false;
    if (!game_decide(game, invariants->box, command, invariants->scratch, &invariants->events,
                     &why)) {
        invariants_fail(invariants, "a listed move is refused as %s: %s", refusal_name(why.code),
                        command_text(command, text, sizeof text));
        return;
    }
    why = (struct refusal){0};
    if (!game_check(game, invariants->box, command, &why)) {
        invariants_fail(invariants, "game_check refuses a listed move as %s: %s",
                        refusal_name(why.code), command_text(command, text, sizeof text));
    }
}

// Every listed move is accepted, templates with three completions.
static void invariants_moves(struct invariants *invariants, const struct game *game,
                             const struct move_list *moves)
{
    if (moves->overflow) {
        invariants_fail(invariants, "more than %d moves for one seat", (int)MB_MOVES_MAX);
    }
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        try_move(invariants, game, &move->command);
        for (unsigned n = 0; move->open != MOVE_CLOSED && n < COMPLETIONS; n++) {
            struct command command;
            move_sample(game, invariants->box, move, &invariants->rng, &command);
            try_move(invariants, game, &command);
            if (!move_matches(move, &command)) {
                char text[TEXT_SIZE];
                invariants_fail(invariants, "a completion does not match its template: %s",
                                command_text(&command, text, sizeof text));
            }
        }
    }
}

static bool say_the_same(unsigned a, unsigned b, unsigned none)
{
    return a == b || a == none || b == none;
}

// As a move, but what either leaves unsaid is no difference: a `for` or `on` that names the only
// possible thing may be left out.
static bool same_but_unsaid(const struct move *move, const struct command *command)
{
    const struct command *const as = &move->command;
    struct command filled = *command;
    if (as->verb != command->verb || !say_the_same(as->card, command->card, NO_CARD) ||
        !say_the_same(as->side, command->side, SIDE_NONE) ||
        !say_the_same(as->to, command->to, NO_SEAT) ||
        !say_the_same(as->picking, command->picking, 0) ||
        !say_the_same(as->about, command->about, NO_SEAT) ||
        (as->target_kind != TARGET_NONE && command->target_kind != TARGET_NONE &&
         (as->target_kind != command->target_kind || as->target != command->target))) {
        return false;
    }
    filled.card = as->card;
    filled.side = as->side;
    filled.to = as->to;
    filled.picking = as->picking;
    filled.about = as->about;
    filled.target_kind = as->target_kind;
    filled.target = as->target;
    if (command->n == 0 || as->n == 0) {
        filled.n = as->n;
    }
    if (command->list_count == 0) {
        filled.list_count = as->list_count;
        memcpy(filled.list, as->list, sizeof filled.list);
    }
    if (command->more_count == 0) {
        filled.more_count = as->more_count;
        memcpy(filled.more, as->more, sizeof filled.more);
    }
    return move_matches(move, &filled);
}

uint16_t invariants_first_alike(const struct game *game, const struct box *box, uint16_t card)
{
    const unsigned pile = card < box->card_count ? query_where(game, card) : PILE_TOTAL;
    if (pile == PILE_TOTAL) {
        return card;
    }
    uint16_t at = query_first(game, pile);
    while (at != card && (box->card_def[at] != box->card_def[card] ||
                          query_flags(game, at) != query_flags(game, card) ||
                          query_host(game, at) != query_host(game, card))) {
        at = query_next(game, at);
    }
    return at;
}

static bool is_listed(const struct move_list *moves, const struct command *command)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        if (move_matches(&moves->items[i], command) || same_but_unsaid(&moves->items[i], command)) {
            return true;
        }
    }
    return false;
}

// Cards among these for which not everybody has room: Big Items, followers.
static unsigned need_room(const struct box *box, const uint16_t *cards, unsigned count)
{
    unsigned need = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct card_def *const def = box_def(box, cards[i]);
        need += def->kind == KIND_FOLLOWER || (def->flags & DEF_BIG) != 0;
    }
    return need;
}

// Deals with several open places are listed one place at a time: whoever may ask for one thing and
// for the other may ask for both at once. Of trades only those are left out in which somebody gives
// several cards that need room, to somebody who has not room for all.
static bool deal_combines(const struct box *box, const struct command *command)
{
    if (command->verb == VERB_OFFER) {
        return need_room(box, command->list, command->list_count) > 1 ||
               need_room(box, command->more, command->more_count) > 1;
    }
    const int places = (command->list_count > 0) + (command->more_count > 0) + (command->n != 0);
    return command->verb == VERB_ASK && places > 1;
}

static bool listed_in_part(const struct box *box, const struct move_list *moves,
                           const struct command *command)
{
    for (uint32_t i = 0; deal_combines(box, command) && i < moves->count; i++) {
        const struct command *const as = &moves->items[i].command;
        if (as->verb == command->verb && as->to == command->to) {
            return true;
        }
    }
    return false;
}

// A player named instead of the only thing that lies before them.
static bool listed_by_owner(const struct game *game, const struct move_list *moves,
                            const struct command *command)
{
    for (uint32_t i = 0; command->target_kind == TARGET_SEAT && i < moves->count; i++) {
        const struct command *const as = &moves->items[i].command;
        struct command owned = *command;
        owned.target_kind = as->target_kind;
        owned.target = as->target;
        if (as->target_kind == TARGET_CARD && query_owner(game, as->target) == command->target &&
            same_but_unsaid(&moves->items[i], &owned)) {
            return true;
        }
    }
    return false;
}

bool invariants_listed(const struct game *game, const struct box *box,
                       const struct move_list *moves, const struct command *command)
{
    struct command alike = *command;
    alike.card = invariants_first_alike(game, box, command->card);
    if (command->target_kind == TARGET_CARD || command->target_kind == TARGET_MONSTER) {
        alike.target = invariants_first_alike(game, box, command->target);
    }
    if (command->list_count == 1 && command->verb != VERB_CHOOSE) {
        alike.list[0] = invariants_first_alike(game, box, command->list[0]);
    }
    return is_listed(moves, command) || is_listed(moves, &alike) ||
           listed_in_part(box, moves, command) || listed_by_owner(game, moves, command);
}

// Takes out what nobody could have said with this verb.
static void trim_command(struct command *command)
{
    if (command->verb == VERB_OFFER && command->bribe == 0 && command->more_count == 0) {
        command->verb = VERB_GIVE; // an offer asks for something
    }
    command_trim(command);
}

// A command that somebody could type by mistake: a listed one with something else in one place, or
// one out of the blue.
static void damage_command(struct invariants *invariants, unsigned seats, unsigned seat,
                           const struct move_list *moves, struct command *command)
{
    struct mb_rng *const rng = &invariants->rng;
    *command = command_plain(0, VERB_NONE);
    if (moves->count > 0 && mb_rng_below(rng, 4) != 0) {
        *command = moves->items[mb_rng_below(rng, moves->count)].command;
    } else {
        command->verb = (uint8_t)(1 + mb_rng_below(rng, VERB_TOTAL - 1));
        command->card = (uint16_t)mb_rng_below(rng, invariants->box->card_count);
    }
    command->seat = (uint8_t)seat;
    const uint16_t card = (uint16_t)mb_rng_below(rng, invariants->box->card_count);
    switch (mb_rng_below(rng, 6)) {
    case 0:
        command->card = card;
        break;
    case 1:
        command->target_kind = TARGET_SEAT;
        command->target = (uint16_t)mb_rng_below(rng, seats);
        break;
    case 2:
        command->target_kind = (uint8_t)(TARGET_CARD + mb_rng_below(rng, 2));
        command->target = card;
        break;
    case 3:
        command->list_count = 1;
        command->list[0] = card;
        break;
    case 4:
        command->to = (uint8_t)mb_rng_below(rng, seats);
        break;
    default:
        command->verb = (uint8_t)(1 + mb_rng_below(rng, VERB_TOTAL - 1));
        break;
    }
    trim_command(command);
}

static bool same_refusal(const struct refusal *a, const struct refusal *b)
{
    return a->code == b->code && a->card == b->card && a->seat == b->seat && a->amount == b->amount;
}

// What may be done though it is not listed: passing again, waiting, showing; ELAPSE is no seat's.
static bool is_left_out(unsigned verb)
{
    return verb == VERB_PASS || verb == VERB_HOLD || verb == VERB_SHOW || verb == VERB_ELAPSE;
}

// REFUSALS commands made by damaging listed moves: those not listed are refused with a code, the
// same one on the redacted state.
static void invariants_refusals(struct invariants *invariants, const struct game *game,
                                unsigned seat, const struct move_list *moves)
{
    game_redact(game, invariants->box, seat, invariants->view);
    const uint64_t digest = game_digest(game);
    for (unsigned i = 0; i < REFUSALS; i++) {
        struct command command;
        struct refusal why = {0};
        struct refusal seen = {0};
        char text[TEXT_SIZE];
        damage_command(invariants, query_seat_count(game), seat, moves, &command);
        if (is_left_out(command.verb)) {
            continue;
        }
        const bool accepted = game_check(game, invariants->box, &command, &why);
        const bool seen_accepted = game_check(invariants->view, invariants->box, &command, &seen);
        if (accepted && !invariants_listed(game, invariants->box, moves, &command)) {
            invariants_fail(invariants, "accepted, but not listed: %s",
                            command_text(&command, text, sizeof text));
        }
        if (!accepted && why.code == REFUSAL_NONE) {
            invariants_fail(invariants, "refused without a code: %s",
                            command_text(&command, text, sizeof text));
        }
        if (accepted != seen_accepted || (!accepted && !same_refusal(&why, &seen))) {
            invariants_fail(invariants, "refused as %s, but as %s on the view: %s",
                            refusal_name(why.code), refusal_name(seen.code),
                            command_text(&command, text, sizeof text));
        }
    }
    if (game_digest(game) != digest) {
        invariants_fail(invariants, "a refused command changed the state");
    }
}

/* What a seat may see: the same whatever it does not know. */

static bool same_words(const uint16_t *a, const uint16_t *b, unsigned count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

bool invariants_same_command(const struct command *a, const struct command *b)
{
    return a->verb == b->verb && a->seat == b->seat && a->side == b->side &&
           a->target_kind == b->target_kind && a->card == b->card && a->target == b->target &&
           a->ability == b->ability && a->to == b->to && a->about == b->about &&
           a->bribe == b->bribe && a->picking == b->picking && a->n == b->n &&
           a->list_count == b->list_count && a->more_count == b->more_count &&
           same_words(a->list, b->list, a->list_count) &&
           same_words(a->more, b->more, a->more_count);
}

static bool same_move(const struct move *a, const struct move *b)
{
    return invariants_same_command(&a->command, &b->command) && a->open == b->open &&
           a->min == b->min && a->max == b->max && a->value_min == b->value_min &&
           a->candidate_count == b->candidate_count &&
           same_words(a->candidates, b->candidates, a->candidate_count);
}

// All but who has passed.
static bool same_pause(struct pause a, struct pause b)
{
    return a.kind == b.kind && a.waited == b.waited && a.restarts == b.restarts &&
           a.holds == b.holds;
}

static void check_public(struct invariants *invariants, const struct game *game,
                         const struct game *view, unsigned seat)
{
    const struct query_clock clock = query_clock(game);
    const struct query_clock seen = query_clock(view);
    if (clock.kind != seen.kind || clock.seats != seen.seats) {
        invariants_fail(invariants, "seat %u sees another clock (%u, not %u)", seat, seen.kind,
                        clock.kind);
    }
    if (!same_pause(query_pause(game, PAUSE_WIN), query_pause(view, PAUSE_WIN)) ||
        !same_pause(query_pause(game, PAUSE_ANSWER), query_pause(view, PAUSE_ANSWER))) {
        invariants_fail(invariants, "seat %u sees another window", seat);
    }
}

static void check_moves(struct invariants *invariants, const struct game *view, unsigned seat,
                        const struct move_list *moves)
{
    struct move_list *const seen = &invariants->moves;
    char text[TEXT_SIZE];
    seen->count = 0;
    seen->overflow = false;
    moves_list(view, invariants->box, seat, seen);
    const uint32_t both = seen->count < moves->count ? seen->count : moves->count;
    for (uint32_t i = 0; i < both; i++) {
        if (!same_move(&seen->items[i], &moves->items[i])) {
            invariants_fail(invariants, "seat %u lists other moves on its view, first: %s", seat,
                            command_text(&moves->items[i].command, text, sizeof text));
            return;
        }
    }
    if (seen->count != moves->count) {
        invariants_fail(invariants, "seat %u lists %u moves on its view, %u on the state", seat,
                        (unsigned)seen->count, (unsigned)moves->count);
    }
}

// In a deck or a hand, and unknown to the seat.
static bool hidden_in_pile(const struct game *game, uint16_t card, unsigned seat)
{
    const bool closed = query_in_hand(game, card) || query_where(game, card) == PILE_TOTAL;
    return closed && (query_knowers(game, card) & seat_bit(seat)) == 0;
}

// A hidden card of a deck's colour, other than `apart`; NO_CARD if luck has it so.
static uint16_t pick_hidden(struct invariants *invariants, const struct game *game, unsigned seat,
                            uint16_t apart)
{
    enum { TRIES = 24 };
    for (unsigned i = 0; i < TRIES; i++) {
        const uint16_t card = (uint16_t)mb_rng_below(&invariants->rng, invariants->box->card_count);
        const bool fits =
            apart == NO_CARD ||
            (box_def(invariants->box, card)->deck == box_def(invariants->box, apart)->deck &&
             invariants->box->card_def[card] != invariants->box->card_def[apart]);
        if (card != apart && fits && hidden_in_pile(game, card, seat) &&
            !arrange_named(game, card)) {
            return card;
        }
    }
    return NO_CARD;
}

// The redaction says nothing of what lies where unseen.
static void check_permuted(struct invariants *invariants, const struct game *game,
                           const struct game *view, unsigned seat)
{
    const uint16_t a = pick_hidden(invariants, game, seat, NO_CARD);
    const uint16_t b = a == NO_CARD ? NO_CARD : pick_hidden(invariants, game, seat, a);
    if (b == NO_CARD) {
        return;
    }
    game_copy(invariants->other, game);
    arrange_swap(invariants->other, a, b);
    game_redact(invariants->other, invariants->box, seat, invariants->scratch);
    if (!game_same(invariants->scratch, view)) {
        invariants_fail(invariants,
                        "the view of seat %u depends on hidden cards %u (pile %u) and %u (pile %u)",
                        seat, (unsigned)a, query_where(game, a), (unsigned)b, query_where(game, b));
    }
}

static void check_sealed(struct invariants *invariants, const struct game *game,
                         const struct game *view, unsigned seat)
{
    game_copy(invariants->other, game);
    arrange_secretly(invariants->other, seat);
    game_redact(invariants->other, invariants->box, seat, invariants->scratch);
    if (!game_same(invariants->scratch, view)) {
        invariants_fail(invariants, "the view of seat %u depends on what others did in secret",
                        seat);
    }
}

void invariants_view(struct invariants *invariants, const struct game *game, unsigned seat,
                     const struct move_list *moves)
{
    struct game *const view = invariants->view;
    game_redact(game, invariants->box, seat, view);
    check_public(invariants, game, view, seat);
    check_moves(invariants, view, seat, moves);
    check_permuted(invariants, game, view, seat);
    check_sealed(invariants, game, view, seat);
}

/* The state by itself: cards, Levels, limits, encoding, and that the game can go on. */

static void check_levels(struct invariants *invariants, const struct game *game)
{
    const int goal = invariants->box->profile.constant[PROFILE_GOAL];
    const int floor = invariants->box->profile.constant[PROFILE_LEVEL_FLOOR];
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        const int level = (int)query_level(game, seat);
        if (level < floor || level > goal) {
            invariants_fail(invariants, "seat %u is Level %d", seat, level);
        }
        if (level == goal && query_phase(game) != PHASE_OVER) {
            invariants_fail(invariants, "seat %u has the winning Level and the game goes on", seat);
        }
    }
}

static void count_slot(const struct card_def *def, int slots[SLOT_TOTAL])
{
    if (def->slot == SLOT_TWO_HANDS) {
        slots[SLOT_HAND] += 2;
    } else {
        slots[def->slot]++;
    }
    if ((def->flags & DEF_EXTRA_ARMOR) != 0) {
        slots[SLOT_ARMOR] += def->slot != SLOT_ARMOR;
        slots[SLOT_HEADGEAR] += def->slot != SLOT_HEADGEAR;
    }
}

// Rules: ITEM-3, BIG-1. What a follower carries or Cheat! covers does not count.
static void check_gear(struct invariants *invariants, const struct game *game, unsigned seat)
{
    const struct box *const box = invariants->box;
    int slots[SLOT_TOTAL] = {0};
    int big = 0;
    int followers = 0;
    uint16_t at = query_first(game, pile_table(seat));
    for (; at != NO_CARD; at = query_next(game, at)) {
        const struct card_def *const def = box_def(box, at);
        const bool free = card_cheated(game, box, at) || card_carrier(game, box, at) != NO_CARD;
        if (free) {
            continue;
        }
        if (kind_is_item(def->kind)) {
            big += (def->flags & DEF_BIG) != 0;
        }
        if (def->kind == KIND_ITEM && (query_flags(game, at) & CARD_EQUIPPED) != 0) {
            count_slot(def, slots);
        }
        followers += def->kind == KIND_FOLLOWER;
    }
    if (query_overdressed(game, box, seat)) {
        invariants_fail(invariants,
                        "seat %u uses more than fits: headgear %d armor %d footgear %d "
                        "hands %d",
                        seat, slots[SLOT_HEADGEAR], slots[SLOT_ARMOR], slots[SLOT_FOOTGEAR],
                        slots[SLOT_HAND]);
    }
    if (big > strength_big_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u carries %d Big Items", seat, big);
    }
    if (followers > strength_follower_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u has %d followers", seat, followers);
    }
}

static void check_identity(struct invariants *invariants, const struct game *game, unsigned seat)
{
    const struct box *const box = invariants->box;
    for (unsigned kind = KIND_CLASS; kind <= KIND_BIRTHRIGHT; kind++) {
        if (trait_count(game, box, seat, kind) > trait_capacity(game, box, seat, kind)) {
            invariants_fail(invariants, "seat %u has too many identity cards of kind %u", seat,
                            kind);
        }
    }
    if (strength_rank_total(game, box, seat) > strength_rank_limit(game, box, seat)) {
        invariants_fail(invariants, "seat %u has Powers of Rank %d with a limit of %d", seat,
                        strength_rank_total(game, box, seat), strength_rank_limit(game, box, seat));
    }
}

void invariants_encoding(struct invariants *invariants, const struct game *game)
{
    struct mb_error err = {0};
    const size_t size = snapshot_encode(game, invariants->bytes, SNAPSHOT_SIZE_MAX);
    if (size == 0) {
        invariants_fail(invariants, "the state does not fit a snapshot");
    } else if (!snapshot_decode(invariants->bytes, size, invariants->box, invariants->scratch,
                                &err)) {
        invariants_fail(invariants, "the snapshot is refused: %s", err.text);
    } else if (!game_same(game, invariants->scratch)) {
        invariants_fail(invariants, "the decoded snapshot differs from the state");
    }
}

static void check_progress(struct invariants *invariants, const struct game *game)
{
    if (query_phase(game) != PHASE_OVER && query_clock(game).kind == CLOCK_NONE &&
        moves_seats(game, invariants->box) == 0) {
        invariants_fail(invariants, "nobody can act and no clock runs");
    }
}

void invariants_state(struct invariants *invariants, const struct game *game)
{
    struct mb_error err = {0};
    if (!snapshot_check(game, invariants->box, &err)) {
        invariants_fail(invariants, "%s", err.text);
        return; // the rest would only stumble
    }
    check_levels(invariants, game);
    if (!query_asks(game) && query_phase(game) != PHASE_OVER) {
        for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
            check_gear(invariants, game, seat);
            check_identity(invariants, game, seat);
        }
    }
    check_progress(invariants, game);
}

/* All of it. */

void invariants_command(struct invariants *invariants, const struct table_step *step,
                        unsigned long number)
{
    invariants_step(invariants, step->before, step->after, step->events);
    invariants_state(invariants, step->after);
    if (number % INVARIANTS_SAMPLE == 0) {
        invariants_encoding(invariants, step->after);
    }
}

void invariants_seat(struct invariants *invariants, const struct game *game, unsigned seat,
                     const struct move_list *moves, unsigned long number)
{
    if (number % INVARIANTS_SAMPLE == 0) {
        invariants_view(invariants, game, seat, moves);
        invariants_refusals(invariants, game, seat, moves);
    }
    if (number % SAMPLE_MOVES == 0) {
        invariants_moves(invariants, game, moves);
    }
}
