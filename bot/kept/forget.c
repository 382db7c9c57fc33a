// A person is forgotten table by table, each in one commit: its value, its journal and its log;
// then what directories know of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/luck.h"
#include "core/codec/memory.h"

#include "bot/hall/out/announce.h"
#include "bot/kept/kept_table.h"
#include "bot/store.h"
#include "bot/table/person_name.h"
#include "bot/table/table_codec.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum {
    ATTEMPTS = 5,
    TEXT_SIZE = 8192,
    NAMES_MAX = 3 * MB_SEATS_MAX, // of each seat now, at its next turn, and at the start
    READER_SIZE = PERSON_NETWORK_SIZE + PERSON_ID_SIZE + 1
};

/** What a table called them, and what it calls them now. */
struct renamed {
    char before[NAMES_MAX][JOURNAL_NAME_SIZE];
    size_t count;
    char after[JOURNAL_NAME_SIZE];
};

/** A table that is rewritten. */
struct rewriting {
    struct kept *kept;
    const struct person *person;
    struct kept_table *old;
    struct renamed names;
    struct table_outcome outcome;
    struct store_answer *log;
    struct store_commit commit;
    struct kept_words words;
    unsigned char *bytes; // of the pieces
    struct store_bytes *pieces;
    char *texts[STORE_LOG_MAX];
    char said[TEXT_SIZE];
    unsigned char announced[TABLE_SITES_MAX][1024];
    struct store_message messages[TABLE_SITES_MAX];
};

/* Names. */

static void add_name(struct renamed *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->before[i], name) == 0) {
            return;
        }
    }
    if (names->count < NAMES_MAX && name[0] != '\0') {
        memcpy(names->before[names->count++], name, strnlen(name, JOURNAL_NAME_SIZE - 1) + 1);
    }
}

// Who began the game stands in the luck as a hash, whoever has their seat by now.
static void find_names(const struct kept_table *table, const struct person *person,
                       struct renamed *out)
{
    uint8_t hash[DIGEST_SIZE];
    memset(out, 0, sizeof *out);
    luck_seat(person->network, person->id, hash);
    for (unsigned seat = 0; seat < table_seat_count(table->table); seat++) {
        struct person who;
        for (int waits = 0; waits < 2; waits++) {
            if (table_seat_person(table->table, seat, waits != 0, &who) &&
                strcmp(who.network, person->network) == 0 && strcmp(who.id, person->id) == 0) {
                add_name(out, who.name);
            }
        }
    }
    for (unsigned seat = 0; table->journal.luck.drawn && seat < table->journal.seat_count; seat++) {
        if (memcmp(table->journal.luck.seats[seat], hash, sizeof hash) == 0) {
            add_name(out, table->journal.players[seat].name);
        }
    }
}

static bool is_one(const struct renamed *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->before[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void rename_player(const struct renamed *names, struct journal_player *player)
{
    if (is_one(names, player->name)) { // or the bot player that has their seat
        memset(player->name, 0, sizeof player->name);
        memcpy(player->name, names->after, strlen(names->after));
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

// The name at a place in a text, as a word of its own; its length, or 0.
static size_t name_at(const struct renamed *names, const char *text, size_t at)
{
    size_t longest = 0;
    for (size_t i = 0; i < names->count; i++) {
        const size_t length = strlen(names->before[i]);
        const bool begins = at == 0 || !is_letter(text[at - 1]);
        if (begins && length > longest && strncmp(text + at, names->before[i], length) == 0 &&
            !is_letter(text[at + length])) {
            longest = length;
        }
    }
    return longest;
}

// A copy with other names, to be freed.
static char *rename_text(const struct renamed *names, const char *text)
{
    const size_t length = strlen(text);
    const size_t after = strlen(names->after);
    char *const out = mb_new(length * (after + 1) + 1, 1);
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const size_t found = name_at(names, text, at);
        if (found > 0) {
            memcpy(out + to, names->after, after);
            to += after;
            at += found;
        } else {
            out[to++] = text[at++];
        }
    }
    return out;
}

/* A table. */

static bool rewrite_value(struct rewriting *r, struct mb_error *err)
{
    struct table_workspace *const ws = r->kept->workspace;
    const struct deed deed = {.kind = DEED_FORGET, .person = *r->person};
    struct text_out out;
    if (table_decide(r->old->table, table_workspace_stamp(ws), &deed, ws, &r->outcome) !=
        TABLE_CHANGED) {
        return mb_fail(err, MB_ERR_LIMIT, "the game is too long");
    }
    const struct table *const after = r->outcome.after;
    text_begin(&out, r->names.after, sizeof r->names.after);
    text_put(&out, TEXT_FORMER_PLAYER, NULL);
    for (unsigned seat = 0; seat < table_seat_count(r->old->table); seat++) {
        struct person who;
        if (seat < table_seat_count(after) && table_seat_person(r->old->table, seat, false, &who) &&
            strcmp(who.network, r->person->network) == 0 && strcmp(who.id, r->person->id) == 0) {
            memset(r->names.after, 0, sizeof r->names.after);
            memcpy(r->names.after, table_seat_name(after, seat),
                   strlen(table_seat_name(after, seat)));
        }
    }
    return true;
}

static bool rewrite_journal(struct rewriting *r, struct mb_error *err)
{
    struct journal *const journal = &r->old->journal;
    const struct journal *const added = &r->outcome.journal;
    const size_t old = r->old->piece_count > 0 ? journal_piece_count(journal) : 0;
    const size_t count = old + journal_piece_count(added);
    for (unsigned i = 0; i < journal->seat_count; i++) {
        rename_player(&r->names, &journal->players[i]);
    }
    for (size_t i = 0; i < journal->count; i++) {
        if (journal->entries[i].player != NULL) {
            rename_player(&r->names, journal->entries[i].player);
        }
    }
    r->pieces = mb_new(count, sizeof *r->pieces);
    const size_t room = journal_pieces_room(journal) + journal_pieces_room(added);
    r->bytes = mb_new(room, 1);
    bool whole = true;
    for (size_t i = 0, used = 0; whole && i < count; i++) {
        const size_t size =
            i < old ? journal_piece_encode(journal, i, r->bytes + used, room - used)
                    : journal_piece_encode(added, i - old, r->bytes + used, room - used);
        r->pieces[i] = (struct store_bytes){.at = r->bytes + used, .size = size};
        used += size;
        whole = size > 0;
    }
    r->commit.journal = r->pieces;
    r->commit.journal_count = count;
    return whole || mb_fail(err, MB_ERR_LIMIT, "its journal is too long");
}

static bool rewrite_log(struct rewriting *r, struct mb_error *err)
{
    const struct store_request request = {
        .kind = STORE_LOG, .table = table_id(r->old->table), .count = STORE_LOG_MAX};
    r->log = store_call(r->kept->store, &request);
    if (r->log == NULL || r->log->result == STORE_FAILED) {
        return mb_fail(err, MB_ERR_IO, "cannot read a table's log from the store");
    }
    for (size_t i = 0; i < r->log->count; i++) {
        r->texts[i] = rename_text(&r->names, r->log->texts[i]);
    }
    r->commit.log = (const char *const *)r->texts;
    r->commit.log_count = r->log->count;
    return true;
}

// What everybody there is told; by whoever sends what the table says.
static void write_announcement(struct rewriting *r)
{
    const struct message_list *const said = &r->outcome.said;
    const struct table *const after = r->outcome.after;
    size_t length = 0;
    for (size_t i = 0; i < said->count; i++) {
        const size_t more = strlen(said->items[i].text);
        if (said->items[i].to == MESSAGE_TABLE && length + more + 2 < sizeof r->said) {
            memcpy(r->said + length, said->items[i].text, more);
            length += more;
        }
    }
    if (length == 0 || r->old->loaded->version == 0) {
        return;
    }
    r->commit.narration = r->said;
    r->commit.messages = r->messages;
    for (unsigned i = 0; i < table_site_count(after); i++) {
        const size_t size =
            announce_encode(table_site_network(after, i), table_site_place(after, i),
                            r->announced[i], sizeof r->announced[i]);
        r->messages[r->commit.message_count++] =
            (struct store_message){.key = kept_key(r->kept),
                                   .bytes = {.at = r->announced[i], .size = size},
                                   .narrates = true};
    }
}

// A lobby that nobody is left in goes.
static enum store_result drop_table(const struct rewriting *r)
{
    const struct store_request gone = {.kind = STORE_COMMIT,
                                       .commit = {.step = kept_key(r->kept),
                                                  .table = table_id(r->old->table),
                                                  .expected = r->old->loaded->version,
                                                  .since_ms = STORE_NEVER,
                                                  .due_ms = STORE_NEVER,
                                                  .until_ms = STORE_NEVER,
                                                  .event = ""}};
    return store_call_result(r->kept->store, &gone);
}

static enum store_result commit_rewriting(struct rewriting *r, struct mb_error *err)
{
    const struct store_answer *const was = r->old->loaded;
    const struct store_sit sit = {
        .network = r->person->network, .person = r->person->id, .what = STORE_LEAVES};
    if (table_state(r->outcome.after) == TABLE_EMPTY) {
        return drop_table(r);
    }
    if (!kept_commit_begin(r->kept, r->outcome.after, &r->words, &r->commit, err)) {
        return STORE_FAILED;
    }
    r->commit.expected = was->version;
    r->commit.community = was->community;
    r->commit.since_ms = was->since_ms;
    r->commit.until_ms = was->until_ms;
    r->commit.anew = true;
    r->commit.card_count = 0; // as they were
    r->commit.sits = &sit;
    r->commit.sit_count = 1;
    if (!rewrite_journal(r, err) || !rewrite_log(r, err)) {
        return STORE_FAILED;
    }
    write_announcement(r);
    const struct store_request request = {.kind = STORE_COMMIT, .commit = r->commit};
    enum store_result result = store_call_result(r->kept->store, &request);
    if (result == STORE_DONE && was->version == 0) { // back where it was
        const struct store_request away = {
            .kind = STORE_COMMIT,
            .commit = {
                .step = kept_key(r->kept), .table = r->commit.table, .expected = 1, .event = ""}};
        result = store_call_result(r->kept->store, &away);
    }
    return result;
}

static void finish_rewriting(struct rewriting *r)
{
    store_answer_free(r->log);
    free(r->bytes);
    free(r->pieces);
    for (size_t i = 0; i < STORE_LOG_MAX; i++) {
        free(r->texts[i]);
    }
    table_outcome_finish(&r->outcome);
    free(r);
}

static enum store_result rewrite(struct kept *kept, const struct person *person,
                                 struct kept_table *old, const struct renamed *names,
                                 struct mb_error *err)
{
    struct rewriting *const r = mb_new(1, sizeof *r);
    table_outcome_init(&r->outcome);
    r->kept = kept;
    r->person = person;
    r->old = old;
    r->names = *names;
    const enum store_result result =
        rewrite_value(r, err) ? commit_rewriting(r, err) : STORE_FAILED;
    finish_rewriting(r);
    return result;
}

// Whether it has changed; false with an error.
static bool forget_at(struct kept *kept, const char *id, const struct person *person, bool *changed,
                      struct mb_error *err)
{
    enum store_result result = STORE_CONFLICT;
    *changed = false;
    for (unsigned i = 0; result == STORE_CONFLICT && i < ATTEMPTS; i++) {
        struct kept_table table;
        struct renamed names;
        struct mb_error why = {0};
        const bool there = kept_fetch(kept, id, &table, &why);
        if (!there) { // gone meanwhile, or nobody can read it
            const bool gone = table.loaded != NULL && table.loaded->result == STORE_NOTHING;
            kept_table_finish(&table);
            return gone || mb_fail(err, why.code, "table %s: %s", id, why.text);
        }
        find_names(&table, person, &names);
        *changed = names.count > 0;
        result = *changed ? rewrite(kept, person, &table, &names, err) : STORE_DONE;
        kept_table_finish(&table);
    }
    return result == STORE_DONE || mb_fail(err, MB_ERR_IO, "cannot change table %s: try again", id);
}

static bool forget_all(struct kept *kept, bool archived, const struct person *person,
                       size_t *tables, struct mb_error *err)
{
    char after[STORE_TABLE_SIZE] = "";
    size_t count = STORE_DUE_MAX;
    while (count == STORE_DUE_MAX) {
        const struct store_request request = {
            .kind = STORE_LIST, .archived = archived, .after = after};
        struct store_answer *const page = store_call(kept->store, &request);
        bool done = page != NULL && page->result == STORE_DONE;
        count = done ? page->count : 0;
        for (size_t i = 0; done && i < count; i++) {
            bool changed = false;
            done = forget_at(kept, page->texts[i], person, &changed, err);
            *tables += done && changed ? 1 : 0;
            memcpy(after, page->texts[i], strnlen(page->texts[i], sizeof after - 1) + 1);
        }
        store_answer_free(page);
        if (!done) {
            return mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
    }
    return true;
}

bool forget_person(struct kept *kept, const char *network, const char *person, size_t *tables,
                   struct mb_error *err)
{
    char reader[READER_SIZE];
    const struct person who = {.network = network, .id = person, .name = person};
    *tables = 0;
    (void)snprintf(reader, sizeof reader, "%s\n%s", network, person);
    const struct store_request forget = {
        .kind = STORE_FORGET, .network = network, .person = person, .word = reader};
    return forget_all(kept, false, &who, tables, err) &&
           forget_all(kept, true, &who, tables, err) &&
           (store_call_result(kept->store, &forget) == STORE_DONE ||
            mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server"));
}

struct telling {
    struct kept *kept;
    struct person person;
    json_t *tables;
};

static json_t *statistics(struct kept *kept, const struct person *person)
{
    json_t *const list = json_array();
    const struct store_request known = {
        .kind = STORE_KNOWN, .network = person->network, .person = person->id};
    struct store_answer *const communities = store_call(kept->store, &known);
    bool whole = communities != NULL && communities->result == STORE_DONE;
    for (size_t i = 0; whole && i < communities->count; i++) {
        const struct store_request request = {.kind = STORE_STATISTICS,
                                              .network = person->network,
                                              .person = person->id,
                                              .community = communities->texts[i]};
        struct store_answer *const answer = store_call(kept->store, &request);
        whole = answer != NULL && answer->result != STORE_FAILED;
        if (whole) {
            (void)json_array_append_new(
                list,
                json_pack("{s:s, s:i, s:i, s:i, s:i}", "community", communities->texts[i], "games",
                          (int)answer->line.games, "wins", (int)answer->line.wins, "kills",
                          (int)answer->line.kills, "deaths", (int)answer->line.deaths));
        }
        store_answer_free(answer);
    }
    store_answer_free(communities);
    if (!whole) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *sittings_json(struct kept *kept, const struct person *person)
{
    json_t *const list = json_array();
    const struct store_request request = {
        .kind = STORE_PERSON, .network = person->network, .person = person->id};
    struct store_answer *const answer = store_call(kept->store, &request);
    for (size_t i = 0; answer != NULL && i < answer->count; i++) {
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:s}", "table", answer->sittings[i].table,
                                              "place", answer->sittings[i].place_name));
    }
    store_answer_free(answer);
    return list;
}

// A table that knows them, under which name, and which of its latest lines say it.
static bool tell_table(struct telling *telling, const char *id, struct mb_error *err)
{
    struct kept_table table;
    struct mb_error why = {0};
    if (!kept_fetch(telling->kept, id, &table, &why)) {
        const bool gone = table.loaded != NULL && table.loaded->result == STORE_NOTHING;
        kept_table_finish(&table);
        return gone || mb_fail(err, why.code, "table %s: %s", id, why.text);
    }
    for (unsigned seat = 0; seat < table_seat_count(table.table); seat++) {
        struct person who;
        for (int waits = 0; waits < 2; waits++) {
            if (table_seat_person(table.table, seat, waits != 0, &who) &&
                strcmp(who.network, telling->person.network) == 0 &&
                strcmp(who.id, telling->person.id) == 0) {
                (void)json_array_append_new(
                    telling->tables,
                    json_pack("{s:s, s:s, s:b, s:b}", "table", id, "name", who.name, "plays",
                              (int)(waits == 0 && !table_seat_is_bot(table.table, seat)),
                              "put_away", (int)(table.loaded->version == 0)));
            }
        }
    }
    kept_table_finish(&table);
    return true;
}

static bool tell_all(struct telling *telling, bool archived, struct mb_error *err)
{
    char after[STORE_TABLE_SIZE] = "";
    size_t count = STORE_DUE_MAX;
    while (count == STORE_DUE_MAX) {
        const struct store_request request = {
            .kind = STORE_LIST, .archived = archived, .after = after};
        struct store_answer *const page = store_call(telling->kept->store, &request);
        bool done = page != NULL && page->result == STORE_DONE;
        count = done ? page->count : 0;
        for (size_t i = 0; done && i < count; i++) {
            done = tell_table(telling, page->texts[i], err);
            memcpy(after, page->texts[i], strnlen(page->texts[i], sizeof after - 1) + 1);
        }
        store_answer_free(page);
        if (!done) {
            return mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
    }
    return true;
}

char *forget_export(struct kept *kept, const char *network, const char *person,
                    struct mb_error *err)
{
    struct telling telling = {
        .kept = kept, .person = {.network = network, .id = person}, .tables = json_array()};
    char *text = NULL;
    if (tell_all(&telling, false, err) && tell_all(&telling, true, err)) {
        json_t *const root = json_pack(
            "{s:s, s:i, s:s, s:s, s:o, s:o, s:O}", "format", "munchbot-user", "version", 1,
            "network", network, "id", person, "statistics", statistics(kept, &telling.person),
            "sits", sittings_json(kept, &telling.person), "tables", telling.tables);
        text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
        json_decref(root);
        if (text == NULL) {
            (void)mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
    }
    json_decref(telling.tables);
    return text;
}
