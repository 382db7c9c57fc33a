/*
 * How a fight will go: chances by the lead and by what others may still do, rewards and Bad Stuff
 * by their rows.
 */
#include "core/loop/prospect.h"
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum {
    SIXTHS = 6,
    CARD_LOST = 46,  // a card in play, on the average
    HAND_CARD = 26,  // a card of a hand
    LEVEL_LOST = 95, // hurts like a Level, and a bit less near the floor
    ODD_HARM = 25    // any other Bad Stuff
};

int outlook_margin(const struct game *game, const struct box *box)
{
    const int lead = strength_players(game, box, NULL) - strength_monsters(game, box, NULL);
    return lead == 0 && strength_players_win(game, box) ? 1 : lead;
}

// Sixths of a chance to be caught by a monster, should the seat run.
static int outlook_caught(const struct game *game, const struct box *box, unsigned seat,
                          unsigned index)
{
    const int fails = prospect_escape(game, box, seat, index) - 1;
    return fails < 0 ? 0 : (fails > SIXTHS ? SIXTHS : fails);
}

// All that death takes: hand and what lies there, identities kept (DEATH-1, DEATH-2).
static int death_costs(const struct mind *mind, const struct game *game, unsigned seat)
{
    int cost = LEVEL_LOST + HAND_CARD * (int)query_count(game, pile_hand(seat));
    uint16_t at = query_first(game, pile_table(seat));
    for (; at != NO_CARD; at = query_next(game, at)) {
        cost += kind_is_item(box_def(mind->box, at)->kind) ? CARD_LOST : 0;
    }
    return cost;
}

static int lost_cards(const struct mind *mind, const struct game *game, unsigned seat,
                      const struct row *row)
{
    uint16_t cards[64];
    const unsigned fits =
        filter_collect(game, mind->box, seat, row->filter, cards, sizeof cards / sizeof cards[0]);
    const int wanted = row->n.base;
    const unsigned count = wanted <= 0 || (unsigned)wanted > fits ? fits : (unsigned)wanted;
    int cost = 0;
    for (unsigned i = 0; i < count; i++) {
        cost += query_in_hand(game, cards[i]) ? HAND_CARD : CARD_LOST;
    }
    return cost;
}

static int row_costs(const struct mind *mind, const struct game *game, unsigned seat,
                     const struct row *row)
{
    const int level = (int)query_level(game, seat);
    const int spare = level - mind->box->profile.constant[PROFILE_LEVEL_FLOOR];
    int lost = 0;
    switch ((enum effect_op)row->op) {
    case EFFECT_DEATH:
        return death_costs(mind, game, seat);
    case EFFECT_LEVEL:
    case EFFECT_HAND_OR_LEVELS:
        lost = row->n.base < 0 ? -row->n.base : row->n.base;
        return LEVEL_LOST * (lost < spare ? lost : spare);
    case EFFECT_LEVEL_SET:
        return LEVEL_LOST * spare * 2 / 3;
    case EFFECT_LOSE:
    case EFFECT_TAKE:
        return lost_cards(mind, game, seat, row);
    case EFFECT_NOTHING:
        return 0;
    default:
        return ODD_HARM;
    }
}

int outlook_bad_stuff(const struct mind *mind, const struct game *game, unsigned seat,
                      unsigned index)
{
    const struct monster *const monster = query_monster(game, index);
    if (monster == NULL) {
        return 0;
    }
    const struct card_def *const def = box_def(mind->box, monster->face);
    const struct row *const rows = box_rows(mind->box, def);
    struct req_context ctx = req_context_for(game, mind->box, seat);
    int cost = 0;
    bool acted = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        const bool other = (rows[i].flags & ROW_ELSE) != 0 && acted;
        if (rows[i].when != WHEN_BAD_STUFF || other ||
            !requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            continue;
        }
        const int more = row_costs(mind, game, seat, &rows[i]);
        acted = more > 0;
        cost += more;
    }
    return cost;
}

// What running costs a fighter, monsters it is done with left out.
static int loss_of(const struct mind *mind, const struct game *game, unsigned seat)
{
    int loss = 0;
    for (unsigned i = 0; i < MB_MONSTERS_MAX; i++) {
        const struct monster *const monster = query_monster(game, i);
        if (monster != NULL && ((monster->escaped | monster->caught) & seat_bit(seat)) == 0) {
            const int caught = outlook_caught(game, mind->box, seat, i);
            loss += caught > 0 ? caught * outlook_bad_stuff(mind, game, seat, i) / SIXTHS : 0;
        }
    }
    return loss;
}

static int gain_of(const struct mind *mind, const struct game *game, unsigned seat)
{
    const struct prospect_reward reward = prospect_reward(game, mind->box, seat);
    const int level = (int)query_level(game, seat);
    return worth_level(mind->box, level + reward.levels) - worth_level(mind->box, level) +
           reward.treasures * WORTH_TREASURE;
}

// Per cent. Others have cards of their own; the more a win would bring, the more will be played.
static int chance_to_win(const struct mind *mind, const struct game *game)
{
    const int margin = outlook_margin(game, mind->box);
    if (query_gave_up(game)) {
        return 0;
    }
    if (margin > 0) {
        const bool last =
            (int)query_win_level(game, mind->box) >= mind->box->profile.constant[PROFILE_GOAL];
        const int sure = 82 + margin < 95 ? 82 + margin : 95;
        return last ? sure - 20 : sure;
    }
    // One's own cards are planned with; nobody else's can be known.
    const bool mine = seat_fights(game, mind->seat);
    const int hope = mine ? 5 : 30 + 3 * margin;
    return hope < 5 ? 5 : hope;
}

int outlook_worth(const struct mind *mind, const struct game *game, unsigned seat)
{
    if (!seat_fights(game, seat)) {
        return 0;
    }
    const int chance = chance_to_win(mind, game);
    int worth = 0;
    if (chance > 0) {
        worth += chance * gain_of(mind, game, seat) / 100;
    }
    return worth - (100 - chance) * loss_of(mind, game, seat) / 100;
}
