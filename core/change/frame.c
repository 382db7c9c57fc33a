#include "core/change/frame.h"

#include <assert.h>
#include <stddef.h>

#include "core/state/layout.h"

const struct frame *frame_find(const struct game *game, unsigned kind)
{
    for (unsigned i = game->frame_count; i > 0; i--) {
        if (game->frames[i - 1].kind == kind) {
            return &game->frames[i - 1];
        }
    }
    return NULL;
}

const struct frame *frame_top(const struct game *game)
{
    return game->frame_count > 0 ? &game->frames[game->frame_count - 1] : NULL;
}

const struct frame *frame_below(const struct game *game)
{
    return game->frame_count > 1 ? &game->frames[game->frame_count - 2] : NULL;
}

bool frame_suffers(const struct frame *curse)
{
    const struct frame *below = curse - 1; // never the bottom one
    return curse->curse.player == NO_SEAT && below->kind == FRAME_PROGRAM;
}

void frame_push(struct engine *engine, const struct frame *frame)
{
    assert(layout_step(engine->box, frame).waits != STEP_UNKNOWN);
    struct event event = {.type = EVENT_FRAME_PUSH, .u.frame = *frame};
    emit(engine, &event);
}

void frame_set(struct engine *engine, const struct frame *frame)
{
    assert(layout_step(engine->box, frame).waits != STEP_UNKNOWN);
    assert(frame_top(engine->game)->kind == frame->kind);
    struct event event = {.type = EVENT_FRAME_SET, .u.frame = *frame};
    emit(engine, &event);
}

void frame_pop(struct engine *engine)
{
    struct event event = {.type = EVENT_FRAME_POP};
    emit(engine, &event);
}

void frame_return(struct engine *engine, int result)
{
    frame_pop(engine);
    const struct frame *top = frame_top(engine->game);
    if (top != NULL) {
        struct frame parent = *top;
        parent.result = (uint8_t)result;
        frame_set(engine, &parent);
    }
}
