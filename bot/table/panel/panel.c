#include "bot/table/panel/panel.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat.h"
#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/table/panel/controls.h"

uint64_t board_hash(const struct table_workspace *ws, const void *bytes, size_t length)
{
    uint8_t hashed[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    (void)crypto_shorthash(hashed, bytes, length, ws->secret);
    memcpy(&hash, hashed, sizeof hash);
    return hash | 1u; // 0: nothing shown
}

// How much time is left is no change by itself, or who passes unseen would be seen in it.
uint64_t board_hash_text(const struct table_workspace *ws, const char *text)
{
    uint64_t hash = 1;
    for (const char *at = text; *at != '\0';) {
        const char *const time = strchr(at, MARK_TIME);
        const char *const end = time != NULL ? strchr(time, MARK_END) : NULL;
        const size_t length = end != NULL ? (size_t)(time - at) : strlen(at);
        hash = board_mix(hash, board_hash(ws, at, length));
        at = end != NULL ? end + 1 : at + length;
    }
    return hash | 1u;
}

// Whether a hand shows the fight: where messages cost seconds only of who is in it, or asked.
static bool table_hand_fights(const struct table_work *work, unsigned seat)
{
    const struct table_seat *const who = &work->table->seats[seat];
    const uint32_t caps = table_workspace_caps(work->ws, who->person.network);
    const bool fights = query_main(work->game) == seat || query_helper(work->game) == seat;
    const bool asked = work->running.kind == CLOCK_ASK || work->running.kind == CLOCK_DECISION;
    return (caps & CHAT_CAP_SCARCE) == 0 || fights ||
           (asked && (work->running.seats & seat_bit(seat)) != 0);
}

// What their owner learnt, but for the cards that were dealt: the hand below shows those.
static void put_news(const char *news, struct text_out *out)
{
    const char *const dealt = text_sentence(TEXT_YOU_ARE_DEALT);
    char line[TABLE_NEWS_SIZE];
    while (news[0] != '\0') {
        const size_t length = strcspn(news, "\n") + (strchr(news, '\n') != NULL ? 1 : 0);
        if (strncmp(news, dealt, strcspn(dealt, "{")) != 0) {
            (void)snprintf(line, sizeof line, "%.*s", (int)length, news);
            text_raw(out, line);
        }
        news += length;
    }
}

void table_hand_head(const struct table_work *work, struct scene *scene, char *text, size_t size)
{
    const unsigned seat = scene->words.seat;
    struct text_out out;
    text_begin(&out, text, size);
    scene->words.left_s = 0; // it is not edited for a clock
    render_asked(scene, table_hand_fights(work, seat), &out);
    put_news(work->table->seats[seat].news, &out);
    text_raw(&out, out.length > 0 ? "\n" : ""); // a blank line before what they hold
}

void table_over_controls(const struct table *table, struct control_list *out)
{
    char seal[DIGEST_HEX_SIZE];
    controls_add(out, text_sentence(TEXT_CONTROL_AGAIN), "new");
    controls_tone(out, CHAT_LIKELY);
    controls_add(out, text_sentence(TEXT_CONTROL_STORY), "log");
    if (table_fair_seal(table, seal)) {
        controls_add(out, text_sentence(TEXT_CONTROL_PROOF), "rules " TABLE_PROOF);
    }
}

enum {
    BUTTONS_MAX = 8,
    PAGE_BUDGET = 1500, /**< bytes of a page: one message of the chat with the shortest ones */
    TEXT_OF_PAGE = 25
};

/** A page being made. */
struct making {
    struct table_work *work;
    struct scene *scene;
    const struct table_words *words; /**< the scene's */
    struct panel_path path;
    struct panel *out;
    struct panel_node node;
};

/* Text. */

void panel_text(struct table_work *work, enum text_id id, const struct text_arg *args)
{
    const size_t at = strlen(work->ws->text);
    struct text_out text;
    text_begin(&text, work->ws->text + at, sizeof work->ws->text - at);
    text_line(&text, id, args);
}

static char *rest_of_text(const struct making *making, size_t *size)
{
    char *const text = making->work->ws->text;
    const size_t at = strlen(text);
    *size = sizeof making->work->ws->text - at;
    return text + at;
}

/* Buttons. */

// A button that leads to a path next to this one.
static void add_lead(struct making *making, enum text_id label, const struct panel_path *path)
{
    char leads[CHAT_PATH_SIZE];
    if (panel_path_write(path, leads)) {
        controls_lead(&making->out->controls, text_sentence(label), leads);
    }
}

static void add_next(struct making *making, unsigned count)
{
    struct panel_path next = making->path;
    if (count <= PANEL_MENU_MAX) {
        return;
    }
    next.page = (making->path.page + 1) * PANEL_MENU_MAX < count ? making->path.page + 1 : 0;
    add_lead(making, TEXT_CONTROL_NEXT, &next);
    panel_text(making->work, TEXT_PANEL_PAGE,
               TEXT_ARGS(text_num("n", making->path.page + 1),
                         text_num("m", (count + PANEL_MENU_MAX - 1) / PANEL_MENU_MAX)));
}

static void add_back(struct making *making)
{
    struct panel_path back = making->path;
    panel_path_back(&back);
    add_lead(making, TEXT_CONTROL_BACK, &back);
}

/* Moves. */

static bool is_proposal(const struct move *move, const void *user)
{
    (void)user;
    const unsigned verb = move->command.verb;
    return verb == VERB_ASK || verb == VERB_VOLUNTEER || verb == VERB_GIVE || verb == VERB_OFFER;
}

static bool concerns(const struct move *move, const void *user)
{
    const uint16_t card = *(const uint16_t *)user;
    const struct command *const command = &move->command;
    bool found =
        command->card == card || (command->target_kind == TARGET_CARD && command->target == card);
    for (unsigned i = 0; move->open == MOVE_CLOSED && i < command->list_count; i++) {
        found = found || command->list[i] == card;
    }
    for (unsigned i = 0; i < move->candidate_count; i++) {
        found = found || move->candidates[i] == card;
    }
    return found;
}

// The only move of that verb, if it is said bare; NULL.
static const struct move *bare_move(const struct move_list *moves, unsigned verb)
{
    const struct move *only = NULL;
    for (uint32_t i = 0; controls_bare(verb) != NULL && i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (move->command.verb == verb) {
            if (only != NULL || move->command.card != NO_CARD) {
                return NULL;
            }
            only = move;
        }
    }
    return only;
}

/** Verbs that buttons say. */
struct bare {
    unsigned count;
    uint8_t verbs[BUTTONS_MAX];
};

static bool is_not_bare(const struct move *move, const void *user)
{
    const struct bare *const bare = user;
    return memchr(bare->verbs, move->command.verb, bare->count) == NULL;
}

// What a choice does, beneath it: what its card says; of an Item that is only put down, that.
static void hint(struct making *making, const struct move *move)
{
    char what[CHAT_HINT_SIZE];
    if (move->command.verb == VERB_LAY) {
        controls_hint(&making->out->controls, text_sentence(TEXT_PANEL_HINT_LAY));
    } else if (move->command.verb != VERB_USE && move->command.card != NO_CARD) {
        render_card_hint(making->words, move->command.card, what, sizeof what);
        controls_hint(&making->out->controls, what);
    }
}

// A call for help that may offer cards, and need not.
static bool may_offer_cards(const struct move *move, const void *user)
{
    (void)user;
    return move->command.verb == VERB_ASK && move->open == MOVE_LIST_OPEN && move->min == 0 &&
           move->more_min == 0;
}

// What one move of a menu says, and is called: of a call for help without cards. False: it leads
// on.
static bool put_line(struct making *making, const struct move *move, char label[PANEL_LABEL_SIZE],
                     char line[CHAT_LINE_SIZE])
{
    const bool may_offer = may_offer_cards(move, NULL);
    const bool plain = may_offer && making->path.root == 'd';
    struct command command = move->command;
    struct text_out text;
    if (may_offer) {
        command.list_count = 0;
        command.more_count = 0;
    }
    if (command.list_count == 0 && command.more_count == 0) {
        (void)controls_help_label(making->scene, &command, label, PANEL_LABEL_SIZE);
    }
    if (may_offer && !plain) {
        const size_t end = strlen(label);
        (void)snprintf(label + end, PANEL_LABEL_SIZE - end, "%s",
                       text_sentence(TEXT_CONTROL_AND_CARDS));
    } else if (command.verb == VERB_WITHDRAW) {
        text_begin(&text, label, PANEL_LABEL_SIZE);
        text_put(&text, TEXT_CONTROL_WITHDRAW, TEXT_ARGS(text_num("n", command.n)));
    }
    if (move->open == MOVE_CLOSED || plain) {
        (void)parse_format(making->words, &command, line, CHAT_LINE_SIZE);
    }
    return line[0] != '\0';
}

// The menu of a node: what says a line, or leads on.
static void add_groups(struct making *making, enum text_id menu)
{
    const struct panel_node *const node = &making->node;
    struct control_list *const out = &making->out->controls;
    const unsigned from = making->path.page * PANEL_MENU_MAX;
    if (from >= node->group_count) {
        making->out->offered = making->out->offered && node->group_count == 0 && from == 0;
        return;
    }
    controls_menu(out, text_sentence(menu), 1, 1);
    for (unsigned i = from; i < node->group_count && i < from + PANEL_MENU_MAX; i++) {
        struct panel_path path = making->path;
        char label[PANEL_LABEL_SIZE];
        char line[CHAT_LINE_SIZE] = "";
        char leads[CHAT_PATH_SIZE] = "";
        const struct move *const move = panel_node_move(node, i);
        panel_node_label(making->scene, node, i, label);
        const bool says = node->size[i] == 1 && put_line(making, move, label, line);
        if (!says && path.step_count < PANEL_STEPS_MAX) {
            path.page = 0;
            path.steps[path.step_count++] = (uint16_t)i;
            (void)panel_path_write(&path, leads);
        }
        controls_choice(out, label, line, leads);
        if (node->size[i] == 1 || node->grain == GRAIN_SUBJECT) {
            hint(making, move);
        }
    }
}

// Down the steps of the path from `first` on. False: it leads nowhere.
static bool go_down(struct making *making, unsigned first)
{
    for (unsigned i = first; i < making->path.step_count; i++) {
        if (!panel_node_step(&making->node, making->path.steps[i])) {
            return false;
        }
    }
    return true;
}

// A page below a root: a list to be picked, or moves.
static void show_node(struct making *making, const char *what)
{
    const struct panel_node *const node = &making->node;
    const struct move *const only =
        node->count == 1 && making->path.step_count > 0 ? panel_node_move(node, 0) : NULL;
    if (only != NULL && only->open == MOVE_LIST_OPEN) {
        panel_show_list(making->work, making->scene, only, &making->path, making->out);
    } else if (making->path.picks) {
        making->out->offered = false;
    } else {
        if (what != NULL) {
            panel_text(making->work, TEXT_PANEL_WHAT, TEXT_ARGS(text_str("what", what)));
        }
        add_groups(making, TEXT_PANEL_MENU);
        add_next(making, node->group_count);
    }
    add_back(making);
}

/* Roots. */

static bool may_propose(const struct table_words *words)
{
    return query_phase(words->view) != PHASE_SETUP && query_phase(words->view) != PHASE_OVER &&
           !query_asks(words->view);
}

static void add_bare(struct making *making, struct bare *bare)
{
    const struct move_list *const moves = &making->scene->moves;
    struct control_list *const out = &making->out->controls;
    if (controls_asks(making->scene, seat_bit(making->words->seat), out)) {
        bare->verbs[bare->count++] = VERB_ACCEPT;
        bare->verbs[bare->count++] = VERB_REFUSE;
    }
    if (asks_passed(making->words) ||
        (asks_seats(&making->scene->asks) & seat_bit(making->words->seat)) == 0) {
        bare->verbs[bare->count++] = VERB_PASS; // it would change nothing
    }
    const unsigned most = bare->count + (may_propose(making->words) ? 2 : 3);
    for (unsigned rank = 1; rank < VERB_TOTAL && bare->count < most; rank++) {
        const enum verb verb = command_ranked(rank);
        const bool offered = verb == VERB_ACCEPT || verb == VERB_REFUSE;
        const struct move *const move = offered ? NULL : bare_move(moves, verb);
        char line[CHAT_LINE_SIZE];
        if (move == NULL || memchr(bare->verbs, (int)verb, bare->count) != NULL) {
            continue;
        }
        (void)parse_format(making->words, &move->command, line, sizeof line);
        controls_add(out, controls_bare(verb), line);
        controls_tone(out, out->count == 1 ? CHAT_LIKELY : CHAT_PLAIN);
        bare->verbs[bare->count++] = (uint8_t)verb;
    }
    if (bare->count == 0 || bare->verbs[0] != VERB_ACCEPT) {
        controls_helpers(making->scene, out);
    }
}

static void put_actions(struct making *making)
{
    char *const text = making->work->ws->text;
    size_t size = 0;
    char *at = rest_of_text(making, &size);
    struct text_out asks;
    text_begin(&asks, at, size);
    render_asked(making->scene, false, &asks);
    at = rest_of_text(making, &size);
    (void)render_brief(making->words, at, size);
    at = rest_of_text(making, &size);
    (void)render_question(making->scene, at, size);
    if (text[0] == '\0') {
        panel_text(making->work, TEXT_PANEL_NOTHING, NULL);
    }
}

static void put_hand(struct making *making)
{
    struct scene *const scene = making->scene;
    const struct table_words full = scene->words;
    size_t size = 0;
    char *at = rest_of_text(making, &size);
    table_hand_head(making->work, scene, at, size);
    at = rest_of_text(making, &size);
    scene->words.small = true; // what a card says is read where it is picked
    (void)render_hand_small(scene, at, size);
    scene->words.terse = text_phone_lines(making->work->ws->text) > TEXT_PHONE_LINES;
    if (scene->words.terse) {
        (void)render_hand_small(scene, at, size);
    }
    scene->words = full;
}

// What was chosen from the menu of a page, and what can be chosen next.
static void show_below(struct making *making)
{
    char what[PANEL_LABEL_SIZE] = "";
    if (making->path.steps[0] < making->node.group_count) {
        panel_node_label(making->scene, &making->node, making->path.steps[0], what);
    }
    making->out->offered = go_down(making, 0);
    show_node(making, what);
}

// Cards too many that go to one player, or nowhere: they are picked on the hand itself. False: this
// is not asked.
static bool show_excess(struct making *making)
{
    const struct panel_node *const node = &making->node;
    struct panel_path path = making->path;
    const struct move *excess = NULL;
    for (unsigned i = 0; i < node->group_count; i++) {
        const struct move *const move = panel_node_move(node, i);
        if (!scene_is_excess(making->scene, move)) {
            continue;
        }
        if (excess != NULL || node->size[i] != 1) {
            return false;
        }
        excess = move;
        path.steps[0] = (uint16_t)i;
        path.step_count = 1;
    }
    if (excess == NULL || making->path.root != 'h' || making->path.page != 0) {
        return false;
    }
    char *const text = making->work->ws->text;
    const size_t length = strlen(text);
    panel_show_list(making->work, making->scene, excess, &path, making->out);
    text[length] = '\0'; // the question says it
    controls_lead(&making->out->controls, text_sentence(TEXT_CONTROL_ACT), "a");
    return true;
}

// All that can be done: the bare words as buttons, the rest in a menu.
static void show_actions(struct making *making)
{
    struct bare bare = {.count = 0};
    struct control_list *const out = &making->out->controls;
    const bool root = making->path.step_count == 0;
    if (root && making->path.root == 'h') {
        put_hand(making);
    } else if (root) {
        put_actions(making);
    }
    add_bare(making, &bare);
    panel_node_begin(&making->node, making->scene, is_not_bare, &bare);
    if (!root) {
        controls_begin(out);
        show_below(making);
        return;
    }
    making->out->offered = !making->path.picks;
    const bool excess = show_excess(making);
    if (!excess) {
        add_groups(making, TEXT_PANEL_MENU);
    }
    if (!excess && making->node.group_count > PANEL_MENU_MAX) {
        add_next(making, making->node.group_count);
    } else {
        controls_lead(out, text_sentence(TEXT_CONTROL_CARDS), "c");
    }
    if (may_propose(making->words)) {
        const bool haggles = asks_price(&making->scene->asks, seat_bit(making->words->seat));
        controls_lead(out, text_sentence(haggles ? TEXT_CONTROL_OTHER_PRICE : TEXT_CONTROL_DEALS),
                      "d");
    }
    controls_lead(out, text_sentence(TEXT_CONTROL_MORE), "t");
}

static void show_deals(struct making *making)
{
    const bool cards = making->path.root == 'i';
    panel_node_begin(&making->node, making->scene, cards ? may_offer_cards : is_proposal, NULL);
    if (making->path.step_count > 0) {
        show_below(making);
        return;
    }
    making->out->offered = go_down(making, 0);
    if (!cards) {
        controls_helpers(making->scene, &making->out->controls);
    }
    panel_text(making->work, making->node.count > 0 ? TEXT_PANEL_DEALS : TEXT_PANEL_NOTHING, NULL);
    show_node(making, NULL);
    bool more = false;
    for (uint32_t i = 0; i < making->scene->moves.count; i++) {
        more = more || may_offer_cards(&making->scene->moves.items[i], NULL);
    }
    if (more && !cards) {
        controls_lead(&making->out->controls, text_sentence(TEXT_CONTROL_OFFER_CARDS), "i");
    }
}

static unsigned own_cards(const struct table_words *words, uint16_t out[MB_CARDS_MAX])
{
    const unsigned piles[] = {pile_hand(words->seat), pile_table(words->seat)};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof piles / sizeof piles[0]; i++) {
        struct card_list cards;
        query_pile(words->view, piles[i], &cards);
        for (unsigned j = 0; j < cards.count && count < MB_CARDS_MAX; j++) {
            out[count++] = cards.cards[j];
        }
    }
    return count;
}

// One card: what it says, and what can be done with it.
static void show_card(struct making *making, uint16_t card)
{
    size_t size = 0;
    char *const at = rest_of_text(making, &size);
    (void)render_card(making->words, making->words->box->card_def[card], at, size);
    panel_node_begin(&making->node, making->scene, concerns, &card);
    making->out->offered = go_down(making, 1);
    if (making->path.step_count == 1 && !making->path.picks) {
        add_groups(making, TEXT_PANEL_MENU);
        add_next(making, making->node.group_count);
        add_back(making);
    } else {
        show_node(making, NULL);
    }
}

static void show_cards(struct making *making)
{
    uint16_t cards[MB_CARDS_MAX];
    struct control_list *const out = &making->out->controls;
    const unsigned count = own_cards(making->words, cards);
    const unsigned from = making->path.page * PANEL_MENU_MAX;
    if (making->path.step_count > 0) {
        if (making->path.steps[0] < count) {
            show_card(making, cards[making->path.steps[0]]);
        } else {
            making->out->offered = false;
        }
        return;
    }
    making->out->offered = (from == 0 || from < count) && !making->path.picks;
    panel_text(making->work, count > 0 ? TEXT_PANEL_CARDS : TEXT_PANEL_NOTHING, NULL);
    if (from < count) {
        controls_menu(out, text_sentence(TEXT_PANEL_MENU_CARDS), 1, 1);
    }
    for (unsigned i = from; i < count && i < from + PANEL_MENU_MAX; i++) {
        struct panel_path path = making->path;
        char leads[CHAT_PATH_SIZE] = "";
        path.page = 0;
        path.steps[path.step_count++] = (uint16_t)i;
        (void)panel_path_write(&path, leads);
        char what[CHAT_HINT_SIZE];
        render_card_hint(making->words, cards[i], what, sizeof what);
        controls_choice(out, names_card(making->words, cards[i]), "", leads);
        controls_hint(out, what);
    }
    add_next(making, count);
    controls_form(out, text_sentence(TEXT_CONTROL_FIND_CARD), CHAT_FORM_CARD);
    add_back(making);
}

/* The table itself. */

// What can be said about the table: by a menu, with what it is; what ends something by a button of
// its own, and it is asked about.
static const struct {
    const char *line;
    enum text_id what; // hint or label
    const char *sure;  // what is said behind it once it is meant, NULL: that is not asked
} TABLE_LINES[] = {
    {"status", TEXT_PANEL_HINT_STATUS, NULL},   {"log", TEXT_PANEL_HINT_LOG, NULL},
    {"score", TEXT_PANEL_HINT_SCORE, NULL},     {"stats", TEXT_PANEL_HINT_STATS, NULL},
    {"help", TEXT_PANEL_HINT_HELP, NULL},       {"rules", TEXT_PANEL_HINT_RULES, NULL},
    {"undo", TEXT_PANEL_HINT_UNDO, NULL},       {"orders", TEXT_PANEL_HINT_ORDERS, NULL},
    {"pause", TEXT_PANEL_HINT_PAUSE, NULL},     {"resume", TEXT_PANEL_HINT_RESUME, NULL},
    {"privacy", TEXT_PANEL_HINT_PRIVACY, NULL}, {"leave", TEXT_CONTROL_LEAVE, ""},
    {"end", TEXT_CONTROL_END, "yes"},
};
enum { TABLE_LINES_COUNT = sizeof TABLE_LINES / sizeof TABLE_LINES[0] };

static void show_question(struct making *making)
{
    char line[CHAT_LINE_SIZE];
    const unsigned at = making->path.steps[0];
    making->out->offered = making->path.step_count == 1 && at < TABLE_LINES_COUNT &&
                           TABLE_LINES[at].sure != NULL && !making->path.picks;
    if (making->out->offered) {
        panel_text(making->work, TEXT_PANEL_REALLY,
                   TEXT_ARGS(text_str("what", TABLE_LINES[at].line)));
        add_back(making);
        (void)snprintf(line, sizeof line, "%s%s%s", TABLE_LINES[at].line,
                       TABLE_LINES[at].sure[0] != '\0' ? " " : "", TABLE_LINES[at].sure);
        controls_add(&making->out->controls, text_sentence(TEXT_CONTROL_REALLY), line);
        controls_tone(&making->out->controls, CHAT_DANGER);
    }
}

static void show_table(struct making *making)
{
    struct control_list *const out = &making->out->controls;
    const struct table *const table = making->work->table;
    if (making->path.step_count > 0) {
        show_question(making);
        return;
    }
    making->out->offered = !making->path.picks && making->path.page == 0;
    panel_text(making->work, TEXT_PANEL_TABLE,
               TEXT_ARGS(text_str("place", table->site_count > 0 ? table->sites[0].name : "")));
    controls_menu(out, text_sentence(TEXT_PANEL_MENU), 1, 1);
    for (unsigned i = 0; i < TABLE_LINES_COUNT; i++) {
        const char *const what = text_sentence(TABLE_LINES[i].what);
        if (TABLE_LINES[i].sure != NULL) {
            struct panel_path path = making->path;
            char leads[CHAT_PATH_SIZE] = "";
            path.steps[path.step_count++] = (uint16_t)i;
            (void)panel_path_write(&path, leads);
            controls_lead(out, what, leads);
            controls_tone(out, CHAT_DANGER);
        } else {
            controls_choice(out, TABLE_LINES[i].line, TABLE_LINES[i].line, "");
            controls_hint(out, what);
        }
    }
    controls_form(out, text_sentence(TEXT_CONTROL_TYPE), CHAT_FORM_LINE);
    controls_form(out, text_sentence(TEXT_CONTROL_WHY), CHAT_FORM_WHY);
    add_back(making);
}

// Who has what.
static void show_status(struct making *making)
{
    size_t size = 0;
    char *const at = rest_of_text(making, &size);
    const struct panel_path *const path = &making->path;
    making->out->offered = path->step_count == 0 && !path->picks && path->page == 0;
    (void)render_table(making->scene, at, size);
    add_back(making);
}

/* Whole. */

// Whether somebody could sit down: in a lobby or, in a game, instead of a bot player, on whose seat
// the reader may have been before.
static bool has_seat(const struct table *table)
{
    const unsigned seats = table->options.seats > 0 ? table->options.seats : MB_SEATS_MAX;
    bool found = table->state == TABLE_LOBBY && table->seat_count < seats;
    for (unsigned i = 0; i < table->seat_count && table->state != TABLE_LOBBY; i++) {
        const struct table_seat *const seat = &table->seats[i];
        found = found || (!table_seat_is_person(seat) && seat->next.id[0] == '\0');
    }
    return found;
}

// Who holds no seat, and tables without a game: what can be said there.
static void show_outside(struct table_work *work, unsigned seat, const char *path,
                         struct panel *out)
{
    const bool over = work->table->state == TABLE_OVER;
    if (path[0] == 's' &&
        (work->table->state == TABLE_RUNNING || work->table->state == TABLE_PAUSED)) {
        struct table_words words = table_words_of(work, NO_SEAT);
        words.budget = PAGE_BUDGET;
        scene_make(work->ws->scene, &words, SAYS_NOTHING);
        (void)render_table(work->ws->scene, work->ws->text, sizeof work->ws->text);
    }
    panel_text(work, seat == NO_SEAT ? TEXT_PANEL_NO_SEAT : TEXT_PANEL_RESTS, NULL);
    if (seat == NO_SEAT && !over && has_seat(work->table)) {
        controls_add(&out->controls, text_sentence(TEXT_CONTROL_JOIN), "join");
    }
    if (over) {
        table_over_controls(work->table, &out->controls);
    }
    controls_form(&out->controls, text_sentence(TEXT_CONTROL_TYPE), CHAT_FORM_LINE);
}

// Before the cards are dealt: where they come to, who plays, what happens next.
static void show_waiting(struct table_work *work, unsigned seat, struct panel *out)
{
    char rules[CHAT_LINE_SIZE];
    char names[TABLE_NAMES_SIZE];
    const struct table *const table = work->table;
    const unsigned all = (1u << table->seat_count) - 1u;
    const unsigned others = all & ~table_asked_again(table) & ~(unsigned)seat_bit(seat);
    (void)snprintf(rules, sizeof rules, "%s %s", "rules", "turn");
    if (others != 0) {
        table_reach_names(table, others, names);
        panel_text(work, TEXT_PANEL_WAITING_WITH, TEXT_ARGS(text_str("who", names)));
    }
    panel_text(work, seat == table->host ? TEXT_PANEL_WAITING_HOST : TEXT_PANEL_WAITING_NEXT,
               TEXT_ARGS(text_str(
                   "who", table->host != NO_SEAT ? table_seat_name(table, table->host) : "")));
    panel_text(work, TEXT_PANEL_WAITING_HOW, NULL);
    controls_add(&out->controls, text_sentence(TEXT_CONTROL_HOW), rules);
    controls_tone(&out->controls, CHAT_LIKELY);
    controls_form(&out->controls, text_sentence(TEXT_CONTROL_TYPE), CHAT_FORM_LINE);
    controls_add(&out->controls, text_sentence(TEXT_CONTROL_LEAVE), "leave");
}

// The page of a table whose game has not begun, or is over; which it is goes into `out`.
static void show_idle(struct table_work *work, unsigned seat, const char *path, struct panel *out)
{
    const unsigned known = seat < work->table->seat_count ? seat : NO_SEAT;
    const bool waits = work->table->state == TABLE_LOBBY && known != NO_SEAT;
    struct panel_path options;
    const bool changes = waits && panel_path_read(path, &options) && options.root == 'o';
    const char *const shown = changes ? path : waits && path[0] == 'h' ? "h" : "a";
    (void)snprintf(out->path, sizeof out->path, "%s", shown);
    out->decision = 0;
    if (changes) {
        panel_show_options(work, known, &options, out);
    } else if (waits) {
        show_waiting(work, known, out);
    } else {
        show_outside(work, known, path, out);
    }
}

static void show_page(struct making *making)
{
    switch (making->path.root) {
    case 'd':
    case 'i':
        show_deals(making);
        break;
    case 'c':
        show_cards(making);
        break;
    case 't':
        show_table(making);
        break;
    case 's':
        show_status(making);
        break;
    default:
        show_actions(making);
        break;
    }
}

static void begin(struct table_work *work, struct panel *out)
{
    work->ws->text[0] = '\0';
    out->template = NULL;
    out->offered = true;
    controls_begin(&out->controls);
}

// All that is shown.
static uint64_t hash_of(const struct table_work *work, const struct panel *panel)
{
    uint64_t hash = board_hash_text(work->ws, work->ws->text);
    const struct control_list *const controls = &panel->controls;
    hash = board_mix(hash, board_hash(work->ws, controls->text, controls->used));
    for (size_t i = 0; i < controls->count; i++) {
        const struct chat_control *const control = &controls->items[i];
        hash = board_mix(hash, (uint64_t)control->min << 24 | (uint64_t)control->max << 16 |
                                   (uint64_t)control->kind << 8 | control->form);
    }
    return hash | 1u;
}

void panel_make(struct table_work *work, unsigned seat, const char *path, struct panel *out)
{
    const unsigned state = work->table->state;
    const bool plays =
        (state == TABLE_RUNNING || state == TABLE_PAUSED) && seat < work->table->seat_count;
    struct making making; // its node is large
    making.work = work;
    making.out = out;
    begin(work, out);
    if (!plays) {
        show_idle(work, seat, path, out);
        out->hash = hash_of(work, out);
        return;
    }
    struct table_words words = table_words_of(work, seat);
    words.budget = PAGE_BUDGET;
    words.pressed = true;
    const bool read = panel_path_read(path, &making.path);
    making.scene = work->ws->scene;
    making.words = &making.scene->words;
    scene_make(making.scene, &words,
               read && (making.path.root == 'd' || making.path.root == 'i') ? SAYS_ALL : SAYS_OWN);
    if (read) {
        show_page(&making);
    }
    if (!read || !out->offered) {
        begin(work, out);
        making.path = (struct panel_path){.root = 'a'};
        scene_make(making.scene, &words, SAYS_OWN);
        show_page(&making);
        out->offered = false;
    }
    (void)panel_path_write(&making.path, out->path);
    out->decision = scene_decision(making.scene);
    out->hash = hash_of(work, out);
}
