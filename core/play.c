#include "core/play.h"

#include <stddef.h>

#include "core/curse.h"
#include "core/equip.h"
#include "core/fight.h"
#include "core/harm.h"
#include "core/moment.h"
#include "core/pile.h"
#include "core/program.h"
#include "core/strength.h"
#include "core/trait.h"
#include "core/turn.h"

static bool at(const struct card_def *def, unsigned bit)
{
    return (def->timing >> bit & 1u) != 0;
}

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

/** Whether the card lies in the fight for what it counts, not for what it does. */
static bool counts_in_fight(const struct box *box, const struct card_def *def)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC) {
            return true;
        }
    }
    return def->kind == KIND_ENHANCER;
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

static bool before_roll_ok(const struct game *game, const struct box *box, unsigned seat)
{
    const struct fight *fight = &game->fight;
    bool gave_up = (fight->flags & FIGHT_GAVE_UP) != 0;
    bool main_gives_up = fight->main == seat && !strength_players_win(game, box);
    return seat_fights(game, seat) && (fight->flags & FIGHT_ROLLED) == 0 &&
           (gave_up || main_gives_up);
}

/** Whether the card's own timing allows it now. */
static bool timing_ok(const struct game *game, const struct box *box, unsigned seat,
                      const struct card_def *def)
{
    bool fight = game->fight.on != 0;
    bool running = fight && (game->fight.flags & FIGHT_GAVE_UP) != 0;
    bool mine = fight && !running && seat_fights(game, seat);
    return at(def, AT_ANY_TIME) || (at(def, AT_FIGHT) && fight && !running) ||
           (at(def, AT_OWN_FIGHT) && mine) ||
           (at(def, AT_OWN_TURN_FIGHT) && mine && game->turn == seat && game->fight.main == seat) ||
           (at(def, AT_OTHERS_FIGHT) && fight && !running && game->fight.main != seat) ||
           (at(def, AT_BEFORE_ROLL) && before_roll_ok(game, box, seat)) ||
           (at(def, AT_FLIGHT) && running && game->turn == seat && seat_fights(game, seat)) ||
           (at(def, AT_OWN_TURN) && !fight && game->turn == seat) ||
           (at(def, AT_PEACE) && !fight) || (at(def, AT_AFTER_FIGHT) && game->after_fight == 1);
}

static void refuse_timing(const struct game *game, const struct box *box, unsigned seat,
                          uint16_t card, struct refusal *why)
{
    const struct card_def *def = box_def(box, card);
    bool fight = game->fight.on != 0;
    bool wants_fight = at(def, AT_FIGHT) || at(def, AT_OWN_FIGHT) || at(def, AT_OWN_TURN_FIGHT) ||
                       at(def, AT_OTHERS_FIGHT) || at(def, AT_BEFORE_ROLL) || at(def, AT_FLIGHT);
    bool wants_peace = at(def, AT_OWN_TURN) || at(def, AT_PEACE) || at(def, AT_AFTER_FIGHT);
    bool own = at(def, AT_OWN_TURN) || at(def, AT_OWN_TURN_FIGHT);
    if (own && game->turn != seat && (!wants_fight || fight)) {
        refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", card, 0);
    } else if (wants_fight && (!fight || (!seat_fights(game, seat) && !at(def, AT_FIGHT)))) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "SHOT-1", card, 0);
    } else if (wants_peace && fight && !wants_fight) {
        refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", card, 0);
    } else if (fight && (game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse_card(why, REFUSAL_WRONG_PHASE, "RUN-1", card, 0);
    } else {
        refuse_card(why, REFUSAL_NOT_USABLE, "SHOT-1", card, 0);
    }
}

static void check_place(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    unsigned pile = game->cards[command->card].pile;
    const struct card_def *def = box_def(box, command->card);
    bool table_use = pile == pile_table(command->seat) && def->kind == KIND_ONESHOT;
    bool face_up = pile == PILE_FACE_UP && game->turn == command->seat;
    bool own = pile == pile_hand(command->seat) || table_use || face_up;
    if (!own || !card_known(game, command->card)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "ZONE-2", command->card, 0);
    }
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

static bool needs_monster_with(const struct row *row)
{
    return row != NULL && (row->op == EFFECT_ADD_MONSTER || row->op == EFFECT_SWAP_MONSTER);
}

static unsigned hand_monsters(const struct game *game, const struct box *box, unsigned seat,
                              uint16_t except, uint16_t *first)
{
    unsigned count = 0;
    uint16_t card = pile_first(game, pile_hand(seat));
    for (; card != NO_CARD; card = game->cards[card].next) {
        if (card != except && card_known(game, card) && box_def(box, card)->kind == KIND_MONSTER) {
            *first = count == 0 ? card : *first;
            count++;
        }
    }
    return count;
}

/** The Monster of the hand that Wandering Monster and its like bring. */
static void check_with_monster(const struct game *game, const struct box *box,
                               const struct command *command, struct play *play,
                               struct refusal *why)
{
    uint16_t first = NO_CARD;
    unsigned count = hand_monsters(game, box, play->seat, play->card, &first);
    if (command->list_count == 0) {
        if (count == 0) {
            refuse_card(why, REFUSAL_CANNOT_PAY, "RUL-66", play->card, 0);
        } else if (count > 1) {
            refuse(why, REFUSAL_BAD_ARGUMENTS, "MULTI-1");
        }
        play->with = first;
    } else {
        play->with = command->list[0];
        if (game->cards[play->with].pile != pile_hand(play->seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "MULTI-1", play->with, 0);
        } else if (box_def(box, play->with)->kind != KIND_MONSTER) {
            refuse_card(why, REFUSAL_NOT_USABLE, "MULTI-1", play->with, 0);
        }
    }
    if (game->fight.on != 0 && !fight_has_room(game) && play->row->op == EFFECT_ADD_MONSTER) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "MULTI-1", play->card, MB_MONSTERS_MAX);
    }
}

/** The only lasting Curse that lies before a player, or NO_CARD. */
static uint16_t only_curse_of(const struct game *game, const struct box *box, unsigned seat)
{
    uint16_t found = NO_CARD;
    unsigned count = 0;
    uint16_t card = pile_first(game, pile_table(seat));
    for (; card != NO_CARD; card = game->cards[card].next) {
        if (box_def(box, card)->kind == KIND_CURSE) {
            found = card;
            count++;
        }
    }
    return count == 1 ? found : (uint16_t)NO_CARD;
}

/** An answer that comes too late: the Curse has acted, and none lasts (RUL-30). */
static bool nothing_to_cancel(const struct game *game, const struct box *box, unsigned seat,
                              const struct row *rule)
{
    uint16_t any = NO_CARD;
    struct candidate_list found = {.ids = &any, .max = 1};
    if (rule->target != ON_LASTING_CURSE) {
        return false;
    }
    (void)target_candidates(game, box, seat, rule, &found);
    return found.count == 0;
}

/** What `on` means for the play: named, or the only thing possible. */
static void check_target(const struct game *game, const struct box *box,
                         const struct command *command, struct play *play, struct refusal *why)
{
    struct row rule = play->row != NULL ? *play->row : (struct row){.when = WHEN_PLAY};
    if (play->def->kind == KIND_ENHANCER) {
        rule.target = ON_MONSTER;
        rule.req_count = 0;
    } else if (play->def->kind == KIND_CURSE) {
        rule.target = ON_PLAYER;
    }
    if (rule.target == ON_NOTHING) {
        return;
    }
    if (nothing_to_cancel(game, box, play->seat, &rule)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-30", play->card, 0);
        return;
    }
    unsigned kind = command->target_kind;
    uint16_t target = command->target;
    if (kind == TARGET_NONE) {
        uint16_t targets[2];
        struct candidate_list found = {.ids = targets, .max = 2};
        kind = target_candidates(game, box, play->seat, &rule, &found);
        if (rule.target == ON_PLAYER && play->def->kind != KIND_CURSE) {
            targets[0] = (uint16_t)play->seat; // a gift without a name is for oneself
            found.count = 1;
        }
        if (found.count != 1) {
            refuse(why, found.count == 0 ? REFUSAL_ILLEGAL_TARGET : REFUSAL_BAD_ARGUMENTS, "ENH-2");
            return;
        }
        target = targets[0];
    }
    if (rule.target == ON_LASTING_CURSE && kind == TARGET_SEAT) {
        target = only_curse_of(game, box, target);
        kind = TARGET_CARD;
        if (target == NO_CARD) {
            refuse(why, REFUSAL_ILLEGAL_TARGET, "CANCEL-1");
            return;
        }
    }
    bool of_monster = rule.target == ON_MONSTER;
    kind = of_monster && kind == TARGET_CARD ? (unsigned)TARGET_MONSTER : kind;
    if (!target_fits(game, box, play->seat, &rule, kind, target)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "CONF-6", kind == TARGET_SEAT ? NO_CARD : target,
                    0);
        return;
    }
    if (kind == TARGET_SEAT) {
        play->target_seat = target;
    } else {
        play->target_card = target;
        bool owned = kind == TARGET_CARD && game->cards[target].seat < MB_SEATS_MAX;
        play->target_seat = owned ? game->cards[target].seat : NO_SEAT;
    }
}

static void check_side(const struct game *game, const struct box *box,
                       const struct command *command, const struct play *play, struct refusal *why)
{
    if (play->def->kind != KIND_ONESHOT || !counts_in_fight(box, play->def) || play->answer) {
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
            refuse_card(why, REFUSAL_CANNOT_PAY, "CHAR-6", play->card, cost->min);
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
    if (needs_monster_with(row)) {
        check_with_monster(game, box, command, play, why);
    }
    if (row->op == EFFECT_WIN_BY_ITEM && play->target_card != NO_CARD &&
        !play_item_wins(game, box, play->seat, play->target_card)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-69", play->card, 0);
    }
    if (row->op == EFFECT_MATE && !fight_has_room(game)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "ENH-3", play->card, MB_MONSTERS_MAX);
    }
    if (row->op == EFFECT_SEND_AWAY && game->fight.helper == NO_SEAT) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CONF-1", play->card, 0);
    }
}

static void check_attach(const struct game *game, const struct box *box,
                         const struct command *command, struct play *play, struct refusal *why)
{
    if (play->row == NULL || play->row->op != EFFECT_ATTACH) {
        return;
    }
    uint16_t item = command->list_count > 0               ? command->list[0]
                    : command->target_kind == TARGET_CARD ? command->target
                                                          : NO_CARD;
    if (item == NO_CARD) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CHEAT-1");
        return;
    }
    play->target_card = item;
    unsigned pile = game->cards[item].pile;
    if (pile != pile_hand(play->seat) && pile != pile_table(play->seat)) {
        refuse_not_ours(why, "HIRE-2", item, pile, play->seat);
    } else if (!filter_fits_index(game, box, play->row->filter, item) ||
               box_def(box, item)->kind == KIND_ONESHOT || card_cheated(game, box, item)) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "HIRE-2", item, 0);
    }
}

static struct play play_of(const struct game *game, const struct box *box,
                           const struct command *command)
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
    }
    return play;
}

/** A Treasure that is no Item and is put in play to stay: when it may be, by edition (ACT-5,
 * ACT-6). */
static void check_special(const struct game *game, const struct box *box, const struct play *play,
                          struct refusal *why)
{
    bool special = play->def->kind == KIND_TREASURE && (play->def->flags & DEF_STAYS) != 0 &&
                   at(play->def, AT_ANY_TIME);
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

/** Cards played for an effect: one-shots, enhancers, Door specials, special Treasures, Curses. */
static void check_effect_play(const struct game *game, const struct box *box,
                              const struct command *command, struct play *play, struct refusal *why)
{
    if (play->answer) {
        return;
    }
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    }
    if (!timing_ok(game, box, play->seat, play->def)) {
        refuse_timing(game, box, play->seat, play->card, why);
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
        check_attach(game, box, command, play, why);
    } else {
        check_target(game, box, command, play, why);
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

/** Whether the play reads `with`: a price, a Monster that comes along, Cheat!'s Item, a tag. */
static bool reads_with(const struct box *box, const struct play *play)
{
    const struct row *row = play->row;
    bool paid = row != NULL && row->cost != 0 && !box->costs[row->cost - 1u].whole_hand;
    bool pair = play->def->kind == KIND_ENHANCER; // with the Monster that it makes fit to join
    return pair || paid || (row != NULL && row->op == EFFECT_ATTACH) ||
           (!play->answer && needs_monster_with(row));
}

/** Whether `on` names what the open moment is about: the Curse and its victim, the roll's. */
static bool names_moment(const struct game *game, const struct command *command)
{
    const struct frame *top = frame_top(game);
    if (game->moment.kind != PAUSE_ANSWER || top == NULL) {
        return false;
    }
    return command->target_kind == TARGET_SEAT ? command->target == top->seat
                                               : command->target == top->card;
}

/** Whether `on` only repeats what is clear: oneself, what is answered, whom `for` means. */
static bool repeats_on(const struct game *game, const struct command *command,
                       const struct play *play)
{
    bool seat = command->target_kind == TARGET_SEAT;
    if (seat && command->target == command->seat) {
        return true;
    }
    if (play->answer) {
        return names_moment(game, command);
    }
    if (command->side == SIDE_NONE || game->fight.on == 0) {
        return false;
    }
    return command->side == SIDE_PLAYERS ? seat && seat_fights(game, command->target)
                                         : command->target_kind == TARGET_MONSTER;
}

/** Nothing may be said that the card does not ask for. */
static void check_stray(const struct game *game, const struct box *box,
                        const struct command *command, const struct play *play, struct refusal *why)
{
    unsigned kind = play->def->kind;
    bool reads_on = kind == KIND_ENHANCER || kind == KIND_CURSE ||
                    (play->row != NULL && !kind_is_identity(kind) && kind != KIND_ITEM &&
                     (play->row->target != ON_NOTHING || play->row->op == EFFECT_ATTACH));
    bool brings = play->row != NULL && !play->answer &&
                  (play->row->op == EFFECT_MATE || play->row->op == EFFECT_ADD_MONSTER);
    bool for_monsters = // the only side that they can be for
        command->side == SIDE_MONSTERS && (kind == KIND_ENHANCER || kind == KIND_MONSTER || brings);
    bool reads_side =
        for_monsters || (kind == KIND_ONESHOT && counts_in_fight(box, play->def) && !play->answer);
    bool stray_on =
        command->target_kind != TARGET_NONE && !reads_on && !repeats_on(game, command, play);
    bool stray_with = command->list_count > 0 && !reads_with(box, play);
    bool stray_more = command->more_count > 0 && !kind_is_identity(kind);
    if (stray_on || stray_with || stray_more || (command->side != SIDE_NONE && !reads_side)) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CONF-6");
    }
}

/** What is wrong with the time, whoever holds such a card: that comes before its place. */
static void check_time(const struct game *game, const struct box *box,
                       const struct command *command, const struct play *play, struct refusal *why)
{
    unsigned seat = command->seat;
    unsigned kind = play->def->kind;
    // It asks only what kind of card was named, which whoever names it knows, never where it is.
    if (game->moment.kind == PAUSE_ANSWER && !play->answer) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
    } else if (play->answer || kind == KIND_FOLLOWER) {
        return;
    } else if (kind == KIND_ITEM || kind_is_identity(kind)) {
        bool always = kind == KIND_POWER && box->profile.flag[FLAG_POWER_ANY_TIME];
        if (game->phase != PHASE_SETUP && game->turn != seat && !always) {
            refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", command->card, 0);
        }
        if (kind == KIND_ITEM && seat_fights(game, seat)) {
            refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", command->card, 0);
        }
    } else if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    } else if (kind == KIND_MONSTER && game->fight.on == 0) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "TAG-1", command->card, 0);
    } else if (kind != KIND_MONSTER && !timing_ok(game, box, seat, play->def)) {
        refuse_timing(game, box, seat, command->card, why);
    }
}

void check_play(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    if (command->card >= box->card_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "ZONE-2");
        return;
    }
    check_place(game, box, command, why);
    struct play play = play_of(game, box, command);
    if (why->code == REFUSAL_NOT_IN_HAND) {
        check_time(game, box, command, &play, why);
        return; // a private thing never shapes a refusal given to anyone but its owner
    }
    check_stray(game, box, command, &play, why);
    if (seat_fights(game, command->seat) && seat_barred(game, box, command->seat, BAR_PLAY)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "MON-2", command->card, 0);
    }
    if (game->moment.kind == PAUSE_ANSWER && !play.answer) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
        return;
    }
    if (lasting_free(game) < 16 || game->frame_count + 12 > MB_FRAMES_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "CONF-6");
    }
    if (kind_is_identity(play.def->kind)) {
        play_check_identity(game, box, command, why);
    } else if (play.def->kind == KIND_ITEM) {
        play_check_item(game, box, command, why);
    } else if (play.def->kind == KIND_MONSTER) {
        play_check_monster(game, box, command, why);
    } else if (play.def->kind == KIND_FOLLOWER) {
        play_check_follower(game, box, command, why);
    } else {
        check_effect_play(game, box, command, &play, why);
    }
}

bool play_on_would_do(const struct game *game, const struct box *box, uint16_t card, unsigned on)
{
    struct command command = {.verb = VERB_PLAY,
                              .seat = game->cards[card].seat,
                              .card = card,
                              .target_kind = TARGET_SEAT,
                              .target = (uint16_t)on,
                              .to = NO_SEAT,
                              .about = NO_SEAT};
    struct refusal why = {.code = REFUSAL_NONE};
    if (at(box_def(box, card), AT_AFTER_FIGHT)) { // in time when it is due (RUL-152)
        struct play play = play_of(game, box, &command);
        check_target(game, box, &command, &play, &why);
        check_level_gift(game, box, &play, &why);
    } else {
        check_play(game, box, &command, &why);
    }
    return why.code == REFUSAL_NONE;
}

static void put_in_fight(struct engine *engine, const struct command *command,
                         const struct play *play)
{
    bool from_table = engine->game->cards[play->card].pile == pile_table(play->seat);
    unsigned flags = from_table ? CARD_FROM_TABLE : 0u;
    flags |= command->side == SIDE_MONSTERS || play->def->sides == 2 ? CARD_FOR_MONSTERS : 0u;
    struct card_move move = {.card = play->card,
                             .to = PILE_FIGHT,
                             .why = MOVE_PLAYED,
                             .seat = (uint8_t)play->seat,
                             .seat2 = NO_SEAT,
                             .flags = (uint8_t)flags};
    if (play->def->kind == KIND_ENHANCER) {
        int index = monster_find(engine->game, play->target_card);
        move.flags = (uint8_t)(from_table ? CARD_FROM_TABLE : 0u);
        move.hosted = true;
        move.host = engine->game->fight.monsters[index].group;
    }
    emit_move(engine, &move);
}

/** A card that is carried out: it lies in `resolving` until its program has ended. */
static void carry_out(struct engine *engine, const struct command *command, const struct play *play)
{
    const struct game *game = engine->game;
    bool from_table = game->cards[play->card].pile == pile_table(play->seat);
    bool stays = (play->def->flags & DEF_STAYS) != 0 && !play->answer;
    struct card_move move = {.card = play->card,
                             .to = (uint8_t)(stays ? pile_table(play->seat) : PILE_RESOLVING),
                             .why = MOVE_PLAYED,
                             .seat = (uint8_t)play->seat,
                             .seat2 = (uint8_t)play->target_seat,
                             .flags = from_table && !stays ? CARD_FROM_TABLE : 0};
    emit_move(engine, &move);
    if (play->row == NULL) {
        if (!stays) {
            emit_discard(engine, play->card, play->seat, MOVE_SPENT);
        }
        return;
    }
    if (play->row->when == WHEN_BEFORE_ROLL && (game->fight.flags & FIGHT_GAVE_UP) == 0) {
        flee_begin(engine, NO_CARD);
    }
    struct ability_use use = {.card = play->card,
                              .row = play->row,
                              .seat = play->seat,
                              .target_seat = play->target_seat,
                              .target_card = play->target_card,
                              .monster = -1};
    unsigned paid = play->row->cost != 0 ? command->list_count : 0u;
    if (play->row->cost != 0) {
        cost_pay(engine, play->seat, NO_CARD, &engine->box->costs[play->row->cost - 1u],
                 command->list, command->list_count);
    }
    if (play->row->op == EFFECT_ADD_MONSTER) {
        use.target_card = play->with;
    } else if (play->row->op == EFFECT_SWAP_MONSTER) {
        paid = play->with; // the program's counter carries the second card
    }
    if (play->row->target == ON_MONSTER && play->target_card != NO_CARD) {
        use.monster = monster_find(game, play->target_card);
    }
    ability_run(engine, &use, paid, paid > 0 && paid < MB_LIST_MAX ? command->list[0] : NO_CARD);
}

static void join_fight(struct engine *engine, unsigned seat, uint16_t card)
{
    fight_add_monster(engine, seat, card, card, card, MONSTER_WANDERED);
    emit_note(engine, NOTE_MONSTER_JOINS, seat, card);
}

/** An enhancer that makes a Monster of the hand fit to join, played together with it (TAG-1). */
static bool joins_as_pair(const struct box *box, const struct command *command)
{
    return command->list_count > 0 && box_def(box, command->card)->kind == KIND_ENHANCER;
}

static void act_pair(struct engine *engine, const struct command *command)
{
    join_fight(engine, command->seat, command->list[0]);
    struct card_move move = {.card = command->card,
                             .to = PILE_FIGHT,
                             .why = MOVE_PLAYED,
                             .seat = command->seat,
                             .seat2 = NO_SEAT,
                             .host = command->list[0],
                             .hosted = true};
    emit_move(engine, &move);
}

static void put_up(struct engine *engine, const struct command *command)
{
    const struct card_def *def = box_def(engine->box, command->card);
    unsigned flags = 0;
    if (def->kind == KIND_ITEM) {
        struct refusal why = {.code = REFUSAL_NONE};
        equip_obstacles(engine->game, engine->box, command->seat, command->card, &why);
        flags = why.code == REFUSAL_NONE ? CARD_EQUIPPED : 0u;
    }
    struct card_move move = {.card = command->card,
                             .to = (uint8_t)pile_table(command->seat),
                             .why = MOVE_PLAYED,
                             .seat = command->seat,
                             .seat2 = NO_SEAT,
                             .flags = (uint8_t)flags};
    emit_move(engine, &move);
}

void act_play(struct engine *engine, const struct command *command)
{
    struct play play = play_of(engine->game, engine->box, command);
    struct refusal why = {.code = REFUSAL_NONE};
    if (joins_as_pair(engine->box, command)) {
        act_pair(engine, command);
    } else if (kind_is_identity(play.def->kind)) {
        play_act_identity(engine, command);
    } else if (play.def->kind == KIND_ITEM || play.def->kind == KIND_FOLLOWER) {
        put_up(engine, command);
    } else if (play.def->kind == KIND_MONSTER) {
        join_fight(engine, command->seat, command->card);
    } else {
        check_effect_play(engine->game, engine->box, command, &play, &why);
        bool lies = counts_in_fight(engine->box, play.def) && play.row == NULL &&
                    engine->game->fight.on != 0 && !play.answer &&
                    (play.def->flags & DEF_STAYS) == 0;
        if (play.def->kind == KIND_CURSE) {
            curse_begin(engine, play.card, play.target_seat, play.seat);
        } else if (lies) {
            put_in_fight(engine, command, &play);
        } else {
            carry_out(engine, command, &play);
        }
    }
}
