// Cards played for an effect, what each asks: one-shots, enhancers, Door specials, special
// Treasures, Curses. A card asks for a target, a side, a price, a companion; and to be of use.
#include <stddef.h>

#include "core/cards/play.h"
#include "core/cards/play_parts.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/cost.h"
#include "core/work/fight_view.h"
#include "core/work/moment.h"
#include "core/work/target.h"

/** The first row that is carried out when the card is played; `when` WHEN_PLAY or an answer. */
static const struct row *played_row(const struct box *box, const struct card_def *def,
                                    unsigned when)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == when && rows[i].ability == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static const struct row *answer_row(const struct game *game, const struct box *box, unsigned seat,
                                    uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].ability == 0 && answer_row_fits(game, box, seat, card, &rows[i])) {
            return &rows[i];
        }
    }
    return NULL;
}

struct play play_of(const struct game *game, const struct box *box, const struct command *command)
{
    struct play play = {.seat = command->seat,
                        .card = command->card,
                        .def = box_def(box, command->card),
                        .target_seat = NO_SEAT,
                        .target_card = NO_CARD,
                        .with = NO_CARD};
    play.row = game->moment.kind == PAUSE_ANSWER
                   ? answer_row(game, box, command->seat, command->card)
                   : NULL;
    play.answer = play.row != NULL;
    if (!play.answer) {
        play.row = played_row(box, play.def, WHEN_PLAY);
        if (play.row == NULL) {
            play.row = played_row(box, play.def, WHEN_BEFORE_ROLL);
        }
        // A card with two ways of playing it: given a side it counts, else it acts (O03).
        bool sided = command->side != SIDE_NONE && play.def->kind == KIND_ONESHOT;
        if (sided && play_counts_in_fight(box, play.def)) {
            play.row = NULL;
        }
    }
    return play;
}

bool play_counts_in_fight(const struct box *box, const struct card_def *def)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC) {
            return true;
        }
    }
    return def->kind == KIND_ENHANCER;
}

/** Whose Level a play would raise: it must not give the last one (GUAL-1, RUL-16, RUL-26). */
static void check_level_gift(const struct game *game, const struct box *box,
                             const struct play *play, struct refusal *why)
{
    int goal = box->profile.constant[PROFILE_GOAL];
    const struct row *rows = box_rows(box, play->def);
    for (unsigned i = 0; i < play->def->row_count; i++) {
        const struct row *row = &rows[i];
        bool steal = row->op == EFFECT_LEVEL_STEAL;
        bool gift = row->op == EFFECT_LEVEL && row->n.base > 0 && row->n.source == SRC_CONST;
        if (row->when != WHEN_PLAY || !(steal || gift)) {
            continue;
        }
        unsigned gainer = !steal && row->who == WHO_TARGET ? play->target_seat : play->seat;
        if (gainer < game->seat_count && game->seats[gainer].level + 1 >= goal) {
            refuse_card(why, REFUSAL_WINNING_LEVEL, "GUAL-1", play->card, 0);
        }
        if (steal && play->target_seat < game->seat_count &&
            game->seats[play->target_seat].level <= 1) {
            refuse_card(why, REFUSAL_ILLEGAL_TARGET, "CONF-2", play->card, 0);
        }
    }
}

static void check_side(const struct game *game, const struct box *box,
                       const struct command *command, const struct play *play, struct refusal *why)
{
    bool counts = play_counts_in_fight(box, play->def) && play->row == NULL;
    if (play->def->kind != KIND_ONESHOT || !counts || play->answer) {
        return;
    }
    if (command->side == SIDE_NONE) {
        if (play->def->sides == 3 && game->fight.on != 0) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "SHOT-1");
        }
        return;
    }
    unsigned bit = command->side == SIDE_PLAYERS ? 1u : 2u;
    if ((play->def->sides & bit) == 0) {
        refuse_card(why, REFUSAL_NOT_USABLE, "SHOT-1", play->card, 0);
    }
}

/** Requirements of static rows of a one-shot: a card that could add nothing is not played
 * (RUL-176). */
static void check_worth(const struct game *game, const struct box *box, const struct play *play,
                        struct refusal *why)
{
    const struct row *rows = box_rows(box, play->def);
    struct req_context ctx = req_context_for(game, box, play->seat);
    ctx.card = play->card;
    bool some = false;
    bool any_bonus = false;
    for (unsigned i = 0; i < play->def->row_count; i++) {
        if (rows[i].when != WHEN_STATIC ||
            (rows[i].op != EFFECT_BONUS && rows[i].op != EFFECT_COPY_FIGHTER)) {
            continue;
        }
        any_bonus = true;
        bool holds = requirements_hold(&ctx, rows[i].first_req, rows[i].req_count);
        some |= holds && (rows[i].op == EFFECT_COPY_FIGHTER || amount_value(&ctx, &rows[i].n) != 0);
    }
    bool shot = play->def->kind == KIND_ONESHOT; // a Curse's row is judged when it strikes
    if (shot && any_bonus && !some && play->row == NULL && game->fight.on != 0) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-176", play->card, 0);
    }
}

static void check_play_cost(const struct game *game, const struct box *box,
                            const struct command *command, const struct play *play,
                            struct refusal *why)
{
    if (play->row == NULL || play->row->cost == 0) {
        return;
    }
    const struct cost *cost = &box->costs[play->row->cost - 1u];
    uint16_t payers[MB_LIST_MAX];
    if (cost->whole_hand) {
        if (pile_count(game, pile_hand(play->seat)) < cost->min + 1u) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "RUL-60", play->card, cost->min);
        }
        return;
    }
    if (cost->max == 0) {
        return;
    }
    struct candidate_list can = {.ids = payers, .max = MB_LIST_MAX};
    cost_candidates(game, box, play->seat, play->card, cost, &can);
    if (can.count < cost->min) {
        refuse_card(why, REFUSAL_CANNOT_PAY, "CHAR-6", play->card, cost->min);
    } else if (command->list_count < cost->min) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHAR-6");
    } else if (command->list_count > cost->max) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "CHAR-6", play->card, cost->max);
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        if (!cost_fits(game, box, play->seat, play->card, cost, command->list[i])) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "CHAR-6", command->list[i], 0);
        }
    }
}

/** Who is to be made to help must be one who can be. */
static void check_force(const struct game *game, const struct box *box, const struct play *play,
                        struct refusal *why)
{
    unsigned seats = fight_forcible(game, box);
    if (game->fight.on != 0 && game->fight.helper != NO_SEAT) {
        refuse_card(why, REFUSAL_HELPER_TAKEN, "HELP-1", play->card, 0);
    } else if (seats == 0) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-28", play->card, 0);
    } else if (play->target_seat != NO_SEAT && (seats >> play->target_seat & 1u) == 0) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "HELP-9", play->card, 0);
    }
}

/** What particular ops ask of a play before it is announced. */
static void check_op(const struct game *game, const struct box *box, struct play *play,
                     const struct command *command, struct refusal *why)
{
    const struct row *row = play->row;
    if (row == NULL || play->answer) {
        return;
    }
    struct req_context ctx = req_context_for(game, box, play->seat);
    ctx.card = play->card;
    ctx.target = (uint8_t)play->target_seat;
    bool aimless = // refused already, with its own code
        row->target != ON_NOTHING && play->target_seat == NO_SEAT && play->target_card == NO_CARD;
    if (!aimless && row->target != ON_MONSTER && play->def->kind != KIND_CURSE &&
        row->who != WHO_EVERYONE_WITH && row->who != WHO_OTHERS_WITH &&
        !requirements_hold(&ctx, row->first_req, row->req_count)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CONF-1", play->card, 0);
    }
    if (play_brings_monster(row)) {
        play_check_bring(game, box, command, play, why);
    }
    if (row->op == EFFECT_WIN_BY_ITEM && play->target_card != NO_CARD &&
        !play_item_wins(game, box, play->seat, play->target_card)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-69", play->card, 0);
    }
    uint16_t shield = NO_CARD;
    if (row->op == EFFECT_ROB && play->target_card != NO_CARD &&
        target_shielded(game, box, play->target_card, &shield)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "CONF-1", shield, 0);
    }
    if (row->op == EFFECT_FORCE_HELP) {
        check_force(game, box, play, why);
    }
    if (row->op == EFFECT_MATE && !fight_has_room(game)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "ENH-3", play->card, MB_MONSTERS_MAX);
    }
    if (row->op == EFFECT_SEND_AWAY && game->fight.helper == NO_SEAT) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CONF-1", play->card, 0);
    }
}

/** A Treasure that is no Item and is put in play to stay: when it may be, by edition (ACT-5,
 * ACT-6). */
static void check_special(const struct game *game, const struct box *box, const struct play *play,
                          struct refusal *why)
{
    bool special = play->def->kind == KIND_TREASURE && (play->def->flags & DEF_STAYS) != 0 &&
                   play_at(play->def, AT_ANY_TIME);
    if (!special || box->profile.flag[FLAG_SPECIAL_ANY_TIME]) { // Rules: GUAL-2.
        return;
    }
    bool fresh = (game->cards[play->card].flags & CARD_FRESH) != 0;
    if (game->turn != play->seat && !fresh) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-5", play->card, 0);
    }
    if (seat_fights(game, play->seat) && !box->profile.flag[FLAG_COMBAT_BARS_ITEMS]) {
        refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", play->card, 0);
    }
}

void play_check_effect(const struct game *game, const struct box *box,
                       const struct command *command, struct play *play, struct refusal *why)
{
    if (play->answer) {
        return;
    }
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    }
    if (!play_in_time(game, box, play->seat, play->def)) {
        play_refuse_time(game, box, play->seat, play->card, why);
        return;
    }
    if (play->def->kind == KIND_ENHANCER && command->list_count > 0) {
        struct command pair = *command;
        pair.card = command->list[0];
        pair.list[0] = command->card;
        play_check_monster(game, box, &pair, why);
        if (game->cards[pair.card].pile != pile_hand(play->seat) ||
            box_def(box, pair.card)->kind != KIND_MONSTER) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "TAG-1", pair.card, 0);
        }
        return;
    }
    if (play->row != NULL && play->row->op == EFFECT_ATTACH) {
        play_check_attach(game, box, command, play, why);
    } else {
        play_check_target(game, box, command, play, why);
    }
    check_special(game, box, play, why);
    check_side(game, box, command, play, why);
    check_worth(game, box, play, why);
    check_op(game, box, play, command, why);
    check_play_cost(game, box, command, play, why);
    check_level_gift(game, box, play, why);
    if ((play->def->flags & DEF_ON_SELF) != 0 && play->target_card == NO_CARD &&
        play->target_seat != NO_SEAT && play->target_seat != play->seat) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "CONF-1", play->card, 0);
    }
}

void play_check_due(const struct game *game, const struct box *box, const struct command *command,
                    struct refusal *why)
{
    struct play play = play_of(game, box, command);
    play_check_target(game, box, command, &play, why);
    check_level_gift(game, box, &play, why);
}
