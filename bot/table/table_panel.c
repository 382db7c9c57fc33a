// Panels of a table as a value: a page, and what a press of it comes to.
#include <string.h>

#include "bot/table/panel.h"

enum { ON_TOP_MAX = 600 /**< what is longer stands alone above the controls */ };

static bool begin(struct table_work *work, struct table_workspace *workspace, struct table *table,
                  uint64_t stamp)
{
    *work = (struct table_work){.table = table,
                                .game = table_own_game(table),
                                .ws = workspace,
                                .stamp = stamp != 0 ? stamp : table_workspace_stamp(workspace)};
    if (!table_find_box(work, NULL)) {
        return false;
    }
    work->running = table_running_clock(table);
    return true;
}

bool table_panel(struct table_workspace *workspace, struct table *table, uint64_t stamp,
                 const struct table_page *page, struct message_list *said)
{
    struct table_work work;
    struct panel panel;
    char text[TABLE_TEXT_SIZE];
    if (!begin(&work, workspace, table, stamp)) {
        return false;
    }
    work.late_ms = page->late_ms;
    panel_make(&work, page->seat, page->path, &panel);
    const size_t length = strlen(page->on_top);
    struct text_out out;
    const bool ends = length == 0 || page->on_top[length - 1] == '\n';
    text_begin(&out, text, sizeof text);
    text_raw(&out, page->on_top);
    text_raw(&out, ends ? "" : "\n");
    text_raw(&out, length < ON_TOP_MAX ? workspace->text : "");
    message_add(said, MESSAGE_REPLY, page->seat, text);
    message_control(said, panel.controls.items, panel.controls.count);
    struct message *const message = &said->items[said->count - 1];
    message->version = panel_version(&panel);
    message->decision = panel.decision;
    memcpy(message->path, panel.path, sizeof message->path);
    return true;
}

enum table_pressed table_press(struct table_workspace *workspace, struct table *table,
                               uint64_t stamp, const struct table_press *press,
                               char path[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE])
{
    struct table_work work;
    struct panel panel;
    struct panel_press comes;
    if (!begin(&work, workspace, table, stamp)) {
        return PRESSED_STALE;
    }
    panel_make(&work, press->seat, press->path, &panel);
    if (!panel.offered || panel_version(&panel) != press->version) {
        return PRESSED_STALE;
    }
    if (!panel_press(&work, &panel, press, &comes)) {
        return PRESSED_UNKNOWN;
    }
    memcpy(path, comes.leads, sizeof comes.leads);
    memcpy(line, comes.line, sizeof comes.line);
    return line[0] != '\0' ? PRESSED_LINE : PRESSED_PAGE;
}
