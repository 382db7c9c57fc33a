// Answers to Curses and rolls, helps in flight.
#include <stddef.h>

#include "core/change/choice.h"
#include "core/curse/curse.h"
#include "core/effects/ops.h"
#include "core/fight/fight.h"
#include "core/numbers/trait.h"
#include "core/turn/turn.h"
#include "core/work/fight_view.h"
#include "core/work/roll.h"

/** The Curse or the card being answered, or the lasting Curse named with `on`, goes. */
enum op_result op_cancel(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    const struct frame *curse = frame_find(game, FRAME_CURSE);
    uint16_t card = row->target == ON_LASTING_CURSE ? frame->program.about : NO_CARD;
    if (frame->program.trigger == WHEN_ANSWER_PLAY) { // O20: before it has acted
        const struct frame *played = frame_find(game, FRAME_PLAYED);
        card = played != NULL ? played->played.card : (uint16_t)NO_CARD;
    } else if (card == NO_CARD && curse != NULL) {
        card = curse->curse.card;
    }
    if (card == NO_CARD) {
        return OP_NOTHING;
    }
    unsigned victim =
        curse != NULL && curse->curse.card == card ? curse->seat : game->cards[card].seat;
    struct event note = {.why = NOTE_CURSE_CANCELLED,
                         .seat = frame->seat,
                         .seat2 = (uint8_t)victim,
                         .card = card,
                         .card2 = frame->program.card};
    emit_note_full(engine, &note);
    emit_discard(engine, card, victim, MOVE_CANCELLED);
    return OP_DONE;
}

/** C27: the Curse strikes its player instead, who may answer in turn. */
enum op_result op_redirect(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    unsigned self = frame->seat;
    uint16_t by = frame->program.card;
    program_close(engine, frame);
    const struct frame *curse = frame_top(engine->game);
    if (curse == NULL || curse->kind != FRAME_CURSE || curse->curse.player == NO_SEAT) {
        return OP_AGAIN;
    }
    struct frame turned = *curse;
    turned.seat = curse->curse.player;
    turned.curse.player = (uint8_t)self;
    turned.curse.tried = 0; // the new victim has a try of an own Secret Identity
    turned.step = CURSE_ANNOUNCED;
    frame_set(engine, &turned);
    struct event note = {.why = NOTE_CURSE_REDIRECTED,
                         .seat = turned.seat,
                         .seat2 = (uint8_t)self,
                         .card = turned.curse.card,
                         .card2 = by};
    emit_note_full(engine, &note);
    return OP_AGAIN;
}

enum op_result op_set_die(struct engine *engine, struct frame *frame, const struct row *row)
{
    static const uint16_t FACES[6] = {1, 2, 3, 4, 5, 6};
    int face = row->n.base;
    if (!roll_answered(engine->game)) {
        return OP_NOTHING;
    }
    if (face == 0 && frame->step == OP_BEGINS) {
        frame->step = OP_ASKED;
        struct question question =
            choice_question(DECIDE_NUMBER, frame->seat, 1, frame->program.card);
        frame_set(engine, frame);
        choice_options(engine, &question, FACES, 6);
        return OP_AGAIN;
    }
    if (face == 0) {
        face = choice_first(engine->game);
        choice_close(engine);
    }
    program_close(engine, frame);
    roll_again(engine, face);
    return OP_AGAIN;
}

enum op_result op_reroll(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (!roll_answered(engine->game)) {
        return OP_NOTHING;
    }
    program_close(engine, frame);
    roll_again(engine, 0);
    return OP_AGAIN;
}

/** After a roll: that roll becomes an escape. Before it: self escapes the monster named, or `who`
 * escape every monster. */
enum op_result op_escape(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (row->a == 0 && roll_answered(game)) {
        program_close(engine, frame);
        roll_escapes(engine);
        return OP_AGAIN;
    }
    if (game->fight.on == 0) {
        return OP_NOTHING;
    }
    if (row->a == 0 && frame->program.monster > 0) {
        unsigned index = frame->program.monster - 1u;
        unsigned seat = frame->seat;
        if (frame->step == OP_PUSHED || (flee_pending(game, seat) >> index & 1u) == 0) {
            return frame->step == OP_PUSHED ? OP_DONE : OP_NOTHING;
        }
        frame->step = OP_PUSHED;
        frame_set(engine, frame);
        flee_escape_noted(engine, seat, index, NOTE_ESCAPES, 0);
        return OP_AGAIN;
    }
    if (frame->step == OP_ASKED) {
        bool willing = choice_first(game) == 1;
        choice_close(engine);
        if (willing) {
            emit_seat_flag(engine, frame->program.served, SEAT_FLEW, true);
        }
    }
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (seat == frame->seat) {
            emit_seat_flag(engine, seat, SEAT_FLEW, true);
        } else if (seat_fights(game, seat)) { // Rules: only who is willing comes along (RUL-90).
            frame->step = OP_ASKED;
            frame->program.served = (uint8_t)seat;
            frame_set(engine, frame);
            choice_yes_no(engine, seat, frame->program.card, frame->program.card);
            return OP_AGAIN;
        }
    }
    return OP_DONE;
}

enum op_result op_theft(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (frame->step == OP_PUSHED) {
        return OP_DONE;
    }
    if (frame->program.about == NO_CARD) {
        return OP_NOTHING;
    }
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    theft_begin(engine, frame->seat, frame->program.about);
    return OP_AGAIN;
}

enum op_result op_identity(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    const struct frame *curse = frame_find(engine->game, FRAME_CURSE);
    if (frame->step == OP_PUSHED || curse == NULL) {
        return OP_DONE;
    }
    frame->step = OP_PUSHED;
    frame_set(engine, frame);
    struct frame identity = {
        .kind = FRAME_IDENTITY,
        .seat = frame->seat,
        .identity = {.card = curse->curse.card, .identity = frame->program.card}};
    frame_push(engine, &identity);
    return OP_AGAIN;
}

/** A06: the top of the Door discards is turned up instead; this is the kick. */
enum op_result op_resurrect(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    // The paid card lies on top by now; the one meant was below it (spec: the cost goes as soon as
    // the card is turned up).
    unsigned seat = frame->seat;
    uint16_t paid = frame->program.about;
    const struct frame *below = frame_below(engine->game);
    if (below == NULL || below->kind != FRAME_TURN) {
        return OP_NOTHING;
    }
    program_close(engine, frame);
    turn_kick_from_discards(engine, seat, paid);
    return OP_AGAIN;
}

enum op_result op_save(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)engine;
    (void)frame;
    (void)row;
    return OP_DONE; // asked about in core/work/would.c; nothing is left to do
}
