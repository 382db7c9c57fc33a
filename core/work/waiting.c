#include "core/work/waiting.h"

#include <stddef.h>

#include "core/numbers/trait.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/trigger.h"
#include "core/work/would.h"

bool waiting_settle(struct engine *engine)
{
    if (engine->game->waiting_count == 0 || frame_find(engine->game, FRAME_WAITING) != NULL) {
        return false;
    }
    struct frame frame = {.kind = FRAME_WAITING, .seat = NO_SEAT, .waiting = {.card = NO_CARD}};
    frame_push(engine, &frame);
    return true;
}

void waiting_lose(struct engine *engine, uint16_t card, unsigned seat)
{
    bool asked = pile_is_table(engine->game->cards[card].pile) &&
                 would_possible(engine->game, engine->box, seat, WHEN_WOULD_LOSE_CARD, card) &&
                 trigger_note(engine, seat, WHEN_WOULD_LOSE_CARD, card);
    if (!asked) {
        card_lose(engine, card, seat, MOVE_LOST);
    }
}

bool waiting_threatened(const struct game *game, uint16_t card)
{
    for (unsigned i = game->waiting_next; i < game->waiting_count; i++) {
        if (game->waiting[i].card == card && game->waiting[i].what == WHEN_WOULD_LOSE_CARD) {
            return true;
        }
    }
    return false;
}

static void change(struct engine *engine, enum waiting_change why)
{
    struct event event = {
        .type = EVENT_WAITING, .why = (uint8_t)why, .card = NO_CARD, .card2 = NO_CARD};
    emit(engine, &event);
}

enum step_result step_waiting(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == WAITING_LOSES) {
        if (frame.result == 0) {
            card_lose(engine, frame.waiting.card, frame.seat, MOVE_LOST);
        }
        frame.step = WAITING_NEXT_ONE;
        frame.seat = NO_SEAT;
        frame.waiting.card = NO_CARD;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    if (game->waiting_next == game->waiting_count) {
        change(engine, WAITING_ALL_DONE);
        frame_pop(engine);
        return STEP_ON;
    }
    const struct waiting next = game->waiting[game->waiting_next];
    change(engine, WAITING_DONE);
    if (game->cards[next.card].pile != pile_table(next.seat) || game->seats[next.seat].alive == 0) {
        return STEP_ON; // gone before it could act, or lost already
    }
    if (next.what == WHEN_WOULD_LOSE_CARD) {
        frame.step = WAITING_LOSES;
        frame.seat = next.seat;
        frame.waiting.card = next.card;
        frame.result = 0;
        frame_set(engine, &frame);
        would_begin(engine, next.seat, next.what, next.card);
    } else if (card_in_effect(game, engine->box, next.card)) {
        struct program program = {
            .card = next.card, .when = next.what, .seat = next.seat, .target = NO_SEAT};
        program_push(engine, &program);
    }
    return STEP_ON;
}
