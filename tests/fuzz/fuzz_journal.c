/*
 * Fuzzes the journal piece by piece, as it comes out of a store: any bytes are refused with a
 * sentence, and the journal is as it was; or they are the next piece, and are written again as the
 * same bytes. A journal made of such pieces is played again or refused, and exported, or not, with
 * a sentence; and an export is one that a verification reads.
 *
 * The input: pieces in plain form, each behind its length in two bytes; packing and sums are made
 * here. What is left over comes as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/journal_bytes.h"

#include "tests/fuzz/fuzz.h"

enum { LENGTH = 2, SEATS = 3, COMMANDS = 20 };

static struct game *final;

static void free_final(void)
{
    free(final);
}

static void is_explained(const struct mb_error *err)
{
    if (err->code == MB_OK || err->text[0] == '\0' || strchr(err->text, '\n') != NULL) {
        fuzz_fail("refused without a sentence: \"%s\"", err->text);
    }
}

// Written again, the newest piece is what was read.
static void is_the_same(const struct journal *journal, const unsigned char *bytes, size_t size)
{
    static unsigned char again[JOURNAL_PIECE_MAX];
    const size_t last = journal_piece_count(journal) - 1;
    if (journal_piece_encode(journal, last, again, sizeof again) != size ||
        memcmp(again, bytes, size) != 0) {
        fuzz_fail("piece %zu is written as other bytes", last);
    }
}

static void append(struct journal *journal, const unsigned char *bytes, size_t size)
{
    struct mb_error err = {0};
    const size_t count = journal->count;
    const size_t dice = journal->die_count;
    const enum journal_state state = journal->state;
    const bool begun = journal->begun;
    if (journal_append(journal, bytes, size, &err)) {
        if (journal->state != JOURNAL_RUNNING || journal->count > count || !begun) {
            is_the_same(journal, bytes, size);
        }
        return;
    }
    is_explained(&err);
    if (journal->count != count || journal->die_count != dice || journal->state != state ||
        journal->begun != begun) {
        fuzz_fail("a refused piece has changed the journal");
    }
}

static void export_and_verify(const struct journal *journal)
{
    struct journal_report report;
    struct mb_error err = {0};
    if (!journal_replay(journal, final, &report, &err)) {
        is_explained(&err);
        fuzz_check_text(err.text);
    }
    err = (struct mb_error){0};
    char *const text = journal_export(journal, final, &err);
    if (text == NULL) {
        is_explained(&err);
        return;
    }
    if (!journal_verify(fuzz_catalog(), text, strlen(text), &report, &err)) {
        is_explained(&err);
        fuzz_check_text(err.text);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char packed[JOURNAL_PIECE_MAX];
    static unsigned char plain[JOURNAL_PIECE_MAX];
    struct journal journal;
    size_t at = 0;
    if (final == NULL) {
        final = calloc(1, game_size());
        if (final == NULL) {
            fuzz_fail("no memory");
        }
        fuzz_game(final, fuzz_box(false), SEATS, COMMANDS, 1);
        (void)atexit(free_final);
    }
    journal_init_for(&journal, fuzz_catalog(), fuzz_box(false), 1);
    while (at + LENGTH <= size) {
        const size_t length = data[at] | (size_t)data[at + 1] << 8;
        if (length == 0 || length > sizeof plain || length > size - at - LENGTH) {
            break;
        }
        struct coder coder = coder_write(plain, sizeof plain);
        memcpy(coder_room(&coder, length), data + at + LENGTH, length);
        append(&journal, packed, coder_pack(&coder, packed, sizeof packed));
        at += LENGTH + length;
    }
    append(&journal, data + at, size - at);
    if (journal.begun) {
        export_and_verify(&journal);
    }
    journal_finish(&journal);
    return 0;
}
