// Tables that come out of the store: found by their place or known by their id, and loaded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/codec/outcome.h"

#include "bot/hall/step/step.h"
#include "bot/table/table_codec.h"

// What waits goes to the live table that was asked for by its id.
static void join(struct hall *hall, struct hall_table *table, struct hall_table *other)
{
    for (struct hall_line *line = hall_lines_take(&table->lines); line != NULL;
         line = hall_lines_take(&table->lines)) {
        hall_enqueue(hall, other, line);
    }
    (void)hall_table_place(hall, other, table->places[0].network, table->places[0].place);
    hall_table_drop(hall, table);
}

static bool is_kept(const struct store_answer *answer, struct chat_key key)
{
    for (size_t i = 0; i < answer->message_count; i++) {
        const struct chat_key other = answer->messages[i].key;
        if (other.epoch == key.epoch && other.number == key.number) {
            return true;
        }
    }
    return false;
}

// Keeps what is needed to write to places and people again: what the store knows, and what it is
// still to hear from here.
static void take_boards(struct hall_table *table, const struct store_answer *answer)
{
    bool listed[HALL_BOARDS_MAX] = {false};
    for (size_t i = 0; i < answer->board_count; i++) {
        const unsigned board = answer->boards[i].board;
        listed[board < HALL_BOARDS_MAX ? board : 0] = true; // 0: of none
    }
    for (unsigned i = 0; i < HALL_BOARDS_MAX; i++) {
        if (!listed[i]) {
            hall_forget_board(table, i);
        }
    }
    table->astray = false;
    for (size_t i = 0; i < answer->board_count; i++) {
        const struct store_board *const board = &answer->boards[i];
        if (board->board < HALL_BOARDS_MAX) {
            hall_keep_board(&table->boards[board->board], board->reader, board->id);
        }
    }
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->board != 0 && at->id != NULL && is_kept(answer, at->out.key)) {
            hall_keep_board(&table->boards[at->board], at->reader, at->id);
        }
    }
}

static bool is_known(const struct hall_table *table, struct chat_key key)
{
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->out.key.epoch == key.epoch && at->out.key.number == key.number) {
            return true;
        }
    }
    return false;
}

// A board that is on its way is made anew when it is sent; of one that nobody reads any more, or
// somebody else, only the row is left.
static struct hall_message *take_board(const struct hall_table *table,
                                       const struct store_message *kept)
{
    struct hall_message *const message = hall_board(table->table, kept->board);
    message->calls = kept->bytes.size == sizeof message->calls ? kept->bytes.at[0] : 0;
    if (kept->reader == NULL || strcmp(message->reader, kept->reader) != 0) {
        message->state = HALL_TOLD;
    }
    return message;
}

// Messages that an earlier process has left without outcome are sent again under their keys, if
// they are this one's to send.
static void take_messages(struct hall *hall, struct hall_table *table,
                          const struct store_answer *answer)
{
    for (struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->state == HALL_WAITS && !at->loose && !is_kept(answer, at->out.key)) {
            at->state = HALL_TOLD; // another process has seen to it, or made it needless
            at->loose = true;
        }
    }
    struct hall_message *first = NULL;
    struct hall_message **end = &first;
    for (size_t i = 0; i < answer->message_count; i++) {
        const struct store_message *const kept = &answer->messages[i];
        if (!hall_acts(hall, table)) {
            hall_note_astray(table, kept->board, kept->reader);
        }
        if (!hall_acts(hall, table) || is_known(table, kept->key) ||
            kept->board >= HALL_BOARDS_MAX) {
            continue;
        }
        struct hall_message *const message =
            kept->board == 0 ? hall_message_decode(kept, table->id) : take_board(table, kept);
        if (message != NULL) {
            message->out.key = kept->key;
            message->board = kept->board;
            if (hall_makes_room(message) && !table_is_starting(table->table)) {
                message->state = HALL_TOLD; // nobody waits for it any more
            }
            *end = message;
            end = &message->next;
        }
    }
    hall_post(hall, table, first);
}

// What an earlier process has dealt with and a chat brings again is not answered anew.
static void take_events(struct hall_table *table, const struct store_answer *answer)
{
    const size_t skip =
        answer->event_count > HALL_EVENTS_OF_TABLE ? answer->event_count - HALL_EVENTS_OF_TABLE : 0;
    for (size_t i = skip; i < answer->event_count; i++) {
        table->events[table->event_at] = answer->events[i];
        table->event_at = (uint8_t)((table->event_at + 1u) % HALL_EVENTS_OF_TABLE);
    }
}

static bool take_value(struct hall *hall, struct hall_table *table,
                       const struct store_answer *answer, struct mb_error *err)
{
    if (table->table == NULL) {
        table->table = mb_new(1, table_size());
    }
    free(table->community);
    table->community = mb_text(answer->community);
    if (!table_decode(answer->bytes.at, answer->bytes.size, hall->workspace, table->table, err)) {
        return false;
    }
    return strcmp(table_id(table->table), table->id) == 0 ||
           mb_fail(err, MB_ERR_INPUT, "the store has another table under this id");
}

void hall_turn_away(struct hall *hall, struct hall_table *table, enum text_id why,
                    const struct text_arg *args)
{
    if (table->step != NULL) {
        hall_step_give_back(hall, table);
    }
    for (struct hall_line *line = hall_lines_take(&table->lines); line != NULL;
         line = hall_lines_take(&table->lines)) {
        if (!hall_tour_passes(hall, line)) {
            hall_answer(hall, line, why, args);
            hall_line_end(hall, line);
        }
    }
    free(table->table);
    table->table = NULL;
    hall_table_drop(hall, table);
}

static bool is_new_here(const struct hall_line *line)
{
    return line->in->bond.table[0] == '\0' && !line->in->direct && line->kind == REQUEST_NEW;
}

// Where a new table is wanted an empty one stands in, which gives way to it.
static bool stand_in(struct hall *hall, struct hall_table *table, const struct mb_error *err)
{
    const struct hall_line *line = table->lines.first;
    while (line != NULL && !is_new_here(line)) {
        line = line->next;
    }
    if (line == NULL || table->table == NULL || table->places[0].place == NULL ||
        table->stored == 0) {
        return false;
    }
    table->unreadable = mb_text(err->text);
    table_init(table->table, table->id);
    table_add_site(table->table, table->places[0].network, table->places[0].place,
                   line->in->place_name[0] != '\0' ? line->in->place_name : line->in->place);
    table->version = table->stored;
    table->stamp = table_workspace_stamp(hall->workspace);
    table->since_ms = STORE_NEVER;
    table->state = HALL_READY;
    hall_table_work(hall, table);
    return true;
}

// A table that cannot be read is left as it is: another release may read it.
static void unreadable(struct hall *hall, struct hall_table *table, const struct mb_error *err)
{
    hall_note_unreadable(hall, table, err->text);
    if (table->step != NULL) {
        hall_step_give_back(hall, table);
    }
    if (!stand_in(hall, table, err)) {
        hall_turn_away(hall, table, TEXT_HALL_UNREADABLE, TEXT_ARGS(text_str("reason", err->text)));
    }
}

// The store has no table of that id. True: another may lie at its place by now.
static bool gone(struct hall *hall, struct hall_table *table)
{
    struct mb_error err = {0};
    free(table->table);
    table->table = NULL;
    table->version = 0;
    hall_start_dealt(hall, table);
    hall_forget_readers(table);
    if (table->step != NULL) {
        hall_step_give_back(hall, table);
    }
    if (table->places[0].place != NULL && ++table->missed < HALL_ATTEMPTS_MAX) {
        return true;
    }
    if (table->places[0].place != NULL) {
        (void)mb_fail(&err, MB_ERR_STATE, "the store names a table there that it does not have");
        unreadable(hall, table, &err);
        return false;
    }
    for (struct hall_line *line = hall_lines_take(&table->lines); line != NULL;
         line = hall_lines_take(&table->lines)) {
        const bool pressed = line->in->bond.table[0] != '\0';
        if (hall_tour_passes(hall, line)) {
            continue;
        }
        hall->stats.stale += pressed ? 1 : 0;
        hall_answer(hall, line, pressed ? hall_ended(hall, line) : TEXT_HALL_GONE, NULL);
        hall_line_end(hall, line);
    }
    hall_table_drop(hall, table);
    return false;
}

// It is live, as the answer has it.
static void take(struct hall *hall, struct hall_table *table, const struct store_answer *answer)
{
    hall->stats.fetched++;
    table->missed = 0;
    hall_hold(hall, table, answer->held);
    table->version = answer->version;
    table->stamp = table_workspace_stamp(hall->workspace);
    table->since_ms = answer->since_ms;
    table->state = HALL_READY;
    table->heard_ms = hall_heard_ms(hall, table->table, answer->until_ms);
    hall_table_lie(hall, table);
    table->returned = hall_has_returned(hall, table);
    take_boards(table, answer);
    take_events(table, answer);
    take_messages(hall, table, answer);
    hall_start_dealt(hall, table);
    if (hall_acts(hall, table) && table->since_ms < 0 && !hall_speaks_aloud(table)) {
        table->since_ms = hall_since_ms(hall, table->table);
    }
    hall_table_work(hall, table);
}

/** What a table that was asked for turns out to be. */
enum value {
    VALUE_LIVE,       /* it is taken */
    VALUE_GONE,       /* the store does not have it */
    VALUE_AWAY,       /* put away: it is looked at as it was */
    VALUE_STORY,      /* the log has what a card tells; then it is asked for again */
    VALUE_CARDS,      /* the store has its card files; then it is asked for again */
    VALUE_UNREADABLE, /* `err` says why */
    VALUE_STOPS       /* the hall goes */
};

static enum value ask_value(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                            struct mb_error *err)
{
    const struct store_request request = {.kind = STORE_LOAD, .table = table->id};
    table->state = HALL_FETCHING;
    table->doubt = false;
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    enum value value = VALUE_LIVE;
    if (answer == NULL) {
        return VALUE_STOPS;
    }
    if (answer->result != STORE_DONE || (answer->version == 0 && table->lines.first == NULL)) {
        value = VALUE_GONE;
    } else {
        table->stored = answer->version;
        if (!take_value(hall, table, answer, err)) {
            const bool lacks = err->code == MB_ERR_STATE && library_lacks(hall->library) != NULL;
            value = lacks ? VALUE_CARDS : VALUE_UNREADABLE;
        } else if (answer->version == 0) {
            value = VALUE_AWAY;
        } else if (hall_story_lacks(hall, table)) {
            value = VALUE_STORY;
        } else {
            take(hall, table, answer);
        }
    }
    store_answer_free(answer);
    return value;
}

static enum value fetch_cards(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                              struct mb_error *err)
{
    uint8_t digest[CATALOG_DIGEST_SIZE];
    char word[DIGEST_HEX_SIZE];
    memcpy(digest, library_lacks(hall->library), sizeof digest);
    digest_hex(digest, sizeof digest, word);
    const struct store_request request = {.kind = STORE_CARD, .word = word};
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    if (answer == NULL) {
        return VALUE_STOPS;
    }
    const bool found = answer->result == STORE_DONE;
    if (found) {
        library_keep(hall->library, digest, answer->bytes.at, answer->bytes.size);
    } else {
        *err = (struct mb_error){0}; // what the reader says of it
        (void)mb_fail(err, MB_ERR_STATE,
                      "a card set of this table is not installed, and the store has no copy");
    }
    store_answer_free(answer);
    return found ? VALUE_CARDS : VALUE_UNREADABLE;
}

// The id of the table at its place; false: there is none here to be loaded, or the hall goes.
static bool find_id(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    const struct store_request request = {
        .kind = STORE_PLACE, .network = table->places[0].network, .place = table->places[0].place};
    table->state = HALL_FETCHING;
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    if (answer == NULL) {
        return false;
    }
    const bool found = answer->result == STORE_DONE;
    struct hall_table *const other = found ? hall_table_by_id(hall, answer->table) : NULL;
    const bool known = other != NULL && other != table;
    if (!found) {
        table->state = HALL_READY;
        table->version = 0;
        hall_table_work(hall, table);
    } else if (known) {
        join(hall, table, other);
    } else {
        hall_table_name(hall, table, answer->table);
    }
    store_answer_free(answer);
    return found && !known;
}

// What it turns out to be, once what it lacks has been fetched, too.
static enum value load_value(struct fibre *fibre, struct hall *hall, struct hall_table *table,
                             struct mb_error *err)
{
    enum value value = VALUE_CARDS;
    while (value == VALUE_CARDS || value == VALUE_STORY) {
        *err = (struct mb_error){0};
        value = ask_value(fibre, hall, table, err);
        if (value == VALUE_CARDS) {
            value = fetch_cards(fibre, hall, table, err);
        } else if (value == VALUE_STORY && !hall_story_fetch(fibre, hall, table)) {
            value = VALUE_STOPS;
        }
    }
    return value;
}

static bool fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table, bool finds)
{
    while (!finds || find_id(fibre, hall, table)) {
        struct mb_error err = {0};
        const enum value value = load_value(fibre, hall, table, &err);
        if (value == VALUE_LIVE) {
            return true;
        }
        if (value == VALUE_STOPS || (value == VALUE_AWAY && hall_revive(fibre, hall, table))) {
            return false;
        }
        if (value == VALUE_UNREADABLE) {
            unreadable(hall, table, &err);
            return false;
        }
        if (value == VALUE_AWAY) {
            hall_press_last(hall, table);
        }
        if (!gone(hall, table)) {
            return false;
        }
        finds = true; // another may lie there by now
    }
    return false;
}

bool hall_load_again(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    return fetch(fibre, hall, table, false);
}

bool hall_find_again(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    return fetch(fibre, hall, table, true);
}

void hall_find(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    (void)fetch(fibre, hall, table, true);
}

void hall_load(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    (void)fetch(fibre, hall, table, false);
}

void hall_table_new(struct hall *hall, struct hall_table *table, const struct chat_in *in)
{
    char id[TABLE_ID_SIZE];
    hall_table_id(hall, table->places[0].network, in, id);
    if (table->table == NULL) {
        table->table = mb_new(1, table_size());
    }
    free(table->community);
    table->community = mb_text(in->community[0] != '\0' ? in->community : in->place);
    hall_table_name(hall, table, id);
    table_init(table->table, id);
    table_add_site(table->table, table->places[0].network, table->places[0].place,
                   in->place_name[0] != '\0' ? in->place_name : in->place);
    table->version = 0;
    table->stamp = table_workspace_stamp(hall->workspace);
    table->since_ms = hall_time(hall);
}

static void look(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    const struct store_request request = {.kind = STORE_LOOK, .table = table->id};
    table->state = HALL_ASKING;
    table->doubt = false; // what is heard from now on is a doubt of its own
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    if (answer == NULL) {
        return;
    }
    const bool same = answer->result == STORE_DONE && answer->version == table->version &&
                      (!answer->held || table->held) && !table->astray;
    if (same) {
        hall_hold(hall, table, answer->held);
        if (!table->held) { // who sends knows since when its time runs
            table->since_ms = answer->since_ms;
        }
        table->state = HALL_READY;
        hall_table_work(hall, table);
    }
    store_answer_free(answer);
    if (!same) {
        (void)fetch(fibre, hall, table, false);
    }
}

void hall_look(struct hall *hall, struct hall_table *table)
{
    hall_table_run(hall, table, look);
}
