/*
 * Inside of panels: paths, moves as a tree, lists that are picked. For bot/table/panel*.c only.
 */
#ifndef BOT_TABLE_PANEL_IMPL_H
#define BOT_TABLE_PANEL_IMPL_H

#include "bot/table/panel.h"

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

/** False: it is no path. */
bool panel_path_read(const char *text, struct panel_path *out);
/** Without the number of the page; false: it is too long. */
bool panel_path_write(const struct panel_path *path, char out[CHAT_PATH_SIZE]);
/** The page before: of what was picked last, or of the last step. */
void panel_path_back(struct panel_path *path);

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

/** All moves of the scene that `takes` takes; NULL: all. */
void panel_node_begin(struct panel_node *node, const struct scene *scene,
                      bool (*takes)(const struct move *move, const void *user), const void *user);
/** One group of it, told apart more finely. False: there is no such group. */
bool panel_node_step(struct panel_node *node, unsigned group);
const struct move *panel_node_move(const struct panel_node *node, unsigned group);
/** What a group is called. */
void panel_node_label(const struct scene *scene, const struct panel_node *node, unsigned group,
                      char out[PANEL_LABEL_SIZE]);

/** The list of a template that is being picked. */
struct panel_list {
    const uint16_t *cards;
    unsigned count, must, min, max; /**< of the template; `max` within what a command can hold */
    const uint8_t *picked;
    unsigned picked_count;
    bool ordered; /**< one at a time: their order counts */
};

struct panel_list panel_list_of(const struct scene *scene, const struct move *move,
                                const struct panel_path *path);
/** Candidates that may still be picked, as numbers; returns how many. */
unsigned panel_list_left(const struct panel_list *list, uint8_t out[MOVE_CANDIDATES_MAX]);
/** The command with what was picked. */
void panel_complete(const struct move *move, const struct panel_path *path, struct command *out);
/** Some candidates have been picked: the path that this leads to, or (false) `line`, which it
 * says. */
bool panel_picked(const struct scene *scene, const struct move *move, const struct panel_path *path,
                  bool all_seen, char leads[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE]);
/** Nothing more is to be picked: likewise. */
bool panel_enough(const struct scene *scene, const struct move *move, const struct panel_path *path,
                  char leads[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE]);
/** The page of a template. */
void panel_show_list(struct table_work *work, const struct scene *scene, const struct move *move,
                     const struct panel_path *path, struct panel *out);

/** The pages "o" of who holds a seat at a table that has not begun. */
void panel_show_options(struct table_work *work, unsigned seat, const struct panel_path *path,
                        struct panel *out);

/** Where the text of a page goes on. */
void panel_text(struct table_work *work, enum text_id id, const struct text_arg *args);

#endif
