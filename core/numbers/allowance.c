// What a seat is allowed, and what is added to its dice: flight, rolls, hand, Hands, Big Items,
// Rank, followers, meta-abilities.
#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/event.h"
#include "core/state/pile_list.h"
#include "core/work/roll.h"

static int rows_total(const struct game *game, const struct box *box, unsigned seat, unsigned op)
{
    int total = 0;
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, op);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        const bool kept = box_def(box, it.card)->kind == KIND_MONSTER;
        if (kept && (op == EFFECT_KILL_LEVELS || op == EFFECT_TREASURES)) {
            continue; // its words are of its own fight
        }
        struct req_context ctx = req_context_for(game, box, seat);
        ctx.card = it.card;
        total += amount_value(&ctx, &row->n);
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == op && lasting->seat == seat && !lasting_waits(game, box, lasting)) {
            total += lasting->n;
        }
    }
    return total;
}

/** What a seat may have, so many of: cards may take all of it away, and no more than that. */
static int allowed_total(const struct game *game, const struct box *box, unsigned seat, unsigned op,
                         int base)
{
    const int total = base + rows_total(game, box, seat, op);
    return total > 0 ? total : 0;
}

int strength_meta(const struct game *game, const struct box *box, unsigned seat, unsigned meta)
{
    int count = 0;
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_META);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        count += row->a == (int)meta;
    }
    return count;
}

int strength_roll_bonus(const struct game *game, const struct box *box, unsigned seat)
{
    return rows_total(game, box, seat, EFFECT_ROLL_BONUS);
}

int strength_run_bonus(const struct game *game, const struct box *box, unsigned seat)
{
    int flight = strength_meta(game, box, seat, 0) > 0 ? box->profile.constant[PROFILE_FLIGHT] : 0;
    return rows_total(game, box, seat, EFFECT_RUN_BONUS) + flight; // Rules: META-1.
}

int strength_hand_limit(const struct game *game, const struct box *box, unsigned seat)
{
    const int base = box->profile.constant[PROFILE_HAND_LIMIT] + strength_meta(game, box, seat, 2);
    return allowed_total(game, box, seat, EFFECT_HAND_LIMIT, base);
}

int strength_big_limit(const struct game *game, const struct box *box, unsigned seat)
{
    return allowed_total(game, box, seat, EFFECT_BIG_LIMIT,
                         box->profile.constant[PROFILE_BIG_LIMIT]);
}

int strength_hands(const struct game *game, const struct box *box, unsigned seat)
{
    return allowed_total(game, box, seat, EFFECT_HANDS, box->profile.constant[PROFILE_HANDS]);
}

int strength_sale_bonus(const struct game *game, const struct box *box, unsigned seat)
{
    return rows_total(game, box, seat, EFFECT_SELL_BONUS);
}

int strength_of_victory(const struct game *game, const struct box *box, unsigned seat, unsigned op)
{
    return rows_total(game, box, seat, op);
}

int strength_rank_limit(const struct game *game, const struct box *box, unsigned seat)
{
    return allowed_total(game, box, seat, EFFECT_RANK, game->seats[seat].level);
}

int strength_rank_total(const struct game *game, const struct box *box, unsigned seat)
{
    int total = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (box_def(box, at)->kind == KIND_POWER) {
            total += box_def(box, at)->rank;
        }
    }
    return total;
}

int strength_follower_limit(const struct game *game, const struct box *box, unsigned seat)
{
    return allowed_total(game, box, seat, EFFECT_FOLLOWER_LIMIT,
                         box->profile.constant[PROFILE_FOLLOWERS]);
}

int roll_total(const struct game *game, const struct box *box, const struct frame *roll)
{
    int total = roll->roll.face + strength_roll_bonus(game, box, roll->seat);
    if (roll->roll.what == ROLL_FLIGHT) {
        int index = monster_find(game, roll->roll.card);
        total += strength_run_bonus(game, box, roll->seat);
        total += index >= 0 ? strength_run_against(game, box, (unsigned)index) : 0;
    }
    return total;
}

bool roll_succeeds(const struct game *game, const struct box *box, const struct frame *roll)
{
    if (roll->roll.fixed != ROLL_OPEN) {
        return roll->roll.fixed == ROLL_ESCAPES;
    }
    return roll_total(game, box, roll) >= roll->roll.need;
}
