#include "bot/table/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_states(struct table_workspace *workspace)
{
    workspace->before = calloc(1, game_size());
    workspace->scratch = calloc(1, game_size());
    bool made = workspace->before != NULL && workspace->scratch != NULL;
    for (size_t i = 0; i <= MB_SEATS_MAX; i++) {
        workspace->views[i].state = calloc(1, game_size());
        made = made && workspace->views[i].state != NULL;
    }
    return made;
}

static bool make_lists(struct table_workspace *workspace)
{
    workspace->events.items = calloc(MB_EVENTS_MAX, sizeof *workspace->events.items);
    workspace->events.capacity = MB_EVENTS_MAX;
    workspace->scene = scene_create();
    return workspace->events.items != NULL && workspace->scene != NULL;
}

struct table_workspace *table_workspace_create(struct library *library)
{
    struct table_workspace *const workspace = calloc(1, sizeof *workspace);
    if (workspace == NULL || !make_states(workspace) || !make_lists(workspace)) {
        table_workspace_destroy(workspace);
        return NULL;
    }
    workspace->library = library;
    return workspace;
}

void table_workspace_destroy(struct table_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    free(workspace->before);
    free(workspace->scratch);
    for (size_t i = 0; i <= MB_SEATS_MAX; i++) {
        free(workspace->views[i].state);
    }
    free(workspace->events.items);
    scene_destroy(workspace->scene);
    free(workspace);
}

// Where a chat stands, or would.
static unsigned find_chat(const struct table_workspace *workspace, const char *network)
{
    unsigned at = 0;
    while (at < workspace->chat_count && strcmp(workspace->chats[at].network, network) != 0) {
        at++;
    }
    return at;
}

void table_workspace_chat(struct table_workspace *workspace, const char *network, uint32_t caps)
{
    const unsigned at = find_chat(workspace, network);
    if (at == TABLE_CHATS_MAX) {
        return;
    }
    struct table_chat *const chat = &workspace->chats[at];
    workspace->chat_count += at == workspace->chat_count ? 1 : 0;
    (void)snprintf(chat->network, sizeof chat->network, "%s", network);
    chat->caps = caps;
}

uint32_t table_workspace_caps(const struct table_workspace *workspace, const char *network)
{
    const unsigned at = find_chat(workspace, network);
    return at < workspace->chat_count ? workspace->chats[at].caps : 0;
}

uint64_t table_workspace_stamp(struct table_workspace *workspace)
{
    return ++workspace->last_stamp;
}
