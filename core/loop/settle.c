// Settling: what puts itself right before the next named step.
#include <stddef.h>

#include "core/cards/equip.h"
#include "core/change/choice.h"
#include "core/deal/deal.h"
#include "core/fight/fight.h"
#include "core/loop/engine.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/deal_book.h"
#include "core/work/harm.h"
#include "core/work/trigger.h"
#include "core/work/waiting.h"

static bool declare_victory(struct engine *engine)
{
    const struct game *game = engine->game;
    unsigned goal = (unsigned)engine->box->profile.constant[PROFILE_GOAL];
    unsigned winners = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        bool won = game->seats[seat].alive != 0 && game->seats[seat].level >= goal;
        winners |= won ? seat_bit(seat) : 0u;
    }
    if (winners == 0) {
        return false;
    }
    const struct frame *reward = frame_find(game, FRAME_REWARD);
    if (engine->box->profile.flag[FLAG_SHARED_VICTORY] && reward != NULL &&
        (winners & seat_bit(reward->seat)) != 0 && reward->reward.helper < MB_SEATS_MAX) {
        winners |= seat_bit(reward->reward.helper); // Rules: WIN-3.
    }
    if (game->fight.on != 0) {
        fight_discard_all(engine);
        fight_end(engine);
    }
    struct event event = {.type = EVENT_WON, .mask = (uint8_t)winners};
    emit(engine, &event);
    return true;
}

/** A card whose host or reason is gone (CHAR-7, HIRE-2, RUL-116, RUL-120); NO_CARD: none. */
static uint16_t find_orphan(const struct game *game, const struct box *box, unsigned seat)
{
    unsigned pile = pile_table(seat);
    for (uint16_t at = pile_first(game, pile); at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        uint16_t host = game->cards[at].host;
        if (host != NO_CARD && game->cards[host].pile != pile) {
            return at;
        }
        if (def->kind != KIND_SECOND) {
            continue;
        }
        const struct row *rows = box_rows(box, def);
        for (unsigned i = 0; i < def->row_count; i++) {
            if (rows[i].op == EFFECT_SECOND &&
                trait_count(game, box, seat, (unsigned)rows[i].a) == 0) {
                return at;
            }
        }
    }
    return NO_CARD;
}

static int follower_excess(const struct game *game, const struct box *box, unsigned seat)
{
    int count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        count += box_def(box, at)->kind == KIND_FOLLOWER && !card_cheated(game, box, at);
    }
    return count == 0 ? 0 : count - strength_follower_limit(game, box, seat);
}

/** The cards of which one is to go; `out` may be NULL: counted only. */
static unsigned repair_cards(const struct game *game, const struct box *box, unsigned seat,
                             int kind, uint16_t *out)
{
    unsigned count = 0;
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        bool equipped = (game->cards[at].flags & CARD_EQUIPPED) != 0 && def->kind == KIND_ITEM &&
                        card_carrier(game, box, at) == NO_CARD && !card_cheated(game, box, at);
        bool hand = def->slot == SLOT_HAND || def->slot == SLOT_TWO_HANDS;
        bool fits = false;
        if (kind < REPAIR_FOLLOWER) {
            fits = def->kind == kind;
        } else if (kind == REPAIR_FOLLOWER) {
            fits = def->kind == KIND_FOLLOWER && !card_cheated(game, box, at);
        } else if (kind == REPAIR_RANK) {
            fits = def->kind == KIND_POWER;
        } else if (kind == REPAIR_BIG) {
            fits = (def->flags & DEF_BIG) != 0 && kind_is_item(def->kind) &&
                   card_carrier(game, box, at) == NO_CARD && !card_cheated(game, box, at);
        } else {
            int slot = kind - REPAIR_SLOT;
            fits = equipped && (slot == SLOT_HAND ? hand : def->slot == slot);
        }
        if (fits && out != NULL) {
            out[count] = at;
        }
        count += fits;
    }
    return count;
}

/** What a seat has in play of each kind, whatever the rules count of it. */
struct has {
    uint16_t kinds[KIND_TOTAL];
    unsigned slots; /**< bits by enum slot: something could fill it */
    bool big;
};

static struct has has_in_play(const struct game *game, const struct box *box, unsigned seat)
{
    struct has has = {.slots = 0};
    uint16_t at = pile_first(game, pile_table(seat));
    for (; at != NO_CARD; at = game->cards[at].next) {
        const struct card_def *def = box_def(box, at);
        const bool extra = (def->flags & DEF_EXTRA_ARMOR) != 0;
        has.kinds[def->kind]++;
        has.slots |= 1u << (def->slot == SLOT_TWO_HANDS ? SLOT_HAND : def->slot);
        has.slots |= extra ? 1u << SLOT_ARMOR | 1u << SLOT_HEADGEAR : 0;
        has.big = has.big || (def->flags & DEF_BIG) != 0;
    }
    return has;
}

/** The first thing of which a seat has too much, as enum repair_kind; -1: nothing. */
static int find_breach(const struct game *game, const struct box *box, unsigned seat)
{
    // What nobody has cannot be too much: most limits need not be worked out.
    const struct has has = has_in_play(game, box, seat);
    for (unsigned kind = KIND_CLASS; kind < KIND_SECOND; kind++) {
        if (has.kinds[kind] > 0 && has.kinds[kind] > trait_capacity(game, box, seat, kind)) {
            return REPAIR_IDENTITY + (int)kind;
        }
    }
    if (has.kinds[KIND_FOLLOWER] > 0 && follower_excess(game, box, seat) > 0) {
        return REPAIR_FOLLOWER;
    }
    if (has.kinds[KIND_POWER] > 0 &&
        strength_rank_total(game, box, seat) > strength_rank_limit(game, box, seat)) {
        return REPAIR_RANK;
    }
    static const uint8_t SLOTS[4] = {SLOT_HEADGEAR, SLOT_ARMOR, SLOT_FOOTGEAR, SLOT_HAND};
    for (unsigned i = 0; i < 4; i++) {
        // What fills a slot by nature cannot be taken off: then there is nothing to put right.
        if ((has.slots >> SLOTS[i] & 1u) != 0 && equip_excess(game, box, seat, SLOTS[i]) > 0 &&
            repair_cards(game, box, seat, REPAIR_SLOT + SLOTS[i], NULL) > 0) {
            return REPAIR_SLOT + SLOTS[i];
        }
    }
    int big = has.big && game->seats[seat].alive != 0 ? big_count(game, box, seat) : 0;
    return big > 0 && big > strength_big_limit(game, box, seat) ? REPAIR_BIG : -1;
}

static bool settle_seat(struct engine *engine, unsigned seat)
{
    const struct game *game = engine->game;
    uint16_t card = find_orphan(game, engine->box, seat);
    if (card != NO_CARD) {
        emit_discard(engine, card, seat, MOVE_SETTLED);
        return true;
    }
    int kind = find_breach(game, engine->box, seat);
    const struct frame *top = frame_top(game);
    bool repairing = top != NULL && top->kind == FRAME_REPAIR; // whoever it is: one after the other
    if (kind < 0 || repairing) {
        return false;
    }
    struct frame frame = {.kind = FRAME_REPAIR,
                          .step = REPAIR_WHICH,
                          .seat = (uint8_t)seat,
                          .repair = {.card = NO_CARD, .what = (uint8_t)kind}};
    frame_push(engine, &frame);
    return true;
}

/** What is of an Item ends with it: when its owner has it in play no longer. */
static bool lasting_settle(struct engine *engine)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < game->lasting_top; i++) {
        const struct lasting *lasting = &game->lasting[i];
        if (lasting_of_item(lasting) &&
            game->cards[lasting->source].pile != pile_table(lasting->seat)) {
            lasting_remove(engine, i);
            return true;
        }
    }
    return false;
}

static bool bodies_wait(const struct game *game)
{
    // What killed acts to its end and is discarded before the body is looted (CURSE-2, RUL-168).
    bool acting = frame_find(game, FRAME_CURSE) != NULL || frame_find(game, FRAME_PROGRAM) != NULL;
    return game->dying != 0 && game->fight.on == 0 && !acting &&
           frame_find(game, FRAME_BODIES) == NULL;
}

/** In the set-up cards lie before nobody until all have been dealt to. */
static bool is_dealing(const struct game *game)
{
    return game->frames[0].kind == FRAME_SETUP && game->frames[0].step == SETUP_DEAL;
}

bool settle(struct engine *engine)
{
    const struct game *game = engine->game;
    if (game->phase == PHASE_SETUP && is_dealing(game)) {
        return false;
    }
    if (declare_victory(engine) || fight_settle(engine) || lasting_settle(engine)) {
        return true;
    }
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        if (settle_seat(engine, seat)) {
            return true;
        }
    }
    if (waiting_settle(engine)) {
        return true;
    }
    if (bodies_wait(game)) {
        struct frame frame = {.kind = FRAME_BODIES,
                              .step = BODY_NEXT,
                              .seat = NO_SEAT,
                              .bodies = {.phase = game->phase}};
        frame_push(engine, &frame);
        emit_game(engine, GAME_PHASE, PHASE_LOOTING_BODY);
        return true;
    }
    return deal_settle(engine);
}

/** Who gets an excess Big Item: the lowest of those who can carry it (BIG-3, RUL-114). */
static unsigned big_receivers(const struct game *game, const struct box *box, unsigned seat,
                              uint16_t card)
{
    unsigned found = 0;
    unsigned lowest = 0;
    for (unsigned other = 0; other < game->seat_count; other++) {
        unsigned level = game->seats[other].level;
        if (other == seat || game->seats[other].alive == 0 ||
            !deal_may_carry(game, box, other, card) || (found != 0 && level > lowest)) {
            continue;
        }
        found = found != 0 && level == lowest ? found | seat_bit(other) : seat_bit(other);
        lowest = level;
    }
    return found;
}

/** BIG-3: sold on one's own turn, else to the lowest who can carry it, else discarded. */
static void part_with_big(struct engine *engine, struct frame frame, uint16_t card)
{
    const struct game *game = engine->game;
    unsigned seat = frame.seat;
    int unit = engine->box->profile.constant[PROFILE_SELL_UNIT];
    int value = sale_value(game, engine->box, card);
    bool may_sell =
        game->turn == seat && game->fight.on == 0 && value >= sale_least(game, engine->box, seat);
    if (may_sell) {
        value += strength_sale_bonus(game, engine->box, seat);
        emit_discard(engine, card, seat, MOVE_SOLD);
        level_gain(engine, seat, value / unit, LEVEL_SALE, false);
        trigger_happens(engine, seat, WHEN_SELLS, NO_CARD);
        frame_pop(engine);
        return;
    }
    unsigned receivers = big_receivers(game, engine->box, seat, card);
    uint16_t options[MB_SEATS_MAX];
    unsigned count = 0;
    for (unsigned other = 0; other < game->seat_count; other++) {
        if ((receivers & seat_bit(other)) != 0) {
            options[count++] = (uint16_t)other;
        }
    }
    if (count == 0) {
        emit_discard(engine, card, seat, MOVE_SETTLED);
        frame_pop(engine);
        return;
    }
    frame.step = REPAIR_WHOM;
    frame.repair.card = card;
    frame_set(engine, &frame);
    struct question question = {.kind = DECIDE_CHOOSE_PLAYER,
                                .seats = seat_bit(seat),
                                .min = 1,
                                .max = 1,
                                .subject = card,
                                .source = NO_CARD};
    choice_options(engine, &question, options, count);
}

static bool repairs_big(const struct game *game, unsigned seat)
{
    const struct frame *top = frame_top(game);
    return top != NULL && top->kind == FRAME_REPAIR && top->repair.what == REPAIR_BIG &&
           top->seat == seat && top->step == REPAIR_WHICH;
}

bool settle_asks_big(const struct game *game, unsigned seat)
{
    return game->decision.open == 1 && repairs_big(game, seat);
}

bool settle_cures(const struct game *game, const struct box *box, const struct command *command,
                  settle_act *act)
{
    if (!settle_asks_big(game, command->seat)) {
        return false;
    }
    bool discards = false;
    for (unsigned i = 0; command->verb == VERB_USE && i < command->list_count; i++) {
        bool big = (box_def(box, command->list[i])->flags & DEF_BIG) != 0;
        discards |= big && game->cards[command->list[i]].pile == pile_table(command->seat);
    }
    if (command->verb == VERB_SELL || discards || act == NULL) {
        return command->verb == VERB_SELL || discards || command->verb == VERB_PLAY;
    }
    if (command->verb != VERB_PLAY) {
        return false;
    }
    struct game scratch = *game;
    struct engine engine = {.box = box, .game = &scratch, .out = NULL, .author = command->seat};
    choice_close(&engine);
    act(&engine, command);
    return find_breach(&scratch, box, command->seat) != REPAIR_BIG;
}

enum step_result step_repair(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (find_breach(game, engine->box, frame.seat) != frame.repair.what) {
        if (game->decision.open != 0) {
            choice_close(engine);
        }
        frame_pop(engine);
        return STEP_ON;
    }
    if (!choice_answered(game)) {
        uint16_t cards[MB_CARDS_MAX];
        unsigned count = repair_cards(game, engine->box, frame.seat, frame.repair.what, cards);
        struct question question = choice_question(DECIDE_CHOOSE_CARD, frame.seat, 1, NO_CARD);
        choice_cards(engine, &question, cards, count);
        return STEP_ON;
    }
    uint16_t card = choice_first(game);
    choice_close(engine);
    if (frame.step == REPAIR_WHOM) { // the owner has named one of several lowest players (RUL-114)
        card_to_table(engine, frame.repair.card, card, MOVE_BIG_TO_LOWEST, frame.seat);
        frame_pop(engine);
        return STEP_ON;
    }
    if (frame.repair.what == REPAIR_BIG) {
        part_with_big(engine, frame, card);
        return STEP_ON;
    }
    if (frame.repair.what >= REPAIR_SLOT && frame.repair.what < REPAIR_RANK) {
        emit_flags(engine, card, 0, CARD_EQUIPPED);
    } else {
        emit_discard(engine, card, frame.seat, MOVE_SETTLED);
    }
    frame_pop(engine);
    return STEP_ON;
}
