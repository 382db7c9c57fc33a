#include "adapters/console/record.h"

#include <stdlib.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/store_call.h"
#include "bot/table/journal_file.h"

static bool append(struct journal *journal, const struct store_answer *answer, struct mb_error *err)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct store_bytes *const piece = &answer->pieces[i];
        if (!journal_append(journal, piece->at, piece->size, err)) {
            return false;
        }
    }
    return true;
}

static bool fetch(struct store *store, const char *table, struct journal *journal,
                  struct mb_error *err)
{
    size_t count = STORE_JOURNAL_MAX;
    for (size_t from = 0; count == STORE_JOURNAL_MAX; from += count) {
        const struct store_request request = {
            .kind = STORE_JOURNAL, .table = table, .from = from, .count = STORE_JOURNAL_MAX};
        struct store_answer *const answer = store_call(store, &request);
        const bool good = answer != NULL && answer->result != STORE_FAILED;
        count = good ? answer->count : 0;
        const bool whole = good && append(journal, answer, err);
        store_answer_free(answer);
        if (!whole) {
            return good ? false : mb_fail(err, MB_ERR_IO, "the store does not answer");
        }
    }
    return true;
}

bool record_save(struct store *store, const struct table *table, const struct table_words *words,
                 bool interrupted, const char *path, struct mb_error *err)
{
    struct journal *const journal = mb_new(1, sizeof *journal);
    journal_init_for(journal, words->catalog, words->box, catalog_set_count(words->catalog));
    bool saved = fetch(store, table_id(table), journal, err);
    if (saved && interrupted && journal->state == JOURNAL_RUNNING) {
        journal->state = JOURNAL_INTERRUPTED;
    }
    saved = saved && journal_save(journal, table_game(table), path, err);
    journal_finish(journal);
    free(journal);
    return saved;
}
