#include "core/frame.h"

#include <stddef.h>

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

void frame_push(struct engine *engine, const struct frame *frame)
{
    struct event event = {.type = EVENT_FRAME_PUSH, .u.frame = *frame};
    emit(engine, &event);
}

void frame_set(struct engine *engine, const struct frame *frame)
{
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
        parent.d = (int16_t)result;
        frame_set(engine, &parent);
    }
}
