// The interpreter: rows one after another, and the ops that are carried out, by number. Counted ops
// have no function: they are looked up where the number they belong to is made.
#include <stddef.h>

#include "core/change/choice.h"
#include "core/effects/ops.h"
#include "core/work/cost.h"
#include "core/work/fight_view.h"
#include "core/work/harm.h"

#define COUNTED(...)
#define DONE(id, name, ...) [EFFECT_##id] = op_##name,
static op_function *const FUNCTIONS[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

/** Whether the requirements are asked of each seat by the selector rather than of the row. */
static bool who_filters(const struct row *row)
{
    return row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
}

/** Of what is played or used the first row is paid and counted with the command; what saves, when
 * it is offered (core/work/would.c). */
static bool paid_by_command(const struct frame *frame, const struct row *row)
{
    switch (frame->program.trigger) {
    case WHEN_PLAY:
    case WHEN_ABILITY:
    case WHEN_ANSWER_CURSE:
    case WHEN_ANSWER_ROLL:
    case WHEN_ANSWER_PLAY:
    case WHEN_BEFORE_ROLL:
        return (frame->program.did & DID_OPENED) == 0;
    default:
        return row->op == EFFECT_SAVE;
    }
}

/** Whose uses a limit counts: of what a monster does, those of the fight. */
static unsigned counted_for(const struct engine *engine, const struct frame *frame)
{
    return frame->program.monster != 0 ? engine->game->fight.main : frame->seat;
}

/** Whether its limit leaves room for the row, and self can pay for it. */
static bool affordable(const struct engine *engine, const struct frame *frame,
                       const struct row *row)
{
    const struct game *game = engine->game;
    uint16_t card = frame->program.card;
    if (row->limit != SCOPE_NONE &&
        ability_left(game, engine->box, counted_for(engine, frame), card, row, NO_CARD) <= 0) {
        return false;
    }
    return row->cost == 0 ||
           cost_payable(game, engine->box, frame->seat, card, &engine->box->costs[row->cost - 1u]);
}

/** Starts the row at hand: which seats does it serve? Returns whether it may act at all. */
static bool row_begins(struct engine *engine, struct frame *frame, const struct row *row)
{
    bool last = (frame->program.did & DID_LAST) != 0;
    if (((row->flags & ROW_ELSE) != 0 && last) || ((row->flags & ROW_THEN) != 0 && !last)) {
        return false;
    }
    struct req_context ctx = program_context(engine, frame);
    if (!who_filters(row) && !requirements_hold(&ctx, row->first_req, row->req_count)) {
        return false;
    }
    if (paid_by_command(frame, row)) {
        frame->program.did |= DID_PAID;
    } else if (!affordable(engine, frame, row)) {
        return false;
    }
    unsigned seats = selector_seats(&ctx, row);
    seats &= row->op == EFFECT_FORCE_HELP ? fight_forcible(engine->game, engine->box) : seats;
    frame->program.seats = (uint8_t)seats;
    frame->program.amount = 0;
    frame->program.left = 0;
    frame->result = 0;
    frame->program.did |= DID_BEGUN | DID_OPENED;
    return true;
}

static void row_ends(struct engine *engine, struct frame *frame, bool did, bool counts)
{
    if (counts) {
        frame->program.did &= (uint8_t)~(DID_LAST);
        frame->program.did |= did ? DID_LAST | DID_ANY : 0;
    }
    frame->program.did &= (uint8_t)~(DID_BEGUN | DID_THIS | DID_ASKED | DID_PAID);
    frame->program.row++;
    frame->step = OP_BEGINS;
    frame->program.amount = 0;
    frame->program.left = 0;
    frame_set(engine, frame);
}

/** What the row at hand still costs, or NULL. */
static const struct cost *due_cost(const struct engine *engine, const struct frame *frame,
                                   const struct row *row)
{
    bool paid = (frame->program.did & DID_PAID) != 0 || row->cost == 0;
    return paid ? NULL : &engine->box->costs[row->cost - 1u];
}

/** The cost goes, the limit counts. */
static void row_charges(struct engine *engine, struct frame *frame, const struct row *row,
                        const uint16_t *cards, unsigned count)
{
    const struct cost *cost = due_cost(engine, frame, row);
    if ((frame->program.did & DID_PAID) != 0) {
        return;
    }
    frame->program.did |= DID_PAID;
    limit_use(engine, counted_for(engine, frame), frame->program.card, row, NO_CARD,
              cost_counts_cards(engine->box, row) ? (int)count : 1);
    if (cost != NULL) {
        if (count > 0 && frame->program.about == NO_CARD) {
            frame->program.about = cards[0];
        }
        frame->program.paid =
            (int16_t)cost_pay(engine, frame->seat, frame->program.card, cost, cards, count);
    }
    frame_set(engine, frame);
}

static void ask_what_pays(struct engine *engine, struct frame *frame, const struct row *row,
                          const struct cost *cost)
{
    uint16_t cards[MB_CARDS_MAX];
    struct candidate_list can = {.ids = cards, .max = MB_CARDS_MAX};
    cost_candidates(engine->game, engine->box, frame->seat, frame->program.card, cost, &can);
    unsigned kind = cost->max == 1 ? DECIDE_CHOOSE_CARD : DECIDE_CHOOSE_CARDS;
    struct question question = choice_question(kind, frame->seat, cost->min, frame->program.card);
    int left =
        ability_left(engine->game, engine->box, frame->seat, frame->program.card, row, NO_CARD);
    int most = cost->max < EVENT_LIST_MAX ? cost->max : EVENT_LIST_MAX;
    bool counted = cost_counts_cards(engine->box, row) && left < most;
    question.max = (uint8_t)(counted ? left : most);
    question.may_pass = true;
    frame->step = OP_PAYS;
    frame_set(engine, frame);
    choice_cards(engine, &question, cards, can.count);
}

/** "you may", and what has to be paid first: asked before the row acts. Returns false to wait. */
static bool row_agreed(struct engine *engine, struct frame *frame, const struct row *row,
                       bool *skip)
{
    const struct cost *cost = due_cost(engine, frame, row);
    bool may = (row->flags & ROW_MAY) != 0 || cost != NULL;
    *skip = false;
    if (!may || (frame->program.did & DID_ASKED) != 0) {
        return true;
    }
    if (frame->step == OP_MAY || frame->step == OP_PAYS) {
        struct decision decision = engine->game->decision;
        bool cards = frame->step == OP_PAYS;
        *skip = cards ? decision.answer_count == 0 : choice_first(engine->game) != 1;
        choice_close(engine);
        frame->step = OP_BEGINS;
        frame->program.did |= DID_ASKED;
        frame_set(engine, frame);
        if (cards && !*skip) {
            row_charges(engine, frame, row, decision.answers, decision.answer_count);
        }
        return true;
    }
    if (cost != NULL && cost->max > 0 && !cost->whole_hand) {
        ask_what_pays(engine, frame, row, cost);
        return false;
    }
    frame->step = OP_MAY;
    frame_set(engine, frame);
    choice_yes_no(engine, frame->seat, frame->program.card, frame->program.card);
    return false;
}

static bool chosen_seat(struct engine *engine, struct frame *frame, const struct row *row)
{
    bool choose = row->who == WHO_CHOSEN || row->who == WHO_FEWEST_CARDS;
    bool begins = frame->step == OP_BEGINS || frame->step == OP_WHOM;
    if (!choose || !begins || (frame->program.seats & (frame->program.seats - 1u)) == 0) {
        return true;
    }
    if (frame->step == OP_WHOM) {
        frame->program.seats = seat_bit(choice_first(engine->game));
        choice_close(engine);
        frame->step = OP_BEGINS;
        frame_set(engine, frame);
        return true;
    }
    uint16_t seats[MB_SEATS_MAX];
    unsigned count = 0;
    for (unsigned seat = 0; seat < engine->game->seat_count; seat++) {
        if ((frame->program.seats & seat_bit(seat)) != 0) {
            seats[count++] = (uint16_t)seat;
        }
    }
    struct question question =
        choice_question(DECIDE_CHOOSE_PLAYER, frame->seat, 1, frame->program.card);
    frame->step = OP_WHOM;
    frame_set(engine, frame);
    choice_options(engine, &question, seats, count);
    return false;
}

static bool row_is_ours(const struct frame *frame, const struct row *row)
{
    unsigned ability = frame->program.ability;
    return row->when == frame->program.trigger && (ability == 0 || row->ability == ability);
}

enum step_result step_program(struct engine *engine, struct frame frame)
{
    const struct card_def *def = box_def(engine->box, frame.program.card);
    if (frame.program.row >= def->first_row + def->row_count) {
        if (program_goes_on(engine, &frame)) {
            return STEP_ON;
        }
        program_put_away(engine, frame.program.card);
        frame_return(engine, (frame.program.did & DID_ANY) != 0);
        return STEP_ON;
    }
    const struct row *row = &engine->box->rows[frame.program.row];
    if (!row_is_ours(&frame, row)) {
        row_ends(engine, &frame, false, false);
        return STEP_ON;
    }
    if ((frame.program.did & DID_BEGUN) == 0 && !row_begins(engine, &frame, row)) {
        bool skipped_else = (row->flags & ROW_ELSE) != 0 && (frame.program.did & DID_LAST) != 0;
        row_ends(engine, &frame, false, !skipped_else);
        return STEP_ON;
    }
    bool skip = false;
    if (!row_agreed(engine, &frame, row, &skip) || (!skip && !chosen_seat(engine, &frame, row))) {
        return STEP_ON;
    }
    if (skip) {
        row_ends(engine, &frame, false, true);
        return STEP_ON;
    }
    row_charges(engine, &frame, row, NULL, 0);
    op_function *function = row->op < EFFECT_TOTAL ? FUNCTIONS[row->op] : NULL;
    enum op_result result = function != NULL ? function(engine, &frame, row) : OP_NOTHING;
    if (result != OP_AGAIN) {
        row_ends(engine, &frame, result == OP_DONE, true);
    }
    return STEP_ON;
}
