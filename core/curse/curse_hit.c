#include "core/curse/curse_hit.h"

#include <stddef.h>

#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"
#include "core/work/program.h"

/** What a row would come to. */
enum hit {
    HIT_NOTHING, /**< finds nothing: a row `else` follows */
    HIT_KEPT,    /**< finds only what is protected: nothing happens, nor does a row `else` follow */
    HIT_OPEN,    /**< does nothing itself; the rows after it depend on an answer */
    HIT_SURELY
};

static enum hit hit_if(bool hits)
{
    return hits ? HIT_SURELY : HIT_NOTHING;
}

static bool above_floor(const struct game *game, const struct box *box, unsigned seat)
{
    return game->seats[seat].level > box->profile.constant[PROFILE_LEVEL_FLOOR];
}

/** Where a row looks for cards. */
static unsigned place_of(const struct box *box, const struct row *row)
{
    return row->filter != 0 ? box->filters[row->filter - 1u].place : PLACE_OWN;
}

/** How many cards might fit: all of a hand, and what lies open. `kept`: some are protected. */
static unsigned might_fit(const struct req_context *ctx, const struct row *row, unsigned seat,
                          bool *kept)
{
    const struct game *game = ctx->game;
    const struct box *box = ctx->box;
    unsigned place = place_of(box, row);
    bool hand = place == PLACE_HAND || place == PLACE_OWN;
    uint16_t cards[MB_CARDS_MAX];
    unsigned found = filter_collect(game, box, seat, row->filter, cards, MB_CARDS_MAX);
    unsigned count = hand ? pile_count(game, pile_hand(seat)) : 0;
    for (unsigned i = 0; i < found; i++) {
        uint16_t by = NO_CARD;
        bool reminder = box_def(box, cards[i])->kind == KIND_CURSE;
        if (!pile_is_table(game->cards[cards[i]].pile) || reminder) {
            continue;
        }
        enum immunity immune = card_immune(game, box, cards[i], &by);
        *kept |= immune == IMMUNE_SPARES;
        count += immune == IMMUNE_NOT;
    }
    return count;
}

/** What a row would come to for the victim, `ctx->self`; `seats` are those it serves. */
typedef enum hit hit_function(const struct req_context *ctx, const struct row *row, unsigned seats);

/** What names a card or a monster finds none when a Curse strikes; there is no roll either. */
static enum hit hits_nothing(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    (void)ctx;
    (void)row;
    (void)seats;
    return HIT_NOTHING;
}

static enum hit hits_surely(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    (void)ctx;
    (void)row;
    (void)seats;
    return HIT_SURELY;
}

static enum hit hits_as_answered(const struct req_context *ctx, const struct row *row,
                                 unsigned seats)
{
    (void)ctx;
    (void)row;
    (void)seats;
    return HIT_OPEN;
}

static enum hit hits_who_is_there(const struct req_context *ctx, const struct row *row,
                                  unsigned seats)
{
    (void)ctx;
    (void)row;
    return hit_if(seats != 0);
}

/** Whether the amount is more than nothing, or may be: what is rolled or counted. */
static bool may_be_some(const struct row *row)
{
    return row->n.source != SRC_CONST || row->n.base > 0;
}

static enum hit hits_with_draws(const struct req_context *ctx, const struct row *row,
                                unsigned seats)
{
    (void)ctx;
    return hit_if(seats != 0 && may_be_some(row));
}

/** The Levels of some seats would change. */
static enum hit hits_levels(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    const struct game *game = ctx->game;
    bool known = row->n.source == SRC_CONST;
    int goal = ctx->box->profile.constant[PROFILE_GOAL];
    int most = (row->flags & ROW_KILL) != 0 ? goal : goal - 1;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        int level = game->seats[seat].level;
        int change = row->op == EFFECT_LEVEL ? row->n.base : row->n.base - level;
        bool gains = (!known || change > 0) && level < most;
        bool loses = (!known || change < 0) && above_floor(game, ctx->box, seat);
        if ((seats & seat_bit(seat)) != 0 && (gains || loses)) {
            return HIT_SURELY;
        }
    }
    return HIT_NOTHING;
}

static enum hit hits_own_level(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    (void)row;
    (void)seats;
    return hit_if(above_floor(ctx->game, ctx->box, ctx->self));
}

static enum hit hits_hand_or_levels(const struct req_context *ctx, const struct row *row,
                                    unsigned seats)
{
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        bool hand = pile_count(ctx->game, pile_hand(seat)) > 0;
        bool levels = may_be_some(row) && above_floor(ctx->game, ctx->box, seat);
        if ((seats & seat_bit(seat)) != 0 && (hand || levels)) {
            return HIT_SURELY;
        }
    }
    return HIT_NOTHING;
}

static enum hit hits_traits(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) { // Rules: RUL-103.
        if ((seats & seat_bit(seat)) != 0 &&
            trait_count(ctx->game, ctx->box, seat, (unsigned)row->a) > 0) {
            return HIT_SURELY;
        }
    }
    return HIT_NOTHING;
}

static enum hit hits_cards(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    bool kept = false;
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0 && might_fit(ctx, row, seat, &kept) > 0) {
            return HIT_SURELY;
        }
    }
    return kept ? HIT_KEPT : HIT_NOTHING;
}

static unsigned others_among(const struct req_context *ctx, unsigned seats)
{
    return seats & ~(unsigned)seat_bit(ctx->self);
}

/** Others get cards of the victim's. */
static enum hit hits_own_cards(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    bool nobody = others_among(ctx, seats) == 0 || !may_be_some(row);
    return nobody ? HIT_NOTHING : hits_cards(ctx, row, seat_bit(ctx->self));
}

/** The victim pays a number of cards, or cannot. */
static enum hit hits_payer(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    bool kept = false;
    int count = (int)might_fit(ctx, row, ctx->self, &kept);
    (void)seats;
    return hit_if(may_be_some(row) && (row->n.source != SRC_CONST || count >= row->n.base));
}

// Whatever else the row asks for (RUL-100).
unsigned curse_taxable(const struct req_context *ctx, const struct row *row,
                       uint16_t out[MB_CARDS_MAX])
{
    const struct game *game = ctx->game;
    unsigned count = filter_collect(game, ctx->box, ctx->self, row->filter, out, MB_CARDS_MAX);
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t by = NO_CARD;
        if (kind_is_item(box_def(ctx->box, out[i])->kind) &&
            pile_is_table(game->cards[out[i]].pile) &&
            card_immune(game, ctx->box, out[i], &by) == IMMUNE_NOT) {
            out[left++] = out[i];
        }
    }
    return left;
}

static enum hit hits_taxed(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    uint16_t cards[MB_CARDS_MAX];
    (void)seats;
    return hit_if(curse_taxable(ctx, row, cards) > 0);
}

static enum hit hits_hands(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    unsigned swapped = others_among(ctx, seats) != 0 ? seats | seat_bit(ctx->self) : 0;
    unsigned shown = row->op == EFFECT_SWAP_HANDS ? swapped : seats;
    for (unsigned seat = 0; seat < ctx->game->seat_count; seat++) {
        if ((shown & seat_bit(seat)) != 0 && pile_count(ctx->game, pile_hand(seat)) > 0) {
            return HIT_SURELY;
        }
    }
    return HIT_NOTHING;
}

static bool any_of_kind(const struct req_context *ctx, unsigned pile, unsigned kind)
{
    const struct game *game = ctx->game;
    for (uint16_t at = pile_first(game, pile); at != NO_CARD; at = game->cards[at].next) {
        if (box_def(ctx->box, at)->kind == kind && (game->cards[at].flags & CARD_TURNED) == 0) {
            return true;
        }
    }
    return false;
}

static enum hit hits_by_discard(const struct req_context *ctx, const struct row *row,
                                unsigned seats)
{
    (void)seats;
    if (row->op == EFFECT_SUFFER) {
        unsigned kind = row->a == 1 ? KIND_MONSTER : KIND_CURSE;
        return hit_if(any_of_kind(ctx, PILE_DOOR_DISCARD, kind));
    }
    return hit_if(pile_count(ctx->game, PILE_DOOR_DISCARD) > 0);
}

/** Something that was played into the fight, or, for `return_cards`, thrown for the players. */
static bool any_played(const struct req_context *ctx, const struct row *row)
{
    const struct game *game = ctx->game;
    for (uint16_t at = pile_first(game, PILE_FIGHT); at != NO_CARD; at = game->cards[at].next) {
        bool thrown = box_def(ctx->box, at)->kind == KIND_ONESHOT &&
                      (game->cards[at].flags & CARD_FOR_MONSTERS) == 0;
        int index = monster_find(game, at);
        bool joined = index < 0 || (game->fight.monsters[index].flags & MONSTER_WANDERED) != 0;
        if (row->op == EFFECT_RETURN_CARDS ? thrown : joined) {
            return true;
        }
    }
    return false;
}

static bool any_removed(const struct req_context *ctx, const struct row *row)
{
    const struct fight *fight = &ctx->game->fight;
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if ((fight->monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0 &&
            (row->filter == 0 ||
             filter_fits_index(ctx->game, ctx->box, row->filter, fight->monsters[i].card))) {
            return true;
        }
    }
    return false;
}

/** What is done in a fight, and so to nobody outside one. */
static enum hit hits_fight(const struct req_context *ctx, const struct row *row, unsigned seats)
{
    const struct game *game = ctx->game;
    bool hits = false;
    if (row->op == EFFECT_REMOVE_MONSTER) { // no monster is named: all, or the only one
        hits = any_removed(ctx, row) && (row->b == 1 || fight_monsters_left(game) == 1);
    } else if (row->op == EFFECT_TAKE_OVER) {
        hits = game->fight.main != ctx->self;
    } else if (row->op == EFFECT_REBOOT || row->op == EFFECT_RETURN_CARDS) {
        hits = any_played(ctx, row);
    } else if (row->op == EFFECT_TURN_FOLLOWER) {
        hits =
            seat_fights(game, ctx->self) && any_of_kind(ctx, pile_table(ctx->self), KIND_FOLLOWER);
    } else if (row->op == EFFECT_SEND_AWAY) {
        hits = game->fight.helper != NO_SEAT;
    } else { // escape
        hits = seats != 0;
    }
    return hit_if(hits && game->fight.on != 0);
}

/** One answer for every op that is carried out; counted ones never are. */
#define COUNTED(...)
#define DONE(id, name, help, sentence, takes, applies, hits, steps) [EFFECT_##id] = (hits),
static hit_function *const HITS[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

bool curse_hit_answers(unsigned op)
{
    return op < EFFECT_TOTAL && HITS[op] != NULL;
}

/** Whether a row's turn comes after what the row before it came to. */
static bool row_follows(const struct row *row, enum hit before)
{
    if ((row->flags & ROW_THEN) != 0) {
        return before == HIT_OPEN || before == HIT_KEPT;
    }
    return (row->flags & ROW_ELSE) == 0 || before == HIT_NOTHING || before == HIT_OPEN;
}

bool curse_would_hit(const struct game *game, const struct box *box, const struct frame *curse)
{
    const struct card_def *def = box_def(box, curse->curse.card);
    const struct row *rows = box_rows(box, def);
    if ((def->flags & DEF_STAYS) != 0) {
        return true;
    }
    struct req_context ctx = req_context_for(game, box, curse->seat);
    ctx.card = curse->curse.card;
    ctx.target = curse->seat;
    enum hit before = HIT_NOTHING;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &rows[i];
        if (row->when != WHEN_STRIKE || !curse_hit_answers(row->op)) {
            continue;
        }
        if (!row_follows(row, before)) {
            // An `else` that is passed over leaves what was before it standing.
            before = (row->flags & ROW_ELSE) != 0 ? before : HIT_NOTHING;
            continue;
        }
        bool each = row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
        bool holds = each || requirements_hold(&ctx, row->first_req, row->req_count);
        enum hit hit = holds ? HITS[row->op](&ctx, row, selector_seats(&ctx, row)) : HIT_NOTHING;
        if (hit == HIT_SURELY) {
            return true;
        }
        before = hit;
    }
    return false;
}
