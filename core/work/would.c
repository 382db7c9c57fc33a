#include "core/work/would.h"

#include <stddef.h>

#include "core/change/choice.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"
#include "core/work/cost.h"
#include "core/work/harm.h"
#include "core/work/program.h"

/** Whether the owner could pay what saving costs. */
static bool is_payable(const struct game *game, const struct box *box, unsigned seat,
                       const struct row *row, uint16_t card)
{
    if (ability_left(game, box, seat, card, row, NO_CARD) <= 0) {
        return false;
    }
    return row->cost == 0 || cost_payable(game, box, seat, card, &box->costs[row->cost - 1u]);
}

/** The monster whose Bad Stuff is being carried out, or -1. */
static int bad_stuff_of(const struct game *game)
{
    const struct frame *program = frame_find(game, FRAME_PROGRAM);
    // No "?:" here: gcc 14 makes "a ? b - 1 : -1" a product, and reads b in any case.
    if (program == NULL || program->program.trigger != WHEN_BAD_STUFF) {
        return -1;
    }
    return program->program.monster - 1;
}

/** The row of a card for a moment that its owner could use now, or NULL; `about` is what is lost,
 * strikes or catches. */
static const struct row *saving_row(const struct game *game, const struct box *box, unsigned seat,
                                    unsigned when, uint16_t about, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    const struct row *rows = box_rows(box, def);
    struct req_context ctx = req_context_for(game, box, seat);
    ctx.card = card;
    ctx.monster =
        (int8_t)(when == WHEN_WOULD_BE_CAUGHT ? monster_find(game, about) : bad_stuff_of(game));
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &rows[i];
        // Rules: ITEM-2, an Item carried and not equipped gives nothing.
        if (row->when == when && row->op == EFFECT_SAVE && card_in_effect(game, box, card) &&
            (row->filter == 0 || filter_fits_index(game, box, row->filter, about)) &&
            requirements_hold(&ctx, row->first_req, row->req_count) &&
            is_payable(game, box, seat, row, card)) {
            return row;
        }
    }
    return NULL;
}

/** Whether the card is saving already: what comes of that it does not save from. */
static bool saves_now(const struct game *game, uint16_t card)
{
    for (unsigned i = 0; i < game->frame_count; i++) {
        const struct frame *frame = &game->frames[i];
        if (frame->kind == FRAME_WOULD && frame->would.saver == card) {
            return true;
        }
    }
    return false;
}

/** The next card of the seat, after `card`, that could save; NO_CARD if none. */
static uint16_t next_saver(const struct game *game, const struct box *box, unsigned seat,
                           unsigned when, uint16_t about, uint16_t card)
{
    if ((box->triggers_used >> when & 1u) == 0) {
        return NO_CARD;
    }
    uint16_t at = card == NO_CARD ? pile_first(game, pile_table(seat)) : game->cards[card].next;
    for (; at != NO_CARD; at = game->cards[at].next) {
        if (saving_row(game, box, seat, when, about, at) != NULL && !saves_now(game, at)) {
            return at;
        }
    }
    return NO_CARD;
}

bool would_possible(const struct game *game, const struct box *box, unsigned seat, unsigned when,
                    uint16_t card)
{
    return next_saver(game, box, seat, when, card, NO_CARD) != NO_CARD;
}

void would_begin(struct engine *engine, unsigned seat, unsigned when, uint16_t card)
{
    uint16_t saver = next_saver(engine->game, engine->box, seat, when, card, NO_CARD);
    if (saver == NO_CARD) {
        return;
    }
    struct frame frame = {.kind = FRAME_WOULD,
                          .step = WOULD_ASKED,
                          .seat = (uint8_t)seat,
                          .would = {.card = card, .saver = saver, .trigger = (uint8_t)when}};
    frame_push(engine, &frame);
}

static const struct row *row_of(const struct engine *engine, const struct frame *frame)
{
    return saving_row(engine->game, engine->box, frame->seat, frame->would.trigger,
                      frame->would.card, frame->would.saver);
}

/** The cost is paid with these cards; what the card does besides follows. */
static void save_card(struct engine *engine, struct frame *frame, const struct row *row,
                      const uint16_t *cards, unsigned count)
{
    struct event note = {.why = NOTE_PROTECTED,
                         .seat = frame->seat,
                         .seat2 = NO_SEAT,
                         .card = frame->would.card,
                         .card2 = frame->would.saver};
    limit_use(engine, frame->seat, frame->would.saver, row, NO_CARD,
              cost_counts_cards(engine->box, row) ? (int)count : 1);
    frame->step = WOULD_SAVED;
    frame_set(engine, frame);
    if (row->cost != 0) {
        count = cost_pay(engine, frame->seat, frame->would.saver,
                         &engine->box->costs[row->cost - 1u], cards, count);
    }
    emit_note_full(engine, &note);
    int monster = frame->would.trigger == WHEN_WOULD_BE_CAUGHT
                      ? monster_find(engine->game, frame->would.card)
                      : -1;
    struct program program = {.card = frame->would.saver,
                              .when = frame->would.trigger,
                              .seat = frame->seat,
                              .target = NO_SEAT,
                              .monster = (uint8_t)(monster + 1),
                              .paid = (int16_t)count};
    program_push(engine, &program);
}

static void ask_what_pays(struct engine *engine, struct frame *frame, const struct row *row)
{
    const struct cost *cost = &engine->box->costs[row->cost - 1u];
    uint16_t cards[MB_CARDS_MAX];
    struct candidate_list can = {.ids = cards, .max = MB_CARDS_MAX};
    cost_candidates(engine->game, engine->box, frame->seat, frame->would.saver, cost, &can);
    unsigned kind = cost->max == 1 ? DECIDE_CHOOSE_CARD : DECIDE_CHOOSE_CARDS;
    struct question question = choice_question(kind, frame->seat, cost->min, frame->would.saver);
    question.max = cost->max < EVENT_LIST_MAX ? cost->max : (uint8_t)EVENT_LIST_MAX;
    frame->step = WOULD_PAID;
    frame_set(engine, frame);
    choice_cards(engine, &question, cards, can.count);
}

static void next_or_none(struct engine *engine, struct frame *frame)
{
    uint16_t next = next_saver(engine->game, engine->box, frame->seat, frame->would.trigger,
                               frame->would.card, frame->would.saver);
    if (next == NO_CARD) {
        frame_return(engine, 0);
        return;
    }
    frame->would.saver = next;
    frame_set(engine, frame);
}

static void take_answer(struct engine *engine, struct frame *frame)
{
    bool yes = choice_first(engine->game) == 1;
    choice_close(engine);
    const struct row *row = row_of(engine, frame);
    const struct cost *cost =
        row != NULL && row->cost != 0 ? &engine->box->costs[row->cost - 1u] : NULL;
    if (!yes || row == NULL) {
        next_or_none(engine, frame);
    } else if (cost != NULL && cost->max > 0 && !cost->whole_hand) {
        ask_what_pays(engine, frame, row);
    } else {
        save_card(engine, frame, row, NULL, 0);
    }
}

static void take_payment(struct engine *engine, struct frame *frame)
{
    struct decision decision = engine->game->decision;
    const struct row *row = row_of(engine, frame);
    choice_close(engine);
    if (row == NULL) {
        next_or_none(engine, frame);
        return;
    }
    save_card(engine, frame, row, decision.answers, decision.answer_count);
}

enum step_result step_would(struct engine *engine, struct frame frame)
{
    switch ((enum would_step)frame.step) {
    case WOULD_ASKED:
        if (choice_answered(engine->game)) {
            take_answer(engine, &frame);
        } else {
            choice_yes_no(engine, frame.seat, frame.would.saver, frame.would.card);
        }
        return STEP_ON;
    case WOULD_PAID:
        take_payment(engine, &frame);
        return STEP_ON;
    case WOULD_SAVED:
        break;
    }
    frame_return(engine, 1);
    return STEP_ON;
}
