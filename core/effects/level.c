// Levels and life.
#include "core/effects/ops.h"
#include "core/work/harm.h"
#include "core/work/would.h"

enum level_why op_level_why(const struct frame *frame)
{
    unsigned when = frame->program.trigger;
    if (when == WHEN_BAD_STUFF || when == WHEN_ESCAPED || when == WHEN_ENTER) {
        return LEVEL_BAD_STUFF;
    }
    return when == WHEN_STRIKE ? LEVEL_CURSE : LEVEL_CARD;
}

bool op_is_harm(const struct frame *frame)
{
    unsigned when = frame->program.trigger;
    return when == WHEN_BAD_STUFF || when == WHEN_STRIKE || when == WHEN_ESCAPED;
}

/** Serves one seat after another; a loss may be prevented first (would_lose_level). */
enum op_result op_level(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (row_pays_helper(row)) {
        return OP_NOTHING;
    }
    if (frame->step == OP_BEGINS) { // the amount is rolled or counted once
        frame->program.amount = program_amount(engine, frame, row);
        frame->step = OP_SERVES;
    }
    if (frame->step == OP_ANNOUNCED) { // a loss was announced to this seat
        frame->step = OP_SERVES;
        if (frame->result == 0 && level_lose(engine, frame->program.served, -frame->program.amount,
                                             op_level_why(frame))) {
            frame->program.did |= DID_THIS;
        }
        if (frame->result != 0) {
            frame->program.did |= DID_THIS; // prevented: the alternative is not suffered either
        }
    }
    unsigned seat = program_next_seat(game, frame, row);
    if (seat == NO_SEAT) {
        return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
    }
    if (frame->program.amount > 0) {
        // Rules: only a card that says so gives the winning Level (CONF-5, RUL-27).
        bool may_win = (row->flags & ROW_KILL) != 0;
        // All gain in one moment, before victory is looked for: they may win together (RUL-24).
        for (; seat != NO_SEAT; seat = program_next_seat(game, frame, row)) {
            if (level_gain(engine, seat, frame->program.amount, LEVEL_CARD, may_win)) {
                frame->program.did |= DID_THIS;
            }
        }
    } else if (frame->program.amount < 0) {
        frame->program.served = (uint8_t)seat;
        frame->step = OP_ANNOUNCED;
        frame->result = 0;
        frame_set(engine, frame);
        bool loses = game->seats[seat].level > engine->box->profile.constant[PROFILE_LEVEL_FLOOR];
        if (loses && op_is_harm(frame)) {
            would_begin(engine, seat, WHEN_WOULD_LOSE_LEVEL, frame->program.card);
        }
        return OP_AGAIN;
    }
    frame_set(engine, frame);
    return OP_AGAIN;
}

/** Takes a Level of one seat after another to n; a loss may be prevented first. */
enum op_result op_level_set(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_BEGINS) {
        frame->program.amount = program_amount(engine, frame, row);
        frame->step = OP_SERVES;
    }
    unsigned seat = frame->program.served;
    int level = frame->program.amount;
    if (frame->step == OP_ANNOUNCED) {
        frame->step = OP_SERVES;
        int loss = game->seats[seat].level - level;
        bool changed = frame->result == 0 && level_lose(engine, seat, loss, op_level_why(frame));
        frame->program.did |= changed || frame->result != 0 ? DID_THIS : 0;
    }
    for (seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        int now = game->seats[seat].level;
        if (level > now) {
            bool changed = level_gain(engine, seat, level - now, LEVEL_CARD, false);
            frame->program.did |= changed ? DID_THIS : 0;
        } else if (level < now) {
            frame->program.served = (uint8_t)seat;
            frame->step = OP_ANNOUNCED;
            frame->result = 0;
            frame_set(engine, frame);
            if (op_is_harm(frame)) {
                would_begin(engine, seat, WHEN_WOULD_LOSE_LEVEL, frame->program.card);
            }
            return OP_AGAIN;
        }
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

enum op_result op_level_steal(struct engine *engine, struct frame *frame, const struct row *row)
{
    unsigned victim = frame->program.target;
    int before = victim != NO_SEAT ? engine->game->seats[victim].level : 0;
    if (victim == NO_SEAT ||
        !level_lose(engine, victim, program_amount(engine, frame, row), LEVEL_THEFT)) {
        return OP_NOTHING;
    }
    int lost = before - engine->game->seats[victim].level;
    level_gain(engine, frame->seat, lost, LEVEL_CARD, false);
    return OP_DONE;
}

enum op_result op_death(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == OP_ANNOUNCED) { // announced to this seat, which something may have saved
        frame->program.did |= DID_THIS;
        if (frame->result == 0) {
            seat_dies(engine, frame->program.served);
        }
        frame->step = OP_BEGINS;
    }
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (game->seats[seat].alive == 0) {
            continue;
        }
        frame->program.served = (uint8_t)seat;
        frame->step = OP_ANNOUNCED;
        frame->result = 0;
        frame_set(engine, frame);
        would_begin(engine, seat, WHEN_WOULD_DIE, frame->program.card);
        return OP_AGAIN;
    }
    return (frame->program.did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}
