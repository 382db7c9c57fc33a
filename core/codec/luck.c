#include "core/codec/luck.h"

#include <string.h>

// What a hash is taken of: words with their ends, so that no two lists of words are one.
struct mixture {
    unsigned char bytes[1024];
    size_t size;
};

_Static_assert(sizeof((struct mixture *)0)->bytes >= 64 + sizeof(struct luck), "all of it fits");
_Static_assert(sizeof((struct mixture *)0)->bytes >= 64 + 2 * LUCK_START_SIZE, "a person fits");

static void put(struct mixture *to, const void *bytes, size_t size)
{
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_word(struct mixture *to, const char *word, size_t size)
{
    put(to, word, strnlen(word, size - 1));
    put(to, "", 1);
}

void luck_seat(const char *network, const char *id, uint8_t out[DIGEST_SIZE])
{
    struct mixture seat = {.size = 0};
    put_word(&seat, "munchbot seat", LUCK_START_SIZE);
    put_word(&seat, network, LUCK_TABLE_SIZE);
    put_word(&seat, id, LUCK_START_SIZE);
    digest_of(seat.bytes, seat.size, out);
}

void luck_seed(const struct luck *luck, unsigned seat_count, uint8_t out[DIGEST_SIZE])
{
    struct mixture seed = {.size = 0};
    const uint8_t seats = (uint8_t)seat_count;
    put_word(&seed, "munchbot seed", LUCK_START_SIZE);
    put(&seed, luck->secret, sizeof luck->secret);
    put_word(&seed, luck->table, sizeof luck->table);
    put(&seed, &seats, 1);
    put(&seed, luck->seats, seat_count * sizeof luck->seats[0]);
    put_word(&seed, luck->start, sizeof luck->start);
    digest_of(seed.bytes, seed.size, out);
}
