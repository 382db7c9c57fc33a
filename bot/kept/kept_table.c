#include "bot/kept/kept_table.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/hall/hall_limits.h"
#include "bot/hall/out/announce.h"
#include "bot/store.h"
#include "bot/table/table_codec.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

bool kept_open(struct kept *kept, const struct catalog *catalog, struct store *store,
               struct mb_error *err)
{
    const struct store_request hello = {.kind = STORE_HELLO};
    *kept = (struct kept){.store = store};
    struct store_answer *const answer = store_call(store, &hello);
    if (answer == NULL || answer->result != STORE_DONE) {
        store_answer_free(answer);
        return mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
    }
    kept->epoch = answer->epoch;
    kept->now_ms = answer->now_ms;
    kept->library = library_create(catalog);
    kept->workspace = table_workspace_create(kept->library);
    memcpy(kept->workspace->secret, answer->secret, sizeof kept->workspace->secret);
    store_answer_free(answer);
    return true;
}

void kept_close(struct kept *kept)
{
    table_workspace_destroy(kept->workspace);
    library_destroy(kept->library);
    *kept = (struct kept){.store = NULL};
}

struct chat_key kept_key(struct kept *kept)
{
    return (struct chat_key){.epoch = kept->epoch, .number = ++kept->numbers};
}

// Files of the set for want of which a table could not be read; false: the store has none.
static bool fetch_cards(struct kept *kept)
{
    const uint8_t *const lacking = library_lacks(kept->library);
    uint8_t digest[CATALOG_DIGEST_SIZE];
    char word[DIGEST_HEX_SIZE];
    if (lacking == NULL) {
        return false;
    }
    memcpy(digest, lacking, sizeof digest);
    digest_hex(digest, sizeof digest, word);
    const struct store_request request = {.kind = STORE_CARD, .word = word};
    struct store_answer *const answer = store_call(kept->store, &request);
    const bool found = answer != NULL && answer->result == STORE_DONE;
    if (found) {
        library_keep(kept->library, digest, answer->bytes.at, answer->bytes.size);
    }
    store_answer_free(answer);
    return found;
}

bool kept_decode(struct kept *kept, struct store_bytes bytes, struct table *out,
                 struct mb_error *err)
{
    for (;;) {
        struct mb_error why = {0};
        if (table_decode(bytes.at, bytes.size, kept->workspace, out, &why)) {
            return true;
        }
        if (why.code != MB_ERR_STATE || !fetch_cards(kept)) {
            return mb_fail(err, why.code, "%s", why.text);
        }
    }
}

static const struct mix *mix_of(struct kept *kept, const struct table *table, struct mb_error *err)
{
    size_t count = 0;
    const uint8_t *const digests = table_digests(table, &count);
    return count > 0 ? library_mix(kept->library, digests, count, err) : NULL;
}

bool kept_journal(struct kept *kept, const struct table *table, const struct store_bytes *pieces,
                  size_t count, struct journal *out, struct mb_error *err)
{
    const struct mix *const mix = mix_of(kept, table, err);
    const struct box *const box = mix != NULL ? table_box(table, kept->workspace, err) : NULL;
    journal_init(out);
    if (box == NULL) {
        return mb_fail(err, MB_ERR_STATE, "its card sets are not available");
    }
    journal_init_for(out, mix->catalog, box, mix->count);
    for (size_t i = 0; i < count; i++) {
        if (!journal_append(out, pieces[i].at, pieces[i].size, err)) {
            return false;
        }
    }
    return true;
}

/* Fetching. */

static void add_page(struct kept_table *out, struct store_answer *page)
{
    out->pages = mb_grow(out->pages, out->page_count + 1, sizeof(struct store_answer *));
    out->pieces = mb_grow(out->pieces, out->piece_count + page->count, sizeof *out->pieces);
    if (page->count > 0) {
        memcpy(out->pieces + out->piece_count, page->pieces, page->count * sizeof *out->pieces);
    }
    out->piece_count += page->count;
    out->pages[out->page_count++] = page;
}

bool kept_fetch_pieces(struct store *store, const char *id, struct kept_table *out,
                       struct mb_error *err)
{
    size_t count = STORE_JOURNAL_MAX;
    while (count == STORE_JOURNAL_MAX) {
        const struct store_request request = {.kind = STORE_JOURNAL,
                                              .table = id,
                                              .from = out->piece_count,
                                              .count = STORE_JOURNAL_MAX};
        struct store_answer *const page = store_call(store, &request);
        if (page == NULL || page->result != STORE_DONE) {
            store_answer_free(page);
            return mb_fail(err, MB_ERR_IO, "cannot read its journal from the store");
        }
        count = page->count;
        add_page(out, page);
    }
    return true;
}

bool kept_fetch(struct kept *kept, const char *id, struct kept_table *out, struct mb_error *err)
{
    const struct store_request load = {.kind = STORE_LOAD, .table = id};
    *out = (struct kept_table){.table = mb_new(1, table_size())};
    journal_init(&out->journal);
    out->loaded = store_call(kept->store, &load);
    if (out->loaded == NULL || out->loaded->result == STORE_FAILED) {
        return mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
    }
    if (out->loaded->result != STORE_DONE) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the store has no such table: \"munchbot table list\" lists all");
    }
    if (!kept_decode(kept, out->loaded->bytes, out->table, err) ||
        !kept_fetch_pieces(kept->store, id, out, err)) {
        return false;
    }
    struct mb_error none = {0};
    out->mix = mix_of(kept, out->table, &none);
    return out->piece_count == 0 ||
           kept_journal(kept, out->table, out->pieces, out->piece_count, &out->journal, err);
}

void kept_table_finish(struct kept_table *table)
{
    journal_finish(&table->journal);
    for (size_t i = 0; i < table->page_count; i++) {
        store_answer_free(table->pages[i]);
    }
    free(table->pages);
    free(table->pieces);
    free(table->table);
    store_answer_free(table->loaded);
    *table = (struct kept_table){.loaded = NULL};
}

bool kept_is_secret(const struct kept_table *table)
{
    const enum table_state state = table_state(table->table);
    return state == TABLE_LOBBY || state == TABLE_RUNNING || state == TABLE_PAUSED;
}

bool kept_verify(const struct kept_table *table, struct journal_report *report,
                 struct mb_error *err)
{
    const struct game *const stored = table_game(table->table);
    return journal_replay(&table->journal, query_seat_count(stored) > 0 ? stored : NULL, report,
                          err);
}

/* Changing. */

// Whether nobody plays there, as a hall has it.
static bool is_resting(const struct table *table)
{
    return table_people_seats(table) == 0 || table_due(table).kind == TABLE_DUE_NEVER;
}

bool kept_commit_begin(struct kept *kept, const struct table *table, struct kept_words *words,
                       struct store_commit *out, struct mb_error *err)
{
    const struct mix *const mix = mix_of(kept, table, err);
    const size_t size = table_encode(table, words->bytes, sizeof words->bytes);
    const struct table_due due = table_due(table);
    if (mix == NULL || size == 0) {
        return mb_fail(err, MB_ERR_STATE, "cannot write the table");
    }
    *out = (struct store_commit){.step = kept_key(kept),
                                 .table = table_id(table),
                                 .bytes = {.at = words->bytes, .size = size},
                                 .opener_network = "",
                                 .opener = "",
                                 .community = "",
                                 .rests = is_resting(table),
                                 .since_ms = STORE_NEVER,
                                 .due_ms = due.kind != TABLE_DUE_NEVER ? due.ms : STORE_NEVER,
                                 .until_ms = kept->now_ms + HALL_IDLE_REST_MS,
                                 .event = "",
                                 .cards = words->cards,
                                 .card_count = mix->count};
    for (size_t i = 0; i < mix->count; i++) {
        digest_hex(mix->digests[i], CATALOG_DIGEST_SIZE, words->digests[i]);
        words->cards[i] =
            (struct store_card){.word = words->digests[i],
                                .bytes = {.at = mix->files[i].at, .size = mix->files[i].used}};
    }
    return true;
}

bool kept_announce(struct kept *kept, struct kept_table *table, struct mb_error *err)
{
    enum { NOTE_SIZE = 512, BYTES_SIZE = 1024 };
    char note[NOTE_SIZE];
    unsigned char bytes[TABLE_SITES_MAX][BYTES_SIZE];
    struct store_message messages[TABLE_SITES_MAX];
    struct text_out out;
    const unsigned sites = table_site_count(table->table);
    text_begin(&out, note, sizeof note);
    text_put(&out, TEXT_TABLE_REVEALED, NULL);
    for (unsigned i = 0; i < sites; i++) {
        const size_t size =
            announce_encode(table_site_network(table->table, i), table_site_place(table->table, i),
                            bytes[i], BYTES_SIZE);
        messages[i] = (struct store_message){
            .key = kept_key(kept), .bytes = {.at = bytes[i], .size = size}, .narrates = true};
    }
    const struct store_answer *const was = table->loaded;
    const struct store_request request = {.kind = STORE_COMMIT,
                                          .commit = {.step = kept_key(kept),
                                                     .table = table_id(table->table),
                                                     .expected = was->version,
                                                     .bytes = was->bytes,
                                                     .rests = is_resting(table->table),
                                                     .opener_network = "",
                                                     .opener = "",
                                                     .community = was->community,
                                                     .since_ms = was->since_ms,
                                                     .due_ms = was->due_ms,
                                                     .until_ms = was->until_ms,
                                                     .event = "",
                                                     .narration = note,
                                                     .messages = messages,
                                                     .message_count = sites}};
    if (was->version == 0) { // put away: nobody is there
        return true;
    }
    const enum store_result result = store_call_result(kept->store, &request);
    return result == STORE_DONE ||
           (result == STORE_CONFLICT
                ? mb_fail(err, MB_ERR_RETRY,
                          "somebody is playing at the table right now: try again")
                : mb_fail(err, MB_ERR_IO, "cannot announce it at the table, so nothing is shown"));
}
