#include "bot/table/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/table/value/value.h"

struct table_workspace *table_workspace_create(struct library *library)
{
    struct table_workspace *const workspace = mb_new(1, sizeof *workspace);
    workspace->before = mb_new(1, game_size());
    workspace->scratch = mb_new(1, game_size());
    for (size_t i = 0; i <= MB_SEATS_MAX; i++) {
        workspace->views[i].state = mb_new(1, game_size());
    }
    workspace->events.items = mb_new(MB_EVENTS_MAX, sizeof *workspace->events.items);
    workspace->events.capacity = MB_EVENTS_MAX;
    workspace->scene = scene_create();
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
