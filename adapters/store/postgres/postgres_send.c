// What a request asks of the database: its statements, in an order in which they can be checked.
//
// A step locks its table first, so what it finds afterwards stays so until it ends. Conditions are
// statements of their own (QUERY_KNOWN and the like). Directories are written in the order of their
// keys, so that two steps never wait for each other; where they do by another way, one is tried
// again.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/store/postgres/postgres_impl.h"

static const char *word(const char *text)
{
    return text != NULL ? text : "";
}

/* Directories, in the order of their keys. */

static int by_place(const void *a, const void *b)
{
    const struct store_place *const *const one = a;
    const struct store_place *const *const other = b;
    const int network = strcmp((*one)->network, (*other)->network);
    return network != 0 ? network : strcmp((*one)->place, (*other)->place);
}

static int by_person(const void *a, const void *b)
{
    const struct store_sit *const *const one = a;
    const struct store_sit *const *const other = b;
    const int network = strcmp((*one)->network, (*other)->network);
    return network != 0 ? network : strcmp((*one)->person, (*other)->person);
}

static int by_record(const void *a, const void *b)
{
    const struct store_record *const *const one = a;
    const struct store_record *const *const other = b;
    const int community = strcmp((*one)->community, (*other)->community);
    const int network = strcmp((*one)->network, (*other)->network);
    if (community != 0) {
        return community;
    }
    return network != 0 ? network : strcmp((*one)->person, (*other)->person);
}

// Pointers to the members of a list, sorted; NULL without memory or members. The caller frees it.
static const void **sorted(const void *list, size_t count, size_t size,
                           int (*compare)(const void *a, const void *b))
{
    const void **const order = count > 0 ? malloc(count * sizeof *order) : NULL;
    for (size_t i = 0; order != NULL && i < count; i++) {
        order[i] = (const char *)list + i * size;
    }
    if (order != NULL) {
        qsort(order, count, sizeof *order, compare);
    }
    return order;
}

static void send_places(struct conn *conn, const struct store_commit *commit)
{
    const void **const order =
        sorted(commit->places, commit->place_count, sizeof *commit->places, by_place);
    for (size_t i = 0; order != NULL && i < commit->place_count; i++) {
        const struct store_place *const place = order[i];
        const struct db_value network = db_text(place->network);
        const struct db_value where = db_text(place->place);
        const struct db_value table = db_text(word(commit->table));
        if (place->taken) {
            conn_send(conn, QUERY_PLACE_TAKE,
                      DB(network, where, table, db_text(word(place->name)),
                         db_text(word(place->community)),
                         db_text(commit->directories ? NULL : commit->from)));
            conn_send(conn, QUERY_PLACE_TAKEN, DB(network, where, table));
        } else {
            conn_send(conn, QUERY_PLACE_LEAVE, DB(network, where, table));
        }
    }
    if (order == NULL && commit->place_count > 0) {
        conn_close(conn);
    }
    free(order);
}

static void send_sits(struct conn *conn, const struct store_commit *commit)
{
    const void **const order =
        sorted(commit->sits, commit->sit_count, sizeof *commit->sits, by_person);
    for (size_t i = 0; order != NULL && i < commit->sit_count; i++) {
        static const enum query HOW[] = {[STORE_SITS] = QUERY_SIT_DOWN,
                                         [STORE_LEAVES] = QUERY_SIT_UP,
                                         [STORE_CHOOSES] = QUERY_SIT_CHOOSE};
        const struct store_sit *const sit = order[i];
        const struct db_value network = db_text(sit->network);
        const struct db_value person = db_text(sit->person);
        const struct db_value table = db_text(word(commit->table));
        conn_send(conn, QUERY_PERSON_LOCK, DB(network, person));
        if (sit->what == STORE_SITS) {
            conn_send(conn, QUERY_SIT_ROOM,
                      DB(network, person, table, db_number(STORE_TABLES_OF_PERSON)));
        }
        conn_send(conn, HOW[sit->what], DB(network, person, table));
    }
    if (order == NULL && commit->sit_count > 0) {
        conn_close(conn);
    }
    free(order);
}

static void send_record(struct conn *conn, const struct store_record *record)
{
    const struct db_value community = db_text(record->community);
    const struct db_value network = db_text(record->network);
    const struct db_value person = db_text(record->person);
    if (record->forget) {
        conn_send(conn, QUERY_RECORD_FORGET, DB(community, network, person));
        return;
    }
    conn_send(conn, QUERY_COMMUNITY_ADD, DB(community, db_number(STORE_COMMUNITIES_MAX)));
    conn_send(conn, QUERY_RECORD_ADD,
              DB(community, network, person, db_number(record->line.games),
                 db_number(record->line.wins), db_number(record->line.kills),
                 db_number(record->line.deaths)));
    conn_send(conn, QUERY_RECORD_TIDY, DB(community, db_number(STORE_PEOPLE_OF_COMMUNITY)));
}

static void send_records(struct conn *conn, const struct store_commit *commit)
{
    const void **const order =
        sorted(commit->records, commit->record_count, sizeof *commit->records, by_record);
    for (size_t i = 0; order != NULL && i < commit->record_count; i++) {
        send_record(conn, order[i]);
    }
    if (order == NULL && commit->record_count > 0) {
        conn_close(conn);
    }
    free(order);
}

/* A commit. */

static struct db_value event_of(const struct postgres_store *postgres, const char *event)
{
    return event != NULL && event[0] != '\0' ? db_big(store_event(postgres->secret, event))
                                             : db_text(NULL);
}

static void send_conditions(struct conn *conn, const struct postgres_store *postgres,
                            const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const struct db_value event = event_of(postgres, commit->event);
    if (!commit->directories) {
        conn_send(conn, QUERY_LOCK, DB(table, db_text(commit->from)));
    }
    conn_send(conn, QUERY_KNOWN,
              DB(table, db_big(commit->step.epoch), db_big(commit->step.number),
                 db_number(POSTGRES_STEPS), db_big(postgres->me)));
    if (commit->directories) {
        return;
    }
    if (event.kind == DB_NUMBER) {
        conn_send(conn, QUERY_HEARD, DB(table, event, db_number(STORE_EVENT_MS)));
    }
    conn_send(
        conn, QUERY_VERSION,
        DB(table, db_big(commit->expected), db_text(commit->from), db_big(commit->from_version)));
}

static void send_words(struct conn *conn, const struct postgres_store *postgres,
                       const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    if (commit->anew) {
        conn_send(conn, QUERY_ANEW_JOURNAL, DB(table));
        conn_send(conn, QUERY_ANEW_LOG, DB(table));
    }
    for (size_t i = 0; commit->anew && i < commit->log_count; i++) {
        conn_send(conn, QUERY_NARRATION_KEEP, DB(table, db_text(commit->log[i])));
    }
    if (commit->narration != NULL) {
        conn_send(conn, QUERY_NARRATION_KEEP, DB(table, db_text(commit->narration)));
    }
    for (size_t i = 0; i < commit->journal_count; i++) {
        conn_send(conn, QUERY_JOURNAL_KEEP, DB(table, db_bytes(commit->journal[i])));
    }
    for (size_t i = 0; i < commit->message_count; i++) {
        const struct store_message *const message = &commit->messages[i];
        const struct db_value board = db_number(message->board);
        const struct db_value reader = db_text(message->reader);
        if (message->board != 0) {
            conn_send(conn, QUERY_MESSAGE_REPLACE, DB(table, board, reader));
        }
        conn_send(conn, QUERY_MESSAGE_KEEP,
                  DB(table, db_big(message->key.epoch), db_big(message->key.number), board, reader,
                     db_bytes(message->bytes), db_number(message->narrates),
                     message->answer ? db_big(postgres->me) : db_number(0)));
    }
}

// Sorted, as all that several steps write.
static int by_word(const void *a, const void *b)
{
    const struct store_card *const *const one = a;
    const struct store_card *const *const other = b;
    return strcmp((*one)->word, (*other)->word);
}

static void send_cards(struct conn *conn, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const void **const order =
        sorted(commit->cards, commit->card_count, sizeof *commit->cards, by_word);
    if (order == NULL) {
        if (commit->card_count > 0) {
            conn_close(conn);
        }
        return;
    }
    conn_send(conn, QUERY_CARDS_LOCK, NULL);
    conn_send(conn, QUERY_CARDS_UNUSE, DB(table));
    for (size_t i = 0; i < commit->card_count; i++) {
        const struct store_card *const card = order[i];
        conn_send(conn, QUERY_CARD_KEEP, DB(db_text(card->word), db_bytes(card->bytes)));
        conn_send(conn, QUERY_CARD_USE, DB(table, db_text(card->word)));
    }
    conn_send(conn, QUERY_CARDS_TIDY, NULL);
    free(order);
}

static void send_table(struct conn *conn, const struct postgres_store *postgres,
                       const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const struct db_value version = db_big(commit->expected + 1);
    const struct db_value since = db_number(commit->since_ms);
    const struct db_value due = db_number(commit->due_ms);
    const struct db_value until = db_number(commit->until_ms);
    const struct db_value sender = commit->sends ? db_big(postgres->me) : db_number(0);
    if (commit->expected == 0) {
        conn_send(conn, QUERY_GAME_MAKE,
                  DB(table, db_text(word(commit->opener_network)), db_text(word(commit->opener)),
                     db_text(word(commit->community)), since, due, until, db_number(commit->rests),
                     sender));
        if (!commit->anew) {
            conn_send(conn, QUERY_TAKE_OUT, DB(table));
        }
        conn_send(conn, QUERY_ARCHIVE_DROP, DB(table));
    } else {
        conn_send(conn, QUERY_GAME_CHANGE,
                  DB(table, version, since, due, until, db_number(commit->rests),
                     db_number(commit->keep_earlier), sender, db_big(postgres->me)));
    }
    conn_send(conn, QUERY_SNAPSHOT_KEEP, DB(table, version, db_bytes(commit->bytes)));
    if (commit->anew) {
        conn_send(conn, QUERY_ANEW_EARLIER, DB(table));
    }
    conn_send(conn, QUERY_SNAPSHOT_TIDY, DB(table, version));
    conn_send(conn, QUERY_STEP_KEEP,
              DB(table, version, db_big(commit->step.epoch), db_big(commit->step.number),
                 event_of(postgres, commit->event)));
    if ((commit->expected + 1) % POSTGRES_STEPS == 0) {
        conn_send(conn, QUERY_STEP_TIDY,
                  DB(table, db_number((int64_t)commit->expected + 1 - POSTGRES_STEPS),
                     db_number(STORE_EVENT_MS)));
        conn_send(conn, QUERY_NARRATION_TIDY, DB(table, db_number(STORE_LOG_MAX)));
    }
    send_words(conn, postgres, commit);
    send_cards(conn, commit);
}

static void send_commit(struct conn *conn, const struct postgres_store *postgres,
                        const struct store_commit *commit)
{
    const bool keeps = !commit->directories && commit->bytes.at != NULL;
    const struct db_value table = db_text(commit->table);
    send_conditions(conn, postgres, commit);
    if (keeps) {
        send_table(conn, postgres, commit);
    } else {
        conn_send(conn, QUERY_LOOSE_KEEP,
                  DB(db_big(commit->step.epoch), db_big(commit->step.number)));
    }
    send_places(conn, commit);
    send_sits(conn, commit);
    if (keeps && commit->expected == 0) {
        conn_send(conn, QUERY_ROOM,
                  DB(table, db_text(commit->from), db_number(STORE_TABLES_OF_OPENER),
                     db_number(STORE_TABLES_OF_COMMUNITY), db_number(STORE_TABLES_MAX)));
    }
    send_records(conn, commit);
    if (!commit->directories && commit->from != NULL) {
        conn_send(conn, QUERY_DROP, DB(db_text(commit->from)));
    }
    if (!commit->directories && !keeps) {
        conn_send(conn, QUERY_DROP, DB(table));
    }
}

static void send_confirm(struct conn *conn, const struct store_request *request)
{
    const struct db_value table = db_text(request->table);
    const struct db_value epoch = db_big(request->key.epoch);
    const struct db_value number = db_big(request->key.number);
    conn_send(conn, QUERY_LOCK, DB(table, db_text(NULL)));
    if (request->id != NULL) {
        conn_send(conn, QUERY_BOARD_KEEP, DB(table, epoch, number, db_text(request->id)));
    }
    if (request->forget_board != 0) {
        conn_send(conn, QUERY_BOARD_DROP, DB(table, db_number(request->forget_board)));
    }
    conn_send(conn, QUERY_MESSAGE_DROP, DB(table, epoch, number));
    if (request->starts) {
        conn_send(conn, QUERY_STARTS, DB(table, db_number(request->ms)));
    }
}

/* Questions. */

static struct db_value fewer(size_t count, size_t most)
{
    return db_number((int64_t)(count < most ? count : most));
}

static void send_due(struct conn *conn, const struct postgres_store *postgres,
                     const struct store_request *request)
{
    const struct db_value ms = db_number(request->ms);
    const struct db_value me = db_big(postgres->me);
    const struct db_value after = db_text(word(request->after));
    const struct db_value most = db_number(STORE_DUE_MAX);
    if (request->claims) {
        conn_send(conn, request->unsent ? QUERY_CLAIM_UNSENT : QUERY_CLAIM,
                  DB(ms, after, most, me, db_number(STORE_MARK_MS), db_text(request->networks)));
    } else {
        conn_send(conn, request->unsent ? QUERY_DUE_UNSENT : QUERY_DUE, DB(ms, after, most));
    }
    conn_send(conn, QUERY_DUE_NEXT, DB(ms, me));
}

static void send_journal(struct conn *conn, const struct store_request *request)
{
    conn_send(conn, QUERY_JOURNAL,
              DB(db_text(request->table), fewer(request->from, INT64_MAX),
                 fewer(request->count, STORE_JOURNAL_MAX)));
}

static void send_list(struct conn *conn, const struct store_request *request)
{
    conn_send(conn, request->archived ? QUERY_ARCHIVED : QUERY_GAMES,
              DB(db_text(word(request->after)), db_number(STORE_DUE_MAX)));
}

// What goes is put away first, and goes from there.
static void send_purge(struct conn *conn, const struct store_request *request)
{
    static const enum query ALL[] = {QUERY_PURGE_GAMES, QUERY_PURGE_CARDS, QUERY_PURGE_ARCHIVE,
                                     QUERY_PURGE_RECORDS, QUERY_PURGE_COMMUNITY};
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
        conn_send(conn, ALL[i], DB(db_text(request->community)));
    }
    conn_send(conn, QUERY_CARDS_TIDY, NULL);
}

static void send_forget(struct conn *conn, const struct store_request *request)
{
    static const enum query OF_PERSON[] = {QUERY_FORGET_RECORDS, QUERY_FORGET_SITS,
                                           QUERY_FORGET_OPENER};
    static const enum query OF_READER[] = {QUERY_FORGET_MESSAGES, QUERY_FORGET_BOARDS};
    for (size_t i = 0; i < sizeof OF_PERSON / sizeof OF_PERSON[0]; i++) {
        conn_send(conn, OF_PERSON[i], DB(db_text(request->network), db_text(request->person)));
    }
    for (size_t i = 0; i < sizeof OF_READER / sizeof OF_READER[0]; i++) {
        conn_send(conn, OF_READER[i], DB(db_text(request->word)));
    }
}

static void send_statistics(struct conn *conn, const struct store_request *request)
{
    const struct db_value community = db_text(request->community);
    conn_send(conn, QUERY_RECORD,
              DB(community, db_text(request->network), db_text(request->person)));
    conn_send(conn, QUERY_RECORD_TOTAL, DB(community));
}

// Adds an id to a list of PostgreSQL's: {"a","b"}.
static void add_id(char **at, const char *id, bool first)
{
    *(*at)++ = first ? '{' : ',';
    *(*at)++ = '"';
    for (; *id != '\0'; id++) {
        if (*id == '"' || *id == '\\') {
            *(*at)++ = '\\';
        }
        *(*at)++ = *id;
    }
    *(*at)++ = '"';
}

static void end_list(char *at, bool empty)
{
    if (empty) {
        *at++ = '{';
    }
    *at++ = '}';
    *at = '\0';
}

static void send_watch(struct conn *conn, const struct postgres_store *postgres,
                       const struct store_request *request)
{
    enum { ID = 2 * STORE_TABLE_SIZE + 3, VERSION = 24, END = 3 };
    const size_t count = request->seen_count;
    char *const ids = malloc(count * ID + END);
    char *const versions = malloc(count * VERSION + END);
    if (ids == NULL || versions == NULL) {
        conn_close(conn);
    } else {
        char *id = ids;
        char *version = versions;
        for (size_t i = 0; i < count; i++) {
            add_id(&id, request->seen[i].table, i == 0);
            version += snprintf(version, VERSION, "%c%" PRIu64, i == 0 ? '{' : ',',
                                request->seen[i].version);
        }
        end_list(id, count == 0);
        end_list(version, count == 0);
        conn_send(conn, QUERY_WATCH, DB(db_text(ids), db_text(versions), db_big(postgres->me)));
    }
    free(ids);
    free(versions);
}

static void send_life(struct conn *conn, const struct postgres_store *postgres)
{
    conn_send(conn, QUERY_ALIVE, DB(db_big(postgres->me), db_number(STORE_LEASE_MS)));
}

// What is asked of directories that no table's step changes.
static void send_directory(struct conn *conn, const struct store_request *request)
{
    const struct db_value word_of = db_text(request->word);
    if (request->kind == STORE_KEEP && request->bytes.at != NULL) {
        conn_send(conn, QUERY_KEEP, DB(word_of, db_bytes(request->bytes)));
    } else if (request->kind == STORE_KEEP) {
        conn_send(conn, QUERY_KEEP_NOTHING, DB(word_of));
    } else if (request->kind == STORE_KEPT) {
        conn_send(conn, QUERY_KEPT, DB(word_of, db_number(STORE_KEPT_MAX)));
    } else if (request->kind == STORE_CARD) {
        conn_send(conn, QUERY_CARD, DB(word_of));
    } else if (request->kind == STORE_LIST) {
        send_list(conn, request);
    } else if (request->kind == STORE_KNOWN) {
        conn_send(conn, QUERY_COMMUNITIES, DB(db_text(request->network), db_text(request->person)));
    } else if (request->person == NULL) {
        send_purge(conn, request);
    } else {
        send_forget(conn, request);
    }
}

/* What is away. */

static void send_runs_on(struct conn *conn, const struct store_request *request,
                         const char *community)
{
    const struct db_value network = db_text(request->network);
    conn_send(conn, QUERY_AWAY_SHIFT, DB(network, db_number(request->ms), db_text(community)));
    conn_send(conn, QUERY_AWAY_OVER, DB(network, db_text(community)));
}

static void send_stand(struct conn *conn, const struct postgres_store *postgres,
                       const struct store_request *request)
{
    const struct db_value network = db_text(request->network);
    const bool whole = request->community_count == 0;
    if (whole) {
        conn_send(conn, QUERY_PRESENT_TIDY, DB(network, db_big(postgres->me)));
        conn_send(conn, request->back ? QUERY_PRESENT : QUERY_AWAY_NETWORK,
                  DB(network, request->back ? db_big(postgres->me) : db_number(request->ms)));
    }
    if (whole && request->back) {
        send_runs_on(conn, request, "");
    }
    for (size_t i = 0; i < request->community_count; i++) {
        if (request->back) {
            send_runs_on(conn, request, request->communities[i]);
        } else {
            conn_send(conn, QUERY_AWAY_COMMUNITY,
                      DB(network, db_number(request->ms), db_text(request->communities[i])));
        }
    }
    conn_send(conn, QUERY_AWAYS, NULL);
}

static void send_beat(struct conn *conn, const struct postgres_store *postgres, int64_t ms)
{
    conn_send(conn, QUERY_BEAT, DB(db_number(ms)));
    send_life(conn, postgres);
    conn_send(conn, QUERY_LOOSE_TIDY, DB(db_number(ms - STORE_EVENT_MS)));
    conn_send(conn, QUERY_PROCESS_TIDY, DB(db_number(ms - STORE_EVENT_MS)));
    conn_send(conn, QUERY_AWAYS, NULL);
}

void postgres_send(struct conn *conn, const struct postgres_store *postgres,
                   const struct store_request *request)
{
    const struct db_value table = db_text(request->table);
    const struct db_value network = db_text(request->network);
    switch (request->kind) {
    case STORE_HELLO:
        send_life(conn, postgres);
        conn_send(conn, QUERY_AWAYS, NULL);
        break;
    case STORE_STAND:
        send_stand(conn, postgres, request);
        break;
    case STORE_BEAT:
        send_beat(conn, postgres, request->ms);
        break;
    case STORE_PLACE:
        conn_send(conn, QUERY_PLACE, DB(network, db_text(request->place)));
        break;
    case STORE_PERSON:
        conn_send(conn, QUERY_SITTINGS, DB(network, db_text(request->person)));
        break;
    case STORE_LOAD:
        conn_send(conn, QUERY_LOAD, DB(table, db_number(STORE_EVENT_MS), db_big(postgres->me)));
        break;
    case STORE_LOOK:
        conn_send(conn, QUERY_LOOK, DB(table, db_big(postgres->me)));
        break;
    case STORE_WATCH:
        send_watch(conn, postgres, request);
        break;
    case STORE_EARLIER:
        conn_send(conn, QUERY_EARLIER, DB(table));
        break;
    case STORE_LOG:
        conn_send(conn, QUERY_LOG, DB(table, fewer(request->count, STORE_LOG_MAX)));
        break;
    case STORE_JOURNAL:
        send_journal(conn, request);
        break;
    case STORE_STATISTICS:
        send_statistics(conn, request);
        break;
    case STORE_COMMIT:
        send_commit(conn, postgres, &request->commit);
        break;
    case STORE_STEP:
        conn_send(conn, QUERY_STEP,
                  DB(table, db_big(request->key.epoch), db_big(request->key.number),
                     db_number(POSTGRES_STEPS), db_big(postgres->me)));
        break;
    case STORE_CONFIRM:
        send_confirm(conn, request);
        break;
    case STORE_DUE:
        send_due(conn, postgres, request);
        break;
    case STORE_KEEP:
    case STORE_KEPT:
    case STORE_CARD:
    case STORE_LIST:
    case STORE_KNOWN:
    case STORE_FORGET:
        send_directory(conn, request);
        break;
    case STORE_HOLD:
        conn_send(conn, QUERY_HOLD, DB(db_text(request->word)));
        break;
    }
}
