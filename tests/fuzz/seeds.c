// Writes seeds that are made by playing: states in the middle of games, as fuzz_snapshot.c reads
// them, tables as fuzz_table.c reads them, journals as fuzz_journal.c does, and recorded games,
// broken off early by agreement so that their seed is in them. usage: fuzz_seeds
// snapshot|record|journal|import|table FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/coder.h"
#include "core/codec/journal_bytes.h"
#include "core/codec/snapshot.h"

#include "bot/kept/kept_table.h"
#include "bot/policy/policy.h"
#include "bot/store.h"
#include "bot/table/table_codec.h"
#include "bot/tools/solo.h"

#include "adapters/store/sqlite/sqlite_store.h"

#include "tests/fuzz/fuzz.h"

enum {
    STATES = 48,
    RECORDS = 8,
    TABLES = 32,
    TABLE_HEAD = 8,
    HEAD = 6,
    CHECK = 4,
    JOURNAL_LENGTH = 2,
    JOURNAL_ALL_MAX = 1 << 18,
    PATH_SIZE = 1024,
    IMPORT_PIECES_MAX = 512,
    STEP_MS = 3000
};

static bool write_file(const char *folder, unsigned number, const void *bytes, size_t size)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/seed%02u", folder, number);
    FILE *const file = length > 0 && length < PATH_SIZE ? fopen(path, "wb") : NULL;
    bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
    written = file != NULL && fclose(file) == 0 && written;
    return written;
}

static bool write_state(const char *folder, unsigned number)
{
    static unsigned char bytes[SNAPSHOT_SIZE_MAX];
    struct game *const game = calloc(1, game_size());
    if (game == NULL) {
        return false;
    }
    const bool all = number % 4 == 3;
    fuzz_game(game, fuzz_box(all), 3 + number % 4, number * 23, number);
    const size_t size = snapshot_encode(game, bytes, sizeof bytes);
    free(game);
    bytes[HEAD - 1] = all ? 1 : 0; // in place of the head: which box
    return write_file(folder, number, bytes + HEAD - 1, size - HEAD - CHECK + 1);
}

static bool play(struct solo *session, unsigned number)
{
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    mb_rng_seed_u64(seed, number);
    solo_keep_journal(session);
    static const struct solo_seat SEATS[] = {
        {"Ann", true, NULL}, {"Bob", false, &POLICY_RANDOM}, {"Cy", true, &POLICY_RANDOM}};
    table_options_init(&options);
    if (!table_options_sets(&options, fuzz_catalog(), "classic", &err) ||
        !solo_begin(session, &options, SEATS, 3, seed)) {
        return false;
    }
    (void)solo_line(session, 0, "done", NULL);
    for (unsigned i = 0; i < number * 4; i++) {
        solo_advance(session, STEP_MS);
        (void)solo_line(session, 0, i % 2 == 0 ? "kick" : "loot", NULL);
        (void)solo_line(session, 0, i % 2 == 0 ? "run" : "done", NULL);
        message_list_clear(solo_outbox(session));
    }
    return true;
}

static bool play_record(struct solo *session, unsigned number)
{
    if (!play(session, number)) {
        return false;
    }
    (void)solo_line(session, 0, "end", NULL); // asks whether that is meant
    (void)solo_line(session, 0, "end", NULL);
    return solo_state(session) == TABLE_OVER;
}

// Tables in the lobby, in all parts of games, with somebody who waits for a seat, and over.
static bool write_table(const char *folder, unsigned number)
{
    static unsigned char bytes[TABLE_BYTES_MAX];
    struct solo *const session = solo_create(fuzz_catalog());
    bool made;
    if (number < 2) {
        made = number == 0 || solo_person_line(session, "Ann", "new sets=classic", NULL);
    } else if (number % 8 == 7) {
        made = play_record(session, number);
    } else {
        made = play(session, number);
        (void)solo_person_line(session, "Eve", "join", NULL);
    }
    const size_t size = made ? table_encode(solo_table(session), bytes, sizeof bytes) : 0;
    solo_destroy(session);
    if (size <= TABLE_HEAD) {
        return false;
    }
    const bool has_game = number >= 2; // then a check sum of its own ends it
    return write_file(folder, number, bytes + TABLE_HEAD,
                      size - TABLE_HEAD - (has_game ? CHECK : 0));
}

// A record that is refused would teach the fuzzer nothing about games that are played again.
static bool is_verified(const char *text)
{
    struct journal_report report;
    struct mb_error err = {0};
    const bool verified = journal_verify(fuzz_catalog(), text, strlen(text), &report, &err);
    if (!verified) {
        (void)fprintf(stderr, "a record does not verify: %s\n", err.text);
    }
    return verified;
}

static bool write_record(const char *folder, unsigned number)
{
    struct solo *const session = solo_create(fuzz_catalog());
    struct mb_error err = {0};
    char *text = NULL;
    if (play_record(session, number)) {
        text = journal_export(solo_journal(session), solo_game(session), &err);
    }
    const bool written =
        text != NULL && is_verified(text) && write_file(folder, number, text, strlen(text));
    free(text);
    solo_destroy(session);
    return written;
}

// The pieces of a journal in plain form, each behind its length, as fuzz_journal.c reads them.
static bool write_journal(const char *folder, unsigned number)
{
    static unsigned char all[JOURNAL_ALL_MAX];
    static unsigned char packed[JOURNAL_PIECE_MAX];
    static unsigned char plain[JOURNAL_PIECE_MAX];
    struct solo *const session = solo_create(fuzz_catalog());
    bool made = play_record(session, number);
    size_t length = 0;
    const size_t pieces = made ? journal_piece_count(solo_journal(session)) : 0;
    for (size_t i = 0; made && i < pieces; i++) {
        struct coder coder;
        const size_t size = journal_piece_encode(solo_journal(session), i, packed, sizeof packed);
        made = coder_unpack(packed, size, plain, sizeof plain, &coder) &&
               length + JOURNAL_LENGTH + coder.size <= sizeof all;
        if (made) {
            all[length] = (unsigned char)(coder.size & 0xFF);
            all[length + 1] = (unsigned char)(coder.size >> 8);
            memcpy(all + length + JOURNAL_LENGTH, plain, coder.size);
            length += JOURNAL_LENGTH + coder.size;
        }
    }
    solo_destroy(session);
    return made && write_file(folder, number, all, length);
}

// A table as `table export` writes it, out of a store: in its game, or put an end to.
static char *export_of(const struct solo *session)
{
    static unsigned char bytes[TABLE_BYTES_MAX];
    static unsigned char packed[IMPORT_PIECES_MAX][JOURNAL_PIECE_MAX];
    struct store_bytes pieces[IMPORT_PIECES_MAX];
    const struct journal *const journal = solo_journal(session);
    const size_t count = journal_piece_count(journal);
    struct mb_error err = {0};
    struct kept kept;
    struct kept_table table;
    char *text = NULL;
    struct store *const store = sqlite_memory_create();
    struct store_request request = {.kind = STORE_COMMIT,
                                    .commit = {.table = table_id(solo_table(session)),
                                               .opener_network = "solo",
                                               .opener = "Ann",
                                               .community = "town",
                                               .event = "",
                                               .journal = pieces,
                                               .journal_count = count}};
    for (size_t i = 0; i < count && i < IMPORT_PIECES_MAX; i++) {
        pieces[i] = (struct store_bytes){
            .at = packed[i], .size = journal_piece_encode(journal, i, packed[i], sizeof packed[i])};
    }
    request.commit.bytes = (struct store_bytes){
        .at = bytes, .size = table_encode(solo_table(session), bytes, sizeof bytes)};
    if (count <= IMPORT_PIECES_MAX && store != NULL && store_start(store, &err) &&
        kept_open(&kept, fuzz_catalog(), store, &err)) {
        request.commit.step = kept_key(&kept);
        if (store_call_result(store, &request) == STORE_DONE) {
            text = kept_fetch(&kept, request.commit.table, &table, &err)
                       ? table_file_export(&table, true, &err)
                       : NULL;
            kept_table_finish(&table);
        }
        kept_close(&kept);
    }
    store_destroy(store);
    return text;
}

static bool write_import(const char *folder, unsigned number)
{
    struct solo *const session = solo_create(fuzz_catalog());
    const bool made =
        number % 2 == 0 ? play(session, 1 + number) : play_record(session, 1 + number);
    char *const text = made ? export_of(session) : NULL;
    const bool written = text != NULL && write_file(folder, number, text, strlen(text));
    free(text);
    solo_destroy(session);
    return written;
}

struct kind {
    const char *name;
    unsigned count;
    bool (*write)(const char *folder, unsigned number);
};

static const struct kind KINDS[] = {
    {"snapshot", STATES, write_state},   {"record", RECORDS, write_record},
    {"journal", RECORDS, write_journal}, {"import", RECORDS, write_import},
    {"table", TABLES, write_table},
};

int main(int argc, char **argv)
{
    bool written = false;
    for (size_t i = 0; argc == 3 && i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const struct kind *const kind = &KINDS[i];
        if (strcmp(argv[1], kind->name) == 0) {
            written = true;
            for (unsigned n = 0; written && n < kind->count; n++) {
                written = kind->write(argv[2], n);
            }
        }
    }
    if (!written) {
        (void)fputs(
            "not written; usage: fuzz_seeds snapshot|record|journal|import|table FOLDER (which "
            "must exist)\n",
            stderr);
    }
    return written ? 0 : 1;
}
