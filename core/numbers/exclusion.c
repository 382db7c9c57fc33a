#include "core/numbers/exclusion.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/game_state.h"

static void exclude_items(struct exclusions *ex, uint16_t filter)
{
    if (filter == 0) {
        ex->bits |= 1u << EX_ITEMS;
        return;
    }
    for (unsigned i = 0; i < ex->filter_count; i++) {
        if (ex->filters[i] == filter) {
            return;
        }
    }
    if (ex->filter_count < MB_ITEM_FILTERS_MAX) { // no state that cards have made has more
        ex->filters[ex->filter_count++] = filter;
    }
}

/** What one monster of the fight takes out of the players' strength. */
static void exclude_by_monster(const struct game *game, const struct box *box, unsigned index,
                               struct exclusions *out)
{
    const struct card_def *def = box_def(box, game->fight.monsters[index].face);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for_monster(game, box, index);
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

struct exclusions exclusions_of(const struct game *game, const struct box *box, unsigned seat)
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
