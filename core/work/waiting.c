#include "core/work/waiting.h"

#include <stddef.h>

#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/harm.h"
#include "core/work/program.h"
#include "core/work/trigger.h"
#include "core/work/would.h"

_Static_assert(MB_WAITING_MAX > 2 * MB_WAITING_TEXTS, "each text may be followed by a note");

bool waiting_settle(struct engine *engine)
{
    if (engine->game->waiting_count == 0 || frame_find(engine->game, FRAME_WAITING) != NULL) {
        return false;
    }
    struct frame frame = {.kind = FRAME_WAITING, .seat = NO_SEAT, .waiting = {.card = NO_CARD}};
    frame_push(engine, &frame);
    return true;
}

static void emit_waiting(struct engine *engine, enum waiting_change why)
{
    struct event event = {
        .type = EVENT_WAITING, .why = (uint8_t)why, .card = NO_CARD, .card2 = NO_CARD};
    emit(engine, &event);
}

/** Whether somebody is to be asked about threatened cards. */
static bool will_ask(const struct game *game)
{
    for (unsigned i = game->waiting_next; i < game->waiting_count; i++) {
        if (game->waiting[i].what == WHEN_WOULD_LOSE_CARD) {
            return true;
        }
    }
    return false;
}

void waiting_lose(struct engine *engine, uint16_t card, unsigned seat)
{
    const struct card_state *const state = &engine->game->cards[card];
    const bool lies = pile_is_table(state->pile);
    if (lies && (state->flags & (CARD_THREATENED | CARD_ASKED_ABOUT)) != 0) {
        return; // once a moment
    }
    if (lies && would_possible(engine->game, engine->box, seat, WHEN_WOULD_LOSE_CARD, card)) {
        // One note stands for all that are threatened before it is carried out: so there is at
        // most one more than there are texts.
        if (!will_ask(engine->game)) {
            trigger_note(engine, seat, WHEN_WOULD_LOSE_CARD, card);
        }
        emit_flags(engine, card, CARD_THREATENED, 0);
    } else {
        card_lose(engine, card, seat);
    }
}

bool waiting_threatened(const struct game *game, uint16_t card)
{
    const struct card_state *const state = &game->cards[card];
    return pile_is_table(state->pile) && (state->flags & CARD_THREATENED) != 0;
}

/** The next threatened card of the living, from the seat of the note on; NO_CARD if none is. The
 * card of a note by an earlier release bears no mark. */
static uint16_t next_threatened(const struct game *game, const struct waiting *note)
{
    const struct card_state *const own = &game->cards[note->card];
    if (own->pile == pile_table(note->seat) && game->seats[note->seat].alive != 0 &&
        (own->flags & (CARD_THREATENED | CARD_ASKED_ABOUT)) == 0) {
        return note->card;
    }
    for (unsigned i = 0; i < game->seat_count; i++) {
        const unsigned seat = (note->seat + i) % game->seat_count;
        uint16_t at =
            game->seats[seat].alive != 0 ? pile_first(game, pile_table(seat)) : (uint16_t)NO_CARD;
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (waiting_threatened(game, at)) {
                return at;
            }
        }
    }
    return NO_CARD;
}

/** Asks whoever can save it about the next card, or goes on if there is none. */
static void ask_about_next(struct engine *engine, struct frame *frame, const struct waiting *note)
{
    const uint16_t card = next_threatened(engine->game, note);
    if (card == NO_CARD) {
        emit_waiting(engine, WAITING_DONE);
        return;
    }
    emit_flags(engine, card, CARD_ASKED_ABOUT, CARD_THREATENED);
    frame->step = WAITING_LOSES;
    frame->seat = (uint8_t)(engine->game->cards[card].pile - PILE_TABLE);
    frame->waiting.card = card;
    frame->result = 0;
    frame_set(engine, frame);
    would_begin(engine, frame->seat, WHEN_WOULD_LOSE_CARD, card);
}

enum step_result step_waiting(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    if (frame.step == WAITING_LOSES) {
        if (frame.result == 0) {
            card_lose(engine, frame.waiting.card, frame.seat);
        }
        frame.step = WAITING_NEXT_ONE;
        frame.seat = NO_SEAT;
        frame.waiting.card = NO_CARD;
        frame_set(engine, &frame);
        return STEP_ON;
    }
    if (game->waiting_next == game->waiting_count) {
        emit_waiting(engine, WAITING_ALL_DONE);
        frame_pop(engine);
        return STEP_ON;
    }
    const struct waiting next = game->waiting[game->waiting_next];
    if (next.what == WHEN_WOULD_LOSE_CARD) {
        ask_about_next(engine, &frame, &next);
        return STEP_ON;
    }
    emit_waiting(engine, WAITING_DONE);
    if (game->cards[next.card].pile != pile_table(next.seat) || game->seats[next.seat].alive == 0) {
        return STEP_ON; // gone before it could act, or lost already
    }
    if (card_in_effect(game, engine->box, next.card)) {
        struct program program = {
            .card = next.card, .when = next.what, .seat = next.seat, .target = NO_SEAT};
        program_push(engine, &program);
    }
    return STEP_ON;
}
