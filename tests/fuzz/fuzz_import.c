/*
 * Fuzzes `table import`: any text is refused with one clean sentence, and the store is as it was;
 * or it is a table that the store has from then on, whose game is played again and which is
 * exported. What is read as JSON comes a second time, with fitting check sums in its table: no
 * fuzzer guesses them.
 *
 * A store serves until something was imported into it. The card sets of the tree are read once for
 * all inputs; what an input brings of its own goes with it.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "core/codec/coder.h"

#include "bot/kept/kept_table.h"

#include "tests/fuzz/fuzz.h"
#include "tests/support/memory_store.h"

enum {
    BASE64 = sodium_base64_VARIANT_ORIGINAL,
    MAGIC_SIZE = 4,
    LENGTH_AT = 8,
    HEAD = 12,
    CHECK = 4
};

static struct kept kept;
static struct store *store;

static void close_store(void)
{
    store_destroy(store);
    store = NULL;
}

static void open_kept(void)
{
    struct mb_error err = {0};
    if (store == NULL) {
        store = memory_store_create();
        if (!store_start(store, &err)) {
            fuzz_fail("no store: %s", err.text);
        }
    }
    if (kept.workspace == NULL && !kept_open(&kept, fuzz_catalog(), store, &err)) {
        fuzz_fail("no store: %s", err.text);
    }
    kept.store = store;
}

static void is_whole(const char *id)
{
    struct kept_table table;
    struct journal_report report;
    struct mb_error err = {0};
    if (!kept_fetch(&kept, id, &table, &err)) {
        fuzz_fail("what was imported cannot be fetched: %s", err.text);
    }
    if (table.piece_count > 0 && !kept_verify(&table, &report, &err)) {
        fuzz_fail("what was imported does not verify: %s", err.text);
    }
    char *const text = table_file_export(&table, true, &err);
    if (text == NULL) {
        fuzz_fail("what was imported cannot be exported: %s", err.text);
    }
    free(text);
    kept_table_finish(&table);
}

static void check(const char *text, size_t size)
{
    struct mb_error err = {0};
    char id[TABLE_ID_SIZE];
    open_kept();
    if (table_file_import(&kept, text, size, id, &err)) {
        is_whole(id);
        close_store();
    } else {
        if (err.code == MB_OK || err.text[0] == '\0' || strchr(err.text, '\n') != NULL) {
            fuzz_fail("refused, and no one sentence says why: \"%s\"", err.text);
        }
        fuzz_check_text(err.text);
        if (memory_store_tables(store) != 0) {
            fuzz_fail("refused, and there is a table: %s", err.text);
        }
    }
}

// As tests/fuzz/fuzz_table.c does.
static void sum(unsigned char *bytes, size_t size)
{
    const size_t record = size >= HEAD ? HEAD + (size_t)coder_load_u32(bytes + LENGTH_AT) : size;
    if (size < HEAD) {
        return;
    }
    if (record + CHECK < size) {
        coder_store_u32(bytes + size - CHECK, coder_sum(bytes + record, size - CHECK - record));
    }
    coder_store_u32(bytes + MAGIC_SIZE, coder_sum(bytes + LENGTH_AT, size - LENGTH_AT));
}

// False: they fit already.
static bool sum_value(json_t *root)
{
    const char *const text = json_string_value(json_object_get(root, "value"));
    const size_t room = text != NULL ? strlen(text) + 1 : 0;
    unsigned char *const bytes = malloc(room + 1);
    const size_t out_room = sodium_base64_ENCODED_LEN(room, BASE64);
    char *const out = malloc(out_room);
    size_t size = 0;
    bool changed = false;
    if (bytes != NULL && out != NULL && room > 0 &&
        sodium_base642bin(bytes, room, text, room - 1, NULL, &size, NULL, BASE64) == 0) {
        sum(bytes, size);
        (void)sodium_bin2base64(out, out_room, bytes, size, BASE64);
        changed = strcmp(out, text) != 0;
        (void)json_object_set_new(root, "value", json_string(out));
    }
    free(bytes);
    free(out);
    return changed;
}

static bool brings_cards(const json_t *root)
{
    json_t *const cards = json_object_get(root, "cards");
    bool found = false;
    for (void *at = json_object_iter(cards); at != NULL; at = json_object_iter_next(cards, at)) {
        uint8_t digest[CATALOG_DIGEST_SIZE];
        found = found || (digest_read(json_object_iter_key(at), digest, sizeof digest) &&
                          library_set(kept.library, digest) == NO_SET);
    }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check((const char *)data, size);
    json_t *const root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    char *const summed = json_is_object(root) && sum_value(root) ? json_dumps(root, 0) : NULL;
    if (summed != NULL) {
        check(summed, strlen(summed));
    }
    if (brings_cards(root)) {
        kept_close(&kept);
    }
    free(summed);
    json_decref(root);
    return 0;
}
