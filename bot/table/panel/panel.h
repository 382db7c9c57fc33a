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
#ifndef BOT_TABLE_PANEL_PANEL_H
#define BOT_TABLE_PANEL_PANEL_H

#include "bot/table/lobby/lobby.h"
#include "bot/table/panel/controls.h"

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

/* panel.c */
/** A page of a seat's panel; of a table without a game, or of NO_SEAT, what can be said there. */
void panel_make(struct table_work *work, unsigned seat, const char *path, struct panel *out);
/** What a page's controls are bound to. */
static inline uint32_t panel_version(const struct panel *panel)
{
    return (uint32_t)panel->hash | 1u;
}

/* Inside. */

enum {
    PANEL_STEP_SIZE = 2, /**< letters of a step */
    PANEL_LETTERS = 64,
    PANEL_LABEL_SIZE = 512
};

/** A path taken apart. */
struct panel_path {
    char root;
    unsigned step_count, page;
    uint16_t steps[PANEL_STEPS_MAX];
    bool picks;  /**< a list is being picked, or was */
    bool second; /**< ... and the second one is */
    unsigned count, more_count;
    uint8_t list[PANEL_PICKS_MAX], more[MB_MORE_MAX]; /**< numbers of candidates */
};

/** How finely moves are told apart. */
enum panel_grain { GRAIN_MOVE, GRAIN_SUBJECT, GRAIN_VERB };

/** Some of the moves, told apart as finely as a menu can hold; if it holds none of that, as
 * coarsely as they may be, on several pages. */
struct panel_node {
    const struct move_list *all;
    unsigned count, group_count;
    enum panel_grain grain, coarsest;
    uint16_t moves[MB_MOVES_MAX]; /**< numbers in `all`, the likeliest first */
    uint16_t group[MB_MOVES_MAX]; /**< of each */
    uint16_t first[MB_MOVES_MAX]; /**< of each group: the number in `moves` of its first */
    uint16_t size[MB_MOVES_MAX];  /**< of each group */
};

/** The list of a template that is being picked. */
struct panel_list {
    const uint16_t *cards;
    unsigned count, must, min, max; /**< of the template; `max` within what a command can hold */
    const uint8_t *picked;
    unsigned picked_count;
    bool ordered; /**< one at a time: their order counts */
};

/* panel.c */
/** What can be pressed below a result. */
void table_over_controls(const struct table *table, struct control_list *out);
/** What stands on top of a hand: what its owner is asked, the fight, the news. */
void table_hand_head(const struct table_work *work, struct scene *scene, char *text, size_t size);
/** Where the text of a page goes on. */
void panel_text(struct table_work *work, enum text_id id, const struct text_arg *args);
/** A hash of what a board shows, never 0. It is keyed by the workspace's secret: tables keep it,
 * and a stored hash must tell nothing of a hand. */
uint64_t board_hash(const struct table_workspace *ws, const void *bytes, size_t length);
/** Of a text, without what it says of a clock; never 0. */
uint64_t board_hash_text(const struct table_workspace *ws, const char *text);

/* options.c */
/** The pages "o" of who holds a seat at a table that has not begun. */
void panel_show_options(struct table_work *work, unsigned seat, const struct panel_path *path,
                        struct panel *out);

/* page.c */
struct panel_list panel_list_of(const struct scene *scene, const struct move *move,
                                const struct panel_path *path);
/** Candidates that may still be picked, as numbers; returns how many. */
unsigned panel_list_left(const struct panel_list *list, uint8_t out[MOVE_CANDIDATES_MAX]);
/** Some candidates have been picked: the path that this leads to, or (false) `line`, which it
 * says. */
bool panel_picked(const struct scene *scene, const struct move *move, const struct panel_path *path,
                  bool all_seen, char leads[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE]);
/** The page of a template. */
void panel_show_list(struct table_work *work, const struct scene *scene, const struct move *move,
                     const struct panel_path *path, struct panel *out);

/* tree.c */
/** False: it is no path. */
bool panel_path_read(const char *text, struct panel_path *out);
/** Without the number of the page; false: it is too long. */
bool panel_path_write(const struct panel_path *path, char out[CHAT_PATH_SIZE]);
/** The page before: of what was picked last, or of the last step. */
void panel_path_back(struct panel_path *path);
/** All moves of the scene that `takes` takes; NULL: all. */
void panel_node_begin(struct panel_node *node, const struct scene *scene,
                      bool (*takes)(const struct move *move, const void *user), const void *user);
/** One group of it, told apart more finely. False: there is no such group. */
bool panel_node_step(struct panel_node *node, unsigned group);
const struct move *panel_node_move(const struct panel_node *node, unsigned group);
/** What a group is called. */
void panel_node_label(const struct scene *scene, const struct panel_node *node, unsigned group,
                      char out[PANEL_LABEL_SIZE]);

#endif
