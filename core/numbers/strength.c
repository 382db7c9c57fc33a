#include "core/numbers/strength.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength_parts.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

static int level_part(const struct game *game, const struct exclusions *ex, unsigned seat,
                      struct sum *sum)
{
    if ((ex->bits & (1u << EX_LEVEL)) != 0) {
        return 0;
    }
    int level = game->seats[seat].level;
    if ((ex->bits & (1u << EX_ALL_BUT_LEVEL)) == 0) {
        // Rules: of several Power Switches the last counts (RUL-166).
        for (unsigned i = game->lasting_top; i > 0; i--) {
            const struct lasting *lasting = &game->lasting[i - 1];
            if (lasting->op == EFFECT_LEVEL_IS && lasting->seat == seat) {
                strength_add_line(sum, SUM_LEVEL_IS, seat, lasting->source, lasting->n);
                return lasting->n;
            }
        }
    }
    strength_add_line(sum, SUM_LEVEL, seat, NO_CARD, level);
    return level;
}

static int cards_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                      unsigned seat, unsigned op, struct sum *sum)
{
    int total = 0;
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, op);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        struct req_context ctx = req_context_for(game, box, seat);
        ctx.card = it.card;
        int amount = amount_value(&ctx, &row->n);
        if (!exclusions_hit(game, box, ex, it.card, amount)) {
            strength_add_line(sum, SUM_CARD, seat, it.card, amount);
            total += amount;
        }
    }
    return total;
}

static bool lasting_counts(const struct game *game, const struct box *box,
                           const struct lasting *lasting, unsigned seat)
{
    if (lasting->seat != seat || lasting_lacks_item(game, box, lasting)) {
        return false;
    }
    if (lasting->until == UNTIL_NEXT_FIGHT || lasting->until == UNTIL_FIGHT_END) {
        return seat_fights(game, seat);
    }
    return !lasting_waits(game, box, lasting);
}

static bool lasting_excluded(const struct game *game, const struct box *box,
                             const struct exclusions *ex, const struct lasting *lasting)
{
    if ((ex->bits & (1u << EX_ALL_BUT_LEVEL)) != 0 && lasting->n > 0) {
        return true;
    }
    // What is of an Item does not count if the Item does not.
    return lasting_of_item(lasting)
               ? exclusions_hit(game, box, ex, lasting->source, lasting->n)
               : exclusions_hit_bonus(game, box, ex, lasting->source, lasting->n);
}

static int lasting_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                        unsigned seat, unsigned op, struct sum *sum)
{
    int total = 0;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op != op || !lasting_counts(game, box, lasting, seat) ||
            lasting_excluded(game, box, ex, lasting)) {
            continue;
        }
        strength_add_line(sum, SUM_LASTING, seat, lasting->source, lasting->n);
        total += lasting->n;
    }
    return total;
}

/** What the monsters and their enhancers take from (or give to) each fighter. */
static int foes_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                     unsigned seat, struct sum *sum)
{
    int total = 0;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD && seat_fights(game, seat); at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        bool foe = def->kind == KIND_ENHANCER || monster_find(game, at) >= 0;
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; foe && i < def->row_count; i++) {
            struct req_context ctx = req_context_for(game, box, seat);
            ctx.card = at;
            if (rows[i].op == EFFECT_BONUS && rows[i].who == WHO_FIGHTERS &&
                requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
                int amount = amount_value(&ctx, &rows[i].n);
                amount = exclusions_hit_bonus(game, box, ex, at, amount) ? 0 : amount;
                strength_add_line(sum, SUM_CARD, seat, at, amount);
                total += amount;
            }
        }
    }
    return total;
}

static int own_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                    unsigned seat, struct sum *sum)
{
    return level_part(game, ex, seat, sum) + cards_part(game, box, ex, seat, EFFECT_BONUS, sum) +
           lasting_part(game, box, ex, seat, EFFECT_BONUS, sum) +
           (box->foes_touch_fighters ? foes_part(game, box, ex, seat, sum) : 0);
}

int strength_own(const struct game *game, const struct box *box, unsigned seat, struct sum *sum)
{
    struct exclusions ex;
    exclusions_of(game, box, seat, &ex);
    int total = own_part(game, box, &ex, seat, sum);
    if (sum != NULL) {
        sum->total = total;
    }
    return total;
}

static int copies_of(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    int copies = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        copies += rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_COPY_FIGHTER;
    }
    return copies;
}

static int copies_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                       int own, struct sum *sum)
{
    int total = 0;
    const bool some = box_says(box, EFFECT_COPY_FIGHTER);
    uint16_t at = some ? pile_first(game, PILE_FIGHT) : (uint16_t)NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        int copies = copies_of(box, at);
        // Rules: where only Levels count it copies the Level (RUL-156).
        const bool out = (ex->bits & (1u << EX_ONE_SHOTS)) != 0 ||
                         exclusions_hit_bonus(game, box, ex, at, own * copies);
        if (copies > 0 && !out) {
            strength_add_line(sum, SUM_COPY, game->fight.main, at, own * copies);
            total += own * copies;
        }
    }
    return total;
}

int strength_players(const struct game *game, const struct box *box, struct sum *sum)
{
    const struct fight *fight = &game->fight;
    if (fight->on == 0) {
        return 0;
    }
    struct exclusions ex;
    exclusions_of(game, box, fight->main, &ex);
    int own = own_part(game, box, &ex, fight->main, sum);
    int total = own + copies_part(game, box, &ex, number_fit(own), sum);
    total += lasting_part(game, box, &ex, fight->main, EFFECT_SIDE_BONUS, sum) +
             cards_part(game, box, &ex, fight->main, EFFECT_SIDE_BONUS, sum);
    if (fight->helper != NO_SEAT) {
        struct exclusions helper_ex;
        exclusions_of(game, box, fight->helper, &helper_ex);
        total += own_part(game, box, &helper_ex, fight->helper, sum);
        total += lasting_part(game, box, &helper_ex, fight->helper, EFFECT_SIDE_BONUS, sum) +
                 cards_part(game, box, &helper_ex, fight->helper, EFFECT_SIDE_BONUS, sum);
    }
    total += strength_side_cards(game, box, false, &ex, sum);
    if (sum != NULL) {
        sum->total = total;
    }
    return total;
}

static bool wins_ties(const struct game *game, const struct box *box)
{
    unsigned seats[2] = {game->fight.main, game->fight.helper};
    for (unsigned i = 0; i < 2; i++) {
        if (seats[i] >= MB_SEATS_MAX) {
            continue;
        }
        struct row_iter it;
        row_iter_begin(&it, game, box, seats[i], EFFECT_WINS_TIES);
        if (row_next(&it) != NULL) {
            return true;
        }
        for (unsigned l = 0; l < game->lasting_top; l++) {
            if (game->lasting[l].op == EFFECT_WINS_TIES && game->lasting[l].seat == seats[i]) {
                return true;
            }
        }
    }
    return false;
}

bool strength_players_win(const struct game *game, const struct box *box)
{
    if (game->fight.on == 0) {
        return false;
    }
    int players = strength_players(game, box, NULL);
    int monsters = strength_monsters(game, box, NULL);
    if (players == monsters) {
        return wins_ties(game, box);
    }
    return players > monsters;
}
