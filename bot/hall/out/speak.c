// What tables say, and the hall's own sentences.
#include <stdlib.h>
#include <string.h>

#include "bot/hall/out/out.h"
#include "bot/parse/verb.h"

void hall_say(struct hall *hall, struct hall_table *table, enum text_id id,
              const struct text_arg *args)
{
    char text[HALL_SENTENCE_SIZE];
    (void)hall_sentence(text, id, args);
    for (unsigned i = 0; table->table != NULL && i < hall_sites(table->table); i++) {
        const struct hall_message words = {.network = table_site_network(table->table, i),
                                           .loose = true,
                                           .out = {.kind = CHAT_NARRATION,
                                                   .key = hall_number(hall),
                                                   .place = table_site_place(table->table, i),
                                                   .text = text}};
        hall_post(hall, table, hall_message_make(NULL, &words));
    }
}

/* The messages of a step. */

/** Where messages go while a step's are made. */
struct speaking {
    struct hall *hall;
    const struct hall_table *table;
    const struct table *after;
    struct hall_message **end;
    const struct hall_line *line; /* what the step came from, or NULL */
    struct said *said;            /* the words of what the step says */
    bool answered;                /* something bears what the chat answers it by */
    bool aloud;                   /* the answer may be what all read */
};

static struct mb_pool *pool_of(struct speaking *to)
{
    return &to->said->words;
}

// `said` holds its text and controls.
static void put_held(struct speaking *to, struct said *said, struct hall_message *words)
{
    const struct chat *const chat = hall_chat(to->hall, words->network);
    struct chat_out *const out = &words->out;
    out->key = hall_number(to->hall);
    out->cause = to->line != NULL ? to->line->in->person : NULL;
    words->heard_ms = to->line != NULL ? to->line->heard_ms : 0;
    // A narration is in the log anyway, a board in no row.
    const bool whole = words->narrates || words->board != 0;
    char *const cut = whole ? NULL : hall_cut(chat, out->kind, out->text);
    out->text = cut != NULL ? mb_pool_text(&said->words, cut) : out->text;
    free(cut);
    memcpy(out->bond.table, table_id(to->after), sizeof out->bond.table);
    struct hall_message *const message = hall_message_make(said, words);
    *to->end = message;
    to->end = &message->next;
}

static void put_message(struct speaking *to, struct hall_message *words)
{
    put_held(to, to->said, words);
}

static bool person_at(const struct table *table, unsigned seat, struct person *out)
{
    return seat < table_seat_count(table) && (table_people_seats(table) & seat_bit(seat)) != 0 &&
           table_seat_person(table, seat, false, out);
}

// The people of some seats who are known by that network.
static size_t ids_of(struct mb_pool *pool, const struct table *table, unsigned seats,
                     const char *network, const char *const **out)
{
    size_t count = 0;
    const char **const ids = mb_pool_new(pool, MB_SEATS_MAX, sizeof *ids);
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if ((seats & seat_bit(seat)) != 0 && person_at(table, seat, &person) &&
            strcmp(person.network, network) == 0) {
            ids[count++] = mb_pool_text(pool, person.id);
        }
    }
    *out = ids;
    return count;
}

// Whether a message goes where the line was said.
static bool is_where(const struct hall_line *line, const struct hall *hall,
                     const struct hall_message *words)
{
    return !line->in->afar && strcmp(chat_name(hall->chats[line->chat]), words->network) == 0 &&
           strcmp(line->in->place, words->out.place) == 0;
}

static bool tells_story(const struct speaking *to, unsigned site)
{
    const struct chat *const chat = hall_chat(to->hall, table_site_network(to->after, site));
    return chat != NULL && (chat_caps(chat) & CHAT_CAP_STORY) != 0;
}

// Whether a card of this step tells there what narration tells elsewhere.
static bool is_told(const struct speaking *to, unsigned site)
{
    const struct message_list *const said = &to->table->step->outcome.said;
    bool told = false;
    for (size_t i = 0; i < said->count; i++) {
        const struct message *const card = &said->items[i];
        told = told || (card->to == MESSAGE_CARD && card->site == site && card->tells);
    }
    return told && tells_story(to, site) && table_shut(to->after) == SHUT_NO;
}

static void narrate(struct speaking *to, const struct message *message)
{
    const struct table *const before = to->table->table;
    const bool starts = table_is_starting(to->after) && !table_is_starting(before);
    for (unsigned i = 0; i < table_site_count(to->after); i++) {
        const char *const network = table_site_network(to->after, i);
        struct hall_message words = {.network = network,
                                     .narrates = true,
                                     .starts = starts && i == 0,
                                     .out = {.kind = CHAT_NARRATION,
                                             .place = table_site_voice(to->after, i),
                                             .text = message->text}};
        if (words.out.place[0] == '\0' || is_told(to, i)) {
            continue; // nobody is there; the log has it, or the card
        }
        if (to->aloud && !to->answered && is_where(to->line, to->hall, &words)) {
            words.out.answer = to->line->in->answer;
            to->answered = true;
        }
        const unsigned pings = hall_is_quiet(to->hall, to->after) ? 0 : message->pings;
        words.out.ping_count = ids_of(pool_of(to), to->after, pings, network, &words.out.pings);
        words.out.prompt = words.out.ping_count > 0 ? message->prompt : NULL;
        put_message(to, &words);
    }
}

const char *hall_place_of(const struct table *table, const struct person *person)
{
    for (unsigned i = 0; i < table_site_count(table); i++) {
        if (strcmp(table_site_network(table, i), person->network) == 0) {
            return table_site_place(table, i);
        }
    }
    return "";
}

// A card or a hand. The words point into the table and the message; ids of people are put into the
// pool.
static void board_words(struct mb_pool *pool, const struct table *table,
                        const struct message *message, struct hall_message *words)
{
    struct person person;
    struct chat_out *const out = &words->out;
    *words = (struct hall_message){.made = true,
                                   .out = {.kind = CHAT_CARD,
                                           .text = message->text,
                                           .controls = message->controls,
                                           .control_count = message->control_count,
                                           .prompt = message->prompt,
                                           .path = message->path,
                                           .turn = message->turn,
                                           .chapter = message->chapter,
                                           .mood = message->mood,
                                           .clock_ms = message->clock_ms,
                                           .bond = {.on = CHAT_ON_CARD,
                                                    .version = message->version,
                                                    .decision = message->decision}}};
    memcpy(out->bond.table, table_id(table), sizeof out->bond.table);
    unsigned asked = message->asked;
    if (message->to == MESSAGE_LINK) {
        words->board = (uint8_t)(HALL_BOARD_LINK + message->site);
        words->network = table_site_network(table, message->site);
        out->place = table_site_from(table, message->site);
        out->moved = table_shut(table) == SHUT_GONE ? NULL : table_site_place(table, message->site);
        out->clock_ms = -1;
        asked = 0;
    } else if (message->to == MESSAGE_CARD) {
        words->board = (uint8_t)(1 + message->site);
        words->network = table_site_network(table, message->site);
        out->place = table_site_place(table, message->site);
        out->question = message->question;
    } else if (person_at(table, message->seat, &person)) {
        words->board = (uint8_t)(HALL_BOARD_HAND + message->seat);
        words->network = person.network;
        out->kind = CHAT_HAND;
        out->place = hall_place_of(table, &person);
        out->person = person.id;
        out->bond.on = CHAT_ON_HAND;
        out->idle = message->idle;
    }
    if (words->network != NULL) {
        out->asked_count = ids_of(pool, table, asked, words->network, &out->asked);
        words->calls = (uint8_t)(out->kind == CHAT_CARD ? message->pings : 0);
    }
}

// Whether the step is what came of a press of that very board.
static bool is_pressed(const struct speaking *to, const struct hall_message *words)
{
    const struct chat_in *const in = to->line != NULL ? to->line->in : NULL;
    if (in == NULL || in->answer[0] == '\0' || in->pressed == 0) {
        return false;
    }
    // A result stays as it is when another game begins.
    const bool card = words->out.kind == CHAT_CARD && in->bond.on == CHAT_ON_CARD &&
                      to->table->step->renewed == NULL && is_where(to->line, to->hall, words);
    return card || (words->out.kind == CHAT_HAND && in->bond.on == CHAT_ON_HAND &&
                    strcmp(words->network, chat_name(to->hall->chats[to->line->chat])) == 0 &&
                    strcmp(words->out.person, in->person) == 0);
}

// Whether they have asked for it once more, whatever has failed before.
static bool retries(const struct speaking *to, const struct person *person)
{
    if (to->line == NULL || to->line->kind != REQUEST_DM) {
        return false;
    }
    const struct person speaker = hall_speaker(to->hall, to->line);
    return strcmp(speaker.network, person->network) == 0 && strcmp(speaker.id, person->id) == 0;
}

// Whom older forms of that card are to call, and have not called yet.
static unsigned waiting_calls(const struct hall_table *table, const struct hall_message *words)
{
    unsigned calls = 0;
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        const bool same = at->board == words->board && at->state == HALL_WAITS &&
                          strcmp(at->network, words->network) == 0 &&
                          strcmp(at->out.place, words->out.place) == 0;
        calls |= same ? at->calls : 0u;
    }
    return calls;
}

size_t hall_board_calls(const struct hall *hall, const struct table *table,
                        const struct hall_message *message, const struct chat_out *asked,
                        struct mb_pool *pool, const char *const **out)
{
    const char *const *ids = NULL;
    const unsigned seats = table == NULL || hall_is_quiet(hall, table) ? 0 : message->calls;
    const size_t count = ids_of(pool, table, seats, message->network, &ids);
    const char **const called = mb_pool_new(pool, MB_SEATS_MAX, sizeof *called);
    size_t called_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_asked = asked == NULL;
        for (size_t j = 0; !is_asked && j < asked->asked_count; j++) {
            is_asked = strcmp(asked->asked[j], ids[i]) == 0;
        }
        if (is_asked) {
            called[called_count++] = ids[i];
        }
    }
    *out = called;
    return called_count;
}

// The pressed board answers for itself, unless an edit of it is on its way: of two the older could
// come last.
static void show_board(struct speaking *to, const struct message *message)
{
    struct hall_message words;
    board_words(pool_of(to), to->after, message, &words);
    struct chat_out *const out = &words.out;
    if (words.network == NULL) {
        return; // nobody reads it
    }
    words.inherited = (uint8_t)(waiting_calls(to->table, &words) & message->asked);
    const struct person reader = {.network = words.network, .id = out->person};
    out->retries = out->kind == CHAT_HAND && retries(to, &reader);
    if (message->to == MESSAGE_CARD && tells_story(to, message->site)) {
        out->story = to->table->step->story != NULL ? to->table->step->story : "";
    }
    if (to->line != NULL && !to->answered && is_pressed(to, &words) &&
        hall_acts(to->hall, to->table) && !hall_edits(to->table, words.board)) {
        out->answer = to->line->in->answer;
        to->answered = true;
    }
    put_message(to, &words);
}

// What a board is, and whose: the number of its site or seat.
static enum message_to board_of(uint8_t board, unsigned *at)
{
    const bool card = board < HALL_BOARD_HAND;
    const bool link = board >= HALL_BOARD_LINK;
    *at = board - (card ? 1u : link ? (unsigned)HALL_BOARD_LINK : (unsigned)HALL_BOARD_HAND);
    return card ? MESSAGE_CARD : link ? MESSAGE_LINK : MESSAGE_HAND;
}

struct hall_message *hall_board(const struct table *table, uint8_t board)
{
    unsigned at = 0;
    const enum message_to to = board_of(board, &at);
    const struct message message = {.to = to, .site = at, .seat = at, .clock_ms = -1};
    struct hall_message words = {.state = HALL_TOLD};
    struct mb_pool ids = {.last = NULL};
    struct person person;
    const bool sited = to != MESSAGE_HAND && at < table_site_count(table);
    if (sited || (to == MESSAGE_HAND && person_at(table, at, &person))) {
        board_words(&ids, table, &message, &words);
    }
    words.made = false;
    struct hall_message *const made = hall_message_make(NULL, &words);
    mb_pool_finish(&ids);
    return made;
}

bool hall_board_again(struct hall *hall, struct hall_table *table,
                      const struct hall_message *message, struct hall_message **out)
{
    unsigned at = 0;
    const enum message_to to = board_of(message->board, &at);
    const bool card = to != MESSAGE_HAND;
    struct message_list said = {.items = NULL};
    struct hall_message words = {.network = NULL};
    struct chat_out *const shown = &words.out;
    *out = NULL;
    if (table->table == NULL || table_state(table->table) == TABLE_EMPTY) {
        return false;
    }
    const bool done = table_show_again(hall->workspace, table->table, table->stamp, to, at, &said);
    if (said.count > 0) {
        board_words(message_words(&said), table->table, &said.items[0], &words);
        const struct chat *const chat = hall_chat(hall, message->network);
        const bool tells = chat != NULL && (chat_caps(chat) & CHAT_CAP_STORY) != 0;
        shown->story = card && tells ? (table->story != NULL ? table->story : "") : NULL;
    }
    // What a seat holds is shown to who sits there now, and to nobody else.
    const char *const reader = card ? shown->place : shown->person;
    const bool theirs = said.count > 0 && words.network != NULL && reader != NULL &&
                        strcmp(words.network, message->network) == 0 &&
                        strcmp(reader, card ? message->out.place : message->out.person) == 0;
    *out = done && theirs ? hall_message_make(said.said, &words) : NULL;
    message_list_finish(&said);
    return !done || theirs;
}

static void tell(struct speaking *to, const struct message *message, const struct person *person)
{
    struct hall_message words = {.network = person->network,
                                 .out = {.kind = CHAT_WHISPER,
                                         .place = hall_place_of(to->after, person),
                                         .person = person->id,
                                         .prompt = message->prompt,
                                         .retries = retries(to, person),
                                         .text = message->text}};
    put_message(to, &words);
}

// The message of the speaker's own that was pressed, made anew below a sentence.
static void answer_own(struct speaking *to, const char *on_top, const struct refusal *refusal)
{
    struct hall_page page;
    if (hall_panel(to->hall, to->table, true, to->line, on_top, &page)) {
        page.words.out.refusal = refusal;
        to->answered = true;
        put_held(to, page.said.said, &page.words);
    }
    message_list_finish(&page.said);
}

// Answers go to who asked; to others what they are told besides, and to bot players nothing.
static void reply(struct speaking *to, const struct message *message)
{
    const struct hall_step *const step = to->table->step;
    const struct hall_line *const line = step->line;
    const struct person speaker =
        line != NULL ? hall_speaker(to->hall, line) : (struct person){.id = ""};
    struct person person;
    const bool asked = line != NULL && (message->seat == NO_SEAT || message->seat == step->asker ||
                                        message->seat == table_seat_of(to->after, &speaker));
    const struct refusal *const refusal =
        message->refusal.code != REFUSAL_NONE ? &message->refusal : NULL;
    if (asked && line->own && !to->answered) {
        answer_own(to, message->text, refusal);
    } else if (asked) {
        struct hall_message words = {.network = speaker.network,
                                     .out = {.kind = CHAT_REPLY,
                                             .place = line->in->place,
                                             .person = speaker.id,
                                             .event = line->in->event,
                                             .answer = line->in->answer,
                                             .text = message->text,
                                             .open = hall_answer_is_open(line, refusal),
                                             .refusal = refusal}};
        to->answered = true;
        put_message(to, &words);
    } else if (person_at(to->after, message->seat, &person)) {
        tell(to, message, &person);
    }
}

static bool tells_the_table(const struct message_list *said)
{
    for (size_t i = 0; i < said->count; i++) {
        if (said->items[i].to == MESSAGE_TABLE) {
            return true;
        }
    }
    return false;
}

// Whether the card of this step tells its story where the line was said.
static bool is_told_there(const struct speaking *to)
{
    for (unsigned i = 0; i < table_site_count(to->after); i++) {
        const struct hall_message words = {.network = table_site_network(to->after, i),
                                           .out = {.place = table_site_place(to->after, i)}};
        if (is_told(to, i) && is_where(to->line, to->hall, &words)) {
            return true;
        }
    }
    return false;
}

// Answers in private a line whose chat waits for an answer. What the speaker sees changing, or
// where a press was made, is not told again; where nothing shows, as a secret pass does not, that
// is said.
static void acknowledge(struct speaking *to, const struct message_list *said)
{
    char done[HALL_SENTENCE_SIZE];
    const struct chat_in *const in = to->line->in;
    if (to->line->own) {
        answer_own(to, tells_the_table(said) ? "" : hall_sentence(done, TEXT_HALL_NOTED, NULL),
                   NULL);
        return;
    }
    const bool shown = in->pressed == 0 && is_told_there(to);
    const char *text =
        in->pressed != 0 ? "" : hall_sentence(done, shown ? TEXT_HALL_DONE : TEXT_HALL_NOTED, NULL);
    for (size_t i = 0; i < said->count && in->pressed == 0 && !shown; i++) {
        if (said->items[i].to == MESSAGE_TABLE) {
            text = said->items[i].text;
            break;
        }
    }
    struct hall_message words = {.network = chat_name(to->hall->chats[to->line->chat]),
                                 .out = {.kind = CHAT_REPLY,
                                         .place = in->place,
                                         .person = in->person,
                                         .event = in->event,
                                         .answer = in->answer,
                                         .text = mb_pool_word(pool_of(to), text)}};
    put_message(to, &words);
}

/* Hands that are shown no more. */

static bool shows_hands(const struct table *table)
{
    const enum table_state state = table_state(table);
    return state == TABLE_LOBBY || state == TABLE_RUNNING || state == TABLE_PAUSED;
}

static bool holds_hand(const struct table *table, const struct person *person)
{
    return shows_hands(table) && table_seat_of(table, person) != NO_SEAT;
}

static enum text_id why_parted(const struct table *after)
{
    switch (table_state(after)) {
    case TABLE_EMPTY:
        return TEXT_HAND_CLOSED;
    case TABLE_OVER:
        return TEXT_HAND_OVER;
    case TABLE_LOBBY:
        return TEXT_HAND_NO_SEAT;
    default:
        return TEXT_HAND_LEFT;
    }
}

// Whether the step is what came of a press of that message, on whatever page of it.
static bool is_pressed_there(const struct speaking *to, const struct person *person)
{
    const struct chat_in *const in = to->line != NULL ? to->line->in : NULL;
    return in != NULL && in->answer[0] != '\0' && in->pressed != 0 && in->direct &&
           (in->bond.on == CHAT_ON_HAND || in->bond.on == CHAT_ON_PANEL) &&
           strcmp(person->network, chat_name(to->hall->chats[to->line->chat])) == 0 &&
           strcmp(person->id, in->person) == 0;
}

// Only what has controls, or numbers that say what could be typed. Where whoever sits down is shown
// something at once, it may be on its way still.
static void end_hand(struct speaking *to, unsigned seat, const struct person *person, uint32_t caps)
{
    char reader[HALL_KEY_SIZE];
    hall_key(reader, person->network, person->id);
    const struct hall_board *const board = hall_hand_board(to->table, reader);
    if ((caps & CHAT_CAP_EDIT) == 0 || (caps & (CHAT_CAP_BUTTONS | CHAT_CAP_NUMBERS)) == 0 ||
        (board == NULL && (caps & CHAT_CAP_BUTTONS) == 0)) {
        return;
    }
    struct hall_message words = {.network = person->network,
                                 .parts = true,
                                 .beside = (uint8_t)(HALL_BOARD_HAND + seat),
                                 .out = {.kind = CHAT_HAND,
                                         .place = hall_place_of(to->table->table, person),
                                         .person = person->id,
                                         .replaces = board != NULL ? board->id : NULL,
                                         .text = text_sentence(why_parted(to->after)),
                                         .bond.on = CHAT_ON_HAND}};
    if (to->line != NULL && !to->answered && is_pressed_there(to, person) && board != NULL &&
        hall_acts(to->hall, to->table) && !hall_edits(to->table, words.beside)) {
        words.out.answer = to->line->in->answer;
        to->answered = true;
    }
    put_message(to, &words);
}

// Whoever gets up, is removed, or whose game is over keeps no hand with controls that do nothing.
// Those of a game that is put away bring it back.
static void end_hands(struct speaking *to)
{
    const struct table *const before = to->table->version > 0 ? to->table->table : NULL;
    const bool away = before != NULL && table_state(before) != TABLE_LOBBY &&
                      table_state(to->after) == TABLE_EMPTY;
    for (unsigned seat = 0; before != NULL && shows_hands(before) && !away && seat < MB_SEATS_MAX;
         seat++) {
        struct person person;
        if (!person_at(before, seat, &person) || holds_hand(to->after, &person)) {
            continue;
        }
        const struct chat *const chat = hall_chat(to->hall, person.network);
        if (chat != NULL) {
            end_hand(to, seat, &person, chat_caps(chat));
        }
    }
}

// A lobby that closes leaves nothing to press: its card keeps the story, and says so below it.
static void end_cards(struct speaking *to)
{
    const struct table *const before = to->table->version > 0 ? to->table->table : NULL;
    const bool closes = before != NULL && table_state(before) == TABLE_LOBBY &&
                        table_state(to->after) == TABLE_EMPTY && table_shut(before) == SHUT_NO;
    for (unsigned i = 0; closes && i < table_site_count(before); i++) {
        const struct chat *const chat = hall_chat(to->hall, table_site_network(before, i));
        struct hall_message words = {.network = table_site_network(before, i),
                                     .board = (uint8_t)(1 + i),
                                     .made = true,
                                     .out = {.kind = CHAT_CARD,
                                             .place = table_site_place(before, i),
                                             .story = to->table->story,
                                             .text = text_sentence(TEXT_HAND_CLOSED),
                                             .clock_ms = -1,
                                             .bond.on = CHAT_ON_CARD}};
        if (chat != NULL && (chat_caps(chat) & CHAT_CAP_EDIT) != 0 &&
            (chat_caps(chat) & (CHAT_CAP_BUTTONS | CHAT_CAP_SIGNS)) != 0 &&
            to->table->boards[words.board].id != NULL) {
            put_message(to, &words);
        }
    }
}

static void ask_room(struct speaking *to, const struct message *message)
{
    const char *const network = table_site_network(to->after, message->site);
    const char **const pings = mb_pool_new(pool_of(to), MB_SEATS_MAX, sizeof *pings);
    struct hall_message words = {.network = network,
                                 .out = {.kind = CHAT_ROOM,
                                         .place = table_site_place(to->after, message->site),
                                         .text = message->text,
                                         .pings = pings}};
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if ((message->pings & seat_bit(seat)) != 0 &&
            (person_at(to->after, seat, &person) ||
             table_seat_person(to->after, seat, true, &person)) &&
            strcmp(person.network, network) == 0) {
            pings[words.out.ping_count++] = person.id;
        }
    }
    put_message(to, &words);
}

// Behind all else: a room is made of the card as it lies there then.
static void ask_rooms(struct speaking *to, const struct message_list *said)
{
    for (size_t i = 0; i < said->count; i++) {
        if (said->items[i].to == MESSAGE_ROOM) {
            ask_room(to, &said->items[i]);
        }
    }
}

void hall_step_messages(struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    hall_story_tell(hall, table);
    struct speaking to = {.hall = hall,
                          .table = table,
                          .after = step->outcome.after,
                          .end = &step->messages,
                          .line = step->deed.kind == DEED_LINE ? step->line : NULL};
    (void)message_words(&step->outcome.said);
    to.said = step->outcome.said.said;
    const bool owed = to.line != NULL && to.line->in->answer[0] != '\0';
    to.aloud = owed && step->line->in->pressed == 0 && verb_line_is_open(step->line->words) &&
               !hall_narrates(table);
    for (size_t i = 0; i < step->outcome.said.count; i++) {
        const struct message *const message = &step->outcome.said.items[i];
        struct person person;
        switch (message->to) {
        case MESSAGE_TABLE:
            narrate(&to, message);
            break;
        case MESSAGE_CARD:
            if (table_shut(to.after) == SHUT_NO) {
                show_board(&to, message);
            }
            break;
        case MESSAGE_HAND:
        case MESSAGE_LINK:
            show_board(&to, message);
            break;
        case MESSAGE_ROOM:
            break;
        case MESSAGE_REPLY:
            reply(&to, message);
            break;
        case MESSAGE_PRIVATE:
        case MESSAGE_WHISPER:
            if (person_at(to.after, message->seat, &person)) {
                tell(&to, message, &person);
            }
            break;
        }
    }
    end_hands(&to);
    end_cards(&to);
    ask_rooms(&to, &step->outcome.said);
    if (owed && !to.answered) {
        acknowledge(&to, &step->outcome.said);
    }
}
