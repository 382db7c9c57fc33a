// The end of a step: what was said becomes one narration; what only one learnt goes on top of their
// hand message; card and hands are made anew when and only when they have changed. Everything shown
// comes from its reader's own view.
#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"
#include "bot/render/render.h"
#include "bot/table/controls.h"
#include "bot/table/hand_key.h"
#include "bot/table/panel.h"
#include "bot/table/table_impl.h"

enum { NARRATION_MAX = 12288, MS_PER_S = 1000 };

// How much time is left is no change by itself, or who passes unseen would be seen in it.
uint64_t table_hash_without_time(const struct table_workspace *ws, const char *text)
{
    uint64_t hash = 1;
    for (const char *at = text; *at != '\0';) {
        const char *const time = strchr(at, MARK_TIME);
        const char *const end = time != NULL ? strchr(time, MARK_END) : NULL;
        const size_t length = end != NULL ? (size_t)(time - at) : strlen(at);
        hash = hand_mix(hash, hand_hash_of(ws, at, length));
        at = end != NULL ? end + 1 : at + length;
    }
    return hash | 1u;
}

// `controls` NULL: none.
static bool add_board(struct table_work *work, enum message_to to, unsigned seat,
                      const struct control_list *controls)
{
    if (!message_add(work->said, to, seat, work->ws->text)) {
        return false;
    }
    return controls == NULL || message_control(work->said, controls->items, controls->count);
}

/* The card. */

static uint16_t open_decision(const struct table_words *words, unsigned seat)
{
    struct query_decision decision;
    query_decision(words->view, words->box, seat, &decision);
    return decision.kind < DECIDE_TOTAL ? decision.id : 0;
}

static uint16_t decision_of_table(const struct table_words *words)
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if ((query_undecided(words->view) & seat_bit(seat)) != 0) {
            return open_decision(words, seat);
        }
    }
    return 0;
}

// Round and turn, never 0 while a game runs; only facts that everybody sees.
static uint32_t turn_of(const struct table_work *work)
{
    return work->table->state == TABLE_RUNNING
               ? query_round(work->game) * MB_SEATS_MAX + query_turn(work->game) + 1
               : 0;
}

static void lobby_controls(bool panels, struct control_list *out)
{
    controls_add(out, text_sentence(TEXT_CONTROL_JOIN), "join");
    controls_add(out, text_sentence(TEXT_CONTROL_ADD_BOT), "add-bot");
    if (panels) {
        controls_open(out, text_sentence(TEXT_CONTROL_OPTIONS), "o");
    }
    controls_add(out, text_sentence(TEXT_CONTROL_START), "start");
    controls_add(out, text_sentence(TEXT_CONTROL_LEAVE), "leave");
}

// Buttons of the card, from the onlooker's view: whoever has passed unseen counts as one who has
// not. Returns the open question.
static uint16_t card_controls(const struct table_work *work, bool panels, struct control_list *out)
{
    if (work->table->state == TABLE_LOBBY && work->table->starting == 0) {
        lobby_controls(panels, out);
    }
    if (work->table->state == TABLE_OVER && panels) {
        controls_add(out, text_sentence(TEXT_CONTROL_AGAIN), "new");
    }
    if (work->table->state != TABLE_RUNNING) {
        return 0;
    }
    const struct table_words words = table_words_of(work, NO_SEAT);
    unsigned seats = query_clock(words.view).seats | seat_bit(query_turn(words.view));
    for (unsigned i = 0; i < query_deal_count(words.view); i++) {
        const struct deal *const deal = query_deal(words.view, i);
        seats |= deal->to < MB_SEATS_MAX ? seat_bit(deal->to) : (1u << MB_SEATS_MAX) - 1u;
    }
    (panels ? controls_public_panel : controls_public)(&words, seats, out);
    return decision_of_table(&words);
}

// Windows that are lengthened show another time, which is news.
static uint64_t time_key(const struct table_work *work)
{
    if (work->table->state != TABLE_RUNNING) {
        return 0;
    }
    const struct pause window = query_pause(work->game, PAUSE_WIN);
    const struct pause moment = query_pause(work->game, PAUSE_ANSWER);
    return (uint64_t)window.restarts << 24 | (uint64_t)window.holds << 16 |
           (uint64_t)moment.restarts << 8 | moment.holds;
}

// Whether it is the beginning of a person's turn.
static bool is_begin(const struct table_work *work)
{
    return turn_of(work) != 0 && query_phase(work->game) == PHASE_START &&
           (table_people_seats(work->table) & seat_bit(query_turn(work->game))) != 0;
}

// Who is waited for, by what clock. With words at the beginning of a turn.
static bool add_paced(struct table_work *work, unsigned at, bool begins)
{
    const struct table *const table = work->table;
    const struct table_due due = table_due(table);
    const bool window = due.clock == CLOCK_WINDOW || due.clock == CLOCK_ANSWER;
    const char first = work->ws->text[0];
    work->ws->text[0] = (char)(begins ? first : '\0');
    const bool added = add_board(work, MESSAGE_CARD, NO_SEAT, NULL);
    work->ws->text[0] = first;
    if (added) {
        struct message *const message = &work->said->items[work->said->count - 1];
        const unsigned asked = table->state == TABLE_PAUSED ? ~0u : due.seats;
        message->site = at;
        message->version = table->sites[at].card_version;
        message->asked = asked & table_people_seats(table);
        message->clock_ms = window ? due.clock_ms : -1;
    }
    return added;
}

// For those who sit in front of it: the card when a person's turn begins, and whenever somebody
// else is asked or a clock starts, without words then.
static void show_paced(struct table_work *work, unsigned at)
{
    struct table *const table = work->table;
    struct table_site *const site = &table->sites[at];
    const struct table_due due = table_due(table);
    const bool window = due.clock == CLOCK_WINDOW || due.clock == CLOCK_ANSWER;
    const unsigned waited = table->state == TABLE_PAUSED ? ~0u : due.seats;
    const unsigned asked = waited & table_people_seats(table);
    const uint32_t turn = turn_of(work);
    const bool begins = turn != site->card_turn && is_begin(work);
    const uint64_t hash =
        hand_mix(hand_mix(asked + 1u, window ? table_clock_about(work, work->running) : 0),
                 due.clock) ^
        time_key(work);
    if (!begins && (hash | 1u) == site->card_hash) {
        return;
    }
    site->card_version++;
    site->card_turn = begins ? turn : site->card_turn;
    site->card_hash = hash | 1u;
    (void)add_paced(work, at, begins);
}

/** A card, but for its text, which is in the workspace. */
struct card {
    struct control_list controls;
    uint16_t decision;
};

// False: there is none.
static bool make_card(const struct table_work *work, bool panels, struct card *card)
{
    if (table_card(work, panels, work->ws->text, sizeof work->ws->text) == 0) {
        return false;
    }
    controls_begin(&card->controls);
    card->decision = card_controls(work, panels, &card->controls);
    return true;
}

// What a card shows, countdowns left out; never 0.
static uint64_t card_hash(const struct table_work *work, const struct card *card)
{
    return hand_mix(hand_mix(table_hash_without_time(work->ws, work->ws->text),
                             hand_hash_of(work->ws, card->controls.text, card->controls.used)),
                    time_key(work)) |
           1u;
}

static bool has(const struct table_work *work, unsigned at, uint32_t cap)
{
    return (table_workspace_caps(work->ws, work->table->sites[at].network) & cap) != 0;
}

// Whom the table waits for, and that in one line, for a push.
static void ask_on_card(const struct table_work *work, struct message *message)
{
    const bool asks = work->table->state == TABLE_RUNNING && query_phase(work->game) != PHASE_OVER;
    if (asks) {
        const struct table_words words = table_words_of(work, NO_SEAT);
        (void)render_asked(&words, message->prompt, sizeof message->prompt);
        message->asked = work->running.seats & table_people_seats(work->table);
    }
}

static void add_card(struct table_work *work, unsigned at, const struct card *card)
{
    const struct table_site *const site = &work->table->sites[at];
    const bool buttons = has(work, at, CHAT_CAP_BUTTONS);
    if (add_board(work, MESSAGE_CARD, NO_SEAT, buttons ? &card->controls : NULL)) {
        struct message *const message = &work->said->items[work->said->count - 1];
        if (has(work, at, CHAT_CAP_SCARCE)) {
            ask_on_card(work, message);
        }
        message->site = at;
        message->version = site->card_version;
        message->turn = turn_of(work);
        message->clock_ms = table_words_of(work, NO_SEAT).left_s * (int64_t)MS_PER_S;
        message->decision = buttons ? card->decision : 0;
    }
}

// The newest message is a card that tells the step's narration, too.
static void call(const struct table_work *work, bool tells, unsigned pings)
{
    const size_t count = work->said->count;
    struct message *const message = count > 0 ? &work->said->items[count - 1] : NULL;
    if (message != NULL && message->to == MESSAGE_CARD) {
        message->pings = pings;
        message->tells = tells;
    }
}

// What this step tells everybody, if its cards may tell it; NULL. What says who starts is a message
// of its own: cards are dealt by its id.
static struct message *narration(const struct table_work *work)
{
    struct message_list *const said = work->said;
    for (size_t i = 0; work->table->starting == 0 && i < said->count; i++) {
        if (said->items[i].to == MESSAGE_TABLE) {
            return &said->items[i];
        }
    }
    return NULL;
}

// The story of a turn begins with it.
static void tell_story(struct table_work *work)
{
    struct table *const table = work->table;
    const uint32_t turn = turn_of(work);
    if (turn != 0 && turn != table->story_turn) {
        table->story_turn = turn;
        table->story = 0;
    }
    for (size_t i = 0; i < work->said->count; i++) {
        const bool told = work->said->items[i].to == MESSAGE_TABLE;
        table->story = (uint8_t)(table->story + (told && table->story < TABLE_STORY_MAX ? 1 : 0));
    }
}

// Who learns with this card that it is their turn, or that a question is theirs alone to answer:
// once, though windows lie in between.
static unsigned newly_called(struct table_work *work, uint32_t turn_before)
{
    struct table *const table = work->table;
    const unsigned people = table_people_seats(table);
    const unsigned turn = table->state == TABLE_RUNNING ? query_turn(work->game) : NO_SEAT;
    const bool begins = table->story_turn != turn_before && table->state == TABLE_RUNNING;
    unsigned called = begins ? work->running.seats & people : 0;
    if (work->running.kind == CLOCK_DECISION) {
        const unsigned asked =
            work->running.seats & people & ~(turn < MB_SEATS_MAX ? seat_bit(turn) : 0u);
        called |= asked & ~(unsigned)table->called;
        table->called = (uint8_t)asked;
    } else if (work->running.kind == CLOCK_TURN) {
        table->called = 0;
    }
    return called;
}

// Whether a win can be stopped from now on.
static bool opens_window(const struct table_work *work)
{
    const struct table_timer *const timer = &work->table->timers[CLOCK_WINDOW];
    return work->running.kind == CLOCK_WINDOW && timer->holds == 0 &&
           timer->left_ms == table_clock_length(work, CLOCK_WINDOW);
}

// Whom all this calls, if they want to be: nothing of it depends on what anybody holds.
static unsigned pings_of(const struct table_work *work, unsigned called, struct message *told)
{
    const unsigned others = opens_window(work) ? table_wants(work->table, NOTIFY_ALL) : 0;
    const unsigned all = called | (told != NULL ? told->pings : 0);
    const unsigned pings = (all & table_wants(work->table, NOTIFY_TURN)) | others;
    if (told != NULL) {
        told->pings = pings;
        if (pings != 0) {
            ask_on_card(work, told);
        }
    }
    return pings;
}

static void show_card(struct table_work *work)
{
    struct table *const table = work->table;
    const uint32_t turn = turn_of(work);
    const uint32_t turn_before = table->story_turn;
    struct card card;
    tell_story(work);
    const unsigned called = newly_called(work, turn_before);
    struct message *const told = narration(work);
    const unsigned pings = pings_of(work, called, told);
    for (unsigned i = 0; i < table->site_count; i++) {
        struct table_site *const site = &table->sites[i];
        const uint32_t caps = table_workspace_caps(work->ws, site->network);
        if (!make_card(work, has(work, i, CHAT_CAP_PANEL), &card)) {
            return;
        }
        if ((caps & CHAT_CAP_PACED) != 0) {
            show_paced(work, i);
            continue;
        }
        const uint64_t hash = card_hash(work, &card);
        // Where nothing can be edited the card comes when a turn begins; narration tells the rest.
        const bool news = (caps & CHAT_CAP_EDIT) != 0 || (turn != 0 && turn != site->card_turn);
        const bool tells = told != NULL && (caps & CHAT_CAP_SCARCE) != 0;
        if (tells || (news && hash != site->card_hash)) {
            site->card_version++;
            site->card_turn = turn;
            site->card_hash = hash;
            add_card(work, i, &card);
            call(work, tells, (caps & CHAT_CAP_SCARCE) != 0 ? pings : 0);
        }
    }
}

/* The way to a table, where it came from. */

static void add_link(struct table_work *work, unsigned at, const struct control_list *controls)
{
    if (add_board(work, MESSAGE_LINK, NO_SEAT, controls)) {
        struct message *const message = &work->said->items[work->said->count - 1];
        message->site = at;
        message->version = work->table->sites[at].link_version;
        message->clock_ms = -1;
    }
}

static void show_links(struct table_work *work)
{
    struct control_list controls;
    for (unsigned i = 0; i < work->table->site_count; i++) {
        struct table_site *const site = &work->table->sites[i];
        if (!table_link(work, i, &controls)) {
            continue;
        }
        const uint64_t hash = hand_mix(table_hash_without_time(work->ws, work->ws->text),
                                       hand_hash_of(work->ws, controls.text, controls.used)) |
                              1u;
        if (hash != site->link_hash) {
            site->link_hash = hash;
            site->link_version++;
            add_link(work, i, &controls);
        }
    }
}

/* Hands. */

// The news on top, then what the player has and is asked, all from their own view, whose moves are
// in the workspace.
static void render(struct table_work *work, const struct table_words *words)
{
    char *const text = work->ws->text;
    const size_t size = sizeof work->ws->text;
    struct text_out out;
    text_begin(&out, text, size);
    text_raw(&out, work->table->seats[words->seat].news);
    size_t at = out.length < size ? out.length : size - 1;
    at += render_hand_with(words, &work->ws->moves, text + at, size - at);
    at = at < size ? at : size - 1;
    (void)render_question(words, text + at, size - at);
}

static void list_own_moves(struct table_work *work, const struct table_words *words)
{
    struct move_list *const moves = &work->ws->moves;
    moves->count = 0;
    moves->overflow = false;
    moves_list_own(words->view, words->box, words->seat, moves);
}

// What a prompt says: the hand in one line, what can be done, the question; a blank line between.
static void render_prompt(const struct table_words *words, char *text, size_t size)
{
    size_t at = render_brief(words, text, size);
    struct text_out out;
    text_begin(&out, text + at, size - at);
    text_raw(&out, "\n");
    at += out.length;
    at += render_verbs(words, text + at, size - at);
    text_begin(&out, text + at, size - at);
    text_raw(&out, "\n");
    at += out.length;
    (void)render_question(words, text + at, size - at);
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
    render_prompt(&words, work->ws->text, sizeof work->ws->text);
    hand->decision = open_decision(&words, seat);
    hand->hash = hand_mix(hand_hash_of(work->ws, work->ws->text, strlen(work->ws->text)),
                          hand->idle ? 2 : 1) |
                 1u;
    return true;
}

// What can be said by a number. The options of a question have theirs already.
static void put_numbers(const struct table_words *words, const struct control_list *controls,
                        char *text, size_t size)
{
    struct query_decision decision;
    struct text_out out;
    const size_t at = strlen(text);
    query_decision(words->view, words->box, words->seat, &decision);
    const bool asked = decision.kind < DECIDE_TOTAL && decision.option_count > 0 &&
                       decision.kind != DECIDE_CHARITY && decision.kind != DECIDE_ANSWER;
    text_begin(&out, text + at, size - at);
    if (asked || controls->count == 0) {
        return;
    }
    text_line(&out, TEXT_HAND_NUMBERS, NULL);
    for (size_t i = 0; i < controls->count; i++) {
        text_line(&out, TEXT_HAND_NUMBER,
                  TEXT_ARGS(text_num("n", (long)i + 1), text_str("what", controls->items[i].line)));
    }
}

// Of the moves that are in the workspace.
static void make_hand(struct table_work *work, const struct table_words *words, uint32_t caps,
                      struct hand *hand)
{
    if ((caps & CHAT_CAP_PANEL) != 0) {
        panel_make(work, words->seat, "h", &hand->panel);
        hand->decision = hand->panel.decision;
        hand->hash = hand->panel.hash;
        return;
    }
    render(work, words);
    if ((caps & CHAT_CAP_NUMBERS) != 0) {
        controls_numbered(words, &work->ws->moves, &hand->panel.controls);
        put_numbers(words, &hand->panel.controls, work->ws->text, sizeof work->ws->text);
    } else if ((caps & CHAT_CAP_BUTTONS) != 0) {
        controls_private(words, &work->ws->moves, &hand->panel.controls);
    }
    hand->decision = open_decision(words, words->seat);
    hand->hash =
        hand_mix(hand_hash_of(work->ws, work->ws->text, strlen(work->ws->text)),
                 hand_hash_of(work->ws, hand->panel.controls.text, hand->panel.controls.used)) |
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
    if (add_board(work, MESSAGE_HAND, seat, &hand->panel.controls)) {
        struct message *const message = &work->said->items[work->said->count - 1];
        const bool page = hand->panel.path[0] != '\0';
        message->version =
            page ? panel_version(&hand->panel) : work->table->seats[seat].hand_version;
        memcpy(message->path, hand->panel.path, sizeof message->path);
        message->decision = hand->decision;
        message->idle = hand->idle;
        message_prompt(work->said, hand->prompt != NULL ? hand->prompt : "");
        message->asked = is_awaited(work, seat) ? seat_bit(seat) : 0;
    }
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
    struct table_seat *const who = &work->table->seats[seat];
    const uint64_t key = hand_key_moment(work, seat);
    struct hand hand;
    if (key == who->hand_key && who->hand_hash != 0) {
        return;
    }
    who->hand_key = key;
    const struct table_words words = table_words_of(work, seat);
    list_own_moves(work, &words);
    const uint64_t made =
        hand_key_made(work, &words, caps & (CHAT_CAP_BUTTONS | CHAT_CAP_PANEL | CHAT_CAP_NUMBERS));
    if (made == who->hand_made && who->hand_hash != 0) {
        return;
    }
    who->hand_made = made;
    begin_hand(&hand);
    make_hand(work, &words, caps, &hand);
    show_if_new(work, seat, &hand);
}

// Not where a message costs seconds, or readers sit in front of it.
bool table_shows_waiting(const struct table_work *work, unsigned seat)
{
    const struct table *const table = work->table;
    const uint32_t needed = CHAT_CAP_PANEL | CHAT_CAP_EDIT;
    return table->state == TABLE_LOBBY && seat < table->seat_count &&
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

static void whisper(struct table_work *work, unsigned seat, const char *text)
{
    if (text[0] != '\0') {
        (void)message_add(work->said, MESSAGE_WHISPER, seat, text);
    }
}

// Those who only may speak in a window are not shown their hand again where it cannot be edited.
static bool is_asked(const struct table_work *work, unsigned seat)
{
    return (work->running.seats & seat_bit(seat)) != 0 &&
           (work->running.kind == CLOCK_TURN || work->running.kind == CLOCK_DECISION);
}

static void show_hands(struct table_work *work)
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
        if (!edits || !plays) {
            whisper(work, seat, who->news);
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

/* What was said. */

// Appends to a seat's news; what finds no room any more goes out by itself, the oldest first.
static void add_news(struct table_work *work, unsigned seat, const char *text)
{
    struct table_seat *const who = &work->table->seats[seat];
    const size_t length = strlen(text);
    const size_t used = strlen(who->news);
    if (used + length < sizeof who->news) {
        memcpy(who->news + used, text, length + 1);
        return;
    }
    whisper(work, seat, who->news);
    memset(who->news, 0, sizeof who->news);
    if (length < sizeof who->news) {
        memcpy(who->news, text, length + 1);
    } else {
        whisper(work, seat, text);
    }
}

// Cuts lines off the front, and says so.
static bool shorten(struct message *message)
{
    if (strlen(message->text) <= NARRATION_MAX) {
        return true;
    }
    char *const text = malloc(NARRATION_MAX + 1);
    if (text == NULL) {
        return false;
    }
    (void)text_cut(message->text, NARRATION_MAX, TEXT_TAIL, text_sentence(TEXT_HALL_EARLIER), text);
    free(message->text);
    message->text = text;
    return true;
}

// What is private to a seat goes into its news, and out of the list.
static void take_news(struct table_work *work)
{
    struct message_list *const said = work->said;
    const size_t count = said->count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct message message = said->items[i];
        const bool seated = message.seat < work->table->seat_count &&
                            table_seat_is_person(&work->table->seats[message.seat]);
        if (message.to != MESSAGE_PRIVATE) {
            said->items[kept++] = message;
            continue;
        }
        said->items[i].text = NULL;
        if (seated) {
            add_news(work, message.seat, message.text);
        }
        message_finish(&message);
    }
    for (size_t i = count; i < said->count; i++) { // whispers of what found no room
        said->items[kept++] = said->items[i];
    }
    said->count = kept;
}

void table_show(struct table_workspace *workspace, struct table_outcome *outcome)
{
    struct table_work work = {.table = outcome->after,
                              .game = table_own_game(outcome->after),
                              .ws = workspace,
                              .outcome = outcome,
                              .said = &outcome->said,
                              .stamp = outcome->stamp};
    if (!table_find_box(&work, NULL)) {
        table_outcome_fail(outcome);
        return;
    }
    work.running = table_running_clock(work.table);
    (void)message_list_gather(&outcome->said);
    take_news(&work);
    for (size_t i = 0; i < outcome->said.count; i++) {
        struct message *const message = &outcome->said.items[i];
        if (message->to == MESSAGE_TABLE && !shorten(message)) {
            outcome->failed = true;
        }
    }
    table_rooms_call(&work);
    show_links(&work); // before the card, which takes over what it edits
    show_card(&work);
    show_hands(&work);
    if (table_outcome_lacks(outcome)) {
        table_outcome_fail(outcome);
    }
}

/* Again. */

static void card_again(struct table_work *work, unsigned at)
{
    struct card card;
    if (at >= work->table->site_count || !make_card(work, has(work, at, CHAT_CAP_PANEL), &card)) {
        return;
    }
    const struct table_site *const site = &work->table->sites[at];
    if ((table_workspace_caps(work->ws, site->network) & CHAT_CAP_PACED) != 0) {
        (void)add_paced(work, at, turn_of(work) == site->card_turn && is_begin(work));
    } else {
        add_card(work, at, &card);
    }
}

static void link_again(struct table_work *work, unsigned at)
{
    struct control_list controls;
    if (at < work->table->site_count && table_link(work, at, &controls)) {
        add_link(work, at, &controls);
    }
}

static void hand_again(struct table_work *work, unsigned seat)
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
        const struct table_words words = table_words_of(work, seat);
        list_own_moves(work, &words);
        make_hand(work, &words, caps, &hand);
    }
    add_hand(work, seat, &hand);
}

bool table_show_again(struct table_workspace *workspace, struct table *table, uint64_t stamp,
                      enum message_to board, unsigned at, struct message_list *said)
{
    struct table_outcome outcome = {.after = table, .stamp = stamp};
    struct table_work work = {.table = table,
                              .game = table_own_game(table),
                              .ws = workspace,
                              .outcome = &outcome,
                              .said = said,
                              .stamp = stamp};
    if (!table_find_box(&work, NULL)) {
        return false;
    }
    work.running = table_running_clock(table);
    if (board == MESSAGE_CARD) {
        card_again(&work, at);
    } else if (board == MESSAGE_LINK) {
        link_again(&work, at);
    } else {
        hand_again(&work, at);
    }
    return !outcome.failed && !said->failed;
}

void table_forget_shown(struct table *table, unsigned site_bits, unsigned seat_bits)
{
    for (unsigned i = 0; i < table->site_count; i++) {
        table->sites[i].card_hash = (site_bits >> i & 1u) != 0 ? 0 : table->sites[i].card_hash;
    }
    for (unsigned i = 0; i < table->seat_count; i++) {
        table->seats[i].hand_hash = (seat_bits >> i & 1u) != 0 ? 0 : table->seats[i].hand_hash;
    }
}
