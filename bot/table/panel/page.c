// Lists of cards that are picked one menu after another, until the command is complete.
#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/panel/panel.h"

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool is_order(const struct scene *scene, const struct move *move)
{
    return move->command.verb == VERB_CHOOSE && scene->question.kind == DECIDE_ORDER;
}

struct panel_list panel_list_of(const struct scene *scene, const struct move *move,
                                const struct panel_path *path)
{
    if (path->second) {
        return (struct panel_list){.cards = move->more,
                                   .count = move->more_count,
                                   .must = move->more_must,
                                   .min = move->more_min,
                                   .max = least(move->more_max, MB_MORE_MAX),
                                   .picked = path->more,
                                   .picked_count = path->more_count};
    }
    return (struct panel_list){.cards = move->candidates,
                               .count = move->candidate_count,
                               .must = move->must,
                               .min = move->min,
                               .max = least(move->max, PANEL_PICKS_MAX),
                               .picked = path->list,
                               .picked_count = path->count,
                               .ordered = is_order(scene, move)};
}

unsigned panel_list_left(const struct panel_list *list, uint8_t out[MOVE_CANDIDATES_MAX])
{
    unsigned count = 0;
    for (unsigned i = list->must; i < list->count; i++) {
        if (memchr(list->picked, (int)i, list->picked_count) == NULL) {
            out[count++] = (uint8_t)i;
        }
    }
    return count;
}

static unsigned have(const struct panel_list *list)
{
    return list->must + list->picked_count;
}

static bool is_full(const struct panel_list *list)
{
    return have(list) >= list->max || have(list) >= list->count;
}

// Whether what the path has picked is among the candidates, each once, and not too many.
static bool is_possible(const struct panel_list *list)
{
    for (unsigned i = 0; i < list->picked_count; i++) {
        if (list->picked[i] < list->must || list->picked[i] >= list->count ||
            memchr(list->picked, list->picked[i], i) != NULL) {
            return false;
        }
    }
    return list->picked_count == 0 || have(list) <= list->max;
}

// The command with what was picked.
static void panel_complete(const struct move *move, const struct panel_path *path,
                           struct command *out)
{
    *out = move->command;
    if (move->candidate_count > 0 || move->max > 0) {
        out->list_count = 0;
        for (unsigned i = 0; i < move->must; i++) {
            out->list[out->list_count++] = move->candidates[i];
        }
        for (unsigned i = 0; i < path->count && out->list_count < MB_LIST_MAX; i++) {
            out->list[out->list_count++] = move->candidates[path->list[i]];
        }
    }
    if (move->more_max == 0) {
        return;
    }
    out->more_count = 0;
    for (unsigned i = 0; i < move->more_must; i++) {
        out->more[out->more_count++] = move->more[i];
    }
    for (unsigned i = 0; i < path->more_count && out->more_count < MB_MORE_MAX; i++) {
        out->more[out->more_count++] = move->more[path->more[i]];
    }
}

static bool word(const struct table_words *words, const struct move *move,
                 const struct panel_path *path, char line[CHAT_LINE_SIZE])
{
    struct command command;
    panel_complete(move, path, &command);
    return parse_format(words, &command, line, CHAT_LINE_SIZE) < CHAT_LINE_SIZE;
}

// Nothing more is to be picked: likewise.
static bool panel_enough(const struct scene *scene, const struct move *move,
                         const struct panel_path *path, char leads[CHAT_PATH_SIZE],
                         char line[CHAT_LINE_SIZE])
{
    struct panel_path next = *path;
    next.page = 0;
    next.picks = true;
    leads[0] = '\0';
    line[0] = '\0';
    if (!path->second && move->more_max > 0) {
        next.second = true;
        const struct panel_list more = panel_list_of(scene, move, &next);
        if (!is_full(&more)) {
            return panel_path_write(&next, leads);
        }
    }
    if (!word(&scene->words, move, &next, line)) {
        line[0] = '\0'; // nobody could type it
    }
    return false;
}

bool panel_picked(const struct scene *scene, const struct move *move, const struct panel_path *path,
                  bool all_seen, char leads[CHAT_PATH_SIZE], char line[CHAT_LINE_SIZE])
{
    const struct panel_list list = panel_list_of(scene, move, path);
    const bool enough = have(&list) >= list.min && (all_seen || is_full(&list));
    struct panel_path next = *path;
    if (enough && !(list.ordered && !is_full(&list))) {
        return panel_enough(scene, move, path, leads, line);
    }
    line[0] = '\0';
    next.page = 0;
    next.picks = true;
    return panel_path_write(&next, leads);
}

/* The page. */

// What a candidate is called: as an answer would name it, or by its card.
static void label_of(const struct table_words *words, const struct move *move, uint16_t candidate,
                     char out[PANEL_LABEL_SIZE])
{
    if (move->command.verb != VERB_CHOOSE) {
        (void)snprintf(out, PANEL_LABEL_SIZE, "%s", names_card(words, candidate));
        return;
    }
    struct command command = command_plain(words->seat, VERB_CHOOSE);
    command.list[0] = candidate;
    command.list_count = 1;
    char line[PANEL_LABEL_SIZE];
    (void)parse_format(words, &command, line, sizeof line);
    const size_t verb = strlen(command_word(VERB_CHOOSE)) + 1;
    (void)snprintf(out, PANEL_LABEL_SIZE, "%s", strlen(line) > verb ? line + verb : line);
}

// Whether the candidates of a move are cards: those of an answer may be players or numbers.
static bool lists_cards(const struct scene *scene, const struct move *move)
{
    return move->command.verb != VERB_CHOOSE || scene->question.options_are_cards;
}

// What the Items that are sold together bring.
static long gold_of(const struct table_words *words, const struct panel_list *list)
{
    long gold = 0;
    for (unsigned i = 0; i < list->must + list->picked_count; i++) {
        const uint16_t card = list->cards[i < list->must ? i : list->picked[i - list->must]];
        gold += card < words->box->card_count ? query_sale_value(words->view, words->box, card) : 0;
    }
    return gold;
}

static void tell_picked(struct table_work *work, const struct table_words *words,
                        const struct move *move, const struct panel_list *list)
{
    char names[CHAT_LINE_SIZE];
    struct text_out text;
    text_begin(&text, names, sizeof names);
    for (unsigned i = 0; i < list->must + list->picked_count; i++) {
        const unsigned at = i < list->must ? i : list->picked[i - list->must];
        char name[PANEL_LABEL_SIZE];
        label_of(words, move, list->cards[at], name);
        text_raw(&text, i > 0 ? ", " : "");
        text_raw(&text, name);
    }
    if (list->must + list->picked_count > 0) {
        const bool sells = move->command.verb == VERB_SELL;
        panel_text(work, sells ? TEXT_PANEL_PICKED_GOLD : TEXT_PANEL_PICKED,
                   TEXT_ARGS(text_str("cards", names), text_num("n", gold_of(words, list))));
    }
}

static void add_menu(const struct panel_list *list, unsigned shown, bool whole,
                     struct control_list *out)
{
    char label[PANEL_LABEL_SIZE];
    struct text_out text;
    const unsigned left = list->max > have(list) ? list->max - have(list) : 0;
    unsigned max = list->ordered ? 1 : least(left, shown);
    unsigned min = have(list) < list->min ? list->min - have(list) : 1;
    min = whole && !list->ordered ? least(min, max) : 1;
    text_begin(&text, label, sizeof label);
    text_put(&text, min == max ? TEXT_PANEL_MENU_PICK : TEXT_PANEL_MENU_RANGE,
             TEXT_ARGS(text_num("n", min), text_num("m", max)));
    controls_menu(out, label, min, max);
}

/** Candidates that a menu shows. */
struct shown {
    const uint8_t *left;
    unsigned count;
    bool whole; /**< there are no more */
};

static void add_choices(const struct scene *scene, const struct move *move,
                        const struct panel_path *path, const struct shown *shown,
                        struct control_list *out)
{
    const struct table_words *const words = &scene->words;
    for (unsigned i = 0; i < shown->count; i++) {
        struct panel_path next = *path;
        char label[PANEL_LABEL_SIZE];
        char leads[CHAT_PATH_SIZE];
        char line[CHAT_LINE_SIZE];
        if (next.second) {
            next.more[next.more_count++] = shown->left[i];
        } else {
            next.list[next.count++] = shown->left[i];
        }
        const struct panel_list list = panel_list_of(scene, move, path);
        label_of(words, move, list.cards[shown->left[i]], label);
        const size_t length = strlen(label);
        if (lists_cards(scene, move)) {
            render_card_beside(words, list.cards[shown->left[i]], label + length,
                               sizeof label - length);
        }
        text_strip(label);
        (void)panel_picked(scene, move, &next, shown->whole, leads, line);
        if (line[0] != '\0') {
            leads[0] = '\0';
        }
        controls_choice(out, label, line, leads);
    }
}

void panel_show_list(struct table_work *work, const struct scene *scene, const struct move *move,
                     const struct panel_path *path, struct panel *out)
{
    const struct table_words *const words = &scene->words;
    uint8_t left[MOVE_CANDIDATES_MAX];
    char what[PANEL_LABEL_SIZE];
    char leads[CHAT_PATH_SIZE];
    char line[CHAT_LINE_SIZE];
    struct panel_path first = *path;
    first.second = false;
    const struct panel_list before = panel_list_of(scene, move, &first);
    const struct panel_list list = panel_list_of(scene, move, path);
    const unsigned count = panel_list_left(&list, left);
    const unsigned from = path->page * PANEL_MENU_MAX;
    out->offered = is_possible(&before) && is_possible(&list) && (from == 0 || from < count) &&
                   (!path->second || (move->more_max > 0 && have(&before) >= before.min));
    if (!out->offered) {
        return;
    }
    (void)panel_path_write(path, out->list);
    out->template = move;
    const bool whole = count <= PANEL_MENU_MAX;
    const unsigned shown = least(count - from, PANEL_MENU_MAX);
    render_move(words, move, what, sizeof what);
    panel_text(work, TEXT_PANEL_PICK, TEXT_ARGS(text_str("what", what)));
    tell_picked(work, words, move, &list);
    if (shown > 0 && !is_full(&list)) {
        add_menu(&list, shown, whole, &out->controls);
        add_choices(scene, move, path, &(struct shown){left + from, shown, whole}, &out->controls);
    }
    if (have(&list) >= list.min) {
        const bool on = panel_enough(scene, move, path, leads, line);
        (on ? controls_lead : controls_add)(&out->controls, text_sentence(TEXT_CONTROL_THAT),
                                            on ? leads : line);
    }
    if (!whole) {
        struct panel_path next = *path;
        next.page = from + PANEL_MENU_MAX < count ? path->page + 1 : 0;
        (void)panel_path_write(&next, leads);
        controls_lead(&out->controls, text_sentence(TEXT_CONTROL_NEXT), leads);
    }
}
