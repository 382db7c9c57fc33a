#include "core/would.h"

#include <stddef.h>

#include "core/choice.h"
#include "core/cost.h"
#include "core/pile.h"
#include "core/requirement.h"
#include "core/trait.h"

/** The row of a card for a moment that its owner could use now, or NULL. */
static const struct row *saving_row(const struct game *game, const struct box *box, unsigned seat,
                                    unsigned when, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    // Rules: ITEM-2, an Item carried and not equipped gives nothing.
    bool in_effect = card_in_effect(game, box, card);
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.card = card;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == when && rows[i].op == EFFECT_SAVE && in_effect &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            return &rows[i];
        }
    }
    return NULL;
}

/** The next card of the seat, after `card`, that could save; NO_CARD if none. */
static uint16_t next_saver(const struct game *game, const struct box *box, unsigned seat,
                           unsigned when, uint16_t card)
{
    uint16_t at = card == NO_CARD ? pile_first(game, pile_table(seat)) : game->cards[card].next;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (saving_row(game, box, seat, when, at) != NULL) {
            return at;
        }
    }
    return NO_CARD;
}

void would_begin(struct engine *engine, unsigned seat, unsigned when, uint16_t card, int amount)
{
    uint16_t saver = next_saver(engine->game, engine->box, seat, when, NO_CARD);
    if (saver == NO_CARD) {
        return;
    }
    struct frame frame = {.kind = FRAME_WOULD,
                          .seat = (uint8_t)seat,
                          .other = NO_SEAT,
                          .card = card,
                          .card2 = saver,
                          .a = (int16_t)when,
                          .b = (int16_t)amount};
    frame_push(engine, &frame);
}

enum step_result step_would(struct engine *engine, struct frame frame)
{
    const struct game *game = engine->game;
    unsigned seat = frame.seat;
    if (!choice_answered(game)) {
        choice_yes_no(engine, seat, frame.card2, frame.card);
        return STEP_ON;
    }
    bool yes = choice_first(game) == 1;
    choice_close(engine);
    uint16_t saver = frame.card2;
    const struct row *row = saving_row(game, engine->box, seat, (unsigned)frame.a, saver);
    if (yes && row != NULL) {
        if (row->cost != 0) {
            cost_pay(engine, seat, saver, &engine->box->costs[row->cost - 1u], NULL, 0);
        }
        struct event note = {.why = NOTE_PROTECTED,
                             .seat = (uint8_t)seat,
                             .seat2 = NO_SEAT,
                             .card = frame.card,
                             .card2 = saver};
        emit_note_full(engine, &note);
        frame_return(engine, 1);
        return STEP_ON;
    }
    uint16_t next = next_saver(game, engine->box, seat, (unsigned)frame.a, saver);
    if (next == NO_CARD) {
        frame_return(engine, 0);
        return STEP_ON;
    }
    frame.card2 = next;
    frame_set(engine, &frame);
    return STEP_ON;
}
