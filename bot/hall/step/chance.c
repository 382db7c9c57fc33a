// Chance: what nobody can foresee, and what is nevertheless the same in every attempt at a line. A
// line that was lost with its process and comes again must not be dealt other cards: who could
// bring that about would choose among deals.
#include <string.h>

#include <sodium.h>

#include "bot/hall/step/step.h"

// Words that go in with their ends, so that no two lists of words are one.
static void take_in(crypto_generichash_state *hash, const char *word)
{
    (void)crypto_generichash_update(hash, (const unsigned char *)word, strlen(word) + 1);
}

// Drawn from the store's secret and the event; a line without one happens once only.
static void draw(const struct hall *hall, const char *what, const struct chat_in *in,
                 const char *where, unsigned char out[TABLE_CHANCE_SIZE])
{
    crypto_generichash_state hash;
    if (in->event[0] == '\0') {
        randombytes_buf(out, TABLE_CHANCE_SIZE);
        return;
    }
    (void)crypto_generichash_init(&hash, hall->workspace->secret, sizeof hall->workspace->secret,
                                  TABLE_CHANCE_SIZE);
    take_in(&hash, what);
    take_in(&hash, where);
    take_in(&hash, in->place);
    take_in(&hash, in->person);
    take_in(&hash, in->event);
    (void)crypto_generichash_final(&hash, out, TABLE_CHANCE_SIZE);
}

void hall_chance(const struct hall *hall, const struct hall_table *table, const struct chat_in *in,
                 uint8_t out[TABLE_CHANCE_SIZE])
{
    draw(hall, "chance", in, table->id, out);
}

void hall_chance_new(uint8_t out[TABLE_CHANCE_SIZE])
{
    randombytes_buf(out, TABLE_CHANCE_SIZE);
}

void hall_table_id(const struct hall *hall, const char *network, const struct chat_in *in,
                   char out[TABLE_ID_SIZE])
{
    enum { LETTERS = 16 };
    static const char ALPHABET[] = "abcdefghijkmnopqrstuvwxyz2345679";
    unsigned char bytes[TABLE_CHANCE_SIZE];
    draw(hall, "table", in, network, bytes);
    for (unsigned i = 0; i < LETTERS; i++) {
        out[i] = ALPHABET[bytes[i] % (sizeof ALPHABET - 1)];
    }
    out[LETTERS] = '\0';
}
