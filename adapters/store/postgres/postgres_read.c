// What comes back: rows become answers, errors results.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adapters/store/postgres/postgres_impl.h"

static const char *read_text(struct pad *pad, const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) == 1
               ? NULL
               : pad_copy(pad, PQgetvalue(result, row, column),
                          (size_t)PQgetlength(result, row, column) + 1);
}

static struct store_bytes read_bytes(struct pad *pad, const PGresult *result, int row, int column)
{
    const size_t size = (size_t)PQgetlength(result, row, column);
    return (struct store_bytes){.at = pad_copy(pad, PQgetvalue(result, row, column), size),
                                .size = size};
}

/* A table: one row of its own, then messages, boards, events. */

enum load_part { LOAD_GAME, LOAD_MESSAGE, LOAD_BOARD, LOAD_EVENT };
enum load_column { PART, A, B, C, D, TEXT, TEXT_2, BYTES, FLAG };

static void load_game(struct reading *reading, const PGresult *result, int row)
{
    struct store_answer *const answer = &reading->answer;
    answer->result = STORE_DONE;
    answer->version = (uint64_t)conn_number(result, row, A);
    answer->since_ms = conn_number(result, row, B);
    answer->due_ms = conn_number(result, row, C);
    answer->until_ms = conn_number(result, row, D);
    answer->community = read_text(&reading->pad, result, row, TEXT);
    answer->bytes = read_bytes(&reading->pad, result, row, BYTES);
    answer->held = conn_number(result, row, FLAG) != 0;
}

static void load_message(struct reading *reading, const PGresult *result, int row)
{
    struct pad *const pad = &reading->pad;
    struct store_answer *const answer = &reading->answer;
    struct store_message *const list =
        pad_more(pad, answer->messages, answer->message_count, sizeof *list);
    if (list != NULL) {
        list[answer->message_count++] =
            (struct store_message){.key = {.epoch = (uint64_t)conn_number(result, row, B),
                                           .number = (uint64_t)conn_number(result, row, C)},
                                   .board = (uint8_t)conn_number(result, row, D),
                                   .answer = conn_number(result, row, FLAG) != 0,
                                   .reader = read_text(pad, result, row, TEXT),
                                   .narration = read_text(pad, result, row, TEXT_2),
                                   .bytes = read_bytes(pad, result, row, BYTES)};
        answer->messages = list;
    }
}

static void load_board(struct reading *reading, const PGresult *result, int row)
{
    struct pad *const pad = &reading->pad;
    struct store_answer *const answer = &reading->answer;
    struct store_board *const list =
        pad_more(pad, answer->boards, answer->board_count, sizeof *list);
    if (list != NULL) {
        list[answer->board_count++] =
            (struct store_board){.board = (uint8_t)conn_number(result, row, A),
                                 .reader = read_text(pad, result, row, TEXT),
                                 .id = read_text(pad, result, row, TEXT_2)};
        answer->boards = list;
    }
}

static void load_event(struct reading *reading, const PGresult *result, int row)
{
    struct store_answer *const answer = &reading->answer;
    uint64_t *const list =
        pad_more(&reading->pad, answer->events, answer->event_count, sizeof *list);
    if (list != NULL) {
        list[answer->event_count++] = (uint64_t)conn_number(result, row, B);
        answer->events = list;
    }
}

static void load(struct reading *reading, const PGresult *result)
{
    static void (*const PARTS[])(struct reading *, const PGresult *,
                                 int) = {[LOAD_GAME] = load_game,
                                         [LOAD_MESSAGE] = load_message,
                                         [LOAD_BOARD] = load_board,
                                         [LOAD_EVENT] = load_event};
    for (int row = 0; !reading->pad.failed && row < PQntuples(result); row++) {
        PARTS[conn_number(result, row, PART)](reading, result, row);
    }
}

/* Lists. */

// The first column of each row; a row without is none.
static void texts(struct reading *reading, const PGresult *result)
{
    struct store_answer *const answer = &reading->answer;
    const char **list = NULL;
    for (int row = 0; !reading->pad.failed && row < PQntuples(result); row++) {
        const char *const text = read_text(&reading->pad, result, row, 0);
        list = text != NULL ? pad_more(&reading->pad, list, answer->count, sizeof *list) : list;
        if (text != NULL && list != NULL) {
            list[answer->count++] = text;
        }
    }
    answer->texts = list;
}

static void pieces(struct reading *reading, const PGresult *result, int column)
{
    struct store_answer *const answer = &reading->answer;
    struct store_bytes *list = NULL;
    size_t count = 0;
    for (int row = 0; !reading->pad.failed && row < PQntuples(result); row++) {
        if (PQgetisnull(result, row, column) == 1) {
            continue;
        }
        list = pad_more(&reading->pad, list, count, sizeof *list);
        if (list != NULL) {
            list[count++] = read_bytes(&reading->pad, result, row, column);
        }
    }
    answer->pieces = list;
    answer->count = count;
}

static void sittings(struct reading *reading, const PGresult *result)
{
    struct pad *const pad = &reading->pad;
    struct store_answer *const answer = &reading->answer;
    struct store_sitting *list = NULL;
    for (int row = 0; !pad->failed && row < PQntuples(result); row++) {
        list = pad_more(pad, list, answer->count, sizeof *list);
        if (list != NULL) {
            list[answer->count++] =
                (struct store_sitting){.table = read_text(pad, result, row, 0),
                                       .chosen = conn_number(result, row, 1) != 0,
                                       .place_name = read_text(pad, result, row, 2),
                                       .community = read_text(pad, result, row, 3)};
        }
    }
    answer->sittings = list;
}

static void aways(struct reading *reading, const PGresult *result)
{
    struct pad *const pad = &reading->pad;
    struct store_answer *const answer = &reading->answer;
    struct store_away *list = NULL;
    for (int row = 0; !pad->failed && row < PQntuples(result); row++) {
        list = pad_more(pad, list, answer->away_count, sizeof *list);
        if (list != NULL) {
            list[answer->away_count++] =
                (struct store_away){.network = read_text(pad, result, row, 0),
                                    .community = read_text(pad, result, row, 1),
                                    .ms = conn_number(result, row, 2)};
        }
    }
    answer->aways = list;
}

/* Single rows. */

static struct store_line read_line(const PGresult *result)
{
    return (struct store_line){.games = (uint32_t)conn_number(result, 0, 0),
                               .wins = (uint32_t)conn_number(result, 0, 1),
                               .kills = (uint32_t)conn_number(result, 0, 2),
                               .deaths = (uint32_t)conn_number(result, 0, 3)};
}

static void hello(struct reading *reading)
{
    struct store_answer *const answer = &reading->answer;
    // Never one that was given before: keys made of it name messages for ever.
    randombytes_buf(&answer->epoch, sizeof answer->epoch);
    answer->epoch |= 1u; // 0 is none
    memcpy(answer->secret, reading->postgres->secret, sizeof answer->secret);
}

// Who serves the store lives; a beat also says whether it had been given up meanwhile.
static void alive(struct reading *reading, const PGresult *result)
{
    struct store_answer *const answer = &reading->answer;
    answer->now_ms = conn_number(result, 0, 0);
    if (answer->kind == STORE_HELLO) {
        hello(reading);
    } else if (conn_number(result, 0, 1) == 0) {
        answer->result = STORE_NOTHING;
    }
}

// What makes one row, which is there.
static void row_of(struct reading *reading, enum query query, const PGresult *result)
{
    enum { PEOPLE = 4 };
    struct store_answer *const answer = &reading->answer;
    switch (query) {
    case QUERY_ALIVE:
        alive(reading, result);
        return;
    case QUERY_GAME_MAKE:
    case QUERY_GAME_CHANGE:
        answer->held = conn_number(result, 0, 0) != 0;
        return;
    case QUERY_LOOK:
        answer->version = (uint64_t)conn_number(result, 0, 0);
        answer->since_ms = conn_number(result, 0, 1);
        answer->held = conn_number(result, 0, 2) != 0;
        break;
    case QUERY_ROOM:
        answer->table = read_text(&reading->pad, result, 0, 0);
        break;
    case QUERY_PLACE:
        answer->table = read_text(&reading->pad, result, 0, 0);
        answer->community = read_text(&reading->pad, result, 0, 1);
        break;
    case QUERY_STEP:
        answer->version = (uint64_t)conn_number(result, 0, 0);
        answer->held = conn_number(result, 0, 1) != 0;
        break;
    case QUERY_EARLIER:
        answer->version = (uint64_t)conn_number(result, 0, 0);
        answer->bytes = read_bytes(&reading->pad, result, 0, 1);
        break;
    case QUERY_CARD:
        answer->bytes = read_bytes(&reading->pad, result, 0, 0);
        break;
    case QUERY_RECORD:
        answer->line = read_line(result);
        break;
    case QUERY_RECORD_TOTAL:
        answer->total = read_line(result);
        answer->people = (size_t)conn_number(result, 0, PEOPLE);
        return; // there is always one
    case QUERY_DUE_NEXT:
        answer->next_ms = PQgetisnull(result, 0, 0) == 1 ? STORE_NEVER : conn_number(result, 0, 0);
        return;
    case QUERY_LOCK: // a message's table is there
        if (reading->request->kind != STORE_CONFIRM || !reading->request->starts) {
            return;
        }
        break;
    case QUERY_HOLD:
        answer->result = conn_number(result, 0, 0) != 0 ? STORE_DONE : STORE_CONFLICT;
        return;
    default:
        return;
    }
    answer->result = STORE_DONE;
}

static void rows_of(struct reading *reading, enum query query, const PGresult *result)
{
    if (query == QUERY_LOAD) {
        load(reading, result);
    } else if (query == QUERY_SITTINGS) {
        sittings(reading, result);
        reading->answer.result = PQntuples(result) > 0 ? STORE_DONE : STORE_NOTHING;
    } else if (query == QUERY_DUE || query == QUERY_DUE_UNSENT || query == QUERY_CLAIM ||
               query == QUERY_CLAIM_UNSENT || query == QUERY_WATCH || query == QUERY_GAMES ||
               query == QUERY_ARCHIVED || query == QUERY_COMMUNITIES) {
        texts(reading, result);
    } else if (query == QUERY_LOG) {
        texts(reading, result);
        reading->answer.result = PQntuples(result) > 0 ? STORE_DONE : STORE_NOTHING;
    } else if (query == QUERY_JOURNAL) {
        pieces(reading, result, 0);
        reading->answer.result = PQntuples(result) > 0 ? STORE_DONE : STORE_NOTHING;
    } else if (query == QUERY_AWAYS) {
        aways(reading, result);
    } else if (query == QUERY_KEPT) {
        texts(reading, result);
        pieces(reading, result, 1);
    } else if (PQntuples(result) > 0) {
        row_of(reading, query, result);
    }
}

/* Errors. */

// A condition that does not hold has a code of ours.
static void refused(struct reading *reading, const PGresult *result)
{
    static const struct {
        const char *state;
        enum store_result result;
    } OURS[] = {{"MB001", STORE_DONE},
                {"MB002", STORE_REPEATED},
                {"MB003", STORE_CONFLICT},
                {"MB004", STORE_FULL},
                {"MB005", STORE_TOO_MANY}};
    // It met another step: serialization failure, deadlock, and what another has made just now.
    static const char *const AGAIN[] = {"40001", "40P01", "23505"};
    // It ends or takes no writes any more.
    static const char *const SICK[] = {"57P", "25006", "08"};
    const char *const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    struct store_answer *const answer = &reading->answer;
    *answer = (struct store_answer){.kind = reading->request->kind, .result = STORE_FAILED};
    for (size_t i = 0; state != NULL && i < sizeof OURS / sizeof OURS[0]; i++) {
        if (strcmp(state, OURS[i].state) == 0) {
            answer->result = OURS[i].result;
        }
    }
    for (size_t i = 0; state != NULL && i < sizeof AGAIN / sizeof AGAIN[0]; i++) {
        reading->again = reading->again || strcmp(state, AGAIN[i]) == 0;
    }
    for (size_t i = 0; state != NULL && i < sizeof SICK / sizeof SICK[0]; i++) {
        reading->sick = reading->sick || strncmp(state, SICK[i], strlen(SICK[i])) == 0;
    }
    if (answer->result == STORE_DONE) { // known: the version it made
        const char *const version = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        char *rest = NULL;
        answer->version = version != NULL ? strtoull(version, &rest, 10) : 0;
        answer->held = rest != NULL && strcmp(rest, " held") == 0;
    }
}

/* A reading. */

static enum store_result at_first(const struct store_request *request)
{
    switch (request->kind) {
    case STORE_PLACE:
    case STORE_LOAD:
    case STORE_LOOK:
    case STORE_EARLIER:
    case STORE_STATISTICS:
    case STORE_STEP:
    case STORE_CONFIRM:
    case STORE_CARD:
        return STORE_NOTHING; // unless a row is found
    default:
        return STORE_DONE;
    }
}

void reading_begin(struct reading *reading, const struct store_request *request)
{
    reading->request = request;
    reading->again = false;
    reading->answer = (struct store_answer){.kind = request->kind, .result = at_first(request)};
    if (request->kind == STORE_COMMIT && !request->commit.directories) {
        reading->answer.version = request->commit.expected + 1;
    }
}

void reading_add(struct reading *reading, enum query query, PGresult *result)
{
    switch (PQresultStatus(result)) {
    case PGRES_TUPLES_OK:
        rows_of(reading, query, result);
        break;
    case PGRES_COMMAND_OK:
        if (query == QUERY_MESSAGE_DROP && strcmp(PQcmdTuples(result), "0") != 0) {
            reading->answer.result = STORE_DONE;
        }
        break;
    case PGRES_PIPELINE_ABORTED: // what went before it has failed
        break;
    default:
        refused(reading, result);
        break;
    }
}

struct store_answer *reading_end(struct reading *reading)
{
    struct store_answer *const copy =
        reading->pad.failed ? NULL : store_answer_copy(&reading->answer);
    pad_empty(&reading->pad);
    return copy;
}
