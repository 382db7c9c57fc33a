// Cards: one where the table lies and, where it came from, one that shows the way. Made anew when
// and only when what they show has changed, all from the onlooker's view.
#include <string.h>

#include "bot/chat.h"
#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/table/show/show.h"

static void put_state(const struct table_work *work, struct text_out *out)
{
    const struct table *const table = work->table;
    enum { RESULT_SIZE = 4096 };
    char names[TABLE_NAMES_SIZE];
    char result[RESULT_SIZE];
    if (table->state == TABLE_OVER) {
        const struct table_words words = table_words_of(work, NO_SEAT);
        size_t length = render_victory(&words, result, sizeof result);
        if (length > 0) {
            length += render_deciding_fight(&words, &table->highlights, result + length,
                                            sizeof result - length);
            (void)render_result(&words, &table->highlights, result + length,
                                sizeof result - length);
            text_raw(out, result);
        } else {
            text_line(out, TEXT_LINK_ENDED, NULL);
        }
        return;
    }
    table_reach_names(table, (1u << table->seat_count) - 1u, names);
    text_line(out, TEXT_LINK_PLAYS,
              TEXT_ARGS(text_str("who", names), text_num("n", table->seat_count)));
    if (table->shut == SHUT_GONE) {
        text_line(out, TEXT_LINK_GONE, NULL);
    }
}

static bool has_room_for_more(const struct table *table)
{
    bool more = false;
    for (unsigned i = 0; i < table->seat_count; i++) {
        more = more || table_seat_is_free(&table->seats[i]);
    }
    return more && table->shut != SHUT_GONE &&
           (table->state == TABLE_RUNNING || table->state == TABLE_PAUSED);
}

// The card where a table came from: its text is in the workspace. False: there is none.
static bool table_link(const struct table_work *work, unsigned site, struct control_list *controls)
{
    const struct table *const table = work->table;
    struct text_out out;
    if (table->sites[site].from[0] == '\0' || table->state == TABLE_EMPTY ||
        table->state == TABLE_LOBBY || !table_has_rooms(work, site)) {
        return false;
    }
    text_begin(&out, work->ws->text, sizeof work->ws->text);
    put_state(work, &out);
    controls_begin(controls);
    if (has_room_for_more(table)) {
        text_line(&out, TEXT_LINK_SEAT, NULL);
        controls_add(controls, text_sentence(TEXT_CONTROL_JOIN), "join");
    } else if (table->state == TABLE_OVER) {
        table_over_controls(table, controls);
    }
    return true;
}

enum {
    MS_PER_S = 1000,
    CHAPTER_LOBBY = 1,                   /**< a game's are TABLE_CALLS_MAX and more */
    CHAPTER_RESULT = TABLE_CALLS_MAX - 1 /**< of the result where the table came from */
};

// The id of the question that is open to anybody, or 0.
static uint16_t decision_of_table(const struct table_words *words)
{
    const unsigned undecided = query_undecided(words->view);
    struct query_decision decision = {.kind = DECIDE_TOTAL};
    if (undecided != 0) {
        query_decision(words->view, words->box, seat_first(undecided), &decision);
    }
    return decision.kind < DECIDE_TOTAL ? decision.id : 0;
}

uint32_t table_turn_of(const struct table_work *work)
{
    return work->table->state != TABLE_EMPTY && work->table->state != TABLE_LOBBY
               ? query_round(work->game) * MB_SEATS_MAX + query_turn(work->game) + 1
               : 0;
}

static void lobby_controls(const struct table *table, struct control_list *out)
{
    const bool asks = table_asked_again(table) != 0;
    const unsigned seats = table->options.seats > 0 ? table->options.seats : MB_SEATS_MAX;
    const bool full = table->seat_count >= seats;
    if (asks || !full) {
        controls_add(out, text_sentence(asks ? TEXT_CONTROL_IN : TEXT_CONTROL_JOIN), "join");
        controls_tone(out, asks ? CHAT_LIKELY : CHAT_PLAIN);
    }
    if (!full) {
        controls_add(out, text_sentence(TEXT_CONTROL_ADD_BOT), "add-bot");
    }
    controls_open(out, text_sentence(TEXT_CONTROL_OPTIONS), "o");
    controls_add(out, text_sentence(TEXT_CONTROL_START), "start");
    controls_add(out, text_sentence(TEXT_CONTROL_LEAVE), "leave");
}

// Buttons of the card, from the onlooker's view: a player who has passed unseen counts as one who
// has not. Returns the open question.
static uint16_t card_controls(const struct table_work *work, struct control_list *out)
{
    if (work->table->state == TABLE_LOBBY && work->table->starting == 0) {
        lobby_controls(work->table, out);
    }
    if (work->table->state == TABLE_OVER) {
        table_over_controls(work->table, out);
    }
    if (work->table->state == TABLE_PAUSED && work->table->shut == SHUT_NO) {
        controls_add(out, text_sentence(TEXT_CONTROL_RESUME), "resume");
    }
    if (work->table->state != TABLE_RUNNING) {
        return 0;
    }
    const struct scene *const scene = work->ws->scene;
    const struct game *const view = scene->words.view;
    unsigned seats = query_clock(view).seats | seat_bit(query_turn(view));
    for (unsigned i = 0; i < query_deal_count(view); i++) {
        const struct deal *const deal = query_deal(view, i);
        seats |= deal->to < MB_SEATS_MAX ? seat_bit(deal->to) : (1u << MB_SEATS_MAX) - 1u;
    }
    controls_card(scene, seats, out);
    return decision_of_table(&scene->words);
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
    return work->table->state == TABLE_RUNNING && query_phase(work->game) == PHASE_START &&
           (table_people_seats(work->table) & seat_bit(query_turn(work->game))) != 0;
}

// Who is waited for, by what clock. With words at the beginning of a turn.
static void add_paced(struct table_work *work, unsigned at, bool begins)
{
    const struct table *const table = work->table;
    const struct table_due due = table_due(table);
    const bool window = due.clock == CLOCK_WINDOW || due.clock == CLOCK_ANSWER;
    const char first = work->ws->text[0];
    work->ws->text[0] = (char)(begins ? first : '\0');
    table_add_board(work, MESSAGE_CARD, NO_SEAT, NULL);
    work->ws->text[0] = first;
    struct message *const message = &work->said->items[work->said->count - 1];
    const unsigned asked = table->state == TABLE_PAUSED ? ~0u : due.seats;
    message->site = at;
    message->version = table_card_version(table, at);
    message->asked = asked & table_people_seats(table);
    message->clock_ms = window ? due.clock_ms : -1;
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
    const uint32_t turn = table_turn_of(work);
    const bool begins = turn != site->card_turn && is_begin(work);
    const uint64_t hash =
        board_mix(board_mix(asked + 1u, window ? table_clock_about(work, work->running) : 0),
                  due.clock) ^
        time_key(work);
    if (!begins && (hash | 1u) == site->card_hash) {
        return;
    }
    site->card_version++;
    site->card_turn = begins ? turn : site->card_turn;
    site->card_hash = hash | 1u;
    add_paced(work, at, begins);
}

/** A card, but for its text, which is in the workspace. */
struct card {
    struct control_list controls;
    uint16_t decision;
    char prompt[CHAT_PROMPT_SIZE]; /**< whom the table waits for, and for what */
};

// What a lobby asks whom it calls, and a game that is over.
static void word_call(const struct table_work *work, struct card *card)
{
    const struct table *const table = work->table;
    char names[TABLE_NAMES_SIZE];
    struct text_out text;
    text_begin(&text, card->prompt, sizeof card->prompt);
    if (table_asked_again(table) != 0 && table->host != NO_SEAT) {
        text_put(&text, TEXT_SESSION_CALLS_AGAIN,
                 TEXT_ARGS(text_str("who", table_seat_name(table, table->host))));
    } else if (table->state == TABLE_OVER && query_winners(work->game) != 0) {
        const unsigned winners = query_winners(work->game);
        table_reach_names(table, winners, names);
        text_put(&text, TEXT_SESSION_OVER_CALL,
                 TEXT_ARGS(text_str("who", names),
                           text_num("n", (winners & (winners - 1)) == 0 ? 1 : 2)));
    }
}

// What everybody sees, into the workspace's scene. While a table rests nobody is asked anything.
static void see_table(const struct table_work *work, struct card *card)
{
    const struct table_words words = table_words_of(work, NO_SEAT);
    scene_make(work->ws->scene, &words, SAYS_NOTHING);
    if (work->table->state != TABLE_RUNNING) {
        work->ws->scene->asks.count = 0;
    }
    card->prompt[0] = '\0';
    word_call(work, card);
}

// What people are asked; if it is nobody, what bot players are. Lines that find no room are left
// out whole.
static void word_asks(const struct table_work *work, struct card *card)
{
    const struct scene *const scene = work->ws->scene;
    const unsigned asked = asks_seats(&scene->asks);
    const unsigned people = asked & table_people_seats(work->table);
    struct text_out text = {.full = true};
    if (asked == 0) {
        return;
    }
    for (unsigned most = ASKS_TOLD; most > 0 && text.full; most--) {
        text_begin(&text, card->prompt, sizeof card->prompt);
        render_asks(scene, people != 0 ? people : asked, most, &text);
    }
    const size_t length = text.full ? 0 : text.length;
    card->prompt[length > 0 ? length - 1 : 0] = '\0'; // without its last line end
}

// Of the workspace's scene. False: there is no card.
static bool make_card(const struct table_work *work, uint32_t caps, struct card *card)
{
    if ((caps & CHAT_CAP_STORY) != 0 && card->prompt[0] == '\0') {
        word_asks(work, card);
    }
    if (table_card(work, caps, work->ws->text, sizeof work->ws->text) == 0) {
        return false;
    }
    controls_begin(&card->controls);
    card->decision = 0;
    if ((caps & CHAT_CAP_BUTTONS) != 0) {
        card->decision = card_controls(work, &card->controls);
    }
    return true;
}

// What a card shows, countdowns left out; never 0. What is asked stands only on a card that tells
// the story: another one that changed with it would tell of a pass nobody sees.
static uint64_t card_hash(const struct table_work *work, uint32_t caps, const struct card *card)
{
    const char *const prompt = (caps & CHAT_CAP_STORY) != 0 ? card->prompt : "";
    const uint64_t says =
        board_mix(board_hash_text(work->ws, work->ws->text), board_hash_text(work->ws, prompt));
    return board_mix(
               board_mix(says, board_hash(work->ws, card->controls.text, card->controls.used)),
               time_key(work)) |
           1u;
}

static uint32_t caps_of(const struct table_work *work, unsigned at)
{
    return table_workspace_caps(work->ws, work->table->sites[at].network);
}

// Whom the table waits for, as everybody may know it.
static void ask_on_card(const struct table_work *work, const struct card *card,
                        struct message *message)
{
    enum { HALF = 16 };
    memcpy(message->prompt, card->prompt, sizeof message->prompt);
    const bool over = work->table->state == TABLE_OVER; // everybody is asked: once more?
    const struct ask_list *const asks = &work->ws->scene->asks;
    const unsigned asked = over ? ~0u : asks_seats(asks) | table_asked_again(work->table);
    message->asked = asked & table_people_seats(work->table);
    if (asks->count > 0) {
        const struct ask *const first = &asks->items[0];
        message->question = (struct chat_question){
            .what = (uint16_t)((first->key ^ (first->key >> HALF)) | 1u), .seats = first->seats};
    }
}

static uint8_t mood_of(const struct table_work *work)
{
    const struct ask_list *const asks = &work->ws->scene->asks;
    if (work->table->state == TABLE_OVER) {
        return CHAT_MOOD_OVER;
    }
    if (work->table->state != TABLE_RUNNING && work->table->state != TABLE_PAUSED) {
        return CHAT_MOOD_LOBBY;
    }
    for (unsigned i = 0; i < asks->count; i++) {
        if (asks->items[i].kind == ASK_LAST) {
            return CHAT_MOOD_LAST;
        }
    }
    return work->ws->scene->fight.on ? CHAT_MOOD_FIGHT : CHAT_MOOD_TURN;
}

static void add_card(struct table_work *work, unsigned at, const struct card *card)
{
    table_add_board(work, MESSAGE_CARD, NO_SEAT, &card->controls);
    struct message *const message = &work->said->items[work->said->count - 1];
    if ((caps_of(work, at) & CHAT_CAP_STORY) != 0) {
        ask_on_card(work, card, message);
    }
    message->site = at;
    message->version = table_card_version(work->table, at);
    message->turn = table_turn_of(work);
    message->chapter = work->table->chapter;
    message->mood = mood_of(work);
    message->clock_ms = table_words_of(work, NO_SEAT).left_s * (int64_t)MS_PER_S;
    message->decision = card->decision;
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

// Whether the turn is another than that of the latest chapter.
static bool turn_begins(const struct table_work *work)
{
    const uint32_t turn = table_turn_of(work);
    return turn != 0 && turn != work->table->chapter / TABLE_CALLS_MAX;
}

// A chapter begins with a turn, and with whatever calls somebody: its card is posted anew.
static void tell_story(struct table_work *work, const struct message *told, unsigned pings)
{
    struct table *const table = work->table;
    if (table->state == TABLE_LOBBY && table->chapter == 0) {
        table->chapter = CHAPTER_LOBBY;
    } else if (turn_begins(work)) {
        table->chapter = table_turn_of(work) * TABLE_CALLS_MAX;
        table->story = 0;
    } else if (pings != 0 && (table->chapter + 1) % TABLE_CALLS_MAX != 0) {
        table->chapter++;
        table->story = 0;
    }
    if (told != NULL && table->story < TABLE_STORY_MAX) {
        table->story++;
    }
}

_Static_assert((int)TABLE_CALLED_MAX > (int)ASKS_MAX, "all that is open, and whose turn it is");

// Where that key stands among those that a seat knows; TABLE_CALLED_MAX: nowhere.
static unsigned place_of(const struct table_seat *seat, uint32_t key)
{
    unsigned at = 0;
    while (at < TABLE_CALLED_MAX && seat->called[at] != key) {
        at++;
    }
    return at;
}

// Whether somebody knew of that question; they do from now on. What they heard of last stands
// first: whatever is open is looked at with every step, so what falls out is asked no more.
static bool knew(struct table_seat *seat, uint32_t key)
{
    const unsigned at = place_of(seat, key);
    const unsigned moved = at < TABLE_CALLED_MAX ? at : TABLE_CALLED_MAX - 1;
    memmove(&seat->called[1], &seat->called[0], moved * sizeof seat->called[0]);
    seat->called[0] = key;
    return at < TABLE_CALLED_MAX;
}

// Who is asked something they have not been asked before and wants to be called for it: once,
// whatever lies in between; in quiet hours when they are over. Nothing of it depends on what
// anybody holds.
static unsigned newly_called(struct table_work *work, const struct ask_list *asks)
{
    static const enum table_notify WISHES[] = {
        [RINGS_NOBODY] = NOTIFY_NONE, [RINGS_ALL] = NOTIFY_ALL, [RINGS_TURN] = NOTIFY_TURN};
    unsigned called = 0;
    for (unsigned i = 0; work->table->quiet == 0 && i < asks->count; i++) {
        const struct ask *const ask = &asks->items[i];
        const enum ask_rings rings = ask_rings(ask->kind);
        const unsigned wants = rings != RINGS_NOBODY ? table_wants(work->table, WISHES[rings]) : 0;
        for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
            struct table_seat *const who = &work->table->seats[seat];
            const bool asked = (ask->calls & seat_bit(seat)) != 0 && table_seat_is_person(who);
            if (asked && !knew(who, ask->key)) {
                called |= wants & seat_bit(seat);
            }
        }
    }
    return called;
}

// Whom all this calls, if they want to be.
static unsigned pings_of(struct table_work *work, struct card *card, struct message *told)
{
    const unsigned more = told != NULL ? told->pings : 0;
    const unsigned pings =
        newly_called(work, &work->ws->scene->asks) | (more & table_wants(work->table, NOTIFY_TURN));
    if (told != NULL) {
        told->pings = pings;
        if (pings != 0) {
            word_asks(work, card);
            ask_on_card(work, card, told);
        }
    }
    return pings;
}

void table_show_cards(struct table_work *work)
{
    struct table *const table = work->table;
    const uint32_t turn = table_turn_of(work);
    struct card card;
    struct message *const told = narration(work);
    see_table(work, &card);
    const unsigned pings = pings_of(work, &card, told);
    tell_story(work, told, pings);
    for (unsigned i = 0; i < table->site_count; i++) {
        struct table_site *const site = &table->sites[i];
        const uint32_t caps = caps_of(work, i);
        if (!make_card(work, caps, &card)) {
            return;
        }
        if ((caps & CHAT_CAP_PACED) != 0) {
            show_paced(work, i);
            continue;
        }
        const uint64_t hash = card_hash(work, caps, &card);
        // Where nothing can be edited the card comes when a turn begins; narration tells the rest.
        const bool news = (caps & CHAT_CAP_EDIT) != 0 || (turn != 0 && turn != site->card_turn);
        const bool tells = (told != NULL || pings != 0) && (caps & CHAT_CAP_STORY) != 0;
        if (tells || (news && hash != site->card_hash)) {
            site->card_version++;
            site->card_turn = turn;
            site->card_hash = hash;
            add_card(work, i, &card);
            const bool called = table->state == TABLE_OVER && site->from[0] != '\0'; // there
            call(work, tells, (caps & CHAT_CAP_STORY) != 0 && !called ? pings : 0);
        }
    }
}

/* The way to a table, where it came from. */

// The result is a message of its own there, and calls who wants to be called.
static void add_link(struct table_work *work, unsigned at, const struct control_list *controls)
{
    const struct table *const table = work->table;
    table_add_board(work, MESSAGE_LINK, NO_SEAT, controls);
    struct message *const message = &work->said->items[work->said->count - 1];
    struct card card;
    message->site = at;
    message->version = board_version(table->sites[at].link_version, table->sites[at].link_hash);
    message->clock_ms = -1;
    if (table->state == TABLE_OVER && query_winners(work->game) != 0) {
        word_call(work, &card);
        memcpy(message->prompt, card.prompt, sizeof message->prompt);
        message->chapter = CHAPTER_RESULT;
        message->pings = table_wants(table, NOTIFY_TURN);
    }
}

void table_show_links(struct table_work *work)
{
    struct control_list controls;
    for (unsigned i = 0; i < work->table->site_count; i++) {
        struct table_site *const site = &work->table->sites[i];
        if (!table_link(work, i, &controls)) {
            continue;
        }
        const uint64_t hash = board_mix(board_hash_text(work->ws, work->ws->text),
                                        board_hash(work->ws, controls.text, controls.used)) |
                              1u;
        if (hash != site->link_hash) {
            site->link_hash = hash;
            site->link_version++;
            add_link(work, i, &controls);
        }
    }
}

void table_card_again(struct table_work *work, unsigned at)
{
    struct card card;
    see_table(work, &card);
    if (at >= work->table->site_count || !make_card(work, caps_of(work, at), &card)) {
        return;
    }
    const struct table_site *const site = &work->table->sites[at];
    if ((caps_of(work, at) & CHAT_CAP_PACED) != 0) {
        add_paced(work, at, table_turn_of(work) == site->card_turn && is_begin(work));
    } else {
        add_card(work, at, &card);
    }
}

void table_link_again(struct table_work *work, unsigned at)
{
    struct control_list controls;
    if (at < work->table->site_count && table_link(work, at, &controls)) {
        add_link(work, at, &controls);
    }
}
