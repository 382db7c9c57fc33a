// The steps of each kind of frame and of each op: what they wait for and what must be there.
#include "core/cards/play.h"
#include "core/curse/curse.h"
#include "core/fight/fight.h"
#include "core/loop/engine.h"
#include "core/state/layout.h"
#include "core/turn/turn.h"
#include "core/work/draw.h"
#include "core/work/program.h"
#include "core/work/roll.h"
#include "core/work/waiting.h"
#include "core/work/would.h"

enum { STEPS_MAX = 12 };

#define ASKS(kind) ((uint16_t)(1u << DECIDE_##kind))
#define RUNS       {.waits = STEP_RUNS}
#define COMMAND    {.waits = STEP_COMMAND}

enum { SOME_CARDS = 1u << DECIDE_CHOOSE_CARD | 1u << DECIDE_CHOOSE_CARDS };

static const struct step STEPS[FRAME_TOTAL][STEPS_MAX] =
    {
        [FRAME_SETUP] =
            {
                [SETUP_DEAL] = RUNS,
                [SETUP_LAY_OUT] = COMMAND,
                [SETUP_EVENTS] = RUNS,
                [SETUP_FIRST] = RUNS,
            },
        [FRAME_TURN] =
            {
                [TURN_BEGINS] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [TURN_DEALT] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [TURN_LISTENED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [TURN_START] = {.waits = STEP_COMMAND, .needs = NEEDS_SEAT},
                [TURN_TURNED_UP] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [TURN_OPENED] = {.waits = STEP_COMMAND, .needs = NEEDS_SEAT},
                [TURN_LOOTED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [TURN_CHARITY] = {.waits = STEP_COMMAND, .needs = NEEDS_SEAT},
                [TURN_ENDS] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_FIGHT] =
            {
                [FIGHT_IDLE] = COMMAND,
                [FIGHT_FLEEING] = RUNS,
                [FIGHT_OVER] = RUNS,
            },
        [FRAME_ENTER] =
            {
                [ENTER_BEGINS] = RUNS,
                [ENTER_ASKED] = {.waits = STEP_ASKED, .kinds = ASKS(YES_NO)},
                [ENTER_BEFORE] = RUNS,
                [ENTER_ENTERS] = RUNS,
                [ENTER_DONE] = RUNS,
            },
        [FRAME_FLEE] =
            {
                [FLEE_SETTLE] = {.waits = STEP_COMMAND, .needs = NEEDS_SEAT},
                [FLEE_ROLLED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT | NEEDS_MONSTER},
                [FLEE_CAUGHT] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT | NEEDS_MONSTER},
                [FLEE_AFTER] = RUNS,
                [FLEE_DONE] = RUNS,
            },
        [FRAME_ROLL] =
            {
                [ROLL_THROW] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [ROLL_SHOWN] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [ROLL_ANSWERED] = {.waits = STEP_MOMENT, .needs = NEEDS_SEAT},
                [ROLL_TOLD] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_CURSE] =
            {
                [CURSE_ANNOUNCED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [CURSE_ANSWERED] = {.waits = STEP_MOMENT, .needs = NEEDS_SEAT},
                [CURSE_STRUCK] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [CURSE_WOULD] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_BODIES] =
            {
                [BODY_NEXT] = RUNS,
                [BODY_LOOT] = {.waits = STEP_ASKS, .needs = NEEDS_SEAT, .kinds = ASKS(LOOT_BODY)},
            },
        [FRAME_REWARD] =
            {
                [REWARD_COUNT] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_KILLED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_LEVELS] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_DRAW] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_SHARE] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_PROMISES] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [REWARD_END] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_SHARE] = {[SHARE_PICKS] = {.waits = STEP_ASKS,
                                          .needs = NEEDS_SEAT,
                                          .kinds = ASKS(PICK_TREASURE)}},
        [FRAME_DRAW] =
            {
                [DRAW_ON] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [DRAW_ASKED] = {.waits = STEP_ASKED,
                                .needs = NEEDS_SEAT | MAY_BE_NONE,
                                .kinds = SOME_CARDS | ASKS(YES_NO)},
                [DRAW_DECK] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_REPAIR] =
            {
                [REPAIR_WHICH] = {.waits = STEP_ASKS,
                                  .needs = NEEDS_SEAT,
                                  .kinds = ASKS(CHOOSE_CARD)},
                [REPAIR_WHOM] = {.waits = STEP_ASKED,
                                 .needs = NEEDS_SEAT | NEEDS_CARD,
                                 .kinds = ASKS(CHOOSE_PLAYER)},
            },
        [FRAME_WOULD] =
            {
                [WOULD_ASKED] = {.waits = STEP_ASKS, .needs = NEEDS_SEAT, .kinds = ASKS(YES_NO)},
                [WOULD_PAID] = {.waits = STEP_ASKED,
                                .needs = NEEDS_SEAT | MAY_BE_NONE,
                                .kinds = SOME_CARDS},
                [WOULD_SAVED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_THEFT] =
            {
                [THEFT_BEGINS] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [THEFT_ROLLED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_IDENTITY] =
            {
                [IDENTITY_BEGINS] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [IDENTITY_ROLLED] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
            },
        [FRAME_PLAYED] =
            {
                [PLAYED_SHOWN] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT},
                [PLAYED_ANSWERED] = {.waits = STEP_MOMENT, .needs = NEEDS_SEAT},
            },
        [FRAME_WAITING] =
            {
                [WAITING_NEXT_ONE] = RUNS,
                [WAITING_LOSES] = {.waits = STEP_RUNS, .needs = NEEDS_SEAT | NEEDS_CARD},
            },
};

#define AT(step) ((uint16_t)(1u << OP_##step))

/** The steps that an op has besides OP_BEGINS, OP_MAY, OP_PAYS and OP_WHOM. */
struct op_steps {
    uint16_t at;
    uint16_t asks; /**< in its ASKED steps; 0: for cards */
};

// NOLINTBEGIN(bugprone-macro-parentheses): what is in braces
#define STEPS(...) {__VA_ARGS__}
#define NO_STEPS   {.at = 0}
#define COUNTED(...)
#define DONE(id, name, help, sentence, takes, applies, hits, steps) [EFFECT_##id] = steps,
// NOLINTEND(bugprone-macro-parentheses)
static const struct op_steps OP_STEPS[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

static struct step program_step(const struct box *box, const struct frame *frame)
{
    struct step step = {.waits = STEP_RUNS, .needs = NEEDS_SEAT};
    const struct card_def *def = box_def(box, frame->program.card);
    bool over = frame->program.row >= def->first_row + def->row_count;
    bool begun = (frame->program.did & DID_BEGUN) != 0;
    unsigned op = over ? EFFECT_NOTHING : box->rows[frame->program.row].op;
    const struct op_steps none = {.at = 0};
    const struct op_steps own = op < EFFECT_TOTAL ? OP_STEPS[op] : none;
    if (frame->step == OP_BEGINS) {
        return step;
    }
    if (frame->step == OP_PAYS) {
        step.waits = begun && !over ? STEP_ASKED : STEP_UNKNOWN;
        step.kinds = SOME_CARDS;
        step.needs |= MAY_BE_NONE;
        return step;
    }
    if (frame->step == OP_MAY || frame->step == OP_WHOM) {
        step.waits = begun && !over ? STEP_ASKED : STEP_UNKNOWN;
        step.kinds = frame->step == OP_MAY ? ASKS(YES_NO) : ASKS(CHOOSE_PLAYER);
        return step;
    }
    if (!begun || frame->step >= OP_STEP_TOTAL || ((unsigned)own.at >> frame->step & 1u) == 0) {
        step.waits = STEP_UNKNOWN;
    } else if (frame->step >= OP_ASKED && frame->step <= OP_ASKED_ALL) {
        step.waits = STEP_ASKED;
        bool where = frame->step == OP_ASKED_SECOND && (op == EFFECT_TAKE || op == EFFECT_ROB);
        uint16_t asks = own.asks != 0 ? own.asks : SOME_CARDS;
        step.kinds = where ? ASKS(YES_NO) : asks;
        step.needs |= op == EFFECT_DISCARD_OR ? MAY_BE_NONE : 0;
    }
    return step;
}

struct step layout_step(const struct box *box, const struct frame *frame)
{
    if (frame->kind == FRAME_PROGRAM) {
        return program_step(box, frame);
    }
    return frame->kind < FRAME_TOTAL && frame->step < STEPS_MAX
               ? STEPS[frame->kind][frame->step]
               : (struct step){.waits = STEP_UNKNOWN};
}
