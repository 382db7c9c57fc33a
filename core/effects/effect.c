// The interpreter: rows one after another, and the ops that are carried out, by number. Counted ops
// have no function: they are looked up where the number they belong to is made.
#include <stddef.h>

#include "core/change/choice.h"
#include "core/effects/ops.h"
#include "core/work/program.h"

static op_function *const FUNCTIONS[EFFECT_TOTAL] = {
    [EFFECT_LEVEL] = op_level,
    [EFFECT_LEVEL_SET] = op_level_set,
    [EFFECT_DEATH] = op_death,
    [EFFECT_LOSE] = op_lose,
    [EFFECT_DRAW] = op_draw,
    [EFFECT_TAKE] = op_take,
    [EFFECT_GIVE] = op_give,
    [EFFECT_SEX_CHANGE] = op_sex_change,
    [EFFECT_TRAIT_CHANGE] = op_trait_change,
    [EFFECT_LASTING] = op_lasting,
    [EFFECT_REMOVE_MONSTER] = op_remove_monster,
    [EFFECT_ADD_MONSTER] = op_add_monster,
    [EFFECT_MATE] = op_mate,
    [EFFECT_SWAP_MONSTER] = op_swap_monster,
    [EFFECT_WIN_BY_ITEM] = op_win_by_item,
    [EFFECT_THEFT] = op_theft,
    [EFFECT_CANCEL] = op_cancel,
    [EFFECT_REDIRECT] = op_redirect,
    [EFFECT_SET_DIE] = op_set_die,
    [EFFECT_REROLL] = op_reroll,
    [EFFECT_ESCAPE] = op_escape,
    [EFFECT_TAKE_OVER] = op_take_over,
    [EFFECT_REBOOT] = op_reboot,
    [EFFECT_RETRIEVE] = op_retrieve,
    [EFFECT_SWAP_HANDS] = op_swap_hands,
    [EFFECT_SUFFER] = op_suffer,
    [EFFECT_COPY_FACE] = op_copy_face,
    [EFFECT_TURN_FOLLOWER] = op_turn_follower,
    [EFFECT_FOLLOW] = op_follow,
    [EFFECT_COPY_ABILITY] = op_copy_ability,
    [EFFECT_RETURN_CARDS] = op_return_cards,
    [EFFECT_ATTACH] = op_attach,
    [EFFECT_MARK_DOUBLE] = op_mark_double,
    [EFFECT_RESURRECT] = op_resurrect,
    [EFFECT_IDENTITY] = op_identity,
    [EFFECT_SEND_AWAY] = op_send_away,
    [EFFECT_STAY] = op_stay,
    [EFFECT_DISCARD_SELF] = op_discard_self,
    [EFFECT_SAVE] = op_save,
    [EFFECT_HAND_OR_LEVELS] = op_hand_or_levels,
    [EFFECT_TAX] = op_tax,
    [EFFECT_LEVEL_STEAL] = op_level_steal,
    [EFFECT_CHOICE] = op_choice,
    [EFFECT_SHOW_HAND] = op_show_hand,
    [EFFECT_SKIP_TURN] = op_skip_turn,
    [EFFECT_DISCARD_OR] = op_discard_or,
    [EFFECT_DRAW_HERE] = op_draw_here,
    [EFFECT_TREASURE_FOR_DOOR] = op_exchange,
    [EFFECT_ROLL] = op_roll,
    [EFFECT_ROB] = op_rob,
    [EFFECT_NOTHING] = op_nothing,
};

/** Whether the requirements are asked of each seat by the selector rather than of the row. */
static bool who_filters(const struct row *row)
{
    return row->who == WHO_OTHERS_WITH || row->who == WHO_EVERYONE_WITH;
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
    frame->program.seats = (uint8_t)selector_seats(&ctx, row);
    frame->program.amount = 0;
    frame->program.left = 0;
    frame->result = 0;
    frame->program.did |= DID_BEGUN;
    return true;
}

static void row_ends(struct engine *engine, struct frame *frame, bool did, bool counts)
{
    if (counts) {
        frame->program.did &= (uint8_t) ~(DID_LAST);
        frame->program.did |= did ? DID_LAST | DID_ANY : 0;
    }
    frame->program.did &= (uint8_t) ~(DID_BEGUN | DID_THIS | DID_ASKED);
    frame->program.row++;
    frame->step = OP_BEGINS;
    frame->program.amount = 0;
    frame->program.left = 0;
    frame_set(engine, frame);
}

/** "you may", and a player chosen among several: asked before the row acts. Returns false to wait.
 */
static bool row_asked(struct engine *engine, struct frame *frame, const struct row *row, bool *skip)
{
    *skip = false;
    bool may = (row->flags & ROW_MAY) != 0 && (frame->program.did & DID_ASKED) == 0;
    if (!may) {
        return true;
    }
    if (frame->step == OP_MAY) {
        *skip = choice_first(engine->game) != 1;
        choice_close(engine);
        frame->step = OP_BEGINS;
        frame->program.did |= DID_ASKED;
        frame_set(engine, frame);
        return true;
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
    if (!row_asked(engine, &frame, row, &skip) || (!skip && !chosen_seat(engine, &frame, row))) {
        return STEP_ON;
    }
    if (skip) {
        row_ends(engine, &frame, false, true);
        return STEP_ON;
    }
    op_function *function = row->op < EFFECT_TOTAL ? FUNCTIONS[row->op] : NULL;
    enum op_result result = function != NULL ? function(engine, &frame, row) : OP_NOTHING;
    if (result != OP_AGAIN) {
        row_ends(engine, &frame, result == OP_DONE, true);
    }
    return STEP_ON;
}
