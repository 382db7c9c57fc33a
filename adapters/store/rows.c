#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adapters/store/plan.h"

static const char *text_of(struct reading *reading, const struct db_value *value)
{
    return value->kind == DB_NONE ? NULL : mb_pool_text_of(&reading->pool, value->at, value->size);
}

static struct store_bytes bytes_of(struct reading *reading, const struct db_value *value)
{
    return (struct store_bytes){.at = (const unsigned char *)mb_pool_text_of(
                                    &reading->pool, value->size > 0 ? value->at : "", value->size),
                                .size = value->size};
}

// Room for one more in a list of `count`; what it was stays in the pool.
static void *grow_list(struct reading *reading, const void *list, size_t count, size_t size)
{
    enum { FIRST = 16 };
    if (count != 0 && (count < FIRST || (count & (count - 1)) != 0)) {
        return (void *)(uintptr_t)list; // it was given here, and may be written to
    }
    void *const room = mb_pool_new(&reading->pool, count == 0 ? FIRST : 2 * count, size);
    return count > 0 ? memcpy(room, list, count * size) : room;
}

/* A table: one row of its own, then messages, boards, events. */

enum load_part { LOAD_GAME, LOAD_MESSAGE, LOAD_BOARD, LOAD_EVENT };
enum load_column { PART, A, B, C, D, TEXT, TEXT_2, BYTES, FLAG };

static void read_load(struct reading *reading, const struct db_value *row)
{
    struct store_answer *const answer = &reading->answer;
    if (row[PART].number == LOAD_GAME) {
        answer->result = STORE_DONE;
        answer->version = (uint64_t)row[A].number;
        answer->since_ms = row[B].number;
        answer->due_ms = row[C].number;
        answer->until_ms = row[D].number;
        answer->community = text_of(reading, &row[TEXT]);
        answer->bytes = bytes_of(reading, &row[BYTES]);
        answer->held = row[FLAG].number != 0;
    } else if (row[PART].number == LOAD_MESSAGE) {
        struct store_message *const list =
            grow_list(reading, answer->messages, answer->message_count, sizeof *list);
        list[answer->message_count++] = (struct store_message){
            .key = {.epoch = (uint64_t)row[B].number, .number = (uint64_t)row[C].number},
            .board = (uint8_t)row[D].number,
            .answer = row[FLAG].number != 0,
            .reader = text_of(reading, &row[TEXT]),
            .narration = text_of(reading, &row[TEXT_2]),
            .bytes = bytes_of(reading, &row[BYTES])};
        answer->messages = list;
    } else if (row[PART].number == LOAD_BOARD) {
        struct store_board *const list =
            grow_list(reading, answer->boards, answer->board_count, sizeof *list);
        list[answer->board_count++] = (struct store_board){.board = (uint8_t)row[A].number,
                                                           .reader = text_of(reading, &row[TEXT]),
                                                           .id = text_of(reading, &row[TEXT_2])};
        answer->boards = list;
    } else {
        uint64_t *const list =
            grow_list(reading, answer->events, answer->event_count, sizeof *list);
        list[answer->event_count++] = (uint64_t)row[B].number;
        answer->events = list;
    }
}

/* Lists: a row more of each. A row without a first value says that there is none. */

static void add_text(struct reading *reading, const struct db_value *value)
{
    struct store_answer *const answer = &reading->answer;
    if (value->kind != DB_NONE) {
        const char **const list =
            grow_list(reading, (const void *)answer->texts, answer->count, sizeof *list);
        list[answer->count++] = text_of(reading, value);
        answer->texts = list;
    }
}

static void add_piece(struct reading *reading, size_t at, const struct db_value *value)
{
    struct store_answer *const answer = &reading->answer;
    if (value->kind != DB_NONE) {
        struct store_bytes *const list = grow_list(reading, answer->pieces, at, sizeof *list);
        list[at] = bytes_of(reading, value);
        answer->pieces = list;
        answer->count = at + 1;
    }
}

static void add_sitting(struct reading *reading, const struct db_value *row)
{
    struct store_answer *const answer = &reading->answer;
    struct store_sitting *const list =
        grow_list(reading, answer->sittings, answer->count, sizeof *list);
    list[answer->count++] = (struct store_sitting){.table = text_of(reading, &row[0]),
                                                   .chosen = row[1].number != 0,
                                                   .place_name = text_of(reading, &row[2]),
                                                   .community = text_of(reading, &row[3])};
    answer->sittings = list;
}

static void add_away(struct reading *reading, const struct db_value *row)
{
    struct store_answer *const answer = &reading->answer;
    struct store_away *const list =
        grow_list(reading, answer->aways, answer->away_count, sizeof *list);
    list[answer->away_count++] = (struct store_away){.network = text_of(reading, &row[0]),
                                                     .community = text_of(reading, &row[1]),
                                                     .ms = row[2].number};
    answer->aways = list;
}

static void add_row(struct reading *reading, enum query query, const struct db_value *row)
{
    struct store_answer *const answer = &reading->answer;
    switch (query) {
    case QUERY_LOAD:
        read_load(reading, row);
        break;
    case QUERY_AWAYS:
        add_away(reading, row);
        break;
    case QUERY_SITTINGS:
        answer->result = STORE_DONE;
        add_sitting(reading, row);
        break;
    case QUERY_LOG:
        answer->result = STORE_DONE;
        add_text(reading, &row[0]);
        break;
    case QUERY_JOURNAL:
    case QUERY_JOURNAL_AWAY:
        answer->result = STORE_DONE;
        add_piece(reading, answer->count, &row[0]);
        break;
    case QUERY_KEPT:
        add_text(reading, &row[0]);
        add_piece(reading, answer->count - 1, &row[1]);
        break;
    case QUERY_WATCH:
    case QUERY_GAMES:
    case QUERY_ARCHIVED:
    case QUERY_COMMUNITIES:
    case QUERY_DUE:
    case QUERY_DUE_UNSENT:
    case QUERY_CLAIM:
    case QUERY_CLAIM_UNSENT:
        add_text(reading, &row[0]);
        break;
    default:
        break; // nobody asks for it
    }
}

/* Single rows. */

static struct store_line line_of(const struct db_value *row)
{
    return (struct store_line){.games = (uint32_t)row[0].number,
                               .wins = (uint32_t)row[1].number,
                               .kills = (uint32_t)row[2].number,
                               .deaths = (uint32_t)row[3].number};
}

// Who serves the store lives; a beat also says whether it had been given up meanwhile.
static void read_alive(struct reading *reading, const struct db_value *row)
{
    struct store_answer *const answer = &reading->answer;
    answer->now_ms = row[0].number;
    if (answer->kind == STORE_BEAT && row[1].number == 0) {
        answer->result = STORE_NOTHING;
    } else if (answer->kind == STORE_HELLO) {
        // Never one that was given before: keys made of it name messages for ever.
        randombytes_buf(&answer->epoch, sizeof answer->epoch);
        answer->epoch |= 1u; // 0 is none
        memcpy(answer->secret, reading->secret, sizeof answer->secret);
    }
}

void reading_row(struct reading *reading, enum query query, const struct db_value *row)
{
    enum { PEOPLE = 4 };
    struct store_answer *const answer = &reading->answer;
    switch (query) {
    case QUERY_ALIVE:
        read_alive(reading, row);
        break;
    case QUERY_GAME_MAKE:
    case QUERY_GAME_CHANGE:
        answer->held = row[0].number != 0;
        break;
    case QUERY_ROOM_OPENER:
    case QUERY_ROOM_COMMUNITY:
    case QUERY_ROOM_ALL:
        answer->table = text_of(reading, &row[0]);
        break;
    case QUERY_LOOK:
        answer->result = STORE_DONE;
        answer->version = (uint64_t)row[0].number;
        answer->since_ms = row[1].number;
        answer->held = row[2].number != 0;
        break;
    case QUERY_STEP:
        answer->result = STORE_DONE;
        answer->version = (uint64_t)row[0].number;
        answer->held = row[1].number != 0;
        break;
    case QUERY_EARLIER:
        answer->result = STORE_DONE;
        answer->version = (uint64_t)row[0].number;
        answer->bytes = bytes_of(reading, &row[1]);
        break;
    case QUERY_CARD:
        answer->result = STORE_DONE;
        answer->bytes = bytes_of(reading, &row[0]);
        break;
    case QUERY_PLACE:
        answer->result = STORE_DONE;
        answer->table = text_of(reading, &row[0]);
        answer->community = text_of(reading, &row[1]);
        break;
    case QUERY_DUE_NEXT:
        answer->next_ms = row[0].kind == DB_NONE ? STORE_NEVER : row[0].number;
        break;
    case QUERY_RECORD:
        answer->result = STORE_DONE;
        answer->line = line_of(row);
        break;
    case QUERY_RECORD_TOTAL:
        answer->total = line_of(row);
        answer->people = (size_t)row[PEOPLE].number;
        break;
    case QUERY_HOLD:
    case QUERY_HOLD_FOR:
        answer->result = row[0].number != 0 ? STORE_DONE : STORE_CONFLICT;
        break;
    default:
        add_row(reading, query, row);
        break;
    }
}

void reading_over(struct reading *reading, enum query query, bool changed)
{
    struct store_answer *const answer = &reading->answer;
    if (changed && answer->kind == STORE_CONFIRM &&
        (query == QUERY_MESSAGE_DROP || query == QUERY_STARTS)) {
        answer->result = STORE_DONE;
    }
    if ((query == QUERY_CLAIM || query == QUERY_CLAIM_UNSENT) && answer->count > 1) {
        qsort((void *)(uintptr_t)answer->texts, answer->count, sizeof *answer->texts,
              mb_text_order);
    }
}

void reading_refused(struct reading *reading, const char *code, const char *what)
{
    static const struct {
        const char *code;
        enum store_result result;
    } OURS[] = {{"MB001", STORE_DONE},
                {"MB002", STORE_REPEATED},
                {"MB003", STORE_CONFLICT},
                {"MB004", STORE_FULL},
                {"MB005", STORE_TOO_MANY}};
    struct store_answer *const answer = &reading->answer;
    *answer = (struct store_answer){.kind = reading->request->kind, .result = STORE_FAILED};
    for (size_t i = 0; i < sizeof OURS / sizeof OURS[0]; i++) {
        if (strcmp(code, OURS[i].code) == 0) {
            answer->result = OURS[i].result;
        }
    }
    if (answer->result == STORE_DONE) { // known: the version it made
        char *rest = NULL;
        answer->version = strtoull(what, &rest, 10);
        answer->held = strcmp(rest, " held") == 0;
    }
}

static enum store_result at_first(const struct store_request *request)
{
    switch (request->kind) {
    case STORE_PLACE:
    case STORE_PERSON:
    case STORE_LOAD:
    case STORE_LOOK:
    case STORE_EARLIER:
    case STORE_LOG:
    case STORE_JOURNAL:
    case STORE_STATISTICS:
    case STORE_STEP:
    case STORE_CONFIRM:
    case STORE_CARD:
        return STORE_NOTHING; // unless a row is found
    case STORE_HOLD:
        return STORE_CONFLICT;
    default:
        return STORE_DONE;
    }
}

void reading_begin(struct reading *reading, const struct store_request *request,
                   const uint8_t *secret)
{
    *reading = (struct reading){
        .request = request,
        .secret = secret,
        .answer = {.kind = request->kind, .result = at_first(request)},
    };
    if (request->kind == STORE_COMMIT && !request->commit.directories) {
        reading->answer.version = request->commit.expected + 1;
    }
}

struct store_answer *reading_end(struct reading *reading)
{
    return store_answer_own(&reading->answer, &reading->pool);
}
