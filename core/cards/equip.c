#include "core/cards/equip.h"

#include <stddef.h>

#include "core/numbers/requirement.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/harm.h"
#include "core/work/trigger.h"

/** Whether an equipped Item takes part in the slot limits (HIRE-2: cheated and handed-over do not).
 */
static bool counts_in_slots(const struct game *game, const struct box *box, uint16_t card)
{
    return (game->cards[card].flags & CARD_EQUIPPED) != 0 &&
           box_def(box, card)->kind == KIND_ITEM && card_carrier(game, box, card) == NO_CARD &&
           !card_cheated(game, box, card);
}

static int slot_need(const struct card_def *def, unsigned slot)
{
    if (slot == SLOT_HAND) {
        return def->slot == SLOT_HAND ? 1 : def->slot == SLOT_TWO_HANDS ? 2 : 0;
    }
    if ((def->flags & DEF_EXTRA_ARMOR) != 0 && (slot == SLOT_ARMOR || slot == SLOT_HEADGEAR)) {
        return 1;
    }
    return def->slot == slot ? 1 : 0;
}

static int slot_loss(const struct game *game, const struct box *box, unsigned seat, unsigned slot)
{
    int loss = 0;
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_SLOT_LOSS);
    for (const struct row *row = row_next(&it); row != NULL; row = row_next(&it)) {
        loss += row->a == (int)slot ? row->n.base : 0;
    }
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting->op == EFFECT_SLOT_LOSS && lasting->seat == seat && lasting->arg == slot) {
            loss += lasting->n;
        }
    }
    return loss;
}

static int slot_room(const struct game *game, const struct box *box, unsigned seat, unsigned slot)
{
    int room = slot == SLOT_HAND ? strength_hands(game, box, seat) : 1;
    room -= slot_loss(game, box, seat, slot);
    return room > 0 ? room : 0; // what is not there cannot be lost again
}

static int slot_used(const struct game *game, const struct box *box, unsigned seat, unsigned slot)
{
    int used = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        int need = slot_need(def, slot);
        bool innate = def->kind != KIND_ITEM && (def->flags & DEF_EXTRA_ARMOR) != 0;
        if (need > 0 && (innate ? card_in_effect(game, box, at) : counts_in_slots(game, box, at))) {
            used += need;
        }
    }
    return used;
}

int equip_excess(const struct game *game, const struct box *box, unsigned seat, unsigned slot)
{
    int used = slot_used(game, box, seat, slot);
    int over = used == 0 ? 0 : used - slot_room(game, box, seat, slot);
    return over > 0 ? over : 0;
}

int big_count(const struct game *game, const struct box *box, unsigned seat)
{
    int count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        if ((def->flags & DEF_BIG) != 0 && kind_is_item(def->kind) &&
            card_carrier(game, box, at) == NO_CARD && !card_cheated(game, box, at)) {
            count++;
        }
    }
    return count;
}

static bool slot_free(const struct game *game, const struct box *box, unsigned seat,
                      const struct card_def *def)
{
    static const uint8_t SLOTS[4] = {SLOT_HEADGEAR, SLOT_ARMOR, SLOT_FOOTGEAR, SLOT_HAND};
    for (unsigned i = 0; i < 4; i++) {
        int need = slot_need(def, SLOTS[i]);
        if (need > 0 &&
            slot_used(game, box, seat, SLOTS[i]) + need > slot_room(game, box, seat, SLOTS[i])) {
            return false;
        }
    }
    return true;
}

void equip_obstacles(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     struct refusal *why)
{
    const struct card_def *def = box_def(box, card);
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.card = card;
    if (card_cheated(game, box, card)) { // Rules: it ignores limits and restrictions (HIRE-2).
        return;
    }
    if (!requirements_hold(&ctx, def->first_need, def->need_count)) {
        refuse_card(why, REFUSAL_RESTRICTED, "ITEM-4", card, 0);
    }
    if (!slot_free(game, box, seat, def)) {
        refuse_card(why, REFUSAL_SLOT_FULL, "ITEM-3", card, 0);
    }
}

bool equip_free(const struct game *game, const struct box *box, unsigned seat)
{
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_EQUIPS_IN_FIGHT);
    return !seat_fights(game, seat) || row_next(&it) != NULL;
}

/** An Item of the seat's that lies on its table, out of fights. */
static bool own_item(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    if (command->card == NO_CARD) {
        return refuse(why, REFUSAL_BAD_ARGUMENTS, "ITEM-2");
    }
    if (!equip_free(game, box, command->seat)) {
        refuse(why, REFUSAL_IN_COMBAT, "ITEM-5");
    }
    if (game->cards[command->card].pile != pile_table(command->seat)) {
        return refuse_not_ours(why, "ITEM-2", command->card, game->cards[command->card].pile,
                               command->seat);
    }
    if (box_def(box, command->card)->kind != KIND_ITEM) {
        return refuse_card(why, REFUSAL_NOT_USABLE, "ITEM-1", command->card, 0);
    }
    return true;
}

void check_equip(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why)
{
    if (!own_item(game, box, command, why)) {
        return;
    }
    if ((game->cards[command->card].flags & CARD_EQUIPPED) != 0) {
        refuse_card(why, REFUSAL_NOT_USABLE, "ITEM-2", command->card, 0);
    }
    equip_obstacles(game, box, command->seat, command->card, why);
}

void check_unequip(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why)
{
    if (!own_item(game, box, command, why)) {
        return;
    }
    if ((game->cards[command->card].flags & CARD_EQUIPPED) == 0) {
        refuse_card(why, REFUSAL_NOT_USABLE, "ITEM-2", command->card, 0);
    }
    if (card_sealed_by(game, box, command->card) != NO_CARD) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CURSE-2", card_sealed_by(game, box, command->card),
                    0);
    }
}

static int carries_already(const struct game *game, const struct box *box, uint16_t follower)
{
    unsigned pile = game->cards[follower].pile;
    int count = 0;
    for (uint16_t at = pile_first(game, pile); at != NO_CARD; at = game->cards[at].next) {
        count += game->cards[at].host == follower && kind_is_item(box_def(box, at)->kind);
    }
    return count;
}

/** What a follower may be handed, or NULL. */
static const struct row *carries_row(const struct box *box, uint16_t follower)
{
    const struct card_def *def = box_def(box, follower);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_STATIC && rows[i].op == EFFECT_CARRIES) {
            return &rows[i];
        }
    }
    return NULL;
}

/** Whether a follower may be handed one more Item, and just this. */
static void check_carrier(const struct game *game, const struct box *box, uint16_t follower,
                          uint16_t card, struct refusal *why)
{
    const struct row *row = carries_row(box, follower);
    if (row == NULL || (row->filter != 0 && !filter_fits_index(game, box, row->filter, card))) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "HIRE-2", follower, 0);
    } else if (carries_already(game, box, follower) >= row->n.base) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HIRE-2", follower, 0);
    }
}

void check_hand_over(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    if (!own_item(game, box, command, why)) {
        return;
    }
    uint16_t follower = command->target;
    if (command->target_kind != TARGET_CARD || follower >= box->card_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "HIRE-2");
    } else if (!pile_is_table(game->cards[follower].pile)) {
        refuse_card(why, REFUSAL_NOT_IN_PLAY, "HIRE-2", follower, 0);
    } else if (game->cards[follower].pile != pile_table(command->seat) ||
               box_def(box, follower)->kind != KIND_FOLLOWER) {
        refuse_card(why, REFUSAL_ILLEGAL_TARGET, "HIRE-2", follower, 0);
    } else {
        check_carrier(game, box, follower, command->card, why);
    }
    if (card_cheated(game, box, command->card)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "RUL-115", command->card, 0);
    }
}

int sale_value(const struct game *game, const struct box *box, uint16_t card)
{
    int gold = box_def(box, card)->gold;
    return (game->cards[card].flags & CARD_DOUBLED) != 0 ? gold * 2 : gold;
}

int sale_least(const struct game *game, const struct box *box, unsigned seat)
{
    int least = box->profile.constant[PROFILE_SELL_UNIT] - strength_sale_bonus(game, box, seat);
    return least > 1 ? least : 1;
}

bool sale_fits(const struct game *game, const struct box *box, unsigned seat, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    unsigned pile = game->cards[card].pile;
    bool own = pile == pile_hand(seat) || pile == pile_table(seat);
    bool item = kind_is_item(def->kind) ||
                (def->kind == KIND_FOLLOWER && (def->flags & DEF_VALUE) != 0); // Rules: SIDE-2.
    return own && item && card_known(game, card) && (game->cards[card].flags & CARD_LATE) == 0 &&
           card_sealed_by(game, box, card) == NO_CARD;
}

void check_sell(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    unsigned seat = command->seat;
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    } else if (game->turn != seat) {
        refuse(why, REFUSAL_NOT_YOUR_TURN, "SELL-1");
    }
    if (seat_fights(game, seat)) {
        refuse(why, REFUSAL_IN_COMBAT, "SELL-1");
    }
    if (command->list_count == 0) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "SELL-1");
    }
    int total = 0;
    for (unsigned i = 0; i < command->list_count; i++) {
        uint16_t card = command->list[i];
        unsigned pile = game->cards[card].pile;
        if (pile != pile_hand(seat) && pile != pile_table(seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "SELL-1", card, 0);
        } else if (!sale_fits(game, box, seat, card)) {
            refuse_card(why, REFUSAL_NOT_USABLE, "SELL-1", card, 0);
        }
        total += sale_value(game, box, card);
    }
    int least = sale_least(game, box, seat);
    if (game->seats[seat].level + 1 >= box->profile.constant[PROFILE_GOAL]) {
        refuse(why, REFUSAL_WINNING_LEVEL, "SELL-2");
    }
    if (total < least) {
        refuse_card(why, REFUSAL_BELOW_THOUSAND, "SELL-1", NO_CARD, least - total);
    }
}

bool equip_may_drop(const struct game *game, const struct box *box, uint16_t card)
{
    const struct card_def *const def = box_def(box, card);
    if ((game->cards[card].flags & CARD_TURNED) != 0) { // it is the monsters' now
        return false;
    }
    return def->kind == KIND_FOLLOWER ||
           (kind_is_identity(def->kind) && box->profile.slots[def->kind].at_will);
}

static void check_discard_hand(const struct game *game, const struct box *box,
                               const struct command *command, struct refusal *why)
{
    const struct frame *top = frame_top(game);
    bool charity = top != NULL && top->kind == FRAME_TURN && top->step == TURN_CHARITY;
    if (game->turn != command->seat) {
        refuse(why, REFUSAL_NOT_YOUR_TURN, "CHARITY-3");
    } else if (!charity) {
        refuse(why, game->fight.on != 0 ? REFUSAL_IN_COMBAT : REFUSAL_WRONG_PHASE, "CHARITY-3");
    } else if (turn_charity_receivers(game, command->seat) != 0) {
        refuse(why, REFUSAL_NOT_USABLE, "CHARITY-1");
    } else if (command->list_count > turn_excess(game, box, command->seat)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "CHARITY-1", NO_CARD,
                    turn_excess(game, box, command->seat));
    }
}

void check_discard(const struct game *game, const struct box *box, const struct command *command,
                   struct refusal *why)
{
    if (command->list_count == 0) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "ACT-1");
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        uint16_t card = command->list[i];
        unsigned pile = game->cards[card].pile;
        if (pile == pile_hand(command->seat)) {
            check_discard_hand(game, box, command, why);
        } else if (pile != pile_table(command->seat)) {
            refuse_not_ours(why, "ACT-1", card, pile, command->seat);
        } else if (game->phase == PHASE_SETUP) {
            refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
        } else if (!equip_may_drop(game, box, card)) {
            refuse_card(why, REFUSAL_NOT_USABLE, "ITEM-6", card, 0);
        }
    }
}

void equip_may_lie(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                   struct refusal *why)
{
    if (game->phase == PHASE_SETUP && !box->profile.flag[FLAG_START_ANY_ITEMS] &&
        !card_fits(game, box, seat, card)) {
        refuse_card(why, REFUSAL_RESTRICTED, "SETUP-6", card, 0);
    }
    if ((box_def(box, card)->flags & DEF_BIG) != 0 &&
        big_count(game, box, seat) + 1 > strength_big_limit(game, box, seat)) {
        refuse_card(why, REFUSAL_BIG_ITEM, "BIG-1", card, 0);
    }
}

void check_lay(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why)
{
    unsigned seat = command->seat;
    if (command->card == NO_CARD) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "ACT-5");
        return;
    }
    const struct card_def *def = box_def(box, command->card);
    bool fresh = game->cards[command->card].pile == pile_hand(seat) &&
                 (game->cards[command->card].flags & CARD_FRESH) != 0;
    if (game->phase != PHASE_SETUP && game->turn != seat && !fresh) {
        refuse(why, REFUSAL_NOT_YOUR_TURN, "ACT-5");
    }
    if (seat_fights(game, seat)) {
        refuse(why, REFUSAL_IN_COMBAT, "ACT-6");
    }
    if (game->cards[command->card].pile != pile_hand(seat)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "ACT-5", command->card, 0);
        return;
    }
    if (!kind_is_item(def->kind)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "ACT-5", command->card, 0);
    }
    equip_may_lie(game, box, seat, command->card, why);
}

static void sell(struct engine *engine, const struct command *command)
{
    int total = strength_sale_bonus(engine->game, engine->box, command->seat);
    for (unsigned i = 0; i < command->list_count; i++) {
        total += sale_value(engine->game, engine->box, command->list[i]);
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        emit_discard(engine, command->list[i], command->seat, MOVE_SOLD);
    }
    int levels = total / engine->box->profile.constant[PROFILE_SELL_UNIT];
    level_gain(engine, command->seat, levels, LEVEL_SALE, false);
    trigger_happens(engine, command->seat, WHEN_SELLS, NO_CARD);
}

void act_item(struct engine *engine, const struct command *command)
{
    switch ((enum verb)command->verb) {
    case VERB_EQUIP:
        emit_flags(engine, command->card, CARD_EQUIPPED, 0);
        break;
    case VERB_UNEQUIP:
        emit_flags(engine, command->card, 0, CARD_EQUIPPED);
        emit_host(engine, command->card, NO_CARD);
        break;
    case VERB_HAND_OVER:
        emit_flags(engine, command->card, CARD_EQUIPPED, 0);
        emit_host(engine, command->card, command->target);
        break;
    case VERB_SELL:
        sell(engine, command);
        break;
    case VERB_DISCARD:
        for (unsigned i = 0; i < command->list_count; i++) {
            emit_discard(engine, command->list[i], command->seat, MOVE_DISCARDED);
        }
        break;
    case VERB_LAY: {
        struct card_move move = {.card = command->card,
                                 .to = (uint8_t)pile_table(command->seat),
                                 .why = MOVE_LAID,
                                 .seat = command->seat,
                                 .seat2 = NO_SEAT};
        emit_move(engine, &move);
        break;
    }
    default:
        break;
    }
}
