#include "core/strength.h"

#include <stddef.h>

#include "core/pile.h"
#include "core/requirement.h"
#include "core/trait.h"

enum { ITEM_FILTERS_MAX = 8 };

/** What does not count in this fight: bits of enum exclusion, and filters for Items. EX_ITEMS
 * without a filter means all Items. */
struct exclusions {
    unsigned bits;
    unsigned filter_count;
    uint16_t filters[ITEM_FILTERS_MAX]; /**< filter + 1 */
};

static void exclude_items(struct exclusions *ex, uint16_t filter)
{
    if (filter == 0) {
        ex->bits |= 1u << EX_ITEMS;
    } else if (ex->filter_count < ITEM_FILTERS_MAX) {
        ex->filters[ex->filter_count++] = filter;
    }
}

static void sum_add(struct sum *sum, unsigned reason, unsigned seat, uint16_t card, int amount)
{
    if (sum == NULL || amount == 0) {
        return;
    }
    if (sum->count < MB_SUM_MAX) {
        sum->lines[sum->count++] = (struct sum_line){.reason = (uint8_t)reason,
                                                     .seat = (uint8_t)seat,
                                                     .card = card,
                                                     .amount = (int16_t)amount};
    } else {
        sum->lines[MB_SUM_MAX - 1].amount = (int16_t)(sum->lines[MB_SUM_MAX - 1].amount + amount);
    }
}

static struct req_context monster_context(const struct game *game, const struct box *box,
                                          unsigned index)
{
    struct req_context ctx = req_context_for(game, box, game->fight.main);
    ctx.monster = (int8_t)index;
    ctx.card = game->fight.monsters[index].card;
    ctx.lend = true;
    return ctx;
}

/** Static rows of an op on the face of a monster that hold now; calls back by returning the sum. */
static int face_rows(const struct game *game, const struct box *box, unsigned index, unsigned op,
                     struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(box, monster->face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = monster_context(game, box, index);
    int total = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when != WHEN_STATIC || rows[i].op != op || (rows[i].flags & ROW_FIXED) != 0 ||
            !requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            continue;
        }
        int amount = amount_value(&ctx, &rows[i].n);
        sum_add(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, amount);
        total += amount;
    }
    return total;
}

static bool face_has(const struct game *game, const struct box *box, unsigned index, unsigned op,
                     const struct row **found)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct card_def *def = box_def(box, monster->face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = monster_context(game, box, index);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == op &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            if (found != NULL) {
                *found = &rows[i];
            }
            return true;
        }
    }
    return false;
}

/** What one monster of the fight takes out of the players' strength. */
static void exclude_by_monster(const struct game *game, const struct box *box, unsigned index,
                               struct exclusions *out)
{
    const struct card_def *def = box_def(box, game->fight.monsters[index].face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = monster_context(game, box, index);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when != WHEN_STATIC || rows[i].op != EFFECT_EXCLUDE ||
            !requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            continue;
        }
        if (rows[i].a == EX_ITEMS) {
            exclude_items(out, rows[i].filter);
        } else {
            out->bits |= 1u << (unsigned)rows[i].a;
        }
    }
}

static struct exclusions exclusions_of(const struct game *game, const struct box *box,
                                       unsigned seat)
{
    struct exclusions out = {.bits = 0};
    if (!seat_fights(game, seat)) {
        return out;
    }
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & MONSTER_GONE) == 0) {
            exclude_by_monster(game, box, i, &out);
        }
    }
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_BARS);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        if (row->a == BAR_ITEMS) {
            exclude_items(&out, row->filter);
        }
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_BARS && lasting->arg == BAR_ITEMS && lasting->seat == seat) {
            exclude_items(&out, lasting->about == NO_CARD ? 0 : lasting->about);
        }
    }
    return out;
}

static bool item_excluded(const struct game *game, const struct box *box,
                          const struct exclusions *ex, uint16_t card)
{
    for (unsigned i = 0; i < ex->filter_count; i++) {
        if (filter_fits_index(game, box, ex->filters[i], card)) {
            return true;
        }
    }
    return (ex->bits & (1u << EX_ITEMS)) != 0;
}

static bool excluded(const struct game *game, const struct box *box, const struct exclusions *ex,
                     uint16_t card, int amount)
{
    const struct card_def *def = box_def(box, card);
    if (ex->bits == 0 && ex->filter_count == 0) {
        return false;
    }
    // Rules: penalties aimed at a fighter still count in a Level-only fight (RUL-156).
    if ((ex->bits & (1u << EX_ALL_BUT_LEVEL)) != 0 && (amount > 0 || kind_is_item(def->kind))) {
        return true;
    }
    if ((ex->bits & (1u << EX_FIRE)) != 0 && (def->tags >> TAG_FIRE & 1u) != 0) {
        return true;
    }
    switch ((enum card_kind)def->kind) {
    case KIND_ITEM:
        return item_excluded(game, box, ex, card);
    case KIND_ONESHOT:
        return (ex->bits & (1u << EX_ONE_SHOTS)) != 0;
    case KIND_FOLLOWER:
        return (ex->bits & (1u << EX_FOLLOWERS)) != 0;
    case KIND_POWER:
        return (ex->bits & (1u << EX_POWERS)) != 0;
    default:
        return false;
    }
}

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
                sum_add(sum, SUM_LEVEL_IS, seat, lasting->source, lasting->n);
                return lasting->n;
            }
        }
    }
    sum_add(sum, SUM_LEVEL, seat, NO_CARD, level);
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
        if (!excluded(game, box, ex, it.card, amount)) {
            sum_add(sum, SUM_CARD, seat, it.card, amount);
            total += amount;
        }
    }
    return total;
}

static bool lasting_counts(const struct game *game, const struct lasting *lasting, unsigned seat)
{
    if (lasting->seat != seat) {
        return false;
    }
    if (lasting->until == UNTIL_NEXT_FIGHT || lasting->until == UNTIL_FIGHT_END) {
        return seat_fights(game, seat);
    }
    return !lasting_waits(game, lasting);
}

static int lasting_part(const struct game *game, const struct exclusions *ex, unsigned seat,
                        unsigned op, struct sum *sum)
{
    int total = 0;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op != op || !lasting_counts(game, lasting, seat)) {
            continue;
        }
        if ((ex->bits & (1u << EX_ALL_BUT_LEVEL)) != 0 && lasting->n > 0) {
            continue;
        }
        sum_add(sum, SUM_LASTING, seat, lasting->source, lasting->n);
        total += lasting->n;
    }
    return total;
}

static int own_part(const struct game *game, const struct box *box, const struct exclusions *ex,
                    unsigned seat, struct sum *sum)
{
    return level_part(game, ex, seat, sum) + cards_part(game, box, ex, seat, EFFECT_BONUS, sum) +
           lasting_part(game, ex, seat, EFFECT_BONUS, sum);
}

int strength_own(const struct game *game, const struct box *box, unsigned seat, struct sum *sum)
{
    struct exclusions ex = exclusions_of(game, box, seat);
    int total = own_part(game, box, &ex, seat, sum);
    if (sum != NULL) {
        sum->total = total;
    }
    return total;
}

/** One card lying in the fight: its rows of `op` for the side it lies on. */
static int fight_card_rows(const struct game *game, const struct box *box, uint16_t card,
                           unsigned op)
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

static int fight_has_copies(const struct game *game, const struct box *box, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    (void)game;
    int copies = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        copies += rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_COPY_FIGHTER;
    }
    return copies;
}

static int side_cards(const struct game *game, const struct box *box, bool for_monsters,
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
        int amount = fight_card_rows(game, box, at, EFFECT_BONUS);
        if (!for_monsters && excluded(game, box, ex, at, amount)) {
            continue;
        }
        sum_add(sum, SUM_CARD, game->cards[at].seat, at, amount);
        total += amount;
    }
    return total;
}

static int copies_part(const struct game *game, const struct box *box, int own, struct sum *sum)
{
    int total = 0;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        int copies = fight_has_copies(game, box, at);
        if (copies > 0) {
            sum_add(sum, SUM_COPY, game->fight.main, at, own * copies);
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
    struct exclusions ex = exclusions_of(game, box, fight->main);
    int own = own_part(game, box, &ex, fight->main, sum);
    int total = own + copies_part(game, box, own, sum);
    total += lasting_part(game, &ex, fight->main, EFFECT_SIDE_BONUS, sum) +
             cards_part(game, box, &ex, fight->main, EFFECT_SIDE_BONUS, sum);
    if (fight->helper != NO_SEAT) {
        struct exclusions helper_ex = exclusions_of(game, box, fight->helper);
        total += own_part(game, box, &helper_ex, fight->helper, sum);
        total += lasting_part(game, &helper_ex, fight->helper, EFFECT_SIDE_BONUS, sum) +
                 cards_part(game, box, &helper_ex, fight->helper, EFFECT_SIDE_BONUS, sum);
    }
    total += side_cards(game, box, false, &ex, sum);
    if (sum != NULL) {
        sum->total = total;
    }
    return total;
}

/** An enhancer's amount on a monster whose strength without it is `before`. */
static int enhancer_amount(const struct game *game, const struct box *box, unsigned index,
                           uint16_t card, int before)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = monster_context(game, box, index);
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

static int enhancers_part(const struct game *game, const struct box *box, unsigned index, int level,
                          struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    const struct row *scale = NULL;
    face_has(game, box, index, EFFECT_ENHANCERS_COUNT, &scale);
    int total = 0;
    // Cards with a floor of their own come last, whatever the order of play.
    for (unsigned pass = 0; pass < 2; pass++) {
        uint16_t at = pile_first(game, PILE_FIGHT);
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (!is_enhancer_of(game, box, at, monster->group) ||
                enhancer_floors(box, at) != (pass == 1)) {
                continue;
            }
            int amount = enhancer_amount(game, box, index, at, level + total);
            if (scale != NULL && amount != 0) {
                amount = amount * (scale->a > 0 ? scale->a : 1) + scale->n.base;
            }
            sum_add(sum, SUM_ENHANCER, NO_SEAT, at, amount);
            total += amount;
        }
    }
    return total;
}

int strength_monster(const struct game *game, const struct box *box, unsigned index,
                     struct sum *sum)
{
    const struct monster *monster = &game->fight.monsters[index];
    int level = box_def(box, monster->group)->level;
    sum_add(sum, SUM_MONSTER, NO_SEAT, monster->card, level);
    int total = level + enhancers_part(game, box, index, level, sum);
    total += face_rows(game, box, index, EFFECT_MONSTER_BONUS, sum);
    sum_add(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, monster->fixed);
    total += monster->fixed;
    return total;
}

static int turned_part(const struct game *game, const struct box *box, struct sum *sum)
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
                int bonus = card_bonus(game, box, at);
                sum_add(sum, SUM_TURNED, seats[i], at, bonus);
                total += bonus;
            }
        }
    }
    return total;
}

int strength_monsters(const struct game *game, const struct box *box, struct sum *sum)
{
    int total = 0;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            total += strength_monster(game, box, i, sum);
        }
    }
    if (game->fight.on != 0) {
        struct exclusions none = {.bits = 0};
        total += side_cards(game, box, true, &none, sum) + turned_part(game, box, sum);
    }
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

int strength_treasures(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    int total = box_def(box, monster->group)->treasures;
    int floor = 0;
    uint16_t at = pile_first(game, PILE_FIGHT);
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (is_enhancer_of(game, box, at, monster->group)) {
            int amount = fight_card_rows(game, box, at, EFFECT_TREASURES);
            floor = amount < 0 ? 1 : floor; // Rules: at least 1 is left (RUL-74).
            total += amount;
        }
    }
    total += face_rows(game, box, index, EFFECT_TREASURES, NULL);
    return total < floor ? floor : total;
}

int strength_kill_levels(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    return box_def(box, monster->group)->levels +
           face_rows(game, box, index, EFFECT_KILL_LEVELS, NULL);
}

int strength_run_against(const struct game *game, const struct box *box, unsigned index)
{
    const struct monster *monster = &game->fight.monsters[index];
    int total = face_rows(game, box, index, EFFECT_RUN_BONUS, NULL);
    // Rules: a Mate makes both harder to flee from (RUL-159): its row counts for the whole group.
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *other = &game->fight.monsters[i];
        if (other->group == monster->group && other->card != other->group &&
            (other->flags & MONSTER_GONE) == 0) {
            total += fight_card_rows(game, box, other->card, EFFECT_RUN_BONUS);
        }
    }
    return total;
}
