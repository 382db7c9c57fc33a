#include "core/work/roll.h"

#include <assert.h>
#include <stddef.h>

#include "core/numbers/strength.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/harm.h"
#include "core/work/moment.h"
#include "core/work/program.h"
#include "core/work/trigger.h"

void roll_begin(struct engine *engine, unsigned seat, enum roll_for what, uint16_t card, int need)
{
    struct frame frame = {.kind = FRAME_ROLL,
                          .step = ROLL_THROW,
                          .seat = (uint8_t)seat,
                          .roll = {.card = card, .need = number_fit(need), .what = (uint8_t)what}};
    frame_push(engine, &frame);
}

/** Whether a lasting effect makes the seat's next flight roll fail by itself (B34). */
static bool doomed_roll(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < engine->game->lasting_top; i++) {
        const struct lasting *lasting = &engine->game->lasting[i];
        if (lasting->op == EFFECT_FAIL_NEXT_ROLL && lasting->seat == seat) {
            emit_note(engine, NOTE_ROLL_FAILS, seat, lasting->source);
            lasting_remove(engine, i);
            return true;
        }
    }
    return false;
}

static void show_roll(struct engine *engine, struct frame *frame)
{
    frame->step = ROLL_SHOWN;
    frame_set(engine, frame);
}

static enum step_result roll_throw(struct engine *engine, struct frame frame)
{
    if (frame.roll.what == ROLL_FLIGHT && doomed_roll(engine, frame.seat)) {
        frame.roll.fixed = ROLL_FAILS;
        frame.step = ROLL_ANSWERED;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    frame.roll.face = (uint8_t)emit_roll(engine, frame.seat, (enum roll_for)frame.roll.what);
    show_roll(engine, &frame);
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
        bool failed = frame.roll.what == ROLL_EFFECT || !roll_succeeds(game, engine->box, &frame);
        moment_open(engine, failed ? seat_bit(frame.seat) : 0u);
    } else if (game->moment.kind == PAUSE_ANSWER) {
        emit_pause(engine, PAUSE_ANSWER, PAUSE_CLOSES, 0, 0);
    }
    return STEP_ON;
}

/** Whoever asked for the roll learns by how much a flight failed, or what another roll came to. */
static void tell_parent(struct engine *engine, const struct frame_roll *roll, int total)
{
    struct frame parent = *frame_top(engine->game);
    const int16_t told = number_fit(roll->what == ROLL_FLIGHT ? roll->need - total : total);
    switch ((enum frame_kind)parent.kind) {
    case FRAME_FLEE:
        parent.flee.missing = told;
        break;
    case FRAME_PROGRAM:
        parent.program.paid = told;
        break;
    case FRAME_IDENTITY:
        parent.identity.total = told;
        break;
    default: // a thief needs no more than the result
        return;
    }
    frame_set(engine, &parent);
}

/** Whether a card has a row for a roll of its owner (`own`), or of another. */
static bool has_rolled_row(const struct box *box, uint16_t card, bool own)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_ROLLED &&
            (rows[i].whose == WHOSE_ANYONE || own == (rows[i].whose == WHOSE_SELF))) {
            return true;
        }
    }
    return false;
}

/** What waits for dice acts before whoever asked for the roll goes on; not on dice of its own. */
static void push_rolled(struct engine *engine, const struct frame *roll)
{
    const struct game *game = engine->game;
    bool used = (engine->box->triggers_used >> WHEN_ROLLED & 1u) != 0;
    for (unsigned i = 0; used && i < game->frame_count; i++) {
        used =
            game->frames[i].kind != FRAME_PROGRAM || game->frames[i].program.trigger != WHEN_ROLLED;
    }
    for (unsigned seat = 0; used && seat < game->seat_count; seat++) {
        uint16_t at = game->seats[seat].alive != 0 ? pile_first(game, pile_table(seat)) : NO_CARD;
        for (; at != NO_CARD; at = game->cards[at].next) {
            struct program program = {.card = at,
                                      .when = WHEN_ROLLED,
                                      .seat = (uint8_t)seat,
                                      .target = roll->seat,
                                      .paid = roll->roll.face};
            if (has_rolled_row(engine->box, at, seat == roll->seat) &&
                card_in_effect(game, engine->box, at)) {
                program_push(engine, &program);
            }
        }
    }
}

enum step_result step_roll(struct engine *engine, struct frame frame)
{
    if (frame.step == ROLL_THROW) {
        return roll_throw(engine, frame);
    }
    if (frame.step == ROLL_SHOWN) {
        return roll_shown(engine, frame);
    }
    if (frame.step == ROLL_ANSWERED) {
        if (!moment_over(engine)) {
            return STEP_WAIT;
        }
        engine_acts(engine, frame.seat); // not that of who was the last to let it be
        frame.step = ROLL_TOLD;
        frame_set(engine, &frame);
        if (frame.roll.face != 0) {
            push_rolled(engine, &frame);
        }
        return STEP_ON;
    }
    bool success = roll_succeeds(engine->game, engine->box, &frame);
    int result =
        success ? (frame.roll.fixed == ROLL_ESCAPES ? ROLL_SAVED : ROLL_SUCCESS) : ROLL_FAILURE;
    int total = roll_total(engine->game, engine->box, &frame);
    lasting_end(engine, frame.seat, UNTIL_NEXT_ROLL);
    frame_return(engine, result);
    tell_parent(engine, &frame.roll, total);
    return STEP_ON;
}

bool roll_answered(const struct game *game)
{
    const struct frame *below = frame_below(game);
    return below != NULL && below->kind == FRAME_ROLL;
}

/** The roll that was answered: it lies under the program of the answer, which has ended by now. */
static struct frame the_roll(const struct engine *engine)
{
    const struct frame *top = frame_top(engine->game);
    assert(top != NULL && top->kind == FRAME_ROLL);
    return *top;
}

void roll_again(struct engine *engine, int face)
{
    struct frame frame = the_roll(engine);
    if (face > 0) {
        frame.roll.face = (uint8_t)face;
        struct event event = {.type = EVENT_ROLL,
                              .seat = frame.seat,
                              .why = frame.roll.what,
                              .n = face,
                              .m = 1,
                              .card = NO_CARD};
        emit(engine, &event);
    } else {
        frame.roll.face = (uint8_t)emit_roll(engine, frame.seat, (enum roll_for)frame.roll.what);
    }
    frame.step = ROLL_SHOWN;
    frame_set(engine, &frame);
}

void roll_escapes(struct engine *engine)
{
    struct frame frame = the_roll(engine);
    frame.roll.fixed = ROLL_ESCAPES;
    frame.step = ROLL_ANSWERED;
    frame_set(engine, &frame);
}
