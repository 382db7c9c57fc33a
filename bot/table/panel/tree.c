// Paths, and moves told apart as finely as a menu can hold.
#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/panel/panel.h"

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

_Static_assert(sizeof LETTERS == PANEL_LETTERS + 1, "a letter a number");
_Static_assert((int)MOVE_CANDIDATES_MAX <= (int)PANEL_LETTERS, "a letter a candidate");
_Static_assert(MB_MOVES_MAX <= PANEL_LETTERS * PANEL_LETTERS, "two letters a move");
_Static_assert(1 + PANEL_STEPS_MAX * PANEL_STEP_SIZE + 1 + MB_LIST_MAX + 1 + MB_MORE_MAX + 2 <
                   CHAT_PATH_SIZE,
               "the longest path is one");

/* Paths. */

static bool take_letter(const char **at, unsigned *out)
{
    const char *const letter = **at != '\0' ? strchr(LETTERS, **at) : NULL;
    if (letter == NULL) {
        return false;
    }
    *out = (unsigned)(letter - LETTERS);
    (*at)++;
    return true;
}

static unsigned take_picks(const char **at, uint8_t *out, unsigned most)
{
    unsigned count = 0;
    unsigned number = 0;
    while (count < most && take_letter(at, &number)) {
        out[count++] = (uint8_t)number;
    }
    return count;
}

bool panel_path_read(const char *text, struct panel_path *out)
{
    const char *at = text;
    unsigned high = 0;
    unsigned low = 0;
    *out = (struct panel_path){.root = *at};
    if (*at == '\0' || strchr("ahdictos", *at) == NULL) {
        return false;
    }
    at++;
    while (out->step_count < PANEL_STEPS_MAX && take_letter(&at, &high)) {
        if (!take_letter(&at, &low)) {
            return false;
        }
        out->steps[out->step_count++] = (uint16_t)(high * PANEL_LETTERS + low);
    }
    if (*at == '~') {
        at++;
        out->picks = true;
        out->count = take_picks(&at, out->list, PANEL_PICKS_MAX);
    }
    if (out->picks && *at == '.') {
        at++;
        out->second = true;
        out->more_count = take_picks(&at, out->more, MB_MORE_MAX);
    }
    if (*at == '+') {
        at++;
        if (!take_letter(&at, &out->page)) {
            return false;
        }
    }
    return *at == '\0';
}

bool panel_path_write(const struct panel_path *path, char out[CHAT_PATH_SIZE])
{
    size_t at = 0;
    out[at++] = path->root;
    for (unsigned i = 0; i < path->step_count; i++) {
        out[at++] = LETTERS[path->steps[i] / PANEL_LETTERS];
        out[at++] = LETTERS[path->steps[i] % PANEL_LETTERS];
    }
    if (path->picks) {
        out[at++] = '~';
        for (unsigned i = 0; i < path->count; i++) {
            out[at++] = LETTERS[path->list[i]];
        }
    }
    if (path->second) {
        out[at++] = '.';
        for (unsigned i = 0; i < path->more_count; i++) {
            out[at++] = LETTERS[path->more[i]];
        }
    }
    if (path->page > 0) {
        out[at++] = '+';
        out[at++] = LETTERS[path->page % PANEL_LETTERS];
    }
    out[at] = '\0';
    return true;
}

void panel_path_back(struct panel_path *path)
{
    if (path->page > 0) {
        path->page--;
    } else if (path->picks) {
        path->picks = false;
        path->second = false;
        path->count = 0;
        path->more_count = 0;
    } else if (path->step_count > 0) {
        path->step_count--;
    } else {
        path->root = path->root == 'i' ? 'd' : 'a';
    }
}

/* Moves. */

// What is said or asked for first; the rest as it is listed.
static unsigned rank(const struct table_words *words, const struct command *command)
{
    return 3 * command_rank(command->verb) + scene_rank(words, command);
}

// Whether two moves are one at that grain.
static bool is_same(const struct command *a, const struct command *b, enum panel_grain grain)
{
    if (a->verb != b->verb || grain == GRAIN_MOVE) {
        return false;
    }
    return grain == GRAIN_VERB || (scene_is_about(a, b) && a->bribe == b->bribe);
}

static const struct move *move_at(const struct panel_node *node, unsigned at)
{
    return &node->all->items[node->moves[at]];
}

static void divide(struct panel_node *node, enum panel_grain grain)
{
    node->grain = grain;
    node->group_count = 0;
    for (unsigned i = 0; i < node->count; i++) {
        unsigned group = grain == GRAIN_MOVE ? node->group_count : 0;
        while (group < node->group_count &&
               !is_same(&move_at(node, i)->command, &move_at(node, node->first[group])->command,
                        grain)) {
            group++;
        }
        if (group == node->group_count) {
            node->first[group] = (uint16_t)i;
            node->size[group] = 0;
            node->group_count++;
        }
        node->group[i] = (uint16_t)group;
        node->size[group]++;
    }
}

static void tell_apart(struct panel_node *node)
{
    for (int grain = GRAIN_MOVE; grain <= (int)node->coarsest; grain++) {
        divide(node, (enum panel_grain)grain);
        if (node->group_count <= PANEL_MENU_MAX) {
            return;
        }
    }
}

void panel_node_begin(struct panel_node *node, const struct scene *scene,
                      bool (*takes)(const struct move *move, const void *user), const void *user)
{
    const struct move_list *const all = &scene->moves;
    node->all = all;
    node->count = 0;
    node->coarsest = GRAIN_VERB;
    for (uint32_t i = 0; i < all->count; i++) {
        if (takes != NULL && !takes(&all->items[i], user)) {
            continue;
        }
        unsigned at = node->count++;
        const unsigned mine = rank(&scene->words, &all->items[i].command);
        while (at > 0 && rank(&scene->words, &move_at(node, at - 1)->command) > mine) {
            node->moves[at] = node->moves[at - 1];
            at--;
        }
        node->moves[at] = (uint16_t)i;
    }
    tell_apart(node);
}

bool panel_node_step(struct panel_node *node, unsigned group)
{
    unsigned kept = 0;
    if (group >= node->group_count) {
        return false;
    }
    for (unsigned i = 0; i < node->count; i++) {
        if (node->group[i] == group) {
            node->moves[kept++] = node->moves[i];
        }
    }
    node->count = kept;
    node->coarsest = node->grain > GRAIN_MOVE ? (enum panel_grain)(node->grain - 1) : GRAIN_MOVE;
    tell_apart(node);
    return true;
}

const struct move *panel_node_move(const struct panel_node *node, unsigned group)
{
    return move_at(node, node->first[group]);
}

void panel_node_label(const struct scene *scene, const struct panel_node *node, unsigned group,
                      char out[PANEL_LABEL_SIZE])
{
    const struct table_words *const words = &scene->words;
    const struct move *const move = panel_node_move(node, group);
    char what[PANEL_LABEL_SIZE];
    struct text_out text;
    if (node->size[group] == 1) {
        render_move(words, move, what, sizeof what);
        text_begin(&text, out, PANEL_LABEL_SIZE);
        text_raw(&text, what);
        scene_put_sums(scene, move, &text);
        text_strip(out);
        return;
    }
    if (node->grain == GRAIN_SUBJECT) {
        const struct command stem = scene_stem(&move->command);
        (void)parse_format(words, &stem, what, sizeof what);
    } else {
        (void)snprintf(what, sizeof what, "%s", command_word(move->command.verb));
    }
    text_begin(&text, out, PANEL_LABEL_SIZE);
    text_put(&text, TEXT_PANEL_SEVERAL,
             TEXT_ARGS(text_str("what", what), text_num("n", node->size[group])));
}
