// The way out and back: in order for each reader, tried again when a chat cannot take it now, edits
// of one message one at a time. The store hears of every outcome, until it says that it has.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/out/out.h"

static void set_held(struct hall *hall, struct hall_table *table, bool held)
{
    hall->held_count += (held ? 1u : 0u) - (table->held ? 1u : 0u);
    table->held = held;
}

void hall_note_astray(struct hall_table *table, unsigned board, const char *reader)
{
    if (board == 0 || board >= HALL_BOARDS_MAX) {
        return;
    }
    const struct hall_board *const at = &table->boards[board];
    const bool known = at->id != NULL && reader != NULL && strcmp(at->reader, reader) == 0;
    table->astray = table->astray || !known;
}

struct chat_key hall_number(struct hall *hall)
{
    return (struct chat_key){.epoch = hall->epoch, .number = ++hall->numbers};
}

/* Messages that a chat has, by their keys. */

static struct hall_message **bucket_of(struct hall *hall, struct chat_key key)
{
    return &hall->sent[(key.number ^ key.epoch) % HALL_SENT_BUCKETS];
}

static struct hall_message **find_sent(struct hall *hall, struct chat_key key)
{
    struct hall_message **at = bucket_of(hall, key);
    while (*at != NULL &&
           ((*at)->out.key.epoch != key.epoch || (*at)->out.key.number != key.number)) {
        at = &(*at)->next_of_key;
    }
    return at;
}

static void note_sent(struct hall *hall, struct hall_message *message)
{
    struct hall_message **const bucket = bucket_of(hall, message->out.key);
    message->next_of_key = *bucket;
    *bucket = message;
}

static void forget_sent(struct hall *hall, const struct hall_message *message)
{
    struct hall_message **const at = find_sent(hall, message->out.key);
    if (*at != NULL) {
        *at = message->next_of_key;
    }
}

/* A table's list. */

bool hall_has_unsent(const struct hall_table *table)
{
    const struct hall_message *at = table->unsent;
    while (at != NULL && at->loose) {
        at = at->next;
    }
    return at != NULL;
}

// What shows the way to a table is not read at it.
bool hall_is_for_all(const struct hall_message *message)
{
    return message->out.kind == CHAT_NARRATION ||
           (message->out.kind == CHAT_CARD && message->board < HALL_BOARD_LINK);
}

static bool is_aloud(const struct hall_message *message)
{
    return !message->loose && message->state != HALL_TOLD && hall_is_for_all(message);
}

bool hall_speaks_aloud(const struct hall_table *table)
{
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (is_aloud(at)) {
            return true;
        }
    }
    return false;
}

bool hall_narrates(const struct hall_table *table)
{
    const struct hall_message *at = table->unsent;
    while (at != NULL && (at->out.kind != CHAT_NARRATION || at->state == HALL_TOLD)) {
        at = at->next;
    }
    return at != NULL;
}

static void take_out(struct hall *hall, struct hall_table *table, struct hall_message **at)
{
    struct hall_message *const message = *at;
    forget_sent(hall, message);
    *at = message->next;
    if (message->next == NULL) {
        table->unsent_end = at;
    }
    hall_message_free(message);
}

// Those whose outcome nobody is to be told of.
static void sweep(struct hall *hall, struct hall_table *table)
{
    struct hall_message **at = &table->unsent;
    while (*at != NULL) {
        if ((*at)->loose && (*at)->state == HALL_TOLD) {
            take_out(hall, table, at);
        } else {
            at = &(*at)->next;
        }
    }
    if (table->unsent == NULL && table->version == 0 && table->state == HALL_READY) {
        hall_table_work(hall, table); // nothing keeps it any more
    }
}

// What was not sent is another process's to send.
static void leave_unsent(struct hall *hall, struct hall_table *table)
{
    struct hall_message **at = &table->unsent;
    while (*at != NULL) {
        if ((*at)->state == HALL_WAITS && !(*at)->loose && !hall_is_answer(*at)) {
            take_out(hall, table, at);
        } else {
            at = &(*at)->next;
        }
    }
}

/* Outcomes. */

static void confirm(struct hall *hall, struct hall_table *table, struct hall_message *message)
{
    const bool starts = hall_acts(hall, table) && table->since_ms >= 0;
    if ((message->starts || hall_makes_room(message)) && table->table != NULL &&
        table_is_starting(table->table)) {
        // Its id is kept nowhere but here until cards are dealt by it: a process that comes after
        // this one sends it again, and hears the same id.
        message->ask_ms = STORE_NEVER;
        hall_table_work(hall, table);
        return;
    }
    if (starts && (table->state != HALL_READY || table->stale)) {
        // A step is on its way, and its commit may say that time stands: the store hears that
        // first.
        message->ask_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        return;
    }
    const struct store_request request = {.kind = STORE_CONFIRM,
                                          .table = table->id,
                                          .key = message->out.key,
                                          .id = message->id,
                                          .forget_board = message->forget,
                                          .starts = starts,
                                          .ms = table->since_ms};
    const struct hall_ask ask = {.of = HALL_ASK_MESSAGE, .key = message->out.key};
    const bool asked = hall_ask(hall, &request, ask, &message->ticket);
    message->ask_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
}

static void drop_board(struct hall_board *board)
{
    free(board->reader);
    free(board->id);
    free(board->story);
    *board = (struct hall_board){.reader = NULL};
}

void hall_keep_board(struct hall_board *board, const char *reader, const char *id)
{
    const bool same = board->id != NULL && strcmp(board->id, id) == 0;
    const struct hall_board kept = {
        .reader = mb_text(reader), .id = mb_text(id), .story = same ? board->story : NULL};
    board->story = same ? NULL : board->story;
    drop_board(board);
    *board = kept;
}

void hall_forget_board(struct hall_table *table, unsigned board)
{
    drop_board(&table->boards[board]);
}

void hall_forget_readers(struct hall_table *table)
{
    for (unsigned i = 0; i < HALL_BOARDS_MAX; i++) {
        hall_forget_board(table, i);
    }
    table->astray = false;
    table->reshow_sites = 0;
    table->reshow_seats = 0;
    table->unreachable = 0;
}

// What did not arrive is shown again with the next step.
static void show_again(struct hall_table *table, const struct hall_message *message)
{
    if (message->board >= HALL_BOARD_LINK) {
        return; // where it came from it is shown when something changes there
    }
    if (message->board >= HALL_BOARD_HAND) {
        table->reshow_seats |= 1u << (message->board - HALL_BOARD_HAND);
    } else if (message->board > 0) {
        table->reshow_sites |= 1u << (message->board - 1);
    }
}

// A message to a place was never delivered: maybe the place is shut.
static void note_shut(struct hall *hall, struct hall_table *table,
                      const struct hall_message *message, enum chat_fate fate)
{
    const bool place = fate == CHAT_PLACE_GONE || fate == CHAT_PLACE_CLOSED;
    if (place && message->out.person == NULL && !message->loose && table->table != NULL &&
        hall_is_site(table->table, message->network, message->out.place)) {
        table->shut = fate == CHAT_PLACE_GONE ? SHUT_GONE : SHUT_MUTE;
        table->shut_site = hall_site_of(table->table, message->network, message->out.place);
        hall_table_work(hall, table);
    }
}

static unsigned seat_of(const struct hall_table *table, const struct hall_message *message)
{
    const struct person person = {.network = message->network, .id = message->out.person};
    return table->table != NULL ? table_seat_of(table->table, &person) : NO_SEAT;
}

static const struct hall_board *replaced_by(const struct hall *hall, const struct hall_table *table,
                                            const struct hall_message *message);

static void note_undelivered(struct hall *hall, struct hall_table *table,
                             struct hall_message *message, enum chat_fate fate)
{
    show_again(table, message);
    if (fate == CHAT_MESSAGE_GONE) {
        // Who has changed seats has the hand of the seat before: that one is gone.
        const struct hall_board *const board = replaced_by(hall, table, message);
        message->forget = board != NULL ? (uint8_t)(board - table->boards) : message->board;
        drop_board(&table->boards[message->forget]);
        table->look = true;
        hall_table_work(hall, table);
        return;
    }
    hall->stats.undeliverable++;
    note_shut(hall, table, message, fate);
    const unsigned seat = message->out.person != NULL ? seat_of(table, message) : NO_SEAT;
    if (seat < MB_SEATS_MAX && !message->loose && !message->parts &&
        message->out.kind != CHAT_REPLY) {
        table->unreachable |= 1u << seat;
        hall_table_work(hall, table);
    }
}

// Its outcome is known, whatever it is; with the last one said to everybody the table's time runs.
static void note_outcome(struct hall *hall, struct hall_table *table, struct hall_message *message)
{
    const bool aloud = is_aloud(message);
    message->state = HALL_TOLD;
    if (aloud && hall_acts(hall, table) && !hall_speaks_aloud(table)) {
        table->since_ms = hall_since_ms(hall, table->table);
    }
    if (!message->loose) {
        confirm(hall, table, message);
    }
}

static void note_delivered(struct hall *hall, const struct hall_message *message)
{
    const struct chat *const chat = hall_chat(hall, message->network);
    if (chat != NULL && message->heard_ms > 0) {
        histogram_note(&hall->stats.heard_to_delivery[hall_chat_index(hall, chat)],
                       hall->now_ms - message->heard_ms);
    }
}

static void take_outcome(struct hall *hall, struct hall_table *table, struct hall_message *message,
                         const struct chat_outcome *outcome)
{
    if (outcome->fate == CHAT_DELIVERED) {
        note_delivered(hall, message);
        message->id = mb_text(outcome->id);
        if (message->board != 0) {
            struct hall_board *const board = &table->boards[message->board];
            hall_keep_board(board, message->reader, outcome->id);
            free(board->story);
            board->story = message->told;
            message->told = NULL;
        }
    } else {
        note_undelivered(hall, table, message, outcome->fate);
    }
    note_outcome(hall, table, message);
    hall_schedule(hall, table);
}

bool hall_post_outcome(struct hall *hall, const struct chat_outcome *outcome)
{
    struct hall_message *const message = *find_sent(hall, outcome->key);
    if (message != NULL && message->state == HALL_SENT) { // else it is an answer that nobody keeps
        struct hall_table *const table = hall->tables[message->table];
        take_outcome(hall, table, message, outcome);
        hall_table_post(hall, table); // what has waited for it
    }
    return message != NULL;
}

void hall_confirmed(struct hall *hall, struct chat_key key, const struct store_answer *answer)
{
    struct hall_message *const message = *find_sent(hall, key);
    if (message == NULL || message->state != HALL_TOLD || message->ticket != answer->ticket) {
        return;
    }
    struct hall_table *const table = hall->tables[message->table];
    if (answer->result == STORE_FAILED) {
        message->ask_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        hall_schedule(hall, table);
        return;
    }
    message->loose = true;
    sweep(hall, table);
    if (table->retry_wait_ms == 0) {
        hall_table_post(hall, table); // what has waited for it
    }
    hall_let_go(hall, table);
    hall_schedule(hall, table);
}

/* Sending. */

// Whether it is known, or will be, that it was never delivered, and the store does not know yet:
// what would come after a crash is sent under its key.
static bool is_in_doubt(const struct hall_message *message)
{
    return message->state == HALL_SENT ||
           (message->state == HALL_TOLD && !message->loose && message->id == NULL);
}

// The card where a message goes; 0: there is none.
static unsigned card_of(const struct hall_table *table, const struct hall_message *message)
{
    const unsigned sites = table->table != NULL ? table_site_count(table->table) : 0;
    const unsigned site =
        sites > 0 ? hall_site_of(table->table, message->network, message->out.place) : 0;
    return site < sites ? 1 + site : 0;
}

// The board that it edits, in its own place or where it was pressed, or that a room is made of as
// long as that is waited for; or 0. What shows the way edits what was the card.
static unsigned edited_by(const struct hall_table *table, const struct hall_message *message)
{
    if (hall_makes_room(message)) {
        const bool waits = table->table != NULL && table_is_starting(table->table);
        return waits ? card_of(table, message) : 0;
    }
    if (message->board >= HALL_BOARD_LINK) {
        return 1u + message->board - HALL_BOARD_LINK;
    }
    const bool where_pressed = message->parts || message->out.answer != NULL;
    return message->board != 0 ? message->board : where_pressed ? message->beside : 0;
}

bool hall_edits(const struct hall_table *table, uint8_t board)
{
    const struct hall_message *at = table->unsent;
    while (at != NULL && (edited_by(table, at) != board || !is_in_doubt(at))) {
        at = at->next;
    }
    return at != NULL;
}

static bool is_read_by(const struct hall_board *board, const struct hall_message *message)
{
    return board->id != NULL && board->id[0] != '\0' && strcmp(board->reader, message->reader) == 0;
}

static bool is_hand(unsigned board)
{
    return board >= HALL_BOARD_HAND && board < HALL_BOARD_LINK;
}

// The board that shows somebody's hand: that of their seat, or of the one that they had before
// somebody got up in the lobby.
static unsigned hand_of(const struct hall_table *table, const struct hall_message *message)
{
    unsigned board = message->board;
    for (unsigned i = HALL_BOARD_HAND;
         i < HALL_BOARD_LINK && !is_read_by(&table->boards[board], message); i++) {
        board = is_read_by(&table->boards[i], message) ? i : board;
    }
    return board;
}

// Whether both show one message: boards of one number, or hands of one reader.
static bool is_same_board(const struct hall_table *table, const struct hall_message *at,
                          const struct hall_message *message, unsigned board)
{
    const unsigned other = edited_by(table, at);
    return board != 0 && (other == board || (is_hand(other) && is_hand(board) &&
                                             strcmp(at->reader, message->reader) == 0));
}

const struct hall_board *hall_hand_board(const struct hall_table *table, const char *reader)
{
    for (unsigned i = HALL_BOARD_HAND; i < HALL_BOARD_LINK; i++) {
        const struct hall_board *const board = &table->boards[i];
        if (board->id != NULL && board->id[0] != '\0' && strcmp(board->reader, reader) == 0) {
            return board;
        }
    }
    return NULL;
}

// The message that takes a hand's place edits; NULL: there is none.
static const char *parted_from(const struct hall_table *table, const struct hall_message *message)
{
    const struct hall_board *const board = hall_hand_board(table, message->reader);
    return message->out.replaces != NULL ? message->out.replaces : board != NULL ? board->id : NULL;
}

static const struct hall_board *replaced_by(const struct hall *hall, const struct hall_table *table,
                                            const struct hall_message *message)
{
    const struct chat *const chat = hall_chat(hall, message->network);
    const bool own = message->board != 0 && is_read_by(&table->boards[message->board], message);
    const unsigned at = own                       ? message->board
                        : is_hand(message->board) ? hand_of(table, message)
                                                  : edited_by(table, message);
    const struct hall_board *const board = &table->boards[at];
    const bool known = at != 0 && message->beside == 0 && is_read_by(board, message);
    return known && (chat_caps(chat) & CHAT_CAP_EDIT) != 0 ? board : NULL;
}

static const char *replaced_id(const struct hall *hall, const struct hall_table *table,
                               const struct hall_message *message)
{
    const struct hall_board *const board = replaced_by(hall, table, message);
    return message->parts ? parted_from(table, message) : board != NULL ? board->id : NULL;
}

// Whether an earlier message must go first.
static bool must_wait(const struct hall *hall, const struct hall_table *table,
                      const struct hall_message *message)
{
    const struct chat *const chat = hall_chat(hall, message->network);
    // Where messages cost seconds the chat lets the newer form take the place of one that waits.
    const bool overtakes = chat != NULL && (chat_caps(chat) & CHAT_CAP_SCARCE) != 0 &&
                           replaced_id(hall, table, message) != NULL;
    const unsigned board = overtakes ? 0 : edited_by(table, message);
    for (const struct hall_message *at = table->unsent; at != message; at = at->next) {
        const bool before = at->state == HALL_WAITS && strcmp(at->reader, message->reader) == 0;
        if (before || (is_same_board(table, at, message, board) && is_in_doubt(at))) {
            return true;
        }
    }
    return false;
}

// What is sent: its own words, or those of a board that are made anew (`again`, to be freed). False
// without an error: there is nothing to show any more.
static bool words_of(struct hall *hall, struct hall_table *table,
                     const struct hall_message *message, struct hall_message **again,
                     struct mb_error *err)
{
    *again = NULL;
    if (message->parts) {
        return parted_from(table, message) != NULL;
    }
    if (message->board == 0 || message->made) {
        return true;
    }
    if (!hall_board_again(hall, table, message, again)) {
        return false;
    }
    return *again != NULL || mb_fail(err, MB_ERR_RETRY, "it cannot be made now");
}

static bool send(struct hall *hall, struct hall_table *table, struct hall_message *message,
                 struct mb_error *err)
{
    struct chat *const chat = hall_chat(hall, message->network);
    struct hall_message *again = NULL;
    struct mb_pool called = {.last = NULL};
    if (chat == NULL) {
        return mb_fail(err, MB_ERR_RETRY, "nobody serves %s here", message->network);
    }
    if (!message->loose && !hall_speaks_in(hall, chat)) {
        return mb_fail(err, MB_ERR_RETRY, "another process speaks for %s", message->network);
    }
    if (!words_of(hall, table, message, &again, err)) {
        return false;
    }
    const struct hall_board *const replaced = replaced_by(hall, table, message);
    const char *const told = replaced != NULL ? replaced->story : NULL;
    struct chat_out out = again != NULL ? again->out : message->out;
    const bool link = message->board >= HALL_BOARD_LINK;
    char *const cut = hall_cut(chat, message->beside != 0 ? CHAT_HAND : out.kind, out.text);
    char *const story = hall_cut_story(&out, told);
    free(message->told);
    message->told = mb_text(out.story);
    out.text = cut != NULL ? cut : out.text;
    out.story = story;
    out.kept = link ? text_sentence(TEXT_LINK_OVER) : told;
    out.replaces = replaced_id(hall, table, message);
    out.live = hall_is_live(table->table);
    out.again = message->out.key.epoch != hall->epoch;
    out.anew = message->out.anew || (message->beside != 0 && !message->parts);
    if (message->board != 0) {
        const bool checks = again != NULL && !link;
        out.ping_count = hall_board_calls(hall, table->table, message, checks ? &again->out : NULL,
                                          &called, &out.pings);
    }
    // A board that was rendered again keeps this message's key and answer.
    out.key = message->out.key;
    const struct person reader = {.network = message->network, .id = out.person};
    out.home =
        out.person != NULL && table->version > 0 ? hall_place_of(table->table, &reader) : NULL;
    out.cause = message->out.cause;
    out.answer = message->out.answer;
    out.retries = message->out.retries;
    message->state = HALL_SENT; // its outcome may come at once
    const bool sent = chat_send(chat, &out, err);
    hall->stats.sent += sent ? 1 : 0;
    message->state = sent ? message->state : HALL_WAITS;
    free(cut);
    free(story);
    mb_pool_finish(&called);
    if (again != NULL) {
        hall_message_free(again);
    }
    return sent;
}

static void retry_later(struct hall *hall, struct hall_table *table)
{
    if (table->retry_wait_ms == 0) {
        table->retry_wait_ms = HALL_RETRY_FIRST_MS;
        table->retry_ms = hall->now_ms + table->retry_wait_ms;
    }
}

// Sends what can go; false if something has to be tried again.
static bool send_all(struct hall *hall, struct hall_table *table)
{
    bool all = true;
    table->posting = true;
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        struct mb_error err = {0};
        if (at->state != HALL_WAITS || !hall_may_send(hall, table, at) ||
            must_wait(hall, table, at) || send(hall, table, at, &err)) {
            continue;
        }
        if (err.code == MB_ERR_RETRY) {
            hall->stats.retried++;
            all = false;
            continue;
        }
        if (err.code == MB_OK) {
            note_outcome(hall, table, at);
            continue;
        }
        const struct chat_outcome outcome = {
            .key = at->out.key, .fate = at->out.person != NULL ? CHAT_UNREACHABLE : CHAT_REFUSED};
        take_outcome(hall, table, at, &outcome);
    }
    table->posting = false;
    return all;
}

void hall_table_post(struct hall *hall, struct hall_table *table)
{
    if (table->posting) {
        return; // it is at it
    }
    if (!send_all(hall, table)) {
        retry_later(hall, table);
    }
    sweep(hall, table);
    hall_schedule(hall, table);
}

// The first that the store knows of its board, for this reader, while it has no id: it may be on
// its way, and only its key finds out.
static bool makes_board(const struct hall *hall, const struct hall_table *table,
                        const struct hall_message *message)
{
    const struct hall_board *const board = &table->boards[message->board];
    const struct chat *const chat = hall_chat(hall, message->network);
    if ((board->id != NULL && strcmp(board->reader, message->reader) == 0) ||
        (chat != NULL && (chat_caps(chat) & CHAT_CAP_EDIT) == 0)) {
        return false;
    }
    const struct hall_message *at = table->unsent;
    while (at->loose || at->board != message->board || strcmp(at->reader, message->reader) != 0) {
        at = at->next;
    }
    return at == message;
}

// A board that nobody has seen yet gives way to its newer form, as it has in the store. Whom it was
// to call, and its newer form still asks, that calls.
static void give_way(const struct hall *hall, struct hall_table *table, struct hall_message *newer)
{
    unsigned given = 0;
    for (struct hall_message *at = table->unsent; at != newer; at = at->next) {
        const bool theirs = strcmp(at->reader, newer->reader) == 0;
        if (newer->board != 0 && at->board == newer->board && at->state == HALL_WAITS &&
            (!theirs || !makes_board(hall, table, at))) {
            given |= theirs ? at->calls : 0u;
            at->state = HALL_TOLD;
            at->loose = true;
        }
    }
    newer->calls = (uint8_t)(newer->calls |
                             (newer->inherited & given)); // what was sent meanwhile calls by itself
    newer->inherited = 0;
}

static unsigned count_waiting(const struct hall_table *table)
{
    unsigned count = 0;
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        count += at->state == HALL_WAITS && at->board == 0 ? 1 : 0;
    }
    return count;
}

// Too much waits: the oldest is given up, and that will be said.
static void give_up_one(struct hall *hall, struct hall_table *table)
{
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->state == HALL_WAITS && at->board == 0) {
            hall->stats.undeliverable++;
            table->lost++;
            note_outcome(hall, table, at);
            return;
        }
    }
}

void hall_post(struct hall *hall, struct hall_table *table, struct hall_message *messages)
{
    while (messages != NULL) {
        struct hall_message *const message = messages;
        messages = message->next;
        message->next = NULL;
        if (!message->loose && !hall_acts(hall, table) && !hall_is_answer(message)) {
            hall_note_astray(table, message->board, message->reader);
            hall_message_free(message); // the store has it: another process sends it
            continue;
        }
        message->table = table->index;
        message->post_ms = hall->now_ms;
        *table->unsent_end = message;
        table->unsent_end = &message->next;
        note_sent(hall, message);
        give_way(hall, table, message);
        if (message->state == HALL_TOLD) {
            confirm(hall, table, message);
        }
    }
    hall_table_post(hall, table);
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        at->made = false; // what could not go at once is made anew when it does
    }
    while (count_waiting(table) > HALL_UNSENT_MAX && table->retry_wait_ms > 0) {
        give_up_one(hall, table);
    }
    sweep(hall, table);
}

/* Starting. */

bool hall_makes_room(const struct hall_message *message)
{
    return message->out.kind == CHAT_ROOM && message->out.text[0] != '\0';
}

bool hall_rooms_told(struct hall *hall, struct hall_table *table,
                     const char *rooms[TABLE_SITES_MAX])
{
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        const unsigned card = hall_makes_room(at) ? card_of(table, at) : 0;
        if (card == 0) {
            continue;
        }
        if (at->state != HALL_TOLD && table->room_ms == 0) {
            table->room_ms = hall->now_ms + HALL_ROOM_MS;
        }
        if (at->state != HALL_TOLD && hall->now_ms < table->room_ms) {
            return false;
        }
        rooms[card - 1] = at->state == HALL_TOLD && at->id != NULL ? at->id : "";
    }
    return true;
}

bool hall_start_told(const struct hall_table *table, const char **id)
{
    const struct hall_message *at = table->unsent;
    while (at != NULL && !at->starts) {
        at = at->next;
    }
    *id = at != NULL ? at->id : NULL;
    return at == NULL || at->state == HALL_TOLD;
}

void hall_start_dealt(struct hall *hall, struct hall_table *table)
{
    if (table->table != NULL && table_is_starting(table->table)) {
        return;
    }
    table->room_ms = 0;
    table->reach_ms = table->reach_look_ms = 0;
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        const bool room = hall_makes_room(at);
        if (room && at->state == HALL_WAITS) {
            note_outcome(hall, table, at); // nobody waits for it any more
        } else if ((at->starts || room) && at->state == HALL_TOLD && !at->loose && at->ask_ms < 0) {
            confirm(hall, table, at);
        }
    }
}

/* Again. */

static void try_again(struct hall *hall, struct hall_table *table)
{
    const int64_t wait = table->retry_wait_ms * 2;
    table->retry_wait_ms = 0;
    hall_table_post(hall, table);
    if (table->retry_wait_ms > 0) { // in vain again
        table->retry_wait_ms = wait < HALL_RETRY_LAST_MS ? wait : HALL_RETRY_LAST_MS;
        table->retry_ms = hall->now_ms + table->retry_wait_ms;
    } else if (table->lost > 0) {
        const unsigned lost = table->lost;
        table->lost = 0;
        hall_say(hall, table, TEXT_HALL_LOST, TEXT_ARGS(text_num("n", (long)lost)));
    }
}

void hall_post_again(struct hall *hall, struct hall_table *table)
{
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->state == HALL_TOLD && !at->loose && at->ask_ms >= 0 && at->ask_ms <= hall->now_ms) {
            confirm(hall, table, at);
        }
    }
    if (table->retry_wait_ms > 0 && table->retry_ms <= hall->now_ms) {
        try_again(hall, table);
    }
}

void hall_post_loosen(struct hall_table *table)
{
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        at->loose = true;
        at->state = at->board != 0 && at->state == HALL_WAITS ? HALL_TOLD : at->state;
        at->board = 0;
    }
}

void hall_post_finish(struct hall *hall, struct hall_table *table)
{
    while (table->unsent != NULL) {
        take_out(hall, table, &table->unsent);
    }
}

void hall_hold(struct hall *hall, struct hall_table *table, bool held)
{
    const bool lost = table->held && !held;
    set_held(hall, table, held);
    if (lost && hall->shared) { // the store has what was not sent: it is another's
        leave_unsent(hall, table);
    }
}

// Nothing is under way at it any more: what falls due is for whoever is told first.
void hall_let_go(struct hall *hall, struct hall_table *table)
{
    if (!hall->shared || !table->held || table->state != HALL_READY || table->queued ||
        hall_has_unsent(table) ||
        (table->version > 0 && hall_goes_on(hall, table->table) && !table->stuck)) {
        return;
    }
    set_held(hall, table, false);
    hall_schedule(hall, table);
}
