#include "core/work/due.h"

#include <stddef.h>

#include "core/numbers/trait.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/trigger.h"
#include "core/work/would.h"

bool due_settle(struct engine *engine)
{
    if (engine->game->due_count == 0 || frame_find(engine->game, FRAME_DUE) != NULL) {
        return false;
    }
    struct frame frame = {.kind = FRAME_DUE, .seat = NO_SEAT, .due = {.card = NO_CARD}};
    frame_push(engine, &frame);
    return true;
}

void due_lose(struct engine *engine, uint16_t card, unsigned seat)
{
    bool asked = pile_is_table(engine->game->cards[card].pile) &&
                 would_possible(engine->game, engine->box, seat, WHEN_WOULD_LOSE_CARD, card) &&
                 trigger_note(engine, seat, WHEN_WOULD_LOSE_CARD, card);
    if (!asked) {
        card_lose(engine, card, seat, MOVE_LOST);
    }
}

bool due_threatened(const struct game *game, uint16_t card)
{
    for (unsigned i = game->due_next; i < game->due_count; i++) {
        if (game->due[i].card == card && game->due[i].what == WHEN_WOULD_LOSE_CARD) {
            return true;
        }
    }
    return false;
}

static void change(struct engine *engine, enum due_change why)
{
    struct event event = {
        .type = EVENT_DUE, .why = (uint8_t)why, .card = NO_CARD, .card2 = NO_CARD};
    emit(engine, &event);
}

enum step_result step_due(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == DUE_LOSES) {
        if (frame.result == 0) {
            card_lose(engine, frame.due.card, frame.seat, MOVE_LOST);
        }
        frame.step = DUE_NEXT_ONE;
        frame.seat = NO_SEAT;
        frame.due.card = NO_CARD;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    if (game->due_next == game->due_count) {
        change(engine, DUE_ALL_DONE);
        frame_pop(engine);
        return STEP_ON;
    }
    struct due due = game->due[game->due_next];
    change(engine, DUE_DONE);
    if (game->cards[due.card].pile != pile_table(due.seat) || game->seats[due.seat].alive == 0) {
        return STEP_ON; // gone before it could act, or lost already
    }
    if (due.what == WHEN_WOULD_LOSE_CARD) {
        frame.step = DUE_LOSES;
        frame.seat = due.seat;
        frame.due.card = due.card;
        frame.result = 0;
        frame_set(engine, &frame);
        would_begin(engine, due.seat, due.what, due.card);
    } else if (card_in_effect(game, engine->box, due.card)) {
        struct program program = {
            .card = due.card, .when = due.what, .seat = due.seat, .target = NO_SEAT};
        program_push(engine, &program);
    }
    return STEP_ON;
}
