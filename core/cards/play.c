#include "core/cards/play.h"

#include <stddef.h>

#include "core/cards/ability.h"
#include "core/cards/equip.h"
#include "core/cards/play_parts.h"
#include "core/curse/curse.h"
#include "core/fight/fight.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/work/cost.h"
#include "core/work/moment.h"

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
                              .with = NO_CARD,
                              .monster = -1};
    unsigned paid = 0;
    uint16_t paid_card = NO_CARD;
    if (play->row->cost != 0) {
        paid = cost_pay(engine, play->seat, NO_CARD, &engine->box->costs[play->row->cost - 1u],
                        command->list, command->list_count);
        paid_card = command->list_count > 0 ? command->list[0] : NO_CARD;
    }
    if (play->row->op == EFFECT_ADD_MONSTER) {
        use.target_card = play->with;
    } else if (play->row->op == EFFECT_SWAP_MONSTER) {
        use.with = play->with;
    }
    if (play->row->target == ON_MONSTER && play->target_card != NO_CARD) {
        use.monster = monster_find(game, play->target_card);
    }
    ability_run(engine, &use, paid, paid_card);
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

/** What has been played for its effect may be answered before it acts. */
static void may_be_answered(struct engine *engine, const struct play *play)
{
    if (play->answer || (engine->box->triggers_used >> WHEN_ANSWER_PLAY & 1u) == 0 ||
        pile_is_discard(engine->game->cards[play->card].pile)) {
        return;
    }
    struct frame frame = {.kind = FRAME_PLAYED,
                          .step = PLAYED_SHOWN,
                          .seat = (uint8_t)play->seat,
                          .played = {.card = play->card}};
    frame_push(engine, &frame);
}

/** Cancelled: what it would have done does not begin. */
static void played_in_vain(struct engine *engine, uint16_t card)
{
    const struct frame *below = frame_top(engine->game);
    if (below != NULL && below->kind == FRAME_PROGRAM && below->program.card == card) {
        frame_pop(engine);
    }
}

enum step_result step_played(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == PLAYED_SHOWN) {
        frame.step = PLAYED_ANSWERED;
        frame_set(engine, &frame);
        if (moment_possible(game, engine->box, WHEN_ANSWER_PLAY)) {
            moment_open(engine, seats_alive(game) & ~seat_bit(frame.seat));
        }
        return STEP_ON;
    }
    if (!pile_is_discard(game->cards[frame.played.card].pile)) {
        if (!moment_over(engine)) {
            return STEP_WAIT;
        }
        engine_acts(engine, frame.seat); // not that of who was the last to let it be (COMBAT-4)
        frame_pop(engine);
        return STEP_ON;
    }
    if (game->moment.kind == PAUSE_ANSWER) {
        emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
    }
    frame_pop(engine);
    played_in_vain(engine, frame.played.card);
    return STEP_ON;
}

void act_play(struct engine *engine, const struct command *command)
{
    struct play play = play_of(engine->game, engine->box, command);
    if (joins_as_pair(engine->box, command)) {
        act_pair(engine, command);
    } else if (kind_is_identity(play.def->kind)) {
        play_act_identity(engine, command);
    } else if (play.def->kind == KIND_ITEM || play.def->kind == KIND_FOLLOWER) {
        put_up(engine, command);
    } else if (play.def->kind == KIND_MONSTER) {
        join_fight(engine, command->seat, command->card);
    } else {
        play_aim(engine->game, engine->box, command, &play);
        bool lies = play_counts_in_fight(engine->box, play.def) && play.row == NULL &&
                    engine->game->fight.on != 0 && !play.answer &&
                    (play.def->flags & DEF_STAYS) == 0;
        if (play.def->kind == KIND_CURSE) {
            curse_begin(engine, play.card, play.target_seat, play.seat);
        } else if (lies) {
            put_in_fight(engine, command, &play);
            may_be_answered(engine, &play);
        } else {
            carry_out(engine, command, &play);
            may_be_answered(engine, &play);
        }
    }
}
