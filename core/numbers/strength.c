#include "core/numbers/strength.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/event.h"
#include "core/state/game_state.h"
#include "core/state/pile_list.h"
#include "core/work/roll.h"

/*
 * What does not count in a fight: texts of monsters, of enhancers, of what lasts and of cards on
 * the fighter that leave Items, one-shots, Powers, followers, bonuses or all but the Level out
 * (RUL-156). Only bonuses are left out on both sides.
 */

/* Bits of enum exclusion, and filters for Items and bonuses. The bit of a word means all. */
struct exclusions {
    unsigned bits;
    unsigned filter_count;
    uint32_t for_bonuses;                  // bits: the filters that speak of bonuses, not of Items
    uint16_t filters[MB_ITEM_FILTERS_MAX]; // filter + 1, each once for what it speaks of
};

static void add_exclusion(struct exclusions *ex, unsigned what, uint16_t filter)
{
    const bool bonus = what == EX_BONUSES;
    if (filter == 0 || (what != EX_ITEMS && !bonus)) {
        ex->bits |= 1u << what;
        return;
    }
    for (unsigned i = 0; i < ex->filter_count; i++) {
        if (ex->filters[i] == filter && (ex->for_bonuses >> i & 1u) == bonus) {
            return;
        }
    }
    if (ex->filter_count < MB_ITEM_FILTERS_MAX) { // no state that cards have made has more
        ex->for_bonuses |= (uint32_t)bonus << ex->filter_count;
        ex->filters[ex->filter_count++] = filter;
    }
}

/** What the text of a monster of the fight, or of an enhancer on it, takes out. */
static void exclude_by_text(const struct game *game, const struct box *box, unsigned index,
                            const struct card_def *def, struct exclusions *out)
{
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for_monster(game, box, index);
    const bool says = (def->static_ops & row_op_bit(EFFECT_EXCLUDE)) != 0;
    for (unsigned i = 0; says && i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_EXCLUDE &&
            rows[i].a != EX_ENHANCERS &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            add_exclusion(out, (unsigned)rows[i].a, rows[i].filter);
        }
    }
}

static void exclude_by_monster(const struct game *game, const struct box *box, unsigned index,
                               struct exclusions *out)
{
    const struct monster *monster = &game->fight.monsters[index];
    const bool some = (box->enhancer_ops >> EFFECT_EXCLUDE & 1u) != 0;
    exclude_by_text(game, box, index, box_def(box, monster->face), out);
    uint16_t at = some ? pile_first(game, PILE_FIGHT) : (uint16_t)NO_CARD;
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if (game->cards[at].host == monster->group && def->kind == KIND_ENHANCER) {
            exclude_by_text(game, box, index, def, out);
        }
    }
}

/** A word that was put on somebody holds in a fight of theirs; one for this fight in any case. */
static void exclude_by_lasting(const struct game *game, const struct box *box,
                               struct exclusions *out)
{
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_EXCLUDE &&
            (lasting->until == UNTIL_FIGHT_END ||
             (seat_fights(game, lasting->seat) && !lasting_waits(game, box, lasting)))) {
            add_exclusion(out, lasting->arg, lasting->about);
        }
    }
}

/** Nothing is left out; the filters need not be cleared for that. */
static void exclude_nothing(struct exclusions *out)
{
    out->bits = 0;
    out->filter_count = 0;
    out->for_bonuses = 0;
}

// What does not count for every fighter.
static void exclusions_of_fight(const struct game *game, const struct box *box,
                                struct exclusions *out)
{
    exclude_nothing(out);
    if (game->fight.on == 0) {
        return;
    }
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & MONSTER_GONE) == 0) {
            exclude_by_monster(game, box, i, out);
        }
    }
    exclude_by_lasting(game, box, out);
}

// The same and what does not count for this fighter; nothing for a seat that does not fight.
static void exclusions_of(const struct game *game, const struct box *box, unsigned seat,
                          struct exclusions *out)
{
    exclude_nothing(out);
    if (!seat_fights(game, seat)) {
        return;
    }
    exclusions_of_fight(game, box, out);
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_BARS);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        if (row->a == BAR_ITEMS) {
            add_exclusion(out, EX_ITEMS, row->filter);
        }
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_BARS && lasting->arg == BAR_ITEMS && lasting->seat == seat) {
            add_exclusion(out, EX_ITEMS, lasting->about == NO_CARD ? 0 : lasting->about);
        }
    }
}

/** Whether the word is said of all, or by a filter that the card fits. */
static bool said_of(const struct game *game, const struct box *box, const struct exclusions *ex,
                    unsigned what, uint16_t card)
{
    for (unsigned i = 0; card != NO_CARD && i < ex->filter_count; i++) {
        if ((ex->for_bonuses >> i & 1u) == (what == EX_BONUSES) &&
            filter_fits_index(game, box, ex->filters[i], card)) {
            return true;
        }
    }
    return (ex->bits & (1u << what)) != 0;
}

// Whether an amount adds and does not count as a bonus of the card (NO_CARD: of none).
static bool exclusions_hit_bonus(const struct game *game, const struct box *box,
                                 const struct exclusions *ex, uint16_t card, int amount)
{
    return amount > 0 && said_of(game, box, ex, EX_BONUSES, card);
}

// Whether the amount of a card on the players' side does not count, for any reason.
static bool exclusions_hit(const struct game *game, const struct box *box,
                           const struct exclusions *ex, uint16_t card, int amount)
{
    const struct card_def *def = box_def(box, card);
    if (ex->bits == 0 && ex->filter_count == 0) {
        return false;
    }
    // Rules: penalties aimed at a fighter still count in a Level-only fight (RUL-156).
    if ((ex->bits & (1u << EX_ALL_BUT_LEVEL)) != 0 && (amount > 0 || kind_is_item(def->kind))) {
        return true;
    }
    if (exclusions_hit_bonus(game, box, ex, card, amount)) {
        return true;
    }
    if ((ex->bits & (1u << EX_FIRE)) != 0 && (def->tags >> TAG_FIRE & 1u) != 0) {
        return true;
    }
    switch ((enum card_kind)def->kind) {
    case KIND_ITEM:
        return said_of(game, box, ex, EX_ITEMS, card);
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

/* Cards lying in the fight, on either side. */

// Adds a line to the explanation, if one is wanted; the last line takes what finds no room.
static void add_line(struct sum *sum, unsigned reason, unsigned seat, uint16_t card, int amount)
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
        add_line(sum, SUM_CARD, seat, it.card, amount);
        total += amount;
    }
    return total;
}

// Cards played for a side, monsters and enhancers left out; of the monsters' side only bonuses do
// not count.
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
        int amount = strength_card_rows(game, box, at, EFFECT_BONUS);
        if (for_monsters ? exclusions_hit_bonus(game, box, ex, at, amount)
                         : exclusions_hit(game, box, ex, at, amount)) {
            continue;
        }
        add_line(sum, SUM_CARD, game->cards[at].seat, at, amount);
        total += amount;
        if (box_says(box, EFFECT_THROWN_BONUS) && kind == KIND_ONESHOT && amount != 0 &&
            game->cards[at].seat < MB_SEATS_MAX) {
            total += thrown_part(game, box, ex, game->cards[at].seat, sum);
        }
    }
    return total;
}

/* The players' side. */

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
                add_line(sum, SUM_LEVEL_IS, seat, lasting->source, lasting->n);
                return lasting->n;
            }
        }
    }
    add_line(sum, SUM_LEVEL, seat, NO_CARD, level);
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
            add_line(sum, SUM_CARD, seat, it.card, amount);
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
        add_line(sum, SUM_LASTING, seat, lasting->source, lasting->n);
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
                add_line(sum, SUM_CARD, seat, at, amount);
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
            add_line(sum, SUM_COPY, game->fight.main, at, own * copies);
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
    total += side_cards(game, box, false, &ex, sum);
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

/* The monsters' side: a monster with its enhancers, followers that turned, Treasures, Levels. */

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
        add_line(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, amount);
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
            add_line(sum, SUM_ENHANCER, NO_SEAT, at, amount);
            total += amount;
        }
    }
    return total;
}

/** What lasts on the monster, or on all of them. */
static int lasting_on_monster(const struct game *game, const struct box *box,
                              const struct exclusions *ex, uint16_t card, struct sum *sum)
{
    int total = 0;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_MONSTER_BONUS &&
            (lasting->about == card || lasting->about == NO_CARD) &&
            !exclusions_hit_bonus(game, box, ex, lasting->source, lasting->n)) {
            bool own = lasting->source == card;
            add_line(sum, own ? SUM_MONSTER_ROW : SUM_LASTING, NO_SEAT, lasting->source,
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
    add_line(sum, SUM_MONSTER, NO_SEAT, monster->card, level);
    int total = level + enhancers_part(game, box, ex, index, level, sum);
    total += face_rows(game, box, ex, index, EFFECT_MONSTER_BONUS, sum);
    const bool counts = !exclusions_hit_bonus(game, box, ex, monster->card, monster->fixed);
    const int fixed = counts ? monster->fixed : 0;
    add_line(sum, SUM_MONSTER_ROW, NO_SEAT, monster->card, fixed);
    return total + fixed + lasting_on_monster(game, box, ex, monster->card, sum);
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
                add_line(sum, SUM_TURNED, seats[i], at, bonus);
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
        total += side_cards(game, box, true, ex, sum) + turned_part(game, box, ex, sum);
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

/*
 * What a seat is allowed, and what is added to its dice: flight, rolls, hand, Hands, Big Items,
 * Rank, followers, meta-abilities.
 */

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
