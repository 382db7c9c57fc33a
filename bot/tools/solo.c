#include "bot/tools/solo.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/policy/policy.h"
#include "bot/store.h"
#include "bot/table/table_codec.h"
#include "bot/table/table_impl.h"

// A bot player that does nothing but talk to itself must not stop the world.
enum { STEPS_MAX = 100000, LOG_MAX = TABLE_LOG_MAX, PEOPLE_MAX = 24 };

// What somebody has left in finished games.
struct solo_record {
    char id[PERSON_NAME_SIZE];
    struct deed_stats line;
};

// A table whose bytes, log, statistics and earlier version a store keeps, under a name that no
// other has; nothing is left of it in the end.
struct solo_store {
    struct store *store; // NULL: nothing is kept
    char id[STORE_TABLE_SIZE];
    uint64_t version, epoch;
    unsigned char *bytes;            // room for one table
    struct store_answer *answers[3]; // that what was fetched last points into
};

struct solo {
    struct library *library; // its own, or NULL
    struct table_workspace *ws;
    bool borrows;
    bool marks;
    struct table *table;
    struct box box; // of an arranged table
    struct table_outcome outcome;
    uint64_t stamp;
    struct message_list said;
    struct solo_watcher watcher;
    uint8_t chance[TABLE_CHANCE_SIZE];
    unsigned char *earlier; // the table that undo goes back to, encoded
    size_t earlier_size;
    char *log[LOG_MAX]; // the oldest first
    size_t log_count;
    struct solo_record people[PEOPLE_MAX];
    size_t people_count;
    bool restarts;
    struct mb_error restart_error; // of the first restart that failed
    bool keeps_journal;
    struct journal journal;
    struct deed_fetched fetched;
    struct solo_store kept;
};

static const char NETWORK[] = "solo";

/* What a store keeps. */

static const char COMMUNITY[] = "solo";

enum { PIECES_MAX = 256, RECORDS_MAX = MB_SEATS_MAX };

// Pieces of the journal as the store takes them.
struct pieces {
    struct store_bytes items[PIECES_MAX];
    unsigned char *room;
    size_t count;
};

static void forget_answers(struct solo_store *kept)
{
    for (size_t i = 0; i < sizeof kept->answers / sizeof kept->answers[0]; i++) {
        store_answer_free(kept->answers[i]);
        kept->answers[i] = NULL;
    }
}

static struct store_commit next_commit(const struct solo_store *kept)
{
    return (struct store_commit){.step = {.epoch = kept->epoch, .number = kept->version + 1},
                                 .table = kept->id,
                                 .expected = kept->version,
                                 .rests = true,
                                 .opener_network = COMMUNITY,
                                 .opener = kept->id,
                                 .community = COMMUNITY,
                                 .since_ms = STORE_NEVER,
                                 .due_ms = STORE_NEVER,
                                 .until_ms = STORE_NEVER,
                                 .event = ""};
}

static bool commit_to_store(struct solo_store *kept, const struct store_commit *commit,
                            struct mb_error *err)
{
    const struct store_request request = {.kind = STORE_COMMIT, .commit = *commit};
    if (store_call_result(kept->store, &request) != STORE_DONE) {
        return mb_fail(err, MB_ERR_IO, "the store does not save the table");
    }
    kept->version += commit->directories ? 0 : 1;
    return true;
}

static struct store_bytes encode_table(struct solo_store *kept, const struct table *table)
{
    return (struct store_bytes){.at = kept->bytes,
                                .size = table_encode(table, kept->bytes, TABLE_BYTES_MAX)};
}

// The table as it is, and what has been said at it so far.
static bool solo_store_begin(struct solo_store *kept, struct store *store,
                             const struct table *table, const char *const *log, size_t log_count,
                             struct mb_error *err)
{
    uint8_t chance[STORE_TABLE_SIZE / 2 - 1];
    randombytes_buf(chance, sizeof chance);
    *kept = (struct solo_store){.store = store, .bytes = mb_new(1, TABLE_BYTES_MAX)};
    randombytes_buf(&kept->epoch, sizeof kept->epoch);
    (void)sodium_bin2hex(kept->id, sizeof kept->id, chance, sizeof chance);
    struct store_commit first = next_commit(kept);
    first.bytes = encode_table(kept, table);
    first.anew = true;
    first.log = log;
    first.log_count = log_count;
    return commit_to_store(kept, &first, err);
}

// A narration is a commit of its own, so that the log has each.
static bool commit_more(struct solo_store *kept, const struct table_outcome *outcome,
                        const struct store_bytes *bytes, const char *first, struct mb_error *err)
{
    for (size_t i = 0; i < outcome->said.count; i++) {
        const struct message *const said = &outcome->said.items[i];
        struct store_commit more = next_commit(kept);
        more.bytes = *bytes;
        more.narration = said->text;
        if (said->to == MESSAGE_TABLE && said->text != first &&
            !commit_to_store(kept, &more, err)) {
            return false;
        }
    }
    return true;
}

static const char *first_narration(const struct table_outcome *outcome)
{
    for (size_t i = 0; i < outcome->said.count; i++) {
        if (outcome->said.items[i].to == MESSAGE_TABLE) {
            return outcome->said.items[i].text;
        }
    }
    return NULL;
}

static bool write_journal(const struct journal *batch, struct pieces *out)
{
    const size_t count = journal_piece_count(batch);
    const size_t room = journal_pieces_room(batch);
    if (count > PIECES_MAX) {
        return false;
    }
    out->room = mb_new(room, 1);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t size = journal_piece_encode(batch, i, out->room + used, room - used);
        if (size == 0) {
            return false;
        }
        out->items[out->count++] = (struct store_bytes){.at = out->room + used, .size = size};
        used += size;
    }
    return true;
}

static size_t write_records(const struct table_outcome *outcome,
                            struct store_record out[RECORDS_MAX])
{
    size_t count = 0;
    for (unsigned i = 0; i < outcome->record_count; i++) {
        const struct deed_stats *const line = &outcome->records[i].line;
        struct person person;
        if (table_seat_person(outcome->after, outcome->records[i].seat, false, &person) &&
            person.id != NULL) {
            out[count++] =
                (struct store_record){.community = COMMUNITY,
                                      .network = person.network,
                                      .person = person.id,
                                      .line = {line->games, line->wins, line->kills, line->deaths}};
        }
    }
    return count;
}

// An outcome that has changed the table, all that it says without marks.
static bool solo_store_commit(struct solo_store *kept, const struct table_outcome *outcome,
                              struct mb_error *err)
{
    struct store_record records[RECORDS_MAX];
    struct pieces pieces = {.count = 0};
    struct store_commit change = next_commit(kept);
    const bool written = write_journal(&outcome->journal, &pieces);
    change.bytes = encode_table(kept, outcome->after);
    change.keep_earlier = outcome->keep_earlier;
    change.narration = first_narration(outcome);
    change.journal = pieces.items;
    change.journal_count = pieces.count;
    change.records = records;
    change.record_count = write_records(outcome, records);
    const bool done = (written || mb_fail(err, MB_ERR_LIMIT, "the journal is too long")) &&
                      commit_to_store(kept, &change, err) &&
                      commit_more(kept, outcome, &change.bytes, change.narration, err);
    free(pieces.room);
    return done;
}

static bool ask_store(struct solo_store *kept, size_t at, struct store_request *request,
                      struct mb_error *err)
{
    request->table = kept->id;
    store_answer_free(kept->answers[at]);
    kept->answers[at] = store_call(kept->store, request);
    return (kept->answers[at] != NULL && kept->answers[at]->result != STORE_FAILED) ||
           mb_fail(err, MB_ERR_IO, "the store does not answer");
}

// The store is stopped and started, and the table comes out of it: good until the next call.
static bool solo_store_load(struct solo_store *kept, struct store_bytes *out, struct mb_error *err)
{
    struct store_request load = {.kind = STORE_LOAD};
    store_stop(kept->store);
    if (!store_start(kept->store, err) || !ask_store(kept, 0, &load, err)) {
        return false;
    }
    *out = kept->answers[0]->bytes;
    return (kept->answers[0]->result == STORE_DONE && kept->answers[0]->version == kept->version) ||
           mb_fail(err, MB_ERR_STATE, "the store has another table");
}

static struct deed_stats stats_of(const struct store_line *line)
{
    return (struct deed_stats){line->games, line->wins, line->kills, line->deaths};
}

// What an outcome asks for; nothing of it with an error.
static void solo_store_fetch(struct solo_store *kept, const struct table_outcome *outcome,
                             struct deed_fetched *out, struct mb_error *err)
{
    const struct person *const person = &outcome->fetch_person;
    struct store_request log = {.kind = STORE_LOG, .count = STORE_LOG_MAX};
    struct store_request earlier = {.kind = STORE_EARLIER};
    struct store_request stats = {.kind = STORE_STATISTICS,
                                  .network = person->id != NULL ? person->network : "",
                                  .person = person->id != NULL ? person->id : "",
                                  .community = COMMUNITY};
    forget_answers(kept);
    if (!ask_store(kept, 0, &log, err) || !ask_store(kept, 1, &earlier, err) ||
        !ask_store(kept, 2, &stats, err)) {
        return;
    }
    *out = (struct deed_fetched){.what = FETCH_LOG | FETCH_STATS | FETCH_EARLIER,
                                 .log = kept->answers[0]->texts,
                                 .log_count = kept->answers[0]->count,
                                 .earlier = kept->answers[1]->bytes.at,
                                 .earlier_size = kept->answers[1]->bytes.size,
                                 .stats = stats_of(&kept->answers[2]->line),
                                 .total = stats_of(&kept->answers[2]->total),
                                 .people = kept->answers[2]->people};
}

// Somebody's statistics are forgotten.
static void solo_store_forget(struct solo_store *kept, const struct person *person,
                              struct mb_error *err)
{
    const struct store_record record = {
        .community = COMMUNITY, .network = person->network, .person = person->id, .forget = true};
    struct store_commit change = next_commit(kept);
    randombytes_buf(&change.step.epoch, sizeof change.step.epoch); // it makes no version
    change.directories = true;
    change.table = "";
    change.records = &record;
    change.record_count = 1;
    (void)commit_to_store(kept, &change, err);
}

static void solo_store_end(struct solo_store *kept)
{
    struct mb_error err = {0};
    if (kept->store != NULL && kept->version > 0) {
        struct store_commit last = next_commit(kept);
        (void)commit_to_store(kept, &last, &err);
    }
    forget_answers(kept);
    free(kept->bytes);
    *kept = (struct solo_store){.store = NULL};
}

/* The table. */

struct solo *solo_create(const struct catalog *catalog)
{
    struct library *const library = library_create(catalog);
    struct solo *const solo = solo_create_in(table_workspace_create(library));
    solo->library = library;
    solo->borrows = false;
    return solo;
}

struct solo *solo_create_in(struct table_workspace *workspace)
{
    struct solo *const solo = mb_new(1, sizeof *solo);
    journal_init(&solo->journal);
    solo->ws = workspace;
    solo->borrows = true;
    solo->table = mb_new(1, table_size());
    solo->earlier = mb_new(1, TABLE_BYTES_MAX);
    table_outcome_init(&solo->outcome);
    table_init(solo->table, NETWORK);
    solo->stamp = table_workspace_stamp(solo->ws);
    return solo;
}

void solo_destroy(struct solo *solo)
{
    if (solo == NULL) {
        return;
    }
    solo_store_end(&solo->kept);
    table_outcome_finish(&solo->outcome);
    if (!solo->borrows) {
        table_workspace_destroy(solo->ws);
        library_destroy(solo->library);
    }
    message_list_finish(&solo->said);
    journal_finish(&solo->journal);
    for (size_t i = 0; i < solo->log_count; i++) {
        free(solo->log[i]);
    }
    free(solo->earlier);
    free(solo->table);
    free(solo);
}

// The workspace may have served another table since.
static void lend_box(const struct solo *solo)
{
    solo->ws->arranged = &solo->box;
    solo->ws->arranged_catalog = library_all(solo->ws->library);
}

static void log_add(struct solo *solo, const char *text)
{
    if (solo->log_count == LOG_MAX) {
        free(solo->log[0]);
        memmove(solo->log, solo->log + 1, (LOG_MAX - 1) * sizeof solo->log[0]);
        solo->log_count--;
    }
    solo->log[solo->log_count++] = mb_text(text);
}

// Another workspace in place of its own: what a table has left there is gone.
static void renew_workspace(struct solo *solo)
{
    const struct table_workspace *const old = solo->ws;
    struct table_workspace *const ws = table_workspace_create(old->library);
    ws->watcher = old->watcher;
    memcpy(ws->chats, old->chats, sizeof ws->chats);
    ws->chat_count = old->chat_count;
    memcpy(ws->secret, old->secret, sizeof ws->secret);
    table_workspace_destroy(solo->ws);
    solo->ws = ws;
    lend_box(solo);
}

static bool restart_from(struct solo *solo, unsigned char *bytes, struct table *table,
                         struct mb_error *err)
{
    struct store_bytes from = {.at = bytes,
                               .size = table_encode(solo->table, bytes, TABLE_BYTES_MAX)};
    const size_t size = from.size;
    if (solo->kept.store != NULL && !solo_store_load(&solo->kept, &from, err)) {
        return false;
    }
    if (from.size != size || memcmp(from.at, bytes, size) != 0) {
        return mb_fail(err, MB_ERR_STATE, "the store has another version of the table");
    }
    if (!solo->borrows) {
        renew_workspace(solo);
    }
    return table_decode(from.at, from.size, solo->ws, table, err);
}

bool solo_restart(struct solo *solo, struct mb_error *err)
{
    unsigned char *const bytes = mb_new(1, TABLE_BYTES_MAX);
    struct table *table = mb_new(1, table_size());
    lend_box(solo);
    const bool read = restart_from(solo, bytes, table, err);
    if (read) {
        struct table *const old = solo->table;
        solo->table = table;
        table = old;
        memset(solo->outcome.after, 0, table_size());
        solo->stamp = table_workspace_stamp(solo->ws);
    }
    free(table);
    free(bytes);
    return read;
}

bool solo_keep(struct solo *solo, struct store *store, struct mb_error *err)
{
    return solo_store_begin(&solo->kept, store, solo->table, (const char *const *)solo->log,
                            solo->log_count, err);
}

void solo_restart_always(struct solo *solo)
{
    solo->restarts = true;
}

const char *solo_restart_failed(const struct solo *solo)
{
    return solo->restart_error.code != MB_OK ? solo->restart_error.text : NULL;
}

// The messages of the outcome, which they leave.
static void take_said(struct solo *solo)
{
    struct message_list *const said = &solo->outcome.said;
    for (size_t i = 0; i < said->count; i++) {
        struct message *const message = &said->items[i];
        if (!solo->marks) {
            text_strip(message->text);
        }
        if (message->to == MESSAGE_TABLE) {
            log_add(solo, message->text);
        }
        message_add(&solo->said, message->to, message->seat, message->text);
        struct message *const copy = &solo->said.items[solo->said.count - 1];
        copy->refusal = message->refusal;
        copy->pings = message->pings;
    }
}

static void take_journal(struct solo *solo)
{
    const struct journal *const batch = &solo->outcome.journal;
    unsigned char piece[JOURNAL_PIECE_MAX];
    struct mb_error err = {0};
    if (!solo->keeps_journal) {
        return;
    }
    if (batch->begun) {
        journal_finish(&solo->journal);
        journal_init_for(&solo->journal, batch->catalog, &batch->box, batch->set_count);
    }
    for (size_t i = 0; i < journal_piece_count(batch); i++) {
        const size_t size = journal_piece_encode(batch, i, piece, sizeof piece);
        if (size == 0 || !journal_append(&solo->journal, piece, size, &err)) {
            solo->journal.broken = true;
        }
    }
}

static size_t find_record(const struct solo *solo, const char *id)
{
    size_t at = 0;
    while (at < solo->people_count && strcmp(solo->people[at].id, id) != 0) {
        at++;
    }
    return at;
}

static void take_records(struct solo *solo)
{
    const struct table_outcome *const outcome = &solo->outcome;
    for (unsigned i = 0; i < outcome->record_count; i++) {
        struct person person;
        if (!table_seat_person(outcome->after, outcome->records[i].seat, false, &person) ||
            person.id == NULL) {
            continue;
        }
        const size_t at = find_record(solo, person.id);
        if (at == PEOPLE_MAX) {
            continue;
        }
        solo->people_count += at == solo->people_count ? 1 : 0;
        struct solo_record *const record = &solo->people[at];
        (void)snprintf(record->id, sizeof record->id, "%s", person.id);
        record->line.games += outcome->records[i].line.games;
        record->line.wins += outcome->records[i].line.wins;
        record->line.kills += outcome->records[i].line.kills;
        record->line.deaths += outcome->records[i].line.deaths;
    }
}

bool solo_stats(const struct solo *solo, const char *name, struct deed_stats *out)
{
    const size_t at = find_record(solo, name);
    *out = at < solo->people_count ? solo->people[at].line : (struct deed_stats){0, 0, 0, 0};
    return out->games > 0;
}

static void take_over(struct solo *solo)
{
    struct table_outcome *const outcome = &solo->outcome;
    take_said(solo);
    take_records(solo);
    take_journal(solo);
    if (outcome->answer == TABLE_CHANGED) {
        if (solo->kept.store != NULL &&
            !solo_store_commit(&solo->kept, outcome, &solo->restart_error)) {
            solo->restarts = false; // there is nothing to come back from
        }
        if (outcome->keep_earlier) {
            solo->earlier_size = table_encode(solo->table, solo->earlier, TABLE_BYTES_MAX);
        }
        table_copy(solo->table, outcome->after);
        solo->stamp = outcome->stamp;
    }
}

// What was asked for is all here, or in the store.
static void fetch_for(struct solo *solo)
{
    if (solo->kept.store != NULL) {
        solo_store_fetch(&solo->kept, &solo->outcome, &solo->fetched, &solo->restart_error);
        return;
    }
    solo->fetched = (struct deed_fetched){.what = FETCH_LOG | FETCH_STATS | FETCH_EARLIER,
                                          .log = (const char *const *)solo->log,
                                          .log_count = solo->log_count,
                                          .people = solo->people_count,
                                          .earlier = solo->earlier,
                                          .earlier_size = solo->earlier_size};
    if (solo->outcome.fetch_person.id != NULL) {
        (void)solo_stats(solo, solo->outcome.fetch_person.id, &solo->fetched.stats);
    }
    for (size_t i = 0; i < solo->people_count; i++) {
        solo->fetched.total.games += solo->people[i].line.games;
        solo->fetched.total.wins += solo->people[i].line.wins;
        solo->fetched.total.kills += solo->people[i].line.kills;
        solo->fetched.total.deaths += solo->people[i].line.deaths;
    }
}

static bool decide_deed(struct solo *solo, struct deed *deed, struct refusal *why)
{
    struct table_outcome *const outcome = &solo->outcome;
    lend_box(solo);
    deed->chance = solo->chance;
    deed->seeded = true;
    enum table_answer answer = table_decide(solo->table, solo->stamp, deed, solo->ws, outcome);
    if (answer == TABLE_FETCH) {
        fetch_for(solo);
        deed->fetched = &solo->fetched;
        answer = table_decide(solo->table, solo->stamp, deed, solo->ws, outcome);
    }
    if (why != NULL) {
        *why = outcome->why;
    }
    take_over(solo);
    if (outcome->forget_stats && deed->person.id != NULL) {
        const size_t at = find_record(solo, deed->person.id);
        solo->people[at].line = (struct deed_stats){0, 0, 0, 0};
        if (solo->kept.store != NULL) {
            solo_store_forget(&solo->kept, &deed->person, &solo->restart_error);
        }
    }
    const bool stands = !solo->restarts || solo_restart(solo, &solo->restart_error);
    const bool refused = outcome->why.code != REFUSAL_NONE;
    return stands && !refused && (answer == TABLE_CHANGED || answer == TABLE_LOOKED);
}

static void skip_moments(struct solo *solo)
{
    const struct solo_watcher *const watcher = &solo->watcher;
    struct deed deed = {.kind = DEED_ELAPSE};
    while (watcher->skip_moment != NULL && table_state(solo->table) == TABLE_RUNNING &&
           query_pause(solo_game(solo), PAUSE_ANSWER).kind != PAUSE_NONE &&
           watcher->skip_moment(watcher->user, solo) && decide_deed(solo, &deed, NULL)) {
    }
}

static struct person person_of(const char *name)
{
    return (struct person){.network = NETWORK, .id = name, .name = name};
}

void solo_chance(struct solo *solo, const uint8_t *chance)
{
    memcpy(solo->chance, chance, sizeof solo->chance);
}

bool solo_begin(struct solo *solo, const struct table_options *options,
                const struct solo_seat *seats, unsigned count, const uint8_t seed[32])
{
    struct deed_seat whole[MB_SEATS_MAX] = {{.bot = NULL}};
    for (unsigned i = 0; i < count; i++) {
        const bool bot = seats[i].policy != NULL;
        whole[i] = (struct deed_seat){.bot = bot ? seats[i].name : NULL,
                                      .policy = seats[i].policy,
                                      .female = seats[i].female};
        if (!bot) {
            whole[i].person = person_of(seats[i].name);
        }
    }
    const struct deed_table table = {
        .options = options, .seats = whole, .seat_count = count, .seeded = true};
    struct deed deed = {.kind = DEED_OPEN, .whole = &table};
    solo_chance(solo, seed);
    return decide_deed(solo, &deed, NULL);
}

void solo_adopt(struct solo *solo, const struct box *box, const struct game *game,
                const char *const *names, enum pace pace)
{
    struct table *const table = solo->table;
    const uint8_t seed[32] = {0};
    table_init(table, NETWORK);
    solo->box = *box;
    lend_box(solo);
    table->options.pace = (uint8_t)pace;
    table->profile = box->profile;
    game_copy(table_own_game(table), game);
    table->seat_count = (uint8_t)query_seat_count(game);
    table->host = 0;
    for (unsigned i = 0; i < table->seat_count; i++) {
        struct table_person *const person = &table->seats[i].person;
        (void)snprintf(person->network, sizeof person->network, "%s", NETWORK);
        (void)snprintf(person->id, sizeof person->id, "%s", names[i]);
        text_clean(names[i], person->name, sizeof person->name);
    }
    table->state = TABLE_RUNNING;
    const struct deed deed = {.kind = DEED_COMMAND};
    table_outcome_clear(&solo->outcome);
    struct table_work work = {.table = table,
                              .game = table_own_game(table),
                              .ws = solo->ws,
                              .outcome = &solo->outcome,
                              .said = &solo->outcome.said,
                              .deed = &deed};
    if (table_find_box(&work, NULL)) { // there is one: it was handed in
        table_begin(&work, seed);
    }
    if (query_phase(work.game) == PHASE_OVER) {
        table->state = TABLE_OVER;
    }
    solo->stamp = table_workspace_stamp(solo->ws);
    solo->earlier_size = 0;
    take_said(solo);
}

void solo_let_stand_in(struct solo *solo)
{
    solo->table->stand_ins = 1;
}

static bool person_line(struct solo *solo, const struct person *person, const char *line,
                        struct refusal *why)
{
    struct deed deed = {.kind = DEED_LINE, .person = *person, .line = line};
    const bool accepted = decide_deed(solo, &deed, why);
    if (accepted) {
        skip_moments(solo);
    }
    return accepted;
}

bool solo_line(struct solo *solo, unsigned seat, const char *line, struct refusal *why)
{
    struct person person = {.network = NETWORK, .id = "nobody", .name = "nobody"};
    if (seat < solo->table->seat_count && table_seat_is_person(&solo->table->seats[seat])) {
        (void)table_seat_person(solo->table, seat, false, &person);
    }
    return person_line(solo, &person, line, why);
}

bool solo_person_line(struct solo *solo, const char *name, const char *line, struct refusal *why)
{
    const struct person person = person_of(name);
    return person_line(solo, &person, line, why);
}

bool solo_moderator_line(struct solo *solo, const char *name, const char *line, struct refusal *why)
{
    struct person person = person_of(name);
    person.moderates = true;
    return person_line(solo, &person, line, why);
}

bool solo_submit(struct solo *solo, const struct command *command, struct refusal *why)
{
    struct deed deed = {.kind = DEED_COMMAND, .command = command};
    const bool accepted = decide_deed(solo, &deed, why);
    if (accepted) {
        skip_moments(solo);
    }
    return accepted;
}

void solo_watch(struct solo *solo, const struct solo_watcher *watcher)
{
    solo->watcher = *watcher;
    solo->ws->watcher = (struct table_watcher){.step = watcher->step, .user = watcher->user};
    skip_moments(solo);
}

void solo_keep_journal(struct solo *solo)
{
    solo->keeps_journal = true;
}

const struct journal *solo_journal(const struct solo *solo)
{
    return solo->keeps_journal ? &solo->journal : NULL;
}

void solo_interrupt(struct solo *solo)
{
    solo->journal.state = JOURNAL_INTERRUPTED;
}

void solo_advance(struct solo *solo, int64_t ms)
{
    assert(ms >= 0);
    for (unsigned step = 0; step < STEPS_MAX; step++) {
        const struct table_due due = table_due(solo->table);
        const bool happens = due.kind != TABLE_DUE_NEVER && due.ms <= ms;
        struct deed deed = {.kind = DEED_TIME, .passed_ms = happens ? due.ms : ms};
        (void)decide_deed(solo, &deed, NULL);
        ms -= deed.passed_ms;
        if (!happens) {
            return;
        }
        skip_moments(solo);
    }
}

struct table_due solo_due(const struct solo *solo)
{
    return table_due(solo->table);
}

const struct table *solo_table(const struct solo *solo)
{
    return solo->table;
}

enum table_state solo_state(const struct solo *solo)
{
    return table_state(solo->table);
}

unsigned solo_seat_count(const struct solo *solo)
{
    return table_seat_count(solo->table);
}

const char *solo_seat_name(const struct solo *solo, unsigned seat)
{
    return table_seat_name(solo->table, seat);
}

bool solo_seat_is_bot(const struct solo *solo, unsigned seat)
{
    return table_seat_is_bot(solo->table, seat);
}

const struct box *solo_box(struct solo *solo)
{
    lend_box(solo);
    return table_box(solo->table, solo->ws, NULL);
}

void solo_words(struct solo *solo, unsigned seat, struct table_words *out)
{
    lend_box(solo);
    if (table_words(solo->table, solo->stamp, solo->ws, seat, out)) {
        out->marks = false;
    }
}

void solo_marks(struct solo *solo, bool marks)
{
    solo->marks = marks;
}

struct message_list *solo_outbox(struct solo *solo)
{
    return &solo->said;
}

const struct game *solo_game(const struct solo *solo)
{
    return table_game(solo->table);
}
