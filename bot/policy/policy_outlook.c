/*
 * How a fight will go: chances by the lead and by what others may still do, rewards and Bad Stuff
 * by their rows.
 */
#include "core/fight.h"
#include "core/fight_view.h"
#include "core/pile_list.h"
#include "core/program.h"
#include "core/strength.h"
#include "core/trait.h"

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

int outlook_caught(const struct game *game, const struct box *box, unsigned seat, unsigned index)
{
    if (!flee_rolls(game, box, seat, index)) {
        const bool flew = (game->seats[seat].flags & SEAT_FLEW) != 0;
        const bool held = fight_face_row(game, box, index, EFFECT_NO_ESCAPE, seat) != NULL;
        return held && !flew ? SIXTHS : 0;
    }
    const int need = box->profile.constant[PROFILE_ESCAPE] - strength_run_bonus(game, box, seat) -
                     strength_run_against(game, box, index) - strength_roll_bonus(game, box, seat);
    const int fails = need - 1;
    return fails < 0 ? 0 : (fails > SIXTHS ? SIXTHS : fails);
}

// All that death takes: hand and what lies there, identities kept (DEATH-1, DEATH-2).
static int death_costs(const struct mind *mind, const struct game *game, unsigned seat)
{
    int cost = LEVEL_LOST + HAND_CARD * (int)pile_count(game, pile_hand(seat));
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
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
        cost += pile_is_hand(game->cards[cards[i]].pile) ? HAND_CARD : CARD_LOST;
    }
    return cost;
}

static int row_costs(const struct mind *mind, const struct game *game, unsigned seat,
                     const struct row *row)
{
    const int level = game->seats[seat].level;
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
    const struct card_def *const def = box_def(mind->box, game->fight.monsters[index].face);
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

static bool still_there(const struct monster *monster)
{
    return (monster->flags & (MONSTER_GONE | MONSTER_PASSED)) == 0;
}

// What running costs a fighter, monsters it is done with left out.
static int loss_of(const struct mind *mind, const struct game *game, unsigned seat)
{
    int loss = 0;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        const struct monster *const monster = &game->fight.monsters[i];
        const bool done = ((monster->escaped | monster->caught) & seat_bit(seat)) != 0;
        if (still_there(monster) && !done) {
            const int caught = outlook_caught(game, mind->box, seat, i);
            loss += caught > 0 ? caught * outlook_bad_stuff(mind, game, seat, i) / SIXTHS : 0;
        }
    }
    return loss;
}

struct rewards {
    int levels, treasures, kills;
};

static struct rewards rewards_of(const struct mind *mind, const struct game *game)
{
    struct rewards sum = {0};
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if (still_there(&game->fight.monsters[i])) {
            sum.levels += strength_kill_levels(game, mind->box, i);
            sum.treasures += strength_treasures(game, mind->box, i);
            sum.kills++;
        }
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        sum.levels += game->fight.owed[i].levels;
        sum.treasures += game->fight.owed[i].treasures;
    }
    return sum;
}

static int helped_levels(const struct mind *mind, const struct game *game, unsigned seat, int kills)
{
    uint16_t at = pile_first(game, pile_table(seat));
    int levels = 0;
    for (; at != NO_CARD; at = game->cards[at].next) {
        levels += program_has(mind->box, box_def(mind->box, at), WHEN_HELPED_KILL) ? kills : 0;
    }
    return levels;
}

static int gain_of(const struct mind *mind, const struct game *game, unsigned seat)
{
    struct rewards rewards = rewards_of(mind, game);
    const int helped = game->fight.helper_treasures;
    const int level = game->seats[seat].level;
    int treasures = rewards.treasures;
    int levels = rewards.levels;
    if (seat != game->fight.main) {
        levels = helped_levels(mind, game, seat, rewards.kills);
        treasures = helped < treasures ? helped : treasures;
    } else if (game->fight.helper != NO_SEAT) {
        treasures = helped < treasures ? treasures - helped : 0;
    }
    return worth_level(mind->box, level + levels) - worth_level(mind->box, level) +
           treasures * WORTH_TREASURE;
}

// Per cent. Others have cards of their own; the more a win would bring, the more will be played.
static int chance_to_win(const struct mind *mind, const struct game *game)
{
    const int margin = outlook_margin(game, mind->box);
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        return 0;
    }
    if (margin > 0) {
        const bool last =
            (int)query_win_level(game, mind->box) >= mind->box->profile.constant[PROFILE_GOAL];
        const int sure = 82 + margin < 95 ? 82 + margin : 95;
        return last ? sure - 20 : sure;
    }
    // One's own cards are planned with; nobody else's can be known.
    const bool mine = game->fight.main == mind->seat || game->fight.helper == mind->seat;
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
