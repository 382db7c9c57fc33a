#include "core/numbers/strength_parts.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

void strength_add_line(struct sum *sum, unsigned reason, unsigned seat, uint16_t card, int amount)
{
    if (sum == NULL || amount == 0) {
        return;
    }
    struct sum_line *const last = sum->count > 0 ? &sum->lines[sum->count - 1] : NULL;
    if (last != NULL && reason == SUM_CARD && last->reason == reason && last->seat == seat &&
        last->card == card) {
        last->amount = number_fit(last->amount + amount); // two rows of one card
    } else if (sum->count < MB_SUM_MAX) {
        sum->lines[sum->count++] = (struct sum_line){.reason = (uint8_t)reason,
                                                     .seat = (uint8_t)seat,
                                                     .card = card,
                                                     .amount = number_fit(amount)};
    } else {
        sum->lines[MB_SUM_MAX - 1].amount = number_fit(sum->lines[MB_SUM_MAX - 1].amount + amount);
    }
}

int strength_card_rows(const struct game *game, const struct box *box, uint16_t card, unsigned op)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for(game, box, game->cards[card].seat);
    ctx.card = card;
    int total = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            total += amount_value(&ctx, &rows[i].n);
        }
    }
    return total;
}

/** What cards of whoever threw a one-shot add to it. */
static int thrown_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                       unsigned seat, struct sum *sum)
{
    int total = 0;
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_THROWN_BONUS);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        struct req_context ctx = req_context_for(game, box, seat);
        ctx.card = it.card;
        int amount = amount_value(&ctx, &row->n);
        amount = exclusions_hit_bonus(game, box, ex, it.card, amount) ? 0 : amount;
        strength_add_line(sum, SUM_CARD, seat, it.card, amount);
        total += amount;
    }
    return total;
}

int strength_side_cards(const struct game *game, const struct box *box, bool for_monsters,
                        const struct exclusions *ex, struct sum *sum)
{
    int total = 0;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        bool monsters = (game->cards[at].flags & CARD_FOR_MONSTERS) != 0;
        unsigned kind = box_def(box, at)->kind;
        if (monsters != for_monsters || kind == KIND_MONSTER || kind == KIND_ENHANCER ||
            kind == KIND_CURSE) {
            continue;
        }
        int amount = strength_card_rows(game, box, at, EFFECT_BONUS);
        if (for_monsters ? exclusions_hit_bonus(game, box, ex, at, amount)
                         : exclusions_hit(game, box, ex, at, amount)) {
            continue;
        }
        strength_add_line(sum, SUM_CARD, game->cards[at].seat, at, amount);
        total += amount;
        if (box_says(box, EFFECT_THROWN_BONUS) && kind == KIND_ONESHOT && amount != 0 &&
            game->cards[at].seat < MB_SEATS_MAX) {
            total += thrown_part(game, box, ex, game->cards[at].seat, sum);
        }
    }
    return total;
}
