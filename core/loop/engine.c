#include "core/loop/engine.h"

#include <assert.h>
#include <stddef.h>

#include "core/cards/play.h"
#include "core/curse/curse.h"
#include "core/effects/ops.h"
#include "core/fight/fight.h"
#include "core/turn/turn.h"
#include "core/work/draw.h"
#include "core/work/program.h"
#include "core/work/roll.h"
#include "core/work/waiting.h"
#include "core/work/would.h"

typedef enum step_result step_function(struct engine *engine, struct frame frame);

static step_function *const STEPS[FRAME_TOTAL] = {
    [FRAME_SETUP] = step_setup,       [FRAME_TURN] = step_turn,       [FRAME_FIGHT] = step_fight,
    [FRAME_ENTER] = step_enter,       [FRAME_FLEE] = step_flee,       [FRAME_ROLL] = step_roll,
    [FRAME_PROGRAM] = step_program,   [FRAME_CURSE] = step_curse,     [FRAME_BODIES] = step_bodies,
    [FRAME_REWARD] = step_reward,     [FRAME_SHARE] = step_share,     [FRAME_DRAW] = step_draw,
    [FRAME_REPAIR] = step_repair,     [FRAME_WOULD] = step_would,     [FRAME_THEFT] = step_theft,
    [FRAME_IDENTITY] = step_identity, [FRAME_WAITING] = step_waiting, [FRAME_PLAYED] = step_played,
};

void engine_run(struct engine *engine)
{
    const struct game *game = engine->game;
    while (game->phase != PHASE_OVER && game->frame_count > 0 && game->decision.open != 1) {
        if (game->decision.open == 0 && settle(engine)) {
            continue;
        }
        struct frame frame = *frame_top(game);
        assert(frame.kind < FRAME_TOTAL && STEPS[frame.kind] != NULL);
        if (STEPS[frame.kind](engine, frame) == STEP_WAIT) {
            return;
        }
    }
}
