/*
 * What a state is worth, in points. Nothing here names a card: everything is read off the figures
 * and rows of the data, so sets that nobody has thought of are played too.
 */
#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"

#include "bot/policy/policy_impl.h"

enum {
    POINT = 22,      // one of strength
    POINT_MORE = 12, // one beyond PLENTY
    PLENTY = 10,     // strength beside the Level that beats most of what comes
    RUN_POINT = 9,   // one to the flight rolls
    LAST_STEP = 70,  // being one Level from the goal
    DEAD = 120,      // a lost turn and nothing in hand
    LASTING_CURSE = 30,
    IDENTITY = 34,   // a Class or Race at all
    ROW = 9,         // each thing it can do
    SHOT_POINT = 10, // one of strength, once
    SPARE = 10,      // an identity card that finds no place
    MEDDLING = 28,   // a card that hurts others
    NUISANCE = 16,   // a Curse that takes a card in play, or what hinders once
    ANSWER = 38,     // a card that saves
    EXCESS = 24,     // a card too many at the end of a turn
    LEVEL_GIVER = 82,
    FACES = 6
};

int worth_level(const struct box *box, int level)
{
    const int goal = box->profile.constant[PROFILE_GOAL];
    if (level >= goal) {
        return WORTH_LEVEL * goal + WORTH_WIN;
    }
    return WORTH_LEVEL * level + (level == goal - 1 ? LAST_STEP : 0);
}

// Gold Pieces are Levels to come, as long as they can be bought.
static int worth_gold(const struct mind *mind, const struct game *game, unsigned seat, int gold)
{
    const int unit = mind->box->profile.constant[PROFILE_SELL_UNIT];
    const bool last = (int)query_level(game, seat) >= mind->box->profile.constant[PROFILE_GOAL] - 1;
    return gold * (last ? 15 : 62) / (unit > 0 ? unit : 1);
}

static int worth_strength(int bonus)
{
    return bonus <= PLENTY ? POINT * bonus : POINT * PLENTY + POINT_MORE * (bonus - PLENTY);
}

static int bonus_sum(const struct box *box, const struct card_def *def)
{
    const struct row *const rows = box_rows(box, def);
    int sum = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_BONUS &&
            rows[i].n.source == SRC_CONST) {
            sum += rows[i].n.base;
        }
    }
    return sum;
}

int worth_worn(const struct mind *mind, const struct game *game, uint16_t card)
{
    const struct card_def *const def = box_def(mind->box, card);
    const struct row *const rows = box_rows(mind->box, def);
    struct req_context ctx = req_context_for(game, mind->box, query_owner(game, card));
    ctx.card = card;
    int worth = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (!requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            continue;
        }
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_BONUS) {
            worth += POINT * amount_value(&ctx, &rows[i].n);
        } else if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_RUN_BONUS) {
            worth += RUN_POINT * amount_value(&ctx, &rows[i].n);
        } else {
            worth += ROW;
        }
    }
    return worth;
}

int worth_carried(const struct mind *mind, const struct game *game, unsigned seat, uint16_t card)
{
    const struct card_def *const def = box_def(mind->box, card);
    int worth = worth_gold(mind, game, seat, def->gold);
    if (card_fits(game, mind->box, seat, card)) {
        worth +=
            worth_worn(mind, game, card) / (query_wearable(game, mind->box, seat, card) ? 2 : 8);
    }
    return worth;
}

// Faces of six with which a row acts, as far as a die that was thrown before it says.
static int faces_of(const struct box *box, const struct row *row)
{
    int low = 1;
    int high = FACES;
    for (unsigned i = 0; i < row->req_count; i++) {
        const struct requirement *const req = &box->reqs[row->first_req + i];
        low = req->kind == REQ_ROLLED_MIN && req->n > low ? req->n : low;
        high = req->kind == REQ_ROLLED_MAX && req->n < high ? req->n : high;
    }
    return high < low ? 0 : high - low + 1;
}

// Whether a row speaks to the rolls of others alone: it trips them, and saves nobody.
static bool answers_others(const struct box *box, const struct row *row)
{
    for (unsigned i = 0; i < row->req_count; i++) {
        const struct requirement *const req = &box->reqs[row->first_req + i];
        if (req->kind == REQ_ROLL_OWN && req->absent) {
            return true;
        }
    }
    return false;
}

// Points of what a row does when its card is played, Levels to come apart.
static int worth_row(const struct box *box, const struct row *row)
{
    const bool acts = row->when == WHEN_PLAY || row->when == WHEN_BEFORE_ROLL;
    if (when_answers(row->when)) {
        return answers_others(box, row) ? NUISANCE : ANSWER;
    }
    switch ((enum effect_op)row->op) {
    case EFFECT_ROLL:
    case EFFECT_LEVEL:
    case EFFECT_SHOW_HAND:
        return 0;
    case EFFECT_DRAW:
        return acts ? row->n.base * WORTH_DOOR * 3 / 4 : 0; // it will be drawn when there is time
    case EFFECT_LEVEL_STEAL:
        return acts ? LEVEL_GIVER : 0;
    case EFFECT_REMOVE_MONSTER:
    case EFFECT_WIN_BY_ITEM:
    case EFFECT_TAKE_OVER:
        return acts ? 2 * ANSWER : 0;
    default:
        return acts ? MEDDLING : 0;
    }
}

// Points of what a card does when it is played, by its ops.
static int worth_effect(const struct box *box, const struct card_def *def)
{
    const struct row *const rows = box_rows(box, def);
    int worth = 0;
    int levels = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        const int more = worth_row(box, &rows[i]);
        worth = more > worth ? more : worth;
        if (rows[i].when == WHEN_PLAY && rows[i].op == EFFECT_LEVEL) {
            levels += (rows[i].n.base < 0 ? -1 : 1) * faces_of(box, &rows[i]);
        }
    }
    levels = LEVEL_GIVER * levels / FACES;
    return levels > worth ? levels : worth;
}

static int worth_identity_held(const struct mind *mind, const struct game *game, unsigned seat,
                               const struct card_def *def)
{
    if (def->kind == KIND_SECOND) {
        return SPARE + ROW;
    }
    const unsigned has = trait_count(game, mind->box, seat, def->kind);
    return has < trait_capacity(game, mind->box, seat, def->kind) ? IDENTITY : SPARE;
}

static int worth_monster_held(const struct mind *mind, const struct game *game, unsigned seat,
                              const struct card_def *def)
{
    const int level = (int)query_level(game, seat);
    if (strength_own(game, mind->box, seat, NULL) <= def->level) {
        return SPARE / 2;
    }
    // Its time may come: the last Levels are gained by what one beats.
    const int step = worth_level(mind->box, level + def->levels) - worth_level(mind->box, level);
    return def->treasures * WORTH_TREASURE / 3 + step / 5;
}

// Cards that stop others are the dearer, the nearer somebody is to the goal.
static int worth_meddling(const struct mind *mind, const struct game *game)
{
    unsigned level = 0;
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        if (seat != mind->seat && query_level(game, seat) > level) {
            level = query_level(game, seat);
        }
    }
    return MEDDLING + mind->temper->patience * (int)level;
}

// A small Curse is no weapon to keep for the end: it costs a card in play, or is a nuisance. A row
// for those whom the row before it cannot strike makes it no greater: one of the two strikes.
static int worth_curse(const struct mind *mind, const struct game *game, const struct card_def *def)
{
    const struct row *const rows = box_rows(mind->box, def);
    int harm = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *const row = &rows[i];
        if ((row->flags & ROW_ELSE) != 0) {
            continue;
        }
        const bool small = row->when == WHEN_STATIC || row->op == EFFECT_LASTING ||
                           (row->op == EFFECT_LOSE && row->n.base == 1);
        if (!small && row->op != EFFECT_DISCARD_SELF) {
            return worth_meddling(mind, game);
        }
        harm += small ? NUISANCE : 0;
    }
    const int meddling = worth_meddling(mind, game);
    return harm < meddling ? harm : meddling;
}

int worth_held(const struct mind *mind, const struct game *game, unsigned seat, uint16_t card)
{
    const struct card_def *const def = box_def(mind->box, card);
    const int gold = worth_gold(mind, game, seat, def->gold) * 8 / 10;
    switch ((enum card_kind)def->kind) {
    case KIND_MONSTER:
        return worth_monster_held(mind, game, seat, def);
    case KIND_CURSE:
        return worth_curse(mind, game, def);
    case KIND_ENHANCER:
        return worth_meddling(mind, game);
    case KIND_CLASS:
    case KIND_RACE:
    case KIND_FACTION:
    case KIND_BIRTHRIGHT:
    case KIND_POWER:
    case KIND_ORIGIN:
    case KIND_SECOND:
        return worth_identity_held(mind, game, seat, def);
    case KIND_ITEM: // less than lying before one, where it may be worn and takes no room
        return gold + (card_fits(game, mind->box, seat, card) ? 2 * bonus_sum(mind->box, def) : 0);
    case KIND_ONESHOT: {
        const int bonus = bonus_sum(mind->box, def);
        return gold + SHOT_POINT * (bonus < 0 ? -bonus : bonus) +
               worth_effect(mind->box, def) * 3 / 4;
    }
    case KIND_FOLLOWER:
        return IDENTITY;
    case KIND_DOOR:
    case KIND_TREASURE:
    case KIND_TOTAL:
        break;
    }
    const int effect = worth_effect(mind->box, def);
    return effect > 0 ? effect : SPARE;
}

static int worth_in_play(const struct mind *mind, const struct game *game, unsigned seat,
                         uint16_t card)
{
    const struct card_def *const def = box_def(mind->box, card);
    switch ((enum card_kind)def->kind) {
    case KIND_ITEM:
        if ((query_flags(game, card) & CARD_EQUIPPED) == 0) {
            return worth_carried(mind, game, seat, card);
        }
        return worth_gold(mind, game, seat, def->gold) / 2;
    case KIND_ONESHOT:
        return worth_held(mind, game, seat, card);
    case KIND_CURSE:
        return -LASTING_CURSE;
    case KIND_SECOND:
        return SPARE + 2 * ROW;
    case KIND_FOLLOWER:
        return IDENTITY + ROW;
    default:
        return (kind_is_identity(def->kind) ? IDENTITY : SPARE) + ROW * def->row_count;
    }
}

static int worth_hand(const struct mind *mind, const struct game *game, unsigned seat)
{
    int worth = 0;
    uint16_t at = query_first(game, pile_hand(seat));
    for (; at != NO_CARD; at = query_next(game, at)) {
        if (mind_unseen(mind, at)) {
            const bool door = box_def(mind->box, at)->deck == DECK_DOOR;
            worth += door ? WORTH_DOOR : WORTH_TREASURE;
        } else {
            worth += worth_held(mind, game, seat, at);
        }
    }
    // What does not fit the hand is given away before long.
    const bool soon =
        query_phase(game) == PHASE_CHARITY && query_turn(game) == seat && seat == mind->seat;
    return soon ? worth - EXCESS * query_excess(game, mind->box, seat) : worth;
}

int worth_seat(const struct mind *mind, const struct game *game, unsigned seat)
{
    const int level = (int)query_level(game, seat);
    int worth = worth_level(mind->box, level) + worth_hand(mind, game, seat);
    const int bonus = strength_own(game, mind->box, seat, NULL) - level;
    worth += worth_strength(bonus) + RUN_POINT * strength_run_bonus(game, mind->box, seat);
    uint16_t at = query_first(game, pile_table(seat));
    for (; at != NO_CARD; at = query_next(game, at)) {
        worth += worth_in_play(mind, game, seat, at);
    }
    if (!query_alive(game, seat)) {
        return worth - DEAD;
    }
    return worth + outlook_worth(mind, game, seat);
}
