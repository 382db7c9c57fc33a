// The monsters' side: a monster with its enhancers, followers that turned, Treasures, Levels.
#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/strength_parts.h"
#include "core/state/pile_list.h"

static const struct exclusions NOTHING_OUT = {.bits = 0};

/** Static rows of an op on the face of a monster that hold now, summed. */
static int face_rows(const struct game *game, const struct box *box, const struct exclusions *ex,
                     unsigned index, unsigned op, struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(box, monster->face);
    const struct row *rows = box_rows(box, def);
    int total = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when != WHEN_STATIC || rows[i].op != op || (rows[i].flags & ROW_FIXED) != 0) {
            continue;
        }
        struct req_context ctx = req_context_for_monster(game, box, index);
        if (!requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            continue;
        }
        int amount = amount_value(&ctx, &rows[i].n);
        amount = exclusions_hit_bonus(game, box, ex, monster->card, amount) ? 0 : amount;
        const unsigned before = sum != NULL ? sum->count : 0;
        strength_add_line(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, amount);
        if (sum != NULL && sum->count > before) {
            sum->lines[before].row = (uint16_t)(def->first_row + i + 1u);
        }
        total += amount;
    }
    return total;
}

/** The row by which enhancers of a monster count otherwise; NULL: none. */
static const struct row *enhancers_scale(const struct game *game, const struct box *box,
                                         unsigned index)
{
    const struct card_def *def = box_def(box, game->fight.monsters[index].face);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_ENHANCERS_COUNT) {
            struct req_context ctx = req_context_for_monster(game, box, index);
            if (requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
                return &rows[i];
            }
        }
    }
    return NULL;
}

/** An enhancer's amount on a monster whose strength without it is `before`. */
static int enhancer_amount(const struct game *game, const struct box *box, unsigned index,
                           uint16_t card, int before)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for_monster(game, box, index);
    ctx.card = card;
    int amount = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_MONSTER_BONUS &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            amount += amount_value(&ctx, &rows[i].n);
        }
    }
    // Rules: "no lower than 1" is that card's own and stops only that card (RUL-73).
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_LEVEL_FLOOR && amount < 0 &&
            before + amount < rows[i].n.base) {
            amount = before > rows[i].n.base ? rows[i].n.base - before : 0;
        }
    }
    return amount;
}

static bool enhancer_floors(const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_LEVEL_FLOOR) {
            return true;
        }
    }
    return false;
}

static bool is_enhancer_of(const struct game *game, const struct box *box, uint16_t card,
                           uint16_t group)
{
    return game->cards[card].host == group && box_def(box, card)->kind != KIND_MONSTER &&
           card != group;
}

/** Whether the rows of `of` say that this enhancer of the monster does not count. */
static bool excludes_it(const struct req_context *ctx, const struct card_def *of, uint16_t card)
{
    const struct row *rows = box_rows(ctx->box, of);
    for (unsigned i = 0; i < of->row_count; i++) {
        if (rows[i].op == EFFECT_EXCLUDE && rows[i].a == EX_ENHANCERS &&
            requirements_hold(ctx, rows[i].first_req, rows[i].req_count) &&
            (rows[i].filter == 0 || filter_fits_index(ctx->game, ctx->box, rows[i].filter, card))) {
            return true;
        }
    }
    return false;
}

/** E06: the monster, or another of its enhancers, says that this one does not count. */
static bool enhancer_excluded(const struct game *game, const struct box *box, unsigned index,
                              uint16_t card)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct req_context ctx = req_context_for_monster(game, box, index);
    if (excludes_it(&ctx, box_def(box, monster->face), card)) {
        return true;
    }
    if ((box->enhancer_ops >> EFFECT_EXCLUDE & 1u) == 0) {
        return false;
    }
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (at != card && is_enhancer_of(game, box, at, monster->group) &&
            excludes_it(&ctx, box_def(box, at), card)) {
            return true;
        }
    }
    return false;
}

static int enhancers_part(const struct game *game, const struct box *box,
                          const struct exclusions *ex, unsigned index, int level, struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct row *const scale = enhancers_scale(game, box, index);
    int total = 0;
    // Cards with a floor of their own come last, whatever the order of play.
    for (unsigned pass = 0; pass < 2; pass++) {
        uint16_t at = pile_first(game, PILE_FIGHT);
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (!is_enhancer_of(game, box, at, monster->group) ||
                enhancer_floors(box, at) != (pass == 1)) {
                continue;
            }
            if (enhancer_excluded(game, box, index, at)) {
                continue;
            }
            int amount = enhancer_amount(game, box, index, at, level + total);
            if (scale != NULL && amount != 0) {
                amount = amount * (scale->a > 0 ? scale->a : 1) + scale->n.base;
            }
            amount = exclusions_hit_bonus(game, box, ex, at, amount) ? 0 : amount;
            strength_add_line(sum, SUM_ENHANCER, NO_SEAT, at, amount);
            total += amount;
        }
    }
    return total;
}

/** What lasts on the monster, or on all of them. */
static int lasting_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                        uint16_t card, struct sum *sum)
{
    int total = 0;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_MONSTER_BONUS &&
            (lasting->about == card || lasting->about == NO_CARD) &&
            !exclusions_hit_bonus(game, box, ex, lasting->source, lasting->n)) {
            bool own = lasting->source == card;
            strength_add_line(sum, own ? SUM_MONSTER_ROW : SUM_LASTING, NO_SEAT, lasting->source,
                              lasting->n);
            total += lasting->n;
        }
    }
    return total;
}

/** What does not count of the monsters' side: bonuses, if any card of the game leaves them out;
 * worked out in `own`. */
static const struct exclusions *bonuses_out(const struct game *game, const struct box *box,
                                            struct exclusions *own)
{
    if (!box->bonuses_out) {
        return &NOTHING_OUT;
    }
    exclusions_of_fight(game, box, own);
    return own;
}

static int one_monster(const struct game *game, const struct box *box, const struct exclusions *ex,
                       unsigned index, struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    int level = box_def(box, monster->group)->level;
    strength_add_line(sum, SUM_MONSTER, NO_SEAT, monster->card, level);
    int total = level + enhancers_part(game, box, ex, index, level, sum);
    total += face_rows(game, box, ex, index, EFFECT_MONSTER_BONUS, sum);
    const bool counts = !exclusions_hit_bonus(game, box, ex, monster->card, monster->fixed);
    const int fixed = counts ? monster->fixed : 0;
    strength_add_line(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, fixed);
    return total + fixed + lasting_part(game, box, ex, monster->card, sum);
}

int strength_monster(const struct game *game, const struct box *box, unsigned index,
                     struct sum *sum)
{
    struct exclusions own;
    return one_monster(game, box, bonuses_out(game, box, &own), index, sum);
}

/** What the enhancers of a monster say of an op, if any enhancer of the game does. */
static int enhancers_say(const struct game *game, const struct box *box, unsigned index,
                         unsigned op)
{
    int total = 0;
    bool some = (box->enhancer_ops >> op & 1u) != 0;
    uint16_t at = some ? pile_first(game, PILE_FIGHT) : NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (is_enhancer_of(game, box, at, game->fight.monsters[index].group)) {
            total += strength_card_rows(game, box, at, op);
        }
    }
    return total;
}

static int turned_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                       struct sum *sum)
{
    int total = 0;
    unsigned seats[2] = {game->fight.main, game->fight.helper};
    for (unsigned i = 0; i < 2; i++) {
        if (seats[i] >= MB_SEATS_MAX) {
            continue;
        }
        uint16_t at = pile_first(game, pile_table(seats[i]));
        for (; at != NO_CARD; at = game->cards[at].next) {
            if ((game->cards[at].flags & CARD_TURNED) != 0) {
                int bonus = card_printed_bonus(box, at);
                bonus = exclusions_hit_bonus(game, box, ex, at, bonus) ? 0 : bonus;
                strength_add_line(sum, SUM_TURNED, seats[i], at, bonus);
                total += bonus;
            }
        }
    }
    return total;
}

int strength_monsters(const struct game *game, const struct box *box, struct sum *sum)
{
    struct exclusions own;
    const struct exclusions *const ex = bonuses_out(game, box, &own);
    int total = 0;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            total += one_monster(game, box, ex, i, sum);
        }
    }
    if (game->fight.on != 0) {
        total += strength_side_cards(game, box, true, ex, sum) + turned_part(game, box, ex, sum);
    }
    if (sum != NULL) {
        sum->total = total;
    }
    return total;
}

int strength_treasures(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    int total = box_def(box, monster->group)->treasures;
    int floor = 0;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (is_enhancer_of(game, box, at, monster->group)) {
            int amount = strength_card_rows(game, box, at, EFFECT_TREASURES);
            floor = amount < 0 ? 1 : floor; // Rules: at least 1 is left (RUL-74).
            total += amount;
        }
    }
    total += face_rows(game, box, &NOTHING_OUT, index, EFFECT_TREASURES, NULL);
    return total < floor ? floor : total;
}

int strength_kill_levels(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    return box_def(box, monster->group)->levels +
           face_rows(game, box, &NOTHING_OUT, index, EFFECT_KILL_LEVELS, NULL) +
           enhancers_say(game, box, index, EFFECT_KILL_LEVELS);
}

int strength_run_against(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    int total = face_rows(game, box, &NOTHING_OUT, index, EFFECT_RUN_BONUS, NULL) +
                enhancers_say(game, box, index, EFFECT_RUN_BONUS);
    // Rules: a Mate makes both harder to flee from (RUL-159): its row counts for the whole group.
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *other = &game->fight.monsters[i];
        if (other->group == monster->group && other->card != other->group &&
            (other->flags & MONSTER_GONE) == 0) {
            total += strength_card_rows(game, box, other->card, EFFECT_RUN_BONUS);
        }
    }
    return total;
}
