// Answers to what changes nothing, from one view of the file.
#include <stdlib.h>
#include <string.h>

#include "adapters/store/sqlite/sqlite_impl.h"

const char *sqlite_text(struct pad *pad, sqlite3_stmt *row, int column)
{
    const unsigned char *const text = sqlite3_column_text(row, column);
    return text != NULL ? pad_copy(pad, text, (size_t)sqlite3_column_bytes(row, column) + 1) : NULL;
}

static struct store_bytes read_bytes(struct pad *pad, sqlite3_stmt *row, int column)
{
    const void *const at = sqlite3_column_blob(row, column);
    const size_t size = (size_t)sqlite3_column_bytes(row, column);
    return (struct store_bytes){.at = pad_copy(pad, at, size), .size = size};
}

/* One table. */

static void read_messages(struct reading *reading, const char *table, struct store_answer *answer)
{
    enum { ANSWERS = 6 };
    struct pad *const pad = &reading->pad;
    sqlite3_stmt *const row =
        db_ask(reading->db, SQL_MESSAGES, DB(db_text(table), db_number(reading->hold->me)));
    struct store_message *list = NULL;
    while (!pad->failed && db_row(reading->db, row)) {
        list = pad_more(pad, list, answer->message_count, sizeof *list);
        if (list != NULL) {
            list[answer->message_count++] =
                (struct store_message){.key = {.epoch = (uint64_t)sqlite3_column_int64(row, 0),
                                               .number = (uint64_t)sqlite3_column_int64(row, 1)},
                                       .board = (uint8_t)sqlite3_column_int(row, 2),
                                       .answer = sqlite3_column_int64(row, ANSWERS) != 0,
                                       .reader = sqlite_text(pad, row, 3),
                                       .narration = sqlite_text(pad, row, 5),
                                       .bytes = read_bytes(pad, row, 4)};
        }
    }
    db_over(row);
    answer->messages = list;
}

static void read_boards(struct reading *reading, const char *table, struct store_answer *answer)
{
    struct pad *const pad = &reading->pad;
    sqlite3_stmt *const row = db_ask(reading->db, SQL_BOARDS, DB(db_text(table)));
    struct store_board *list = NULL;
    while (!pad->failed && db_row(reading->db, row)) {
        list = pad_more(pad, list, answer->board_count, sizeof *list);
        if (list != NULL) {
            list[answer->board_count++] =
                (struct store_board){.board = (uint8_t)sqlite3_column_int(row, 0),
                                     .reader = sqlite_text(pad, row, 1),
                                     .id = sqlite_text(pad, row, 2)};
        }
    }
    db_over(row);
    answer->boards = list;
}

static void read_events(struct reading *reading, const char *table, struct store_answer *answer)
{
    struct pad *const pad = &reading->pad;
    sqlite3_stmt *const row = db_ask(
        reading->db, SQL_EVENTS, DB(db_text(table), db_number(reading->now_ms - STORE_EVENT_MS)));
    uint64_t *list = NULL;
    while (!pad->failed && db_row(reading->db, row)) {
        list = pad_more(pad, list, answer->event_count, sizeof *list);
        if (list != NULL) {
            list[answer->event_count++] = (uint64_t)sqlite3_column_int64(row, 0);
        }
    }
    db_over(row);
    answer->events = list;
}

static void load_archived(struct reading *reading, const char *table, struct store_answer *answer)
{
    sqlite3_stmt *const row = db_ask(reading->db, SQL_ARCHIVE_LOAD, DB(db_text(table)));
    answer->result = STORE_NOTHING;
    if (db_row(reading->db, row)) {
        answer->result = STORE_DONE;
        answer->since_ms = answer->due_ms = answer->until_ms = STORE_NEVER;
        answer->community = sqlite_text(&reading->pad, row, 0);
        answer->bytes = read_bytes(&reading->pad, row, 1);
        db_over(row);
    }
}

static void load(struct reading *reading, const char *table, struct store_answer *answer)
{
    enum { HELD = 6 };
    sqlite3_stmt *const row =
        db_ask(reading->db, SQL_GAME_LOAD, DB(db_text(table), db_number(reading->hold->me)));
    if (!db_row(reading->db, row)) {
        load_archived(reading, table, answer);
        return;
    }
    answer->result = STORE_DONE;
    answer->version = (uint64_t)sqlite3_column_int64(row, 0);
    answer->since_ms = sqlite3_column_int64(row, 1);
    answer->due_ms = sqlite3_column_int64(row, 2);
    answer->until_ms = sqlite3_column_int64(row, 3);
    answer->community = sqlite_text(&reading->pad, row, 4);
    answer->bytes = read_bytes(&reading->pad, row, 5);
    answer->held = sqlite3_column_int(row, HELD) != 0;
    db_over(row);
    read_messages(reading, table, answer);
    read_boards(reading, table, answer);
    read_events(reading, table, answer);
}

static void look(struct reading *reading, const char *table, struct store_answer *answer)
{
    const struct game game = sqlite_look(reading->db, table, reading->hold->me);
    answer->result = game.version > 0 ? STORE_DONE : STORE_NOTHING;
    answer->version = game.version;
    answer->since_ms = game.since_ms;
    answer->held = game.held;
}

static void step(struct reading *reading, const struct store_request *request,
                 struct store_answer *answer)
{
    const struct game game = sqlite_look(reading->db, request->table, reading->hold->me);
    const bool known =
        sqlite_step(reading->db, request->table, &game, request->key, &answer->version);
    answer->result = known ? STORE_DONE : STORE_NOTHING;
    answer->held = game.held;
}

static void watch(struct reading *reading, const struct store_request *request,
                  struct store_answer *answer)
{
    const char **list = NULL;
    for (size_t i = 0; !reading->pad.failed && i < request->seen_count; i++) {
        const struct store_seen *const seen = &request->seen[i];
        int64_t same = 0;
        if (db_find(reading->db, SQL_GAME_WATCH,
                    DB(db_text(seen->table), db_big(seen->version), db_number(reading->hold->me)),
                    &same)) {
            continue;
        }
        list = pad_more(&reading->pad, list, answer->count, sizeof *list);
        if (list != NULL) {
            list[answer->count++] = seen->table;
        }
    }
    answer->texts = list;
}

static void earlier(struct reading *reading, const char *table, struct store_answer *answer)
{
    sqlite3_stmt *const row = db_ask(reading->db, SQL_SNAPSHOT, DB(db_text(table)));
    answer->result = STORE_NOTHING;
    if (db_row(reading->db, row)) {
        answer->result = STORE_DONE;
        answer->version = (uint64_t)sqlite3_column_int64(row, 0);
        answer->bytes = read_bytes(&reading->pad, row, 1);
        db_over(row);
    }
}

// The first column of each row.
static void read_texts(struct reading *reading, sqlite3_stmt *row, struct store_answer *answer)
{
    const char **list = NULL;
    while (!reading->pad.failed && db_row(reading->db, row)) {
        list = pad_more(&reading->pad, list, answer->count, sizeof *list);
        if (list != NULL) {
            list[answer->count++] = sqlite_text(&reading->pad, row, 0);
        }
    }
    db_over(row);
    answer->texts = list;
}

static int64_t fewer(size_t count, size_t most)
{
    return (int64_t)(count < most ? count : most);
}

static void read_pieces(struct reading *reading, const struct store_request *request,
                        struct store_answer *answer)
{
    const size_t from = request->from < INT64_MAX ? request->from : INT64_MAX;
    sqlite3_stmt *const row = db_ask(reading->db, SQL_JOURNAL,
                                     DB(db_text(request->table), db_number((int64_t)from),
                                        db_number(fewer(request->count, STORE_JOURNAL_MAX))));
    struct store_bytes *list = NULL;
    while (!reading->pad.failed && db_row(reading->db, row)) {
        list = pad_more(&reading->pad, list, answer->count, sizeof *list);
        if (list != NULL) {
            list[answer->count++] = read_bytes(&reading->pad, row, 0);
        }
    }
    db_over(row);
    answer->pieces = list;
}

static void read_of_table(struct reading *reading, const struct store_request *request,
                          struct store_answer *answer)
{
    int64_t version = 0;
    const bool there = db_find(reading->db, SQL_GAME, DB(db_text(request->table)), &version);
    if (!there && request->kind == STORE_JOURNAL) {
        sqlite_read_archived(reading, request, answer);
    } else if (!there) {
        answer->result = STORE_NOTHING;
    } else if (request->kind == STORE_LOG) {
        read_texts(
            reading,
            db_ask(reading->db, SQL_NARRATIONS,
                   DB(db_text(request->table), db_number(fewer(request->count, STORE_LOG_MAX)))),
            answer);
    } else {
        read_pieces(reading, request, answer);
    }
}

/* Directories. */

static void place(struct reading *reading, const struct store_request *request,
                  struct store_answer *answer)
{
    sqlite3_stmt *const row =
        db_ask(reading->db, SQL_PLACE, DB(db_text(request->network), db_text(request->place)));
    answer->result = STORE_NOTHING;
    if (db_row(reading->db, row)) {
        answer->result = STORE_DONE;
        answer->table = sqlite_text(&reading->pad, row, 0);
        answer->community = sqlite_text(&reading->pad, row, 1);
        db_over(row);
    }
}

static void person(struct reading *reading, const struct store_request *request,
                   struct store_answer *answer)
{
    sqlite3_stmt *const row =
        db_ask(reading->db, SQL_SITTINGS, DB(db_text(request->network), db_text(request->person)));
    struct store_sitting *list = NULL;
    while (!reading->pad.failed && db_row(reading->db, row)) {
        list = pad_more(&reading->pad, list, answer->count, sizeof *list);
        if (list != NULL) {
            const char *const name = sqlite_text(&reading->pad, row, 2);
            const char *const community = sqlite_text(&reading->pad, row, 3);
            list[answer->count++] =
                (struct store_sitting){.table = sqlite_text(&reading->pad, row, 0),
                                       .place_name = name != NULL ? name : "",
                                       .community = community != NULL ? community : "",
                                       .chosen = sqlite3_column_int(row, 1) != 0};
        }
    }
    db_over(row);
    answer->sittings = list;
    answer->result = answer->count > 0 ? STORE_DONE : STORE_NOTHING;
}

static struct store_line read_line(sqlite3_stmt *row)
{
    return (struct store_line){.games = (uint32_t)sqlite3_column_int64(row, 0),
                               .wins = (uint32_t)sqlite3_column_int64(row, 1),
                               .kills = (uint32_t)sqlite3_column_int64(row, 2),
                               .deaths = (uint32_t)sqlite3_column_int64(row, 3)};
}

static void statistics(struct reading *reading, const struct store_request *request,
                       struct store_answer *answer)
{
    const struct db_value community = db_text(request->community);
    sqlite3_stmt *row = db_ask(reading->db, SQL_RECORD,
                               DB(community, db_text(request->network), db_text(request->person)));
    answer->result = STORE_NOTHING;
    if (db_row(reading->db, row)) {
        answer->result = STORE_DONE;
        answer->line = read_line(row);
        db_over(row);
    }
    row = db_ask(reading->db, SQL_RECORD_TOTAL, DB(community));
    if (db_row(reading->db, row)) {
        answer->total = read_line(row);
        answer->people = (size_t)sqlite3_column_int64(row, 4);
        db_over(row);
    }
}

/* All tables. */

static int by_word(const void *a, const void *b)
{
    const char *const *const one = a;
    const char *const *const other = b;
    return strcmp(*one, *other);
}

static void due(struct reading *reading, const struct store_request *request,
                struct store_answer *answer)
{
    const struct db_value until = db_number(request->ms);
    const struct db_value after = db_text(request->after != NULL ? request->after : "");
    const struct db_value unsent = db_number(request->unsent);
    const struct db_value most = db_number(STORE_DUE_MAX);
    if (request->claims) {
        const char **list = NULL;
        read_texts(reading,
                   db_ask(reading->db, SQL_DUE_CLAIM,
                          DB(until, after, unsent, most, db_number(reading->hold->me),
                             db_number(STORE_MARK_MS), db_text(request->networks))),
                   answer);
        memcpy(&list, &answer->texts, sizeof list);
        if (list != NULL) {
            qsort(list, answer->count, sizeof *list, by_word);
        }
    } else {
        read_texts(reading, db_ask(reading->db, SQL_DUE, DB(until, after, unsent, most)), answer);
    }
    if (!db_find(reading->db, SQL_DUE_NEXT, DB(until), &answer->next_ms)) {
        answer->next_ms = STORE_NEVER;
    }
}

static void list(struct reading *reading, const struct store_request *request,
                 struct store_answer *answer)
{
    const char *const after = request->after != NULL ? request->after : "";
    read_texts(reading,
               db_ask(reading->db, request->archived ? SQL_ARCHIVED : SQL_GAMES,
                      DB(db_text(after), db_number(STORE_DUE_MAX))),
               answer);
}

static void known(struct reading *reading, const struct store_request *request,
                  struct store_answer *answer)
{
    read_texts(
        reading,
        db_ask(reading->db, SQL_KNOWN, DB(db_text(request->network), db_text(request->person))),
        answer);
}

static void card(struct reading *reading, const struct store_request *request,
                 struct store_answer *answer)
{
    sqlite3_stmt *const row = db_ask(reading->db, SQL_CARD, DB(db_text(request->word)));
    answer->result = STORE_NOTHING;
    if (db_row(reading->db, row)) {
        answer->result = STORE_DONE;
        answer->bytes = read_bytes(&reading->pad, row, 0);
        db_over(row);
    }
}

static void kept(struct reading *reading, const struct store_request *request,
                 struct store_answer *answer)
{
    struct pad *const pad = &reading->pad;
    sqlite3_stmt *const row =
        db_ask(reading->db, SQL_KEPT, DB(db_text(request->word), db_number(STORE_KEPT_MAX)));
    const char **words = NULL;
    struct store_bytes *list = NULL;
    while (!pad->failed && db_row(reading->db, row)) {
        words = pad_more(pad, words, answer->count, sizeof *words);
        list = pad_more(pad, list, answer->count, sizeof *list);
        if (words != NULL && list != NULL) {
            words[answer->count] = sqlite_text(pad, row, 0);
            list[answer->count++] = read_bytes(pad, row, 1);
        }
    }
    db_over(row);
    answer->texts = words;
    answer->pieces = list;
}

static void hello(const struct reading *reading, struct store_answer *answer)
{
    // Never one that was given before: keys made of it name messages for ever.
    sqlite3_randomness(sizeof answer->epoch, &answer->epoch);
    answer->epoch |= 1u; // 0 is none
    memcpy(answer->secret, reading->secret, sizeof answer->secret);
    answer->now_ms = reading->now_ms;
}

static void read_one(struct reading *reading, const struct store_request *request,
                     struct store_answer *answer)
{
    switch (request->kind) {
    case STORE_HELLO:
        hello(reading, answer);
        sqlite_aways(reading->db, &reading->pad, answer);
        break;
    case STORE_PLACE:
        place(reading, request, answer);
        break;
    case STORE_PERSON:
        person(reading, request, answer);
        break;
    case STORE_LOAD:
        load(reading, request->table, answer);
        break;
    case STORE_LOOK:
        look(reading, request->table, answer);
        break;
    case STORE_WATCH:
        watch(reading, request, answer);
        break;
    case STORE_EARLIER:
        earlier(reading, request->table, answer);
        break;
    case STORE_LOG:
    case STORE_JOURNAL:
        read_of_table(reading, request, answer);
        break;
    case STORE_STATISTICS:
        statistics(reading, request, answer);
        break;
    case STORE_STEP:
        step(reading, request, answer);
        break;
    case STORE_DUE:
        due(reading, request, answer);
        break;
    case STORE_KEPT:
        kept(reading, request, answer);
        break;
    case STORE_CARD:
        card(reading, request, answer);
        break;
    case STORE_LIST:
        list(reading, request, answer);
        break;
    case STORE_KNOWN:
        known(reading, request, answer);
        break;
    case STORE_HOLD:
        answer->result = hold_take(reading->hold, request->word) ? STORE_DONE : STORE_CONFLICT;
        break;
    case STORE_BEAT:
    case STORE_COMMIT:
    case STORE_CONFIRM:
    case STORE_KEEP:
    case STORE_FORGET:
    case STORE_STAND:
        break; // not asked here
    }
}

// The answer as it was read; NULL without memory.
static struct store_answer *read_end(struct reading *reading, const struct store_answer *answer)
{
    struct store_answer *copy = NULL;
    if (reading->db->failed != SQLITE_OK) {
        const struct store_answer failed = {.kind = answer->kind, .result = STORE_FAILED};
        copy = store_answer_copy(&failed);
    } else if (!reading->pad.failed) {
        copy = store_answer_copy(answer);
    }
    pad_empty(&reading->pad);
    return copy;
}

struct store_answer *sqlite_claim(struct reading *reading, const struct store_request *request)
{
    struct store_answer answer = {.kind = request->kind};
    due(reading, request, &answer);
    return read_end(reading, &answer);
}

struct store_answer *sqlite_answer_aways(struct reading *reading, struct store_answer *answer)
{
    sqlite_aways(reading->db, &reading->pad, answer);
    return read_end(reading, answer);
}

struct store_answer *sqlite_read(struct reading *reading, const struct store_request *request)
{
    struct store_answer answer = {.kind = request->kind};
    read_one(reading, request, &answer);
    return read_end(reading, &answer);
}
