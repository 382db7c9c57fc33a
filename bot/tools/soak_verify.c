#include "bot/tools/soak_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/store_call.h"

static bool append(struct journal *journal, const struct store_answer *answer, struct mb_error *err)
{
    bool good = answer != NULL && answer->result != STORE_FAILED;
    for (size_t i = 0; good && i < answer->count; i++) {
        good = journal_append(journal, answer->pieces[i].at, answer->pieces[i].size, err);
    }
    return good || mb_fail(err, MB_ERR_IO, "cannot read a journal from the store");
}

static bool fetch(struct store *store, const char *table, struct journal *journal,
                  struct mb_error *err)
{
    size_t count = STORE_JOURNAL_MAX;
    bool whole = true;
    for (size_t from = 0; whole && count == STORE_JOURNAL_MAX; from += count) {
        const struct store_request request = {
            .kind = STORE_JOURNAL, .table = table, .from = from, .count = STORE_JOURNAL_MAX};
        struct store_answer *const answer = store_call(store, &request);
        whole = append(journal, answer, err);
        count = whole ? answer->count : 0;
        store_answer_free(answer);
    }
    return whole;
}

bool soak_verify(const struct soak_setup *setup, const struct table *table,
                 const struct table_words *words, struct mb_error *err)
{
    struct journal *const journal = mb_new(1, sizeof *journal);
    struct journal_report report;
    journal_init_for(journal, words->catalog, words->box, catalog_set_count(words->catalog));
    char *const text = fetch(setup->store, table_id(table), journal, err)
                           ? journal_export(journal, table_game(table), err)
                           : NULL;
    const bool good =
        text != NULL && journal_verify(setup->catalog, text, strlen(text), &report, err);
    free(text);
    journal_finish(journal);
    free(journal);
    return good;
}
