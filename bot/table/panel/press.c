// What a press of a page's control does.
#include <stdio.h>
#include <string.h>

#include "bot/table/panel/panel.h"

/* What comes of a press: a page, or a line. */
struct panel_press {
    char leads[CHAT_PATH_SIZE]; /* "" : none */
    char line[CHAT_LINE_SIZE];  /* "" : none */
};

static bool take(struct panel_press *out, const char *line, const char *leads)
{
    (void)snprintf(out->line, sizeof out->line, "%s", line);
    (void)snprintf(out->leads, sizeof out->leads, "%s", leads);
    return line[0] != '\0' || leads[0] != '\0';
}

static bool are_choices(const struct chat_control *menu, const uint8_t *picks, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (picks[i] == 0 || picks[i] > menu->choice_count ||
            (i > 0 && memchr(picks, picks[i], i) != NULL)) {
            return false;
        }
    }
    return count >= menu->min && count <= menu->max;
}

// Candidates of a list are added to what the path has.
static bool pick(const struct table_work *work, const struct panel *panel,
                 const struct table_press *press, struct panel_press *out)
{
    const struct scene *const scene = work->ws->scene; // the page's
    struct panel_path path;
    uint8_t left[MOVE_CANDIDATES_MAX];
    if (!panel_path_read(panel->list, &path)) {
        return false;
    }
    const struct panel_list list = panel_list_of(scene, panel->template, &path);
    const unsigned all = panel_list_left(&list, left);
    const unsigned from = path.page * PANEL_MENU_MAX;
    path.picks = true;
    for (unsigned i = 0; i < press->pick_count; i++) {
        const uint8_t number = left[from + press->picks[i] - 1];
        if (path.second) {
            path.more[path.more_count++] = number;
        } else {
            path.list[path.count++] = number;
        }
    }
    (void)panel_picked(scene, panel->template, &path, all <= PANEL_MENU_MAX, out->leads, out->line);
    return out->line[0] != '\0' || out->leads[0] != '\0';
}

// Of a page that was just made: what a press of it does. False: it was never offered.
static bool panel_press(struct table_work *work, const struct panel *panel,
                        const struct table_press *press, struct panel_press *out)
{
    *out = (struct panel_press){.line = ""};
    if (press->number == 0 || press->number > panel->controls.count) {
        return false;
    }
    const struct chat_control *const control = &panel->controls.items[press->number - 1];
    if (control->kind != CHAT_MENU) {
        return press->pick_count == 0 && take(out, control->line, control->leads);
    }
    if (!are_choices(control, press->picks, press->pick_count)) {
        return false;
    }
    if (panel->template != NULL) {
        return pick(work, panel, press, out);
    }
    const struct chat_choice *const choice = &control->choices[press->picks[0] - 1];
    return take(out, choice->line, choice->leads);
}

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
