#include "core/roll.h"

#include "core/harm.h"
#include "core/moment.h"
#include "core/strength.h"

void roll_begin(struct engine *engine, unsigned seat, enum roll_for what, uint16_t card, int need)
{
    struct frame frame = {.kind = FRAME_ROLL,
                          .step = ROLL_THROW,
                          .seat = (uint8_t)seat,
                          .other = (uint8_t)what,
                          .card = card,
                          .card2 = NO_CARD,
                          .b = (int16_t)need};
    frame_push(engine, &frame);
}

/** Whether a lasting effect makes the seat's next flight roll fail by itself (B34). */
static bool doomed_roll(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        const struct lasting *lasting = &engine->game->lasting[i];
        if (lasting->op == EFFECT_FAIL_NEXT_ROLL && lasting->seat == seat) {
            lasting_remove(engine, i);
            return true;
        }
    }
    return false;
}

static void show(struct engine *engine, struct frame *frame)
{
    frame->step = ROLL_SHOWN;
    frame_set(engine, frame);
}

static enum step_result roll_throw(struct engine *engine, struct frame frame)
{
    if (frame.other == ROLL_FLIGHT && doomed_roll(engine, frame.seat)) {
        frame.c = 3;
        frame.step = ROLL_ANSWERED;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    frame.a = (int16_t)emit_roll(engine, frame.seat, (enum roll_for)frame.other);
    show(engine, &frame);
    return STEP_ON;
}

static enum step_result roll_shown(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    frame.step = ROLL_ANSWERED;
    frame_set(engine, &frame);
    if (moment_possible(game, engine->box, WHEN_ANSWER_ROLL)) {
        // Rules: a failed roll waits for the roller; of a successful one others only ask by order.
        // What an effect's die should show only the roller knows.
        bool failed = frame.other == ROLL_EFFECT || !roll_succeeds(game, engine->box, &frame);
        moment_open(engine, failed ? seat_bit(frame.seat) : 0u);
    } else if (game->moment.kind == PAUSE_ANSWER) {
        emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
    }
    return STEP_ON;
}

enum step_result step_roll(struct engine *engine, struct frame frame)
{
    if (frame.step == ROLL_THROW) {
        return roll_throw(engine, frame);
    }
    if (frame.step == ROLL_SHOWN) {
        return roll_shown(engine, frame);
    }
    if (!moment_over(engine)) {
        return STEP_WAIT;
    }
    bool success = roll_succeeds(engine->game, engine->box, &frame);
    int result = success ? (frame.c == 2 ? 2 : 1) : 0;
    int total = roll_total(engine->game, engine->box, &frame);
    lasting_end(engine, frame.seat, UNTIL_NEXT_ROLL);
    frame_return(engine, result);
    // The parent learns by how much a flight failed, or what another roll came to.
    struct frame parent = *frame_top(engine->game);
    parent.c = (int16_t)(frame.other == ROLL_FLIGHT ? frame.b - total : total);
    frame_set(engine, &parent);
    return STEP_ON;
}

void roll_again(struct engine *engine, int face)
{
    // The roll lies under the program of the answer, whose op has popped itself before this.
    struct frame frame = *frame_top(engine->game);
    if (face > 0) {
        frame.a = (int16_t)face;
        struct event event = {.type = EVENT_ROLL,
                              .seat = frame.seat,
                              .why = frame.other,
                              .n = face,
                              .m = 1,
                              .card = NO_CARD};
        emit(engine, &event);
    } else {
        frame.a = (int16_t)emit_roll(engine, frame.seat, (enum roll_for)frame.other);
    }
    frame.step = ROLL_SHOWN;
    frame_set(engine, &frame);
}
