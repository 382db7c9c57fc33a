#include "core/work/target.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/fight_view.h"

bool target_fits(const struct game *game, const struct box *box, unsigned seat,
                 const struct row *row, unsigned kind, uint16_t target)
{
    if (kind == TARGET_SEAT) {
        if (target >= game->seat_count || game->seats[target].alive == 0) {
            return false;
        }
        switch ((enum target_rule)row->target) {
        case ON_PLAYER:
            return true;
        case ON_OTHER:
            return target != seat;
        case ON_FIGHTER:
            return seat_fights(game, target);
        case ON_OTHER_FIGHTER:
            return seat_fights(game, target) && target != seat;
        default:
            return false;
        }
    }
    if (target >= box->card_count || !card_known(game, target)) {
        return false;
    }
    const struct card_state *state = &game->cards[target];
    const struct card_def *def = box_def(box, target);
    bool fits = row->filter == 0 || filter_fits_index(game, box, row->filter, target);
    switch ((enum target_rule)row->target) {
    case ON_MONSTER: {
        int index = monster_find(game, target);
        struct req_context ctx = req_context_for(game, box, seat);
        ctx.monster = (int8_t)index;
        // Rules: one escapes only from what is still to be run from (RUN-3).
        bool open = row->op != EFFECT_ESCAPE || index < 0 ||
                    (flee_pending(game, seat) >> (unsigned)index & 1u) != 0;
        // Of other rows `cards` is not about the monster.
        bool meant = row->op != EFFECT_REMOVE_MONSTER || fits;
        return kind == TARGET_MONSTER && index >= 0 && open && meant &&
               requirements_hold(&ctx, row->first_req, row->req_count);
    }
    case ON_OWN_ITEM:
        return (state->pile == pile_hand(seat) || state->pile == pile_table(seat)) &&
               kind_is_item(def->kind) && fits;
    case ON_OTHERS_ITEM:
        return pile_is_table(state->pile) && state->seat != seat && kind_is_item(def->kind) &&
               fits && game->seats[state->seat].alive != 0;
    case ON_FOLLOWER:
        return pile_is_table(state->pile) && def->kind == KIND_FOLLOWER && fits;
    case ON_LASTING_CURSE:
        return pile_is_table(state->pile) && def->kind == KIND_CURSE;
    case ON_DISCARD:
        return (state->pile == PILE_DOOR_DISCARD || state->pile == PILE_TREASURE_DISCARD) && fits;
    case ON_OTHERS_TRAIT:
        return pile_is_table(state->pile) && state->seat != seat && kind_is_identity(def->kind) &&
               fits;
    default:
        return false;
    }
}

/** Whose hand or deck a card lies in that is not in play is nobody's business: both are one answer.
 */
static bool is_out_of_play(const struct game *game, const struct row *row, uint16_t card)
{
    switch ((enum target_rule)row->target) {
    case ON_OTHERS_ITEM:
    case ON_FOLLOWER:
    case ON_LASTING_CURSE:
    case ON_OTHERS_TRAIT:
        return !pile_is_table(game->cards[card].pile);
    default:
        return false;
    }
}

void target_refuse(const struct game *game, const struct row *row, unsigned kind, uint16_t target,
                   const char *rule, struct refusal *why)
{
    if (kind == TARGET_SEAT) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, rule);
    } else {
        refuse_card(
            why, is_out_of_play(game, row, target) ? REFUSAL_NOT_IN_PLAY : REFUSAL_ILLEGAL_TARGET,
            rule, target, 0);
    }
}

unsigned target_kind(unsigned rule)
{
    switch ((enum target_rule)rule) {
    case ON_NOTHING:
        return TARGET_NONE;
    case ON_PLAYER:
    case ON_OTHER:
    case ON_FIGHTER:
    case ON_OTHER_FIGHTER:
        return TARGET_SEAT;
    case ON_MONSTER:
        return TARGET_MONSTER;
    default:
        return TARGET_CARD;
    }
}

static void collect_pile(const struct game *game, const struct box *box, unsigned seat,
                         const struct row *row, unsigned pile, struct candidate_list *list)
{
    unsigned kind = target_kind(row->target);
    uint16_t at = pile_first(game, pile);
    for (; at != NO_CARD && list->count < list->max; at = game->cards[at].next) {
        if (target_fits(game, box, seat, row, kind, at)) {
            list->ids[list->count++] = at;
        }
    }
}

static void collect_seats(const struct game *game, const struct box *box, unsigned seat,
                          const struct row *row, struct candidate_list *list)
{
    for (unsigned s = 0; s < game->seat_count && list->count < list->max; s++) {
        if (target_fits(game, box, seat, row, TARGET_SEAT, (uint16_t)s)) {
            list->ids[list->count++] = (uint16_t)s;
        }
    }
}

unsigned target_candidates(const struct game *game, const struct box *box, unsigned seat,
                           const struct row *row, struct candidate_list *list)
{
    unsigned kind = target_kind(row->target);
    if (kind == TARGET_SEAT) {
        collect_seats(game, box, seat, row, list);
    } else if (kind == TARGET_MONSTER) {
        collect_pile(game, box, seat, row, PILE_FIGHT, list);
    } else if (row->target == ON_DISCARD) {
        collect_pile(game, box, seat, row, PILE_DOOR_DISCARD, list);
        collect_pile(game, box, seat, row, PILE_TREASURE_DISCARD, list);
    } else if (kind == TARGET_CARD) {
        collect_pile(game, box, seat, row, pile_hand(seat), list);
        for (unsigned s = 0; s < game->seat_count; s++) {
            collect_pile(game, box, seat, row, pile_table(s), list);
        }
    }
    return kind;
}

bool target_shielded(const struct game *game, const struct box *box, uint16_t card, uint16_t *by)
{
    unsigned pile = game->cards[card].pile;
    if (!pile_is_table(pile)) {
        return false;
    }
    struct row_iter it;
    row_iter_begin(&it, game, box, pile - PILE_TABLE, EFFECT_THEFT_SHIELD);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        if (filter_fits_index(game, box, row->filter, card)) {
            *by = it.card;
            return true;
        }
    }
    return false;
}
