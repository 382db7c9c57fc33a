// Card files: a table's lie in the store by digest, so that it plays on with the rows it began with
// when its sets have changed or are gone.
#include <stdio.h>
#include <string.h>

#include "core/codec/outcome.h"

#include "bot/hall/hall_impl.h"

static bool plays_alike(const struct table *a, const struct table *b)
{
    size_t count = 0;
    size_t other = 0;
    const uint8_t *const digests = table_digests(a, &count);
    return memcmp(digests, table_digests(b, &other), count * CATALOG_DIGEST_SIZE) == 0 &&
           count == other;
}

bool hall_write_cards(struct hall *hall, const struct table *before, const struct table *after,
                      struct hall_cards *out, struct store_commit *commit)
{
    size_t count = 0;
    const uint8_t *const digests = table_digests(after, &count);
    if (count == 0 || (before != NULL && plays_alike(after, before))) {
        return true;
    }
    struct mb_error err = {0};
    const struct mix *const mix = library_mix(hall->library, digests, count, &err);
    for (size_t i = 0; mix != NULL && i < count; i++) {
        digest_hex(mix->digests[i], CATALOG_DIGEST_SIZE, out->words[i]);
        out->cards[i] = (struct store_card){
            .word = out->words[i], .bytes = {.at = mix->files[i].at, .size = mix->files[i].used}};
    }
    commit->cards = out->cards;
    commit->card_count = mix != NULL ? count : 0;
    return mix != NULL;
}

bool hall_cards_ask(struct hall *hall, struct hall_table *table)
{
    const uint8_t *const lacking = library_lacks(hall->library);
    char word[DIGEST_HEX_SIZE];
    if (lacking == NULL) {
        return false;
    }
    memcpy(table->lacking, lacking, sizeof table->lacking);
    digest_hex(lacking, CATALOG_DIGEST_SIZE, word);
    const struct store_request request = {.kind = STORE_CARD, .word = word};
    hall_table_ask(hall, table, &request);
    return true;
}

bool hall_cards_keep(struct hall *hall, const struct hall_table *table,
                     const struct store_answer *answer)
{
    const bool found = answer->result == STORE_DONE;
    if (found) {
        library_keep(hall->library, table->lacking, answer->bytes.at, answer->bytes.size);
    }
    return found;
}
