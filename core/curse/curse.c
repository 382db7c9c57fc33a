#include "core/curse/curse.h"

#include <stddef.h>

#include "core/curse/curse_hit.h"
#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/harm.h"
#include "core/work/moment.h"
#include "core/work/program.h"
#include "core/work/roll.h"
#include "core/work/would.h"

void curse_begin(struct engine *engine, uint16_t card, unsigned victim, unsigned player)
{
    if (engine->game->cards[card].pile != PILE_DOOR_DISCARD) {
        struct card_move move = {.card = card,
                                 .to = PILE_RESOLVING,
                                 .why = MOVE_PLAYED,
                                 .seat = (uint8_t)(player < MB_SEATS_MAX ? player : victim),
                                 .seat2 = (uint8_t)victim};
        emit_move(engine, &move);
    } else {
        emit_flags(engine, card, CARD_FRESH, 0);
    }
    struct event note = {.why = NOTE_CURSED,
                         .seat = (uint8_t)victim,
                         .seat2 = (uint8_t)player,
                         .card = card,
                         .card2 = NO_CARD};
    emit_note_full(engine, &note);
    struct frame frame = {.kind = FRAME_CURSE,
                          .step = CURSE_ANNOUNCED,
                          .seat = (uint8_t)victim,
                          .curse = {.card = card, .player = (uint8_t)player}};
    frame_push(engine, &frame);
}

/** Whether a Curse that was announced has been cancelled: it was moved, in its discards maybe. */
static bool is_cancelled(const struct game *game, const struct frame *frame)
{
    const struct card_state *card = &game->cards[frame->curse.card];
    return frame_suffers(frame) ? (card->flags & CARD_FRESH) == 0 : card->pile != PILE_RESOLVING;
}

/** What keeps a Curse from striking at all, for example when it was kicked open (C23). */
static uint16_t curse_proof_card(const struct game *game, const struct box *box, unsigned seat)
{
    struct row_iter it;
    row_iter_begin(&it, game, box, seat, EFFECT_CURSE_PROOF);
    return row_next(&it) != NULL ? it.card : NO_CARD;
}

/** The Curse is over; leaves behind whether it lies in its discards now. */
static void curse_over(struct engine *engine, const struct frame *frame)
{
    const struct game *game = engine->game;
    uint16_t card = frame->curse.card;
    if (game->cards[card].pile == PILE_RESOLVING) {
        emit_discard(engine, card, frame->seat, MOVE_STRUCK);
    }
    bool lies = game->cards[card].pile == PILE_DOOR_DISCARD;
    emit_flags(engine, card, 0, lies ? CARD_FRESH : 0);
    frame_return(engine, lies);
}

static enum step_result curse_announced(struct engine *engine, struct frame frame)
{
    uint16_t by = curse_proof_card(engine->game, engine->box, frame.seat);
    frame.step = CURSE_ANSWERED;
    frame_set(engine, &frame);
    if (by != NO_CARD) {
        struct event note = {.why = NOTE_PROTECTED,
                             .seat = frame.seat,
                             .seat2 = NO_SEAT,
                             .card = frame.curse.card,
                             .card2 = by};
        emit_note_full(engine, &note);
        curse_over(engine, &frame);
        return STEP_ON;
    }
    if (curse_would_hit(engine->game, engine->box, &frame) &&
        moment_possible(engine->game, engine->box, WHEN_ANSWER_CURSE)) {
        moment_open(engine, seat_bit(frame.seat));
    }
    return STEP_ON;
}

static enum step_result curse_strikes(struct engine *engine, struct frame frame)
{
    const struct card_def *def = box_def(engine->box, frame.curse.card);
    frame.step = CURSE_STRUCK;
    frame.result = 0;
    frame_set(engine, &frame);
    if ((def->flags & DEF_STAYS) != 0) {
        struct card_move move = {.card = frame.curse.card,
                                 .to = (uint8_t)pile_table(frame.seat),
                                 .why = MOVE_STRUCK,
                                 .seat = frame.seat,
                                 .seat2 = frame.curse.player};
        emit_move(engine, &move);
    }
    struct program program = {
        .card = frame.curse.card, .when = WHEN_STRIKE, .seat = frame.seat, .target = frame.seat};
    program_push(engine, &program);
    return STEP_ON;
}

enum step_result step_curse(struct engine *engine, struct frame frame)
{
    switch ((enum curse_step)frame.step) {
    case CURSE_ANNOUNCED:
        return curse_announced(engine, frame);
    case CURSE_ANSWERED:
        if (is_cancelled(engine->game, frame_top(engine->game))) {
            if (engine->game->moment.kind == PAUSE_ANSWER) {
                emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
            }
            curse_over(engine, &frame);
            return STEP_ON;
        }
        if (!moment_over(engine)) {
            return STEP_WAIT;
        }
        if (curse_would_hit(engine->game, engine->box, &frame) &&
            would_possible(engine->game, engine->box, frame.seat, WHEN_WOULD_BE_CURSED,
                           frame.curse.card)) {
            frame.step = CURSE_WOULD;
            frame.result = 0;
            frame_set(engine, &frame);
            would_begin(engine, frame.seat, WHEN_WOULD_BE_CURSED, frame.curse.card);
            return STEP_ON;
        }
        return curse_strikes(engine, frame);
    case CURSE_WOULD:
        if (frame.result == 0) {
            return curse_strikes(engine, frame);
        }
        curse_over(engine, &frame);
        return STEP_ON;
    case CURSE_STRUCK:
        break;
    }
    engine_acts(engine, frame.curse.player);
    if (frame.result == 0 && (box_def(engine->box, frame.curse.card)->flags & DEF_STAYS) == 0) {
        emit_note(engine, NOTE_CURSE_VOID, frame.seat, frame.curse.card); // Rules: CURSE-5.
    }
    curse_over(engine, &frame);
    return STEP_ON;
}

enum step_result step_identity(struct engine *engine, struct frame frame)
{
    const struct profile *profile = &engine->box->profile;
    if (frame.step == IDENTITY_BEGINS) {
        frame.step = IDENTITY_ROLLED;
        frame_set(engine, &frame);
        roll_begin(engine, frame.seat, ROLL_IDENTITY, frame.identity.card,
                   profile->constant[PROFILE_IDENTITY_SAFE] + 1);
        return STEP_ON;
    }
    // Rules: 1 to 3 discards the Trap, 4 to 6 fails, 6 loses the identity too (META-3).
    bool saved = frame.result == 0;
    struct event note = {.why = saved ? NOTE_IDENTITY_SAVES : NOTE_IDENTITY_FAILS,
                         .seat = frame.seat,
                         .seat2 = NO_SEAT,
                         .card = frame.identity.card,
                         .card2 = frame.identity.identity};
    emit_note_full(engine, &note);
    if (saved) {
        emit_discard(engine, frame.identity.card, frame.seat, MOVE_CANCELLED);
    } else if (frame.identity.total >= profile->constant[PROFILE_IDENTITY_LOST]) {
        emit_discard(engine, frame.identity.identity, frame.seat, MOVE_LOST);
    }
    frame_return(engine, saved);
    return STEP_ON;
}

void theft_begin(struct engine *engine, unsigned thief, uint16_t card)
{
    struct frame frame = {.kind = FRAME_THEFT,
                          .seat = (uint8_t)thief,
                          .step = THEFT_BEGINS,
                          .theft = {.card = card, .victim = engine->game->cards[card].seat}};
    frame_push(engine, &frame);
}

enum step_result step_theft(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == THEFT_BEGINS) {
        int sources = strength_meta(game, engine->box, frame.seat, 1);
        int need = engine->box->profile.constant[PROFILE_THEFT] - (sources > 1 ? sources - 1 : 0);
        frame.step = THEFT_ROLLED;
        frame.result = 1;
        frame_set(engine, &frame);
        if (need > 1) { // Rules: four sources always succeed (META-4).
            roll_begin(engine, frame.seat, ROLL_THEFT, frame.theft.card, need);
        }
        return STEP_ON;
    }
    bool there = game->cards[frame.theft.card].pile == pile_table(frame.theft.victim);
    struct event note = {.why = frame.result != 0 && there ? NOTE_THEFT_SUCCEEDS : NOTE_THEFT_FAILS,
                         .seat = frame.seat,
                         .seat2 = frame.theft.victim,
                         .card = frame.theft.card,
                         .card2 = NO_CARD};
    emit_note_full(engine, &note);
    if (frame.result != 0 && there) {
        card_to_table(engine, frame.theft.card, frame.seat, MOVE_STOLEN, frame.theft.victim);
    } else if (frame.result == 0) {
        level_lose(engine, frame.seat, 1, LEVEL_THEFT);
    }
    frame_return(engine, 1);
    return STEP_ON;
}
