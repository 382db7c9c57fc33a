// Hands: each person's own message, before the deal and in the game. Made anew when and only when
// what it shows has changed, all from its reader's own view.
#include <stdio.h>
#include <string.h>

#include "bot/chat.h"
#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/table/show/show.h"

// What the player is asked, the fight and the news on top, then what they have.
static void render(struct table_work *work)
{
    struct scene *const scene = work->ws->scene;
    char *const text = work->ws->text;
    const size_t size = sizeof work->ws->text;
    table_hand_head(work, scene, text, size);
    size_t at = strlen(text);
    at += render_hand(scene, text + at, size - at);
    at = at < size ? at : size - 1;
    (void)render_question(scene, text + at, size - at);
}

// What a prompt says: the hand in one line, what can be done, the question; a blank line between.
static void render_prompt(const struct scene *scene, char *text, size_t size)
{
    size_t at = render_brief(&scene->words, text, size);
    struct text_out out;
    text_begin(&out, text + at, size - at);
    text_raw(&out, "\n");
    at += out.length;
    at += render_verbs(scene, text + at, size - at);
    text_begin(&out, text + at, size - at);
    text_raw(&out, "\n");
    at += out.length;
    (void)render_question(scene, text + at, size - at);
}

/** A hand, but for its text, which is in the workspace. */
struct hand {
    struct panel panel; /**< where there are panels, else only its controls */
    uint16_t decision;
    bool idle;
    uint64_t hash;      /**< of all that it shows */
    const char *prompt; /**< the line for a push, or NULL */
};

// False: its owner is not asked anything.
static bool make_prompt(const struct table_work *work, unsigned seat, struct hand *hand)
{
    if ((work->running.seats & seat_bit(seat)) == 0) {
        return false;
    }
    hand->idle = table_is_idle(work, seat);
    const struct table_words words = table_words_of(work, seat);
    scene_make(work->ws->scene, &words, SAYS_ALL);
    render_prompt(work->ws->scene, work->ws->text, sizeof work->ws->text);
    hand->decision = scene_decision(work->ws->scene);
    hand->hash = board_mix(board_hash(work->ws, work->ws->text, strlen(work->ws->text)),
                           hand->idle ? 2 : 1) |
                 1u;
    return true;
}

enum { REST_SIZE = 48 };

// A bare word as it is typed; what has words of its own by these.
static const char *said_as(const struct chat_control *control)
{
    return strchr(control->line, ' ') != NULL ? control->label : control->line;
}

// How a control begins: up to what it lists behind a verb, in whole words.
static void begin_of(const struct chat_control *control, char out[REST_SIZE])
{
    const char *const said = said_as(control);
    const bool own = strncmp(said, control->line, strlen(control->line)) != 0;
    const char *const line = own ? said : control->line;
    size_t cut = own ? strlen(line) : strcspn(line, ",");
    cut = cut < REST_SIZE - sizeof " ..." ? cut : REST_SIZE - sizeof " ...";
    while (line[cut] != '\0' && line[cut] != ',' && cut > 0 && line[cut] != ' ') {
        cut--; // whole words
    }
    (void)snprintf(out, REST_SIZE, "%.*s%s", (int)cut, line, line[cut] != '\0' ? " ..." : "");
}

// Controls that are no cards of the hand, each with its number: a line each, or in one line as far
// as each begins.
static void put_numbers(const struct control_list *controls, size_t from, size_t end, bool line,
                        char *text, size_t size)
{
    struct text_out out;
    const size_t at = strlen(text);
    text_begin(&out, text + at, size - at);
    for (size_t i = from; i < end; i++) {
        char what[REST_SIZE];
        begin_of(&controls->items[i], what);
        text_put(&out, TEXT_HAND_NUMBER,
                 TEXT_ARGS(text_num("n", (long)i + 1),
                           text_str("what", line ? what : said_as(&controls->items[i]))));
        text_raw(&out, line && i + 1 < end ? "; " : "\n");
    }
}

// What is said behind a control's number, as an example; "" if its number is all.
static void put_rest_of(const struct table_words *words, const struct chat_control *control,
                        char how[CHAT_LABEL_SIZE])
{
    const size_t length = strlen(control->line);
    const char *const behind = control->label + length;
    how[0] = '\0';
    if (strncmp(control->label, control->line, length) != 0 || behind[0] != ' ' ||
        behind[1] == '(') {
        return;
    }
    const char *const more = strstr(behind, " ...");
    const size_t comma = strcspn(behind, ",(");
    const size_t cut = comma - (behind[comma] == '(' ? 1 : 0);
    const size_t end = more != NULL && more < behind + cut ? (size_t)(more - behind) : cut;
    struct text_out on;
    text_begin(&on, how, CHAT_LABEL_SIZE);
    if (strcmp(behind, text_sentence(TEXT_MOVE_ON_ANYBODY)) == 0) {
        text_put(&on, TEXT_MOVE_ON,
                 TEXT_ARGS(text_str("who", words->players[words->seat == 0 ? 1 : 0])));
    } else {
        (void)snprintf(how, CHAT_LABEL_SIZE, "%.*s", (int)end - 1, behind + 1);
    }
}

// How numbers are said; by an example, if one is not enough. A long hand does not tell of `card`.
static void put_how(const struct table_words *words, const struct control_list *controls,
                    char *text, size_t size)
{
    char how[CHAT_LABEL_SIZE] = "";
    struct text_out out;
    const size_t at = strlen(text);
    size_t i = 0;
    for (; i < controls->count; i++) {
        put_rest_of(words, &controls->items[i], how);
        if (how[0] != '\0') {
            break;
        }
    }
    if (controls->count > 0) {
        text_begin(&out, text + at, size - at);
        text_put(&out, how[0] != '\0' ? TEXT_HAND_NUMBERS : TEXT_HAND_NUMBERS_PLAIN,
                 TEXT_ARGS(text_num("n", (long)i + 1), text_str("how", how)));
        text_line(&out, words->terse ? TEXT_HAND_NUMBERS_END : TEXT_HAND_NUMBERS_CARD, NULL);
    }
}

// The hand where what is said has numbers: each card stands there once.
static void put_numbered(struct table_work *work, struct control_list *controls)
{
    struct scene *const scene = work->ws->scene;
    char *const text = work->ws->text;
    const size_t size = sizeof work->ws->text;
    struct numbered numbered;
    controls_begin(controls);
    controls_numbered(scene, controls, &numbered);
    table_hand_head(work, scene, text, size);
    if (!scene->lists_options) {
        put_numbers(controls, 0, numbered.lead, false, text, size);
    }
    if (scene->gives != 0) { // what must go stands first, and leaves little to tell of the hand
        const size_t asks = strlen(text);
        (void)render_question(scene, text + asks, size - asks);
        put_numbers(controls, numbered.lead, numbered.given, false, text, size);
    }
    const size_t at = strlen(text);
    (void)render_hand_small(scene, text + at, size - at);
    if (!scene->lists_options) {
        put_numbers(controls, numbered.rest, controls->count, scene->words.terse, text, size);
        put_how(&scene->words, controls, text, size);
    }
}

static void make_numbered(struct table_work *work, struct control_list *controls)
{
    struct scene *const scene = work->ws->scene;
    scene->words.small = true; // what a card says is read by its name
    put_numbered(work, controls);
    scene->words.terse = text_phone_lines(work->ws->text) > TEXT_PHONE_LINES;
    if (scene->words.terse) {
        put_numbered(work, controls);
    }
}

static void make_hand(struct table_work *work, unsigned seat, uint32_t caps, struct hand *hand)
{
    if ((caps & CHAT_CAP_BUTTONS) != 0) {
        panel_make(work, seat, "h", &hand->panel);
        hand->decision = hand->panel.decision;
        hand->hash = hand->panel.hash;
        return;
    }
    const struct table_words words = table_words_of(work, seat);
    scene_make(work->ws->scene, &words, SAYS_OWN);
    if ((caps & CHAT_CAP_NUMBERS) != 0) {
        make_numbered(work, &hand->panel.controls);
    } else {
        render(work);
    }
    hand->decision = scene_decision(work->ws->scene);
    hand->hash =
        board_mix(board_hash(work->ws, work->ws->text, strlen(work->ws->text)),
                  board_hash(work->ws, hand->panel.controls.text, hand->panel.controls.used)) |
        1u;
}

// Whether a turn, a question or an offer is theirs to go on with.
static bool is_awaited(const struct table_work *work, unsigned seat)
{
    const bool window = work->running.kind == CLOCK_WINDOW;
    return (work->running.seats & seat_bit(seat)) != 0 && !window &&
           work->table->state == TABLE_RUNNING;
}

static void add_hand(struct table_work *work, unsigned seat, const struct hand *hand)
{
    table_add_board(work, MESSAGE_HAND, seat, &hand->panel.controls);
    struct message *const message = &work->said->items[work->said->count - 1];
    const bool page = hand->panel.path[0] != '\0';
    const struct table_seat *const who = &work->table->seats[seat];
    message->version =
        page ? panel_version(&hand->panel) : board_version(who->hand_version, who->hand_hash);
    memcpy(message->path, hand->panel.path, sizeof message->path);
    message->decision = hand->decision;
    message->turn = table_turn_of(work);
    message->idle = hand->idle;
    message_prompt(work->said, hand->prompt != NULL ? hand->prompt : "");
    message->asked = is_awaited(work, seat) ? seat_bit(seat) : 0;
}

static void show_if_new(struct table_work *work, unsigned seat, const struct hand *hand)
{
    struct table_seat *const who = &work->table->seats[seat];
    if (hand->hash != who->hand_hash) {
        who->hand_version++;
        who->hand_hash = hand->hash;
        add_hand(work, seat, hand);
    }
}

static void begin_hand(struct hand *hand)
{
    hand->idle = false;
    hand->prompt = NULL;
    hand->panel.path[0] = '\0';
    controls_begin(&hand->panel.controls);
}

static void show_prompt(struct table_work *work, unsigned seat)
{
    struct hand hand;
    begin_hand(&hand);
    if (make_prompt(work, seat, &hand)) {
        show_if_new(work, seat, &hand);
    }
}

static void show_hand(struct table_work *work, unsigned seat, uint32_t caps)
{
    struct hand hand;
    begin_hand(&hand);
    make_hand(work, seat, caps, &hand);
    show_if_new(work, seat, &hand);
}

// Not where a message costs seconds, or readers sit in front of it.
bool table_shows_waiting(const struct table_work *work, unsigned seat)
{
    const struct table *const table = work->table;
    const uint32_t needed = CHAT_CAP_BUTTONS | CHAT_CAP_EDIT;
    return table->state == TABLE_LOBBY && seat < table->seat_count &&
           (table_asked_again(table) & seat_bit(seat)) == 0 &&
           (table_workspace_caps(work->ws, table->seats[seat].person.network) & needed) == needed;
}

static void make_waiting(struct table_work *work, unsigned seat, struct hand *hand)
{
    begin_hand(hand);
    panel_make(work, seat, "h", &hand->panel);
    hand->hash = hand->panel.hash;
    hand->decision = 0;
    hand->prompt = text_sentence(TEXT_PANEL_WAITING_PUSH);
}

static void show_waiting(struct table_work *work, unsigned seat)
{
    struct hand hand;
    make_waiting(work, seat, &hand);
    show_if_new(work, seat, &hand);
}

// Those who only may speak in a window are not shown their hand again where it cannot be edited.
static bool is_asked(const struct table_work *work, unsigned seat)
{
    return (work->running.seats & seat_bit(seat)) != 0 &&
           (work->running.kind == CLOCK_TURN || work->running.kind == CLOCK_DECISION);
}

void table_show_hands(struct table_work *work)
{
    const unsigned state = work->table->state;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        struct table_seat *const who = &work->table->seats[seat];
        if (!table_seat_is_person(who)) {
            continue;
        }
        const uint32_t caps = table_workspace_caps(work->ws, who->person.network);
        const bool edits = (caps & CHAT_CAP_EDIT) != 0;
        const bool plays = state == TABLE_RUNNING || state == TABLE_PAUSED;
        // A hand that is edited has told them already, and at the end nobody is called for that.
        if (!edits || (!plays && state != TABLE_OVER)) {
            table_whisper(work, seat, who->news);
        }
        if (!edits || !plays) {
            memset(who->news, 0, sizeof who->news);
        }
        if (plays && (caps & CHAT_CAP_PACED) != 0) {
            show_prompt(work, seat);
        } else if (plays && (edits || is_asked(work, seat))) {
            show_hand(work, seat, caps);
        } else if (table_shows_waiting(work, seat)) {
            show_waiting(work, seat);
        }
    }
}

void table_hand_again(struct table_work *work, unsigned seat)
{
    const unsigned state = work->table->state;
    const struct table_seat *const who = &work->table->seats[seat];
    struct hand hand;
    if (seat >= work->table->seat_count || !table_seat_is_person(who)) {
        return;
    }
    const uint32_t caps = table_workspace_caps(work->ws, who->person.network);
    if (table_shows_waiting(work, seat)) {
        make_waiting(work, seat, &hand);
        add_hand(work, seat, &hand);
        return;
    }
    if (state != TABLE_RUNNING && state != TABLE_PAUSED) {
        return;
    }
    begin_hand(&hand);
    if ((caps & CHAT_CAP_PACED) != 0) {
        if (!make_prompt(work, seat, &hand)) {
            return;
        }
    } else if ((caps & CHAT_CAP_EDIT) == 0 && !is_asked(work, seat)) {
        return;
    } else {
        make_hand(work, seat, caps, &hand);
    }
    add_hand(work, seat, &hand);
}
