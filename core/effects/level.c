// Levels and life: level, level_set, level_steal, death.
#include "core/effects/ops.h"
#include "core/harm.h"
#include "core/would.h"

enum level_why op_level_why(const struct frame *frame)
{
    unsigned when = (unsigned)frame->a % 256u;
    if (when == WHEN_BAD_STUFF || when == WHEN_ESCAPED || when == WHEN_ENTER) {
        return LEVEL_BAD_STUFF;
    }
    return when == WHEN_STRIKE ? LEVEL_CURSE : LEVEL_CARD;
}

bool op_is_harm(const struct frame *frame)
{
    unsigned when = (unsigned)frame->a % 256u;
    return when == WHEN_BAD_STUFF || when == WHEN_STRIKE || when == WHEN_ESCAPED;
}

/** Serves one seat after another; a loss may be prevented first (would_lose_level). */
enum op_result op_level(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == 0) { // the amount is rolled or counted once
        frame->b = (int16_t)program_amount(engine, frame, row);
        frame->step = 1;
    }
    if (frame->step == 2) { // a loss was announced to this seat
        frame->step = 1;
        if (frame->d == 0 &&
            level_lose(engine, (unsigned)frame->mask2, -frame->b, op_level_why(frame))) {
            frame->did |= DID_THIS;
        }
        if (frame->d != 0) {
            frame->did |= DID_THIS; // prevented: the alternative is not suffered either
        }
    }
    unsigned seat = program_next_seat(game, frame, row);
    if (seat == NO_SEAT) {
        return (frame->did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
    }
    if (frame->b > 0) {
        // Rules: only a card that says so gives the winning Level (CONF-5, RUL-27).
        bool may_win = (row->flags & ROW_KILL) != 0;
        // All gain in one moment, before victory is looked for: they may win together (RUL-24).
        for (; seat != NO_SEAT; seat = program_next_seat(game, frame, row)) {
            if (level_gain(engine, seat, frame->b, LEVEL_CARD, may_win)) {
                frame->did |= DID_THIS;
            }
        }
    } else if (frame->b < 0) {
        frame->mask2 = (uint8_t)seat;
        frame->step = 2;
        frame->d = 0;
        frame_set(engine, frame);
        bool loses = game->seats[seat].level > engine->box->profile.constant[PROFILE_LEVEL_FLOOR];
        if (loses && op_is_harm(frame)) {
            would_begin(engine, seat, WHEN_WOULD_LOSE_LEVEL, frame->card, -frame->b);
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
    if (frame->step == 0) {
        frame->b = (int16_t)program_amount(engine, frame, row);
        frame->step = 1;
    }
    unsigned seat = frame->mask2;
    int level = frame->b;
    if (frame->step == 2) {
        frame->step = 1;
        int loss = game->seats[seat].level - level;
        bool changed = frame->d == 0 && level_lose(engine, seat, loss, op_level_why(frame));
        frame->did |= changed || frame->d != 0 ? DID_THIS : 0;
    }
    for (seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        int now = game->seats[seat].level;
        if (level > now) {
            bool changed = level_gain(engine, seat, level - now, LEVEL_CARD, false);
            frame->did |= changed ? DID_THIS : 0;
        } else if (level < now) {
            frame->mask2 = (uint8_t)seat;
            frame->step = 2;
            frame->d = 0;
            frame_set(engine, frame);
            if (op_is_harm(frame)) {
                would_begin(engine, seat, WHEN_WOULD_LOSE_LEVEL, frame->card, now - level);
            }
            return OP_AGAIN;
        }
    }
    return (frame->did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}

enum op_result op_level_steal(struct engine *engine, struct frame *frame, const struct row *row)
{
    (void)row;
    if (frame->other == NO_SEAT || !level_lose(engine, frame->other, 1, LEVEL_THEFT)) {
        return OP_NOTHING;
    }
    level_gain(engine, frame->seat, 1, LEVEL_CARD, false);
    return OP_DONE;
}

enum op_result op_death(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct game *game = engine->game;
    if (frame->step == 1) { // announced to this seat, which something may have saved
        frame->did |= DID_THIS;
        if (frame->d == 0) {
            seat_dies(engine, frame->mask2);
        }
        frame->step = 0;
    }
    for (unsigned seat = program_next_seat(game, frame, row); seat != NO_SEAT;
         seat = program_next_seat(game, frame, row)) {
        if (game->seats[seat].alive == 0) {
            continue;
        }
        frame->mask2 = (uint8_t)seat;
        frame->step = 1;
        frame->d = 0;
        frame_set(engine, frame);
        would_begin(engine, seat, WHEN_WOULD_DIE, frame->card, 0);
        return OP_AGAIN;
    }
    return (frame->did & DID_THIS) != 0 ? OP_DONE : OP_NOTHING;
}
