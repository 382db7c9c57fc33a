#include "bot/session/session_workspace.h"

#include <stdlib.h>

static bool make_states(struct session_workspace *workspace)
{
    workspace->after = calloc(1, game_size());
    bool made = workspace->after != NULL;
    for (size_t i = 0; i <= MB_SEATS_MAX; i++) {
        workspace->views[i].state = calloc(1, game_size());
        made = made && workspace->views[i].state != NULL;
    }
    return made;
}

static bool make_lists(struct session_workspace *workspace)
{
    workspace->events.items = calloc(MB_EVENTS_MAX, sizeof *workspace->events.items);
    workspace->events.capacity = MB_EVENTS_MAX;
    workspace->moves.items = calloc(MB_MOVES_MAX, sizeof *workspace->moves.items);
    workspace->moves.capacity = MB_MOVES_MAX;
    return workspace->events.items != NULL && workspace->moves.items != NULL;
}

struct session_workspace *session_workspace_create(void)
{
    struct session_workspace *const workspace = calloc(1, sizeof *workspace);
    if (workspace != NULL && !(make_states(workspace) && make_lists(workspace))) {
        session_workspace_destroy(workspace);
        return NULL;
    }
    return workspace;
}

void session_workspace_destroy(struct session_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    free(workspace->after);
    for (size_t i = 0; i <= MB_SEATS_MAX; i++) {
        free(workspace->views[i].state);
    }
    free(workspace->events.items);
    free(workspace->moves.items);
    free(workspace);
}

uint64_t session_workspace_stamp(struct session_workspace *workspace)
{
    return ++workspace->last_stamp;
}
