#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength_parts.h"
#include "core/numbers/trait.h"
#include "core/state/game_state.h"
#include "core/state/pile_list.h"

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

void exclusions_of_fight(const struct game *game, const struct box *box, struct exclusions *out)
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

void exclusions_of(const struct game *game, const struct box *box, unsigned seat,
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

bool exclusions_hit_bonus(const struct game *game, const struct box *box,
                          const struct exclusions *ex, uint16_t card, int amount)
{
    return amount > 0 && said_of(game, box, ex, EX_BONUSES, card);
}

bool exclusions_hit(const struct game *game, const struct box *box, const struct exclusions *ex,
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
