#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/kept/kept_table.h"
#include "bot/store.h"
#include "bot/table/library.h"
#include "bot/table/table_codec.h"

#define FORMAT "munchbot-table"

enum { BASE64 = sodium_base64_VARIANT_ORIGINAL };

static const char *const STATES[] = {[TABLE_EMPTY] = "empty",
                                     [TABLE_LOBBY] = "lobby",
                                     [TABLE_RUNNING] = "running",
                                     [TABLE_PAUSED] = "paused",
                                     [TABLE_OVER] = "over"};

/* Writing. */

static json_t *base64(const unsigned char *bytes, size_t size)
{
    const size_t room = sodium_base64_ENCODED_LEN(size, BASE64);
    char *const text = mb_new(room, 1);
    (void)sodium_bin2base64(text, room, bytes, size, BASE64);
    json_t *const json = json_string(text);
    free(text);
    return json;
}

static json_t *places_json(const struct table *table)
{
    json_t *const list = json_array();
    for (unsigned i = 0; i < table_site_count(table); i++) {
        (void)json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "network", table_site_network(table, i), "place",
                            table_site_place(table, i), "name", table_site_name(table, i)));
    }
    return list;
}

static json_t *seats_json(const struct table *table)
{
    json_t *const list = json_array();
    for (unsigned i = 0; i < table_seat_count(table); i++) {
        (void)json_array_append_new(list, json_pack("{s:s, s:b}", "name", table_seat_name(table, i),
                                                    "bot", (int)table_seat_is_bot(table, i)));
    }
    return list;
}

static json_t *pieces_json(const struct kept_table *table)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < table->piece_count; i++) {
        (void)json_array_append_new(list, base64(table->pieces[i].at, table->pieces[i].size));
    }
    return list;
}

static json_t *cards_json(const struct mix *mix)
{
    json_t *const list = json_object();
    for (size_t i = 0; mix != NULL && i < mix->count; i++) {
        char word[DIGEST_HEX_SIZE];
        digest_hex(mix->digests[i], CATALOG_DIGEST_SIZE, word);
        (void)json_object_set_new(list, word, base64(mix->files[i].at, mix->files[i].used));
    }
    return list;
}

static json_t *game_json(const struct kept_table *table, struct mb_error *err)
{
    char *const text = journal_export(&table->journal, table_game(table->table), err);
    json_t *const json = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return json;
}

char *table_file_export(const struct kept_table *table, bool reveal, struct mb_error *err)
{
    const bool open = reveal || !kept_is_secret(table);
    const bool played = table->piece_count > 0;
    json_t *const root = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:I, s:I, s:o, s:o}", "format", FORMAT, "version",
        (int)TABLE_FILE_VERSION, "id", table_id(table->table), "state",
        STATES[table_state(table->table)], "community", table->loaded->community, "changes",
        (json_int_t)table->loaded->version, "steps", (json_int_t)table->journal.count, "places",
        places_json(table->table), "seats", seats_json(table->table));
    json_t *const game = open && played ? game_json(table, err) : json_null();
    if (open) {
        (void)json_object_set(root, "game", game);
        (void)json_object_set_new(root, "value",
                                  base64(table->loaded->bytes.at, table->loaded->bytes.size));
        (void)json_object_set_new(root, "journal", pieces_json(table));
        (void)json_object_set_new(root, "cards", cards_json(table->mix));
    }
    char *const text = game != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(game);
    json_decref(root);
    return text;
}

/* Reading. */

struct import {
    struct kept *kept;
    json_t *root;
    struct table *table;
    struct store_bytes *pieces; // each its own
    size_t piece_count;
    struct mb_error *err;
};

static bool fail_format(const struct import *import, const char *what)
{
    return mb_fail(import->err, MB_ERR_INPUT, "\"%s\" is not what \"munchbot table export\" writes",
                   what);
}

static bool read_base64(const json_t *json, struct store_bytes *out)
{
    const char *const text = json_string_value(json);
    const size_t room = text != NULL ? strlen(text) + 1 : 0;
    unsigned char *const bytes = room > 0 ? mb_new(room, 1) : NULL;
    size_t size = 0;
    if (bytes == NULL ||
        sodium_base642bin(bytes, room, text, strlen(text), NULL, &size, NULL, BASE64) != 0) {
        free(bytes);
        return false;
    }
    *out = (struct store_bytes){.at = bytes, .size = size};
    return true;
}

static void free_bytes(struct store_bytes bytes)
{
    free((void *)(uintptr_t)bytes.at);
}

// Their digests are looked at when they are used.
static bool keep_cards(const struct import *import)
{
    json_t *const cards = json_object_get(import->root, "cards");
    for (void *at = json_object_iter(cards); at != NULL; at = json_object_iter_next(cards, at)) {
        uint8_t digest[CATALOG_DIGEST_SIZE];
        struct store_bytes bytes;
        if (!digest_read(json_object_iter_key(at), digest, sizeof digest) ||
            !read_base64(json_object_iter_value(at), &bytes)) {
            return fail_format(import, "cards");
        }
        library_keep(import->kept->library, digest, bytes.at, bytes.size);
        free_bytes(bytes);
    }
    return true;
}

static bool read_table(struct import *import)
{
    struct store_bytes bytes;
    if (!read_base64(json_object_get(import->root, "value"), &bytes)) {
        return fail_format(import, "value");
    }
    import->table = mb_new(1, table_size());
    const bool read = kept_decode(import->kept, bytes, import->table, import->err);
    free_bytes(bytes);
    return read;
}

static bool read_pieces(struct import *import)
{
    const json_t *const list = json_object_get(import->root, "journal");
    const size_t count = json_array_size(list);
    import->pieces = mb_new(count, sizeof *import->pieces);
    if (!json_is_array(list)) {
        return fail_format(import, "journal");
    }
    for (; import->piece_count < count; import->piece_count++) {
        if (!read_base64(json_array_get(list, import->piece_count),
                         &import->pieces[import->piece_count])) {
            return fail_format(import, "journal");
        }
    }
    return true;
}

// Nobody's word is taken for what happened.
static bool check_game(const struct import *import)
{
    const struct game *const game = table_game(import->table);
    struct journal journal;
    struct journal_report report;
    if (import->piece_count == 0) {
        return query_seat_count(game) == 0 || fail_format(import, "journal");
    }
    bool good = kept_journal(import->kept, import->table, import->pieces, import->piece_count,
                             &journal, import->err);
    good = good &&
           journal_replay(&journal, query_seat_count(game) > 0 ? game : NULL, &report, import->err);
    journal_finish(&journal);
    return good;
}

static size_t write_places(const struct import *import, const char *community,
                           struct store_place *out)
{
    const struct table *const table = import->table;
    for (unsigned i = 0; i < table_site_count(table); i++) {
        out[i] = (struct store_place){.network = table_site_network(table, i),
                                      .place = table_site_place(table, i),
                                      .name = table_site_name(table, i),
                                      .community = community,
                                      .taken = true};
    }
    return table_site_count(table);
}

static size_t write_sits(const struct import *import, struct store_sit *out)
{
    size_t count = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        struct person person;
        if ((table_people_seats(import->table) & seat_bit(seat)) != 0 &&
            table_seat_person(import->table, seat, false, &person)) {
            out[count++] = (struct store_sit){
                .network = person.network, .person = person.id, .what = STORE_SITS};
        }
    }
    return count;
}

static bool commit_import(const struct import *import, struct kept_words *words)
{
    struct kept *const kept = import->kept;
    struct store_place places[TABLE_SITES_MAX];
    struct store_sit sits[MB_SEATS_MAX];
    const char *const community = json_string_value(json_object_get(import->root, "community"));
    struct store_request request = {.kind = STORE_COMMIT};
    struct store_commit *const made = &request.commit;
    if (community == NULL) {
        return fail_format(import, "community");
    }
    if (!kept_commit_begin(kept, import->table, words, made, import->err)) {
        return false;
    }
    const bool over = table_state(import->table) == TABLE_OVER;
    made->community = community;
    made->anew = true;
    made->journal = import->pieces;
    made->journal_count = import->piece_count;
    made->places = places;
    made->place_count = over ? 0 : write_places(import, community, places);
    made->sits = sits;
    made->sit_count = over ? 0 : write_sits(import, sits);
    enum store_result result = store_call_result(kept->store, &request);
    if (result == STORE_DONE && over) { // what is over is put away
        const struct store_request away = {.kind = STORE_COMMIT,
                                           .commit = {.step = kept_key(kept),
                                                      .table = table_id(import->table),
                                                      .expected = 1,
                                                      .event = ""}};
        result = store_call_result(kept->store, &away);
    }
    switch (result) {
    case STORE_DONE:
        return true;
    case STORE_CONFLICT:
        return mb_fail(import->err, MB_ERR_STATE,
                       "another table is in its chat: end that one first");
    case STORE_TOO_MANY:
        return mb_fail(import->err, MB_ERR_STATE,
                       "somebody at this table already sits at %d other tables",
                       (int)STORE_TABLES_OF_PERSON);
    case STORE_FULL:
        return mb_fail(import->err, MB_ERR_STATE, "the store takes no more tables");
    default:
        return mb_fail(import->err, MB_ERR_IO,
                       "the store does not save the table: check its disk or server");
    }
}

static bool is_free(const struct import *import)
{
    const struct store_request load = {.kind = STORE_LOAD, .table = table_id(import->table)};
    const enum store_result result = store_call_result(import->kept->store, &load);
    return result == STORE_NOTHING ||
           mb_fail(import->err, MB_ERR_STATE,
                   result == STORE_DONE ? "the store already has that table"
                                        : "the store does not answer: check its disk or server");
}

static bool import_root(struct import *import)
{
    const char *const format = json_string_value(json_object_get(import->root, "format"));
    const json_t *const version = json_object_get(import->root, "version");
    if (format == NULL || strcmp(format, FORMAT) != 0) {
        return mb_fail(import->err, MB_ERR_INPUT,
                       "this is not an exported table: \"munchbot table export ID\" writes one");
    }
    if (json_integer_value(version) != TABLE_FILE_VERSION) {
        return mb_fail(import->err, MB_ERR_INPUT,
                       "its format is version %lld; this munchbot reads %d",
                       (long long)json_integer_value(version), (int)TABLE_FILE_VERSION);
    }
    if (json_object_get(import->root, "value") == NULL) {
        return mb_fail(import->err, MB_ERR_STATE,
                       "the game was still running: export it with --reveal to continue it");
    }
    struct kept_words *const words = mb_new(1, sizeof *words);
    const bool done = keep_cards(import) && read_table(import) && read_pieces(import) &&
                      is_free(import) && check_game(import) && commit_import(import, words);
    free(words);
    return done;
}

static json_t *parse(const char *text, size_t size, struct mb_error *err)
{
    json_error_t why;
    json_t *const root =
        size <= JOURNAL_BYTES_MAX ? json_loadb(text, size, JSON_REJECT_DUPLICATES, &why) : NULL;
    if (root == NULL) {
        (void)mb_fail(err, MB_ERR_INPUT,
                      "the file is not complete JSON: cut off, damaged or too large");
    }
    return root;
}

bool table_file_import(struct kept *kept, const char *text, size_t size, char id[TABLE_ID_SIZE],
                       struct mb_error *err)
{
    struct import import = {.kept = kept, .root = parse(text, size, err), .err = err};
    const bool done = import.root != NULL && import_root(&import);
    if (done) {
        (void)snprintf(id, TABLE_ID_SIZE, "%s", table_id(import.table));
    }
    for (size_t i = 0; i < import.piece_count; i++) {
        free_bytes(import.pieces[i]);
    }
    free(import.pieces);
    free(import.table);
    json_decref(import.root);
    return done;
}

char *table_file_game(const char *text, size_t size)
{
    struct mb_error err = {0};
    json_t *const root = parse(text, size, &err);
    const char *const format = json_string_value(json_object_get(root, "format"));
    const json_t *const game = json_object_get(root, "game");
    char *const out = format != NULL && strcmp(format, FORMAT) == 0 && json_is_object(game)
                          ? json_dumps(game, JSON_COMPACT)
                          : NULL;
    json_decref(root);
    return out;
}
