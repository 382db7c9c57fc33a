// What a seat may see: the same whatever it does not know.
#include <string.h>

#include "core/base/rng.h"
#include "core/loop/arrange.h"
#include "core/loop/query.h"

#include "bot/tools/invariants_impl.h"

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
    char text[200];
    seen->count = 0;
    seen->overflow = false;
    moves_list(view, invariants->box, seat, seen);
    const uint32_t both = seen->count < moves->count ? seen->count : moves->count;
    for (uint32_t i = 0; i < both; i++) {
        if (!same_move(&seen->items[i], &moves->items[i])) {
            invariants_fail(invariants, "seat %u lists other moves on its view, first: %s", seat,
                            invariants_command_text(&moves->items[i].command, text, sizeof text));
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
