/*
 * Panels: what one person can press, page by page. Every legal move of theirs can be reached.
 *
 * A page is made of its owner's own view and a path, and of nothing that is kept: the path holds
 * what was picked before. Pages hold a text, one menu at most and some rows of buttons. What is
 * pressed is found by making the page anew; the version proves that it is the one that was seen.
 * The hand message of a chat with panels is the page "h".
 *
 * A path: the root, then two letters a step, "~" and one letter a card that was picked, "." and
 * the same for a second list, "+" and a letter for how many pages on. Roots: a what can be done, h
 * the same below the hand (before there is one: that it will come), d what could be proposed to
 * others, i calls for help that offer cards, c one's cards, t the table itself, o the options of
 * one that has not begun. For bot/table/ only; others see table_panel() and table_press() of
 * bot/table/table.h.
 */
#ifndef BOT_TABLE_PANEL_H
#define BOT_TABLE_PANEL_H

#include "bot/table/controls.h"
#include "bot/table/table_impl.h"

enum { PANEL_MENU_MAX = 25, PANEL_STEPS_MAX = 4, PANEL_PICKS_MAX = MB_LIST_MAX };

/** Without its text, which is in the workspace. */
struct panel {
    char path[CHAT_PATH_SIZE];   /**< of what it shows */
    bool offered;                /**< false: there is no such page; it shows the root */
    uint16_t decision;           /**< that is open, or 0 */
    uint64_t hash;               /**< of all that it shows, countdowns left out; never 0 */
    const struct move *template; /**< whose list is being picked, in the workspace; or NULL */
    char list[CHAT_PATH_SIZE];   /**< of a template: the page of its list, with what is picked */
    struct control_list controls;
};

/** What comes of a press: a page, or a line. */
struct panel_press {
    char leads[CHAT_PATH_SIZE]; /**< "" : none */
    char line[CHAT_LINE_SIZE];  /**< "" : none */
};

/** A page of a seat's panel; of a table without a game, or of NO_SEAT, what can be said there. */
void panel_make(struct table_work *work, unsigned seat, const char *path, struct panel *out);
/** Of a page that was just made: what a press of it does. False: it was never offered. */
bool panel_press(struct table_work *work, const struct panel *panel,
                 const struct table_press *press, struct panel_press *out);
/** What a page's controls are bound to. */
static inline uint32_t panel_version(const struct panel *panel)
{
    return (uint32_t)panel->hash | 1u;
}

#endif
