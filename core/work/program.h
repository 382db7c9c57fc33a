/*
 * Programs: rows of a card carried out one after another.
 *
 * The frame's step is that of the op at hand; what it may be is OP_STEPS in
 * core/state/layout_step.c. The frame's result is 1 if any row did something.
 */
#ifndef CORE_WORK_PROGRAM_H
#define CORE_WORK_PROGRAM_H

#include "core/change/frame.h"
#include "core/numbers/requirement.h"

enum program_did {
    DID_LAST = 1,   /**< the row before did something */
    DID_ANY = 2,    /**< some row did something */
    DID_BEGUN = 4,  /**< the row at hand has begun: its seats are in `mask` */
    DID_THIS = 8,   /**< the row at hand has done something already */
    DID_ASKED = 16, /**< `may` was answered yes */
    DID_PAID = 32,  /**< the cost of the row at hand is paid, its limit counted */
    DID_OPENED = 64 /**< some row has begun */
};

/** How far the op of the row at hand has come. A question is open in the ASKED steps only. */
enum op_step {
    OP_BEGINS,       /**< nothing of it is done; the row itself may not have begun */
    OP_MAY,          /**< self is asked whether it shall be done at all */
    OP_WHOM,         /**< self is asked which of `seats` is meant */
    OP_SERVES,       /**< `amount` is fixed; one seat after another */
    OP_ANNOUNCED,    /**< a loss is announced to `served`, which something may save (result) */
    OP_ASKED,        /**< somebody is asked; what `served` loses or gets, if that matters */
    OP_ASKED_SECOND, /**< the second one is asked: the right neighbour, the others who pay */
    OP_ASKED_ALL,    /**< all concerned are asked at once */
    OP_PUSHED,       /**< the frame above it does the rest */
    OP_PAYS,         /**< self is asked which cards shall pay, if any */
    OP_STEP_TOTAL
};

enum op_result {
    OP_NOTHING, /**< the row is over and found nothing to do */
    OP_DONE,    /**< the row is over and did something */
    OP_AGAIN    /**< call again: a frame was pushed, a question asked, or the frame was set */
};

/** An op that is carried out. It may change *frame and must frame_set() it before OP_AGAIN. */
typedef enum op_result op_function(struct engine *engine, struct frame *frame,
                                   const struct row *row);

/** What a program is started with. */
struct program {
    uint16_t card;   /**< whose rows; a Mate's face */
    uint8_t when;    /**< enum trigger */
    uint8_t seat;    /**< self */
    uint8_t target;  /**< seat or NO_SEAT */
    uint8_t ability; /**< ability id + 1 or 0 */
    uint8_t monster; /**< index + 1 or 0 */
    int16_t paid;    /**< cards paid, or by how much a flight failed */
};
/** Pushes a program if the card has rows for the trigger; returns whether it did. */
bool program_push(struct engine *engine, const struct program *program);
/** What a monster's text and its enhancers' do at a trigger: pushes whatever has rows for it, the
 * face first; rows `instead` of an enhancer keep the face's from acting. */
bool program_push_monster(struct engine *engine, const struct program *program);
/** The text that goes on when a program's is over: that of the next enhancer. False: none. */
bool program_goes_on(struct engine *engine, struct frame *frame);
/** Whether it has a row for the trigger. */
bool program_has(const struct box *box, const struct card_def *def, unsigned when);

/** A Level for each kill one helped with comes with the rewards (HELP-8), not by a program. */
static inline bool row_pays_helper(const struct row *row)
{
    return row->when == WHEN_HELPED_KILL && row->op == EFFECT_LEVEL && row->who == WHO_SELF &&
           row->n.source == SRC_CONST && row->n.base > 0 && row->cost == 0 && row->flags == 0 &&
           row->limit == SCOPE_NONE && row->req_count == 0;
}

/** A played card that has done its work: into the fight's pile while one lasts, else discarded. */
void program_put_away(struct engine *engine, uint16_t card);
/** Ends a program at once: its played card is put where it belongs, the frame popped. */
void program_close(struct engine *engine, const struct frame *frame);

/** The context of a program for requirements and amounts. */
struct req_context program_context(const struct engine *engine, const struct frame *frame);
/** The amount of a row; dice are rolled now. */
int16_t program_amount(struct engine *engine, const struct frame *frame, const struct row *row);
/** The next seat to be served (left of self first, or right), taken out of the mask; NO_SEAT: none.
 */
unsigned program_next_seat(const struct game *game, struct frame *frame, const struct row *row);
/** Seats that a selector means. */
unsigned selector_seats(const struct req_context *ctx, const struct row *row);

#endif
