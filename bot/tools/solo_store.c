#include "bot/tools/solo_store.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/store_call.h"
#include "bot/table/table_codec.h"

static const char COMMUNITY[] = "solo";

enum { PIECES_MAX = 256, RECORDS_MAX = MB_SEATS_MAX };

/** Pieces of the journal as the store takes them. */
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

static struct store_commit next(const struct solo_store *kept)
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

static bool commit(struct solo_store *kept, const struct store_commit *commit, struct mb_error *err)
{
    const struct store_request request = {.kind = STORE_COMMIT, .commit = *commit};
    if (store_call_result(kept->store, &request) != STORE_DONE) {
        return mb_fail(err, MB_ERR_IO, "the store does not save the table");
    }
    kept->version += commit->directories ? 0 : 1;
    return true;
}

static struct store_bytes encode(struct solo_store *kept, const struct table *table)
{
    return (struct store_bytes){.at = kept->bytes,
                                .size = table_encode(table, kept->bytes, TABLE_BYTES_MAX)};
}

bool solo_store_begin(struct solo_store *kept, struct store *store, const struct table *table,
                      const char *const *log, size_t log_count, struct mb_error *err)
{
    uint8_t chance[STORE_TABLE_SIZE / 2 - 1];
    randombytes_buf(chance, sizeof chance);
    *kept = (struct solo_store){.store = store, .bytes = mb_new(1, TABLE_BYTES_MAX)};
    randombytes_buf(&kept->epoch, sizeof kept->epoch);
    (void)sodium_bin2hex(kept->id, sizeof kept->id, chance, sizeof chance);
    struct store_commit first = next(kept);
    first.bytes = encode(kept, table);
    first.anew = true;
    first.log = log;
    first.log_count = log_count;
    return commit(kept, &first, err);
}

// A narration is a commit of its own, so that the log has each.
static bool commit_more(struct solo_store *kept, const struct table_outcome *outcome,
                        const struct store_bytes *bytes, const char *first, struct mb_error *err)
{
    for (size_t i = 0; i < outcome->said.count; i++) {
        const struct message *const said = &outcome->said.items[i];
        struct store_commit more = next(kept);
        more.bytes = *bytes;
        more.narration = said->text;
        if (said->to == MESSAGE_TABLE && said->text != first && !commit(kept, &more, err)) {
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

bool solo_store_commit(struct solo_store *kept, const struct table_outcome *outcome,
                       struct mb_error *err)
{
    struct store_record records[RECORDS_MAX];
    struct pieces pieces = {.count = 0};
    struct store_commit change = next(kept);
    const bool written = write_journal(&outcome->journal, &pieces);
    change.bytes = encode(kept, outcome->after);
    change.keep_earlier = outcome->keep_earlier;
    change.narration = first_narration(outcome);
    change.journal = pieces.items;
    change.journal_count = pieces.count;
    change.records = records;
    change.record_count = write_records(outcome, records);
    const bool done = (written || mb_fail(err, MB_ERR_LIMIT, "the journal is too long")) &&
                      commit(kept, &change, err) &&
                      commit_more(kept, outcome, &change.bytes, change.narration, err);
    free(pieces.room);
    return done;
}

static bool ask(struct solo_store *kept, size_t at, struct store_request *request,
                struct mb_error *err)
{
    request->table = kept->id;
    store_answer_free(kept->answers[at]);
    kept->answers[at] = store_call(kept->store, request);
    return (kept->answers[at] != NULL && kept->answers[at]->result != STORE_FAILED) ||
           mb_fail(err, MB_ERR_IO, "the store does not answer");
}

bool solo_store_load(struct solo_store *kept, struct store_bytes *out, struct mb_error *err)
{
    struct store_request load = {.kind = STORE_LOAD};
    store_stop(kept->store);
    if (!store_start(kept->store, err) || !ask(kept, 0, &load, err)) {
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

void solo_store_fetch(struct solo_store *kept, const struct table_outcome *outcome,
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
    if (!ask(kept, 0, &log, err) || !ask(kept, 1, &earlier, err) || !ask(kept, 2, &stats, err)) {
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

void solo_store_forget(struct solo_store *kept, const struct person *person, struct mb_error *err)
{
    const struct store_record record = {
        .community = COMMUNITY, .network = person->network, .person = person->id, .forget = true};
    struct store_commit change = next(kept);
    randombytes_buf(&change.step.epoch, sizeof change.step.epoch); // it makes no version
    change.directories = true;
    change.table = "";
    change.records = &record;
    change.record_count = 1;
    (void)commit(kept, &change, err);
}

void solo_store_end(struct solo_store *kept)
{
    struct mb_error err = {0};
    if (kept->store != NULL && kept->version > 0) {
        struct store_commit last = next(kept);
        (void)commit(kept, &last, &err);
    }
    forget_answers(kept);
    free(kept->bytes);
    *kept = (struct solo_store){.store = NULL};
}
