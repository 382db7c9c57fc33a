#include "core/codec/snapshot_frames.h"

#include <stddef.h>

#include "core/fight/fight.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"

// A play that may push as many frames as limits.h says finds room above any state that rests.
enum { DEPTH_MAX = MB_FRAMES_MAX - 12, FIGHT_PLACE = 1 };

static bool needs_met(const struct game *game, const struct frame *frame, unsigned needs)
{
    const bool repairs = frame->kind == FRAME_REPAIR;
    const uint16_t card = repairs ? frame->repair.card : frame->waiting.card;
    return ((needs & NEEDS_SEAT) == 0 || frame->seat < game->seat_count) &&
           ((needs & NEEDS_CARD) == 0 || card != NO_CARD) &&
           ((needs & NEEDS_MONSTER) == 0 || frame->flee.monster != 0);
}

/** The fight's frame, wherever flight and rewards have brought it; NULL if there is none. */
static const struct frame *fight_frame(const struct game *game)
{
    const struct frame *const frame = &game->frames[FIGHT_PLACE];
    return game->frame_count > FIGHT_PLACE && frame->kind == FRAME_FIGHT ? frame : NULL;
}

/** Whether a frame may lie at its place: turns at the bottom, a fight upon one, flight upon it. */
static bool place_fits(const struct game *game, unsigned at)
{
    const struct frame *const frame = &game->frames[at];
    const struct frame *const fight = fight_frame(game);
    switch ((enum frame_kind)frame->kind) {
    case FRAME_SETUP:
        return at == 0 && game->phase == PHASE_SETUP;
    case FRAME_TURN:
        return at == 0;
    case FRAME_FIGHT:
        return at == FIGHT_PLACE && game->frames[0].kind == FRAME_TURN &&
               game->fight.main != NO_SEAT;
    case FRAME_FLEE:
        return at == FIGHT_PLACE + 1 && fight != NULL && fight->step == FIGHT_FLEEING &&
               (game->phase == PHASE_OVER || (game->fight.on != 0) == (frame->step < FLEE_AFTER));
    case FRAME_REWARD:
        return at == FIGHT_PLACE + 1 && fight != NULL && fight->step == FIGHT_OVER;
    case FRAME_ENTER:
        return fight != NULL;
    default:
        return at > 0;
    }
}

static bool program_holds(const struct box *box, const struct frame_program *program)
{
    const struct card_def *const def = box_def(box, program->card);
    return program->row >= def->first_row && program->row <= def->first_row + def->row_count;
}

static bool bodies_hold(const struct game *game, const struct frame *frame)
{
    const struct frame_bodies *const bodies = &frame->bodies;
    const bool asks = frame->step == BODY_LOOT && game->decision.open != 0;
    return asks ? bodies->at < bodies->count : bodies->at <= bodies->count;
}

static bool frame_holds(const struct game *game, const struct box *box, unsigned at)
{
    const struct frame *const frame = &game->frames[at];
    if ((frame->kind == FRAME_PROGRAM && !program_holds(box, &frame->program)) ||
        (frame->kind == FRAME_BODIES && !bodies_hold(game, frame))) {
        return false;
    }
    const struct step step = layout_step(box, frame);
    const bool covered = at + 1u < game->frame_count;
    return step.waits != STEP_UNKNOWN && !(covered && step.waits == STEP_ASKED) &&
           needs_met(game, frame, step.needs) && place_fits(game, at);
}

/** A fight has its frame, and that says how far the fight has come. */
static bool fight_fits(const struct game *game)
{
    const struct frame *const frame = fight_frame(game);
    const bool gave_up = (game->fight.flags & FIGHT_GAVE_UP) != 0;
    const bool idle = frame != NULL && frame->step == FIGHT_IDLE;
    if (game->phase == PHASE_OVER) {
        return true;
    }
    if (game->window.kind == PAUSE_WIN && !idle) {
        return false;
    }
    if (idle) {
        return game->fight.on != 0 && !gave_up;
    }
    const bool flees =
        game->frame_count > FIGHT_PLACE + 1 && game->frames[FIGHT_PLACE + 1].kind == FRAME_FLEE;
    return game->fight.on == 0 || (frame != NULL && gave_up == flees);
}

bool frames_hold(const struct game *game, const struct box *box)
{
    const unsigned bottom = game->frames[0].kind;
    if (game->frame_count > DEPTH_MAX || (bottom != FRAME_SETUP && bottom != FRAME_TURN)) {
        return false;
    }
    for (unsigned i = 0; i < game->frame_count; i++) {
        if (!frame_holds(game, box, i)) {
            return false;
        }
    }
    return fight_fits(game);
}

/** Treasures are picked as they lie: what is offered is there. */
static bool award_offered(const struct game *game)
{
    for (uint16_t card = 0; card < game->card_count; card++) {
        if (card_set_has(game->decision.cards, card) && game->cards[card].pile != PILE_AWARD) {
            return false;
        }
    }
    return pile_count(game, PILE_AWARD) > 0;
}

static bool question_fits(const struct game *game, const struct step *step)
{
    const struct decision *const decision = &game->decision;
    const bool answered = decision->min > 0 && decision->may_pass == 0;
    return (step->kinds >> decision->kind & 1u) != 0 &&
           (answered || (step->needs & MAY_BE_NONE) != 0) &&
           (decision->kind != DECIDE_PICK_TREASURE || award_offered(game));
}

bool game_rests(const struct game *game, const struct box *box)
{
    const struct step top = layout_step(box, &game->frames[game->frame_count - 1]);
    const bool asks = game->decision.open != 0;
    const bool moment = game->moment.kind == PAUSE_ANSWER;
    if (game->phase == PHASE_OVER) {
        return true;
    }
    switch ((enum step_waits)top.waits) {
    case STEP_COMMAND:
        return !asks && !moment;
    case STEP_MOMENT:
        return !asks && moment;
    case STEP_ASKS:
    case STEP_ASKED:
        return asks && !moment && question_fits(game, &top);
    case STEP_UNKNOWN:
    case STEP_RUNS:
        break;
    }
    return false;
}
